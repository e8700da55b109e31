"""Calling a king (RULES.md 5): whose holder is the taker's secret partner."""

from typing import Any

import numpy as np

from tarot_env.cards import NUM_CARDS, cardsets
from tarot_env.core.bits import JACKS, KINGS, KNIGHTS, QUEENS, as_words, contains
from tarot_env.core.compiling import kernel
from tarot_env.core.events import BOTH, log
from tarot_env.rules import Rules


@kernel
def legal(t: Any, rules: Any) -> tuple[int, int]:
    """Any king; queens too with all four kings in hand, and so on down to the jacks.

    Where the taker may not call a card of its own: a king that it does not hold, else a queen.
    """
    held, allowed = t.hands[t.taker, 0], 0
    for rank in (KINGS, QUEENS, KNIGHTS, JACKS):
        allowed |= rank if rules.call_own_king == 1 else rank & ~held
        if rank & ~held:
            break
    return allowed, 0


@kernel
def apply(t: Any, events: Any, rules: Any, action: int) -> None:
    """Hears the card; its holder is the partner, but for the taker and the chien."""
    log(t, events, t.taker, action, BOTH)
    t.called = action
    t.partner = -1
    for hand in range(rules.hands):
        if hand != t.taker and contains(t.hands[hand, 0], t.hands[hand, 1], action):
            t.partner = hand


def reason(t: Any, rules: Rules, action: int) -> str:
    """Why this card cannot be called."""
    if action >= NUM_CARDS:
        return "no card; the taker calls a king now"
    card = cardsets.BIT[action]
    if not (card & cardsets.COURT).any():
        return "only kings are called; queens, knights and jacks by a hand with all cards above"
    if rules.call_own_king is False and np.any(as_words(t.hands)[t.taker] & card):
        return "these rules do not let the taker call a card of its own"
    return "a card below a king is called only by a hand that holds all four of each rank above"
