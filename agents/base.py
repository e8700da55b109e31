"""What an agent is, `Agent` or `CheatingAgent`, and a simple way to make one, `RowAgent`."""

from collections.abc import Callable

import numpy as np
from jaxtyping import Int

from tarot_env.agent import Agent, AnyAgent, CheatingAgent, cheats, check_fair, marked
from tarot_env.turn import Turn

__all__ = [
    "Agent",
    "AnyAgent",
    "CheatingAgent",
    "RowAgent",
    "cheats",
    "check_fair",
    "marked",
]


class RowAgent:
    """An agent from a function on one row, for simple bots.

    Args:
        name: shown in tables.
        choose: called with a Turn of one row and a generator; returns an action id.
    """

    def __init__(self, name: str, choose: Callable[[Turn, np.random.Generator], int]) -> None:
        self.name = name
        self._choose = choose

    def act(self, turn: Turn, rng: np.random.Generator) -> Int[np.ndarray, " n"]:
        """Asks row by row."""
        rows = range(len(turn))
        return np.array([self._choose(turn.take(np.array([row])), rng) for row in rows], np.int64)
