"""Whether a record tells the truth: its deal is dealt again and every action played again.

Records of the same rules are replayed in lockstep; only the reason for a wrong action is found on a
table of its own.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, SupportsIndex

import numpy as np
from jaxtyping import Bool, Int, UInt64

from tarot_env.cards import cardsets
from tarot_env.cards.actions import BID_TEXTS, Bid, action_text
from tarot_env.errors import IllegalAction, InvalidRecord, count_noun, truncate
from tarot_env.records.format import Parsed, game_keys, parse
from tarot_env.rules import Rules
from tarot_env.rules.labels import hand_label
from tarot_env.score_sheet import points_number
from tarot_env.tables import Tables


def outcome(tables: Tables, row: SupportsIndex) -> dict[str, Any]:
    """The result fields of a record; None for whatever a deal that was thrown in has not."""
    state, rules = tables.columns, tables.rules
    taken = tables.taker[row] >= 0
    partner, called = int(tables.partner[row]), int(tables.called_card[row])
    result = {
        "taker": int(tables.taker[row]) if taken else None,
        "partner": partner if partner >= 0 else None,
        "called": action_text(called) if called >= 0 else None,
        "bid": BID_TEXTS[Bid(tables.contract[row])] if taken else None,
        "contra": 2 ** int(state.contra[row]),
        "points": float(tables.points[row]) if taken else None,
        "oudlers": int(tables.oudlers[row]) if taken else None,
        "scores": [points_number(half) for half in state.half_scores[row].tolist()],
    }
    absent = {"called", "contra"} - set(game_keys(rules))
    return {key: value for key, value in result.items() if key not in absent}


def names(actions: UInt64[np.ndarray, "2"]) -> list[str]:
    """Texts of a set of actions."""
    return [action_text(action) for action in cardsets.to_ids(actions)]


def table_of(parsed: Parsed) -> Tables:
    """One table with the deal, under its name where it has one."""
    deal = parsed.deal
    if deal.deal_id is None or deal.seed is None:
        return Tables.from_deals(parsed.rules, [deal])
    tables = Tables(parsed.rules, 1, seed=deal.seed, first_deal=deal.deal_id)
    if deal.forced is not None and not tables.is_over[0]:
        tables.force(np.array([0]), *deal.forced)
    return tables


def refusal(tables: Tables, number: int, seat: int, action: int) -> str | None:
    """Why the rules do not allow an action of a record; None if they do."""
    where = f"action {number + 1} ([{seat}, {action_text(action)!r}])"
    if tables.is_over[0]:
        return f"{where}: the deal is over after {count_noun(number, 'action')}"
    due = int(tables.hand_to_play[0])
    if seat != due:
        return f"{where}: it is the turn of {hand_label(due, tables.rules)}"
    if cardsets.contains(tables.legal_sets(), np.array([action]))[0]:
        return None
    try:
        tables.copy().step(np.array([action]))
    except IllegalAction as error:
        return f"{where}: {error}"
    return f"{where}: not allowed"


def unfinished(tables: Tables, number: int) -> str:
    """What to say of a record that stops too early."""
    return (
        f"the record stops after action {number}, but the deal is not over: "
        f"{hand_label(int(tables.hand_to_play[0]), tables.rules)} is to act"
    )


# -- in batches


def check_batch(records: Sequence[object]) -> list[str | None]:
    """What is wrong with each record, None where nothing is; replays them in lockstep."""
    problems: list[str | None] = [None] * len(records)
    groups: dict[Rules, list[tuple[int, Parsed]]] = {}
    for index, given in enumerate(records):
        try:
            parsed = parse(given)
        except InvalidRecord as error:
            problems[index] = str(error)
        else:
            groups.setdefault(parsed.rules, []).append((index, parsed))
    for rules, group in groups.items():
        found = _replay_problems([parsed for _, parsed in group], rules)
        for (index, _), problem in zip(group, found, strict=True):
            problems[index] = problem
    return problems


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
        _first_problem(parsed, int(wrong[row]), outcome(tables, row), bool(thrown_in[row]))
        for row, parsed in enumerate(batch)
    ]


def _first_problem(
    parsed: Parsed, wrong: int, outcome: dict[str, Any], thrown_in: bool
) -> str | None:
    if parsed.deal.forced is not None and thrown_in:
        return "forced: petit sec, a hand has the petit as its only trump, so this deal is void"
    if wrong >= 0:
        return _action_problem(parsed, wrong)
    for key, value in outcome.items():
        given = parsed.record[key]
        if given != value:
            said = truncate(json.dumps(given))
            return f"{key} is {said} in the record, {json.dumps(value)} by the rules"
    return None


def _action_problem(parsed: Parsed, number: int) -> str:
    """The reason why an action is wrong, found on a table of its own."""
    tables = table_of(parsed)
    for action in parsed.actions[:number]:
        tables.step(np.array([action]))
    if number >= len(parsed.actions):
        return unfinished(tables, number)
    seat, action = parsed.seats[number], parsed.actions[number]
    problem = refusal(tables, number, seat, action)
    if problem:
        return problem
    return (
        f"action {number + 1} ([{seat}, {action_text(action)!r}]): the legal actions beside it "
        f"are not those of the rules: {' '.join(names(tables.legal_sets()[0]))}"
    )
