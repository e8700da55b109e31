"""From how many points of the scale (RULES.md 17.1) the heuristic bids what, game by game."""

from collections.abc import Mapping
from typing import NamedTuple

NEVER = 1000
"""More points than any hand has."""


class Thresholds(NamedTuple):
    """Least points for each bid of a game."""

    petite: int
    garde: int
    garde_sans: int
    garde_contre: int
    signal: int = 0
    """Six players: points that a petite or pousse of the partner adds to the own hand."""
    contra: int = NEVER


FOUR_PLAYERS = Thresholds(petite=44, garde=47, garde_sans=68, garde_contre=78)
"""Published: 40, 56, 71, 81.

How they were found: on seed 101, deals 0 to 4095, with the contract given to the strongest hand of
four heuristics, garde breaks even between 44 and 48 points, garde sans near 60, and pays more than
garde from about 68. Near that the thresholds with the best score in free bidding on duplicate deals
(seed 301, deals 0 to 2047): between 44 and 46 points a petite is worth no more than a pass.
"""

THRESHOLDS: Mapping[str, Thresholds] = {
    "3": Thresholds(petite=NEVER, garde=54, garde_sans=65, garde_contre=76),
    "4": FOUR_PLAYERS,
    "5": Thresholds(petite=NEVER, garde=35, garde_sans=47, garde_contre=53),
    "mort": FOUR_PLAYERS,
    "6": Thresholds(petite=NEVER, garde=30, garde_sans=60, garde_contre=64, signal=12, contra=42),
    "decouverte": Thresholds(petite=NEVER, garde=15, garde_sans=46, garde_contre=64),
    "tirette": Thresholds(petite=NEVER, garde=18, garde_sans=54, garde_contre=73),
    "dummy": Thresholds(petite=NEVER, garde=55, garde_sans=64, garde_contre=77),
}
"""By game, found as those of four players were; frozen.

A hand that is worth a petite is worth a garde. In La Découverte and La Tirette the taker is so much
at an advantage that any hand bids a garde: the other one would.
"""
