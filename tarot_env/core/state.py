"""What lies on a table, and the rules as numbers: one record each, declared here alone.

A table is a record of the dtype `TABLE`, B tables are one array of them, the rules one record of
`RULES`. All games have the same two dtypes, so that the rules of play are compiled once. Seats are
absolute, -1 stands for none; a hand is named by its seat, the dummy's, which no seat holds, comes
after them. A set of cards is two whole numbers (`bits`), one where only trumps can be in it.
`Columns` shows the arrays in the shapes of their game. Knows no rule.
"""

from functools import cache
from typing import Any

import numpy as np
from jaxtyping import Bool, Int8, Int16, Int64, Integer, UInt64

from tarot_env.cards import ANY, NUM_CARDS, NUM_TRUMPS, cardsets
from tarot_env.cards.actions import Bid, Phase
from tarot_env.core.bits import as_words
from tarot_env.core.compiling import config, kernel, loop
from tarot_env.core.events import action_of, is_action, is_public, seat_of, seen_action
from tarot_env.core.seating import SEATINGS
from tarot_env.rules import Rules

MOST_HANDS = 6
"""Of any game."""

_U1, _I1, _I2, _I4 = ("i8",) * 4 if config.DISABLE_JIT else ("u1", "i1", "i2", "i4")
"""Compiled, everything is computed with 64 bits whatever is stored; interpreted, numpy would
overflow."""

_TABLE = [
    # sets, [..., 0] the suits, [..., 1] the rest
    ("hands", "i8", (MOST_HANDS, 2)),  # cards held now
    ("played", "i8", (MOST_HANDS, 2)),  # from each hand
    ("ecart", "i8", (2, 2)),  # set aside: the taker's and, with six, the partner's
    ("face_up", "i8", (2, 2)),  # cards in a player's hand that everybody has seen there
    # trumps and the Excuse alone
    ("poignee_cards", _I4, MOST_HANDS),  # the cards shown
    ("withheld", _I4, MOST_HANDS),  # kept out of a poignée
    ("half_scores", _I4, MOST_HANDS),  # 0 before the end
    ("suits_led", _I4),  # bit 4 * hand + s: it has led suit s
    ("trick_half_points", _I2, MOST_HANDS),  # in tricks won, the Excuse left out
    ("num_events", _I2),  # in the log
    ("attack_half_points", _I2),  # 0 before the end, as oudlers, petit_au_bout and made are
    # numbers
    ("phase", _I1),
    ("seat", _I1),  # whose hand is to act; -1 when over
    ("dealer", _I1),
    ("taker", _I1),
    ("partner", _I1),  # of the taker in truth, whoever knows it
    ("leader", _I1),
    ("trick_number", _I1),  # from 0
    ("trick_size", _I1),  # cards on the table
    ("led", _I1),  # suit, TRUMP, or ANY while nothing but the Excuse lies there
    ("best_trump", _I1),  # 0 for none
    ("best_rank", _I1),  # of the suit led
    ("best_seat", _I1),  # winning so far
    ("imprenable", _I1),  # hand whose petit nobody can take
    ("last_leader", _I1),
    ("last_winner", _I1),
    ("trick_cards", _I1, MOST_HANDS),  # in order of play, -1 beyond
    ("last_trick", _I1, MOST_HANDS),  # the trick before, in order of play
    ("void", _I1, MOST_HANDS),  # play has shown: bit s, none of suit s; bit 4, no trump
    ("trump_bound", _I1, MOST_HANDS),  # play has shown: no trump above this number
    ("tricks_won", _I1, MOST_HANDS),
    ("oudler_player", _I1, 3),  # petit, 21, Excuse: who played it
    ("oudler_trick", _I1, 3),  # in which trick
    ("oudler_winner", _I1, 3),  # who won that trick
    ("contract", _I1),
    ("contra", _I1),  # 1 contred, 2 recontred
    ("passes", _I1),  # in a row; counted with six players
    ("called", _I1),  # card
    ("split", _I1),  # half of the chien that the taker took: 0, 1
    ("forced", _I1),  # contract given without an auction
    ("chien_open", _I1),  # everybody has seen it: taken up, or the deal played out
    ("dummy_open", _I1),
    ("slam_announced", _I1),
    ("petit_chelem_announced", _I1),
    ("poignee_declared", _I1),  # level 1..3 being put together, else 0
    ("oudlers", _I1),
    ("petit_au_bout", _I1),  # +1 attack, -1 defence
    ("made", _I1),  # the contract; 0 before the end
    ("bids", _I1, MOST_HANDS),  # -1 not spoken, 0 passed, else the bid
    ("misere", _I1, MOST_HANDS),  # declared: 1 no trump, 2 no court card, 3 neither
    ("poignee_level", _I1, MOST_HANDS),  # shown, 0 for none
    ("pack", _U1, NUM_CARDS),  # as dealt: hands by seat, the chien, then what else there is
]
TABLE: Any = np.dtype((np.record, np.dtype(_TABLE, align=True)))
"""A table."""

_NOBODY = (
    "seat bids taker called partner split imprenable trick_cards best_seat last_trick "
    "last_leader last_winner oudler_player oudler_trick oudler_winner"
).split()


def _blank() -> np.ndarray:
    blank = np.zeros(1, TABLE)
    for name in _NOBODY:
        blank[name] = -1
    blank["led"], blank["trump_bound"] = ANY, NUM_TRUMPS
    blank["phase"] = Phase.AUCTION
    return blank


BLANK = _blank()
"""A table before a deal, in an array of one."""

_FLAGS = ("forced", "chien_open", "slam_announced", "petit_chelem_announced", "made")
"""Fields that are 0 or 1."""
PETIT, TWENTY_ONE, EXCUSE = 0, 1, 2
"""Columns of the oudler arrays."""

PETIT_SEC, AUCTION, CALL, SPLIT, DISCARD, SLAM, MISERE, POIGNEE, WITHHOLD, PLAY, OVER = map(
    int, Phase
)
PETITE, GARDE, GARDE_SANS, GARDE_CONTRE = map(
    int, (Bid.PETITE, Bid.GARDE, Bid.GARDE_SANS, Bid.GARDE_CONTRE)
)


def take_records(records: np.ndarray, rows: Any) -> np.ndarray:
    """A copy of some records: whole, not field by field as numpy copies them.

    Args:
        records: [b].
        rows: indices, a mask or a slice.
    """
    items = records.view(f"V{records.itemsize}")[rows]
    return (items.copy() if isinstance(rows, slice) else items).view(records.dtype)


def as_records(records: np.ndarray) -> np.ndarray:
    """Records as loops are compiled for: in one piece, and writable; copied if need be."""
    return records if records.flags.carray else take_records(records, slice(None))


def blank_records(number: int, dtype: Any) -> np.ndarray:
    """Records of which every byte is 0."""
    return np.zeros(number * np.dtype(dtype).itemsize, np.uint8).view(dtype)


# -- the rules as numbers

_CHOICES: dict[str, tuple[object, ...]] = {
    option.name: option.metadata["allowed"]
    for option in Rules.options()
    if option.metadata["allowed"] and isinstance(option.metadata["allowed"][0], str)
}
"""Words that an option may be; the record holds the place of the one it is."""


def choice(option: str, word: str) -> int:
    """The number that stands for an option's word in a record of the rules."""
    return _CHOICES[option].index(word)


_SIZES = "players hands hand_size chien_size tricks cards_per_trick".split()
_IS = "dead_hand in_partnerships calls_king asks_for_redeals".split()
_OF_A_MATCH = ("match_deals", "match_target")
_NUMBERS = [
    option.name
    for option in Rules.options()
    if option.metadata["ints"] <= 1
    and option.name not in _OF_A_MATCH
    and not isinstance(option.metadata["default"], tuple)
]
_LISTS = {"poignee_thresholds": 4, "poignee_bonus": 4, "multipliers": 6, "slam_bonus": 3}
_SEATS = (MOST_HANDS, MOST_HANDS)
RULES: Any = np.dtype(
    (
        np.record,
        np.dtype(
            [
                *((name, _I4) for name in (*_SIZES, *_IS, *_NUMBERS)),
                ("num_speakers", _I4),
                ("decouverte", _I4),
                ("tirette", _I4),
                ("dummy", _I4),
                ("chien_start", _I4),  # place in the pack
                *((name, _I4, size) for name, size in _LISTS.items()),
                ("partner_share", _I4, 2),
                *(
                    (name, _I1, _SEATS)
                    for name in "speakers next_speaker order next_hand by_place from_viewer".split()
                ),
            ],
            align=True,
        ),
    )
)
"""What is played: sizes, one number for each option (-1 for None, the place of a word among its
choices), lists with an entry for "none" before them, and the tables of `seating`."""

_TOO_LONG = 127
"""Trumps for a poignée where there is none: no hand is so long."""
_CONTRACTS = [0, 1, 0, 2, 3, 4]
"""Column of each `Bid` in `Rules.multipliers` after a 0 for none; a pousse is never played."""


def rules_record(rules: Rules) -> np.ndarray:
    """Rules as row functions read them: one record of `RULES`, in an array of one, a copy."""
    return take_records(_rules_record(rules), slice(None))


@cache
def _rules_record(rules: Rules) -> np.ndarray:
    record = np.zeros(1, RULES)
    for name in (*_SIZES, *_IS):
        record[name] = getattr(rules, name)
    for name in _NUMBERS:
        value = getattr(rules, name)
        words = _CHOICES.get(name, ())
        record[name] = -1 if value is None else words.index(value) if value in words else value
    if isinstance(rules.weak_hand_redeal, int):  # beside its two words
        record["weak_hand_redeal"] = len(_CHOICES["weak_hand_redeal"]) + rules.weak_hand_redeal
    record["poignee_thresholds"] = [0, *(rules.poignee_thresholds or (_TOO_LONG,) * 3)]
    record["poignee_bonus"] = [0, *(rules.poignee_bonus or (0, 0, 0))]
    record["multipliers"] = np.array((0, *rules.multipliers))[_CONTRACTS]
    record["slam_bonus"] = rules.slam_bonus
    record["partner_share"] = rules.partner_share or (1, 1)
    for game in ("decouverte", "tirette", "dummy"):
        record[game] = rules.game == game
    record["chien_start"] = (rules.hands - rules.dead_hand) * rules.hand_size
    seating = SEATINGS[rules.game_name]
    record["num_speakers"] = seating.speakers.shape[1]
    for name in "speakers next_speaker order next_hand by_place".split():
        table = getattr(seating, name)
        record[name][0, : len(table), : table.shape[1]] = table
    table = seating.from_viewer[:, :-1]
    record["from_viewer"][0, : len(table), : table.shape[1]] = table
    return record


# -- what row functions ask of a table whatever the phase


@kernel
def attacks(t: Any, hand: int) -> bool:
    """Whether a hand is on the taker's side in truth."""
    return hand == t.taker or hand == t.partner


@kernel
def actor(t: Any, rules: Any) -> int:
    """Seat to act: that whose hand is to act, but the defender for the dummy; -1 when over."""
    return t.seat if t.seat < rules.players else 1 - t.taker


@kernel
def ecart_of(t: Any, seat: int) -> int:
    """Which écart a seat of the attack sets aside: the taker's is the first."""
    return 0 if seat == t.taker else 1


@kernel
def lies_open(t: Any, hand: int) -> tuple[int, int]:
    """Cards in a hand of the games for two that everybody has seen there, the dummy's too."""
    if hand < 2:
        return t.face_up[hand, 0], t.face_up[hand, 1]
    if t.dummy_open:
        return t.hands[hand, 0], t.hands[hand, 1]
    return 0, 0


@kernel
def pack_set(t: Any, start: int, end: int) -> tuple[int, int]:
    """The cards at some places of the pack, as a set."""
    suits = rest = 0
    for place in range(start, end):
        card = t.pack[place]
        if card < 56:
            suits |= 1 << card
        else:
            rest |= 1 << (card - 56)
    return suits, rest


@kernel
def chien(t: Any, rules: Any) -> tuple[int, int]:
    """The chien as dealt."""
    return pack_set(t, rules.chien_start, rules.chien_start + rules.chien_size)


@kernel
def half_chien(t: Any, rules: Any, half: int) -> tuple[int, int]:
    """The first (0) or the second half (1) of the chien as dealt."""
    size = rules.chien_size // 2
    start = rules.chien_start + half * size
    return pack_set(t, start, start + size)


# -- the arrays in the shapes of their game


def _sets(name: str, axis: str) -> Any:
    def view(self: "Columns") -> np.ndarray:
        return as_words(self.records[name][:, : self.sizes[axis]])

    return property(view)


def _trumps(name: str) -> Any:
    def sets(self: "Columns") -> np.ndarray:
        rest = self.records[name][:, : self.sizes["p"]]
        return np.stack([np.zeros_like(rest), rest], -1).astype(np.uint64)

    return property(sets)


def _numbers(name: str, axis: str | None = None) -> Any:
    def view(self: "Columns") -> np.ndarray:
        array: np.ndarray = self.records[name]
        return array if axis is None else array[:, : self.sizes[axis]]

    return property(view)


class Columns:
    """B tables as arrays by name, in the shapes of their game: views of the records, to be read.

    P seats, A hands (one more with a dummy), T cards in a trick, E écarts, O hands of which cards
    lie open (0 but in the games for two). What is stored otherwise (trumps alone, the event log,
    bits, the chien, which is a part of the pack) is made anew at each look.

    Args:
        records: of `TABLE` [b].
        rules: what is played there.
        events: their logs, where they are kept.
        deal_id: the names of their deals, -1 for one that was given.
    """

    def __init__(
        self,
        records: np.ndarray,
        rules: Rules,
        events: Int16[np.ndarray, "b l"] | None = None,
        deal_id: Int64[np.ndarray, " b"] | None = None,
    ) -> None:
        self.records, self.rules = records, rules
        self.events = np.zeros((len(records), 0), np.int16) if events is None else events
        self.deal_id = np.full(len(records), -1) if deal_id is None else deal_id
        self.sizes = {
            "p": rules.players,
            "a": rules.hands,
            "t": rules.cards_per_trick,
            "e": 2 if rules.in_partnerships else 1,
        }

    def __getattr__(self, name: str) -> np.ndarray:
        """A field with one number for each table, int8 [b] or int16 [b], or one flag, bool [b]."""
        if name.startswith("_") or "records" not in vars(self):
            raise AttributeError(name)
        if name not in (TABLE.names or ()):
            raise AttributeError(f"tables have no field {name!r}")
        array: np.ndarray = self.records[name]
        if name in _FLAGS:
            return array.view(np.bool_) if array.itemsize == 1 else array != 0
        return array

    def take(self, rows: Any) -> "Columns":
        """A copy of the named tables."""
        records = take_records(self.records, rows)
        return Columns(records, self.rules, self.events[rows], self.deal_id[rows])

    hands: UInt64[np.ndarray, "b a 2"] = _sets("hands", "a")
    played: UInt64[np.ndarray, "b a 2"] = _sets("played", "a")
    ecart: UInt64[np.ndarray, "b e 2"] = _sets("ecart", "e")
    poignee_cards: UInt64[np.ndarray, "b p 2"] = _trumps("poignee_cards")
    withheld: UInt64[np.ndarray, "b p 2"] = _trumps("withheld")
    half_scores: Integer[np.ndarray, "b p"] = _numbers("half_scores", "p")
    bids: Int8[np.ndarray, "b p"] = _numbers("bids", "p")
    misere: Int8[np.ndarray, "b p"] = _numbers("misere", "p")
    poignee_level: Int8[np.ndarray, "b p"] = _numbers("poignee_level", "p")
    trick_half_points: Int16[np.ndarray, "b a"] = _numbers("trick_half_points", "a")
    trump_bound: Int8[np.ndarray, "b a"] = _numbers("trump_bound", "a")
    tricks_won: Int8[np.ndarray, "b a"] = _numbers("tricks_won", "a")
    trick_cards: Int8[np.ndarray, "b t"] = _numbers("trick_cards", "t")
    last_trick: Int8[np.ndarray, "b t"] = _numbers("last_trick", "t")

    @property
    def face_up(self) -> UInt64[np.ndarray, "b o 2"]:
        """Cards in a hand of the games for two that everybody has seen there."""
        if self.rules.players > 2:
            return np.zeros((len(self.records), 0, 2), np.uint64)
        open_cards = as_words(self.records["face_up"])
        if self.rules.hands == self.rules.players:
            return open_cards
        dummy = np.where(self.records["dummy_open"][:, None], self.hands[:, 2], np.uint64(0))
        return np.concatenate([open_cards, dummy[:, None]], axis=1)

    @property
    def chien(self) -> UInt64[np.ndarray, "b 2"]:
        """As dealt."""
        start = (self.rules.hands - self.rules.dead_hand) * self.rules.hand_size
        return cardsets.of_ids(self.records["pack"][:, start : start + self.rules.chien_size])

    @property
    def void(self) -> Bool[np.ndarray, "b a 5"]:
        """Play has shown: none of a suit; column 4, no trump."""
        bits = self.records["void"][:, : self.rules.hands]
        return (bits[..., None] >> np.arange(5) & 1).astype(bool)

    @property
    def log(self) -> Int8[np.ndarray, "b l 2"]:
        """Every action, private ones too: seat, action; -1 beyond `log_size`."""
        return self._listed(public=False)[0]

    @property
    def log_size(self) -> Int16[np.ndarray, " b"]:
        """How many actions there were."""
        return self._listed(public=False)[1]

    @property
    def history(self) -> Int8[np.ndarray, "b h 2"]:
        """Public events: seat, action (-1 for a card set aside); -1 beyond `history_size`."""
        return self._listed(public=True)[0]

    @property
    def history_size(self) -> Int16[np.ndarray, " b"]:
        """How many public events there were."""
        return self._listed(public=True)[1]

    def public_events(self) -> tuple[Int8[np.ndarray, "b h 2"], Int16[np.ndarray, " b"]]:
        """`history` and `history_size` at once."""
        return self._listed(public=True)

    def _listed(self, *, public: bool) -> tuple[np.ndarray, np.ndarray]:
        size = self.rules.history_size if public else self.rules.log_size
        found = np.full((len(self.records), size, 2), -1, np.int8)
        sizes = np.zeros(len(self.records), np.int16)
        list_events(self.records, self.events, public, found, sizes)
        return found, sizes


@loop
def list_events(tables: Any, events: Any, public: bool, out: Any, sizes: Any) -> None:
    """Lists logged events as (seat, action): what everybody noticed, or else every action."""
    for row in range(len(tables)):
        sizes[row] = write_events(events[row, : tables[row].num_events], public, out[row])


@kernel
def write_events(events: Any, public: bool, out: Any) -> int:
    """Writes one table's events as (seat, action); returns how many there are."""
    number = 0
    for event in events:
        if is_public(event) if public else is_action(event):
            out[number, 0] = seat_of(event)
            out[number, 1] = seen_action(event) if public else action_of(event)
            number += 1
    return number


def attackers(columns: Columns, rows: Integer[np.ndarray, " n"]) -> Bool[np.ndarray, "n a"]:
    """Which hands are on the taker's side in truth."""
    hands = np.arange(columns.rules.hands)
    taker, partner = columns.taker[rows, None], columns.partner[rows, None]
    return (hands == taker) | (hands == partner)


def actors(columns: Columns, rows: Integer[np.ndarray, " n"]) -> Int8[np.ndarray, " n"]:
    """Seats to act: those whose hand is to act, but the defender for the dummy; -1 when over."""
    seat = columns.seat[rows]
    return np.where(seat < columns.rules.players, seat, 1 - columns.taker[rows])


def set_aside(columns: Columns, rows: Integer[np.ndarray, " n"]) -> UInt64[np.ndarray, "n 2"]:
    """The cards of all écarts."""
    cards: np.ndarray = np.bitwise_or.reduce(columns.ecart[rows], axis=1)
    return cards


def ecart_column(
    columns: Columns, rows: Integer[np.ndarray, " n"], seats: Integer[np.ndarray, " n"]
) -> Integer[np.ndarray, " n"]:
    """Which écart belongs to each seat: the taker's is the first, its partner's the last."""
    return np.where(seats == columns.taker[rows], 0, columns.sizes["e"] - 1)
