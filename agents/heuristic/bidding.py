"""The auction of the heuristic: bids by the published scale (rules.md E1), signals, contra."""

import numpy as np
from jaxtyping import Bool, Int

from agents.heuristic.evaluation import hand_points, hand_points_without_chien, known_cards
from agents.heuristic.thresholds import NEVER, Thresholds
from tarot_env import cardsets
from tarot_env.actions import CONTRA, PASS, PETITE, POUSSE, RECONTRA, Bid
from tarot_env.turn import Turn

PARTNER = 3
"""Place of the partner in a partnership of six."""


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


def partner_signals(turn: Turn) -> Bool[np.ndarray, " n"]:
    """Whether the partner has said that it holds an oudler."""
    said = turn.bids[:, PARTNER]
    return (said == Bid.PETITE) | (said == Bid.POUSSE)


def _call_of_six(
    turn: Turn, thresholds: Thresholds, heard: Int[np.ndarray, " n"]
) -> Int[np.ndarray, " n"]:
    """What a hand says that bids no contract: a signal once, contra, recontra, or pass."""

    def may(action: int) -> Bool[np.ndarray, " n"]:
        return cardsets.contains(turn.legal, np.full(len(turn), action))

    points = hand_points(turn.hand, known_cards(turn.rules))
    has_oudler = ~cardsets.is_empty(turn.hand & cardsets.OUDLERS)
    signals = has_oudler & (turn.bids[:, 0] <= 0)
    plays = turn.contract >= Bid.GARDE
    action = np.where(signals & may(POUSSE), POUSSE, PASS)
    action = np.where(signals & may(PETITE), PETITE, action)
    action = np.where(plays & may(CONTRA) & (points >= thresholds.contra), CONTRA, action)
    giant = points + heard >= thresholds.garde_contre
    return np.where(plays & may(RECONTRA) & giant, RECONTRA, action)
