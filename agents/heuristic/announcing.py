"""What the heuristic announces beside its bids: redeal, slam, misère, poignée (rules.md E3)."""

import numpy as np
from jaxtyping import Int, UInt64

from agents.heuristic.evaluation import hand_points, known_cards, scaled, trump_length
from agents.heuristic.holding import HIDING_GAMES
from agents.heuristic.thresholds import Thresholds
from tarot_env import cardsets
from tarot_env.actions import CHELEM, MISERE, PASS, PETIT_CHELEM, POIGNEE, THROW_IN
from tarot_env.cards import EXCUSE, FIRST_TRUMP, NUM_SUITS, SUIT_SIZE
from tarot_env.turn import Turn

SHOW_ABOVE_GARDE = 3
"""Points beyond those for a garde from which a taker shows a poignée, after the écart."""
SLAM_TRUMPS = 12
"""Of a hand of 18 cards."""
SLAM_TOP_TRUMPS = 5
SMALL_SLAM_LOSERS = 2
"""Suit cards that may be lost under an announced petit chelem; it allows three tricks."""


def ask_for_redeal(turn: Turn, thresholds: Thresholds) -> Int[np.ndarray, " n"]:
    """Has the deal thrown in, unless the hand is worth a garde."""
    points = hand_points(turn.hand, known_cards(turn.rules))
    return np.where(points >= thresholds.garde, PASS, THROW_IN).astype(np.int64)


def announce_slam(turn: Turn) -> Int[np.ndarray, " n"]:
    """A slam is announced where hardly a card of the hand can lose a trick (rules.md E3).

    Where cards still come to the hand during play, nothing is that sure.
    """
    if turn.rules.game in HIDING_GAMES:
        return np.full(len(turn), PASS, np.int64)
    strong = (trump_length(turn.hand) >= scaled(SLAM_TRUMPS, turn.rules)) & (
        top_trumps(turn.hand) >= SLAM_TOP_TRUMPS
    )
    losers = suit_losers(turn.hand)
    action = np.where(strong & (losers == 0), CHELEM, PASS)
    if turn.rules.petit_chelem:
        small = strong & (losers > 0) & (losers <= SMALL_SLAM_LOSERS)
        action = np.where(small, PETIT_CHELEM, action)
    return action.astype(np.int64)


def top_trumps(hand: UInt64[np.ndarray, "n 2"]) -> Int[np.ndarray, " n"]:
    """How many trumps each hand holds in an unbroken run from the 21 down."""
    trumps = cardsets.to_mask(hand)[:, FIRST_TRUMP:EXCUSE]
    return np.logical_and.accumulate(trumps[:, ::-1], axis=1).sum(1)


def suit_losers(hand: UInt64[np.ndarray, "n 2"]) -> Int[np.ndarray, " n"]:
    """Suit cards that do not belong to an unbroken run from the king down."""
    suits = cardsets.to_mask(hand)[:, :FIRST_TRUMP].reshape(-1, NUM_SUITS, SUIT_SIZE)
    from_king = np.logical_and.accumulate(suits[..., ::-1], axis=2)
    return (suits[..., ::-1] & ~from_king).sum((1, 2))


def declare_misere(turn: Turn) -> Int[np.ndarray, " n"]:
    """Always: it brings points whatever happens."""
    return np.full(len(turn), MISERE, np.int64)


def show_poignee(turn: Turn, thresholds: Thresholds) -> Int[np.ndarray, " n"]:
    """The highest poignée of a taker who is clearly ahead and of its partner; a defender's double.

    It goes to the side that wins the contract, so it is shown by who expects to win; a defender
    with that many trumps does (rules.md E3).
    """
    level = cardsets.highest(turn.legal).astype(np.int64)
    is_taker = turn.taker == 0
    points = hand_points(turn.hand, known_cards(turn.rules))
    ahead = points >= thresholds.garde + SHOW_ABOVE_GARDE
    shows = np.where(is_taker, ahead, turn.attack[:, 0] | (level > POIGNEE))
    return np.where(shows, level, PASS)


def withhold(turn: Turn) -> Int[np.ndarray, " n"]:
    """Keeps back the lowest trump: where the petit lies is worth most to the other side."""
    return cardsets.lowest(turn.legal).astype(np.int64)
