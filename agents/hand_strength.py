"""What a hand is worth before the auction: the published scale (RULES.md 17.1).

Chavey, "Le jeu de tarot" (Hatier 1986), as given by le21bollenois.com: points for oudlers, for
long and high trumps, for honours and for long suits. The trump length counts every oudler, the
Excuse too. It was made for hands of 18 cards; in other games the length is scaled to such a hand.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from jaxtyping import Bool, Int, Int16, UInt64

from tarot_env.cards import (
    EXCUSE,
    FIRST_TRUMP,
    JACK,
    KING,
    KNIGHT,
    NUM_CARDS,
    NUM_SUITS,
    PETIT,
    QUEEN,
    SUIT_SIZE,
    TRUMP_21,
    cardsets,
)
from tarot_env.core.compiling import kernel
from tarot_env.core.dealing import NUM_PILES
from tarot_env.core.seating import SEATINGS
from tarot_env.rules import Rules
from tarot_env.tables import Tables

SCALE_SIZE = 18
"""Cards of the hands that the scale was made for."""
LOWEST_MAJOR = 16
"""Trumps from here up are majors."""
_PETIT_BY_LENGTH = np.array([0, 0, 0, 0, 0, 5, 7, 9], np.int16)
"""The last entry holds for longer trumps too."""
_SUIT_BY_LENGTH = np.array([0, 0, 0, 0, 0, 5, 7] + [9] * (SUIT_SIZE - 6), np.int16)
_SHORT_SUIT = np.array([6, 3] + [0] * (SUIT_SIZE - 1), np.int16)


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


def hand_points(hand: UInt64[np.ndarray, "n 2"], size: int = SCALE_SIZE) -> Int16[np.ndarray, " n"]:
    """Points of each hand on the published scale (RULES.md 17.1), for a bid with the chien.

    Args:
        hand: the cards.
        size: how many cards a hand has, to which the trump length is scaled.
    """
    cards = cardsets.to_mask(hand)[:, :NUM_CARDS]
    return _trump_points(cards, size) + _suit_points(cards)


def hand_points_without_chien(
    hand: UInt64[np.ndarray, "n 2"], size: int = SCALE_SIZE
) -> Int16[np.ndarray, " n"]:
    """The scale where the chien is not taken up: a void adds 6, a singleton 3 (RULES.md 17.1)."""
    return hand_points(hand, size) + _SHORT_SUIT[suit_lengths(hand)].sum(1, dtype=np.int16)


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


def _trump_points(cards: Bool[np.ndarray, "n 78"], size: int) -> Int16[np.ndarray, " n"]:
    number = cards[:, FIRST_TRUMP:].sum(1, dtype=np.int16)
    length = (2 * SCALE_SIZE * number + size) // (2 * size)
    majors = cards[:, FIRST_TRUMP + LOWEST_MAJOR - 1 : TRUMP_21 + 1]
    in_run = np.zeros_like(majors)
    neighbours = majors[:, 1:] & majors[:, :-1]
    in_run[:, 1:] |= neighbours
    in_run[:, :-1] |= neighbours
    points = np.where(cards[:, TRUMP_21], 10, 0) + np.where(cards[:, EXCUSE], 8, 0)
    points += np.where(cards[:, PETIT], _PETIT_BY_LENGTH[np.minimum(length, 7)], 0)
    points += np.where(length > 4, 2 * length, 0)
    points += 2 * majors.sum(1) + in_run.sum(1)
    return points.astype(np.int16)


def _suit_points(cards: Bool[np.ndarray, "n 78"]) -> Int16[np.ndarray, " n"]:
    suits = cards[:, :FIRST_TRUMP].reshape(-1, NUM_SUITS, SUIT_SIZE)
    king, queen = suits[..., KING - 1], suits[..., QUEEN - 1]
    points = np.where(king, np.where(queen, 10, 6), np.where(queen, 3, 0))
    points += np.where(suits[..., KNIGHT - 1], 2, 0) + np.where(suits[..., JACK - 1], 1, 0)
    points += _SUIT_BY_LENGTH[suits.sum(2)]
    return points.sum(1, dtype=np.int16)
