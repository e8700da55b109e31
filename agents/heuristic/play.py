"""Card play of the heuristic: the card for which the principles speak most (rules.md E3, E4).

Each card is scored in half points: what winning the trick brings, times the chance of winning it,
less what the card would still be worth in the hand, plus what it does as a lead. Loading a
partner's trick, playing low on a lost one and winning as cheaply as possible follow from that sum.
"""

import functools
from collections.abc import Mapping

import numpy as np
from jaxtyping import Bool, Float32, Int

from agents.heuristic.keeping import deadlines, reasons_to_keep
from agents.heuristic.leading import defence_leads, taker_leads
from agents.heuristic.reading import Measures, Reading, read
from agents.heuristic.tricks import what_winning_brings
from agents.heuristic.weights import DEFENCE_LEADS, KEEP, TAKER_LEADS, WIN
from tarot_env.cards import ANY
from tarot_env.turn import Turn

_STEPS = 1024.0
"""Scores are compared in these parts of a half point, so that rounding decides no tie."""


def play_card(turn: Turn) -> Int[np.ndarray, " n"]:
    """The card that each seat to play plays."""
    score = card_scores(turn)
    rounded = np.round(score.astype(np.float64) * _STEPS)
    return np.argmax(rounded, axis=1).astype(np.int64)


def card_scores(turn: Turn) -> Float32[np.ndarray, "n 78"]:
    """Merit of each card in half points; minus infinity where it may not be played."""
    reading = read(turn)
    as_taker = plays_as_taker(turn, reading)
    score = _weighed(what_winning_brings(turn, reading), _by_role(WIN, as_taker))
    score -= _weighed(reasons_to_keep(turn, reading), _by_role(KEEP, as_taker))
    score += deadlines(turn, reading)
    leads = turn.led == ANY
    for rows, merits, weights in (
        (np.flatnonzero(leads & as_taker), taker_leads, TAKER_LEADS),
        (np.flatnonzero(leads & ~as_taker), defence_leads, DEFENCE_LEADS),
    ):
        if len(rows):
            score[rows] += _weighed(merits(turn.take(rows), reading.take(rows)), weights)
    return np.where(reading.legal, score, np.float32(-np.inf))


def plays_as_taker(turn: Turn, reading: Reading) -> Bool[np.ndarray, " n"]:
    """Who plays by the taker's principles: the attack, and a defender who has no partner.

    Where they were tried against the defence's on duplicate deals, they were the better ones.
    """
    return reading.attacks | (turn.rules.cards_per_trick == 2)


def _by_role(
    weights: dict[str, tuple[float, float]], as_taker: Bool[np.ndarray, " n"]
) -> dict[str, Float32[np.ndarray, "n 1"]]:
    """The weights that apply to each viewer, from pairs (defence, taker)."""
    role = as_taker.astype(np.int64)[:, None]
    return {name: np.array(pair, np.float32)[role] for name, pair in weights.items()}


def _weighed(
    measures: Measures, weights: Mapping[str, Float32[np.ndarray, "n 1"] | float]
) -> Float32[np.ndarray, "n 78"]:
    """The sum of all measures, each times its weight."""
    terms = (np.multiply(weights[name], measure, dtype=np.float32) for name, measure in measures)
    return functools.reduce(np.add, terms)
