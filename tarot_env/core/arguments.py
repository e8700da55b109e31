"""What somebody hands in, read: whole numbers, lists of cards, piles, a contract.

Knows lists and numbers, not what makes a deal.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, cast

import numpy as np
from jaxtyping import Integer

from tarot_env.cards.actions import parse_card
from tarot_env.errors import InvalidDeal, InvalidRules, TarotError, count_noun, short_repr
from tarot_env.rules import Rules

# -- numbers


def is_int(value: object) -> bool:
    """Whether a value is a Python or numpy whole number; True and False are none."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def as_int_array(
    values: object,
    what: str,
    number: int | None = None,
    error: type[TarotError] = TarotError,
) -> Integer[np.ndarray, " n"]:
    """Whole numbers as an array; an empty list may be of any type.

    Args:
        values: a list or an array of them.
        what: they are, for the error.
        number: of tables, each of which wants one; None for any number.
        error: raised for anything else.
    """
    try:
        array = np.asarray(values)
    except Exception:  # a ragged list, or whatever an object's own conversion raises
        array = np.empty((), object)
    if array.ndim == 1 and not len(array):
        array = np.zeros(0, np.int64)
    if array.ndim == 1 and array.dtype.kind in "iu" and number in (None, len(array)):
        return array
    is_plain = array.ndim and array.dtype != object
    got = f"{array.dtype} of shape {array.shape}" if is_plain else short_repr(values)
    wanted = (
        "whole numbers"
        if number is None
        else f"{count_noun(number, 'whole number')}, one for each table"
    )
    raise error(f"{what} must be {wanted}; got {got}")


def parse_seat(
    given: object, rules: Rules, what: str = "seat", error: type[TarotError] = InvalidRules
) -> int:
    """A seat of the game.

    Raises:
        TarotError: anything else, as `error`, whose sentence begins with `what` it is.
    """
    if not is_int(given) or not 0 <= cast(int, given) < rules.players:
        raise error(f"{what} {short_repr(given)}; allowed: seats 0 to {rules.players - 1}")
    return int(cast(int, given))


def parse_row(given: object, number: int) -> int:
    """One of a number of tables.

    Raises:
        TarotError: there is no such table.
    """
    if not is_int(given) or not 0 <= cast(int, given) < number:
        raise TarotError(f"no table {short_repr(given)}; there are {number}, from 0")
    return int(cast(int, given))


def check_flags(**flags: object) -> None:
    """Checks that arguments that say yes or no are True or False.

    Raises:
        InvalidRules: another value.
    """
    for name, flag in flags.items():
        if not isinstance(flag, bool | np.bool_):
            raise InvalidRules(f"{name}={short_repr(flag)}; allowed: True, False")


# -- lists


def is_sequence(value: object) -> bool:
    """Whether a value is a list, a tuple, an array or the like; a text is none."""
    if isinstance(value, np.ndarray):
        return value.ndim > 0
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


def as_list(given: object, wanted: str, error: type[TarotError] = InvalidDeal) -> list[Any]:
    """The entries of a list, or of whatever else can be gone through, such as an array.

    Raises:
        TarotError: a text, an object with keys, or nothing that has entries, as `error`, whose
            sentence begins with what is `wanted`.
    """
    if not isinstance(given, str | bytes | Mapping):
        try:
            return list(cast(Iterable[Any], given))
        except TypeError:
            pass
    raise error(f"{wanted}; got {short_repr(given)}")


def card_ids(given: object, what: str, parse: Callable[[Any], int] = parse_card) -> tuple[int, ...]:
    """The cards of a list.

    Args:
        given: the list.
        what: it is, for the error.
        parse: reads one card.

    Raises:
        InvalidDeal: no list.
        UnknownName: a text that names no card.
    """
    return tuple(map(parse, as_list(given, f"{what} must be a list of cards")))


def pile_ids(
    given: object, parse: Callable[[Any], int] = parse_card
) -> tuple[tuple[tuple[int, int], ...], ...]:
    """The cards of the piles, a list for each seat of pairs (upper, covered).

    Raises:
        InvalidDeal: anything else.
        UnknownName: a text that names no card.
    """
    seats = []
    wanted = "(upper, covered) pairs"
    for seat, piles in enumerate(
        as_list(given, f"piles must be a list for each seat, of {wanted}")
    ):
        what = f"piles of seat {seat}"
        listed_piles = as_list(piles, f"{what} must be {wanted}")
        cards = [card_ids(pile, f"each of the {what}", parse) for pile in listed_piles]
        if any(len(pile) != 2 for pile in cards):
            raise InvalidDeal(f"{what} must be {wanted}; got {short_repr(piles)}")
        seats.append(tuple((upper, covered) for upper, covered in cards))
    return tuple(seats)


def forced_pair(given: object) -> tuple[Any, Any]:
    """The seat and the bid of a contract without an auction, not looked at any further.

    Raises:
        InvalidDeal: no pair.
    """
    if not is_sequence(given) or len(cast(Sequence[Any], given)) != 2:
        raise InvalidDeal(f"forced must be (seat, bid); got {short_repr(given)}")
    seat, bid = cast(Sequence[Any], given)
    return seat, bid
