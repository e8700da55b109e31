"""What a hand is worth before the auction: the published scale (RULES.md 17.1).

Chavey, "Le jeu de tarot" (Hatier 1986), as given by le21bollenois.com: points for oudlers, for
long and high trumps, for honours and for long suits. The trump length counts every oudler, the
Excuse too. It was made for hands of 18 cards; in other games the length is scaled to such a hand.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from jaxtyping import Int, Int16, UInt64

from tarot_env.cards import JACK, KING, KNIGHT, NUM_SUITS, QUEEN, SUIT_SIZE, cardsets
from tarot_env.core.bits import (
    EXCUSE,
    PETIT,
    TRUMPS,
    TRUMPS_AND_EXCUSE,
    TWENTY_ONE,
    popcount,
    suit_of,
)
from tarot_env.core.compiling import as_compiled, kernel, loop
from tarot_env.core.dealing import NUM_PILES
from tarot_env.core.seating import SEATINGS
from tarot_env.rules import Rules
from tarot_env.tables import Tables

SCALE_SIZE = 18
"""Cards of the hands that the scale was made for."""
LOWEST_MAJOR = 16
"""Trumps from here up are majors."""
_PETIT_BY_LENGTH = np.array([0, 0, 0, 0, 0, 5, 7, 9], np.int64)
"""The last entry holds for longer trumps too."""
_SUIT_BY_LENGTH = np.array([0, 0, 0, 0, 0, 5, 7] + [9] * (SUIT_SIZE - 6))
_SHORT_SUIT = np.array([6, 3] + [0] * (SUIT_SIZE - 1))


def known_cards(rules: Rules) -> int:
    """Cards that a seat knows to be its own before the auction; those on its piles count."""
    return rules.hand_size + (NUM_PILES if rules.game == "decouverte" else 0)


def scaled(number: int, rules: Rules) -> int:
    """A number of trumps in a hand of 18 cards as one in a hand of this game, rounded."""
    return (2 * number * known_cards(rules) + SCALE_SIZE) // (2 * SCALE_SIZE)


@kernel
def scaled_here(number: int, rules: Any) -> int:
    """As `scaled`, with the rules as a record."""
    size = rules.hand_size + (NUM_PILES if rules.decouverte else 0)
    return (2 * number * size + SCALE_SIZE) // (2 * SCALE_SIZE)


@kernel
def points_of(suits: int, rest: int, size: int) -> int:
    """Points of one hand on the published scale, for a bid with the chien; see `hand_points`."""
    number = popcount(rest & TRUMPS_AND_EXCUSE)
    length = (2 * SCALE_SIZE * number + size) // (2 * size)
    majors = (rest & TRUMPS) >> (LOWEST_MAJOR - 1)
    points = 2 * popcount(majors) + popcount(majors & (majors >> 1 | majors << 1))
    if rest & TWENTY_ONE:
        points += 10
    if rest & EXCUSE:
        points += 8
    if rest & PETIT:
        points += _PETIT_BY_LENGTH[min(length, 7)]
    if length > 4:
        points += 2 * length
    for suit in range(NUM_SUITS):
        cards = suit_of(suits, suit)
        king, queen = cards >> (KING - 1) & 1, cards >> (QUEEN - 1) & 1
        points += 6 * king + 3 * queen + king * queen
        points += 2 * (cards >> (KNIGHT - 1) & 1) + (cards >> (JACK - 1) & 1)
        points += _SUIT_BY_LENGTH[popcount(cards)]
    return points


@kernel
def short_suit_points(suits: int) -> int:
    """What is added where the chien is not taken up: a void adds 6, a singleton 3."""
    points = 0
    for suit in range(NUM_SUITS):
        points += _SHORT_SUIT[popcount(suit_of(suits, suit))]
    return points


@loop
def _points_all(hands: Any, size: int, short_too: bool, points: Any) -> None:
    for i in range(len(hands)):
        points[i] = points_of(hands[i, 0], hands[i, 1], size)
        if short_too:
            points[i] += short_suit_points(hands[i, 0])


def _points(hand: UInt64[np.ndarray, "n 2"], size: int, short_too: bool) -> np.ndarray:
    points = np.empty(len(hand), np.int16)
    _points_all(as_compiled(hand, np.uint64).view(np.int64), size, short_too, points)
    return points


def hand_points(hand: UInt64[np.ndarray, "n 2"], size: int = SCALE_SIZE) -> Int16[np.ndarray, " n"]:
    """Points of each hand on the published scale (RULES.md 17.1), for a bid with the chien.

    Args:
        hand: the cards.
        size: how many cards a hand has, to which the trump length is scaled.
    """
    return _points(hand, size, False)


def hand_points_without_chien(
    hand: UInt64[np.ndarray, "n 2"], size: int = SCALE_SIZE
) -> Int16[np.ndarray, " n"]:
    """The scale where the chien is not taken up: void and singleton count (RULES.md 17.1)."""
    return _points(hand, size, True)


def trump_length(hand: UInt64[np.ndarray, "n 2"]) -> Int16[np.ndarray, " n"]:
    """Trumps held, the Excuse among them."""
    return cardsets.count(hand & (cardsets.TRUMPS | cardsets.EXCUSE))


def suit_lengths(hand: UInt64[np.ndarray, "n 2"]) -> Int16[np.ndarray, "n 4"]:
    """Cards of each suit."""
    return cardsets.count(hand[:, None] & cardsets.SUIT[:NUM_SUITS])


def strongest_seats(
    tables: Tables,
    rows: Int[np.ndarray, " n"],
    scale: Callable[[np.ndarray, int], np.ndarray] = hand_points,
) -> Int[np.ndarray, " n"]:
    """The seat with most points on the scale at each named table; ties: the first to speak.

    A dealer who sits out and the dummy are no such seats.

    Args:
        tables: freshly dealt tables.
        rows: which of them.
        scale: `hand_points` or `hand_points_without_chien`.
    """
    rules = tables.rules
    order = SEATINGS[rules.game_name].speakers[tables.columns.dealer[rows]].astype(np.int64)
    hands = tables.columns.hands[rows[:, None], order]
    points = scale(hands.reshape(-1, 2), known_cards(rules)).reshape(order.shape)
    return order[np.arange(len(rows)), points.argmax(1)]
