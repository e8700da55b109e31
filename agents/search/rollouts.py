"""Games played on from given tables: each begins with one answer and is then played by a policy."""

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from jaxtyping import Float64, Int64, UInt64

from agents.base import Agent
from tarot_env.cards import cardsets
from tarot_env.tables import Tables


@runtime_checkable
class PlaysOn(Protocol):
    """An agent that can play tables on by itself, in one compiled loop."""

    def play_on(self, tables: Tables, rows: Int64[np.ndarray, " n"]) -> None:
        """Plays for all seats at the named tables, as `act` would; may stop at any question."""
        ...


@dataclass(frozen=True)
class Games:
    """N games that are about to be played on, each from a table of its own."""

    tables: Tables
    action: Int64[np.ndarray, " n"]  # the first answer
    plan: UInt64[np.ndarray, "n 2"]  # cards to be set aside, the first answer among them
    seat: Int64[np.ndarray, " n"]  # who gives it, and whose score counts


def roll_out(games: Games, policy: Agent, rng: np.random.Generator) -> Float64[np.ndarray, " n"]:
    """Points that the seats score where the policy plays all that follows."""
    tables = games.tables
    answer(games)
    live = np.arange(len(games.seat))
    while len(live := live[~tables.is_over[live]]):
        if isinstance(policy, PlaysOn):
            policy.play_on(tables, live)
            live = live[~tables.is_over[live]]
        tables.step(policy.act(tables.turn(live), rng), rows=live)
    return scores_of(games)


def answer(games: Games) -> None:
    """Gives the first answers; where it is an écart, the whole plan."""
    tables, left = games.tables, games.plan & ~cardsets.BIT[games.action]
    tables.step(games.action)
    while len(rows := np.flatnonzero(~cardsets.is_empty(left))):
        cards = cardsets.lowest(left[rows])
        tables.step(cards, rows=rows)
        left[rows] &= ~cardsets.BIT[cards]


def scores_of(games: Games) -> Float64[np.ndarray, " n"]:
    """What the seats have scored; 0 where the deal is not over."""
    return games.tables.scores[np.arange(len(games.seat)), games.seat]
