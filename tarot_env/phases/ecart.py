"""Chien and écart (rules.md A0.2): the taker picks up the chien and sets as many cards aside."""

import numpy as np
from jaxtyping import Int64, UInt64

from tarot_env import cardsets
from tarot_env.actions import Phase
from tarot_env.cards import KIND, NUM_CARDS, TRUMP
from tarot_env.phases import announcements
from tarot_env.rules import Rules
from tarot_env.state import State, log, publish


def begin(state: State, rows: Int64[np.ndarray, " n"], rules: Rules) -> None:
    """Turns the chien up for all and puts it into the taker's hand."""
    state.phase[rows] = Phase.DISCARD
    taker = state.taker[rows]
    state.hands[rows, taker] |= state.chien[rows]


def legal(state: State, rows: Int64[np.ndarray, " n"], rules: Rules) -> UInt64[np.ndarray, "n 2"]:
    """Plain cards while any is held, then trumps other than oudlers; never a king or an oudler."""
    hand = state.hands[rows, state.taker[rows]]
    return cardsets.first_nonempty(
        hand & cardsets.PLAIN, hand & cardsets.TRUMPS & ~cardsets.OUDLERS
    )


def apply(
    state: State, rows: Int64[np.ndarray, " n"], actions: Int64[np.ndarray, " n"], rules: Rules
) -> None:
    """Sets one card aside; trumps among them are shown to all, the rest stays hidden."""
    taker = state.taker[rows]
    card = cardsets.BIT[actions]
    shown = KIND[actions] == TRUMP
    log(state, rows, taker, actions)
    publish(state, rows, taker, np.where(shown, actions, -1))
    state.hands[rows, taker] &= ~card
    state.ecart[rows] |= card
    sealed = cardsets.count(state.ecart[rows]) == rules.chien_size
    announcements.ask_slam(state, rows[sealed])


def reason(state: State, row: int, action: int, rules: Rules) -> str:
    """Why the taker may not set a card aside, in the words of the rules."""
    if action >= NUM_CARDS:
        return "no card; a card is set aside now"
    card = cardsets.BIT[action]
    if not (state.hands[row, state.taker[row]] & card).any():
        return "not a card in hand"
    if (card & cardsets.TRUMPS & ~cardsets.OUDLERS).any():
        return "trumps go into the écart only when no plain card is left"
    return "kings and oudlers never go into the écart"
