"""What a hand to play can tell about the other hands: sides, chances of cards, voids.

Built from a `Turn` alone. Axis H is the other hands that play, in order of play from the next one.
Chances of several cards are combined as if independent. `READING` is what one viewer makes of its
turn, as a record; a `Reading` shows n of them to Python.
"""

from functools import cached_property
from typing import Any

import numpy as np
from jaxtyping import Float64

from agents.heuristic.holding import MOST_OTHERS, PLACES, hold_chances
from tarot_env.cards import EXCUSE, FIRST_TRUMP, NUM_CARDS, NUM_SUITS, NUM_TRUMPS, SUIT_SIZE, TRUMP
from tarot_env.core.bits import PETIT, TRUMPS, TRUMPS_AND_EXCUSE, popcount, suit_of
from tarot_env.core.compiling import kernel, loop
from tarot_env.core.state import as_records, blank_records, choice, rules_record
from tarot_env.tables import Turn
from tarot_env.tables.turn import on_attack, playing_hand

_IMPRENABLE = choice("petit_sec", "imprenable")
_NO_TRUMP = TRUMP
_CERTAIN = 1e4
"""Rounding of the number of trumps: where it is certain, it is a whole number."""

READING: Any = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("holds", "f8", (MOST_OTHERS, NUM_CARDS)),  # chance that the hand holds the card
                ("none_above", "f8", (MOST_OTHERS, NUM_CARDS)),  # ... none higher of its kind
                ("none_behind_above", "f8", NUM_CARDS),  # that none behind holds a higher one
                ("enemy_tops", "f8", NUM_CARDS),  # of all cards above, that an enemy has the top
                ("is_void", "f8", (MOST_OTHERS, TRUMP + 1)),  # none of a suit, or no trump
                ("ruffs", "f8", (MOST_OTHERS, NUM_SUITS)),  # void in a suit, and has a trump
                ("enemy_ruffs", "f8", NUM_SUITS),  # that an enemy does
                ("enemy", "f8", MOST_OTHERS),  # chance that it is on the other side
                ("enemy_trumps", "f8", NUM_TRUMPS),  # of enemies, up to each number
                ("num_enemy_trumps", "f8"),
                ("hand", "i8", 2),  # that a card is played from
                ("others", "i8", MOST_OTHERS),  # place of each other hand
                ("behind", "i8", MOST_OTHERS),  # has yet to play to this trick
                ("suit_lengths", "i8", NUM_SUITS),  # of the hand
                ("num_trumps", "i8"),  # in it, the Excuse not among them
                ("num_others", "i8"),
                ("attacks", "i8"),
                ("is_taker", "i8"),
                ("petit_is_safe", "i8"),  # in hand, and nobody can take it (RULES.md 8.6)
                ("as_taker", "i8"),  # plays by the taker's principles
            ],
            align=True,
        ),
    )
)
"""What one viewer makes of its turn, H other hands."""


@kernel
def read_turn(turn: Any, rules: Any, r: Any, places: Any) -> None:
    """Writes what the hand to play can tell.

    Args:
        turn: a record of `TURN`, of a seat that is to play a card.
        rules: what is played.
        r: a record of `READING`, written.
        places: a record of `PLACES`, to work with.
    """
    _note_others(turn, rules, r)
    r.attacks = on_attack(turn, turn.to_act)
    r.is_taker = turn.to_act == turn.taker
    r.as_taker = r.attacks or rules.cards_per_trick == 2
    r.hand[0], r.hand[1] = playing_hand(turn, rules)
    for suit in range(NUM_SUITS):
        r.suit_lengths[suit] = popcount(suit_of(r.hand[0], suit))
    r.num_trumps = popcount(r.hand[1] & TRUMPS)
    trumps = (turn.hand[1] | turn.played[0, 1]) & TRUMPS_AND_EXCUSE
    r.petit_is_safe = rules.petit_sec == _IMPRENABLE and trumps == PETIT
    hold_chances(turn, rules, r.num_others, r, places)
    _note_enemies(turn, rules, r)
    for other in range(r.num_others):
        _note_what_is_above(r, other)
    _note_enemy_trumps(r)
    _note_behind(r)


@kernel
def _note_others(turn: Any, rules: Any, r: Any) -> None:
    """The other hands in order of play, from the one after the hand to act."""
    r.num_others = rules.cards_per_trick - 1
    dealer = rules.by_place[turn.seat, turn.dealer]
    hand = rules.by_place[turn.seat, turn.to_act]
    for other in range(r.num_others):
        hand = rules.next_hand[dealer, hand]
        r.others[other] = rules.from_viewer[turn.seat, hand]
        r.behind[other] = other < r.num_others - turn.trick_size


@kernel
def _note_enemies(turn: Any, rules: Any, r: Any) -> None:
    """Chance that each is on the other side; the holder of a called card may be any."""
    for other in range(r.num_others):
        with_taker = 1.0 if on_attack(turn, r.others[other]) else 0.0
        if rules.calls_king and turn.partner < 0 and with_taker == 0.0:
            with_taker = r.holds[other, max(turn.called, 0)]
        r.enemy[other] = 1.0 - with_taker if r.attacks else with_taker


@kernel
def _note_what_is_above(r: Any, other: int) -> None:
    """Chance that a hand holds none of the cards above each card, and none of each kind."""
    for kind in range(TRUMP + 1):
        first = SUIT_SIZE * kind
        last = EXCUSE - 1 if kind == TRUMP else first + SUIT_SIZE - 1
        none = 1.0
        for card in range(last, first - 1, -1):
            r.none_above[other, card] = none
            none *= 1.0 - r.holds[other, card]
        r.is_void[other, kind] = none
    r.none_above[other, EXCUSE] = 1.0
    for suit in range(NUM_SUITS):
        r.ruffs[other, suit] = r.is_void[other, suit] * (1.0 - r.is_void[other, _NO_TRUMP])


@kernel
def _note_enemy_trumps(r: Any) -> None:
    """How many trumps the enemies hold together, and who of them ruffs."""
    number = 0.0
    for trump in range(NUM_TRUMPS):
        for other in range(r.num_others):
            number += r.enemy[other] * r.holds[other, FIRST_TRUMP + trump]
        r.enemy_trumps[trump] = number
    r.num_enemy_trumps = round(number * _CERTAIN) / _CERTAIN
    for suit in range(NUM_SUITS):
        none = 1.0
        for other in range(r.num_others):
            none *= 1.0 - r.enemy[other] * r.ruffs[other, suit]
        r.enemy_ruffs[suit] = 1.0 - none


@kernel
def _note_behind(r: Any) -> None:
    """Of the hands behind: that none holds a higher card, and that an enemy holds the highest."""
    for kind in range(TRUMP + 1):
        first = SUIT_SIZE * kind
        last = EXCUSE - 1 if kind == TRUMP else first + SUIT_SIZE - 1
        none, top = 1.0, 0.0
        for card in range(last, first - 1, -1):
            r.none_behind_above[card], r.enemy_tops[card] = none, top
            any_behind = theirs = 0.0
            for other in range(r.num_others):
                if r.behind[other]:
                    any_behind += r.holds[other, card]
                    theirs += r.enemy[other] * r.holds[other, card]
            top += theirs * none
            none *= 1.0 - any_behind
    r.none_behind_above[EXCUSE], r.enemy_tops[EXCUSE] = 1.0, 0.0


@kernel
def share_to_come(turn: Any, rules: Any) -> float:
    """Part of the tricks that is not finished, 1 at the first lead."""
    return (rules.tricks - turn.trick_number) / rules.tricks


# -- shown to Python


@loop
def _read_all(turns: Any, rules: Any, readings: Any, places: Any) -> None:
    for i in range(len(turns)):
        read_turn(turns[i], rules[0], readings[i], places[0])


class Reading:
    """What n viewers make of their turns; H other hands, rows last, each field of `READING`."""

    def __init__(self, records: np.ndarray, num_others: int) -> None:
        self.records, self._num_others = records, num_others

    def __getattr__(self, name: str) -> np.ndarray:
        """A field: [..., n]; flags as booleans."""
        if name.startswith("_") or name not in (READING.names or ()):
            raise AttributeError(name)
        array = np.moveaxis(self.records[name], 0, -1)
        if array.ndim > 1 and READING[name].shape[0] == MOST_OTHERS:
            array = array[: self._num_others]
        return array != 0 if name in _FLAGS else array

    @cached_property
    def holds(self) -> Float64[np.ndarray, "h 78 n"]:
        """Chance that each other hand holds each card."""
        return np.moveaxis(self.records["holds"], 0, -1)[: self._num_others]


_FLAGS = ("behind", "attacks", "is_taker", "petit_is_safe", "as_taker")


def read(turn: Turn) -> Reading:
    """What the hands to play can tell about the other hands."""
    readings = blank_records(len(turn), READING)
    turns = as_records(turn.records)
    _read_all(turns, rules_record(turn.rules), readings, blank_records(1, PLACES))
    return Reading(readings, turn.rules.cards_per_trick - 1)
