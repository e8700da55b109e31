"""The state of B tables as a struct of arrays: what lies where, and who did what.

Holds data and knows no rule. Seats are absolute, -1 stands for none. A hand is named by its seat;
the dummy's, which no seat holds, comes behind them. Every array has the batch as
its first axis, so that any set of tables can be copied, selected or saved without further thought.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import lru_cache, reduce
from typing import Any

import numpy as np
from jaxtyping import Bool, Int8, Int16, Int32, Int64, Integer, UInt8, UInt64

from tarot_env.cards import ANY, NUM_TRUMPS, cardsets
from tarot_env.rules import Rules

PETIT, TWENTY_ONE, EXCUSE = 0, 1, 2
"""Columns of the oudler arrays."""


@dataclass
class State:
    """B tables.

    P seats, A hands (one more with a dummy), T cards in a trick, K oudlers (petit, 21, Excuse), E
    écarts (the taker's and, with six, the partner's), O hands of which cards lie open (0 but in the
    games for two), L log rows, H history rows.
    """

    pack: UInt8[np.ndarray, "b 78"]  # as dealt: hands by seat, the chien, then what else there is
    deal_id: Int64[np.ndarray, " b"]  # -1 for a deal that was given
    dealer: Int8[np.ndarray, " b"]
    phase: Int8[np.ndarray, " b"]
    seat: Int8[np.ndarray, " b"]  # whose hand is to act; -1 when over

    hands: UInt64[np.ndarray, "b a 2"]  # cards held now
    chien: UInt64[np.ndarray, "b 2"]  # as dealt
    chien_open: Bool[np.ndarray, " b"]  # everybody has seen it: taken up, or the deal played out
    ecart: UInt64[np.ndarray, "b e 2"]  # set aside
    face_up: UInt64[np.ndarray, "b o 2"]  # cards in a hand that everybody has seen there

    bids: Int8[np.ndarray, "b p"]  # -1 not spoken, 0 passed, else the bid
    passes: Int8[np.ndarray, " b"]  # in a row; counted with six players
    contract: Int8[np.ndarray, " b"]
    contra: Int8[np.ndarray, " b"]  # 1 contred, 2 recontred
    taker: Int8[np.ndarray, " b"]
    called: Int8[np.ndarray, " b"]  # card
    partner: Int8[np.ndarray, " b"]  # of the taker in truth, whoever knows it
    split: Int8[np.ndarray, " b"]  # half of the chien that the taker took: 0, 1
    forced: Bool[np.ndarray, " b"]  # contract given without an auction
    slam_announced: Bool[np.ndarray, " b"]
    petit_chelem_announced: Bool[np.ndarray, " b"]

    misere: Int8[np.ndarray, "b p"]  # declared: 1 no trump, 2 no court card, 3 neither
    imprenable: Int8[np.ndarray, " b"]  # hand whose petit nobody can take
    poignee_declared: Int8[np.ndarray, " b"]  # level 1..3 being put together, else 0
    poignee_level: Int8[np.ndarray, "b p"]  # level shown, 0 for none
    poignee_cards: UInt64[np.ndarray, "b p 2"]  # the cards shown
    withheld: UInt64[np.ndarray, "b p 2"]  # trumps kept out of a poignée

    trick_number: Int8[np.ndarray, " b"]  # from 0
    leader: Int8[np.ndarray, " b"]
    trick_size: Int8[np.ndarray, " b"]  # cards on the table
    trick_cards: Int8[np.ndarray, "b t"]  # in order of play, -1 beyond
    led: Int8[np.ndarray, " b"]  # suit, TRUMP, or ANY while nothing but the Excuse lies there
    best_trump: Int8[np.ndarray, " b"]  # 0 for none
    best_rank: Int8[np.ndarray, " b"]  # of the suit led
    best_seat: Int8[np.ndarray, " b"]  # winning so far
    last_trick: Int8[np.ndarray, "b t"]  # the trick before, in order of play
    last_leader: Int8[np.ndarray, " b"]
    last_winner: Int8[np.ndarray, " b"]

    on_table: Int8[np.ndarray, "b a"]  # each hand's card in this trick, -1 for none
    played: UInt64[np.ndarray, "b a 2"]  # cards played from each hand
    void: Bool[np.ndarray, "b a 5"]  # play has shown: none of a suit; column 4, no trump
    trump_bound: Int8[np.ndarray, "b a"]  # play has shown: no trump above this number
    tricks_won: Int8[np.ndarray, "b a"]
    trick_half_points: Int16[np.ndarray, "b a"]  # in tricks won, the Excuse left out
    oudler_player: Int8[np.ndarray, "b k"]  # who played it
    oudler_trick: Int8[np.ndarray, "b k"]  # in which trick
    oudler_winner: Int8[np.ndarray, "b k"]  # who won that trick

    attack_half_points: Int16[np.ndarray, " b"]  # 0 before the end, like all below
    oudlers: Int8[np.ndarray, " b"]
    petit_au_bout: Int8[np.ndarray, " b"]  # +1 attack, -1 defence
    made: Bool[np.ndarray, " b"]  # the contract; False before the end
    half_scores: Int32[np.ndarray, "b p"]

    log: Int8[np.ndarray, "b l 2"]  # every action: seat, action
    log_size: Int16[np.ndarray, " b"]
    history: Int8[np.ndarray, "b h 2"]  # public events: seat, action (-1 for a card set aside)
    history_size: Int16[np.ndarray, " b"]

    by_table: np.ndarray
    """Records [b] in which the fields of `BY_TABLE` lie: they are copied in one go."""
    by_hand: np.ndarray
    """Records [b, a] in which the fields of `BY_HAND` lie."""

    @classmethod
    def empty(cls, num_tables: int, rules: Rules) -> "State":
        """B tables as before a deal: no cards, nobody has acted."""
        sizes = {
            "p": rules.players,
            "a": rules.hands,
            "t": rules.cards_per_trick,
            "e": 2 if rules.in_partnerships else 1,
            "o": rules.hands if rules.players == 2 else 0,
            "k": 3,
            "l": rules.log_size,
            "h": rules.history_size,
        }
        shapes = {}
        for name, layout in _LAYOUTS.items():
            _, *axes = layout.dim_str.split()
            shapes[name] = tuple(sizes[a] if a in sizes else int(a) for a in axes)
        table = np.zeros(num_tables, _record(BY_TABLE, shapes))
        hand = np.zeros((num_tables, rules.hands), _record(BY_HAND, shapes, axes=1))
        others = {
            name: np.zeros((num_tables, *shape), _LAYOUTS[name].dtypes[0])
            for name, shape in shapes.items()
            if name in _OTHERS
        }
        state = cls._of(table, hand, others, rules.players)
        state.clear(np.arange(num_tables))
        return state

    @classmethod
    def _of(
        cls, table: np.ndarray, hand: np.ndarray, others: dict[str, np.ndarray], players: int
    ) -> "State":
        """A state whose fields of `BY_TABLE` and `BY_HAND` are views of the records."""
        fields = others | {name: table[name] for name in BY_TABLE}
        fields |= {name: hand[name] for name in BY_HAND}
        fields |= {name: fields[name][:, :players] for name in BY_SEAT}
        return cls(**fields, by_table=table, by_hand=hand)

    def _changed(self, change: Callable[[np.ndarray], np.ndarray]) -> "State":
        others = {name: change(getattr(self, name)) for name in _OTHERS}
        return State._of(change(self.by_table), change(self.by_hand), others, self.bids.shape[1])

    def clear(self, rows: Int64[np.ndarray, " n"]) -> None:
        """Puts the named tables back to where they were before a deal."""
        for records in (self.by_table, self.by_hand):
            _as_items(records)[rows] = _as_items(_before_a_deal(records.dtype))
        for name in _OTHERS:
            getattr(self, name)[rows] = _INITIAL.get(name, 0)

    def take(self, rows: Int64[np.ndarray, " n"]) -> "State":
        """A copy of the named tables, which may be named more than once."""
        return self._changed(lambda array: array.take(rows, axis=0))

    def copy(self) -> "State":
        """An independent copy of all tables."""
        return self._changed(np.copy)

    def arrays(self) -> dict[str, np.ndarray]:
        """The arrays by name, not copied: for saving and comparing."""
        return {name: getattr(self, name) for name in _LAYOUTS}


PLACES = (
    "seat leader best_seat last_leader last_winner oudler_player oudler_winner dealer taker partner"
).split()
"""The fields of `BY_TABLE` that name a hand; they stand at its beginning."""
BY_TABLE = [
    *PLACES,
    *"phase contract contra called split passes slam_announced petit_chelem_announced".split(),
    *"trick_number trick_size led best_trump best_rank oudler_trick trick_cards last_trick".split(),
    "history_size",
]
BY_SEAT = "bids misere poignee_level".split()
BY_HAND = ["trick_half_points", *BY_SEAT, *"void trump_bound tricks_won on_table".split()]
"""Its one field of two bytes comes first: numpy is slow with numbers at odd addresses."""


_LAYOUTS: dict[str, Any] = {f.name: f.type for f in fields(State) if f.type is not np.ndarray}
_NOBODY = dict.fromkeys(
    (
        "deal_id seat bids taker called partner split imprenable trick_cards on_table best_seat "
        "last_trick last_leader last_winner oudler_player oudler_trick oudler_winner log history"
    ).split(),
    -1,
)
_INITIAL: dict[str, int] = {**_NOBODY, "led": ANY, "trump_bound": NUM_TRUMPS}
"""What a field holds before a deal, where it is not 0."""


_OTHERS = [name for name in _LAYOUTS if name not in BY_TABLE and name not in BY_HAND]
"""The fields that lie in no record."""


def _as_items(records: np.ndarray) -> np.ndarray:
    """Records without their fields: numpy copies such items whole."""
    return records.view(f"V{records.itemsize}")


@lru_cache
def _before_a_deal(record: np.dtype) -> np.ndarray:
    """One record as it is before a deal."""
    blank = np.zeros(1, record)
    for name in record.names or ():
        blank[name] = _INITIAL.get(name, 0)
    return blank


def _record(names: list[str], shapes: dict[str, tuple[int, ...]], axes: int = 0) -> np.dtype:
    """The type of a record of the named fields, without their first `axes` axes behind the batch.

    Its size is a multiple of 8 bytes.
    """
    parts = [(name, _LAYOUTS[name].dtypes[0], shapes[name][axes:]) for name in names]
    missing = -np.dtype(parts).itemsize % 8
    return np.dtype([*parts, ("filling", np.int8, missing)] if missing else parts)


def log(
    state: State,
    rows: Int64[np.ndarray, " n"],
    seats: Integer[np.ndarray, " n"],
    actions: Integer[np.ndarray, " n"],
) -> None:
    """Appends to the log, which holds every action, private ones too."""
    _append(state.log, state.log_size, rows, _events(seats, actions))


def publish(
    state: State,
    rows: Int64[np.ndarray, " n"],
    seats: Integer[np.ndarray, " n"],
    actions: Integer[np.ndarray, " n"],
) -> None:
    """Appends to the public history, what everybody at the table has seen or heard."""
    _append(state.history, state.history_size, rows, _events(seats, actions))


def log_and_publish(
    state: State,
    rows: Int64[np.ndarray, " n"],
    seats: Integer[np.ndarray, " n"],
    actions: Integer[np.ndarray, " n"],
) -> None:
    """Appends actions that everybody sees or hears to both."""
    events = _events(seats, actions)
    _append(state.log, state.log_size, rows, events)
    _append(state.history, state.history_size, rows, events)


def _events(
    seats: Integer[np.ndarray, " n"], actions: Integer[np.ndarray, " n"]
) -> Int16[np.ndarray, " n"]:
    """Seat and action, both bytes as one item."""
    events = np.empty((len(seats), 2), np.int8)
    events[:, 0], events[:, 1] = seats, actions
    return events.view(np.int16)[:, 0]


def _append(
    rows_of_events: Int8[np.ndarray, "b h 2"],
    sizes: Int16[np.ndarray, " b"],
    rows: Int64[np.ndarray, " n"],
    events: Int16[np.ndarray, " n"],
) -> None:
    number = sizes[rows]
    at = rows * rows_of_events.shape[1] + number
    rows_of_events.view(np.int16).reshape(-1)[at] = events
    sizes[rows] = number + 1


def add_up(values: Integer[np.ndarray, "n m"]) -> Integer[np.ndarray, " n"]:
    """Sums over the short last axis: for many rows quicker than numpy's `sum`."""
    total: Integer[np.ndarray, " n"] = reduce(np.add, values.T)
    return total


def sets_in_a_row(cards: UInt64[np.ndarray, "b a 2"]) -> UInt64[np.ndarray, "ba 2"]:
    """The sets of all hands, or of all seats, of all tables one after the other."""
    return cards.reshape(-1, 2)


def by_hand_in_a_row(state: State) -> np.ndarray:
    """The records of all hands of all tables one after the other, to be read and written."""
    return state.by_hand.reshape(-1)


def place_of(
    cards: UInt64[np.ndarray, "b a 2"],
    rows: Int64[np.ndarray, "*#n"],
    hands: Integer[np.ndarray, "*#n"],
) -> Int64[np.ndarray, " *n"]:
    """Where the sets of the named hands stand in that row."""
    return rows * cards.shape[1] + hands


def hands_to_act(state: State, rows: Int64[np.ndarray, " n"]) -> UInt64[np.ndarray, "n 2"]:
    """The cards of the hands that are to act."""
    at = place_of(state.hands, rows, state.seat[rows])
    return cardsets.take(sets_in_a_row(state.hands), at)


def attackers(state: State, rows: Int64[np.ndarray, " n"]) -> Bool[np.ndarray, "n a"]:
    """Which hands are on the taker's side in truth."""
    hands = np.arange(state.hands.shape[1])
    taker, partner = state.taker[rows, None], state.partner[rows, None]
    return (hands == taker) | (hands == partner)


def actors(state: State, rows: Int64[np.ndarray, " n"]) -> Int8[np.ndarray, " n"]:
    """Seats to act: those whose hand is to act, but the defender for the dummy."""
    seat = state.seat[rows]
    players = state.bids.shape[1]
    if state.hands.shape[1] == players:
        return seat
    return np.where(seat < players, seat, 1 - state.taker[rows])


def set_aside(state: State, rows: Int64[np.ndarray, " n"]) -> UInt64[np.ndarray, "n 2"]:
    """The cards of all écarts."""
    cards: np.ndarray = np.bitwise_or.reduce(state.ecart[rows], axis=1)
    return cards


def ecart_column(
    state: State, rows: Int64[np.ndarray, " n"], seats: Integer[np.ndarray, " n"]
) -> Int64[np.ndarray, " n"]:
    """Which écart belongs to each seat: the taker's is the first, its partner's the last."""
    last = state.ecart.shape[1] - 1
    return np.where(seats == state.taker[rows], 0, last)
