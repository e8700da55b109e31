"""Records: a finished deal as one line of JSON, and back with every check the engine has.

A record is how a deal leaves the program, comes back, is shown and is argued about. Nothing in it
is believed: `check` deals the cards again, replays every action through `Tables` and compares the
result. Records are checked in lockstep batches, so that thousands take seconds.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple, SupportsIndex

import numpy as np
from jaxtyping import UInt64

from tarot_env.cards.actions import BID_TEXTS, Bid, action_text
from tarot_env.core.arguments import as_list, parse_row
from tarot_env.core.dealing import Deal
from tarot_env.errors import InvalidRecord, count_noun, short_repr
from tarot_env.records.check import check_batch, names, outcome, refusal, table_of, unfinished
from tarot_env.records.format import FORMAT, parse, parse_line
from tarot_env.tables import Tables, check_is_tables

_BATCH = 1024
"""Records replayed together."""


# -- writing


def record(
    tables: Tables, row: SupportsIndex, legal: UInt64[np.ndarray, "t 2"] | None = None
) -> dict[str, Any]:
    """A finished table as a record.

    Args:
        tables: the tables.
        row: one whose deal is over.
        legal: the legal actions at each action of the deal, as sets, to stand beside them; see
            also `with_legal`.

    Raises:
        InvalidRecord: the deal is not over, or `legal` has not one set for each action.
        TarotError: there is no such table.
    """
    row = parse_row(row, check_is_tables(tables).num_tables)
    if not tables.is_over[row]:
        raise InvalidRecord(f"table {row} is not over yet; only finished deals have a record")
    state, rules = tables.columns, tables.rules
    deal = Deal.of_pack([int(c) for c in state.pack[row]], rules, dealer=int(state.dealer[row]))
    named = int(state.deal_id[row]) >= 0
    log = state.log[row, : state.log_size[row]]
    result: dict[str, Any] = {
        "format": FORMAT,
        "rules": rules.to_dict(),
        "seed": int(tables.seed) if named else None,
        "deal_id": int(state.deal_id[row]) if named else None,
        "dealer": deal.dealer,
        "hands": [[action_text(card) for card in sorted(hand)] for hand in deal.hands],
        "chien": [action_text(card) for card in deal.chien],
    }
    if deal.stock:
        result["stock"] = [action_text(card) for card in deal.stock]
    if deal.piles:
        result["piles"] = [[list(map(action_text, pile)) for pile in seat] for seat in deal.piles]
    result["actions"] = [[int(seat), action_text(action)] for seat, action in log.tolist()]
    if state.forced[row]:
        result["forced"] = [int(tables.taker[row]), BID_TEXTS[Bid(tables.contract[row])]]
    result |= outcome(tables, row)
    if legal is not None:
        result["legal"] = [names(actions) for actions in _checked_sets(legal, len(log))]
    return result


def _checked_sets(legal: object, number: int) -> UInt64[np.ndarray, "t 2"]:
    """Sets of actions, one for each action of a deal."""
    try:
        sets = np.asarray(legal, np.uint64).reshape(-1, 2)
    except Exception:  # whatever the conversion of something else raises
        raise InvalidRecord(f"legal {short_repr(legal)}; give a set for each action") from None
    if len(sets) != number:
        raise InvalidRecord(
            f"{count_noun(len(sets), 'legal set')} for {count_noun(number, 'action')}"
        )
    return sets


def with_legal(records: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The same records with the legal actions beside each action.

    Raises:
        InvalidRecord: a record that disagrees with the rules.
    """
    given = as_list(records, "records must be a list", InvalidRecord)
    for problem in check_batch(given):
        if problem:
            raise InvalidRecord(problem)
    return [record | {"legal": _legal_names(record)} for record in given]


def _legal_names(record: dict[str, Any]) -> list[list[str]]:
    steps = replay(record)
    return [names(tables.legal_sets()[0]) for tables, _, action in steps if action is not None]


def to_line(record: dict[str, Any]) -> str:
    """A record as one line of JSON, without the line's end.

    Raises:
        InvalidRecord: no record, or something in it that JSON has not.
    """
    try:
        if isinstance(record, dict):
            return json.dumps(record, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        pass
    raise InvalidRecord(f"{short_repr(record)} is no record, or holds what JSON has not")


# -- replaying


class Step(NamedTuple):
    """One table before an action of a record; after the last one `action` is None.

    `seat` is the hand that acts, 2 for a dummy. The table is the same object in every step and
    moves on with the iteration.
    """

    tables: Tables
    seat: int
    action: int | None


def deal_of(record: dict[str, Any]) -> Deal:
    """The deal of a record: all its cards, dealer, name and forced contract.

    Raises:
        InvalidRecord: a malformed record, or cards that are not those of (seed, deal_id).
    """
    return parse(record).deal


def replay(record: dict[str, Any]) -> Iterator[Step]:
    """Plays a record on one table, action by action.

    Raises:
        InvalidRecord: a malformed record, or an action that the rules do not allow there.
    """
    parsed = parse(record)
    tables = table_of(parsed)
    for number, (seat, action) in enumerate(zip(parsed.seats, parsed.actions, strict=True)):
        problem = refusal(tables, number, seat, action)
        if problem:
            raise InvalidRecord(problem)
        yield Step(tables, seat, action)
        tables.step(np.array([action]))
    if not tables.is_over[0]:
        raise InvalidRecord(unfinished(tables, len(parsed.actions)))
    yield Step(tables, -1, None)


# -- checking


def check(record: object) -> None:
    """Checks a record with everything the engine knows.

    Form and types, the rules, the cards (those of (seed, deal_id) where it is named), each action
    and its seat, the legal actions where they stand beside it, and the result.

    Raises:
        InvalidRecord: the first thing that is wrong, with the number of the action and the reason.
    """
    problem = check_batch([record])[0]
    if problem:
        raise InvalidRecord(problem)


# -- files


class Problem(NamedTuple):
    """A line of a file that is no correct record: a wrong one, or none at all."""

    path: str
    line: int
    reason: str
    is_record: bool

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.reason}"


class CheckResult(NamedTuple):
    """What `check_files` found."""

    num_records: int
    problems: list[Problem]


def check_files(
    paths: Iterable[str | PathLike[str]], progress: Callable[[int], None] | None = None
) -> CheckResult:
    """Checks every record of the given files.

    Args:
        paths: JSON Lines files.
        progress: called with the number of lines done since the last call.

    Raises:
        InvalidRecord: a file that cannot be read or holds no records at all.
    """
    total, problems = 0, []
    for path in as_list(paths, "paths must be a list", InvalidRecord):
        number, found = 0, []
        for batch in _checked(path):
            number += sum(isinstance(entry.record, dict) for entry in batch)
            found += [
                Problem(str(path), e.line, e.problem, isinstance(e.record, dict))
                for e in batch
                if e.problem
            ]
            if progress is not None:
                progress(len(batch))
        if not number:
            first = f"; line {found[0].line}: {found[0].reason}" if found else ""
            raise InvalidRecord(f"{path}: holds no records{first}")
        total += number
        problems += found
    return CheckResult(total, problems)


def read_records(path: str | PathLike[str]) -> Iterator[tuple[int, dict[str, Any]]]:
    """The records of a file with their line numbers, every one checked.

    Raises:
        InvalidRecord: a file that cannot be read, or the first line that is wrong, with file,
            line, action and reason; the records before it are yielded.
    """
    for batch in _checked(path):
        for entry in batch:
            if entry.problem:
                raise InvalidRecord(f"{path}:{entry.line}: {entry.problem}")
            yield entry.line, entry.record


class _Entry(NamedTuple):
    line: int
    record: Any  # None where the line is no JSON object
    problem: str | None


def _checked(path: str | PathLike[str]) -> Iterator[list[_Entry]]:
    """The lines of a file in batches, each checked; blank lines are left out."""
    try:
        opened = Path(path).open("rb")  # noqa: SIM115
    except (TypeError, ValueError) as error:
        raise InvalidRecord(f"{short_repr(path)} is no name of a file") from error
    except OSError as error:
        raise InvalidRecord(f"{path}: cannot be read: {error.strerror}") from error
    try:
        with opened as file:
            lines = ((n, line) for n, line in enumerate(file, start=1) if line.strip())
            while batch := list(islice(lines, _BATCH)):
                yield _check_lines(batch)
    except OSError as error:
        raise InvalidRecord(f"{path}: cannot be read: {error.strerror}") from error


def _check_lines(lines: Sequence[tuple[int, bytes]]) -> list[_Entry]:
    records: list[Any] = []
    problems: list[str | None] = []
    for _, line in lines:
        try:
            records.append(parse_line(line))
            problems.append(None)
        except InvalidRecord as error:
            records.append(None)
            problems.append(str(error))
    found = iter(check_batch([given for given in records if given is not None]))
    return [
        _Entry(number, given, problem or next(found))
        for (number, _), given, problem in zip(lines, records, problems, strict=True)
    ]
