"""Errors that a user can cause; each says what was given, where, and what is allowed."""

import reprlib
from collections.abc import Iterable
from difflib import get_close_matches
from enum import IntEnum

_MOST_SHOWN = 80
"""Characters of a value in a message."""
_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = _MOST_SHOWN


class TarotError(ValueError):
    """A mistake in what was asked for; the message is one sentence for a person."""


class IllegalAction(TarotError):
    """An action that the rules do not allow at this point; nothing was changed."""


class ImpossibleFacts(TarotError):
    """Facts for a score sheet that no deal of the game can have."""


class InvalidDeal(TarotError):
    """Cards that do not make a deal of this game."""


class InvalidRecord(TarotError):
    """A record that is malformed or disagrees with the rules."""


class InvalidRules(TarotError):
    """Options that are unknown, out of range or contradict each other."""


class UnknownName(TarotError):
    """A name that stands for nothing here."""


def short_repr(value: object) -> str:
    """A value as it stands in a message: as Python writes it, on one line, and cut if long."""
    if isinstance(value, IntEnum):
        value = int(value)
    try:
        text = " ".join(_SHORT.repr(value).split())
    except Exception:  # a whole number of thousands of digits, or a broken repr
        return f"a {type(value).__name__} that cannot be shown"
    return truncate(text)


def truncate(text: str) -> str:
    """A text that is not too long for a message."""
    return text if len(text) <= _MOST_SHOWN else f"{text[: _MOST_SHOWN - 3]}..."


def plural(noun: str, number: int | float, many: str = "") -> str:
    """The noun as it stands behind a number: `deal` behind 1, else `deals`, or `many` if given."""
    return noun if number == 1 else many or f"{noun}s"


def count_noun(number: int | float, noun: str, many: str = "") -> str:
    """A number of things: `1 deal`, `2 deals`; with `many`, `2 matches`."""
    return f"{number} {plural(noun, number, many)}"


def unknown_name(
    what: str, given: object, allowed: Iterable[str], error: type[TarotError] = UnknownName
) -> TarotError:
    """The error for an unknown name: suggests near ones, or lists what is allowed."""
    names = [str(name) for name in allowed]
    near = get_close_matches(given, names, n=3) if isinstance(given, str) else []
    if near:
        hint = f"did you mean {' or '.join(repr(name) for name in near)}?"
    elif len(names) <= 20:
        hint = f"allowed: {', '.join(names)}"
    else:
        hint = f"allowed: {', '.join(names[:5])} .. {names[-1]}"
    return error(f"unknown {what} {short_repr(given)}; {hint}")
