"""A finished deal looked at again with open cards: what each card played could have earned.

Goes back to every card of the last tricks, solves the table as it was, and tells what each legal
card would have brought the seat that played, if from there on everybody had played the best.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from jaxtyping import Int64

from agents.search.solver import MAX_NODES, Solution, most_tricks, solve
from tarot_env.cards.actions import Phase, action_text
from tarot_env.core import scoring
from tarot_env.core.scoring import Sides
from tarot_env.records import replay
from tarot_env.records.format import parse
from tarot_env.rules import Rules
from tarot_env.score_sheet import points_number
from tarot_env.tables import Tables
from training.limits import check_number

USUAL_TRICKS = 6
"""The last tricks that are looked at in any case; earlier ones while the search is quick."""


@dataclass(frozen=True)
class Choice:
    """A card that was played, and those that could have been; scores are half points."""

    trick: int
    """From 1."""
    seat: int
    card: int
    earned: dict[int, int]
    """By legal card: what the seat's score would have been."""
    exact: bool
    """False where the search was stopped; then of some cards nothing is known."""
    nodes: int

    @property
    def best(self) -> tuple[int, ...]:
        """The cards that earn most."""
        most = max(self.earned.values(), default=0)
        return tuple(card for card, earned in self.earned.items() if earned == most)

    @property
    def lost(self) -> int | None:
        """What the card cost its seat; None where that is not known."""
        return max(self.earned.values()) - self.earned[self.card] if self.exact else None


@dataclass(frozen=True)
class Review:
    """What there is to say of one deal."""

    record: dict[str, Any]
    rules: Rules
    choices: tuple[Choice, ...] = field(default=())
    """In order of play; none where nobody took."""

    @property
    def lost(self) -> tuple[int, ...]:
        """Half points that each seat lost with its cards, as far as is known."""
        lost = [0] * self.rules.players
        for choice in self.choices:
            lost[choice.seat] += choice.lost or 0
        return tuple(lost)


def review(
    record: dict[str, Any], *, tricks: int | None = None, max_nodes: int = MAX_NODES
) -> Review:
    """Looks at the last tricks of a record again.

    Args:
        record: of a deal with three, four or five players.
        tricks: how many; None for six, and the tricks before as long as each card of them is
            solved within the limit.
        max_nodes: cards played in each search before it stops.

    Raises:
        InvalidRecord: a malformed record, or one that the rules do not allow.
        TarotError: another game, or a number of tricks out of range.
    """
    rules = parse(record).rules
    most = most_tricks(rules)
    if tricks is not None:
        check_number("tricks", tricks, 1, most)
    moments = _moments(record)
    if not moments:
        return Review(record, rules)
    choices: list[Choice] = []
    for left in range(1, (tricks or most) + 1):
        number = rules.tricks - left
        found: list[Choice] = []
        for tables, card in moments.get(number, ()):
            found.append(_choice(tables, card, max_nodes))
            if not found[-1].exact and tricks is None and left > USUAL_TRICKS:
                return Review(record, rules, tuple(choices))
        choices = found + choices
    return Review(record, rules, tuple(choices))


def _moments(record: dict[str, Any]) -> dict[int, list[tuple[Tables, int]]]:
    """By trick: the table before each of its cards, and the card."""
    moments: dict[int, list[tuple[Tables, int]]] = {}
    for tables, _, action in replay(record):
        if action is not None and tables.phase[0] == Phase.PLAY:
            number = int(tables.columns.trick_number[0])
            moments.setdefault(number, []).append((tables.copy(), action))
    return moments


def _choice(tables: Tables, card: int, max_nodes: int) -> Choice:
    solution = solve(tables, max_nodes=max_nodes)
    seat = int(tables.seat_to_act[0])
    return Choice(
        trick=int(tables.columns.trick_number[0]) + 1,
        seat=seat,
        card=card,
        earned=_earned(tables, seat, solution),
        exact=solution.exact,
        nodes=solution.nodes,
    )


def _earned(tables: Tables, seat: int, solution: Solution) -> dict[int, int]:
    """The final score of a seat after each card, with misères, shares and rounding by rule."""
    state, rules = tables.columns, tables.rules
    per_defender = np.array(list(solution.values.values()), np.int64)
    rows = np.zeros(len(per_defender), np.int64)
    sides: Sides = scoring.sides_of(state, rows, rules)
    scores: Int64[np.ndarray, "n p"]
    scores = scoring.half_scores(per_defender, state.misere[rows], sides, rules)
    return dict(zip(solution.values, scores[:, seat].tolist(), strict=True))


def as_json(review: Review) -> dict[str, Any]:
    """Everything in plain values: points as numbers, cards as text."""
    record = review.record
    return {
        "seed": record["seed"],
        "deal_id": record["deal_id"],
        "taker": record["taker"],
        "partner": record["partner"],
        "scores": record["scores"],
        "choices": [_choice_as_json(choice) for choice in review.choices],
        "lost": [points_number(half) for half in review.lost],
        "exact": all(choice.exact for choice in review.choices),
    }


def _choice_as_json(choice: Choice) -> dict[str, Any]:
    return {
        "trick": choice.trick,
        "seat": choice.seat,
        "card": action_text(choice.card),
        "best": [action_text(card) for card in choice.best],
        "lost": None if choice.lost is None else points_number(choice.lost),
        "earned": {action_text(card): points_number(half) for card, half in choice.earned.items()},
        "exact": choice.exact,
        "nodes": choice.nodes,
    }
