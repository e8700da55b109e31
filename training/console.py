"""What commands show a person: progress on a terminal, tables."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Column, Table

from tarot_env.errors import counted
from training.config import EVALUATION_SEEDS_FROM

if TYPE_CHECKING:
    from training.standings import MatchResult, TournamentResult


def plain_console(**options: Any) -> Console:
    """A console of rich that shows texts as they are: no colons or brackets mean anything in them.

    Args:
        **options: as `rich.console.Console` takes them.
    """
    return Console(highlight=False, markup=False, emoji=False, **options)


@contextmanager
def progress_bar(what: str, total: int, *, shown: bool) -> Iterator[Callable[[int], None]]:
    """A bar on standard error; gives the function that moves it on.

    Args:
        what: a word for what is being done.
        total: steps until done.
        shown: nothing is shown if false, or where standard error is no terminal.
    """
    bar = Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=plain_console(stderr=True),
        disable=not (shown and sys.stderr is not None and sys.stderr.isatty()),
    )
    with bar:
        task = bar.add_task(what, total=total)
        yield lambda steps: bar.advance(task, steps)


def number(value: float | None, digits: int = 2) -> str:
    """A signed number, or a dash where it is not known."""
    return "–" if value is None else f"{value:+.{digits}f}"


def share(value: float | None) -> str:
    """A share in per cent, or a dash where it is not known."""
    return "–" if value is None else f"{100 * value:.1f} %"


def interval(ends: Sequence[float | None]) -> str:
    """The ends of an interval, `[-1.20, +3.40]`, or a dash where they are not known."""
    low, high = ends
    return "–" if low is None or high is None else f"[{number(low)}, {number(high)}]"


def plus_minus(mean: float, ends: tuple[float | None, float | None]) -> str:
    """A mean with half the width of its interval, `+25.12 ± 3.10`."""
    low, high = ends
    half = "–" if low is None or high is None else f"{(high - low) / 2:.2f}"
    return f"{number(mean)} ± {half}"


def milliseconds(microseconds: float) -> str:
    """A time per decision in milliseconds, fine enough for the fastest agents."""
    value = microseconds / 1000
    return f"{value:,.1f}" if value >= 10 else f"{value:.4f}"


def print_tournament(result: "TournamentResult") -> None:
    """Prints the tables of a tournament and whatever a reader must know about it."""
    console = plain_console()
    if not console.is_terminal:
        console.width = 120
    console.print(_pairs_table(result), _agents_table(result))
    for note in notes(result):
        console.print(note)


def notes(result: "TournamentResult") -> list[str]:
    """What must be known to read a result: skipped deals, the seed, agents' errors."""
    number = result.pairs[0].deals
    played = counted(number, result.unit, "matches" if result.unit == "match" else "")
    lines = [
        f"{played} of seed {result.seed}, each in every seat; "
        f"intervals are 95 %, clustered by {result.unit}"
    ]
    if result.skipped:
        dealt = counted(result.deals or 0, "deal")
        lines.append(f"{result.skipped} of {dealt} skipped: petit sec")
    if result.force:
        lines.append(f"no auction: the best hand plays {result.force.replace('_', ' ')}")
    if not result.evaluation_seed:
        lines.append(
            f"not an evaluation seed: {result.seed} is below {EVALUATION_SEEDS_FROM}, "
            "where agents are trained and selected"
        )
    if result.unrated:
        lines.append(result.unrated)
    for agent in result.agents:
        lines += [f"{agent.agent}: {error}" for error in agent.errors]
    return lines


def _name(heading: str) -> Column:
    """A column of agents; long names are folded, never cut."""
    return Column(heading, overflow="fold")


def _pairs_table(result: "TournamentResult") -> Table:
    table = Table(_name("agent"), _name("alone among"), box=SIMPLE_HEAD)
    in_matches = result.unit == "match"
    parts = ("points per match", "wins") if in_matches else ("as taker", "as defender")
    for heading in ("points per deal", *parts, "takes", "makes"):
        table.add_column(heading, justify="right", no_wrap=True)
    for pair in sorted(result.pairs, key=lambda pair: -pair.ppd):
        roles = number(pair.as_taker.ppd), number(pair.as_defender.ppd)
        table.add_row(
            pair.a,
            pair.b,
            plus_minus(pair.ppd, pair.ci95),
            *(match_cells(pair.match) if in_matches else roles),
            share(pair.taken),
            share(pair.made),
        )
    return table


def match_cells(match: "MatchResult | None") -> tuple[str, ...]:
    """Points per match and share of wins, each with its interval; nothing without matches."""
    if match is None:
        return ()
    low, high = match.wins_ci95
    half = "–" if low is None or high is None else f"{50 * (high - low):.1f}"
    return plus_minus(match.points, match.ci95), f"{100 * match.wins:.1f} ± {half} %"


def _agents_table(result: "TournamentResult") -> Table:
    table = Table(_name("agent"), box=SIMPLE_HEAD)
    rated = any(agent.rating is not None for agent in result.agents)
    headings = ("decisions", "illegal", "failed", "ms per decision")
    for heading in ("rating", *headings) if rated else headings:
        table.add_column(heading, justify="right")
    for agent in sorted(result.agents, key=lambda agent: -(agent.rating or 0.0)):
        rating = (plus_minus(agent.rating or 0.0, agent.rating_ci95),) if rated else ()
        counts = (agent.decisions, agent.illegal, agent.failed)
        time = milliseconds(result.microseconds[agent.agent])
        table.add_row(agent.agent, *rating, *map(str, counts), time)
    return table
