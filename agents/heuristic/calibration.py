"""What the scale's points are worth at the table: the evidence behind `bidding.THRESHOLDS`."""

import numpy as np
from jaxtyping import Float64, Int, Int16

from agents.base import Agent
from agents.heuristic.evaluation import (
    hand_points,
    hand_points_without_chien,
    strongest_seats,
)
from agents.play import Player, play_out
from tarot_env.actions import Bid
from tarot_env.rules import Rules
from tarot_env.tables import Tables


def forced_scores(
    agent: Agent, contract: Bid, *, seed: int, first_deal: int, deals: int
) -> tuple[Int16[np.ndarray, " n"], Float64[np.ndarray, " n"]]:
    """Points of the strongest hand of each deal, and what it scores with the contract forced.

    Args:
        agent: plays all four seats.
        contract: given to the seat with most points on the scale; ties: the first to speak.
        seed: of the deals; training seeds lie below 1,000,000.
        first_deal: id of the first deal.
        deals: how many; a deal with a petit sec is left out.
    """
    tables = Tables(Rules.preset("fft"), deals, seed=seed, first_deal=first_deal)
    rows = np.flatnonzero(~tables.is_over)
    scale = hand_points if contract <= Bid.GARDE else hand_points_without_chien
    taker = strongest_seats(tables, rows, scale)
    points = scale(tables.state.hands[rows, taker])
    tables.force(rows, taker, contract)
    player = Player(agent, np.random.default_rng(seed))
    everywhere = np.zeros((deals, tables.rules.players), np.int64)
    play_out(tables, [player], everywhere, fallback=player.rng)
    return points, tables.scores[rows, taker]


def score_by_points(
    points: Int16[np.ndarray, " n"], scores: Float64[np.ndarray, " n"], width: int = 4
) -> list[tuple[int, int, float, float]]:
    """Rows of (lowest points, deals, mean score, half width of its 95 % interval)."""
    bins: Int[np.ndarray, " n"] = points // width
    table = []
    for step in np.unique(bins):
        here = scores[bins == step]
        half_width = 1.96 * float(here.std()) / len(here) ** 0.5
        table.append((int(step) * width, len(here), float(here.mean()), half_width))
    return table
