"""Records: a finished deal as one line of JSON, and back with every check the engine has.

A record is how a deal leaves the program, comes back, is shown and is argued about. Nothing in it
is believed: `check` deals the cards again, replays every action through `Tables` and compares the
result. Records are checked in lockstep batches, so that thousands take seconds.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np
from jaxtyping import Bool, Int, UInt64

from tarot_env import cardsets
from tarot_env.actions import ACTION_TEXTS, BID_TEXTS, Bid, action_text
from tarot_env.dealing import Deal, deal_packs
from tarot_env.errors import IllegalAction, InvalidRecord
from tarot_env.record_format import Parsed, parse, parse_line
from tarot_env.rules import Rules
from tarot_env.tables import Tables

FORMAT = "tarot-deal/1"
_BATCH = 1024
"""Records replayed together."""


# -- writing


def record(
    tables: Tables, row: int, legal: UInt64[np.ndarray, "t 2"] | None = None
) -> dict[str, Any]:
    """A finished table as a record.

    Args:
        tables: the tables.
        row: one whose deal is over.
        legal: the legal actions at each action of the deal, as sets, to stand beside them; see
            also `with_legal`.

    Raises:
        InvalidRecord: the deal is not over, or `legal` has not one set for each action.
    """
    if not tables.is_over[row]:
        raise InvalidRecord(f"table {row} is not over yet; only finished deals have a record")
    state, rules = tables.state, tables.rules
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
        "actions": [[int(seat), action_text(action)] for seat, action in log],
    }
    if state.forced[row]:
        result["forced"] = [int(tables.taker[row]), BID_TEXTS[Bid(tables.contract[row])]]
    result |= _outcome(tables, row)
    if legal is not None:
        if len(legal) != len(log):
            raise InvalidRecord(f"{len(legal)} legal sets for {len(log)} actions")
        result["legal"] = [_names(actions) for actions in legal]
    return result


def _outcome(tables: Tables, row: int) -> dict[str, Any]:
    """The result fields of a record."""
    taken = tables.taker[row] >= 0
    partner = int(tables.partner[row])
    scores = [float(score) for score in tables.scores[row]]
    return {
        "taker": int(tables.taker[row]) if taken else None,
        "partner": partner if partner >= 0 else None,
        "bid": BID_TEXTS[Bid(tables.contract[row])] if taken else None,
        "points": float(tables.points[row]) if taken else None,
        "oudlers": int(tables.oudlers[row]) if taken else None,
        "scores": [int(score) if score.is_integer() else score for score in scores],
    }


def _names(actions: UInt64[np.ndarray, "2"]) -> list[str]:
    return [action_text(action) for action in cardsets.to_ids(actions)]


def with_legal(records: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The same records with the legal actions beside each action.

    Raises:
        InvalidRecord: a record that disagrees with the rules.
    """
    for problem in check_batch(records):
        if problem:
            raise InvalidRecord(problem)
    groups: dict[Rules, list[tuple[int, Parsed]]] = {}
    for index, given in enumerate(records):
        parsed = parse(given, FORMAT)
        groups.setdefault(parsed.rules, []).append((index, parsed))
    result = list(records)
    for rules, group in groups.items():
        tables = Tables.from_deals(rules, [parsed.deal for _, parsed in group])
        for index, _ in group:
            result[index] = records[index] | {"legal": []}
        for step in range(max(len(parsed.actions) for _, parsed in group)):
            legal = tables.legal_sets()
            for row in np.flatnonzero(~tables.is_over):
                result[group[row][0]]["legal"].append(_names(legal[row]))
            tables.step(np.array([(*parsed.actions, *[-1] * step)[step] for _, parsed in group]))
    return result


def to_line(record: dict[str, Any]) -> str:
    """A record as one line of JSON, without the line's end."""
    return json.dumps(record, allow_nan=False)


# -- replaying


class Step(NamedTuple):
    """One table before an action of a record; after the last one `action` is None.

    The table is the same object in every step and moves on with the iteration.
    """

    tables: Tables
    seat: int
    action: int | None


def deal_of(record: dict[str, Any]) -> Deal:
    """The deal of a record: hands, chien, dealer, name and forced contract.

    Raises:
        InvalidRecord: a malformed record, or cards that are not those of (seed, deal_id).
    """
    return _parse_checked(record).deal


def replay(record: dict[str, Any]) -> Iterator[Step]:
    """Plays a record on one table, action by action.

    Raises:
        InvalidRecord: a malformed record, or an action that the rules do not allow there.
    """
    parsed = _parse_checked(record)
    tables = _table_of(parsed)
    for number, (seat, action) in enumerate(zip(parsed.seats, parsed.actions, strict=True)):
        problem = _refused(tables, number, seat, action)
        if problem:
            raise InvalidRecord(problem)
        yield Step(tables, seat, action)
        tables.step(np.array([action]))
    if not tables.is_over[0]:
        raise InvalidRecord(_unfinished(tables, len(parsed.actions)))
    yield Step(tables, -1, None)


def _parse_checked(record: object) -> Parsed:
    parsed = parse(record, FORMAT)
    problem = _name_problems([parsed])[0]
    if problem:
        raise InvalidRecord(problem)
    return parsed


def _table_of(parsed: Parsed) -> Tables:
    """One table with the deal, under its name where it has one."""
    deal = parsed.deal
    if deal.deal_id is None or deal.seed is None:
        return Tables.from_deals(parsed.rules, [deal])
    tables = Tables(parsed.rules, 1, seed=deal.seed, first_deal=deal.deal_id)
    if deal.forced is not None and not tables.is_over[0]:
        tables.force(np.array([0]), *deal.forced)
    return tables


def _refused(tables: Tables, number: int, seat: int, action: int) -> str | None:
    """Why the rules do not allow an action of a record; None if they do."""
    where = f"action {number + 1} ([{seat}, {action_text(action)!r}])"
    if tables.is_over[0]:
        return f"{where}: the deal is over after {number} actions"
    due = int(tables.hand_to_play[0])
    if seat != due:
        return f"{where}: it is the turn of seat {due}"
    if cardsets.contains(tables.legal_sets(), np.array([action]))[0]:
        return None
    try:
        tables.copy().step(np.array([action]))
    except IllegalAction as error:
        return f"{where}: {error}"
    return f"{where}: not allowed"


def _unfinished(tables: Tables, number: int) -> str:
    return (
        f"the record stops after action {number}, but the deal is not over: seat "
        f"{int(tables.hand_to_play[0])} is to act"
    )


# -- checking


def check(record: dict[str, Any]) -> None:
    """Checks a record with everything the engine knows.

    Form and types, the rules, the cards (those of (seed, deal_id) where it is named), each action
    and its seat, the legal actions where they stand beside it, and the result.

    Raises:
        InvalidRecord: the first thing that is wrong, with the number of the action and the reason.
    """
    problem = check_batch([record])[0]
    if problem:
        raise InvalidRecord(problem)


def check_batch(records: Sequence[object]) -> list[str | None]:
    """What is wrong with each record, None where nothing is; replays them in lockstep."""
    problems: list[str | None] = [None] * len(records)
    groups: dict[Rules, list[tuple[int, Parsed]]] = {}
    for index, given in enumerate(records):
        try:
            parsed = parse(given, FORMAT)
        except InvalidRecord as error:
            problems[index] = str(error)
        else:
            groups.setdefault(parsed.rules, []).append((index, parsed))
    for rules, group in groups.items():
        batch = [parsed for _, parsed in group]
        found = _replay_problems(batch, rules)
        for (index, _), misnamed, problem in zip(group, _name_problems(batch), found, strict=True):
            problems[index] = misnamed or problem
    return problems


def _name_problems(batch: Sequence[Parsed]) -> list[str | None]:
    """Where the cards or the dealer are not those of (seed, deal_id)."""
    problems: list[str | None] = [None] * len(batch)
    by_seed: dict[int, list[int]] = {}
    for index, parsed in enumerate(batch):
        if parsed.deal.deal_id is not None:
            by_seed.setdefault(cast(int, parsed.deal.seed), []).append(index)
    for seed, indices in by_seed.items():
        ids = np.array([batch[index].deal.deal_id for index in indices], np.int64)
        for index, pack in zip(indices, deal_packs(seed, ids).tolist(), strict=True):
            problems[index] = _misnamed(batch[index], pack)
    return problems


def _misnamed(parsed: Parsed, pack: list[int]) -> str | None:
    given, deal_id = parsed.deal, cast(int, parsed.deal.deal_id)
    true = Deal.of_pack(pack, parsed.rules, dealer=deal_id % parsed.rules.players)
    name = f"deal seed={given.seed} id={deal_id}"
    for seat, (hand, dealt) in enumerate(zip(given.hands, true.hands, strict=True)):
        if sorted(hand) != sorted(dealt):
            return f"the hand of seat {seat} is not that of {name}"
    if given.chien != true.chien:
        return f"the chien is not that of {name}, in its order"
    if given.dealer != true.dealer:
        return f"dealer {given.dealer}; {name} is dealt by seat {true.dealer}"
    return None


@dataclass(frozen=True)
class _Plan:
    """What n records say happened, padded to T steps with -1."""

    sizes: Int[np.ndarray, " n"]
    seats: Int[np.ndarray, "n t"]
    actions: Int[np.ndarray, "n t"]
    legal: UInt64[np.ndarray, "n t 2"] | None
    has_legal: Bool[np.ndarray, " n"]

    @classmethod
    def of(cls, batch: Sequence[Parsed], width: int) -> "_Plan":
        seats = np.full((len(batch), width), -1)
        actions = np.full((len(batch), width), -1)
        has_legal = np.array([parsed.legal is not None for parsed in batch])
        legal = np.zeros((len(batch), width, 2), np.uint64) if has_legal.any() else None
        for index, parsed in enumerate(batch):
            size = min(len(parsed.actions), width)
            seats[index, :size] = parsed.seats[:size]
            actions[index, :size] = parsed.actions[:size]
            if parsed.legal is not None and legal is not None and size:
                legal[index, :size] = parsed.legal[:size]
        sizes = np.array([len(parsed.actions) for parsed in batch])
        return cls(sizes, seats, actions, legal, has_legal)


def _replay_problems(batch: Sequence[Parsed], rules: Rules) -> list[str | None]:
    """What is wrong with the actions and results of records under the same rules."""
    tables = Tables.from_deals(rules, [parsed.deal for parsed in batch])
    longest = max(len(parsed.actions) for parsed in batch)
    plan = _Plan.of(batch, min(longest, rules.log_size) + 1)
    wrong = np.full(len(batch), -1)
    thrown_in = tables.is_over.copy()
    for step in range(plan.actions.shape[1]):
        legal, actions = tables.legal_sets(), plan.actions[:, step]
        over = tables.is_over
        right = ~over & (tables.hand_to_play == plan.seats[:, step])
        right &= cardsets.contains(legal, actions)
        if plan.legal is not None:
            right &= ~plan.has_legal | (plan.legal[:, step] == legal).all(1)
        fine = np.where(step < plan.sizes, right, over | (step > plan.sizes))
        wrong[~fine & (wrong < 0)] = step
        tables.step(np.where(right, actions, cardsets.lowest(legal)))
    return [
        _first_problem(parsed, int(wrong[row]), _outcome(tables, row), bool(thrown_in[row]))
        for row, parsed in enumerate(batch)
    ]


def _first_problem(
    parsed: Parsed, wrong: int, outcome: dict[str, Any], thrown_in: bool
) -> str | None:
    if parsed.deal.forced is not None and thrown_in:
        return "forced: a hand has the petit as its only trump, so this deal is thrown in"
    if wrong >= 0:
        return _action_problem(parsed, wrong)
    for key, value in outcome.items():
        given = parsed.record[key]
        if given != value:
            return f"{key} is {json.dumps(given)} in the record, {json.dumps(value)} by the rules"
    return None


def _action_problem(parsed: Parsed, number: int) -> str:
    """The reason why an action is wrong, found on a table of its own."""
    tables = _table_of(parsed)
    for action in parsed.actions[:number]:
        tables.step(np.array([action]))
    if number >= len(parsed.actions):
        return _unfinished(tables, number)
    seat, action = parsed.seats[number], parsed.actions[number]
    problem = _refused(tables, number, seat, action)
    if problem:
        return problem
    return (
        f"action {number + 1} ([{seat}, {ACTION_TEXTS[action]!r}]): the legal actions beside it "
        f"are not those of the rules: {' '.join(_names(tables.legal_sets()[0]))}"
    )


# -- files


class Problem(NamedTuple):
    """A line of a file that is no correct record."""

    path: str
    line: int
    reason: str

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
    for path in paths:
        number, found = 0, []
        for batch in _checked(path):
            number += sum(isinstance(entry.record, dict) for entry in batch)
            found += [Problem(str(path), e.line, e.problem) for e in batch if e.problem]
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
        with Path(path).open("rb") as file:
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
