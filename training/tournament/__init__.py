"""Duplicate tournaments and simulations."""

from training.tournament.tournament import evaluate, run_tournament

__all__ = [
    "evaluate",
    "run_tournament",
]
