"""What the heuristic says before the first card: bids, slam, poignée (rules.md E1, E3)."""

import numpy as np
from jaxtyping import Bool, Int, UInt64

from agents.heuristic.evaluation import hand_points, hand_points_without_chien, trump_length
from tarot_env import cardsets
from tarot_env.actions import CHELEM, PASS, POIGNEE, Bid
from tarot_env.cards import EXCUSE, FIRST_TRUMP, NUM_SUITS, SUIT_SIZE
from tarot_env.turn import Turn

THRESHOLDS = {Bid.PETITE: 44, Bid.GARDE: 47, Bid.GARDE_SANS: 68, Bid.GARDE_CONTRE: 78}
"""Least points of the scale for each contract (published: 40, 56, 71, 81).

How they were found: `calibration.forced_scores` on seed 101, deals 0 to 4095, with four heuristics:
garde breaks even between 44 and 48 points, garde sans near 60, and pays more than garde from about
68. Near that the thresholds with the best score in free bidding on duplicate deals (seed 301,
deals 0 to 2047): between 44 and 46 points a petite is worth no more than a pass.
"""
SHOW_FROM = 50
"""Points of the hand after the écart from which a taker shows a poignée."""
SLAM_TRUMPS = 12
SLAM_TOP_TRUMPS = 5


def bid(turn: Turn) -> Int[np.ndarray, " n"]:
    """The highest bid that the hand is worth, where it beats the best so far; else pass."""
    with_chien = hand_points(turn.hand)
    without_chien = hand_points_without_chien(turn.hand)
    choice = np.zeros(len(turn), np.int64)
    for contract, least in THRESHOLDS.items():
        points = with_chien if contract <= Bid.GARDE else without_chien
        choice = np.where(points >= least, np.int64(contract), choice)
    action = PASS + choice
    return np.where(cardsets.contains(turn.legal, action), action, PASS)


def announce_slam(turn: Turn) -> Int[np.ndarray, " n"]:
    """A slam is announced where hardly a card of the hand can lose a trick (rules.md E3)."""
    sure = (
        (trump_length(turn.hand) >= SLAM_TRUMPS)
        & (top_trumps(turn.hand) >= SLAM_TOP_TRUMPS)
        & suits_are_solid(turn.hand)
    )
    return np.where(sure, CHELEM, PASS).astype(np.int64)


def top_trumps(hand: UInt64[np.ndarray, "n 2"]) -> Int[np.ndarray, " n"]:
    """How many trumps each hand holds in an unbroken run from the 21 down."""
    trumps = cardsets.to_mask(hand)[:, FIRST_TRUMP:EXCUSE]
    return np.logical_and.accumulate(trumps[:, ::-1], axis=1).sum(1)


def suits_are_solid(hand: UInt64[np.ndarray, "n 2"]) -> Bool[np.ndarray, " n"]:
    """Whether every suit held is an unbroken run from the king down."""
    suits = cardsets.to_mask(hand)[:, :FIRST_TRUMP].reshape(-1, NUM_SUITS, SUIT_SIZE)
    from_king = np.logical_and.accumulate(suits[..., ::-1], axis=2)
    return (from_king == suits[..., ::-1]).all((1, 2))


def show_poignee(turn: Turn) -> Int[np.ndarray, " n"]:
    """The highest poignée of a taker who is clearly ahead; a defender shows only a double.

    It goes to the side that wins the contract, so it is shown by who expects to win; a defender
    with thirteen trumps does (rules.md E3).
    """
    level = cardsets.highest(turn.legal).astype(np.int64)
    is_taker = turn.taker == 0
    ahead = hand_points(turn.hand) >= SHOW_FROM
    shows = np.where(is_taker, ahead, level > POIGNEE)
    return np.where(shows, level, PASS)


def withhold(turn: Turn) -> Int[np.ndarray, " n"]:
    """Keeps back the lowest trump: where the petit lies is worth most to the other side."""
    return cardsets.lowest(turn.legal).astype(np.int64)
