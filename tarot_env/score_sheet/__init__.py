"""The score of a deal, line by line."""

from tarot_env.score_sheet.calculator import DealFacts
from tarot_env.score_sheet.sheet import (
    ScoreSheet,
    excuse_text,
    pile_lines,
    points_number,
    score_deal,
    score_lines,
    thrown_in_text,
)

__all__ = [
    "DealFacts",
    "ScoreSheet",
    "excuse_text",
    "pile_lines",
    "points_number",
    "score_deal",
    "score_lines",
    "thrown_in_text",
]
