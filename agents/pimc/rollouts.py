"""Games played to the end from given tables: by a policy, the last tricks exactly if wanted."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float64, Int, Int64, UInt64

from agents.base import Agent
from agents.solver import SOLVED_GAMES, solve_rows
from tarot_env import cardsets, scoring
from tarot_env.actions import Phase
from tarot_env.tables import Tables


@dataclass(frozen=True)
class RollOuts:
    """How games are played to the end.

    Args:
        policy: plays all seats.
        endings: number of last tricks that are played exactly, all hands open; 0 for none.
    """

    policy: Agent
    endings: int = 0

    def scores(
        self,
        tables: Tables,
        actions: Int[np.ndarray, " n"],
        plans: UInt64[np.ndarray, "n 2"],
        seats: Int[np.ndarray, " n"],
        rng: np.random.Generator,
    ) -> Float64[np.ndarray, " n"]:
        """Points that the seats to act score if they begin with the given answers.

        Args:
            tables: are used up.
            actions: first answer at each table.
            plans: cards to be set aside, the first answer among them; else empty.
            seats: whose scores.
            rng: for the policy.
        """
        tables.step(actions)
        self._set_aside(tables, plans & ~cardsets.BIT[actions])
        scores = np.zeros(tables.num_tables)
        live = np.arange(tables.num_tables)
        while True:
            over = tables.is_over[live]
            done = live[over]
            scores[done] = tables.scores[done, seats[done]]
            live = self._without_endings(tables, live[~over], seats, scores)
            if not len(live):
                return scores
            tables.step(self.policy.act(tables.turn(live), rng), rows=live)

    def _set_aside(self, tables: Tables, left: UInt64[np.ndarray, "n 2"]) -> None:
        """Carries out the rest of each plan."""
        while len(rows := np.flatnonzero(~cardsets.is_empty(left))):
            cards = cardsets.lowest(left[rows])
            tables.step(cards, rows=rows)
            left[rows] &= ~cardsets.BIT[cards]

    def _without_endings(
        self,
        tables: Tables,
        live: Int64[np.ndarray, " m"],
        seats: Int[np.ndarray, " n"],
        scores: Float64[np.ndarray, " n"],
    ) -> Int64[np.ndarray, " k"]:
        """Solves the tables that have come to their last tricks, and names those that have not."""
        state, rules = tables.state, tables.rules
        if not self.endings or rules.game_name not in SOLVED_GAMES:
            return live
        late = state.trick_number[live] >= rules.tricks - self.endings
        late &= state.phase[live] == Phase.PLAY
        done = live[late]
        if len(done):
            per_defender = solve_rows(tables, done).value
            sides = scoring.sides_of(state, done, rules)
            paid = scoring.half_scores(per_defender, state.misere[done], sides, rules)
            scores[done] = paid[np.arange(len(done)), seats[done]] / 2
        return live[~late]
