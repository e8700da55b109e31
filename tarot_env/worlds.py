"""Imagined deals that fit a Turn, and tables on which they lie as the Turn has it.

The tables are made at once, not by playing: public facts from the Turn, cards from the worlds. Of
what other seats chose in secret they hold what the cards say: questions that must have been asked
were declined, and a question that is still unheard is open, if its answer is.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float64, Int, Int8, UInt64

from tarot_env import cardsets
from tarot_env.actions import Phase
from tarot_env.errors import TarotError
from tarot_env.inference import chien_start, owners
from tarot_env.public import hands_by_place, in_order, public_state
from tarot_env.questions import settle_questions
from tarot_env.state import State
from tarot_env.tables import Tables
from tarot_env.turn import Turn


@dataclass(frozen=True)
class Worlds:
    """W imagined deals for each of n rows: where every card lies. Hands count from the viewer."""

    hands: UInt64[np.ndarray, "n w a 2"]  # cards held now
    chien: UInt64[np.ndarray, "n w 2"]  # as dealt
    first_half: UInt64[np.ndarray, "n w 2"]  # of the chien, with six players
    ecart: UInt64[np.ndarray, "n w e 2"]  # the taker's and, with six, its partner's
    beside: Int8[np.ndarray, "n w d"]  # a second stock or piles, in the order of the pack
    weight: Float64[np.ndarray, "n w"]  # 1 on average over the worlds of a row

    @property
    def effective_size(self) -> Float64[np.ndarray, " n"]:
        """As many equally weighted worlds would tell as much."""
        size: np.ndarray = self.weight.sum(1) ** 2 / (self.weight**2).sum(1)
        return size


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
    n, number = worlds.weight.shape
    of_row = np.repeat(np.arange(n), number)
    state, seen = public_state(turn).take(of_row), turn.take(of_row)
    dealt = _put_cards(state, seen, worlds)
    acting = ~cardsets.is_empty(seen.legal)
    settle_questions(state, turn.rules, seen.seat, acting, dealt)
    return Tables.of_state(turn.rules, state)


def _put_cards(state: State, turn: Turn, worlds: Worlds) -> UInt64[np.ndarray, "n a 2"]:
    """All cards, the pack that they were dealt from, and the partner; the hands as dealt."""
    rules, every = turn.rules, np.arange(len(turn))
    hands = hands_by_place(turn)
    state.hands[every[:, None], hands] = worlds.hands.reshape(len(turn), -1, 2)
    state.chien[...] = worlds.chien.reshape(-1, 2)
    state.ecart[...] = worlds.ecart.reshape(len(turn), -1, 2)

    dealt = dealt_hands(state, every, turn)
    parts = [state.chien[:, None]]
    if rules.in_partnerships:
        first = worlds.first_half.reshape(-1, 2)
        parts = [first[:, None], (state.chien & ~first)[:, None]]
    start, end = chien_start(rules), chien_start(rules) + rules.chien_size
    state.pack[:, :start] = in_order(dealt, start)
    state.pack[:, start:end] = in_order(np.concatenate(parts, 1), rules.chien_size)
    state.pack[:, end:] = worlds.beside.reshape(len(turn), -1)
    if rules.calls_king:
        holds = cardsets.contains(dealt, state.called[:, None])
        holder = np.where(holds.any(1), holds.argmax(1), -1)
        state.partner[...] = np.where(holder == state.taker, -1, holder)
    return dealt


def dealt_hands(
    state: State, rows: Int[np.ndarray, " n"], turn: Turn
) -> UInt64[np.ndarray, "n a 2"]:
    """Hands as dealt: with what they played and set aside, without what came to them later."""
    dealt = state.hands | state.played
    for column, owner in enumerate(owners(state, rows)):
        taken = np.flatnonzero(owner >= 0)
        dealt[taken, owner[taken]] |= state.ecart[taken, column]
    later = cardsets.of_ids(turn.beside) | cardsets.where(state.chien_open, state.chien)
    return dealt & ~later[:, None]
