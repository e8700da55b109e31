"""`oracle`: a yardstick that sees all hands. How much there is to win by knowing the cards.

It plays each answer worth trying to the end on the table as it is, the heuristic in all seats, and
takes the one that scores best.
"""

from typing import Literal

import numpy as np
from jaxtyping import Float64, Int

from agents.base import Expectation
from agents.heuristic import HeuristicAgent
from agents.search.candidates import Candidates, best, candidates_of, expectations
from agents.search.rollouts import Games, roll_out
from tarot_env.tables import Tables

MOST_CANDIDATES = 12


class OracleAgent:
    """Looks into all hands; see the module."""

    name = "oracle"
    cheats: Literal[True] = True

    def __init__(self) -> None:
        self._policy = HeuristicAgent()

    def act_on(
        self, tables: Tables, rows: Int[np.ndarray, " n"], rng: np.random.Generator
    ) -> Int[np.ndarray, " n"]:
        """The best answer at each of the named tables."""
        return best(*self._tried(tables, rows, rng))

    def explain_on(
        self, tables: Tables, rows: Int[np.ndarray, " n"], rng: np.random.Generator
    ) -> list[list[Expectation]]:
        """For each of the named tables the answers, the best first, each with its one score."""
        found, scores = self._tried(tables, rows, rng)
        return expectations(found, scores, scores)

    def _tried(
        self, tables: Tables, rows: Int[np.ndarray, " n"], rng: np.random.Generator
    ) -> tuple[Candidates, Float64[np.ndarray, " m"]]:
        """The answers worth trying, and what each scores when it is played on from there."""
        turn = tables.turn(rows)
        found = candidates_of(turn, self._policy.act(turn, rng), MOST_CANDIDATES)
        played = tables.take(rows[found.row])
        seats = turn.seat[found.row].astype(np.int64)
        games = Games(played, found.action, found.plan, seats)
        return found, roll_out(games, self._policy, rng)
