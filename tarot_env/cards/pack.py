"""The pack: 78 cards, their ids, their text and what they count.

Knows nothing of hands, deals or rules. Ids (the pack: RULES.md 2.1):

    0 .. 13    spades    1 .. 10, jack, knight, queen, king
    14 .. 27   hearts
    28 .. 41   diamonds
    42 .. 55   clubs
    56 .. 76   trumps 1 .. 21
    77         the Excuse
"""

import numpy as np

NUM_CARDS = 78
NUM_SUITS = 4
SUIT_SIZE = 14
NUM_TRUMPS = 21
FIRST_TRUMP = 56

JACK, KNIGHT, QUEEN, KING = 11, 12, 13, 14
"""Ranks of the court cards."""

PETIT = 56
TRUMP_21 = 76
EXCUSE = 77

TRUMP = 4
"""Kind of a trump, beside the suits 0..3; also "trumps were led"."""
ANY = 5
"""Kind of the Excuse; also "nothing to follow yet"."""

SUIT_LETTERS = "SHDC"
SUIT_NAMES = ("spades", "hearts", "diamonds", "clubs")
RANK_TEXTS = ("1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "N", "Q", "K")

CARD_TEXTS: tuple[str, ...] = (
    *(suit + rank for suit in SUIT_LETTERS for rank in RANK_TEXTS),
    *(f"T{number}" for number in range(1, NUM_TRUMPS + 1)),
    "EX",
)
"""Text of each card id: `S1`, `HK`, `T21`, `EX`."""


def _kinds() -> np.ndarray:
    kinds = np.repeat(np.arange(NUM_SUITS, dtype=np.int8), SUIT_SIZE)
    return np.concatenate([kinds, np.full(NUM_TRUMPS, TRUMP, np.int8), np.array([ANY], np.int8)])


def _ranks() -> np.ndarray:
    ranks = np.tile(np.arange(1, SUIT_SIZE + 1, dtype=np.int8), NUM_SUITS)
    return np.concatenate(
        [ranks, np.arange(1, NUM_TRUMPS + 1, dtype=np.int8), np.zeros(1, np.int8)]
    )


def _half_points() -> np.ndarray:
    half_points = np.ones(NUM_CARDS, np.int16)
    for suit in range(NUM_SUITS):
        for rank, value in ((JACK, 3), (KNIGHT, 5), (QUEEN, 7), (KING, 9)):
            half_points[SUIT_SIZE * suit + rank - 1] = value
    half_points[[PETIT, TRUMP_21, EXCUSE]] = 9
    return half_points


KIND = _kinds()
"""int8 [78]: suit 0..3, `TRUMP` or `ANY` (the Excuse)."""
RANK = _ranks()
"""int8 [78]: 1..14 in a suit, 1..21 among trumps, 0 for the Excuse."""
HALF_POINTS = _half_points()
"""int16 [78]: oudler or king 9, queen 7, knight 5, jack 3, any other card 1 (sum 182)."""
OUDLERS = (PETIT, TRUMP_21, EXCUSE)
