"""Runs tables with agents in the seats, and keeps count of what each agent does."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import cast

import numpy as np
from jaxtyping import Int, Integer, UInt64

from agents.base import Agent, AnyAgent, CheatingAgent, cheats
from tarot_env.cards import cardsets
from tarot_env.cards.actions import NUM_ACTIONS
from tarot_env.errors import TarotError
from tarot_env.tables import Tables, Turn
from tarot_env.tables.agent import checked_answer


@dataclass
class Player:
    """An agent at the table with its generator, and the count of what it did."""

    agent: AnyAgent
    rng: np.random.Generator
    decisions: int = 0
    illegal: int = 0
    failed: int = 0
    seconds: float = 0.0
    errors: list[str] = field(default_factory=list)
    """The first error of each kind."""


def choose(
    player: Player,
    tables: Tables,
    rows: Int[np.ndarray, " n"],
    fallback: np.random.Generator,
    *,
    strict: bool = True,
) -> Int[np.ndarray, " n"]:
    """The player's actions at some tables, each checked to be legal.

    Args:
        player: who is asked; its counts go up.
        tables: it is told what the seat to act knows; an agent that cheats, everything.
        rows: tables whose deals go on.
        fallback: draws a random legal action where the player gives none.
        strict: raise what goes wrong instead of counting it and playing on at random.

    Raises:
        TarotError: under `strict`, an answer that is not a legal action for each row.
    """
    legal = tables.legal_sets()[rows]
    question = tables.take(rows) if cheats(player.agent) else tables.turn(rows)
    start = time.perf_counter()
    actions = _ask(player, question, legal, strict)
    player.seconds += time.perf_counter() - start
    player.decisions += len(rows)
    if (actions < 0).any():
        actions = np.where(actions < 0, cardsets.random_member(legal, fallback), actions)
    return actions


def _ask(
    player: Player, question: Turn | Tables, legal: UInt64[np.ndarray, "n 2"], strict: bool
) -> Int[np.ndarray, " n"]:
    """What the agent answers, -1 where it fails or answers what is not legal.

    An agent that fails on a batch is asked again row by row, so that one bad row costs no other.
    """
    name, n = player.agent.name, len(legal)
    try:
        actions = checked_answer(name, _answer(player, question), n)
    except (Exception, SystemExit) as error:
        if strict and isinstance(error, SystemExit):
            raise TarotError(f"agent {name!r} called for an exit") from error
        if strict:
            raise
        if n > 1:
            rows = [np.array([row]) for row in range(n)]
            return np.concatenate([_ask(player, question.take(r), legal[r], strict) for r in rows])
        _note(player, f"{type(error).__name__}: {error}")
        player.failed += 1
        return np.full(1, -1)
    in_range = (actions >= 0) & (actions < NUM_ACTIONS)
    good = cardsets.contains(legal, np.where(in_range, actions, -1))
    if not good.all():
        wrong = int(actions[~good][0])
        message = f"agent {name!r} answered {wrong}, which is not legal"
        if strict:
            raise TarotError(message)
        _note(player, message)
        player.illegal += int((~good).sum())
    return np.where(good, actions, -1)


def _answer(player: Player, question: Turn | Tables) -> object:
    """What the agent says, unchecked; tables are copied for it, so that it can be asked again."""
    if isinstance(question, Tables):
        agent = cast(CheatingAgent, player.agent)
        return agent.act_on(question.copy(), np.arange(question.num_tables), player.rng)
    return cast(Agent, player.agent).act(question, player.rng)


def _note(player: Player, message: str) -> None:
    if message not in player.errors and len(player.errors) < 10:
        player.errors.append(message)


def step_players(
    tables: Tables,
    players: Sequence[Player],
    lineup: Integer[np.ndarray, "b p"],
    fallback: np.random.Generator,
    *,
    strict: bool = True,
) -> None:
    """Lets the seat to act at every live table make one decision, each player in one batch.

    Args:
        tables: tables, some live.
        players: who plays.
        lineup: index into `players` of each seat at each table.
        fallback: see `choose`.
        strict: see `choose`.
    """
    live = np.flatnonzero(~tables.is_over)
    acting = lineup[live, tables.seat_to_act[live]]
    actions = np.full(tables.num_tables, -1)
    for index, player in enumerate(players):
        rows = live[acting == index]
        if len(rows):
            actions[rows] = choose(player, tables, rows, fallback, strict=strict)
    tables.step(actions)


def play_out(
    tables: Tables,
    players: Sequence[Player],
    lineup: Integer[np.ndarray, "b p"],
    fallback: np.random.Generator,
    *,
    strict: bool = True,
    after_step: Callable[[Tables], None] | None = None,
) -> None:
    """Plays until every table is over; arguments as for `step_players`."""
    while not tables.is_over.all():
        step_players(tables, players, lineup, fallback, strict=strict)
        if after_step is not None:
            after_step(tables)
