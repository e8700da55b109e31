"""Collecting decisions: self-play tables, given contracts, past selves, one buffer.

Each table plays deals one after another. In some of them the contract is given: one seat bids what
was drawn for it and the others pass, since a policy that always passes never learns what a bid is
worth. A decision enters the buffer where a learning seat has at least two legal actions; the only
action of a forced move is played without asking the network. The decisions of a deal that is still
going on wait in the buffer until it is scored.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from typing import TypeVar

import numpy as np
from jaxtyping import Bool, Float32, Float64, Int, Int16, Int64, UInt8, UInt64

from agents.hand_strength import strongest_seats
from agents.neural.agent import draw, log_probabilities
from agents.neural.policy import Actor, Critic
from tarot_env.cards import cardsets
from tarot_env.cards.actions import PASS, Bid, Phase
from tarot_env.core.dealing import contracts
from tarot_env.core.scoring import Sides, deal_half_scores, multipliers
from tarot_env.core.seating import SEATINGS
from tarot_env.observation import observation_layout, side_half_points, state_layout
from tarot_env.rules import Rules
from tarot_env.tables import FullInformation, Tables, Turn
from tarot_env.tables.turn import unpermute_actions
from training.selfplay.config import CollectConfig
from training.selfplay.distributed import SINGLE_PROCESS, ProcessGroup
from training.selfplay.policy_pool import Pool

_Seen = TypeVar("_Seen", Turn, FullInformation)

_ODDS = {Bid.PETITE: 0.3, Bid.GARDE: 0.6, Bid.GARDE_SANS: 0.08, Bid.GARDE_CONTRE: 0.02}
"""How often each contract is given."""
_BEST_HAND_TAKES = 0.75
"""Share of them that goes to the best hand; the others to any seat."""


@dataclass
class Buffer:
    """Decisions in order of time; a struct of arrays."""

    observation: UInt8[np.ndarray, "n d"]
    state: UInt8[np.ndarray, "n s"]
    legal: UInt64[np.ndarray, "n 2"]
    action: Int16[np.ndarray, " n"]
    logprob: Float32[np.ndarray, " n"]
    phase: Int16[np.ndarray, " n"]
    attacks: Bool[np.ndarray, " n"]  # the seat is on the taker's side
    contract: Int16[np.ndarray, " n"]  # best bid so far
    given: Bool[np.ndarray, " n"]  # a bid that was drawn, not chosen
    lane: Int64[np.ndarray, " n"]  # table * P + seat
    step: Int64[np.ndarray, " n"]  # of the tables; rises
    interim: Float32[np.ndarray, " n"]  # see `interim_scores`
    reward: Float32[np.ndarray, " n"]
    last: Bool[np.ndarray, " n"]  # the seat's last decision of its deal

    @classmethod
    def empty(cls, capacity: int, rules: Rules) -> "Buffer":
        """Room for `capacity` decisions."""
        sizes = {"d": observation_layout(rules).size, "s": state_layout(rules).size}
        arrays = {}
        for f in fields(cls):
            axes = f.type.dim_str.split()[1:]  # type: ignore[union-attr]
            shape = (capacity, *(sizes.get(axis) or int(axis) for axis in axes))
            arrays[f.name] = np.zeros(shape, f.type.dtypes[0])  # type: ignore[union-attr]
        return cls(**arrays)

    def take(self, rows: Int64[np.ndarray, " m"]) -> "Buffer":
        """A copy of the named rows."""
        return Buffer(**{name: array[rows] for name, array in self.arrays().items()})

    def arrays(self) -> dict[str, np.ndarray]:
        """The arrays by name."""
        return {f.name: getattr(self, f.name) for f in fields(self)}


@dataclass(frozen=True)
class Collected:
    """What one collection brought."""

    buffer: Buffer
    rows: Int64[np.ndarray, " n"]  # decisions of finished deals, in order of time
    deals: int  # finished
    made: int  # contracts made in those with an auction of free bids
    taken: Int64[np.ndarray, "6"]  # those by contract, 0 for passed out


def interim_scores(turn: Turn) -> Float32[np.ndarray, " n"]:
    """What the points taken so far are worth to the viewer, in points of the score.

    Half the lead of its side, times the contract, and as many times that as it would be paid: what
    the margin would be if both sides shared the rest. The critic adds to this.
    """
    lead = side_half_points(turn) @ np.array([0.25, -0.25])
    multiplier = multipliers(turn.contract, turn.contra, turn.rules)
    return (lead * multiplier * _parts(turn)).astype(np.float32)


def _parts(turn: Turn) -> Float64[np.ndarray, " n"]:
    """What the viewer gets where each defender pays 1, as far as it knows who they are."""
    rules, partner = turn.rules, turn.partner.astype(np.int64)
    if rules.calls_king:  # one not known yet is somebody else
        partner = np.where(partner < 0, np.where(turn.taker == 1, 2, 1), partner)
    plays = ~(rules.dead_hand & (np.arange(rules.players) == turn.dealer[:, None]))
    sides = Sides(turn.taker.astype(np.int64), partner, plays)
    one_point = np.full(len(turn), 2)
    parts: np.ndarray = deal_half_scores(one_point, sides, rules)[:, 0] / 2.0
    return parts


class Collector:
    """Tables that go on from one collection to the next.

    Args:
        rules: what is played.
        config: how many tables and steps, and what share of them is special.
        rng: draws suit names, given contracts, learning seats, past selves and actions.
        actor: plays the learning seats.
        critic: will judge what is collected.
        pool: past selves for the other seats.
        processes: with R of them of B tables each, table b of process r plays the deals of table
            `r * B + b` of R * B.
    """

    def __init__(
        self,
        rules: Rules,
        config: CollectConfig,
        rng: np.random.Generator,
        *,
        actor: Actor,
        critic: Critic,
        pool: Pool,
        processes: ProcessGroup = SINGLE_PROCESS,
    ) -> None:
        self.rules, self.config, self.rng = rules, config, rng
        self.actor, self.critic, self.pool = actor, critic, pool
        self.rows = np.arange(config.tables)
        self.contracts = np.array(contracts(rules))
        self.odds = np.array([_ODDS[bid] for bid in contracts(rules)])
        first, self.others = config.tables * processes.rank, config.tables * (processes.size - 1)
        self.tables = Tables(rules, config.tables, seed=config.deal_seed, first_deal=first)
        self.tables.next_ids += self.others
        shape = (config.tables, rules.players)
        self.permutation = np.zeros((*shape, 4), np.int8)
        self.learns = np.ones(shape, bool)
        self.past_self = np.zeros(config.tables, np.int64)
        self.bidder = np.full(config.tables, -1, np.int64)  # of a given contract, -1 none
        self.last_row = np.full(shape, -1, np.int64)  # of each seat in this deal, -1 none
        self.first_row = np.zeros(config.tables, np.int64)  # of each table's deal
        self.buffer = Buffer.empty(config.tables * (config.steps + rules.log_size), rules)
        sizes = observation_layout(rules).size, state_layout(rules).size
        self._encoded = tuple(np.empty((config.tables, size), np.uint8) for size in sizes)
        self._arranged = np.empty_like(self._encoded[0])
        self.size = 0
        self.step = 0
        self.environment_seconds = 0.0
        """Time of this collection in tables, turns and observations."""
        self._started = False

    def collect(self, given_share: float) -> Collected:
        """Plays `steps` actions at every table and returns the decisions of learning seats.

        Args:
            given_share: part of new deals whose contract is given.
        """
        if not self._started:
            self._warm_up(given_share)
        self.environment_seconds = 0.0
        self._keep_unfinished()
        counts = _Counts()
        steps = 0
        while steps < self.config.steps or not counts.deals:
            steps += 1
            self._step()
            over = np.flatnonzero(self.tables.is_over)
            if len(over):
                self._assign_rewards(over, counts)
                self._deal(over)
                self._start_deals(over, given_share)
        rows = np.flatnonzero(~self._unfinished())
        return Collected(self.buffer, rows, counts.deals, counts.made, counts.taken)

    @contextmanager
    def _environment(self) -> Iterator[None]:
        """Adds the time that something takes to `environment_seconds`."""
        start = time.perf_counter()
        yield
        self.environment_seconds += time.perf_counter() - start

    def _warm_up(self, given_share: float) -> None:
        """Starts the tables at even distances over a deal, so that a batch holds every stage of it.

        What is decided on the way is not learned from.
        """
        rows = self.rows
        self._start_deals(rows, given_share)
        length = self.rules.history_size
        for step in range(length):
            self._step()
            again = rows[self.tables.is_over | (rows % length == step)]
            self._deal(again)
            self._start_deals(again, given_share)
            self.size = 0
        self.last_row[:] = -1
        self.first_row[:] = 0
        self._started = True

    def _deal(self, rows: Int[np.ndarray, " n"]) -> None:
        """Deals the next of each table's own deals; those between are the other processes'."""
        with self._environment():
            self.tables.reset(rows)
        self.tables.next_ids[rows] += self.others

    def _unfinished(self) -> Bool[np.ndarray, " n"]:
        """Which rows of the buffer belong to a deal that is still going on."""
        table = self.buffer.lane[: self.size] // self.rules.players
        unfinished: np.ndarray = np.arange(self.size) >= self.first_row[table]
        return unfinished

    def _keep_unfinished(self) -> None:
        """Moves the decisions of unfinished deals to the front of the buffer, in order."""
        rows = np.flatnonzero(self._unfinished())
        for array in self.buffer.arrays().values():
            array[: len(rows)] = array[rows]
        there = self.last_row >= 0
        self.last_row[there] = np.searchsorted(rows, self.last_row[there])
        self.first_row[:] = 0
        self.size = len(rows)

    def _start_deals(self, rows: Int[np.ndarray, " n"], given_share: float) -> None:
        """Readies freshly dealt tables: no petit sec, suits, contract, who learns."""
        tables, rng, players = self.tables, self.rng, self.rules.players
        void = rows[tables.is_over[rows]]
        while len(void):
            self._deal(void)
            void = void[tables.is_over[void]]
        if self.actor.suits_differ:
            suits = np.tile(np.arange(4, dtype=np.int8), (len(rows), players, 1))
            self.permutation[rows] = rng.permuted(suits, axis=2)
        given = rng.random(len(rows)) < given_share
        self.bidder[rows] = np.where(given, self._bidders(rows), -1)

        self.first_row[rows] = self.size
        self.last_row[rows] = -1
        self.learns[rows] = True
        mixed = rows[rng.random(len(rows)) < self.config.past_share]
        learner = rng.integers(players, size=len(mixed))
        past = rng.integers(max(len(self.pool), 1), size=len(mixed))
        if len(self.pool):
            self.learns[mixed] = np.arange(players) == learner[:, None]
            self.past_self[mixed] = past

    def _bidders(self, rows: Int[np.ndarray, " n"]) -> Int[np.ndarray, " n"]:
        """Seats to bid a given contract: mostly that of the best hand, else any."""
        takes_best = self.rng.random(len(rows)) < _BEST_HAND_TAKES
        speakers = SEATINGS[self.rules.game_name].speakers[self.tables.columns.dealer[rows]]
        place = self.rng.integers(speakers.shape[1], size=len(rows))
        anyone = speakers[np.arange(len(rows)), place]
        return np.where(takes_best, strongest_seats(self.tables, rows), anyone)

    def _in_given_auction(self, rows: Int[np.ndarray, " n"]) -> Bool[np.ndarray, " n"]:
        """Which tables are in the auction of a given contract."""
        auction: np.ndarray = self.tables.phase[rows] == Phase.AUCTION
        return auction & (self.bidder[rows] >= 0)

    def _step(self) -> None:
        """One action at every table; the networks are asked where there is a choice."""
        tables = self.tables
        passes = self._in_given_auction(self.rows) & (tables.seat_to_act != self.bidder)
        with self._environment():
            legal = cardsets.where(~passes, tables.legal_sets(), cardsets.BIT[PASS])
        actions = cardsets.lowest(legal).astype(np.int64)
        rows = np.flatnonzero(cardsets.count(legal) > 1)
        if len(rows):
            actions[rows] = self._decide(rows)
        with self._environment():
            tables.step(actions)
        self.step += 1

    def _decide(self, rows: Int[np.ndarray, " n"]) -> Int[np.ndarray, " n"]:
        """Draws an action for each of the given tables; those of learning seats are recorded."""
        seats = self.tables.seat_to_act[rows].astype(np.int64)
        with self._environment():
            turn = self._permute_suits(self.tables.turn(rows), rows, seats)
            flat = observation_layout(self.rules).encode(turn, out=self._encoded[0][: len(rows)])
            mask = turn.legal_mask
        learns = self.learns[rows, seats]
        observation = self.actor.arrange(flat, out=self._arranged[: len(rows)])
        logprobs = self._log_probs(observation, mask, np.where(learns, -1, self.past_self[rows]))
        chosen = draw(np.exp(logprobs), self.rng)
        given = self._in_given_auction(rows)
        chosen[given] = self._given_bids(mask[given])
        decision = {
            "observation": observation,
            "legal": turn.legal,
            "action": chosen,
            "logprob": logprobs[np.arange(len(rows)), chosen],
            "phase": turn.phase,
            "attacks": turn.attack[:, 0],
            "contract": turn.contract,
            "given": given,
            "lane": rows * self.rules.players + seats,
            "step": np.full(len(rows), self.step),
            "interim": interim_scores(turn),
        }
        if not learns.all():
            at = np.flatnonzero(learns)
            turn, flat = turn.take(at), flat.take(at, axis=0)
            decision = {name: values.take(at, axis=0) for name, values in decision.items()}
        self._record(rows[learns], turn, flat, decision)
        if self.actor.suits_differ:
            return unpermute_actions(chosen, self.permutation[rows, seats])
        return chosen

    def _given_bids(self, mask: Bool[np.ndarray, "n a"]) -> Int[np.ndarray, " n"]:
        """A bid for each row, drawn from those that are legal."""
        offered = mask[:, self.contracts + PASS] * self.odds
        return self.contracts[draw(offered, self.rng)] + PASS

    def _permute_suits(
        self, seen: _Seen, rows: Int[np.ndarray, " n"], seats: Int[np.ndarray, " n"]
    ) -> _Seen:
        """What seats see, with the suits under the names that they have for them."""
        if not self.actor.suits_differ:
            return seen
        return seen.permute_suits(self.permutation[rows, seats])

    def _log_probs(
        self,
        observation: UInt8[np.ndarray, "n d"],
        mask: Bool[np.ndarray, "n a"],
        who: Int[np.ndarray, " n"],
    ) -> Float32[np.ndarray, "n a"]:
        """Log-probabilities from the network that plays each row: -1 the learner, else the pool."""
        result = np.empty(mask.shape, np.float32)
        for slot, network in enumerate([self.actor, *self.pool.actors], start=-1):
            mine = who == slot
            if mine.any():
                result[mine] = log_probabilities(network, observation[mine], mask[mine])
        return result

    def _record(
        self,
        rows: Int[np.ndarray, " n"],
        turn: Turn,
        flat: UInt8[np.ndarray, "n d"],
        decision: dict[str, np.ndarray],
    ) -> None:
        """Writes decisions behind the others; their rewards come when the deal is over."""
        here = slice(self.size, self.size + len(rows))
        for name, values in decision.items():
            getattr(self.buffer, name)[here] = values
        seats = turn.seat.astype(np.int64)
        with self._environment():
            hidden = self._permute_suits(self.tables.hidden(rows, seats), rows, seats)
            out = self._encoded[1][: len(rows)]
            state = state_layout(self.rules).encode(turn, hidden, out)
        self.critic.arrange(state, out=self.buffer.state[here])
        self.buffer.reward[here] = 0.0
        self.buffer.last[here] = False
        self.last_row[rows, seats] = np.arange(here.start, here.stop)
        self.size = here.stop

    def _assign_rewards(self, rows: Int[np.ndarray, " n"], counts: "_Counts") -> None:
        """Pays the scores of finished deals to each seat's last decision."""
        last_row = self.last_row[rows]
        there = last_row >= 0
        self.buffer.last[last_row[there]] = True
        self.buffer.reward[last_row[there]] = self.tables.scores[rows][there]

        state = self.tables.columns
        counts.deals += len(rows)
        free = rows[self.bidder[rows] < 0]
        contract = np.where(state.taker[free] < 0, 0, state.contract[free])
        counts.taken += np.bincount(contract, minlength=len(Bid))
        counts.made += int(state.made[free].sum())

    def state(self) -> dict[str, dict[str, np.ndarray]]:
        """Everything that the next collection depends on, by name; for checkpoints."""
        self._keep_unfinished()
        own = {name: getattr(self, name) for name in _OWN_ARRAYS}
        own["step"] = np.array(self.step)
        own["started"] = np.array(self._started)
        return {
            "tables": self.tables.arrays(),
            "buffer": {name: array[: self.size] for name, array in self.buffer.arrays().items()},
            "own": own,
        }

    def load(self, saved: dict[str, dict[str, np.ndarray]]) -> None:
        """Goes on from what `state` gave."""
        self.tables.load(saved["tables"])
        for name in _OWN_ARRAYS:
            getattr(self, name)[...] = saved["own"][name]
        self.step = int(saved["own"]["step"])
        self.size = len(saved["buffer"]["lane"])
        for name, array in saved["buffer"].items():
            getattr(self.buffer, name)[: self.size] = array
        self._started = bool(saved["own"]["started"])


_OWN_ARRAYS = ("permutation", "learns", "past_self", "bidder", "last_row", "first_row")


class _Counts:
    """Running counts of one collection."""

    def __init__(self) -> None:
        self.deals = 0
        self.made = 0
        self.taken = np.zeros(len(Bid), np.int64)
