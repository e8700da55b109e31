"""How analyses of records are shown."""

import io
from itertools import groupby
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.table import Table

from agents.base import AnyAgent
from tarot_env.cards.actions import parse_bid
from tarot_env.core.scoring import points_text, points_words
from tarot_env.errors import count_noun
from tarot_env.records.format import parse
from tarot_env.rules.labels import Letters, bid_label, card_label
from training.analysis.double_dummy import Choice, Review
from training.analysis.explanation import explained
from training.cli.terminal import plain_console
from training.progress import Progress, silent


def print_explained(
    record: dict[str, Any],
    agent: AnyAgent,
    *,
    seat: int | None = None,
    letters: Letters = "english",
    progress: Progress = silent,
) -> None:
    """Prints a record with what an agent expects, as `explained`; on a terminal with colours."""
    total = len(parse(record).actions)
    with progress("explaining", total) as done:
        lines = explained(record, agent, seat=seat, letters=letters, done=done)
    console = plain_console()
    for line in lines:
        console.print(line.text, style=line.style or None, soft_wrap=True)


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
    oudlers = count_noun(record["oudlers"], "oudler")
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
