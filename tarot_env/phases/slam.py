"""Slam and petit chelem (RULES.md 7.1, 7.2): the taker is asked before the first lead."""

from typing import Any

from tarot_env.cards import FIRST_TRUMP
from tarot_env.cards.actions import CHELEM, PASS, PETIT_CHELEM, action_words
from tarot_env.core.compiling import kernel
from tarot_env.core.events import BOTH, log
from tarot_env.rules import Rules

_PASS_OR_CHELEM = 1 << (PASS - FIRST_TRUMP) | 1 << (CHELEM - FIRST_TRUMP)
_PETIT_CHELEM = 1 << (PETIT_CHELEM - FIRST_TRUMP)


@kernel
def legal(t: Any, rules: Any) -> tuple[int, int]:
    """Announce a slam, a petit chelem where the rules have it, or pass."""
    return 0, _PASS_OR_CHELEM | (_PETIT_CHELEM if rules.petit_chelem else 0)


@kernel
def apply(t: Any, events: Any, rules: Any, action: int) -> None:
    """Hears the taker's answer; everybody does."""
    log(t, events, t.seat, action, BOTH)
    t.slam_announced = action == CHELEM
    t.petit_chelem_announced = action == PETIT_CHELEM


def reason(t: Any, rules: Rules, action: int) -> str:
    """Why this is no answer to the question about a slam."""
    small = f", {action_words(PETIT_CHELEM)}" if rules.petit_chelem else ""
    return f"the taker says whether it announces a slam: pass{small} or {action_words(CHELEM)}"
