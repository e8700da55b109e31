"""Card play of the heuristic: the card for which the principles speak most (rules.md E3, E4).

Each card is scored in half points: what winning the trick brings, times the chance of winning it,
less what the card would still be worth in the hand, plus what it does as a lead. Loading a
partner's trick, playing low on a lost one and winning as cheaply as possible follow from that sum.
"""

from collections.abc import Mapping

import numpy as np
from jaxtyping import Bool, Float32, Int

from agents.heuristic.keeping import deadlines, reasons_to_keep
from agents.heuristic.leading import defence_leads, taker_leads
from agents.heuristic.reading import Measures, Plays, Reading, lead_suits, legal_plays, read
from agents.heuristic.signals import signal_measures
from agents.heuristic.tricks import what_winning_brings
from agents.heuristic.weights import DEFENCE_LEADS, KEEP, SIGNALS, TAKER_LEADS, WIN
from tarot_env.cards import ANY, NUM_CARDS, cardsets
from tarot_env.tables import Turn

_STEPS = 1024.0
"""Scores are compared in these parts of a half point, so that rounding decides no tie."""
_ROWS_AT_ONCE = 4096
"""Rows that are weighed together; what is known of more leaves the processor's cache."""
_FORCED_WORTH_LEAVING_OUT = 1 / 3
"""Share of the rows with one legal card; below it, copying the others takes longer."""


def play_card(turn: Turn, *, signals: bool = False) -> Int[np.ndarray, " n"]:
    """The card that each seat to play plays.

    Args:
        turn: what the seats know.
        signals: whether defenders give and read the published signals, see `signals`.
    """
    if len(turn) > _ROWS_AT_ONCE:
        parts = [turn.take(slice(a, a + _ROWS_AT_ONCE)) for a in range(0, len(turn), _ROWS_AT_ONCE)]
        return np.concatenate([play_card(part, signals=signals) for part in parts])
    is_forced = cardsets.count(turn.legal) == 1
    if np.count_nonzero(is_forced) < _FORCED_WORTH_LEAVING_OUT * len(turn):
        return _best_plays(turn, signals=signals)
    cards = cardsets.lowest(turn.legal).astype(np.int64)
    free = np.flatnonzero(~is_forced)
    if len(free):
        cards[free] = _best_plays(turn.take(free), signals=signals)
    return cards


def _best_plays(turn: Turn, *, signals: bool) -> Int[np.ndarray, " n"]:
    """The card with the highest score in each row, the first of several."""
    plays = legal_plays(turn)
    steps = np.rint(play_scores(turn, plays, signals=signals) * _STEPS).astype(np.int64)
    ranked = steps * NUM_CARDS + (NUM_CARDS - 1 - plays.card)
    number = cardsets.count(turn.legal)
    first_of_row = np.cumsum(number) - number
    return NUM_CARDS - 1 - np.maximum.reduceat(ranked, first_of_row) % NUM_CARDS


def play_scores(turn: Turn, plays: Plays, *, signals: bool = False) -> Float32[np.ndarray, " m"]:
    """Merit of each play in half points, in steps so wide that rounding errors decide no tie."""
    reading = read(turn)
    as_taker = plays_as_taker(turn, reading)
    role = plays.of_row(as_taker)
    score = _by_role(what_winning_brings(turn, reading, plays), WIN, role)
    score -= _by_role(reasons_to_keep(turn, reading, plays), KEEP, role)
    score += deadlines(turn, reading, plays)
    if signals and turn.rules.players > 2:
        score += _weighed(signal_measures(turn, reading, plays), SIGNALS)
    leads = turn.led == ANY
    if not leads.any():
        return _rounded(score)
    led = lead_suits(turn, np.flatnonzero(leads))
    for rows, merits, weights in (
        (leads & as_taker, taker_leads, TAKER_LEADS),
        (leads & ~as_taker, defence_leads, DEFENCE_LEADS),
    ):
        at = np.flatnonzero(plays.of_row(rows))
        if len(at):
            score[at] += _weighed(merits(turn, reading, plays.take(at), led), weights)
    return _rounded(score)


def _rounded(score: Float32[np.ndarray, " m"]) -> Float32[np.ndarray, " m"]:
    return np.rint(score * np.float32(_STEPS)) / np.float32(_STEPS)


def plays_as_taker(turn: Turn, reading: Reading) -> Bool[np.ndarray, " n"]:
    """Who plays by the taker's principles: the attack, and a defender who has no partner.

    Where they were tried against the defence's on duplicate deals, they were the better ones.
    """
    return reading.attacks | (turn.rules.cards_per_trick == 2)


def _by_role(
    measures: Measures,
    weights: Mapping[str, tuple[float, float]],
    as_taker: Bool[np.ndarray, " m"],
) -> Float32[np.ndarray, " m"]:
    """The sum of all measures, each times its weight, from pairs (defence, taker)."""
    names, terms = _stacked(measures)
    pairs = np.array([weights[name] for name in names], np.float32)
    defence, taker = ((terms * column[:, None]).sum(0) for column in pairs.T)
    return np.where(as_taker, taker, defence)


def _weighed(measures: Measures, weights: Mapping[str, float]) -> Float32[np.ndarray, " m"]:
    """The sum of all measures, each times its weight."""
    names, terms = _stacked(measures)
    column = np.array([weights[name] for name in names], np.float32)
    return (terms * column[:, None]).sum(0)


def _stacked(measures: Measures) -> tuple[tuple[str, ...], Float32[np.ndarray, "k m"]]:
    """The names of the measures and their values."""
    names, values = zip(*measures, strict=True)
    return names, np.concatenate(values, dtype=np.float32).reshape(len(names), -1)
