"""Deals as an agent plays them in all seats, as text to be kept and compared."""

import hashlib

import numpy as np

from agents.base import AnyAgent
from agents.play import Player, play_out
from tarot_env import Rules, Tables
from tarot_env.cards.actions import BID_TEXTS, Bid
from tarot_env.core.scoring import points_text

SEED = 1_000_021


def golden_text(agent: AnyAgent, rules: Rules, deals: int) -> str:
    """One line a deal, from the auction on; all actions as a hash."""
    tables = Tables(rules, deals, seed=SEED)
    player = Player(agent, np.random.default_rng(0))
    play_out(tables, [player], np.zeros((deals, rules.players), np.int64), player.rng)
    state = tables.columns
    lines = []
    for row in range(deals):
        actions = state.log[row, : state.log_size[row]]
        contract = "not played"
        if tables.taker[row] >= 0:
            scores = " ".join(f"{score:+g}" for score in tables.scores[row])
            contract = (
                f"seat {tables.taker[row]} {BID_TEXTS[Bid(tables.contract[row])]}, "
                f"points {points_text(int(state.attack_half_points[row]))}, "
                f"oudlers {tables.oudlers[row]}, scores {scores}"
            )
        lines.append(f"{row}: {contract}; {hashlib.sha256(actions.tobytes()).hexdigest()[:12]}")
    return "\n".join(lines) + "\n"
