"""A slow second implementation of the rules, in plain Python, to test the fast one against.

It knows the rules text and nothing of the packages under test; cards and actions are text in it.
"""

from .cards import ACTIONS, PACK, in_action_order, legal_cards, legal_discards, trick_winner
from .referee import Referee
from .scoring import score_deal

__all__ = [
    "ACTIONS",
    "PACK",
    "Referee",
    "in_action_order",
    "legal_cards",
    "legal_discards",
    "score_deal",
    "trick_winner",
]
