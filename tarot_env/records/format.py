"""The form of a record: JSON in, checked keys and types out.

Knows what a record looks like, not whether the deal in it was played by the rules. Whatever a line
holds, the answer is a `Parsed` or one `InvalidRecord` sentence.
"""

import json
import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, NoReturn, TypeGuard

import numpy as np
from jaxtyping import UInt64

from tarot_env.cards import cardsets
from tarot_env.cards.actions import parse_action
from tarot_env.core.dealing import Deal
from tarot_env.errors import InvalidRecord, TarotError, count_noun, short_repr, unknown_name
from tarot_env.rules import Rules

FORMAT = "tarot-deal/1"


@dataclass(frozen=True)
class Parsed:
    """A record whose keys, types and cards are in order, the cards those of its name."""

    record: dict[str, Any]
    rules: Rules
    deal: Deal
    seats: list[int]
    actions: list[int]
    legal: UInt64[np.ndarray, "t 2"] | None


def parse_line(line: bytes) -> dict[str, Any]:
    """The JSON object on a line.

    Raises:
        InvalidRecord: not UTF-8, not JSON, a number that JSON has not, a key twice, no object.
    """
    try:
        value = json.loads(
            line.decode("utf-8"), object_pairs_hook=_unique, parse_constant=_no_constant
        )
    except UnicodeDecodeError as error:
        raise InvalidRecord(f"not UTF-8 text (byte {error.start + 1} of the line)") from error
    except json.JSONDecodeError as error:
        raise InvalidRecord(f"not JSON: {error.msg} at column {error.colno}") from error
    except RecursionError as error:
        raise InvalidRecord("not a record: nested too deeply") from error
    except InvalidRecord:
        raise
    except ValueError as error:
        raise InvalidRecord("not a record: a number with too many digits") from error
    if not isinstance(value, dict):
        raise InvalidRecord(f"a record is a JSON object; this line is {short_repr(value)}")
    return value


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise InvalidRecord(f"the key {short_repr(twice)} stands twice")
    return result


def _no_constant(text: str) -> NoReturn:
    raise InvalidRecord(f"{text} is no number of a record")


# -- types


def _is_int(value: object) -> TypeGuard[int]:
    return type(value) is int


def _is_id(value: object) -> bool:
    return _is_int(value) and 0 <= value < 2**62


def _is_seed(value: object) -> bool:
    return _is_int(value) and 0 <= value < 2**128


def _is_small(value: object) -> bool:
    return _is_int(value) and abs(value) < 100


def _is_number(value: object) -> bool:
    return (_is_int(value) and abs(value) < 10**9) or (
        type(value) is float and math.isfinite(value)
    )


def _is_text(value: object) -> TypeGuard[str]:
    return isinstance(value, str) and len(value) <= 80


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _is_pair(value: object) -> bool:
    if not isinstance(value, list) or len(value) != 2:
        return False
    return _is_small(value[0]) and _is_text(value[1])


def _is_piles(value: object) -> bool:
    """Lists of pairs of cards, one for each seat; how many there must be belongs to the deal."""
    return isinstance(value, list) and all(
        isinstance(seat, list) and all(_is_texts(pile) and len(pile) == 2 for pile in seat)
        for seat in value
    )


def _list_of(ok: Callable[[object], bool]) -> Callable[[object], bool]:
    return lambda value: isinstance(value, list) and all(map(ok, value))


def _or_null(ok: Callable[[object], bool]) -> Callable[[object], bool]:
    return lambda value: value is None or ok(value)


_Field = tuple[Callable[[object], bool], str]
_FIELDS: dict[str, _Field] = {
    "format": (_is_text, "text"),
    "rules": (lambda value: isinstance(value, dict), "an object with preset and players or game"),
    "seed": (_or_null(_is_seed), "a whole number from 0 below 2**128, or null"),
    "deal_id": (_or_null(_is_id), "a whole number from 0 below 2**62, or null"),
    "dealer": (_is_small, "a seat"),
    "hands": (_list_of(_is_texts), "a list of cards for each seat"),
    "chien": (_is_texts, "a list of cards"),
    "actions": (_list_of(_is_pair), "a list of [seat, action]"),
    "taker": (_or_null(_is_small), "a seat or null"),
    "partner": (_or_null(_is_small), "a seat or null"),
    "bid": (_or_null(_is_text), "a bid or null"),
    "points": (_or_null(_is_number), "a number or null"),
    "oudlers": (_or_null(_is_small), "0 to 3 or null"),
    "scores": (_list_of(_is_number), "a list of numbers"),
}
_OF_GAMES: dict[str, _Field] = {
    "stock": (_is_texts, "a list of cards"),
    "piles": (_is_piles, "for each seat a list of [upper, covered] cards"),
    "called": (_or_null(_is_text), "a card or null"),
    "contra": (_is_small, "1, 2 or 4"),
}
_OPTIONAL: dict[str, _Field] = {
    "forced": (_is_pair, "[seat, bid]"),
    "legal": (_list_of(_is_texts), "a list of action names for each action"),
}


def game_keys(rules: Rules) -> list[str]:
    """The further keys that a record of these rules has, beside those of every record."""
    has = {
        "stock": rules.game == "tirette",
        "piles": rules.game == "decouverte",
        "called": rules.calls_king,
        "contra": rules.in_partnerships,
    }
    return [key for key in _OF_GAMES if has[key]]


def parse(record: object) -> Parsed:
    """A record with its keys, types, rules and cards checked.

    Raises:
        InvalidRecord: what is wrong, in one sentence.
    """
    if not isinstance(record, dict):
        raise InvalidRecord(f"a record is a JSON object; this is {short_repr(record)}")
    _check_fields(record)
    try:
        rules = _rules(record["rules"])
        _check_game_keys(record, rules)
        deal = _deal(record, rules)
    except InvalidRecord:
        raise
    except TarotError as error:
        raise InvalidRecord(str(error)) from error
    actions = record["actions"]
    ids = [_action(text, number) for number, (_, text) in enumerate(actions, start=1)]
    legal = _legal(record["legal"], len(ids)) if "legal" in record else None
    return Parsed(record, rules, deal, [seat for seat, _ in actions], ids, legal)


def _check_fields(record: dict[str, Any]) -> None:
    known = _FIELDS | _OF_GAMES | _OPTIONAL
    written_as = record.get("format", FORMAT)
    if not isinstance(written_as, str) or written_as != FORMAT:
        raise InvalidRecord(f"format {short_repr(written_as)}; this program reads {FORMAT!r}")
    for key in record:
        if key not in known:
            raise unknown_name("key", key, known, InvalidRecord)
    missing = [key for key in _FIELDS if key not in record]
    if missing:
        raise InvalidRecord(f"missing: {', '.join(missing)}")
    for key, value in record.items():
        ok, wanted = known[key]
        if not ok(value):
            raise InvalidRecord(f"{key} must be {wanted}; got {_offender(key, value, ok)}")


def _check_game_keys(record: dict[str, Any], rules: Rules) -> None:
    wanted = game_keys(rules)
    for key in _OF_GAMES:
        if key in record and key not in wanted:
            raise InvalidRecord(f"{key} has no place in a record of {rules.sizes.title}")
    missing = [key for key in wanted if key not in record]
    if missing:
        raise InvalidRecord(f"missing with {rules.sizes.title}: {', '.join(missing)}")


def _offender(key: str, value: object, ok: Callable[[object], bool]) -> str:
    """The first entry that spoils a list, or the value itself."""
    if isinstance(value, list):
        for number, entry in enumerate(value, start=1):
            if not ok([entry]):
                return f"{short_repr(entry)} as entry {number}"
    return short_repr(value)


def _rules(values: dict[str, Any]) -> Rules:
    known = {"preset", "players", "game", *(option.name for option in Rules.options())}
    for key in values:
        if key not in known:
            raise unknown_name("rule option", key, sorted(known), InvalidRecord)
    if not isinstance(values.get("preset"), str):
        raise InvalidRecord("rules must name a preset")
    if "players" not in values and "game" not in values:
        raise InvalidRecord("rules must name the players or the game")
    if "players" in values and not _is_small(values["players"]):
        raise InvalidRecord(f"players must be a whole number; got {short_repr(values['players'])}")
    if "game" in values and not _is_text(values["game"]):
        raise InvalidRecord(f"game must be a name; got {short_repr(values['game'])}")
    try:
        return _cached_rules(json.dumps(values, allow_nan=False))
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        if isinstance(error, TarotError):
            raise
        raise InvalidRecord("rules hold a value that JSON has not") from error


@lru_cache(maxsize=64)
def _cached_rules(text: str) -> Rules:
    return Rules.from_dict(json.loads(text))


def _deal(record: dict[str, Any], rules: Rules) -> Deal:
    seed, deal_id = record["seed"], record["deal_id"]
    if deal_id is not None and seed is None:
        raise InvalidRecord(f"deal_id {deal_id} without a seed names no deal")
    given: dict[str, Any] = {part: record[part] for part in ("stock", "piles") if part in record}
    if "forced" in record:
        given["forced"] = tuple(record["forced"])
    deal = Deal.from_text(record["hands"], record["chien"], record["dealer"], **given)
    if deal_id is not None:
        deal = replace(deal, seed=seed, deal_id=deal_id)
    deal.check(rules)
    return deal


def _action(text: str, number: int) -> int:
    try:
        return parse_action(text)
    except TarotError as error:
        raise InvalidRecord(f"action {number}: {error}") from error


def _legal(lists: list[list[str]], num_actions: int) -> UInt64[np.ndarray, "t 2"]:
    if len(lists) != num_actions:
        raise InvalidRecord(
            f"{count_noun(len(lists), 'list')} of legal actions for "
            f"{count_noun(num_actions, 'action')}"
        )
    sets = np.zeros((num_actions, 2), np.uint64)
    for number, names in enumerate(lists):
        ids = [_action(text, number + 1) for text in names]
        if len(set(ids)) < len(ids):
            raise InvalidRecord(f"action {number + 1}: a legal action stands twice")
        sets[number] = cardsets.from_ids(ids)
    return sets
