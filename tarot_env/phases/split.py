"""The chien of six (RULES.md 6.5): the taker chooses one half, its partner takes the other."""

from typing import Any

from tarot_env.cards import FIRST_TRUMP
from tarot_env.cards.actions import FIRST_HALF, SECOND_HALF
from tarot_env.core.compiling import kernel
from tarot_env.core.events import BOTH, log
from tarot_env.core.state import half_chien
from tarot_env.rules import Rules

_HALVES = 1 << (FIRST_HALF - FIRST_TRUMP) | 1 << (SECOND_HALF - FIRST_TRUMP)


@kernel
def legal(t: Any, rules: Any) -> tuple[int, int]:
    """The first or the second half of the chien, as dealt."""
    return 0, _HALVES


@kernel
def apply(t: Any, events: Any, rules: Any, action: int) -> None:
    """Gives the taker the half it chose and its partner the other."""
    log(t, events, t.taker, action, BOTH)
    t.split = action == SECOND_HALF
    _take_up(t, rules, t.taker, t.split)
    _take_up(t, rules, t.partner, 1 - t.split)


@kernel
def _take_up(t: Any, rules: Any, hand: int, half: int) -> None:
    suits, rest = half_chien(t, rules, half)
    t.hands[hand, 0] |= suits
    t.hands[hand, 1] |= rest


def reason(t: Any, rules: Rules, action: int) -> str:
    """Why this does not choose a half of the chien."""
    return "the taker chooses a half of the chien: first half or second half"
