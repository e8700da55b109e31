"""Misère (RULES.md 7.8, a house rule): a hand without trumps or without court cards is declared."""

from typing import Any

from tarot_env.cards import FIRST_TRUMP
from tarot_env.cards.actions import MISERE, PASS
from tarot_env.core.bits import COURT, TRUMPS
from tarot_env.core.compiling import kernel
from tarot_env.core.events import BOTH, PRIVATE, log
from tarot_env.rules import Rules

NO_TRUMP, NO_COURT_CARD = 1, 2
"""Bits of what is declared."""
_PASS_OR_MISERE = 1 << (PASS - FIRST_TRUMP) | 1 << (MISERE - FIRST_TRUMP)


@kernel
def kind_of(suits: int, rest: int) -> int:
    """Which misère a hand can declare: 1 no trump, 2 no court card, 3 both, 0 none."""
    no_trump = NO_TRUMP if rest & TRUMPS == 0 else 0
    return no_trump | (NO_COURT_CARD if suits & COURT == 0 else 0)


@kernel
def is_asked(t: Any, rules: Any) -> bool:
    """Whether the seat to act is asked about a misère."""
    return rules.misere != 0 and kind_of(t.hands[t.seat, 0], t.hands[t.seat, 1]) > 0


@kernel
def legal(t: Any, rules: Any) -> tuple[int, int]:
    """Declare the misère, or pass."""
    return 0, _PASS_OR_MISERE


@kernel
def apply(t: Any, events: Any, rules: Any, action: int) -> None:
    """Hears the answer; a declaration tells everybody which misère it is."""
    said = action == MISERE
    log(t, events, t.seat, action, BOTH if said else PRIVATE)
    if said:
        t.misere[t.seat] = kind_of(t.hands[t.seat, 0], t.hands[t.seat, 1])


def reason(t: Any, rules: Rules, action: int) -> str:
    """Why this is no answer to the question about a misère."""
    return "the seat says whether it declares a misère: pass or misère"
