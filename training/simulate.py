"""Plays deals with agents and writes them down as records, one line each."""

from collections.abc import Sequence
from pathlib import Path
from typing import IO

import numpy as np

from agents.base import Agent
from agents.play import Player, play_out
from agents.registry import make_agent
from tarot_env import records
from tarot_env.dealing import check_seed
from tarot_env.errors import TarotError
from tarot_env.rules import Rules
from tarot_env.tables import Tables
from training.config import MAX_DEALS, check_number
from training.console import progress_bar
from training.games import generator, one_torch_thread
from training.store import write_atomically

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
    progress: bool = False,
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
        progress: show a bar.

    Raises:
        TarotError: unknown agents, a wrong number of them, or one that fails while it plays;
            a number out of range, or a path where no file can be.
    """
    rules = rules or Rules.preset()
    if len(agents) not in (1, rules.players):
        raise TarotError(f"{len(agents)} agents; name one for all seats or {rules.players}")
    check_number("deals", deals, 1, MAX_DEALS)
    check_seed(seed)
    seats = list(agents) * (rules.players // len(agents))
    made = {text: make_agent(text) for text in seats}

    def write(file: IO[bytes]) -> None:
        with progress_bar("deals", deals, shown=progress) as advance, one_torch_thread():
            for first in range(0, deals, BLOCK_DEALS):
                size = min(BLOCK_DEALS, deals - first)
                tables = Tables(rules, size, seed, first)
                _write_block(file, tables, seats, made, legal=legal)
                advance(size)

    write_atomically(Path(out), write)


def _write_block(
    file: IO[bytes], tables: Tables, seats: list[str], agents: dict[str, Agent], *, legal: bool
) -> None:
    """Plays the tables out and writes their records."""
    block = int(tables.state.deal_id[0])
    texts = list(agents)
    players = [
        Player(agents[text], generator(tables.seed, "simulate", block, text)) for text in texts
    ]
    lineup = np.tile([texts.index(text) for text in seats], (tables.num_tables, 1))
    fallback = generator(tables.seed, "simulate", block, "fallback")
    allowed = [tables.legal_sets()]

    def watch(after: Tables) -> None:
        allowed.append(after.legal_sets())

    play_out(tables, players, lineup, fallback, strict=False, after_step=watch)
    for player in players:
        if player.errors:
            raise TarotError(f"agent {player.agent.name!r} failed: {player.errors[0]}")
    by_step = np.stack(allowed)
    for row in range(tables.num_tables):
        # a table makes one action in each step until it is over
        sets = by_step[: tables.state.log_size[row], row] if legal else None
        file.write((records.to_line(records.record(tables, row, sets)) + "\n").encode())
