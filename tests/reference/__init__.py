"""A slow second implementation of the rules, in plain Python, to test the fast one against.

It knows the rules text and nothing of the packages under test; cards and actions are text in it.
"""

from .cards import ACTIONS, PACK, in_action_order, legal_cards, legal_discards, trick_winner
from .games import GAMES, Game, deal_out, find_game
from .match import gather, next_deal, next_dealer
from .options import preset_options, read_options
from .referee import Referee
from .scoring import score_deal

__all__ = [
    "ACTIONS",
    "GAMES",
    "PACK",
    "Game",
    "Referee",
    "deal_out",
    "find_game",
    "gather",
    "in_action_order",
    "legal_cards",
    "legal_discards",
    "next_deal",
    "next_dealer",
    "preset_options",
    "read_options",
    "score_deal",
    "trick_winner",
]
