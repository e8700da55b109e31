"""Plays deals with agents and writes them down as records, one line each."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import numpy as np
from jaxtyping import UInt64

from agents.base import AnyAgent, marked
from agents.play import Player, play_out
from agents.registry import make_agent
from tarot_env import records
from tarot_env.core.dealing import check_seed
from tarot_env.errors import TarotError
from tarot_env.rules import Rules
from tarot_env.tables import Match, Tables
from training.files import write_atomically
from training.limits import MAX_DEALS, MAX_MATCHES, check_number
from training.progress import Progress, silent
from training.tournament.duplicate import generator, one_torch_thread, rounds_of, series

BLOCK_DEALS = 256
"""Deals played side by side; what agents draw depends on it, so it is never an option."""


def simulate(
    agents: Sequence[str],
    *,
    deals: int,
    seed: int,
    out: str | Path,
    rules: Rules | None = None,
    legal: bool = False,
    progress: Progress = silent,
) -> None:
    """Writes exactly `deals` records, deal ids from 0; the file appears whole or not at all.

    Passed-out and petit-sec deals are records too.

    Args:
        agents: one text for all seats, or one for each seat.
        deals: how many.
        seed: of the deals and of whatever agents draw.
        out: file to write, JSON Lines.
        rules: default: fft with four.
        legal: write the legal actions beside each action.
        progress: shows how far it is.

    Raises:
        TarotError: unknown agents, a wrong number of them, or one that fails while it plays;
            a number out of range, or a path where no file can be.
    """
    rules = rules or Rules.preset()
    check_number("deals", deals, 1, MAX_DEALS)
    check_seed(seed)
    seating = _Seating.of(agents, rules)

    def write(file: IO[bytes]) -> None:
        with progress("deals", deals) as advance, one_torch_thread():
            for first in range(0, deals, BLOCK_DEALS):
                size = min(BLOCK_DEALS, deals - first)
                tables = Tables(rules, size, seed, first)
                sets = seating.play(tables, first)
                for row in range(size):
                    file.write(_line(tables, row, sets if legal else None))
                advance(size)

    write_atomically(Path(out), write)


def simulate_matches(
    agents: Sequence[str],
    *,
    matches: int,
    seed: int,
    out: str | Path,
    rules: Rules | None = None,
    deals: int | None = None,
    legal: bool = False,
    progress: Progress = silent,
) -> list[Match]:
    """Plays matches, writes the records of each one's deals in order, and returns them finished.

    Args:
        matches: how many; the first deal of match m has id m * `match.MATCH_STRIDE`.
        deals: deals of each match, whatever the rules say.

    The others, and what is raised, are as for `simulate`.
    """
    rules = rules or Rules.preset()
    check_number("matches", matches, 1, MAX_MATCHES)
    check_seed(seed)
    seating = _Seating.of(agents, rules)
    played = series(rules, seed, range(matches), deals)

    def write(file: IO[bytes]) -> None:
        with progress("matches", matches) as advance, one_torch_thread():
            for first in range(0, matches, BLOCK_DEALS):
                block = played[first : first + BLOCK_DEALS]
                file.writelines(_block_of_matches(block, seating, first, legal=legal))
                advance(len(block))

    write_atomically(Path(out), write)
    return played


def _block_of_matches(
    block: Sequence[Match], seating: "_Seating", first: int, *, legal: bool
) -> list[bytes]:
    """Plays matches side by side; the records of each, one match after the other."""
    lines: list[list[bytes]] = [[] for _ in block]
    tables = Tables(block[0].rules, len(block), block[0].seed)
    for number, dealt in enumerate(rounds_of(block, tables)):
        sets = seating.play(tables, first, number)
        for row in np.flatnonzero(dealt).tolist():
            lines[row].append(_line(tables, row, sets if legal else None))
    return [line for of_match in lines for line in of_match]


@dataclass(frozen=True)
class _Seating:
    """Who sits where: the agents by text, and the text of each seat."""

    agents: dict[str, AnyAgent]
    seats: list[str]

    @classmethod
    def of(cls, agents: Sequence[str], rules: Rules) -> "_Seating":
        """One agent for all seats, or one for each."""
        if len(agents) not in (1, rules.players):
            raise TarotError(f"{len(agents)} agents; name one for all seats or {rules.players}")
        seats = list(agents) * (rules.players // len(agents))
        return cls({text: make_agent(text, rules) for text in seats}, seats)

    def play(self, tables: Tables, *names: int) -> UInt64[np.ndarray, "k b 2"]:
        """Plays the tables out; the legal sets of each step, for which nobody is left behind.

        Args:
            tables: freshly dealt, or over.
            names: whatever makes the generators of these tables their own.
        """
        texts = list(self.agents)
        players = [
            Player(self.agents[text], generator(tables.seed, "simulate", *names, text))
            for text in texts
        ]
        lineup = np.tile([texts.index(text) for text in self.seats], (tables.num_tables, 1))
        fallback = generator(tables.seed, "simulate", *names, "fallback")
        allowed = [tables.legal_sets()]

        def watch(after: Tables) -> None:
            allowed.append(after.legal_sets())

        play_out(tables, players, lineup, fallback, strict=False, after_step=watch)
        for player in players:
            if player.errors:
                name = marked(player.agent.name, player.agent)
                raise TarotError(f"agent {name!r} failed: {player.errors[0]}")
        return np.stack(allowed)


def _line(tables: Tables, row: int, sets: UInt64[np.ndarray, "k b 2"] | None) -> bytes:
    """The record of a table, which makes one action in each step until it is over."""
    own = None if sets is None else sets[: tables.columns.log_size[row], row]
    return (records.to_line(records.record(tables, row, own)) + "\n").encode()
