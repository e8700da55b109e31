"""The last tricks: exact play with all hands open, but only from the seat's next choice on.

A search that plays each imagined deal with open hands believes that it will know the cards when it
has to choose again, and sees no risk in putting a guess off. So its next choice is made for all
deals together that look the same to it by then: the card that is best on average over them. Until
then the others play by the policy; after it all cards are open.
"""

import numpy as np
from jaxtyping import Bool, Float64, Int64

from agents.base import Agent
from agents.search.rollouts import Games, answer, scores_of
from agents.search.solver import UNSOLVED, solve_rows
from tarot_env.core import scoring
from tarot_env.core.state import attackers


def ending_scores(
    games: Games, groups: Int64[np.ndarray, " n"], policy: Agent, rng: np.random.Generator
) -> Float64[np.ndarray, " n"]:
    """Points that the seats score.

    Args:
        games: in their last tricks.
        groups: games of one group began with the same answer to the same question.
        policy: plays for the others until the seat has to choose again.
        rng: for the policy.
    """
    tables = games.tables
    answer(games)
    waits = np.arange(len(games.seat))
    while len(waits := waits[_others_act(games)[waits]]):
        tables.step(policy.act(tables.turn(waits), rng), rows=waits)
    scores = scores_of(games)
    chooses = np.flatnonzero(~tables.is_over)
    if len(chooses):
        scores[chooses] = _choices(games, chooses, groups[chooses])
    return scores


def _others_act(games: Games) -> Bool[np.ndarray, " n"]:
    acts: np.ndarray = games.tables.seat_to_act != games.seat
    return ~games.tables.is_over & acts


def _choices(
    games: Games, rows: Int64[np.ndarray, " k"], groups: Int64[np.ndarray, " k"]
) -> Float64[np.ndarray, " k"]:
    """Scores where the seat plays the card that is best on average over what looks the same."""
    state, rules = games.tables.columns, games.tables.rules
    alike = _alike(state.history[rows], groups)
    solved = solve_rows(games.tables, rows)
    seats, every = games.seat[rows], np.arange(len(rows))
    sign = np.where(attackers(state, rows)[every, seats], 1, -1)[:, None]
    known = solved.values != UNSOLVED
    total = np.zeros((alike.max() + 1, known.shape[1]))
    np.add.at(total, alike, np.where(known, sign * solved.values, 0))
    in_all = np.ones(total.shape, bool)
    np.logical_and.at(in_all, alike, known)
    card = np.where(in_all, total, -np.inf).argmax(1)[alike]
    value = np.where(in_all[alike, card], solved.values[every, card], solved.value)
    sides = scoring.sides_of(state, rows, rules)
    paid = scoring.half_scores(value, state.misere[rows], sides, rules)
    return paid[every, seats] / 2


def _alike(history: np.ndarray, groups: Int64[np.ndarray, " k"]) -> Int64[np.ndarray, " k"]:
    """Numbers from 0 that are the same where groups and public events are."""
    events = history.reshape(len(groups), -1).astype(np.int64)
    facts = np.column_stack([groups, events])
    whole = facts.view(f"V{facts.itemsize * facts.shape[1]}")[:, 0]
    numbers: np.ndarray = np.unique(whole, return_inverse=True)[1]
    return numbers
