"""`Turn`: what a seat may know, and nothing else.

The one gate between the tables and whoever chooses actions: agents, observations and masks are
made from it alone. Everything is copied out and, but for `seat` and `events`, stands relative to
the viewer: place 0 is the viewer itself, 1 the next to play after it, and so on; the dummy's hand
is at place 2; -1 is nobody. To every other seat a private question looks like what comes after it:
a redeal question like the opening of the auction, a misère or a poignée being put together like a
turn to play. When a deal has been played everybody sees the chien that lay face down; the écart
stays secret. A Turn holds neither seed nor deal id nor a count of decisions.

`TURN` is one such view as a record, `see` writes it from a table; a `Turn` is n of them.
"""

from functools import cached_property
from typing import Any

import numpy as np
from jaxtyping import Bool, Int, Int8, Int16, Integer, UInt64

from tarot_env.cards import FIRST_TRUMP, NUM_CARDS, NUM_SUITS, SUIT_SIZE, TRUMP, cardsets
from tarot_env.core.bits import (
    ALL_SUITS,
    ONE_SUIT,
    TRUMPS,
    TRUMPS_AND_EXCUSE,
    as_words,
    bit_of,
    contains,
    length,
    suit_of,
)
from tarot_env.core.compiling import as_compiled, kernel, loop
from tarot_env.core.dealing import NUM_PILES
from tarot_env.core.seating import SEATINGS
from tarot_env.core.state import (
    _I1,
    _I2,
    _I4,
    AUCTION,
    GARDE,
    MISERE,
    MOST_HANDS,
    PETIT_SEC,
    PLAY,
    POIGNEE,
    WITHHOLD,
    actor,
    as_records,
    chien,
    choice,
    half_chien,
    lies_open,
    rules_record,
    take_records,
    write_events,
)
from tarot_env.errors import TarotError
from tarot_env.phases.two_player import exposed, upper_place
from tarot_env.rules import Rules
from tarot_env.rules.books import DUMMY

_OPEN_HANDS = 3
"""Hands of the games for two."""
_MOST_BESIDE = 48
"""Cards that lie in no hand and no chien in any game: those in piles."""
_BEFORE_FIRST_TRICK = choice("poignee_window", "before_first_trick")

_SETS = "hand legal ecart chien first_half".split()
_PLACES = "to_act dealer taker partner leader best_seat last_leader last_winner".split()
_BY_HAND = "trump_bound tricks_won on_table void suits_led".split()
_BY_SEAT = "bids misere poignee_level".split()
_NUMBERS = (
    "seat phase poignee_declared passes contract contra called split exposed slam_announced "
    "petit_chelem_announced trick_number trick_size led best_trump best_rank"
).split()
TURN: Any = np.dtype(
    (
        np.record,
        np.dtype(
            [
                *((name, "i8", 2) for name in _SETS),
                ("played", "i8", (MOST_HANDS, 2)),
                ("face_up", "i8", (_OPEN_HANDS, 2)),
                ("covering", "i8", (_OPEN_HANDS, 2)),
                ("poignee_cards", _I4, MOST_HANDS),  # trumps and the Excuse alone
                ("withheld", _I4),
                ("shown_discards", _I4),
                ("trick_half_points", _I2, MOST_HANDS),
                ("history_size", _I2),
                *((name, _I1) for name in (*_NUMBERS, *_PLACES)),
                *((name, _I1, MOST_HANDS) for name in (*_BY_HAND, *_BY_SEAT)),
                ("trick_cards", _I1, MOST_HANDS),
                ("last_trick", _I1, MOST_HANDS),
                ("oudler_player", _I1, 3),
                ("oudler_trick", _I1, 3),
                ("oudler_winner", _I1, 3),
                ("beside", _I1, _MOST_BESIDE),
                ("filling", _I1, 5),  # 0; so that equal turns are equal byte by byte
            ],
            align=True,
        ),
    )
)
"""What one viewer knows, as a record for all games; `Turn` says what the fields mean."""


# -- from a table to what a seat may know of it


@kernel
def see(t: Any, legal_suits: int, legal_rest: int, rules: Any, viewer: int, turn: Any) -> None:
    """Writes what a viewer may know of a table; of fields without use in the game, nothing.

    Args:
        t: the table.
        legal_suits: legal actions of the seat to act.
        legal_rest: the same.
        rules: what is played.
        viewer: absolute seat.
        turn: a record of `TURN`, written. What it held before was of the same game.
    """
    acts = viewer == actor(t, rules)
    turn.seat = viewer
    turn.hand[0], turn.hand[1] = t.hands[viewer, 0], t.hands[viewer, 1]
    turn.legal[0], turn.legal[1] = (legal_suits, legal_rest) if acts else (0, 0)
    turn.withheld = t.withheld[viewer]
    turn.poignee_declared = t.poignee_declared if acts else 0
    _see_ecart(t, rules, viewer, turn)
    turn.chien[0] = turn.chien[1] = 0
    if t.chien_open:
        turn.chien[0], turn.chien[1] = chien(t, rules)
        if rules.in_partnerships:
            turn.first_half[0], turn.first_half[1] = half_chien(t, rules, 0)
    elif rules.in_partnerships:
        turn.first_half[0] = turn.first_half[1] = 0

    turn.phase = t.phase
    to_act = t.seat
    if not acts:
        if t.phase == PETIT_SEC:
            turn.phase, to_act = AUCTION, rules.speakers[t.dealer, 0]
        elif t.phase == MISERE or t.phase == POIGNEE or t.phase == WITHHOLD:
            turn.phase = PLAY
            if rules.poignee_window == _BEFORE_FIRST_TRICK:
                to_act = t.leader
    turn.to_act = from_viewer(rules, viewer, to_act)

    for place in range(rules.players):
        seat = rules.by_place[viewer, place]
        turn.bids[place] = t.bids[seat]
        turn.misere[place] = t.misere[seat]
        turn.poignee_level[place] = t.poignee_level[seat]
        turn.poignee_cards[place] = t.poignee_cards[seat]
    for place in range(rules.hands):
        hand = rules.by_place[viewer, place]
        turn.played[place, 0], turn.played[place, 1] = t.played[hand, 0], t.played[hand, 1]
        turn.void[place] = t.void[hand]
        turn.suits_led[place] = t.suits_led >> (4 * hand) & 15
        turn.trump_bound[place] = t.trump_bound[hand]
        turn.tricks_won[place] = t.tricks_won[hand]
        turn.trick_half_points[place] = t.trick_half_points[hand]
        turn.on_table[place] = -1
    hand = t.leader
    for order in range(rules.cards_per_trick):
        turn.trick_cards[order] = t.trick_cards[order]
        turn.last_trick[order] = t.last_trick[order]
        if order < t.trick_size:
            turn.on_table[rules.from_viewer[viewer, hand]] = t.trick_cards[order]
            hand = rules.next_hand[t.dealer, hand]
    for oudler in range(3):
        turn.oudler_player[oudler] = from_viewer(rules, viewer, t.oudler_player[oudler])
        turn.oudler_trick[oudler] = t.oudler_trick[oudler]
        turn.oudler_winner[oudler] = from_viewer(rules, viewer, t.oudler_winner[oudler])

    turn.dealer = rules.from_viewer[viewer, t.dealer]
    turn.taker = from_viewer(rules, viewer, t.taker)
    turn.passes, turn.contract, turn.contra = t.passes, t.contract, t.contra
    turn.called, turn.split = t.called, t.split
    turn.slam_announced = t.slam_announced
    turn.petit_chelem_announced = t.petit_chelem_announced
    turn.trick_number, turn.trick_size, turn.led = t.trick_number, t.trick_size, t.led
    turn.best_trump, turn.best_rank = t.best_trump, t.best_rank
    turn.leader = from_viewer(rules, viewer, t.leader)
    turn.best_seat = from_viewer(rules, viewer, t.best_seat)
    turn.last_leader = from_viewer(rules, viewer, t.last_leader)
    turn.last_winner = from_viewer(rules, viewer, t.last_winner)
    turn.partner = from_viewer(rules, viewer, known_partner(t, rules, turn))
    turn.exposed = -1
    if rules.players == 2:
        _see_open_cards(t, rules, viewer, turn)


@kernel
def from_viewer(rules: Any, viewer: int, hand: int) -> int:
    """A hand as the viewer counts; nobody stays nobody."""
    return int(rules.from_viewer[viewer, hand]) if hand >= 0 else -1


@kernel
def _see_ecart(t: Any, rules: Any, viewer: int, turn: Any) -> None:
    """The viewer's own écart, and the trumps that everybody saw go into one."""
    turn.ecart[0] = turn.ecart[1] = 0
    if viewer == t.taker:
        turn.ecart[0], turn.ecart[1] = t.ecart[0, 0], t.ecart[0, 1]
    elif rules.in_partnerships and viewer == t.partner:
        turn.ecart[0], turn.ecart[1] = t.ecart[1, 0], t.ecart[1, 1]
    turn.shown_discards = (t.ecart[0, 1] | t.ecart[1, 1]) & TRUMPS


@kernel
def known_partner(t: Any, rules: Any, turn: Any) -> int:
    """The taker's partner where the viewer knows it; the taker where it is known to be alone.

    With a called card: its holder knows, and so does the taker that has it in hand; the others when
    it has been played or lies in the open chien.
    """
    if not rules.calls_king:
        return int(t.partner)
    suits = turn.hand[0] | turn.ecart[0] | turn.chien[0]
    for place in range(rules.hands):
        suits |= turn.played[place, 0]
    if t.called < 0 or not contains(suits, 0, t.called):
        return -1
    return int(t.taker) if t.partner < 0 else int(t.partner)


@kernel
def _see_open_cards(t: Any, rules: Any, viewer: int, turn: Any) -> None:
    """Cards in a hand that everybody has seen there, what they cover, stock and piles."""
    open_card = exposed(t, rules, t.phase == PLAY)
    turn.exposed = open_card
    seen_suits, seen_rest = bit_of(open_card)
    for place in range(rules.hands):
        hand = rules.by_place[viewer, place]
        suits, rest = lies_open(t, hand)
        turn.face_up[place, 0], turn.face_up[place, 1] = suits, rest
        seen_suits, seen_rest = seen_suits | suits, seen_rest | rest
        seen_suits, seen_rest = seen_suits | t.played[hand, 0], seen_rest | t.played[hand, 1]
        if rules.decouverte:  # upper cards that have not been played yet
            upper_suits = upper_rest = 0
            for pile in range(NUM_PILES):
                upper, upper_2 = bit_of(int(t.pack[upper_place(hand, pile)]))
                upper_suits, upper_rest = upper_suits | upper, upper_rest | upper_2
            turn.covering[place, 0], turn.covering[place, 1] = (
                upper_suits & suits,
                upper_rest & rest,
            )
    start = rules.chien_start + rules.chien_size
    for place in range(start, NUM_CARDS):
        card = int(t.pack[place])
        turn.beside[place - start] = card if contains(seen_suits, seen_rest, card) else -1


# -- what follows from it


@kernel
def played_sets(turn: Any, rules: Any) -> tuple[int, int]:
    """All cards played so far."""
    suits = rest = 0
    for place in range(rules.hands):
        suits |= turn.played[place, 0]
        rest |= turn.played[place, 1]
    return suits, rest


@kernel
def unseen(turn: Any, rules: Any) -> tuple[int, int]:
    """Cards whose place the viewer does not know from seeing them."""
    suits, rest = played_sets(turn, rules)
    suits |= turn.hand[0] | turn.ecart[0]
    rest |= turn.hand[1] | turn.ecart[1] | turn.shown_discards
    if turn.contract > GARDE:
        suits, rest = suits | turn.chien[0], rest | turn.chien[1]
    if rules.players == 2:
        for place in range(rules.hands):
            suits, rest = suits | turn.face_up[place, 0], rest | turn.face_up[place, 1]
        open_suits, open_rest = bit_of(turn.exposed)
        suits, rest = suits | open_suits, rest | open_rest
    return ALL_SUITS & ~suits, TRUMPS_AND_EXCUSE & ~rest


@kernel
def playing_hand(turn: Any, rules: Any) -> tuple[int, int]:
    """The hand that the viewer plays from: its own, or the dummy's when that is to act."""
    if turn.to_act == DUMMY and rules.dummy and (turn.legal[0] | turn.legal[1]) != 0:
        return turn.face_up[DUMMY, 0], turn.face_up[DUMMY, 1]
    return turn.hand[0], turn.hand[1]


@kernel
def takes_lead(turn: Any, suits: int, rest: int) -> tuple[int, int]:
    """Which cards would be winning the trick as it lies; without a lead, all but the Excuse."""
    if turn.led < TRUMP:
        rank = turn.best_rank if turn.best_trump == 0 else SUIT_SIZE
        suits &= (ONE_SUIT >> rank << rank) << (SUIT_SIZE * turn.led)
    elif turn.led == TRUMP:
        suits = 0
    return suits, (rest & TRUMPS) >> turn.best_trump << turn.best_trump


@kernel
def masters(suits: int, rest: int, unseen_suits: int, unseen_rest: int) -> tuple[int, int]:
    """Which cards no unseen one of their suit, or no unseen trump, is higher than."""
    found = 0
    for suit in range(NUM_SUITS):
        own, first = suit_of(suits, suit), length(suit_of(unseen_suits, suit))
        found |= (own >> first << first) << (SUIT_SIZE * suit)
    first = length(unseen_rest & TRUMPS)
    return found, (rest & TRUMPS) >> first << first


@kernel
def on_attack(turn: Any, hand: int) -> bool:
    """Whether the viewer knows a hand to be on the taker's side; nobody is without a taker."""
    return hand >= 0 and (hand == turn.taker or hand == turn.partner)


@loop
def see_all(
    tables: Any,
    legal: Any,
    events: Any,
    rules: Any,
    rows: Any,
    viewers: Any,
    turns: Any,
    history: Any,
) -> None:
    """What the viewers know of the named tables, the public events included."""
    for i in range(len(rows)):
        row = rows[i]
        t = tables[row]
        see(t, legal[row, 0], legal[row, 1], rules[0], viewers[i], turns[i])
        history[i] = -1
        turns[i].history_size = write_events(events[row, : t.num_events], True, history[i])


@loop
def _unseen_all(turns: Any, rules: Any, out: Any) -> None:
    for i in range(len(turns)):
        out[i, 0], out[i, 1] = unseen(turns[i], rules[0])


@loop
def _in_hand_all(turns: Any, rules: Any, lead: Any, master: Any, held: Any) -> None:
    """Cards of the hand played from: those that take the lead, the masters, all."""
    for i in range(len(turns)):
        turn = turns[i]
        suits, rest = playing_hand(turn, rules[0])
        held[i, 0], held[i, 1] = suits, rest
        lead[i, 0], lead[i, 1] = takes_lead(turn, suits, rest)
        unseen_suits, unseen_rest = unseen(turn, rules[0])
        master[i, 0], master[i, 1] = masters(suits, rest, unseen_suits, unseen_rest)


# -- many of them, as arrays


def _set(name: str, doc: str) -> Any:
    return property(lambda turn: as_words(turn.records[name]), doc=doc)


def _sets(name: str, axis: str, doc: str) -> Any:
    def view(turn: "Turn") -> np.ndarray:
        return as_words(turn.records[name][:, : turn.sizes[axis]])

    return property(view, doc=doc)


def _trump_sets(name: str, axis: str | None, doc: str) -> Any:
    def sets(turn: "Turn") -> np.ndarray:
        rest = turn.records[name]
        rest = rest if axis is None else rest[:, : turn.sizes[axis]]
        return np.stack([np.zeros_like(rest), rest], -1).astype(np.uint64)

    return property(sets, doc=doc)


def _number(name: str, doc: str) -> Any:
    return property(lambda turn: turn.records[name], doc=doc)


def _flag(name: str, doc: str) -> Any:
    return property(lambda turn: turn.records[name] != 0, doc=doc)


def _numbers(name: str, axis: str, doc: str) -> Any:
    return property(lambda turn: turn.records[name][:, : turn.sizes[axis]], doc=doc)


class Turn:
    """What n viewers know.

    P seats and A hands counted from the viewer, T cards in a trick, K oudlers, O hands of which
    cards lie open (0 but in the games for two), D cards in a second stock or in piles, H history
    rows. The arrays are views of `records`: copy what is to be changed, or use `replace`.

    Args:
        rules: what is played.
        records: of `TURN` [n].
        events: public events in order, int8 [n, h, 2]: absolute seat, action (-1: a card set
            aside); see `history`.
    """

    def __init__(
        self, rules: Rules, records: np.ndarray, events: Int8[np.ndarray, "n h 2"]
    ) -> None:
        self.rules, self.records, self.events = rules, records, events

    @property
    def sizes(self) -> dict[str, int]:
        """Sizes of the axes by letter."""
        return _axes(self.rules)

    seat: Int8[np.ndarray, " n"] = _number("seat", "The viewer's own place at the table, absolute.")

    # private
    hand: UInt64[np.ndarray, "n 2"] = _set("hand", "Cards held.")
    legal: UInt64[np.ndarray, "n 2"] = _set("legal", "Empty where another seat is to act.")
    ecart: UInt64[np.ndarray, "n 2"] = _set("ecart", "Set aside by the viewer.")
    withheld: UInt64[np.ndarray, "n 2"] = _trump_sets(
        "withheld", None, "Trumps the viewer kept out of its poignée."
    )
    poignee_declared: Int8[np.ndarray, " n"] = _number(
        "poignee_declared", "Level of the poignée the viewer is putting together, else 0."
    )

    # public
    phase: Int8[np.ndarray, " n"] = _number("phase", "`Phase`, as it looks to the viewer.")
    to_act: Int8[np.ndarray, " n"] = _number(
        "to_act", "Whose hand is to act; the defender acts for the dummy."
    )
    dealer: Int8[np.ndarray, " n"] = _number("dealer", "The dealer.")
    bids: Int8[np.ndarray, "n p"] = _numbers(
        "bids", "p", "-1 not spoken, 0 passed, else the bid, by seat."
    )
    passes: Int8[np.ndarray, " n"] = _number("passes", "In a row, with six players.")
    contract: Int8[np.ndarray, " n"] = _number("contract", "`Bid`, 0 for none.")
    contra: Int8[np.ndarray, " n"] = _number("contra", "1 contred, 2 recontred.")
    taker: Int8[np.ndarray, " n"] = _number("taker", "During the auction the best bidder so far.")
    called: Int8[np.ndarray, " n"] = _number("called", "The called card, -1 for none.")
    partner: Int8[np.ndarray, " n"] = _number(
        "partner", "The taker's, as far as the viewer knows; the taker itself: it is alone."
    )
    split: Int8[np.ndarray, " n"] = _number(
        "split", "Half of the chien that the taker took, with six players."
    )
    chien: UInt64[np.ndarray, "n 2"] = _set(
        "chien", "Empty unless turned up: taken up, or the deal played out."
    )
    first_half: UInt64[np.ndarray, "n 2"] = _set(
        "first_half", "Of the open chien as dealt, with six players."
    )
    shown_discards: UInt64[np.ndarray, "n 2"] = _trump_sets(
        "shown_discards", None, "Trumps in the écart."
    )
    face_up: UInt64[np.ndarray, "n o 2"] = _sets(
        "face_up", "o", "Cards in a hand that everybody has seen there."
    )
    covering: UInt64[np.ndarray, "n o 2"] = _sets(
        "covering", "o", "Découverte: face-up cards with a card under them."
    )
    exposed: Int8[np.ndarray, " n"] = _number(
        "exposed", "Tirette: the card that lies open beside the stock, -1 for none."
    )
    beside: Int8[np.ndarray, "n d"] = _numbers(
        "beside", "d", "Stock or piles in the order of the pack, -1 for a card not seen."
    )
    slam_announced: Bool[np.ndarray, " n"] = _flag("slam_announced", "The taker announced a slam.")
    petit_chelem_announced: Bool[np.ndarray, " n"] = _flag(
        "petit_chelem_announced", "The taker announced a petit chelem."
    )
    misere: Int8[np.ndarray, "n p"] = _numbers(
        "misere", "p", "Declared by each seat: 1 no trump, 2 no court card, 3 neither."
    )
    poignee_level: Int8[np.ndarray, "n p"] = _numbers(
        "poignee_level", "p", "Poignée that each seat has shown, 0 for none."
    )
    poignee_cards: UInt64[np.ndarray, "n p 2"] = _trump_sets(
        "poignee_cards", "p", "The cards that each seat has shown in a poignée."
    )
    trick_number: Int8[np.ndarray, " n"] = _number("trick_number", "From 0.")
    leader: Int8[np.ndarray, " n"] = _number("leader", "Who leads the trick.")
    trick_size: Int8[np.ndarray, " n"] = _number("trick_size", "Cards on the table.")
    trick_cards: Int8[np.ndarray, "n t"] = _numbers(
        "trick_cards", "t", "In order of play from the leader, -1 beyond."
    )
    led: Int8[np.ndarray, " n"] = _number("led", "A suit, `TRUMP`, or `ANY`.")
    best_trump: Int8[np.ndarray, " n"] = _number("best_trump", "On the table, 0 for none.")
    best_rank: Int8[np.ndarray, " n"] = _number("best_rank", "Of the suit led, 0 for none.")
    best_seat: Int8[np.ndarray, " n"] = _number("best_seat", "The hand winning the trick so far.")
    last_trick: Int8[np.ndarray, "n t"] = _numbers(
        "last_trick", "t", "The trick before, in order of play."
    )
    last_leader: Int8[np.ndarray, " n"] = _number("last_leader", "Who led it.")
    last_winner: Int8[np.ndarray, " n"] = _number("last_winner", "Who won it.")
    on_table: Int8[np.ndarray, "n a"] = _numbers(
        "on_table", "a", "Each hand's card in this trick, -1 for none."
    )
    played: UInt64[np.ndarray, "n a 2"] = _sets("played", "a", "Cards played from each hand.")
    trump_bound: Int8[np.ndarray, "n a"] = _numbers(
        "trump_bound", "a", "Play has shown: no trump above this number."
    )
    tricks_won: Int8[np.ndarray, "n a"] = _numbers("tricks_won", "a", "By each hand.")
    trick_half_points: Int16[np.ndarray, "n a"] = _numbers(
        "trick_half_points", "a", "In tricks won by each hand, the Excuse left out."
    )
    oudler_player: Int8[np.ndarray, "n k"] = _number(
        "oudler_player", "Petit, 21, Excuse: who played it."
    )
    oudler_trick: Int8[np.ndarray, "n k"] = _number("oudler_trick", "In which trick.")
    oudler_winner: Int8[np.ndarray, "n k"] = _number("oudler_winner", "Who won that trick.")
    history_size: Int16[np.ndarray, " n"] = _number("history_size", "Public events so far.")

    @property
    def void(self) -> Bool[np.ndarray, "n a 5"]:
        """Play has shown of each hand: none of a suit; column 4, no trump."""
        bits = self.records["void"][:, : self.sizes["a"]]
        return (bits[..., None] >> np.arange(5) & 1).astype(bool)

    @property
    def suits_led(self) -> Bool[np.ndarray, "n a 4"]:
        """Suits that each hand has led."""
        bits = self.records["suits_led"][:, : self.sizes["a"]]
        return (bits[..., None] >> np.arange(4) & 1).astype(bool)

    def __len__(self) -> int:
        return len(self.records)

    def take(self, rows: Integer[np.ndarray, " m"] | Bool[np.ndarray, " n"] | slice) -> "Turn":
        """The named rows, by index or mask; those of a slice are not copied."""
        if isinstance(rows, slice):
            return Turn(self.rules, self.records[rows], self.events[rows])
        at = np.arange(len(self))[rows]
        return Turn(self.rules, take_records(self.records, at), self.events.take(at, axis=0))

    def replace(self, **changed: np.ndarray) -> "Turn":
        """A copy in which the named fields are others, given as they are read.

        Raises:
            TarotError: no such field.
        """
        new = Turn(self.rules, take_records(self.records, slice(None)), self.events.copy())
        for name, values in changed.items():
            if name not in FIELDS:
                raise TarotError(f"a Turn has no field {name!r}")
            if name == "events":
                new.events[...] = values
                continue
            target, values = new.records[name], np.asarray(values)
            if name in ("void", "suits_led"):
                values = (values << np.arange(values.shape[-1])).sum(-1)
            elif values.dtype == np.uint64:
                values = values[..., 1] if target.dtype != np.int64 else values.view(np.int64)
                values = values.astype(np.int64)
            if target.ndim > 1:
                target = target[:, : values.shape[1]]
            target[...] = values
        return new

    @cached_property
    def legal_mask(self) -> Bool[np.ndarray, "n 95"]:
        """Legal actions as one boolean per action id."""
        return cardsets.to_mask(self.legal)

    @cached_property
    def history(self) -> Int8[np.ndarray, "n h 2"]:
        """Public events in order: seat from the viewer, action (-1: a card set aside)."""
        history = self.events.copy()
        counted = SEATINGS[self.rules.game_name].from_viewer
        history[..., 0] = counted[self.seat[:, None], history[..., 0]]
        return history

    @cached_property
    def unseen(self) -> UInt64[np.ndarray, "n 2"]:
        """Cards whose place the viewer does not know from seeing them."""
        words = np.empty((len(self), 2), np.int64)
        _unseen_all(as_records(self.records), rules_record(self.rules), words)
        return as_words(words)

    @cached_property
    def _in_hand(self) -> list[UInt64[np.ndarray, "n 2"]]:
        words = [np.empty((len(self), 2), np.int64) for _ in range(3)]
        _in_hand_all(as_records(self.records), rules_record(self.rules), *words)
        return [as_words(sets) for sets in words]

    @property
    def takes_lead(self) -> UInt64[np.ndarray, "n 2"]:
        """Cards in the hand played from that would be winning the trick as it lies."""
        return self._in_hand[0]

    @property
    def masters(self) -> UInt64[np.ndarray, "n 2"]:
        """Cards in it that no unseen card of their suit, or no unseen trump, is higher than."""
        return self._in_hand[1]

    @property
    def playing_hand(self) -> UInt64[np.ndarray, "n 2"]:
        """The hand that the viewer plays from: its own, or the dummy's when that is to act."""
        return self._in_hand[2]

    @cached_property
    def attack(self) -> Bool[np.ndarray, "n a"]:
        """Hands that the viewer knows to be on the taker's side."""
        hands = np.arange(self.sizes["a"])
        return (hands == self.taker[:, None]) | (hands == self.partner[:, None])

    @cached_property
    def defence(self) -> Bool[np.ndarray, "n a"]:
        """Hands that play against the taker, as far as the viewer knows; none without a taker."""
        return (self.taker >= 0)[:, None] & ~self.attack

    def permute_suits(self, permutation: Integer[np.ndarray, "n 4"]) -> "Turn":
        """The same knowledge with suit s called `permutation[:, s]`, as if so dealt."""
        new = Turn(self.rules, take_records(self.records, slice(None)), self.events.copy())
        _permute_all(new.records, new.events, as_compiled(permutation, np.int8))
        return new


@kernel
def permuted_suits(suits: int, names: Any) -> int:
    """A set's suits under other names."""
    result = 0
    for suit in range(NUM_SUITS):
        result |= suit_of(suits, suit) << (SUIT_SIZE * names[suit])
    return result


@kernel
def permuted(action: int, names: Any) -> int:
    """An action, or -1, with the suits under other names."""
    if action < 0 or action >= FIRST_TRUMP:
        return action
    return SUIT_SIZE * names[action // SUIT_SIZE] + action % SUIT_SIZE


@loop
def _permute_all(turns: Any, events: Any, permutation: Any) -> None:
    for i in range(len(turns)):
        turn, names = turns[i], permutation[i]
        turn.hand[0] = permuted_suits(turn.hand[0], names)
        turn.legal[0] = permuted_suits(turn.legal[0], names)
        turn.ecart[0] = permuted_suits(turn.ecart[0], names)
        turn.chien[0] = permuted_suits(turn.chien[0], names)
        turn.first_half[0] = permuted_suits(turn.first_half[0], names)
        for hand in range(_OPEN_HANDS):
            turn.face_up[hand, 0] = permuted_suits(turn.face_up[hand, 0], names)
            turn.covering[hand, 0] = permuted_suits(turn.covering[hand, 0], names)
        turn.called = permuted(turn.called, names)
        turn.exposed = permuted(turn.exposed, names)
        if turn.led < TRUMP:
            turn.led = names[turn.led]
        for hand in range(MOST_HANDS):
            turn.played[hand, 0] = permuted_suits(turn.played[hand, 0], names)
            turn.trick_cards[hand] = permuted(turn.trick_cards[hand], names)
            turn.on_table[hand] = permuted(turn.on_table[hand], names)
            turn.last_trick[hand] = permuted(turn.last_trick[hand], names)
            void, led = turn.void[hand] & (1 << TRUMP), 0
            for suit in range(NUM_SUITS):
                void |= (turn.void[hand] >> suit & 1) << names[suit]
                led |= (turn.suits_led[hand] >> suit & 1) << names[suit]
            turn.void[hand], turn.suits_led[hand] = void, led
        for place in range(_MOST_BESIDE):
            turn.beside[place] = permuted(turn.beside[place], names)
        for event in range(events.shape[1]):
            events[i, event, 1] = permuted(events[i, event, 1], names)


FIELDS = (
    *(name for name in Turn.__annotations__ if name != "rules"),
    "void",
    "suits_led",
    "events",
)
"""The fields of a Turn that are arrays over its rows."""
SUIT_SETS = ("hand", "legal", "ecart", "chien", "first_half", "face_up", "covering", "played")
"""The fields that hold sets with suit cards; the other sets hold trumps alone."""


def _axes(rules: Rules) -> dict[str, int]:
    beside = rules.hands * rules.hand_size + rules.chien_size
    piles = rules.game in ("decouverte", "tirette")
    return {
        "p": rules.players,
        "a": rules.hands,
        "t": rules.cards_per_trick,
        "o": rules.hands if rules.players == 2 else 0,
        "d": NUM_CARDS - beside if piles else 0,
    }


def unpermute_actions(
    actions: Integer[np.ndarray, " n"], permutation: Integer[np.ndarray, "n 4"]
) -> Int[np.ndarray, " n"]:
    """Actions chosen on a Turn with permuted suits, as actions of the table itself."""
    found = np.array(actions, np.int64)
    _permute_actions(found, np.argsort(permutation, axis=1).astype(np.int8))
    return found


@loop
def _permute_actions(actions: Any, permutation: Any) -> None:
    for i in range(len(actions)):
        actions[i] = permuted(actions[i], permutation[i])
