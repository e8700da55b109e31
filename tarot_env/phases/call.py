"""Calling a king (rules.md A4): whose holder is the taker's secret partner."""

import numpy as np
from jaxtyping import Int64, UInt64

from tarot_env.cards import NUM_CARDS, cardsets
from tarot_env.cards.actions import Phase
from tarot_env.core.state import State, log_and_publish
from tarot_env.rules import Rules

_RANKS = (cardsets.KINGS, cardsets.QUEENS, cardsets.KNIGHTS, cardsets.JACKS)


def ask(state: State, rows: Int64[np.ndarray, " n"]) -> None:
    """Asks the taker for a card, before the chien is seen."""
    state.phase[rows] = Phase.CALL
    state.seat[rows] = state.taker[rows]


def legal(state: State, rows: Int64[np.ndarray, " n"], rules: Rules) -> UInt64[np.ndarray, "n 2"]:
    """Any king; queens too with all four kings in hand, and so on down to the jacks.

    Where the taker may not call a card of its own: a king that it does not hold, else a queen.
    """
    hand = state.hands[rows, state.taker[rows]]
    allowed = np.zeros_like(hand)
    entitled = np.ones((len(rows), 1), bool)
    for rank in _RANKS:
        cards = rank & ~hand if rules.call_own_king is False else rank
        allowed = np.where(entitled, allowed | cards, allowed)
        entitled = entitled & cardsets.is_empty(rank & ~hand)[:, None]
    return allowed


def apply(
    state: State, rows: Int64[np.ndarray, " n"], actions: Int64[np.ndarray, " n"], rules: Rules
) -> Int64[np.ndarray, " n"]:
    """Hears the card; its holder is the partner, but for the taker and the chien."""
    taker = state.taker[rows]
    log_and_publish(state, rows, taker, actions)
    state.called[rows] = actions
    hands = state.hands[rows]
    holds = cardsets.contains(hands, np.repeat(actions[:, None], hands.shape[1], axis=1))
    holder = np.where(holds.any(1), holds.argmax(1), -1)
    state.partner[rows] = np.where(holder == taker, -1, holder)
    return rows


def reason(state: State, row: int, action: int, rules: Rules) -> str:
    """Why this card cannot be called."""
    if action >= NUM_CARDS:
        return "no card; the taker calls a king now"
    card = cardsets.BIT[action]
    if not (card & cardsets.COURT).any():
        return "only kings are called; queens, knights and jacks by a hand with all cards above"
    if rules.call_own_king is False and (state.hands[row, state.taker[row]] & card).any():
        return "these rules do not let the taker call a card of its own"
    return "a card below a king is called only by a hand that holds all four of each rank above"
