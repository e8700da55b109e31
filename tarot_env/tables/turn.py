"""`Turn`: what a seat may know, and nothing else.

The one gate between the tables and whoever chooses actions. Everything is copied out and, but for
`seat` and `events`, stands relative to the viewer: place 0 is the viewer itself, 1 the next to play
after it, and so on; the dummy's hand is at place 2; -1 is nobody. To every other seat a private
question looks like what comes behind it: a redeal question like the opening of the auction, a
misère or a poignée being put together like a turn to play. When a deal has been played everybody
sees the chien that lay face down; the écart stays secret. A Turn holds neither seed nor deal id nor
a count of decisions.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property, reduce
from typing import Any

import numpy as np
from jaxtyping import Bool, Int, Int8, Int16, Integer, UInt64

from tarot_env.cards import ANY, NUM_CARDS, NUM_SUITS, NUM_TRUMPS, SUIT_SIZE, TRUMP, cardsets
from tarot_env.cards.actions import Bid, Phase
from tarot_env.core.dealing import TIRETTE_DRAWS, face_up_sets
from tarot_env.core.seating import SEATING_STRIDE, SEATINGS, hands_and_sides
from tarot_env.core.state import (
    BY_HAND,
    BY_SEAT,
    BY_TABLE,
    State,
    actors,
    by_hand_in_a_row,
    sets_in_a_row,
)
from tarot_env.rules import Rules
from tarot_env.rules.books import DUMMY


@dataclass(eq=False)
class Turn:
    """What n viewers know.

    P seats and A hands counted from the viewer, T cards in a trick, K oudlers, O hands of which
    cards lie open (0 but in the games for two), D cards in a second stock or in piles, H history
    rows.
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
    beside: Int8[np.ndarray, "n d"]  # stock or piles in the order of the pack, -1 for one not seen
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
    on_table: Int8[np.ndarray, "n a"]  # each hand's card in this trick, -1 for none
    played: UInt64[np.ndarray, "n a 2"]
    void: Bool[np.ndarray, "n a 5"]  # play has shown: none of a suit; column 4, no trump
    trump_bound: Int8[np.ndarray, "n a"]  # play has shown: no trump above this number
    tricks_won: Int8[np.ndarray, "n a"]
    trick_half_points: Int16[np.ndarray, "n a"]  # in tricks won, the Excuse left out
    oudler_player: Int8[np.ndarray, "n k"]  # petit, 21, Excuse: who played it
    oudler_trick: Int8[np.ndarray, "n k"]
    oudler_winner: Int8[np.ndarray, "n k"]
    events: Int8[np.ndarray, "n h 2"]  # public: absolute seat, action; see `history`
    history_size: Int16[np.ndarray, " n"]

    def __len__(self) -> int:
        return len(self.seat)

    def take(self, rows: Integer[np.ndarray, " m"] | Bool[np.ndarray, " n"] | slice) -> "Turn":
        """The named rows, by index or mask; those of a slice are not copied."""
        arrays = {name: getattr(self, name) for name in ARRAY_NAMES}
        if isinstance(rows, slice):
            return replace(self, **{name: array[rows] for name, array in arrays.items()})
        at = np.arange(len(self))[rows]
        return replace(self, **{name: array.take(at, axis=0) for name, array in arrays.items()})

    @cached_property
    def legal_mask(self) -> Bool[np.ndarray, "n 95"]:
        """Legal actions as one boolean per action id."""
        return cardsets.to_mask(self.legal)

    @cached_property
    def history(self) -> Int8[np.ndarray, "n h 2"]:
        """Public events in order: seat from the viewer, action (-1: a card set aside)."""
        history = self.events.copy()
        history[..., 0] = _counted_from(self.seat, history[..., 0], self.rules)
        return history

    @cached_property
    def unseen(self) -> UInt64[np.ndarray, "n 2"]:
        """Cards whose place the viewer does not know from seeing them."""
        seen = self.hand | self.ecart | self.shown_discards | _together(self.played)
        seen |= cardsets.where(self.contract > _GARDE, self.chien)
        if self.rules.players == 2:
            seen |= _together(self.face_up) | cardsets.BIT[self.exposed]
        return cardsets.ALL_CARDS & ~seen

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
        return _ATTACK[self.rules.hands].take(self.sides, axis=0)

    @cached_property
    def defence(self) -> Bool[np.ndarray, "n a"]:
        """Hands that play against the taker, as far as the viewer knows; none without a taker."""
        return _DEFENCE[self.rules.hands].take(self.sides, axis=0)

    @cached_property
    def sides(self) -> Int8[np.ndarray, " n"]:
        """Taker and partner as one number, a place in tables of `hands_and_sides`."""
        return self.taker * np.int8(SEATING_STRIDE) + self.partner

    @cached_property
    def takes_lead(self) -> UInt64[np.ndarray, "n 2"]:
        """Cards in hand that would be winning the trick as it lies."""
        lead = self.led * np.int16(_LEADS[1]) + self.best_trump
        return self.playing_hand & _BEATS.take(lead * np.int16(_LEADS[2]) + self.best_rank, axis=0)

    @cached_property
    def masters(self) -> UInt64[np.ndarray, "n 2"]:
        """Cards in hand that no unseen card of their suit, or no unseen trump, is higher than."""
        return self.playing_hand & ~(cardsets.lower(self.unseen) | cardsets.EXCUSE)

    def permute_suits(self, permutation: Integer[np.ndarray, "n 4"]) -> "Turn":
        """The same knowledge with suit s called `permutation[:, s]`, as if so dealt."""
        ids = _permuted_ids(permutation)
        changed: dict[str, Any] = {
            name: cardsets.permute_suits(getattr(self, name), permutation) for name in SUIT_SETS
        }
        for name in ("trick_cards", "on_table", "last_trick", "beside"):
            changed[name] = _lookup(ids, getattr(self, name))
        for name in ("called", "exposed"):
            changed[name] = _lookup(ids, getattr(self, name)[:, None])[:, 0]
        changed["events"] = self.events.copy()
        changed["events"][..., 1] = _lookup(ids, self.events[..., 1])
        kinds = np.concatenate([permutation, np.tile((4, 5), (len(self), 1))], 1)
        changed["led"] = _lookup(kinds.astype(np.int8), self.led[:, None])[:, 0]
        changed["void"] = np.empty_like(self.void)
        np.put_along_axis(changed["void"], kinds[:, None, :5].astype(np.int64), self.void, 2)
        return replace(self, **changed)


ARRAY_NAMES = tuple(f.name for f in fields(Turn) if f.name != "rules")
"""The fields of a Turn that are arrays over its rows."""
SUIT_SETS = ("hand", "legal", "ecart", "chien", "first_half", "face_up", "covering", "played")
"""The fields that hold sets with suit cards; the other sets hold trumps alone."""


_GARDE = np.int8(Bid.GARDE)
_LEADS = ANY + 1, NUM_TRUMPS + 1, SUIT_SIZE + 1
"""How many values what was led, the best trump and the best rank have."""


def _beats() -> UInt64[np.ndarray, "l 2"]:
    """Cards that would be winning a trick, by what was led, the best trump and the best rank."""
    led, best_trump, best_rank = np.indices(_LEADS).reshape(3, -1)
    in_suit = cardsets.above_rank(np.minimum(led, NUM_SUITS - 1), best_rank)
    suit_leads = (led < TRUMP) & (best_trump == 0)
    beats = cardsets.ABOVE[best_trump] | cardsets.where(suit_leads, in_suit)
    suit_cards = cardsets.ALL_CARDS & ~cardsets.TRUMPS & ~cardsets.EXCUSE
    return beats | cardsets.where(led == ANY, suit_cards)


_BEATS = _beats()


def _attack(hands: int) -> Bool[np.ndarray, "64 a"]:
    """Who attacks, by the sides; nobody without a taker."""
    taker, partner = (hand[:, None] for hand in hands_and_sides(0))
    hand = np.arange(hands)
    return (taker >= 0) & ((hand == taker) | (hand == partner))


_HANDS = range(2, SEATING_STRIDE - 1)
_ATTACK = {hands: _attack(hands) for hands in _HANDS}
_DEFENCE = {
    hands: (hands_and_sides(0)[0] >= 0)[:, None] & ~attack for hands, attack in _ATTACK.items()
}


def _together(sets: UInt64[np.ndarray, "n m 2"]) -> UInt64[np.ndarray, "n 2"]:
    """The union of some sets of each row."""
    union: UInt64[np.ndarray, "n 2"] = reduce(np.bitwise_or, sets.swapaxes(0, 1))
    return union


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
    seating = SEATINGS[rules.game_name]
    hands = rows[:, None] * rules.hands + seating.by_place.take(viewers, axis=0)
    seats = hands
    if rules.hands > rules.players:
        seats = rows[:, None] * rules.players + seating.by_place[viewers, : rules.players]
    table = state.by_table.take(rows)
    by_hand = by_hand_in_a_row(state).take(hands)
    acting = actors(state, rows) == viewers
    all_act = acting.all()
    sets = {
        "hand": cardsets.take(sets_in_a_row(state.hands), hands[:, 0]),
        "legal": legal if all_act else cardsets.where(acting, legal),
        "withheld": cardsets.take(sets_in_a_row(state.withheld), seats[:, 0]),
        "chien": cardsets.where(state.chien_open[rows], cardsets.take(state.chien, rows)),
        "first_half": _first_half(state, rows, rules),
        **_ecarts(state, rows, table, viewers, rules),
        **_open_cards(state, rows, hands, rules),
        "played": cardsets.take(sets_in_a_row(state.played), hands),
        "poignee_cards": cardsets.take(sets_in_a_row(state.poignee_cards), seats),
    }

    # what the table keeps secret is replaced in the copy; then seats are counted from the viewer
    table["partner"] = _known_partner(table, sets, rules)
    if not all_act:
        _make_public(table, acting, rules)
    places_end = table.dtype.fields["phase"][1]  # type: ignore[index]
    named = table.view(np.int8).reshape(len(rows), table.itemsize)[:, :places_end]
    named[...] = _counted_from(viewers, named, rules)

    public: dict[str, Any] = {called: table[name] for called, name in _FROM_TABLE}
    public |= {name: by_hand[name] for name in BY_HAND}
    if rules.hands > rules.players:
        public |= {name: public[name][:, : rules.players] for name in BY_SEAT}
    return Turn(
        rules=rules,
        seat=viewers,
        poignee_declared=state.poignee_declared[rows] * acting,
        exposed=_exposed(state, rows, rules),
        beside=_beside(state, rows, rules),
        events=state.history.take(rows, axis=0),
        **sets,
        **public,
    )


TURN_NAMES = {"seat": "to_act"}
"""What a Turn calls a field of the table by another name."""
_FROM_TABLE = [(TURN_NAMES.get(name, name), name) for name in BY_TABLE]
_PRIVATE = np.isin(np.arange(len(Phase)), (Phase.MISERE, Phase.POIGNEE, Phase.WITHHOLD))
"""bool [11]: questions before a first card, of which the others hear nothing."""


def _counted_from(
    viewers: Int8[np.ndarray, " n"], hands: Int8[np.ndarray, "n m"], rules: Rules
) -> Int8[np.ndarray, "n m"]:
    """Hands as the viewers count them; -1 stays."""
    table = SEATINGS[rules.game_name].counted
    return table.take(hands + np.int8(SEATING_STRIDE) * viewers[:, None])


def _make_public(table: np.ndarray, acting: Bool[np.ndarray, " n"], rules: Rules) -> None:
    """Phase and hand to act as the viewers see them, in records of the table."""
    phase = table["phase"]
    private = _PRIVATE[phase] & ~acting
    if rules.poignee_window == "before_first_trick":
        table["seat"] = np.where(private, table["leader"], table["seat"])
    if rules.asks_for_redeals:
        redeal = (phase == _PETIT_SEC) & ~acting
        first = SEATINGS[rules.game_name].speakers[table["dealer"], 0]
        table["seat"] = np.where(redeal, first, table["seat"])
        phase = np.where(redeal, _AUCTION, phase)
    table["phase"] = np.where(private, _PLAY, phase)


_PETIT_SEC, _AUCTION, _PLAY = np.int8(Phase.PETIT_SEC), np.int8(Phase.AUCTION), np.int8(Phase.PLAY)


def _known_partner(
    table: np.ndarray, seen: Mapping[str, UInt64[np.ndarray, "n ..."]], rules: Rules
) -> Int8[np.ndarray, " n"]:
    """The taker's partner where the viewer knows it; the taker where it is known to be alone.

    With a called card: its holder knows, and so does the taker that has it in hand; the others when
    it has been played or lies in the open chien.
    """
    partner: Int8[np.ndarray, " n"] = table["partner"]
    if not rules.calls_king:
        return partner
    cards = seen["hand"] | seen["ecart"] | seen["chien"] | _together(seen["played"])
    known = cardsets.contains(cards, table["called"])
    truth = np.where(partner < 0, table["taker"], partner)
    return np.where(known, truth, np.int8(-1))


def _ecarts(
    state: State,
    rows: Int[np.ndarray, " n"],
    table: np.ndarray,
    viewers: Int8[np.ndarray, " n"],
    rules: Rules,
) -> dict[str, UInt64[np.ndarray, "n 2"]]:
    """The viewer's own écart, and the trumps that everybody saw go into one."""
    ecart = state.ecart.take(rows, axis=0)
    own, everybody = cardsets.where(table["taker"] == viewers, ecart[:, 0]), ecart[:, 0]
    if rules.in_partnerships:
        own = own | cardsets.where(table["partner"] == viewers, ecart[:, 1])
        everybody = everybody | ecart[:, 1]
    return {"ecart": own, "shown_discards": everybody & cardsets.TRUMPS}


def _open_cards(
    state: State, rows: Int[np.ndarray, " n"], hands: Int[np.ndarray, "n a"], rules: Rules
) -> dict[str, UInt64[np.ndarray, "n o 2"]]:
    """Cards in a hand that everybody has seen there; Découverte: those that cover another."""
    if rules.players > 2:
        nothing = np.zeros((len(rows), 0, 2), np.uint64)
        return {"face_up": nothing, "covering": nothing}
    face_up = cardsets.take(sets_in_a_row(state.face_up), hands)
    covering = np.zeros_like(face_up)
    if rules.game == "decouverte":  # upper cards that have not been played yet
        upper = sets_in_a_row(face_up_sets(state.pack[rows]))
        at = hands + ((np.arange(len(rows)) - rows) * rules.hands)[:, None]
        covering = cardsets.take(upper, at) & face_up
    return {"face_up": face_up, "covering": covering}


def _first_half(
    state: State, rows: Int[np.ndarray, " n"], rules: Rules
) -> UInt64[np.ndarray, "n 2"]:
    """With six players: the first three cards of a chien that lies open."""
    if not rules.in_partnerships:
        return np.zeros((len(rows), 2), np.uint64)
    start = rules.hands * rules.hand_size
    half = cardsets.of_ids(state.pack[rows, start : start + rules.chien_size // 2])
    return cardsets.where(state.chien_open[rows], half)


def _exposed(state: State, rows: Int[np.ndarray, " n"], rules: Rules) -> Int8[np.ndarray, " n"]:
    """Tirette: the bottom card of the stock, from the beginning of play until it is drawn."""
    if rules.game != "tirette":
        return np.full(len(rows), -1, np.int8)
    lies = (state.phase[rows] == Phase.PLAY) & (state.trick_number[rows] < TIRETTE_DRAWS)
    return np.where(lies, state.pack[rows, NUM_CARDS - 1], -1).astype(np.int8)


def _beside(state: State, rows: Int[np.ndarray, " n"], rules: Rules) -> Int8[np.ndarray, "n d"]:
    """Second stock and piles as dealt, as far as everybody has seen their cards."""
    if rules.game not in ("decouverte", "tirette"):
        return np.zeros((len(rows), 0), np.int8)
    cards = state.pack[rows, rules.hands * rules.hand_size + rules.chien_size :].astype(np.int8)
    seen = np.bitwise_or.reduce(state.face_up[rows] | state.played[rows], axis=1)
    seen |= cardsets.BIT[_exposed(state, rows, rules)]
    return np.where(cardsets.contains(seen[:, None], cards), cards, np.int8(-1))
