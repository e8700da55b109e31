"""`Tables`: B tables of one game.

The only implementation of play. Everything else, masks, PettingZoo, Gymnasium, records and
tournaments, goes through `legal_actions` and `step`. A single table is a batch of one. Nothing here
draws a random number: a deal is named by (seed, deal_id), and actions come from outside.
"""

import os
import secrets
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
from jaxtyping import Bool, Float64, Int, Int8, Int64, Integer, UInt8, UInt64

from tarot_env.cards import NUM_CARDS, cardsets
from tarot_env.cards.actions import NUM_ACTIONS, Phase, action_text
from tarot_env.core.arguments import as_int_array, as_list, is_int
from tarot_env.core.bits import as_words
from tarot_env.core.compiling import as_compiled
from tarot_env.core.dealing import (
    NUM_DEAL_IDS,
    Deal,
    check_contract,
    check_deal_id,
    check_seed,
    deal_packs,
)
from tarot_env.core.state import (
    BLANK,
    OVER,
    TABLE,
    Columns,
    as_records,
    blank_records,
    rules_record,
    take_records,
)
from tarot_env.errors import IllegalAction, InvalidDeal, TarotError, count_noun, short_repr
from tarot_env.phases import (
    auction,
    call,
    discard,
    misere,
    partnership_auction,
    play,
    poignee,
    redeal,
    slam,
    split,
    withhold,
)
from tarot_env.phases.redeal import petit_sec_text
from tarot_env.rules import Rules, check_is_rules
from tarot_env.tables import loops
from tarot_env.tables.full_information import FULL, FullInformation, reveal_all
from tarot_env.tables.turn import TURN, Turn, see_all

Rows: TypeAlias = Integer[np.ndarray, " n"] | Bool[np.ndarray, " b"]
"""Which tables: their indices, or a mask over all of them."""

MOST_TABLES = 2**31
"""Side by side; memory ends long before."""
MOST_THREADS = 1024
_LEAST_STEPS, _LEAST_MASKS = 1024, 4096
"""Rows for each thread: waking one up takes as long as some hundred steps."""

REASONS: dict[int, Callable[[Any, Rules, int], str]] = {
    Phase.PETIT_SEC: redeal.reason,
    Phase.AUCTION: auction.reason,
    Phase.CALL: call.reason,
    Phase.SPLIT: split.reason,
    Phase.DISCARD: discard.reason,
    Phase.SLAM: slam.reason,
    Phase.MISERE: misere.reason,
    Phase.POIGNEE: poignee.reason,
    Phase.WITHHOLD: withhold.reason,
    Phase.PLAY: play.reason,
}
"""Why an action is refused, in words, by phase."""


def _kind(array: np.ndarray) -> str:
    return f"{array.dtype} of shape {array.shape}"


def _read_only(array: np.ndarray) -> np.ndarray:
    view = array.view()
    view.flags.writeable = False
    return view


@cache
def _pool(threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(threads - 1, thread_name_prefix="tarot-tables")


if hasattr(os, "register_at_fork"):  # a forked process has none of the threads
    os.register_at_fork(after_in_child=_pool.cache_clear)


def _draw(legal: np.ndarray, numbers: np.ndarray, actions: np.ndarray, at: slice) -> None:
    loops.random_all(legal[at], numbers[at], actions[at])


def check_is_tables(tables: object) -> "Tables":
    """What somebody hands in for tables, checked to be some.

    Raises:
        TarotError: anything else.
    """
    if not isinstance(tables, Tables):
        raise TarotError(f"tables {short_repr(tables)}; give Tables")
    return tables


def check_deals(deals: Sequence[Deal], rules: Rules, number: int | None = None) -> list[Deal]:
    """Deals of a game, checked; as many as there are tables for them, if a number is given.

    Raises:
        InvalidDeal: another number, or what is no deal of the game.
    """
    given = as_list(deals, "deals must be a list")
    if number is not None and len(given) != number:
        raise InvalidDeal(
            f"{count_noun(len(given), 'deal')} for {count_noun(number, 'table')}; give one for each"
        )
    for deal in given:
        if not isinstance(deal, Deal):
            raise InvalidDeal(f"a {type(deal).__name__} is no Deal: {short_repr(deal)}")
        deal.check(rules)
    return given


class Tables:
    """B tables, dealt and ready to bid.

    `phase`, `seat_to_act`, `taker` and the like are read-only views that show the tables as they
    move on: copy what is to be kept. `state` is the tables themselves, records [b] of
    `core.state.TABLE` (`state["phase"]` is a view too), `columns` the same in the shapes of the
    game.

    Args:
        rules: what is played.
        num_tables: B.
        seed: names the series of deals; drawn from the system if None.
        first_deal: deal id of table 0; table b plays `first_deal + b`, and each reset without
            `deal_ids` goes on B ids further.
        threads: how many to step large batches with; the results are the same for any number.
        log: off, no events are kept: what replays, records, matches and histories read.

    Raises:
        InvalidDeal: a number of tables, a seed or a first deal that is out of range.
        TarotError: a number of threads that is out of range.
    """

    def __init__(
        self,
        rules: Rules,
        num_tables: int = 1,
        seed: int | None = None,
        first_deal: int = 0,
        *,
        threads: int = 1,
        log: bool = True,
    ) -> None:
        self.rules = check_is_rules(rules)
        if not is_int(num_tables) or not 0 <= num_tables <= MOST_TABLES:
            raise InvalidDeal(
                f"num_tables {short_repr(num_tables)}; give a whole number, 0 to 2**31"
            )
        if not is_int(threads) or not 1 <= threads <= MOST_THREADS:
            raise TarotError(
                f"threads {short_repr(threads)}; give a whole number, 1 to {MOST_THREADS}"
            )
        num_tables = int(num_tables)
        first_deal = check_deal_id(first_deal, "first_deal", NUM_DEAL_IDS - num_tables)
        self.seed = secrets.randbits(63) if seed is None else check_seed(seed)
        self.threads = int(threads)
        self._rules = rules_record(rules)
        self._lay_out(blank_records(num_tables, TABLE), log=log)
        self.next_ids = first_deal + np.arange(num_tables, dtype=np.int64)
        self.reset()

    def _lay_out(self, state: np.ndarray, *, log: bool) -> None:
        """Makes what lies beside the tables: legal sets, event logs, names of deals."""
        number = len(state)
        self.state = state
        self.legal_words = np.zeros((number, 2), np.int64)
        """Legal actions as sets (see `core.bits`); empty where over."""
        events = self.rules.log_size + self.rules.players if log else 0
        self.events = np.zeros((number, events), np.int16)
        """Every action and what became public, see `core.events`."""
        self.deal_ids = np.full(number, -1, np.int64)
        """-1 for a deal that was given."""

    @classmethod
    def from_deals(cls, rules: Rules, deals: Sequence[Deal]) -> "Tables":
        """Tables with the given deals, contracts forced where a deal says so.

        Named deals keep their names where all of them are of one seed, which is then that of the
        tables; else those of seed 0 do.

        Raises:
            InvalidDeal: cards that do not make a deal of this game, or not the one they are named.
        """
        deals = check_deals(deals, rules)
        tables = cls(rules, len(deals), seed=0)
        seeds = {d.seed for d in deals if d.seed is not None and d.deal_id is not None}
        if len(seeds) == 1:
            tables.seed = int(seeds.pop())
        tables._put_deals(np.arange(len(deals)), deals)
        return tables

    @classmethod
    def of_state(
        cls, rules: Rules, state: np.ndarray, events: np.ndarray | None = None
    ) -> "Tables":
        """Tables that go on from records, which are not copied; of seed 0, ids from 0 on.

        Args:
            rules: what is played.
            state: records of `TABLE`, in one piece.
            events: their logs; without them none are kept from here on.
        """
        tables = cls(rules, 0, seed=0)
        tables._lay_out(as_records(state), log=False)
        tables.next_ids = np.arange(len(state), dtype=np.int64)
        if events is not None:
            tables.events = as_compiled(events, np.int16)
        loops.legal_all(tables.state, tables.legal_words, tables._rules)
        return tables

    @classmethod
    def of_packs(
        cls, rules: Rules, packs: UInt8[np.ndarray, "n 78"], dealers: Integer[np.ndarray, " n"]
    ) -> "Tables":
        """Tables with the deals that some packs make, unnamed and not checked."""
        tables = cls(rules, 0, seed=0)
        tables._lay_out(blank_records(len(packs), TABLE), log=True)
        tables.next_ids = np.arange(len(packs), dtype=np.int64)
        rows = np.arange(len(packs))
        tables._deal(rows, packs, dealers=dealers, deal_ids=np.full(len(packs), -1))
        return tables

    # -- dealing

    def reset(
        self,
        rows: Rows | None = None,
        deal_ids: Integer[np.ndarray, " n"] | None = None,
    ) -> None:
        """Deals anew at the named tables (all if None): the given deals, or the next of each.

        Raises:
            TarotError: rows that name no tables, or one twice; deal ids that are not one for each.
            InvalidDeal: a deal id out of range; nothing is changed in either case.
        """
        rows = self._rows(rows)
        if deal_ids is None:
            ids = self.next_ids[rows]
        else:
            ids = as_int_array(deal_ids, "deal_ids", len(rows))
        for end in (ids.min(), ids.max()) if len(ids) else ():
            if not 0 <= end < NUM_DEAL_IDS:
                raise InvalidDeal(f"deal id {end}; allowed: 0 to 2**62 - 1")
        ids = ids.astype(np.int64)
        packs = deal_packs(self.seed, ids)
        self.next_ids[rows] = ids + self.num_tables
        self._deal(rows, packs, dealers=ids % self.rules.players, deal_ids=ids)

    def set_deals(self, rows: Rows, deals: Sequence[Deal]) -> None:
        """Puts given deals on the named tables; a deal keeps its name if it is of their seed.

        Raises:
            TarotError: rows that name no tables, or one twice.
            InvalidDeal: another number of deals than of tables, cards that do not make a deal of
                this game, or not the one they are named; nothing is changed then.
        """
        rows = self._rows(rows)
        self._put_deals(rows, check_deals(deals, self.rules, len(rows)))

    def _put_deals(self, rows: Int[np.ndarray, " n"], deals: Sequence[Deal]) -> None:
        packs = np.array([deal.pack for deal in deals], np.uint8).reshape(-1, NUM_CARDS)
        dealers = np.array([deal.dealer for deal in deals], np.int64)
        ids = np.array(
            [-1 if d.deal_id is None or d.seed != self.seed else d.deal_id for d in deals],
            np.int64,
        )
        self._deal(rows, packs, dealers=dealers, deal_ids=ids)
        for row, deal in zip(rows, deals, strict=True):
            if deal.forced is not None and not self.is_over[row]:
                self.force(np.array([row]), *(np.array([part]) for part in deal.forced))

    def _deal(
        self,
        rows: Integer[np.ndarray, " n"],
        packs: np.ndarray,
        *,
        dealers: Integer[np.ndarray, " n"],
        deal_ids: Integer[np.ndarray, " n"],
    ) -> None:
        self.deal_ids[rows] = deal_ids
        packs, dealers = as_compiled(packs, np.uint8), as_compiled(dealers, np.int64)
        tables = self.state, self.legal_words, self.events
        loops.deal_all(*tables, BLANK, self._rules, rows, packs, dealers)

    def force(
        self,
        rows: Rows,
        taker: Integer[np.ndarray, " n"] | int,
        contract: Integer[np.ndarray, " n"] | int,
    ) -> None:
        """Skips the auction of freshly dealt tables: `taker` plays `contract` (a `Bid`).

        Raises:
            TarotError: rows that name no tables, or one twice.
            InvalidDeal: a table where a bid was made or that is over (petit sec), a seat out of
                range, or a contract that these rules do not have.
        """
        rows = self._rows(rows)
        taker = self._one_each(taker, "taker", len(rows))
        contract = self._one_each(contract, "contract", len(rows))
        state = take_records(self.state, rows)
        asked = (state["num_events"] > 0) | (state["bids"] >= 0).any(1) | (state["forced"] != 0)
        fresh = (state["phase"] <= Phase.AUCTION) & ~asked
        if not fresh.all():
            raise InvalidDeal(self._not_forced(int(rows[~fresh][0])))
        dealers = state["dealer"]
        given = {(int(t), int(c), int(d)) for t, c, d in zip(taker, contract, dealers, strict=True)}
        for seat, bid, dealer in given:
            check_contract(seat, bid, self.rules, dealer)
        contracts = rows, as_compiled(taker, np.int64), as_compiled(contract, np.int64)
        loops.force_all(self.state, self.legal_words, self._rules, *contracts)

    @staticmethod
    def _one_each(values: Any, what: str, n: int) -> Integer[np.ndarray, " n"]:
        """One value for each of n tables, or the same for all."""
        if is_int(values) or (isinstance(values, np.ndarray) and not values.ndim):
            return np.repeat(as_int_array([values], what, 1, InvalidDeal), n)
        return as_int_array(values, what, n, InvalidDeal)

    def _rows(self, rows: object, *, repeated: bool = False) -> Int64[np.ndarray, " n"]:
        """The named tables as indices, all if None; a mask of length B names those that are True.

        Raises:
            TarotError: something else, a table that there is not, or, unless `repeated`, one twice.
        """
        if rows is None:
            return np.arange(self.num_tables)
        if isinstance(rows, np.ndarray) and rows.dtype == bool and rows.shape == (self.num_tables,):
            return np.flatnonzero(rows)
        indices = as_int_array(rows, "rows")
        for end in (indices.min(), indices.max()) if len(indices) else ():
            if not 0 <= end < self.num_tables:
                raise TarotError(f"rows: no table {end}; there are {self.num_tables}, from 0")
        indices = as_compiled(indices, np.int64)
        if not repeated and len(indices) > 1:
            times = np.bincount(indices)
            if times.max() > 1:
                raise TarotError(f"rows: table {times.argmax()} is named twice")
        return indices

    # -- playing

    def legal_sets(self) -> UInt64[np.ndarray, "b 2"]:
        """Legal actions of each table as sets, as they are now; empty where over."""
        return _read_only(as_words(self.legal_words.copy()))

    def legal_actions(self) -> Bool[np.ndarray, "b 95"]:
        """Legal actions of each table as a mask; all False where over."""
        mask = np.empty((self.num_tables, NUM_ACTIONS), np.bool_)
        self.in_parts(
            len(mask), _LEAST_MASKS, lambda at: loops.mask_all(self.legal_words[at], mask[at])
        )
        return mask

    def random_actions(self, rng: np.random.Generator) -> Int[np.ndarray, " b"]:
        """A uniform legal action for each table, -1 where over.

        Raises:
            TarotError: `rng` is no generator, such as a seed.
        """
        if not isinstance(rng, np.random.Generator):
            raise TarotError(
                f"rng {short_repr(rng)}; give a generator such as np.random.default_rng(0)"
            )
        actions, numbers = np.empty(self.num_tables, np.int64), rng.random(self.num_tables)
        draw = partial(_draw, self.legal_words, numbers, actions)
        self.in_parts(len(actions), _LEAST_MASKS, draw)
        return actions

    def step(
        self,
        actions: Integer[np.ndarray, " n"],
        rows: Rows | None = None,
    ) -> None:
        """Plays one action at each table, or at each of the named ones, none of them named twice.

        Entries of tables that are over are ignored.

        Raises:
            IllegalAction: an action that its table does not allow; no table is changed.
            TarotError: rows that name no tables, or one twice.
        """
        rows = self._rows(rows)
        actions = as_int_array(actions, "actions", len(rows), IllegalAction)
        actions = as_compiled(actions, np.int64)
        tables = self.state, self.legal_words, self.events, self._rules
        refused = loops.first_refused(self.legal_words, rows, actions)
        if refused < 0:
            self.in_parts(
                len(rows), _LEAST_STEPS, lambda at: loops.step_all(*tables, rows[at], actions[at])
            )
        else:
            raise IllegalAction(self._refusal(int(rows[refused]), int(actions[refused])))

    def in_parts(self, number: int, least: int, loop: Callable[[slice], object]) -> None:
        """Runs a loop over `number` rows in as many parts as there are threads for.

        Args:
            number: of rows.
            least: rows for each thread.
            loop: works on the rows of a slice, and lets other threads run.
        """
        parts = min(self.threads, number // least)
        if parts <= 1:
            loop(slice(None))
            return
        ends = [number * part // parts for part in range(parts + 1)]
        own, *others = (slice(start, end) for start, end in pairwise(ends))
        running = [_pool(self.threads).submit(loop, part) for part in others]
        loop(own)
        for part in running:
            part.result()

    def viewers(
        self,
        rows: Rows | None = None,
        seats: Integer[np.ndarray, " n"] | None = None,
    ) -> tuple[Int64[np.ndarray, " n"], Int64[np.ndarray, " n"]]:
        """Tables and who looks at each: the given seats, or else the seats to act.

        A table that is over has no seat to act: give `seats` for its final view. A table may be
        named more than once.

        Raises:
            TarotError: rows that name no tables, or seats that are not one of the table for each.
        """
        rows = self._rows(rows, repeated=True)
        if seats is not None:
            return rows, self._viewers(seats, len(rows))
        viewers = np.empty(len(rows), np.int64)
        loops.actors_all(self.state, self._rules, rows, viewers)
        if len(viewers) and viewers.min() < 0:
            raise TarotError("a table that is over has no seat to act; name the seats")
        return rows, viewers

    def turn(
        self,
        rows: Rows | None = None,
        seats: Integer[np.ndarray, " n"] | None = None,
    ) -> Turn:
        """What the seats to act know, or the given seats; all tables if `rows` is None.

        A table that is over has no seat to act: give `seats` for its final view. A table may be
        named more than once.

        Raises:
            TarotError: rows that name no tables, or seats that are not one of the table for each.
        """
        rows, viewers = self.viewers(rows, seats)
        records = blank_records(len(rows), TURN)
        history = np.empty((len(rows), self.rules.history_size, 2), np.int8)
        tables = self.state, self.legal_words, self.events, self._rules
        see_all(*tables, rows, viewers, records, history)
        return Turn(self.rules, records, history)

    def hidden(self, rows: Rows, viewers: Integer[np.ndarray, " n"]) -> FullInformation:
        """All cards of the named tables, seats counted from the viewers.

        Raises:
            TarotError: rows that name no tables, or viewers that are not one seat for each.
        """
        rows, viewers = self.viewers(rows, viewers)
        records = blank_records(len(rows), FULL)
        reveal_all(self.state, self._rules, rows, viewers, records)
        return FullInformation(self.rules, records)

    def _viewers(self, seats: object, n: int) -> Int64[np.ndarray, " n"]:
        viewers = as_int_array(seats, "seats", n)
        for end in (viewers.min(), viewers.max()) if n else ():
            if not 0 <= end < self.rules.players:
                raise TarotError(f"seat {end}; allowed: 0 to {self.rules.players - 1}")
        return as_compiled(viewers, np.int64)

    # -- copies

    def arrays(self) -> dict[str, np.ndarray]:
        """All that the tables are, as plain arrays by name, not copied: for saving and comparing.

        The records stand as bytes.
        """
        octets = self.state.view(np.uint8).reshape(self.num_tables, TABLE.itemsize)
        return {"state": octets, **{name: getattr(self, name) for name in _BESIDE}}

    def load(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Goes on from arrays that `arrays()` gave.

        Raises:
            TarotError: arrays of other tables; nothing is changed then.
        """
        if not isinstance(arrays, Mapping):
            raise TarotError(f"arrays {short_repr(arrays)}; give those of arrays(), by name")
        own = self.arrays()
        for name, array in own.items():
            other, wanted = arrays.get(name), _kind(array)
            got = _kind(other) if isinstance(other, np.ndarray) else short_repr(other)
            if got != wanted:
                raise TarotError(f"{name} of these tables must be {wanted}; got {got}")
        for name, array in own.items():
            array[...] = arrays[name]

    def copy(self) -> "Tables":
        """An independent copy; neither notices what happens to the other."""
        return self.take(np.arange(self.num_tables))

    def take(self, rows: Rows) -> "Tables":
        """An independent copy of the named tables, which may be named more than once.

        Raises:
            TarotError: rows that name no tables.
        """
        rows = self._rows(rows, repeated=True)
        new = object.__new__(Tables)
        new.rules, new.seed, new.threads = self.rules, self.seed, self.threads
        new._rules, new.state = self._rules, take_records(self.state, rows)
        for name in _BESIDE:
            setattr(new, name, getattr(self, name)[rows])
        return new

    __copy__ = copy

    def __setstate__(self, state: dict[str, Any]) -> None:
        """What was pickled; arrays that came as somebody else's memory, as by Ray, are copied."""
        for name, value in state.items():
            is_shared = isinstance(value, np.ndarray) and not value.flags.writeable
            setattr(self, name, value.copy() if is_shared else value)

    # -- what is on the tables; arrays cannot be written to and show the tables as they move on

    @property
    def num_tables(self) -> int:
        """B."""
        return len(self.state)

    @property
    def columns(self) -> Columns:
        """The tables as arrays in the shapes of their game, see `Columns`."""
        return Columns(self.state, self.rules, self.events, self.deal_ids)

    @property
    def is_over(self) -> Bool[np.ndarray, " b"]:
        """Tables whose deal is finished or thrown in."""
        over: np.ndarray = self.state["phase"] == OVER
        return over

    @property
    def phase(self) -> Int8[np.ndarray, " b"]:
        """`Phase` of each table."""
        return _read_only(self.state["phase"])

    @property
    def seat_to_act(self) -> Int8[np.ndarray, " b"]:
        """Seat to act, -1 where over."""
        if self.rules.hands == self.rules.players:
            return _read_only(self.state["seat"])
        seats = np.empty(self.num_tables, np.int64)
        loops.actors_all(self.state, self._rules, np.arange(self.num_tables), seats)
        return _read_only(seats.astype(np.int8))

    @property
    def hand_to_play(self) -> Int8[np.ndarray, " b"]:
        """Hand to act: that of the seat to act, or the dummy's (2); -1 where over."""
        return _read_only(self.state["seat"])

    @property
    def taker(self) -> Int8[np.ndarray, " b"]:
        """Best bidder so far, -1 for none."""
        return _read_only(self.state["taker"])

    @property
    def partner(self) -> Int8[np.ndarray, " b"]:
        """The taker's partner, whoever knows it; -1 for none."""
        return _read_only(self.state["partner"])

    @property
    def called_card(self) -> Int8[np.ndarray, " b"]:
        """The card the taker called, -1 for none."""
        return _read_only(self.state["called"])

    @property
    def contract(self) -> Int8[np.ndarray, " b"]:
        """`Bid` of each table, 0 for none."""
        return _read_only(self.state["contract"])

    @property
    def made(self) -> Bool[np.ndarray, " b"]:
        """Whether the contract was made; False before the end and where nobody took."""
        return _read_only(self.state["made"] != 0)

    @property
    def points(self) -> Float64[np.ndarray, " b"]:
        """Card points of the attack's pile, 0 before the end."""
        points: np.ndarray = self.state["attack_half_points"] / 2.0
        return points

    @property
    def oudlers(self) -> Int8[np.ndarray, " b"]:
        """Oudlers in the attack's pile, 0 before the end."""
        return _read_only(self.state["oudlers"])

    @property
    def scores(self) -> Float64[np.ndarray, "b p"]:
        """Points that a scorer writes down, by seat; they sum to 0, and are 0 before the end."""
        scores: np.ndarray = self.state["half_scores"][:, : self.rules.players] / 2.0
        return scores

    # -- words for errors

    def _where(self, row: int) -> str:
        deal_id = int(self.deal_ids[row])
        name = "a given deal" if deal_id < 0 else f"deal seed={self.seed} id={deal_id}"
        return f"table {row} ({name})"

    def _not_forced(self, row: int) -> str:
        unheard = self.is_over[row] and self.state["num_events"][row] == 0 and self.taker[row] < 0
        found = petit_sec_text(self.columns.hands[row], self.rules) if unheard else None
        if found:
            return f"no contract can be forced at {self._where(row)}: {found}; the deal is void"
        where = self._where(row)
        return f"a contract can be forced before the first bid only; {where} is past that"

    def _refusal(self, row: int, action: int) -> str:
        t = self.state[row]
        phase = Phase(t.phase)
        given = action_text(action) if 0 <= action < NUM_ACTIONS else f"action {action}"
        stage = f"trick {t.trick_number + 1}" if phase == Phase.PLAY else phase.name
        where = self._where(row)[:-1] + f", {stage}, seat {t.seat})"
        allowed = " ".join(action_text(a) for a in cardsets.to_ids(self.legal_sets()[row]))
        return f"{given} at {where}: {self.reason(row, action)}; allowed: {allowed}"

    def reason(self, row: int, action: int) -> str:
        """Why a table refuses an action, in words; of one that it allows, nothing sensible."""
        if not 0 <= action < NUM_ACTIONS:
            return f"actions are 0 to {NUM_ACTIONS - 1}"
        phase = Phase(self.state["phase"][row])
        reason = REASONS[phase]
        if phase == Phase.AUCTION and self.rules.in_partnerships:
            reason = partnership_auction.reason
        return reason(self.state[row], self.rules, action)


_BESIDE = ("legal_words", "events", "deal_ids", "next_ids")
"""Arrays with an entry for each table, beside the records."""
