"""`Tables`: B tables of one game played in lockstep.

The only implementation of play. Everything else, masks, PettingZoo, Gymnasium, records and
tournaments, goes through `legal_actions` and `step`. A single table is a batch of one. Nothing here
draws a random number: a deal is named by (seed, deal_id), and actions come from outside.
"""

import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from jaxtyping import Bool, Float64, Int, Int8, Int64, Integer, UInt8, UInt64

from tarot_env.cards import NUM_CARDS, cardsets
from tarot_env.cards.actions import NUM_ACTIONS, Phase, action_text
from tarot_env.core.arguments import as_int_array, as_list, is_int
from tarot_env.core.dealing import (
    NUM_DEAL_IDS,
    Deal,
    check_contract,
    check_deal_id,
    check_seed,
    deal_packs,
    face_up_sets,
    pack_sets,
    petit_sec_text,
)
from tarot_env.core.state import State, actors
from tarot_env.errors import IllegalAction, InvalidDeal, TarotError, count_noun, short_repr
from tarot_env.phases import announcements, auction, call, chien, phase_order, play
from tarot_env.rules import Rules, check_is_rules
from tarot_env.tables import turn
from tarot_env.tables.full_information import Hidden, make_hidden
from tarot_env.tables.turn import Turn

Rows: TypeAlias = Integer[np.ndarray, " n"] | Bool[np.ndarray, " b"]
"""Which tables: their indices, or a mask over all of them."""


class _PhaseFunctions(NamedTuple):
    legal: Callable[..., np.ndarray]
    apply: Callable[..., np.ndarray]
    reason: Callable[..., str]


PHASES: dict[int, _PhaseFunctions] = {
    Phase.PETIT_SEC: _PhaseFunctions(
        auction.legal_redeal, auction.apply_redeal, auction.reason_redeal
    ),
    Phase.AUCTION: _PhaseFunctions(auction.legal, auction.apply, auction.reason),
    Phase.CALL: _PhaseFunctions(call.legal, call.apply, call.reason),
    Phase.SPLIT: _PhaseFunctions(chien.legal_split, chien.apply_split, chien.reason_split),
    Phase.DISCARD: _PhaseFunctions(chien.legal, chien.apply, chien.reason),
    Phase.SLAM: _PhaseFunctions(
        announcements.legal_slam, announcements.apply_slam, announcements.reason_slam
    ),
    Phase.MISERE: _PhaseFunctions(
        announcements.legal_misere, announcements.apply_misere, announcements.reason_misere
    ),
    Phase.POIGNEE: _PhaseFunctions(
        announcements.legal_poignee, announcements.apply_poignee, announcements.reason_poignee
    ),
    Phase.WITHHOLD: _PhaseFunctions(
        announcements.legal_withhold, announcements.apply_withhold, announcements.reason_withhold
    ),
    Phase.PLAY: _PhaseFunctions(play.legal, play.apply, play.reason),
}
"""What each phase allows, what an action does in it, and why another is refused.

An action returns the rows that the phase is done with, unless it has taken them on itself.
"""


MOST_TABLES = 2**31
"""Side by side; memory ends long before."""


_OVER = int(Phase.OVER)


def _by_phase(phases: Int8[np.ndarray, " n"]) -> list[tuple[int, Int[np.ndarray, " m"]]]:
    """The phases of tables that are not over, each with the places where it stands."""
    there = np.bincount(phases, minlength=_OVER + 1)[:_OVER].nonzero()[0].tolist()
    if len(there) == 1 and len(phases) == 1:
        return [(there[0], np.zeros(1, np.int64))]
    return [(phase, (phases == phase).nonzero()[0]) for phase in there]


def _kind(array: np.ndarray) -> str:
    return f"{array.dtype} of shape {array.shape}"


def _read_only(array: np.ndarray) -> np.ndarray:
    view = array.view()
    view.flags.writeable = False
    return view


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
    move on: copy what is to be kept.

    Args:
        rules: what is played.
        num_tables: B.
        seed: names the series of deals; drawn from the system if None.
        first_deal: deal id of table 0; table b plays `first_deal + b`, and each reset without
            `deal_ids` goes on B ids further.

    Raises:
        InvalidDeal: a number of tables, a seed or a first deal that is out of range.
    """

    def __init__(
        self, rules: Rules, num_tables: int = 1, seed: int | None = None, first_deal: int = 0
    ) -> None:
        self.rules = check_is_rules(rules)
        if not is_int(num_tables) or not 0 <= num_tables <= MOST_TABLES:
            raise InvalidDeal(
                f"num_tables {short_repr(num_tables)}; give a whole number, 0 to 2**31"
            )
        num_tables = int(num_tables)
        first_deal = check_deal_id(first_deal, "first_deal", NUM_DEAL_IDS - num_tables)
        self.seed = secrets.randbits(63) if seed is None else check_seed(seed)
        self.state = State.empty(num_tables, rules)
        self.next_ids = first_deal + np.arange(num_tables, dtype=np.int64)
        self._legal: UInt64[np.ndarray, "b 2"] | None = None
        self.reset()

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
    def of_state(cls, rules: Rules, state: State) -> "Tables":
        """Tables that go on from a state, which is not copied; of seed 0, ids from 0 on."""
        tables = cls(rules, 0, seed=0)
        tables.state = state
        tables.next_ids = np.arange(len(state.phase), dtype=np.int64)
        return tables

    @classmethod
    def of_packs(
        cls, rules: Rules, packs: UInt8[np.ndarray, "n 78"], dealers: Integer[np.ndarray, " n"]
    ) -> "Tables":
        """Tables with the deals that some packs make, unnamed and not checked."""
        tables = cls.of_state(rules, State.empty(len(packs), rules))
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
            TarotError: rows that name no tables or one twice, or ids that are not one for each.
            InvalidDeal: an id out of range. Nothing is changed in either case.
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
        state = self.state
        state.clear(rows)
        state.pack[rows] = packs
        state.deal_id[rows] = deal_ids
        state.dealer[rows] = dealers
        state.hands[rows], state.chien[rows] = pack_sets(packs, dealers, self.rules)
        if self.rules.game == "decouverte":
            state.face_up[rows] = face_up_sets(packs)
            state.hands[rows] |= state.face_up[rows]
        phase_order.begin(state, rows, self.rules)
        self._legal = None

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
        before_bids = self.state.phase[rows] <= Phase.AUCTION
        fresh = before_bids & (self.state.log_size[rows] == 0)
        if not fresh.all():
            raise InvalidDeal(self._not_forced(int(rows[~fresh][0])))
        dealers = self.state.dealer[rows]
        given = {(int(t), int(c), int(d)) for t, c, d in zip(taker, contract, dealers, strict=True)}
        for seat, bid, dealer in given:
            check_contract(seat, bid, self.rules, dealer)
        auction.force(self.state, rows, taker, contract)
        phase_order.go_on(self.state, Phase.AUCTION, rows, self.rules)
        self._legal = None

    @staticmethod
    def _one_each(values: Any, what: str, n: int) -> Integer[np.ndarray, " n"]:
        """One value for each of n tables, or the same for all."""
        if is_int(values) or (isinstance(values, np.ndarray) and not values.ndim):
            return np.repeat(as_int_array([values], what, 1, InvalidDeal), n)
        return as_int_array(values, what, n, InvalidDeal)

    def _rows(self, rows: object, *, repeated: bool = False) -> Int[np.ndarray, " n"]:
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
        indices = indices.astype(np.int64)
        if not repeated and len(indices) > 1:
            times = np.bincount(indices)
            if times.max() > 1:
                raise TarotError(f"rows: table {times.argmax()} is named twice")
        return indices

    # -- playing

    def legal_sets(self) -> UInt64[np.ndarray, "b 2"]:
        """Legal actions of each table as sets; empty where over. Not to be written to."""
        if self._legal is None:
            legal = np.zeros((self.num_tables, 2), np.uint64)
            for phase, rows in _by_phase(self.state.phase):
                cardsets.put(legal, rows, PHASES[phase].legal(self.state, rows, self.rules))
            self._legal = _read_only(legal)
        return self._legal

    def legal_actions(self) -> Bool[np.ndarray, "b 95"]:
        """Legal actions of each table as a mask; all False where over."""
        return cardsets.to_mask(self.legal_sets())

    def random_actions(self, rng: np.random.Generator) -> Int[np.ndarray, " b"]:
        """A uniform legal action for each table, -1 where over.

        Raises:
            TarotError: `rng` is no generator, such as a seed.
        """
        if not isinstance(rng, np.random.Generator):
            raise TarotError(
                f"rng {short_repr(rng)}; give a generator such as np.random.default_rng(0)"
            )
        return cardsets.random_member(self.legal_sets(), rng)

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
        actions = as_int_array(actions, "actions", len(rows), IllegalAction).astype(np.int64)
        known = np.where(actions.view(np.uint64) < NUM_ACTIONS, actions, -1)
        allowed = cardsets.contains(cardsets.take(self.legal_sets(), rows), known)
        if not allowed.all():
            refused = np.flatnonzero(~allowed & ~self.is_over[rows])
            if len(refused):
                at = int(refused[0])
                raise IllegalAction(self._refusal(int(rows[at]), int(actions[at])))
        for phase, here in _by_phase(self.state.phase[rows]):
            done = PHASES[phase].apply(self.state, rows[here], actions[here], self.rules)
            phase_order.go_on(self.state, phase, done, self.rules)
        self._legal = None

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
        rows = self._rows(rows, repeated=True)
        if seats is None:
            viewers = actors(self.state, rows)
            if len(viewers) and viewers.min() < 0:
                raise TarotError("a table that is over has no seat to act; name the seats")
        else:
            viewers = self._viewers(seats, len(rows))
        legal = cardsets.take(self.legal_sets(), rows)
        return turn.make_turn(self.state, rows, viewers, legal, self.rules)

    def hidden(self, rows: Rows, viewers: Integer[np.ndarray, " n"]) -> Hidden:
        """All cards of the named tables, seats counted from the viewers.

        Raises:
            TarotError: rows that name no tables, or viewers that are not one seat for each.
        """
        rows = self._rows(rows, repeated=True)
        return make_hidden(self.state, rows, self._viewers(viewers, len(rows)), self.rules)

    def _viewers(self, seats: object, n: int) -> Integer[np.ndarray, " n"]:
        viewers = as_int_array(seats, "seats", n)
        for end in (viewers.min(), viewers.max()) if n else ():
            if not 0 <= end < self.rules.players:
                raise TarotError(f"seat {end}; allowed: 0 to {self.rules.players - 1}")
        return viewers

    def load(self, arrays: Mapping[str, np.ndarray], next_ids: Int[np.ndarray, " b"]) -> None:
        """Goes on from arrays that `state.arrays()` gave, and from the ids of the next deals.

        Raises:
            TarotError: arrays of other tables; nothing is changed then.
        """
        if not isinstance(arrays, Mapping):
            raise TarotError(f"arrays {short_repr(arrays)}; give those of state.arrays(), by name")
        given = {**arrays, "next_ids": next_ids}
        own = {**self.state.arrays(), "next_ids": self.next_ids}
        for name, array in own.items():
            other, wanted = given.get(name), _kind(array)
            got = _kind(other) if isinstance(other, np.ndarray) else short_repr(other)
            if got != wanted:
                raise TarotError(f"{name} of these tables must be {wanted}; got {got}")
        for name, array in own.items():
            array[...] = given[name]
        self._legal = None

    def copy(self) -> "Tables":
        """An independent copy; neither notices what happens to the other."""
        return self._copied(self.state.copy(), self.next_ids.copy())

    def take(self, rows: Rows) -> "Tables":
        """An independent copy of the named tables, which may be named more than once.

        Raises:
            TarotError: rows that name no tables.
        """
        rows = self._rows(rows, repeated=True)
        return self._copied(self.state.take(rows), self.next_ids[rows])

    def _copied(self, state: State, next_ids: Int64[np.ndarray, " n"]) -> "Tables":
        new = object.__new__(Tables)
        new.rules, new.seed = self.rules, self.seed
        new.state, new.next_ids = state, next_ids
        new._legal = None
        return new

    # -- what is on the tables; arrays cannot be written to and show the tables as they move on

    @property
    def num_tables(self) -> int:
        """B."""
        return len(self.state.phase)

    @property
    def is_over(self) -> Bool[np.ndarray, " b"]:
        """Tables whose deal is finished or thrown in."""
        over: np.ndarray = self.state.phase == _OVER
        return over

    @property
    def phase(self) -> Int8[np.ndarray, " b"]:
        """`Phase` of each table."""
        return _read_only(self.state.phase)

    @property
    def seat_to_act(self) -> Int8[np.ndarray, " b"]:
        """Seat to act, -1 where over."""
        if self.rules.hands == self.rules.players:
            return _read_only(self.state.seat)
        return _read_only(actors(self.state, np.arange(self.num_tables)))

    @property
    def hand_to_play(self) -> Int8[np.ndarray, " b"]:
        """Hand to act: that of the seat to act, or the dummy's (2); -1 where over."""
        return _read_only(self.state.seat)

    @property
    def taker(self) -> Int8[np.ndarray, " b"]:
        """Best bidder so far, -1 for none."""
        return _read_only(self.state.taker)

    @property
    def partner(self) -> Int8[np.ndarray, " b"]:
        """The taker's partner, whoever knows it; -1 for none."""
        return _read_only(self.state.partner)

    @property
    def called_card(self) -> Int8[np.ndarray, " b"]:
        """The card the taker called, -1 for none."""
        return _read_only(self.state.called)

    @property
    def contract(self) -> Int8[np.ndarray, " b"]:
        """`Bid` of each table, 0 for none."""
        return _read_only(self.state.contract)

    @property
    def made(self) -> Bool[np.ndarray, " b"]:
        """Whether the contract was made; False before the end and where nobody took."""
        return _read_only(self.state.made)

    @property
    def points(self) -> Float64[np.ndarray, " b"]:
        """Card points of the attack's pile, 0 before the end."""
        return self.state.attack_half_points / 2.0

    @property
    def oudlers(self) -> Int8[np.ndarray, " b"]:
        """Oudlers in the attack's pile, 0 before the end."""
        return _read_only(self.state.oudlers)

    @property
    def scores(self) -> Float64[np.ndarray, "b p"]:
        """Points that a scorer writes down, by seat; they sum to 0, and are 0 before the end."""
        return self.state.half_scores / 2.0

    # -- words for errors

    def _where(self, row: int) -> str:
        deal_id = int(self.state.deal_id[row])
        name = "a given deal" if deal_id < 0 else f"deal seed={self.seed} id={deal_id}"
        return f"table {row} ({name})"

    def _not_forced(self, row: int) -> str:
        unheard = self.is_over[row] and self.state.log_size[row] == 0 and self.taker[row] < 0
        found = petit_sec_text(self.state.hands[row], self.rules) if unheard else None
        if found:
            return f"no contract can be forced at {self._where(row)}: {found}; the deal is void"
        where = self._where(row)
        return f"a contract can be forced before the first bid only; {where} is past that"

    def _refusal(self, row: int, action: int) -> str:
        state = self.state
        phase = Phase(state.phase[row])
        shown = action_text(action) if 0 <= action < NUM_ACTIONS else f"action {action}"
        stage = f"trick {state.trick_number[row] + 1}" if phase == Phase.PLAY else phase.name
        where = self._where(row)[:-1] + f", {stage}, seat {state.seat[row]})"
        listed = " ".join(action_text(a) for a in cardsets.to_ids(self.legal_sets()[row]))
        return f"{shown} at {where}: {self._reason(row, phase, action)}; allowed: {listed}"

    def _reason(self, row: int, phase: Phase, action: int) -> str:
        if not 0 <= action < NUM_ACTIONS:
            return f"actions are 0 to {NUM_ACTIONS - 1}"
        return PHASES[phase].reason(self.state, row, action, self.rules)
