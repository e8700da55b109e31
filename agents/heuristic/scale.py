"""Bids and announcements by the published scale (RULES.md 17.1): `heuristic:bid=scale`.

Heuristics that bid by it play the deals from which the estimates of `calibration` are fitted.
"""

import numpy as np
from jaxtyping import Bool, Int

from agents.hand_strength import (
    hand_points,
    hand_points_without_chien,
    known_cards,
    scaled,
    trump_length,
)
from agents.heuristic.features import (
    is_taken,
    partner_signals,
    signal_to_give,
    suit_losers,
    top_trumps,
)
from agents.heuristic.holding import HIDING_GAMES
from agents.heuristic.thresholds import NEVER, Thresholds
from tarot_env.cards import cardsets
from tarot_env.cards.actions import (
    CHELEM,
    CONTRA,
    PASS,
    PETIT_CHELEM,
    POIGNEE,
    RECONTRA,
    THROW_IN,
    Bid,
)
from tarot_env.tables import Turn

SHOW_ABOVE_GARDE = 3
"""Points beyond those for a garde from which a taker shows a poignée, after the écart."""
SLAM_TRUMPS = 12
"""Of a hand of 18 cards."""
SLAM_TOP_TRUMPS = 5
SMALL_SLAM_LOSERS = 2
"""Suit cards that may be lost under an announced petit chelem; it allows three tricks."""


def bid(turn: Turn, thresholds: Thresholds) -> Int[np.ndarray, " n"]:
    """The highest bid that the hand is worth, where it beats the best so far; else pass.

    In the partnerships of six, where a petite or a pousse is never played, they say that the hand
    holds an oudler, and a partner who has said so makes the own hand worth more.
    """
    if not turn.rules.in_partnerships:
        action = PASS + contract_for(turn, thresholds)
        return np.where(cardsets.contains(turn.legal, action), action, PASS)
    heard = thresholds.signal * partner_signals(turn)
    action = PASS + contract_for(turn, thresholds._replace(petite=NEVER), heard)
    bids = cardsets.contains(turn.legal, action) & (action > PASS)
    return np.where(bids, action, _call_of_six(turn, thresholds, heard))


def contract_for(
    turn: Turn, thresholds: Thresholds, heard: Int[np.ndarray, " n"] | int = 0
) -> Int[np.ndarray, " n"]:
    """The highest contract that each hand is worth, 0 for none.

    Args:
        turn: the hands.
        thresholds: of the game.
        heard: points on top of the hand's own.
    """
    size = known_cards(turn.rules)
    with_chien = hand_points(turn.hand, size) + heard
    without_chien = hand_points_without_chien(turn.hand, size) + heard
    contract = np.zeros(len(turn), np.int64)
    for candidate, least, points in (
        (Bid.PETITE, thresholds.petite, with_chien),
        (Bid.GARDE, thresholds.garde, with_chien),
        (Bid.GARDE_SANS, thresholds.garde_sans, without_chien),
        (Bid.GARDE_CONTRE, thresholds.garde_contre, without_chien),
    ):
        contract = np.where(points >= least, np.int64(candidate), contract)
    return contract


def _call_of_six(
    turn: Turn, thresholds: Thresholds, heard: Int[np.ndarray, " n"]
) -> Int[np.ndarray, " n"]:
    """What a hand says that bids no contract: a signal once, contra, recontra, or pass."""

    def may(action: int) -> Bool[np.ndarray, " n"]:
        return cardsets.contains(turn.legal, np.full(len(turn), action))

    points = hand_points(turn.hand, known_cards(turn.rules))
    taken = is_taken(turn)
    action = signal_to_give(turn)
    action = np.where(taken & may(CONTRA) & (points >= thresholds.contra), CONTRA, action)
    giant = points + heard >= thresholds.garde_contre
    return np.where(taken & may(RECONTRA) & giant, RECONTRA, action)


# -- announcements


def ask_for_redeal(turn: Turn, thresholds: Thresholds) -> Int[np.ndarray, " n"]:
    """Has the deal thrown in, unless the hand is worth a garde."""
    points = hand_points(turn.hand, known_cards(turn.rules))
    return np.where(points >= thresholds.garde, PASS, THROW_IN).astype(np.int64)


def announce_slam(turn: Turn) -> Int[np.ndarray, " n"]:
    """A slam is announced where hardly a card of the hand can lose a trick (RULES.md 17.4).

    Where cards still come to the hand during play, nothing is that sure.
    """
    if turn.rules.game in HIDING_GAMES:
        return np.full(len(turn), PASS, np.int64)
    return or_petit_chelem(turn, np.where(loses_at_most(turn, 0), CHELEM, PASS))


def or_petit_chelem(turn: Turn, action: Int[np.ndarray, " n"]) -> Int[np.ndarray, " n"]:
    """The action; instead of a pass, where the rules have it, a petit chelem that is all but sure.

    Args:
        turn: seats at the question for a slam.
        action: `CHELEM` or `PASS` for each.
    """
    if turn.rules.petit_chelem:
        small = loses_at_most(turn, SMALL_SLAM_LOSERS)
        action = np.where(small & (action == PASS), PETIT_CHELEM, action)
    return action.astype(np.int64)


def loses_at_most(turn: Turn, losers: int) -> Bool[np.ndarray, " n"]:
    """Whether a hand with all the trumps that a slam wants has so few suit cards that may lose."""
    long = trump_length(turn.hand) >= scaled(SLAM_TRUMPS, turn.rules)
    high = top_trumps(turn.hand) >= SLAM_TOP_TRUMPS
    return long & high & (suit_losers(turn.hand) <= losers)


def show_poignee(turn: Turn, thresholds: Thresholds) -> Int[np.ndarray, " n"]:
    """The highest poignée of a taker who is clearly ahead and of its partner; a defender's double.

    It goes to the side that wins the contract, so it is shown by who expects to win; a defender
    with that many trumps does (RULES.md 17.4).
    """
    level = cardsets.highest(turn.legal).astype(np.int64)
    is_taker = turn.taker == 0
    points = hand_points(turn.hand, known_cards(turn.rules))
    ahead = points >= thresholds.garde + SHOW_ABOVE_GARDE
    shows = np.where(is_taker, ahead, turn.attack[:, 0] | (level > POIGNEE))
    return np.where(shows, level, PASS)
