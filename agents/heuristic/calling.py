"""What the heuristic chooses behind the auction: the card it calls, its half of the chien."""

import numpy as np
from jaxtyping import Int

from agents.hand_strength import hand_points, known_cards
from tarot_env.cards import FIRST_TRUMP, NUM_SUITS, QUEEN, SUIT_SIZE, cardsets
from tarot_env.cards.actions import FIRST_HALF, SECOND_HALF
from tarot_env.tables import Turn

QUEEN_COUNTS = 1
"""Cards that the queen of a suit is worth beside itself. On 6,000 deals (seed 602) 3 gains nothing
more and calling the king of a short suit costs a taker some ten points a deal."""


def call_card(turn: Turn) -> Int[np.ndarray, " n"]:
    """The king of a long suit that the hand lacks; a queen with all the kings, and so on."""
    hand = cardsets.to_mask(turn.hand)[:, :FIRST_TRUMP].reshape(-1, NUM_SUITS, SUIT_SIZE)
    merit = hand.sum(2) + QUEEN_COUNTS * hand[:, :, QUEEN - 1]
    candidates = cardsets.first_nonempty(turn.legal & ~turn.hand, turn.legal)
    allowed = cardsets.to_mask(candidates)[:, :FIRST_TRUMP]
    by_card = np.where(allowed, np.repeat(merit, SUIT_SIZE, axis=1), -np.inf)
    return by_card.argmax(1)


def choose_half(turn: Turn) -> Int[np.ndarray, " n"]:
    """The half of the chien that makes the taker's own hand the stronger."""
    size = known_cards(turn.rules)
    first = hand_points(turn.hand | turn.first_half, size)
    second = hand_points(turn.hand | (turn.chien & ~turn.first_half), size)
    return np.where(second > first, SECOND_HALF, FIRST_HALF).astype(np.int64)
