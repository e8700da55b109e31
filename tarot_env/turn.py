"""`Turn`: what a seat may know, and nothing else.

The one gate between the tables and whoever chooses actions. Everything is copied out and stands
relative to the viewer: place 0 is the viewer itself, 1 the next to play after it, and so on; the
dummy's hand is at place 2; -1 is nobody. To every other seat a private question looks like what
comes behind it: a redeal question like the opening of the auction, a misère or a poignée being put
together like a turn to play. When a deal has been played everybody sees the chien that lay face
down; the écart stays secret. A Turn holds neither seed nor deal id nor a count of decisions.
"""

from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

import numpy as np
from jaxtyping import Bool, Int, Int8, Int16, Integer, UInt64

from tarot_env import cardsets
from tarot_env.actions import Bid, Phase
from tarot_env.cards import ANY, NUM_CARDS, NUM_SUITS, SUIT_SIZE, TRUMP
from tarot_env.dealing import STOCK_START, TIRETTE_DRAWS, UPPER, face_up_sets
from tarot_env.rules import Rules
from tarot_env.seating import DUMMY, SEATINGS
from tarot_env.state import State, actors


@dataclass(frozen=True)
class Turn:
    """What n viewers know.

    P seats and A hands counted from the viewer, T cards in a trick, K oudlers, O hands of which
    cards lie open (0 but in the games for two), H history rows.
    """

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
    to_act: Int8[np.ndarray, " n"]  # whose hand is to act; the defender acts for the dummy
    dealer: Int8[np.ndarray, " n"]
    bids: Int8[np.ndarray, "n p"]  # -1 not spoken, 0 passed, else the bid
    passes: Int8[np.ndarray, " n"]  # in a row, with six players
    contract: Int8[np.ndarray, " n"]
    contra: Int8[np.ndarray, " n"]  # 1 contred, 2 recontred
    taker: Int8[np.ndarray, " n"]  # the best bidder so far during the auction
    called: Int8[np.ndarray, " n"]  # card
    partner: Int8[np.ndarray, " n"]  # as far as the viewer knows; the taker itself: it is alone
    split: Int8[np.ndarray, " n"]  # half of the chien that the taker took, with six players
    chien: UInt64[np.ndarray, "n 2"]  # empty unless turned up: taken up, or the deal played out
    first_half: UInt64[np.ndarray, "n 2"]  # of the open chien as dealt, with six players
    shown_discards: UInt64[np.ndarray, "n 2"]  # trumps in the écart
    face_up: UInt64[np.ndarray, "n o 2"]  # cards in a hand that everybody has seen there
    covering: UInt64[np.ndarray, "n o 2"]  # Découverte: those with a card under them
    exposed: Int8[np.ndarray, " n"]  # Tirette: the card that lies open beside the stock
    slam_announced: Bool[np.ndarray, " n"]
    petit_chelem_announced: Bool[np.ndarray, " n"]
    misere: Int8[np.ndarray, "n p"]  # declared: 1 no trump, 2 no court card, 3 neither
    poignee_level: Int8[np.ndarray, "n p"]
    poignee_cards: UInt64[np.ndarray, "n p 2"]
    trick_number: Int8[np.ndarray, " n"]
    leader: Int8[np.ndarray, " n"]
    trick_size: Int8[np.ndarray, " n"]
    trick_cards: Int8[np.ndarray, "n t"]  # in order of play from the leader, -1 beyond
    led: Int8[np.ndarray, " n"]  # suit, TRUMP, or ANY
    best_trump: Int8[np.ndarray, " n"]
    best_rank: Int8[np.ndarray, " n"]
    best_seat: Int8[np.ndarray, " n"]  # winning the trick so far
    last_trick: Int8[np.ndarray, "n t"]
    last_leader: Int8[np.ndarray, " n"]
    last_winner: Int8[np.ndarray, " n"]
    played: UInt64[np.ndarray, "n a 2"]
    void: Bool[np.ndarray, "n a 5"]  # play has shown: none of a suit; column 4, no trump
    trump_bound: Int8[np.ndarray, "n a"]  # play has shown: no trump above this number
    tricks_won: Int8[np.ndarray, "n a"]
    trick_half_points: Int16[np.ndarray, "n a"]  # in tricks won, the Excuse left out
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
        if self.rules.players == 2:
            seen = seen | np.bitwise_or.reduce(self.face_up, axis=1) | cardsets.BIT[self.exposed]
        return cardsets.ALL_CARDS & ~(seen | self.shown_discards)

    @cached_property
    def playing_hand(self) -> UInt64[np.ndarray, "n 2"]:
        """The hand that the viewer plays from: its own, or the dummy's when that is to act."""
        if self.rules.hands == self.rules.players:
            return self.hand
        dummy = (self.to_act == DUMMY) & ~cardsets.is_empty(self.legal)
        return np.where(dummy[:, None], self.face_up[:, DUMMY], self.hand)

    @cached_property
    def attack(self) -> Bool[np.ndarray, "n a"]:
        """Hands that the viewer knows to be on the taker's side."""
        hands = np.arange(self.rules.hands)
        known = (hands == self.taker[:, None]) | (hands == self.partner[:, None])
        return known & (self.taker >= 0)[:, None]

    @cached_property
    def takes_lead(self) -> UInt64[np.ndarray, "n 2"]:
        """Cards in hand that would be winning the trick as it lies."""
        in_suit = np.minimum(self.led, NUM_SUITS - 1)
        higher = cardsets.ABOVE_RANK[in_suit, self.best_rank]
        over = cardsets.ABOVE[self.best_trump]
        suit_leads = (self.led < TRUMP) & (self.best_trump == 0)
        beats = np.where(suit_leads[:, None], higher | cardsets.TRUMPS, over)
        anything = (self.led == ANY)[:, None]
        return self.playing_hand & np.where(anything, ~cardsets.EXCUSE, beats)

    @cached_property
    def masters(self) -> UInt64[np.ndarray, "n 2"]:
        """Cards in hand that no unseen card of their suit, or no unseen trump, is higher than."""
        unseen = self.unseen
        masters = cardsets.ABOVE[cardsets.highest_trump(unseen)]
        for suit in range(NUM_SUITS):
            top = cardsets.top_of_suit(unseen, np.full(len(self), suit))
            masters = masters | cardsets.ABOVE_RANK[suit, top]
        return self.playing_hand & masters

    def permute_suits(self, permutation: Integer[np.ndarray, "n 4"]) -> "Turn":
        """The same knowledge with suit s called `permutation[:, s]`, as if so dealt."""
        ids = _permuted_ids(permutation)
        changed: dict[str, Any] = {
            name: cardsets.permute_suits(getattr(self, name), permutation) for name in SUIT_SETS
        }
        for name in ("trick_cards", "last_trick"):
            changed[name] = _lookup(ids, getattr(self, name))
        for name in ("called", "exposed"):
            changed[name] = _lookup(ids, getattr(self, name)[:, None])[:, 0]
        changed["history"] = self.history.copy()
        changed["history"][..., 1] = _lookup(ids, self.history[..., 1])
        kinds = np.concatenate([permutation, np.tile((4, 5), (len(self), 1))], 1)
        changed["led"] = _lookup(kinds.astype(np.int8), self.led[:, None])[:, 0]
        changed["void"] = np.empty_like(self.void)
        np.put_along_axis(changed["void"], kinds[:, None, :5].astype(np.int64), self.void, 2)
        return replace(self, **changed)


ARRAY_NAMES = tuple(f.name for f in fields(Turn) if f.name != "rules")
"""The fields of a Turn that are arrays over its rows."""
SUIT_SETS = ("hand", "legal", "ecart", "chien", "first_half", "face_up", "covering", "played")
"""The fields that hold sets with suit cards; the other sets hold trumps alone."""
_PLACES = (
    "dealer taker leader best_seat last_leader last_winner oudler_player oudler_winner"
).split()
_BY_SEAT = "bids misere poignee_level poignee_cards".split()
_BY_HAND = "played void trump_bound tricks_won trick_half_points".split()
_SHARED = (
    "passes contract contra called split slam_announced petit_chelem_announced trick_number "
    "trick_size trick_cards led best_trump best_rank last_trick oudler_trick history_size"
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
    acting = actors(state, rows) == viewers
    ecart = state.ecart[rows]
    hidden = np.uint64(0)
    is_taker = state.taker[rows] == viewers
    own_ecart = np.where(is_taker[:, None], ecart[:, 0], hidden)
    if rules.in_partnerships:
        is_partner = state.partner[rows] == viewers
        own_ecart = np.where(is_partner[:, None], ecart[:, 1], own_ecart)
    opened = state.chien_open[rows]
    phase, to_act = _public_phase(state, rows, acting, rules)

    shared = {name: getattr(state, name)[rows] for name in _SHARED}
    seating = SEATINGS[rules.game_name]
    return Turn(
        rules=rules,
        seat=viewers,
        hand=state.hands[rows, viewers],
        legal=np.where(acting[:, None], legal, hidden),
        ecart=own_ecart,
        withheld=state.withheld[rows, viewers],
        poignee_declared=np.where(acting, state.poignee_declared[rows], np.int8(0)),
        phase=phase,
        chien=np.where(opened[:, None], state.chien[rows], hidden),
        first_half=_first_half(state, rows, rules),
        shown_discards=np.bitwise_or.reduce(ecart, axis=1) & cardsets.TRUMPS,
        exposed=_exposed(state, rows, rules),
        partner=seating.from_viewer[viewers, _known_partner(state, rows, viewers, rules)],
        to_act=seating.from_viewer[viewers, to_act],
        **shared,
        **_seen_from(viewers, state, rows, rules),
    )


_PRIVATE = (Phase.MISERE, Phase.POIGNEE, Phase.WITHHOLD)
"""Questions before a first card, of which the others hear nothing."""


def _public_phase(
    state: State, rows: Int[np.ndarray, " n"], acting: Bool[np.ndarray, " n"], rules: Rules
) -> tuple[Int8[np.ndarray, " n"], Int8[np.ndarray, " n"]]:
    """Phase and hand to act as the viewers see them."""
    phase, seat = state.phase[rows], state.seat[rows]
    private = np.isin(phase, _PRIVATE) & ~acting
    if rules.poignee_window == "before_first_trick":
        seat = np.where(private, state.leader[rows], seat)
    phase = np.where(private, np.int8(Phase.PLAY), phase)
    redeal = (phase == Phase.PETIT_SEC) & ~acting
    first = SEATINGS[rules.game_name].speakers[state.dealer[rows], 0]
    return np.where(redeal, np.int8(Phase.AUCTION), phase), np.where(redeal, first, seat)


def _known_partner(
    state: State, rows: Int[np.ndarray, " n"], viewers: Int8[np.ndarray, " n"], rules: Rules
) -> Int8[np.ndarray, " n"]:
    """The taker's partner where the viewer knows it; the taker where it is known to be alone.

    With a called card: its holder knows, and so does the taker that has it in hand; the others when
    it has been played or lies in the open chien.
    """
    partner = state.partner[rows]
    if not rules.calls_king:
        return partner
    called, taker = cardsets.BIT[state.called[rows]], state.taker[rows]
    shown = np.bitwise_or.reduce(state.played[rows], axis=1)
    shown |= np.where(state.chien_open[rows][:, None], state.chien[rows], np.uint64(0))
    shown |= state.hands[rows, viewers]
    shown |= np.where((taker == viewers)[:, None], state.ecart[rows, 0], np.uint64(0))
    known = ~cardsets.is_empty(shown & called)
    truth = np.where(partner < 0, taker, partner)
    return np.where(known, truth, np.int8(-1))


def _first_half(
    state: State, rows: Int[np.ndarray, " n"], rules: Rules
) -> UInt64[np.ndarray, "n 2"]:
    """With six players: the first three cards of a chien that lies open."""
    if not rules.in_partnerships:
        return np.zeros((len(rows), 2), np.uint64)
    start = rules.hands * rules.hand_size
    cards = cardsets.BIT[state.pack[rows, start : start + rules.chien_size // 2]]
    half: np.ndarray = np.bitwise_or.reduce(cards, axis=1)
    return np.where(state.chien_open[rows][:, None], half, np.uint64(0))


def _exposed(state: State, rows: Int[np.ndarray, " n"], rules: Rules) -> Int8[np.ndarray, " n"]:
    """Tirette: the bottom card of the stock, from the beginning of play until it is drawn."""
    if rules.game != "tirette":
        return np.full(len(rows), -1, np.int8)
    lies = (state.phase[rows] == Phase.PLAY) & (state.trick_number[rows] < TIRETTE_DRAWS)
    return np.where(lies, state.pack[rows, NUM_CARDS - 1], -1).astype(np.int8)


def _seen_from(
    viewers: Int8[np.ndarray, " n"], state: State, rows: Int[np.ndarray, " n"], rules: Rules
) -> dict[str, Any]:
    """The public fields that name a hand or lie by seat or hand, counted from the viewers."""
    seating = SEATINGS[rules.game_name]

    def place(hands: np.ndarray) -> np.ndarray:
        viewer = viewers.reshape(-1, *(1,) * (hands.ndim - 1))
        if rules.hands > rules.players:
            return seating.from_viewer[viewer, hands]
        turned = hands - viewer
        turned += np.int8(rules.players) * (turned < 0)
        return np.where(hands < 0, np.int8(-1), turned)

    hands = seating.by_place[viewers]
    by_hand = (rows[:, None], hands)
    by_seat = (rows[:, None], hands[:, : rules.players])
    values = {name: place(getattr(state, name)[rows]) for name in _PLACES}
    values |= {name: getattr(state, name)[by_seat] for name in _BY_SEAT}
    values |= {name: getattr(state, name)[by_hand] for name in _BY_HAND}
    values["face_up"] = state.face_up[by_hand] if rules.players == 2 else state.face_up[rows]
    values["covering"] = _covering(state, by_hand, values["face_up"], rules)
    history = state.history[rows]
    history[..., 0] = place(history[..., 0])
    return {**values, "history": history}


def _covering(
    state: State, by_hand: Any, face_up: UInt64[np.ndarray, "n o 2"], rules: Rules
) -> UInt64[np.ndarray, "n o 2"]:
    """Découverte: upper cards that have not been played yet, each of which covers another."""
    if rules.game != "decouverte":
        return np.zeros_like(face_up)
    rows, hands = by_hand
    upper: np.ndarray = face_up_sets(state.pack[rows[:, 0]])
    return upper[np.arange(len(rows))[:, None], hands] & face_up


@dataclass(frozen=True)
class Hidden:
    """All cards, seen from n viewers: for critics in training and for `state()`, never an actor."""

    hands: UInt64[np.ndarray, "n a 2"]
    chien: UInt64[np.ndarray, "n 2"]
    ecart: UInt64[np.ndarray, "n p 2"]
    covered: UInt64[np.ndarray, "n o 2"]  # Découverte, by seat; Tirette, all at place 0
    withheld: UInt64[np.ndarray, "n p 2"]
    poignee_declared: Int8[np.ndarray, "n p"]
    partner: Int8[np.ndarray, " n"]
    phase: Int8[np.ndarray, " n"]

    def permute_suits(self, permutation: Integer[np.ndarray, "n 4"]) -> "Hidden":
        """The same cards with suit s called `permutation[:, s]`, as `Turn.permute_suits`."""
        sets = {
            name: cardsets.permute_suits(getattr(self, name), permutation)
            for name in ("hands", "chien", "ecart", "covered")
        }
        return replace(self, **sets)


def make_hidden(
    state: State, rows: Int[np.ndarray, " n"], viewers: Integer[np.ndarray, " n"], rules: Rules
) -> Hidden:
    """All cards of the named tables; arguments as for `make_turn`."""
    seating, every = SEATINGS[rules.game_name], np.arange(len(rows))
    hands = seating.by_place[viewers]
    by_hand = (rows[:, None], hands)
    by_seat = (rows[:, None], hands[:, : rules.players])
    declared = np.zeros((len(rows), rules.players), np.int8)
    actor = seating.from_viewer[viewers, actors(state, rows)]
    declared[every, actor] = state.poignee_declared[rows]
    ecart = np.zeros((len(rows), rules.players, 2), np.uint64)
    for column, seats in enumerate((state.taker, state.partner)[: state.ecart.shape[1]]):
        taken = seats[rows] >= 0
        places = seating.from_viewer[viewers, seats[rows]]
        ecart[every[taken], places[taken]] |= state.ecart[rows[taken], column]
    return Hidden(
        hands=state.hands[by_hand],
        chien=state.chien[rows],
        ecart=ecart,
        covered=_covered(state, rows, by_hand, rules),
        withheld=state.withheld[by_seat],
        poignee_declared=declared,
        partner=seating.from_viewer[viewers, state.partner[rows]],
        phase=state.phase[rows],
    )


def _covered(
    state: State, rows: Int[np.ndarray, " n"], by_hand: Any, rules: Rules
) -> UInt64[np.ndarray, "n o 2"]:
    """Cards that nobody holds yet: under others, or in the second stock."""
    there: np.ndarray = np.zeros((len(rows), state.face_up.shape[1], 2), np.uint64)
    if rules.game == "decouverte":
        below = np.bitwise_or.reduce(cardsets.BIT[state.pack[rows][:, UPPER + 1]], axis=2)
        there = below[np.arange(len(rows))[:, None], by_hand[1]]
    elif rules.game == "tirette":
        there[:, 0] = np.bitwise_or.reduce(cardsets.BIT[state.pack[rows, STOCK_START:]], axis=1)
    held = np.bitwise_or.reduce(state.hands[rows] | state.played[rows], axis=1)
    return there & ~held[:, None]
