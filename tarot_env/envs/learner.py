"""Tables at which one seat learns and agents play the others; what the Gymnasium adapters share."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from gymnasium.error import ResetNeeded
from jaxtyping import Float64, Int, Int64, Integer, UInt8

from tarot_env.cards import cardsets
from tarot_env.cards.actions import NUM_ACTIONS
from tarot_env.core.arguments import check_flags, parse_seat
from tarot_env.core.dealing import Deal
from tarot_env.envs.arguments import parse_opponents, parse_rules
from tarot_env.errors import IllegalAction, TarotError
from tarot_env.observation import observation_layout
from tarot_env.rules import Rules
from tarot_env.tables import Agent, Match, Tables, match_length
from tarot_env.tables.agent import checked_answer
from tarot_env.tables.match import MATCH_STRIDE


@dataclass(frozen=True)
class Learner:
    """Who learns, where, against whom, and what an episode is."""

    rules: Rules
    seat: int
    opponents: Sequence[Agent]
    """Agents of the other seats, the first to the learner's right."""
    redeal: bool
    """Deal anew where everybody passed."""
    deals: int | None
    """Deals in an episode; None for what the rules say, or else one."""

    @classmethod
    def parse(
        cls,
        rules: Any,
        players: int | None,
        game: str | None,
        options: Mapping[str, object],
        environment: Callable[..., object],
        *,
        seat: Any,
        opponents: Any,
        redeal: Any,
        deals: Any,
    ) -> "Learner":
        """What the arguments of an environment say.

        Raises:
            InvalidRules: arguments that name no game, no seat or no match, or opponents that are no
                agents.
        """
        parsed = parse_rules(rules, players, game, options, environment)
        check_flags(redeal=redeal)
        return cls(
            parsed, parse_seat(seat, parsed), parse_opponents(opponents, parsed), redeal, deals
        )


class LearnerTables:
    """B tables that always wait for the learner's seat, or where its episode has ended.

    An episode is one deal or, by `deals` or the rules, a match. A deal that is not played is dealt
    again; in a match by its rules, else it is the table's next one. Where the dealer sits out, the
    deals that the learner would deal are left out: there would be nothing for it to do.

    Table b plays deals b, b + B, b + 2B, ..; with a dealer who sits out B + 1 stands for a B that 5
    divides, so that every seat deals at every table. In matches deals follow one another, and those
    of table b begin at id `b * (2**40 + 1)`.

    Args:
        learner: who learns.
        num_tables: B.
    """

    def __init__(self, learner: Learner, num_tables: int) -> None:
        rules = learner.rules
        self.layout = observation_layout(rules)
        self.rows = np.arange(num_tables)
        self.ended = np.zeros(num_tables, bool)
        """Where the episode has ended."""
        self.paid = np.zeros(num_tables, bool)
        """Where a deal has ended in the last step."""
        self.scores: Float64[np.ndarray, "b p"] = np.zeros((num_tables, rules.players))
        """Its points, else 0."""
        self.totals: Float64[np.ndarray, "b p"] = np.zeros((num_tables, rules.players))
        """Points in the episode so far."""
        self._learner = learner
        self._tables = Tables(rules, 0, seed=0)
        self._is_halfway = False
        self._is_given = False
        self._stride = num_tables
        if rules.dead_hand and num_tables % rules.players == 0:
            self._stride += 1
        self.plays_matches = not match_length(rules, learner.deals).is_one_deal
        self._new_match = partial(
            Match, rules, deals=learner.deals, redeal=learner.redeal, left_out=learner.seat
        )
        self._matches: dict[int, Match] = {}
        if self.plays_matches:
            self._new_match()  # refuses rules that make no match

    @property
    def tables(self) -> Tables:
        """The tables, the opponents having played up to the learner's question.

        Raises:
            ResetNeeded: there are none yet.
            TarotError: an opponent failed before.
        """
        if not self._tables.num_tables:
            raise ResetNeeded("call reset() first: there is no table yet")
        if self._is_halfway:
            raise TarotError("an opponent failed and the deal cannot go on: call reset()")
        return self._tables

    # -- episodes

    def series(self, seed: int | None) -> Tables:
        """The tables that a reset deals on: those in use; new ones for a seed, and at first."""
        if self._tables.num_tables and seed is None:
            return self._tables
        tables = Tables(self._learner.rules, len(self.rows), seed=seed)
        tables.next_ids = self.rows * (MATCH_STRIDE if self.plays_matches else 1)
        return tables

    def next_ids(self, tables: Tables, rows: Int64[np.ndarray, " n"]) -> Int64[np.ndarray, " n"]:
        """The next deal of each named table in which the learner plays."""
        rules, ids = self._learner.rules, tables.next_ids[rows]
        sits_out = (ids % rules.players == self._learner.seat) & rules.dead_hand
        return ids + sits_out * self._stride

    def begin_all(self, tables: Tables, rng: np.random.Generator, deal: Deal | None = None) -> None:
        """Begins an episode at every table of a series, or plays a given deal on the only one."""
        self._tables = tables
        if deal is None:
            self.begin(self.rows, rng)
            return
        self._is_given = True
        tables.set_deals(self.rows, [deal])
        self._clear(self.rows)
        self._advance(self.rows, rng)

    def begin(self, rows: Int64[np.ndarray, " n"], rng: np.random.Generator) -> None:
        """Begins an episode at each named table, up to the learner's first question.

        An episode that ends before it is left behind: everybody there passed, or a deal was thrown
        in.
        """
        self._is_given = False
        while len(rows):
            self._clear(rows)
            if self.plays_matches:
                self._begin_matches(rows)
            else:
                self._deal(rows)
            self._advance(rows, rng)
            rows = rows[self.ended[rows]]

    def _clear(self, rows: Int64[np.ndarray, " n"]) -> None:
        self.ended[rows] = False
        self.paid[rows] = False
        self.scores[rows] = 0
        self.totals[rows] = 0

    def _begin_matches(self, rows: Int64[np.ndarray, " n"]) -> None:
        tables = self._tables
        for row in rows.tolist():
            match = self._new_match(tables.seed, int(tables.next_ids[row]))
            match.deal_to(tables, row)
            self._matches[row] = match

    def _deal(self, rows: Int64[np.ndarray, " n"]) -> None:
        tables = self._tables
        ids = self.next_ids(tables, rows)
        tables.reset(rows, ids)
        tables.next_ids[rows] = ids + self._stride

    def _finish(self, rows: Int64[np.ndarray, " n"]) -> None:
        """Pays deals that are over, deals anew where nobody played, or ends the episode."""
        tables = self._tables
        if self.plays_matches and not self._is_given:
            for row in rows.tolist():
                self._finish_in_match(row)
            return
        again = (tables.taker[rows] < 0) & (self._learner.redeal and not self._is_given)
        if again.any():
            self._deal(rows[again])
        done = rows[~again]
        self.ended[done] = True
        self._pay(done)

    def _finish_in_match(self, row: int) -> None:
        match = self._matches[row]
        if match.note(self._tables, row):
            self._pay(np.array([row]))
        self.ended[row] = match.is_over
        if not match.is_over:
            match.deal_to(self._tables, row)

    def _pay(self, rows: Int64[np.ndarray, " n"]) -> None:
        scores = self._tables.columns.half_scores[rows] / 2.0
        self.paid[rows] = True
        self.scores[rows] += scores
        self.totals[rows] += scores

    # -- steps

    def step(
        self,
        rows: Int64[np.ndarray, " n"],
        actions: Integer[np.ndarray, " n"],
        rng: np.random.Generator,
    ) -> None:
        """Plays the learner's actions, then the opponents up to its next question.

        Raises:
            IllegalAction: an action of the learner that its table does not allow; nothing is
                changed.
            TarotError: an opponent failed or answered what is not legal, now or before.
        """
        self.tables.step(actions, rows=rows)
        self.paid[rows] = False
        self.scores[rows] = 0
        self._advance(rows, rng)

    def observations(self) -> UInt8[np.ndarray, "b d"]:
        """What the learner knows at each table."""
        seats = np.full(len(self.rows), self._learner.seat)
        return self.layout.encode(self.tables.turn(self.rows, seats))

    def _advance(self, rows: Int64[np.ndarray, " n"], rng: np.random.Generator) -> None:
        tables, seat = self._tables, self._learner.seat
        self._is_halfway = True
        while len(rows):
            while len(over := rows[tables.is_over[rows] & ~self.ended[rows]]):
                self._finish(over)
            rows = rows[~self.ended[rows] & (tables.seat_to_act[rows] != seat)]
            if len(rows):
                self._play(rows, self._ask(rows, rng))
        self._is_halfway = False

    def _play(self, rows: Int64[np.ndarray, " n"], actions: Int[np.ndarray, " n"]) -> None:
        """Plays the opponents' actions; the error for one that is not legal names its agent."""
        try:
            self._tables.step(actions, rows=rows)
        except IllegalAction as error:
            in_range = (actions >= 0) & (actions < NUM_ACTIONS)
            legal = self._tables.legal_sets()[rows]
            allowed = cardsets.contains(legal, np.where(in_range, actions, -1))
            place = self._places(rows)[~allowed][0]
            name = _name(self._learner.opponents[place])
            raise IllegalAction(f"opponent {name!r} answered {error}") from error

    def _places(self, rows: Int64[np.ndarray, " n"]) -> Int[np.ndarray, " n"]:
        """Index of the opponent to act at each table."""
        away = self._tables.seat_to_act[rows].astype(np.int64) - self._learner.seat
        return away % self._tables.rules.players - 1

    def _ask(
        self, rows: Int64[np.ndarray, " n"], rng: np.random.Generator
    ) -> Int[np.ndarray, " n"]:
        """The opponents' actions, each agent asked once for all its tables."""
        place = self._places(rows)
        actions = np.full(len(rows), -1)
        for opponent in {id(each): each for each in self._learner.opponents}.values():
            own = [at for at, other in enumerate(self._learner.opponents) if other is opponent]
            here = np.isin(place, own)
            if here.any():
                name, turn = _name(opponent), self._tables.turn(rows[here])
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
