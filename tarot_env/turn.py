"""`Turn`: what a seat may know, and nothing else.

The one gate between the tables and whoever chooses actions. Everything is copied out and stands
relative to the viewer: seat 0 is the viewer itself, 1 the next to play after it, and so on; -1 is
nobody. To every other seat a poignée being put together looks like that seat's turn to play. When a
deal has been played everybody sees the chien that lay face down; the écart stays secret. A Turn
holds neither seed nor deal id nor a count of decisions.
"""

from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

import numpy as np
from jaxtyping import Bool, Int, Int8, Int16, Integer, UInt64

from tarot_env import cardsets
from tarot_env.actions import Bid, Phase
from tarot_env.cards import ANY, NUM_SUITS, SUIT_SIZE, TRUMP
from tarot_env.rules import Rules
from tarot_env.state import State, chien_is_open


@dataclass(frozen=True)
class Turn:
    """What n viewers know: P seats counted from the viewer, K oudlers, H history rows."""

    rules: Rules
    seat: Int8[np.ndarray, " n"]  # the viewer's own place at the table, absolute

    # private
    hand: UInt64[np.ndarray, "n 2"]
    legal: UInt64[np.ndarray, "n 2"]  # empty where another seat is to act
    ecart: UInt64[np.ndarray, "n 2"]  # set aside by the viewer
    withheld: UInt64[np.ndarray, "n 2"]  # trumps the viewer kept out of its poignée
    poignee_declared: Int8[np.ndarray, " n"]  # level the viewer is putting together, else 0

    # public
    phase: Int8[np.ndarray, " n"]
    to_act: Int8[np.ndarray, " n"]
    dealer: Int8[np.ndarray, " n"]
    bids: Int8[np.ndarray, "n p"]  # -1 not spoken, 0 passed, else the bid
    contract: Int8[np.ndarray, " n"]
    taker: Int8[np.ndarray, " n"]  # the best bidder so far during the auction
    chien: UInt64[np.ndarray, "n 2"]  # empty unless turned up: taken up, or the deal played out
    shown_discards: UInt64[np.ndarray, "n 2"]  # trumps in the écart
    slam_announced: Bool[np.ndarray, " n"]
    poignee_level: Int8[np.ndarray, "n p"]
    poignee_cards: UInt64[np.ndarray, "n p 2"]
    trick_number: Int8[np.ndarray, " n"]
    leader: Int8[np.ndarray, " n"]
    trick_size: Int8[np.ndarray, " n"]
    trick_cards: Int8[np.ndarray, "n p"]  # in order of play from the leader, -1 beyond
    led: Int8[np.ndarray, " n"]  # suit, TRUMP, or ANY
    best_trump: Int8[np.ndarray, " n"]
    best_rank: Int8[np.ndarray, " n"]
    best_seat: Int8[np.ndarray, " n"]  # winning the trick so far
    last_trick: Int8[np.ndarray, "n p"]
    last_leader: Int8[np.ndarray, " n"]
    last_winner: Int8[np.ndarray, " n"]
    played: UInt64[np.ndarray, "n p 2"]
    void: Bool[np.ndarray, "n p 5"]  # play has shown: none of a suit; column 4, no trump
    trump_bound: Int8[np.ndarray, "n p"]  # play has shown: no trump above this number
    tricks_won: Int8[np.ndarray, "n p"]
    trick_half_points: Int16[np.ndarray, "n p"]  # in tricks won, the Excuse left out
    oudler_player: Int8[np.ndarray, "n k"]  # petit, 21, Excuse: who played it
    oudler_trick: Int8[np.ndarray, "n k"]
    oudler_winner: Int8[np.ndarray, "n k"]
    history: Int8[np.ndarray, "n h 2"]  # public events: seat, action (-1: a card set aside)
    history_size: Int16[np.ndarray, " n"]

    def __len__(self) -> int:
        return len(self.seat)

    def take(self, rows: Integer[np.ndarray, " m"] | Bool[np.ndarray, " n"]) -> "Turn":
        """The named rows, by index or mask."""
        return replace(self, **{name: getattr(self, name)[rows] for name in ARRAY_NAMES})

    @cached_property
    def legal_mask(self) -> Bool[np.ndarray, "n 95"]:
        """Legal actions as one boolean per action id."""
        return cardsets.to_mask(self.legal)

    @cached_property
    def unseen(self) -> UInt64[np.ndarray, "n 2"]:
        """Cards whose place the viewer does not know from seeing them."""
        seen = np.bitwise_or.reduce(self.played, axis=1) | self.hand | self.ecart
        aside = (self.contract > Bid.GARDE)[:, None]
        seen = seen | np.where(aside, self.chien, cardsets.EMPTY)
        return cardsets.ALL_CARDS & ~(seen | self.shown_discards)

    @cached_property
    def takes_lead(self) -> UInt64[np.ndarray, "n 2"]:
        """Cards in hand that would be winning the trick as it lies."""
        in_suit = np.minimum(self.led, NUM_SUITS - 1)
        higher = cardsets.ABOVE_RANK[in_suit, self.best_rank]
        over = cardsets.ABOVE[self.best_trump]
        suit_leads = (self.led < TRUMP) & (self.best_trump == 0)
        beats = np.where(suit_leads[:, None], higher | cardsets.TRUMPS, over)
        anything = (self.led == ANY)[:, None]
        return self.hand & np.where(anything, ~cardsets.EXCUSE, beats)

    @cached_property
    def masters(self) -> UInt64[np.ndarray, "n 2"]:
        """Cards in hand that no unseen card of their suit, or no unseen trump, is higher than."""
        unseen = self.unseen
        masters = cardsets.ABOVE[cardsets.highest_trump(unseen)]
        for suit in range(NUM_SUITS):
            top = cardsets.top_of_suit(unseen, np.full(len(self), suit))
            masters = masters | cardsets.ABOVE_RANK[suit, top]
        return self.hand & masters

    def permute_suits(self, permutation: Integer[np.ndarray, "n 4"]) -> "Turn":
        """The same knowledge with suit s called `permutation[:, s]`, as if so dealt."""
        ids = _permuted_ids(permutation)
        changed: dict[str, Any] = {
            name: cardsets.permute_suits(getattr(self, name), permutation) for name in SUIT_SETS
        }
        for name in ("trick_cards", "last_trick"):
            changed[name] = _lookup(ids, getattr(self, name))
        changed["history"] = self.history.copy()
        changed["history"][..., 1] = _lookup(ids, self.history[..., 1])
        kinds = np.concatenate([permutation, np.tile((4, 5), (len(self), 1))], 1)
        changed["led"] = _lookup(kinds.astype(np.int8), self.led[:, None])[:, 0]
        changed["void"] = np.empty_like(self.void)
        np.put_along_axis(changed["void"], kinds[:, None, :5].astype(np.int64), self.void, 2)
        return replace(self, **changed)


ARRAY_NAMES = tuple(f.name for f in fields(Turn) if f.name != "rules")
"""The fields of a Turn that are arrays over its rows."""
SUIT_SETS = ("hand", "legal", "ecart", "chien", "played")
"""The fields that hold sets with suit cards; the other sets hold trumps alone."""
_SEATS = (
    "to_act dealer taker leader best_seat last_leader last_winner oudler_player oudler_winner"
).split()
_PER_SEAT = (
    "bids poignee_level poignee_cards played void trump_bound tricks_won trick_half_points"
).split()
_SHARED = (
    "contract slam_announced trick_number trick_size trick_cards led best_trump best_rank "
    "last_trick oudler_trick history_size"
).split()


def _permuted_ids(permutation: Integer[np.ndarray, "n 4"]) -> Int8[np.ndarray, "n 96"]:
    """New id of each action id under a renaming of suits; the last column is for -1."""
    ids = np.tile(np.append(np.arange(95), -1).astype(np.int8), (len(permutation), 1))
    suit_cards = NUM_SUITS * SUIT_SIZE
    blocks = permutation[:, :, None] * SUIT_SIZE + np.arange(SUIT_SIZE)
    ids[:, :suit_cards] = blocks.reshape(len(permutation), suit_cards)
    return ids


def _lookup(
    table: Int8[np.ndarray, "n a"], index: Int8[np.ndarray, "n m"]
) -> Int8[np.ndarray, "n m"]:
    """`table[row, index[row]]`; index -1 reads the last column."""
    return table[np.arange(len(table))[:, None], index]


def unpermute_actions(
    actions: Integer[np.ndarray, " n"], permutation: Integer[np.ndarray, "n 4"]
) -> Int[np.ndarray, " n"]:
    """Actions chosen on a Turn with permuted suits, as actions of the table itself."""
    inverse = np.argsort(permutation, axis=1)
    ids = _permuted_ids(inverse)
    return ids[np.arange(len(actions)), actions].astype(np.int64)


def make_turn(
    state: State,
    rows: Int[np.ndarray, " n"],
    viewers: Integer[np.ndarray, " n"],
    legal: UInt64[np.ndarray, "n 2"],
    rules: Rules,
) -> Turn:
    """What the viewers may know of the named tables.

    Args:
        state: the tables.
        rows: tables, which may be named more than once.
        viewers: absolute seat of each viewer.
        legal: legal actions of the seat to act at each table; hidden from other viewers.
    """
    viewers = viewers.astype(np.int8)
    acting = state.seat[rows] == viewers
    phase = state.phase[rows]
    secret = (phase == Phase.POIGNEE) | (phase == Phase.WITHHOLD)
    turned_up = chien_is_open(state, rows)
    is_taker = state.taker[rows] == viewers
    ecart = state.ecart[rows]
    hidden = np.uint64(0)

    shared = {name: getattr(state, name)[rows] for name in _SHARED}
    return Turn(
        rules=rules,
        seat=viewers,
        hand=state.hands[rows, viewers],
        legal=np.where(acting[:, None], legal, hidden),
        ecart=np.where(is_taker[:, None], ecart, hidden),
        withheld=state.withheld[rows, viewers],
        poignee_declared=np.where(acting, state.poignee_declared[rows], np.int8(0)),
        phase=np.where(secret & ~acting, np.int8(Phase.PLAY), phase),
        chien=np.where(turned_up[:, None], state.chien[rows], hidden),
        shown_discards=ecart & cardsets.TRUMPS,
        **shared,
        **_seen_from(viewers, state, rows, rules.players),
    )


def _seen_from(
    viewers: Int8[np.ndarray, " n"], state: State, rows: Int[np.ndarray, " n"], players: int
) -> dict[str, Any]:
    """The public fields that name a seat or lie by seat, counted from the viewers."""

    def relative(seats: np.ndarray) -> np.ndarray:
        shift = viewers.reshape(-1, *(1,) * (seats.ndim - 1))
        turned = seats - shift
        turned += np.int8(players) * (turned < 0)
        return np.where(seats < 0, np.int8(-1), turned)

    by_seat = (rows[:, None], (viewers[:, None] + np.arange(players, dtype=np.int8)) % players)
    values = {name: relative(getattr(state, _STATE_NAME.get(name, name))[rows]) for name in _SEATS}
    values |= {name: getattr(state, name)[by_seat] for name in _PER_SEAT}
    history = state.history[rows]
    history[..., 0] = relative(history[..., 0])
    return {**values, "history": history}


_STATE_NAME = {"to_act": "seat"}
