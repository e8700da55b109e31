"""What commands show a person: progress on a terminal, tables."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar
from rich.table import Column, Table

from training.formatting import milliseconds, number, plus_minus, share
from training.progress import Progress, silent
from training.tournament.results import match_cells, notes

if TYPE_CHECKING:
    from training.tournament.results import TournamentResult


def plain_console(**options: Any) -> Console:
    """A console of rich that shows texts as they are: no colons or brackets mean anything in them.

    Args:
        **options: as `rich.console.Console` takes them.
    """
    return Console(highlight=False, markup=False, emoji=False, **options)


def progress_if(shown: bool) -> Progress:
    """Bars, or nothing."""
    return progress_bar if shown else silent


@contextmanager
def progress_bar(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """A bar on standard error, where that is a terminal."""
    bar = Bar(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=plain_console(stderr=True),
        disable=not (sys.stderr is not None and sys.stderr.isatty()),
    )
    with bar:
        task = bar.add_task(what, total=total)
        yield lambda steps: bar.advance(task, steps)


def print_tournament(result: "TournamentResult") -> None:
    """Prints the tables of a tournament and whatever a reader must know about it."""
    console = plain_console()
    if not console.is_terminal:
        console.width = 120
    console.print(_pairs_table(result), _agents_table(result))
    for note in notes(result):
        console.print(note)


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
