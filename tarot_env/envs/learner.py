"""Tables at which one seat learns and agents play the others; what the Gymnasium adapters share."""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Int, Int64, Integer

from tarot_env import cardsets
from tarot_env.actions import NUM_ACTIONS
from tarot_env.agent import Agent, checked_answer
from tarot_env.dealing import Deal
from tarot_env.errors import IllegalAction, TarotError
from tarot_env.rules import Rules
from tarot_env.tables import Tables
from tarot_env.turn import Turn


class LearnerTables:
    """B tables that always wait for the learner's seat, or are over.

    Args:
        rules: what is played.
        num_tables: B.
        seat: the learner's.
        opponents: agents of the other seats, the first to the learner's right.
        redeal: deal anew where everybody passed. A deal thrown in for a petit sec asks the learner
            nothing and is always left behind.
        seed: of the deals; drawn from the system if None.
    """

    def __init__(
        self,
        rules: Rules,
        num_tables: int,
        *,
        seat: int,
        opponents: Sequence[Agent],
        redeal: bool,
        seed: int | None,
    ) -> None:
        self.tables = Tables(rules, num_tables, seed=seed)
        self._seat = seat
        self._opponents = opponents
        self._redeal = redeal
        self._is_halfway = False

    def check_ready(self) -> None:
        """Checks that the opponents have played up to the learner's question.

        Raises:
            TarotError: one of them failed before.
        """
        if self._is_halfway:
            raise TarotError("an opponent failed and the deal cannot go on: call reset()")

    def begin(self, rows: Int64[np.ndarray, " n"], rng: np.random.Generator) -> None:
        """Lets the opponents play up to the learner's first question, on freshly dealt tables."""
        while len(idle := rows[self.tables.is_over[rows]]):
            self.tables.reset(idle)
        self._advance(rows, rng)

    def deal_next(self, rows: Int64[np.ndarray, " n"], rng: np.random.Generator) -> None:
        """Deals the next deal of each named table."""
        self.tables.reset(rows)
        self.begin(rows, rng)

    def deal_given(self, deal: Deal, rng: np.random.Generator) -> None:
        """Puts a given deal on table 0; the deals to come stay as they are."""
        self.tables.set_deals(np.array([0]), [deal])
        self._advance(np.array([0]), rng, redeal=False)

    def step(
        self,
        rows: Int64[np.ndarray, " n"],
        actions: Integer[np.ndarray, " n"],
        rng: np.random.Generator,
        *,
        redeal: bool = True,
    ) -> None:
        """Plays the learner's actions, then the opponents up to its next question.

        Raises:
            IllegalAction: an action of the learner that its table does not allow; nothing is
                changed.
            TarotError: an opponent failed or answered what is not legal, now or before.
        """
        self.check_ready()
        self.tables.step(actions, rows=rows)
        self._advance(rows, rng, redeal=redeal)

    def turn(self, rows: Int64[np.ndarray, " n"]) -> Turn:
        """What the learner knows."""
        return self.tables.turn(rows, np.full(len(rows), self._seat))

    def _advance(
        self, rows: Int64[np.ndarray, " n"], rng: np.random.Generator, *, redeal: bool = True
    ) -> None:
        tables = self.tables
        self._is_halfway = True
        while len(rows):
            if self._redeal and redeal:
                while len(idle := rows[tables.is_over[rows] & (tables.taker[rows] < 0)]):
                    tables.reset(idle)
            rows = rows[~tables.is_over[rows] & (tables.seat_to_act[rows] != self._seat)]
            if len(rows):
                self._play(rows, self._ask(rows, rng))
        self._is_halfway = False

    def _play(self, rows: Int64[np.ndarray, " n"], actions: Int[np.ndarray, " n"]) -> None:
        """Plays the opponents' actions; the error for one that is not legal names its agent."""
        try:
            self.tables.step(actions, rows=rows)
        except IllegalAction as error:
            in_range = (actions >= 0) & (actions < NUM_ACTIONS)
            legal = self.tables.legal_sets()[rows]
            allowed = cardsets.contains(legal, np.where(in_range, actions, -1))
            place = self._places(rows)[~allowed][0]
            name = _name(self._opponents[place])
            raise IllegalAction(f"opponent {name!r} answered {error}") from error

    def _places(self, rows: Int64[np.ndarray, " n"]) -> Int[np.ndarray, " n"]:
        """Index of the opponent to act at each table."""
        away = self.tables.seat_to_act[rows].astype(np.int64) - self._seat
        return away % self.tables.rules.players - 1

    def _ask(
        self, rows: Int64[np.ndarray, " n"], rng: np.random.Generator
    ) -> Int[np.ndarray, " n"]:
        """The opponents' actions, each agent asked once for all its tables."""
        place = self._places(rows)
        actions = np.full(len(rows), -1)
        for opponent in {id(each): each for each in self._opponents}.values():
            own = [at for at, other in enumerate(self._opponents) if other is opponent]
            here = np.isin(place, own)
            if here.any():
                name, turn = _name(opponent), self.tables.turn(rows[here])
                try:
                    answer = opponent.act(turn, rng)
                except (Exception, SystemExit) as error:
                    raise TarotError(
                        f"opponent {name!r} failed: {type(error).__name__}: {error}"
                    ) from error
                actions[here] = checked_answer(name, answer, int(here.sum()))
        return actions


def _name(agent: Agent) -> str:
    return str(getattr(agent, "name", type(agent).__name__))
