"""What a hand is worth before the auction: the published scale (rules.md E1).

Chavey, "Le jeu de tarot" (Hatier 1986), as given by le21bollenois.com: points for oudlers, for
long and high trumps, for honours and for long suits. The trump length counts every oudler, the
Excuse too.
"""

from collections.abc import Callable

import numpy as np
from jaxtyping import Bool, Int, Int16, UInt64

from tarot_env import cardsets
from tarot_env.cards import (
    EXCUSE,
    FIRST_TRUMP,
    JACK,
    KING,
    KNIGHT,
    NUM_CARDS,
    NUM_SUITS,
    NUM_TRUMPS,
    PETIT,
    QUEEN,
    SUIT_SIZE,
    TRUMP_21,
)
from tarot_env.tables import Tables

LOWEST_MAJOR = 16
"""Trumps from here up are majors."""
_PETIT_BY_LENGTH = np.array([0, 0, 0, 0, 0, 5, 7] + [9] * (NUM_TRUMPS + 1 - 6), np.int16)
_SUIT_BY_LENGTH = np.array([0, 0, 0, 0, 0, 5, 7] + [9] * (SUIT_SIZE - 6), np.int16)
_SHORT_SUIT = np.array([6, 3] + [0] * (SUIT_SIZE - 1), np.int16)


def hand_points(hand: UInt64[np.ndarray, "n 2"]) -> Int16[np.ndarray, " n"]:
    """Points of each hand on the published scale (rules.md E1), for a bid with the chien."""
    cards = cardsets.to_mask(hand)[:, :NUM_CARDS]
    return _trump_points(cards) + _suit_points(cards)


def hand_points_without_chien(hand: UInt64[np.ndarray, "n 2"]) -> Int16[np.ndarray, " n"]:
    """The scale where the chien is not taken up: a void adds 6, a singleton 3 (rules.md E1)."""
    lengths = [cardsets.count(hand & cardsets.SUIT[suit]) for suit in range(NUM_SUITS)]
    return hand_points(hand) + _SHORT_SUIT[np.stack(lengths)].sum(0, dtype=np.int16)


def trump_length(hand: UInt64[np.ndarray, "n 2"]) -> Int16[np.ndarray, " n"]:
    """Trumps held, the Excuse among them."""
    return cardsets.count(hand & (cardsets.TRUMPS | cardsets.EXCUSE))


def strongest_seats(
    tables: Tables,
    rows: Int[np.ndarray, " n"],
    scale: Callable[[np.ndarray], np.ndarray] = hand_points,
) -> Int[np.ndarray, " n"]:
    """The seat with most points on the scale at each named table; ties: the first to speak.

    Args:
        tables: freshly dealt tables.
        rows: which of them.
        scale: `hand_points` or `hand_points_without_chien`.
    """
    players = tables.rules.players
    order = (tables.state.dealer[rows, None] + np.arange(1, players + 1)) % players
    hands = tables.state.hands[rows[:, None], order]
    best = scale(hands.reshape(-1, 2)).reshape(len(rows), players).argmax(1)
    return order[np.arange(len(rows)), best]


def _trump_points(cards: Bool[np.ndarray, "n 78"]) -> Int16[np.ndarray, " n"]:
    length = cards[:, FIRST_TRUMP:].sum(1, dtype=np.int16)
    majors = cards[:, FIRST_TRUMP + LOWEST_MAJOR - 1 : TRUMP_21 + 1]
    in_run = np.zeros_like(majors)
    neighbours = majors[:, 1:] & majors[:, :-1]
    in_run[:, 1:] |= neighbours
    in_run[:, :-1] |= neighbours
    points = np.where(cards[:, TRUMP_21], 10, 0) + np.where(cards[:, EXCUSE], 8, 0)
    points += np.where(cards[:, PETIT], _PETIT_BY_LENGTH[length], 0)
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
