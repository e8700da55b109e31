"""Tables at which one seat learns and agents play the others; what the Gymnasium adapters share."""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Int, Int64, Integer

from tarot_env.agent import Agent, checked_answer
from tarot_env.dealing import Deal
from tarot_env.errors import InvalidDeal
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
        """Puts a given deal on table 0; the deals to come stay as they are.

        Raises:
            InvalidDeal: it is thrown in for a petit sec, so that the learner is asked nothing.
        """
        probe = Tables.from_deals(self.tables.rules, [deal])
        if probe.is_over[0]:
            raise InvalidDeal("deal: a petit sec; it is thrown in before anybody can act")
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
                changed. Or one of an opponent.
        """
        self.tables.step(actions, rows=rows)
        self._advance(rows, rng, redeal=redeal)

    def turn(self, rows: Int64[np.ndarray, " n"]) -> Turn:
        """What the learner knows."""
        return self.tables.turn(rows, np.full(len(rows), self._seat))

    def _advance(
        self, rows: Int64[np.ndarray, " n"], rng: np.random.Generator, *, redeal: bool = True
    ) -> None:
        tables = self.tables
        while len(rows):
            if self._redeal and redeal:
                while len(idle := rows[tables.is_over[rows] & (tables.taker[rows] < 0)]):
                    tables.reset(idle)
            rows = rows[~tables.is_over[rows] & (tables.seat_to_act[rows] != self._seat)]
            if len(rows):
                tables.step(self._ask(rows, rng), rows=rows)

    def _ask(
        self, rows: Int64[np.ndarray, " n"], rng: np.random.Generator
    ) -> Int[np.ndarray, " n"]:
        """The opponents' actions, each agent asked once for all its tables."""
        players = self.tables.rules.players
        place = (self.tables.seat_to_act[rows] - self._seat) % players - 1
        actions = np.full(len(rows), -1)
        for opponent in {id(each): each for each in self._opponents}.values():
            own = [at for at, other in enumerate(self._opponents) if other is opponent]
            here = np.isin(place, own)
            if here.any():
                answer = opponent.act(self.tables.turn(rows[here]), rng)
                name = getattr(opponent, "name", type(opponent).__name__)
                actions[here] = checked_answer(name, answer, int(here.sum()))
        return actions
