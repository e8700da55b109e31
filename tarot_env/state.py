"""The state of B tables as a struct of arrays: what lies where, and who did what.

Holds data and knows no rule. Seats are absolute, -1 stands for none. Every array has the batch as
its first axis, so that any set of tables can be copied, selected or saved without further thought.
"""

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from jaxtyping import Bool, Int, Int8, Int16, Int32, Int64, Integer, UInt8, UInt64

from tarot_env.actions import Bid, Phase
from tarot_env.cards import ANY, NUM_TRUMPS
from tarot_env.rules import Rules

PETIT, TWENTY_ONE, EXCUSE = 0, 1, 2
"""Columns of the oudler arrays."""


@dataclass
class State:
    """B tables. P seats, K oudlers (petit, 21, Excuse), L log rows, H history rows."""

    pack: UInt8[np.ndarray, "b 78"]  # as dealt: hands by seat, then the chien
    deal_id: Int64[np.ndarray, " b"]  # -1 for a deal that was given
    dealer: Int8[np.ndarray, " b"]
    phase: Int8[np.ndarray, " b"]
    seat: Int8[np.ndarray, " b"]  # to act; -1 when over

    hands: UInt64[np.ndarray, "b p 2"]  # cards held now
    chien: UInt64[np.ndarray, "b 2"]  # as dealt
    ecart: UInt64[np.ndarray, "b 2"]  # set aside by the taker

    bids: Int8[np.ndarray, "b p"]  # -1 not spoken, 0 passed, else the bid
    contract: Int8[np.ndarray, " b"]
    taker: Int8[np.ndarray, " b"]
    forced: Bool[np.ndarray, " b"]  # contract given without an auction
    slam_announced: Bool[np.ndarray, " b"]

    poignee_declared: Int8[np.ndarray, " b"]  # level 1..3 being put together, else 0
    poignee_level: Int8[np.ndarray, "b p"]  # level shown, 0 for none
    poignee_cards: UInt64[np.ndarray, "b p 2"]  # the cards shown
    withheld: UInt64[np.ndarray, "b p 2"]  # trumps kept out of a poignée

    trick_number: Int8[np.ndarray, " b"]  # from 0
    leader: Int8[np.ndarray, " b"]
    trick_size: Int8[np.ndarray, " b"]  # cards on the table
    trick_cards: Int8[np.ndarray, "b p"]  # in order of play, -1 beyond
    led: Int8[np.ndarray, " b"]  # suit, TRUMP, or ANY while nothing but the Excuse lies there
    best_trump: Int8[np.ndarray, " b"]  # 0 for none
    best_rank: Int8[np.ndarray, " b"]  # of the suit led
    best_seat: Int8[np.ndarray, " b"]  # winning so far
    last_trick: Int8[np.ndarray, "b p"]  # the trick before, in order of play
    last_leader: Int8[np.ndarray, " b"]
    last_winner: Int8[np.ndarray, " b"]

    played: UInt64[np.ndarray, "b p 2"]  # cards each seat has played
    void: Bool[np.ndarray, "b p 5"]  # play has shown: none of a suit; column 4, no trump
    trump_bound: Int8[np.ndarray, "b p"]  # play has shown: no trump above this number
    tricks_won: Int8[np.ndarray, "b p"]
    trick_half_points: Int16[np.ndarray, "b p"]  # in tricks won, the Excuse left out
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

    @classmethod
    def empty(cls, num_tables: int, rules: Rules) -> "State":
        """B tables as before a deal: no cards, nobody has acted."""
        sizes = {
            "b": num_tables,
            "p": rules.players,
            "k": 3,
            "l": rules.log_size,
            "h": rules.history_size,
        }
        arrays = {}
        for name, layout in _LAYOUTS.items():
            shape = [sizes[a] if a in sizes else int(a) for a in layout.dim_str.split()]
            arrays[name] = np.full(shape, _INITIAL.get(name, 0), layout.dtypes[0])
        return cls(**arrays)

    def clear(self, rows: Int64[np.ndarray, " n"]) -> None:
        """Puts the named tables back to where they were before a deal."""
        for name in _LAYOUTS:
            getattr(self, name)[rows] = _INITIAL.get(name, 0)

    def take(self, rows: Int64[np.ndarray, " n"]) -> "State":
        """A copy of the named tables, which may be named more than once."""
        return State(**{name: getattr(self, name)[rows] for name in _LAYOUTS})

    def copy(self) -> "State":
        """An independent copy of all tables."""
        return State(**{name: getattr(self, name).copy() for name in _LAYOUTS})

    def arrays(self) -> dict[str, np.ndarray]:
        """The arrays by name, not copied: for saving and comparing."""
        return {name: getattr(self, name) for name in _LAYOUTS}


_LAYOUTS: dict[str, Any] = {f.name: f.type for f in fields(State)}
_NOBODY = dict.fromkeys(
    (
        "deal_id seat bids taker trick_cards best_seat last_trick last_leader last_winner "
        " oudler_player oudler_trick oudler_winner log history"
    ).split(),
    -1,
)
_INITIAL: dict[str, int] = {**_NOBODY, "led": ANY, "trump_bound": NUM_TRUMPS}
"""What a field holds before a deal, where it is not 0."""


def log(
    state: State,
    rows: Int64[np.ndarray, " n"],
    seats: Integer[np.ndarray, " n"],
    actions: Integer[np.ndarray, " n"],
) -> None:
    """Appends to the log, which holds every action, private ones too."""
    _append(state.log, state.log_size, rows, seats, actions)


def publish(
    state: State,
    rows: Int64[np.ndarray, " n"],
    seats: Integer[np.ndarray, " n"],
    actions: Integer[np.ndarray, " n"],
) -> None:
    """Appends to the public history, what everybody at the table has seen or heard."""
    _append(state.history, state.history_size, rows, seats, actions)


def _append(
    events: Int8[np.ndarray, "b h 2"],
    sizes: Int16[np.ndarray, " b"],
    rows: Int64[np.ndarray, " n"],
    seats: Integer[np.ndarray, " n"],
    actions: Integer[np.ndarray, " n"],
) -> None:
    at = sizes[rows]
    events[rows, at, 0] = seats
    events[rows, at, 1] = actions
    sizes[rows] = at + 1


def attackers(state: State, rows: Int64[np.ndarray, " n"]) -> Bool[np.ndarray, "n p"]:
    """Which seats are on the taker's side."""
    seats = np.arange(state.bids.shape[1])
    return seats == state.taker[rows, None]


def chien_is_taken(state: State, rows: Int[np.ndarray, " n"]) -> Bool[np.ndarray, " n"]:
    """Where the taker has picked the chien up."""
    contract = state.contract[rows]
    return (state.phase[rows] > Phase.AUCTION) & (contract > 0) & (contract <= Bid.GARDE)


def chien_is_open(state: State, rows: Int[np.ndarray, " n"]) -> Bool[np.ndarray, " n"]:
    """Where everybody has seen the chien: it was taken up, or the deal is played out."""
    played_out = (state.phase[rows] == Phase.OVER) & (state.contract[rows] > 0)
    return chien_is_taken(state, rows) | played_out
