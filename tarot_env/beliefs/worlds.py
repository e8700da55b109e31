"""Imagined deals that fit a Turn, and tables on which they lie as the Turn has it.

The tables are made at once, not by playing: public facts from the Turn, cards from the worlds. Of
what other seats chose in secret they hold what the cards say: questions that must have been asked
were declined, and a question that is still unheard is open, if its answer is.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float64, Int, Int8, UInt64

from tarot_env.beliefs.private_questions import settle_questions
from tarot_env.beliefs.public import hands_by_place, in_order, public_state
from tarot_env.beliefs.public_constraints import chien_start, owners
from tarot_env.cards import cardsets
from tarot_env.cards.actions import Phase
from tarot_env.core.state import Columns
from tarot_env.errors import TarotError
from tarot_env.tables import Tables, Turn


@dataclass(frozen=True)
class Worlds:
    """W imagined deals for each of n rows: where every card lies. Hands count from the viewer."""

    hands: UInt64[np.ndarray, "n w a 2"]  # cards held now
    chien: UInt64[np.ndarray, "n w 2"]  # as dealt
    first_half: UInt64[np.ndarray, "n w 2"]  # of the chien, with six players
    ecart: UInt64[np.ndarray, "n w e 2"]  # the taker's and, with six, its partner's
    beside: Int8[np.ndarray, "n w d"]  # a second stock or piles, in the order of the pack
    weight: Float64[np.ndarray, "n w"]  # 1 on average over the worlds of a row


def mean_one(log_weight: Float64[np.ndarray, "n w"]) -> Float64[np.ndarray, "n w"]:
    """Weights from their logarithms, 1 on average over the worlds of each row."""
    likely = np.exp(log_weight - log_weight.max(axis=1, keepdims=True))
    return likely / likely.mean(1, keepdims=True)


def check_under_way(turn: Turn) -> None:
    """Refuses turns of deals that are over.

    Raises:
        TarotError: the first of them.
    """
    over = np.flatnonzero(turn.phase == Phase.OVER)
    if len(over):
        raise TarotError(f"row {over[0]} of the turn: the deal is over; nothing is to be imagined")


def tables_from(turn: Turn, worlds: Worlds) -> Tables:
    """Tables n * W, row by row, on which the worlds lie in the public state of the Turn.

    They are ready to be played on. Their log tells how they came there: other seats declined what
    they were asked unheard, and cards were set aside in the order of their ids. Seen by the viewer,
    each looks as the Turn does.

    Args:
        turn: what the viewers know.
        worlds: of the same rows.

    Raises:
        TarotError: a deal that is over.
    """
    check_under_way(turn)
    rows = np.repeat(np.arange(len(turn)), worlds.weight.shape[1])
    state = public_state(turn).take(rows)
    dealt = _put_cards(state, turn, rows, worlds)
    acting = ~cardsets.is_empty(turn.legal)
    settle_questions(state, turn.seat[rows], acting[rows], dealt)
    return Tables.of_state(turn.rules, state.records, state.events)


def _put_cards(
    state: Columns, turn: Turn, rows: Int[np.ndarray, " m"], worlds: Worlds
) -> UInt64[np.ndarray, "m a 2"]:
    """All cards, the pack that they were dealt from, and the partner; the hands as dealt."""
    rules, every = turn.rules, np.arange(len(rows))
    state.hands[every[:, None], hands_by_place(turn)[rows]] = _by_table(worlds.hands)
    chien = _by_table(worlds.chien)
    state.ecart[...] = _by_table(worlds.ecart)

    dealt = state.hands | state.played
    for column, owner in enumerate(owners(state, every)):
        taken = np.flatnonzero(owner >= 0)
        dealt[taken, owner[taken]] |= state.ecart[taken, column]
    came_later = cardsets.of_ids(turn.beside)[rows]
    came_later |= cardsets.where(state.chien_open, chien)
    dealt &= ~came_later[:, None]

    parts = [chien[:, None]]
    if rules.in_partnerships:
        first = _by_table(worlds.first_half)
        parts = [first[:, None], (chien & ~first)[:, None]]
    end = chien_start(rules) + rules.chien_size
    state.pack[:, :end] = in_order(np.concatenate([dealt, *parts], 1), end)
    state.pack[:, end:] = _by_table(worlds.beside)
    if rules.calls_king:
        holds = cardsets.contains(dealt, state.called[:, None])
        holder = np.where(holds.any(1), holds.argmax(1), -1)
        state.partner[...] = np.where(holder == state.taker, -1, holder)
    return dealt


def _by_table(array: np.ndarray) -> np.ndarray:
    """The worlds of all rows, one after the other."""
    return array.reshape(array.shape[0] * array.shape[1], *array.shape[2:])
