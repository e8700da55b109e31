"""The auction of the heuristic: the call that is expected to score most; signals with six.

Points per deal of `heuristic` alone among `heuristic:bid=scale`, with 95 % intervals (tarot
tournament heuristic heuristic:bid=scale --first-alone --seed 1000124 --deals 4000): three players
+6.9 ± 1.2, four +3.7 ± 0.8, five +4.8 ± 1.6, a dead hand +3.0 ± 0.7, six +5.1 ± 1.9, La Découverte
+19.2 ± 1.5, La Tirette +20.2 ± 2.1, with a dummy +3.8 ± 0.8.
"""

import numpy as np
from jaxtyping import Bool, Int

from agents.heuristic.estimates import Estimates, expected_scores, making_chances
from agents.heuristic.features import signal_to_give
from tarot_env.cards.actions import PASS, RECONTRA, Bid
from tarot_env.tables import Turn

RECONTRA_CHANCE = 0.9
"""Of making the contract, as it looked before the others said that they are strong."""


def bid(turn: Turn, estimates: Estimates | None = None) -> Int[np.ndarray, " n"]:
    """The call with the highest expected score, a pass where nothing is better.

    In the partnerships of six, where a petite or a pousse is never played, a hand that would pass
    says with them, once, that it holds an oudler.

    Args:
        turn: seats to act in an auction.
        estimates: those of the game if None.
    """
    scores = expected_scores(turn, estimates)
    call = np.where(np.isnan(scores), -np.inf, scores)[:, PASS:].argmax(1) + PASS
    if not turn.rules.in_partnerships:
        return call
    doubles = np.flatnonzero(call == RECONTRA)
    call[doubles[~_is_sure(turn.take(doubles), estimates)]] = PASS
    return np.where(call == PASS, signal_to_give(turn), call)


def _is_sure(turn: Turn, estimates: Estimates | None) -> Bool[np.ndarray, " n"]:
    """Whether the seat to act is a taker that is all but sure of its contract."""
    sure = np.zeros(len(turn), bool)
    for contract in (Bid.GARDE, Bid.GARDE_SANS, Bid.GARDE_CONTRE):
        rows = np.flatnonzero((turn.taker == 0) & (turn.contract == contract))
        sure[rows] = making_chances(turn.take(rows), contract, estimates) >= RECONTRA_CHANCE
    return sure
