"""A finished deal looked at again with open cards: what each card played could have earned.

Goes back to every card of the last tricks, solves the table as it was, and tells what each legal
card would have brought the seat that played, if from there on everybody had played the best.
"""

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from itertools import groupby
from typing import Any

import numpy as np
from jaxtyping import Int64
from rich.box import SIMPLE_HEAD
from rich.table import Table

from agents.search.solver import MAX_NODES, Solution, most_tricks, solve
from tarot_env.cards.actions import Phase, action_text, parse_bid
from tarot_env.core import scoring
from tarot_env.core.scoring import Sides, points_text, points_words
from tarot_env.errors import counted
from tarot_env.records import replay
from tarot_env.records.format import parse
from tarot_env.rules import Rules
from tarot_env.rules.labels import Letters, bid_label, card_label
from tarot_env.score_sheet import points_number
from tarot_env.tables import Tables
from training.cli.terminal import plain_console
from training.selfplay.config import check_number

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
        TarotError: another game, a number of tricks out of range, or numba is not installed.
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


@contextmanager
def compiling_told(*, shown: bool) -> Iterator[None]:
    """Says on standard error, once, that the search is being compiled, where it has to be.

    Args:
        shown: nothing is said if false.
    """
    if not shown or find_spec("numba") is None:
        yield
        return
    from numba.core import event

    class Told(event.Listener):
        """Hears of code that is compiled; what is found compiled on the disk is none."""

        said = False

        def on_start(self, event: object) -> None:
            if not self.said:
                print("compiling the search, for the first time only ..", file=sys.stderr)
                self.said = True

        def on_end(self, event: object) -> None:
            pass

    with event.install_listener("numba:compile", Told()):
        yield


def _moments(record: dict[str, Any]) -> dict[int, list[tuple[Tables, int]]]:
    """By trick: the table before each of its cards, and the card."""
    moments: dict[int, list[tuple[Tables, int]]] = {}
    for tables, _, action in replay(record):
        if action is not None and tables.phase[0] == Phase.PLAY:
            number = int(tables.state.trick_number[0])
            moments.setdefault(number, []).append((tables.copy(), action))
    return moments


def _choice(tables: Tables, card: int, max_nodes: int) -> Choice:
    solution = solve(tables, max_nodes=max_nodes)
    seat = int(tables.seat_to_act[0])
    return Choice(
        trick=int(tables.state.trick_number[0]) + 1,
        seat=seat,
        card=card,
        earned=_earned(tables, seat, solution),
        exact=solution.exact,
        nodes=solution.nodes,
    )


def _earned(tables: Tables, seat: int, solution: Solution) -> dict[int, int]:
    """The final score of a seat after each card, with misères, shares and rounding by rule."""
    state, rules = tables.state, tables.rules
    per_defender = np.array(list(solution.values.values()), np.int64)
    rows = np.zeros(len(per_defender), np.int64)
    sides: Sides = scoring.sides_of(state, rows, rules)
    scores: Int64[np.ndarray, "n p"]
    scores = scoring.half_scores(per_defender, state.misere[rows], sides, rules)
    return dict(zip(solution.values, scores[:, seat].tolist(), strict=True))


# -- for a person


def review_text(review: Review, letters: Letters = "english") -> str:
    """One line for each card played, and what each seat lost in all."""
    if not review.choices:
        return f"{_heading(review)}\n"
    console = plain_console(file=io.StringIO(), width=_WIDTH)
    with console.capture() as shown:
        console.print(_table(review, letters))
    lines = [line.rstrip() for line in shown.get().splitlines()]
    return "\n".join([_heading(review), *lines, _totals(review), ""])


_WIDTH = 120


def _heading(review: Review) -> str:
    """Which deal it is, and who played what."""
    record = review.record
    name = "A given deal"
    if record["deal_id"] is not None:
        name = f"Deal {record['deal_id']} of seed {record['seed']}"
    if record["taker"] is None:
        return f"{name}: nobody took, there is nothing to solve"
    beside = "" if record["partner"] is None else f" with seat {record['partner']}"
    bid = bid_label(parse_bid(record["bid"]))
    oudlers = counted(record["oudlers"], "oudler")
    made = f"{points_words(round(2 * record['points']))} with {oudlers}"
    return f"{name}: {bid} by seat {record['taker']}{beside}, {made}"


def _table(review: Review, letters: Letters) -> Table:
    table = Table("trick", "seat", "played", "best", box=SIMPLE_HEAD)
    table.add_column("lost", justify="right")
    table.add_column("score of the seat after each card, then best play")
    before = 0
    for choice in review.choices:
        table.add_row(
            str(choice.trick) if choice.trick != before else "",
            f"{choice.seat} {_role(review, choice.seat)}",
            card_label(choice.card, letters),
            _best(choice, letters),
            _points(choice.lost),
            _earned_text(choice, letters),
        )
        before = choice.trick
    return table


def _totals(review: Review) -> str:
    """What each seat lost in all."""
    lost = ", ".join(
        f"seat {seat} ({_role(review, seat)}) {points_text(half)}"
        for seat, half in enumerate(review.lost)
    )
    text = f"Points lost from trick {review.choices[0].trick} on: {lost}"
    unknown = sum(not choice.exact for choice in review.choices)
    if unknown:
        cards = "one card" if unknown == 1 else f"{unknown} cards"
        text += f"; without {cards} marked ?, where the search was stopped"
    return text


def _role(review: Review, seat: int) -> str:
    if seat == review.record["taker"]:
        return "taker"
    return "partner" if seat == review.record["partner"] else "defender"


def _best(choice: Choice, letters: Letters) -> str:
    if len(choice.earned) == 1 and choice.exact:
        return "only card"
    if len(choice.best) == len(choice.earned) and choice.exact:
        return "any"
    return " ".join(card_label(card, letters) for card in choice.best)


def _points(half: int | None) -> str:
    return "?" if half is None else points_text(half) if half else "–"


def _earned_text(choice: Choice, letters: Letters) -> str:
    """Scores from the best down, each with its cards."""
    falling = sorted(choice.earned.items(), key=lambda item: -item[1])
    parts = []
    for earned, group in groupby(falling, key=lambda item: item[1]):
        cards = " ".join(card_label(card, letters) for card, _ in group)
        parts.append(f"{'+' if earned > 0 else ''}{points_text(earned)}: {cards}")
    return ", ".join(parts)


# -- for a program


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
