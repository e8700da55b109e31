"""What an agent is, `Agent` or `CheatingAgent`, what it may tell, and a simple one, `RowAgent`."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable

import numpy as np
from jaxtyping import Int

from tarot_env.tables import Agent, AnyAgent, CheatingAgent, Tables, Turn
from tarot_env.tables.agent import cheats, check_fair, check_game, marked

__all__ = [
    "Agent",
    "AnyAgent",
    "CheatingAgent",
    "Expectation",
    "ExplainingAgent",
    "ExplainingCheatingAgent",
    "RowAgent",
    "cheats",
    "check_fair",
    "check_game",
    "marked",
]


@dataclass(frozen=True)
class Expectation:
    """What an agent expects of an answer: points of the deal for its seat."""

    action: int
    mean: float
    """nan for the only answer, which needs no weighing."""
    low: float
    """Lower end of the 95 % interval of the mean; nan if it is not known."""
    high: float
    deals: int = 0
    """Imagined deals that it was played on in; 0 if there were none."""
    ecart: tuple[int, ...] = ()
    """The cards that are to be set aside, this one among them, where that is the question."""
    alike: tuple[int, ...] = ()
    """The cards that are worth the same whatever happens, this one too, where one is played."""


@runtime_checkable
class ExplainingAgent(Protocol):
    """An agent that can say why."""

    name: str

    def explain(self, turn: Turn, rng: np.random.Generator) -> list[list[Expectation]]:
        """For each row what was weighed, the agent's choice first."""
        ...


@runtime_checkable
class ExplainingCheatingAgent(Protocol):
    """An agent that sees all hands and can say why."""

    name: str
    cheats: Literal[True]

    def explain_on(
        self, tables: Tables, rows: Int[np.ndarray, " n"], rng: np.random.Generator
    ) -> list[list[Expectation]]:
        """For each of the named tables what was weighed, the agent's choice first."""
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
