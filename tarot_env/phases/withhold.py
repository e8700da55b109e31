"""Withholding (RULES.md 7.5): trumps that a poignée longer than it must be does not show.

The Excuse is shown only where it is needed, so that it never stands for a trump kept back, unless
the rules leave it free.
"""

from typing import Any

import numpy as np

from tarot_env.cards import EXCUSE as EXCUSE_ID
from tarot_env.cards import FIRST_TRUMP, KIND, NUM_CARDS, TRUMP, cardsets
from tarot_env.cards.actions import PASS, POIGNEE, action_text
from tarot_env.core.bits import EXCUSE, as_words, popcount
from tarot_env.core.compiling import kernel
from tarot_env.core.events import PRIVATE, PUBLIC, log
from tarot_env.core.state import choice
from tarot_env.phases.poignee import eligible
from tarot_env.rules import Rules

_PASS = 1 << (PASS - FIRST_TRUMP)
_AT_LEAST = choice("poignee_show", "at_least")


@kernel
def to_show(t: Any, rules: Any) -> int:
    """What the seat to act could still show."""
    return eligible(t, rules, t.seat) & ~t.withheld[t.seat]


@kernel
def surplus(t: Any, rules: Any) -> int:
    """How many cards more could be shown than must be; -1 where the Excuse is needed too."""
    return popcount(to_show(t, rules)) - rules.poignee_thresholds[t.poignee_declared]


@kernel
def legal(t: Any, rules: Any) -> tuple[int, int]:
    """Any card that could be shown and is not withheld yet; where more may be shown, pass."""
    return 0, to_show(t, rules) | (_PASS if rules.poignee_show == _AT_LEAST else 0)


@kernel
def apply(t: Any, events: Any, rules: Any, action: int) -> bool:
    """Keeps one card out of the poignée; returns whether the rest is to be shown now."""
    log(t, events, t.seat, action, PRIVATE)
    if action == PASS:
        return True
    t.withheld[t.seat] |= 1 << (action - FIRST_TRUMP)
    return surplus(t, rules) <= 0


@kernel
def show(t: Any, events: Any, rules: Any) -> None:
    """Shows what is not withheld of the poignée; only now does the table learn of it."""
    seat, level = t.seat, t.poignee_declared
    t.poignee_level[seat] = level
    t.poignee_cards[seat] = to_show(t, rules) | (EXCUSE if surplus(t, rules) < 0 else 0)
    t.poignee_declared = 0
    log(t, events, seat, POIGNEE + level - 1, PUBLIC)


def reason(t: Any, rules: Rules, action: int) -> str:
    """Why this card cannot be kept out of the poignée."""
    if action >= NUM_CARDS:
        return "no card; a trump is kept back from the poignée now"
    if action >= FIRST_TRUMP and int(t.withheld[t.seat]) >> (action - FIRST_TRUMP) & 1:
        return "kept back already"
    if action == EXCUSE_ID and rules.poignee_excuse != "free":
        return "the Excuse is never kept back: it is shown only where trumps are too few"
    if KIND[action] < TRUMP:
        return "only trumps are kept back from a poignée"
    if t.seat == t.taker and np.any(as_words(t.ecart) & cardsets.BIT[action]):
        return f"{action_text(action)} lies in the écart, which these rules do not count"
    return "not a trump in hand"
