"""What an agent is: something with a name that answers a `Turn` with actions.

Agents see a `Turn` and nothing else, work on batches, and draw randomness only from the generator
that whoever runs them hands in.
"""

from collections.abc import Callable
from typing import Protocol, runtime_checkable

import numpy as np
from jaxtyping import Int

from tarot_env.turn import Turn


@runtime_checkable
class Agent(Protocol):
    """Chooses actions for n turns at once; rows may belong to different tables and seats."""

    name: str

    def act(self, turn: Turn, rng: np.random.Generator) -> Int[np.ndarray, " n"]:
        """One legal action id for each row of `turn`."""
        ...


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
