"""Poignées (RULES.md 7.3 to 7.7): which a hand can show, and the question about it."""

from typing import Any

from tarot_env.cards import FIRST_TRUMP
from tarot_env.cards.actions import PASS, POIGNEE, TRIPLE_POIGNEE, action_words
from tarot_env.core.bits import EXCUSE, TRUMPS, popcount
from tarot_env.core.compiling import kernel
from tarot_env.core.events import PRIVATE, log
from tarot_env.core.state import choice, ecart_of
from tarot_env.rules import Rules

_PASS, _SINGLE = 1 << (PASS - FIRST_TRUMP), 1 << (POIGNEE - FIRST_TRUMP)
_FREE = choice("poignee_excuse", "free")


@kernel
def eligible_trumps(t: Any, rules: Any, seat: int) -> int:
    """Trumps that a seat may show: those in hand, and its shown discards where they count."""
    trumps = t.hands[seat, 1] & TRUMPS
    has_ecart = seat == t.taker or (rules.in_partnerships and seat == t.partner)
    if rules.poignee_counts_shown_discards == 1 and has_ecart:
        trumps |= t.ecart[ecart_of(t, seat), 1] & TRUMPS
    return trumps


@kernel
def eligible(t: Any, rules: Any, seat: int) -> int:
    """Cards that a seat may show or withhold: its trumps, and an Excuse that is free."""
    cards = eligible_trumps(t, rules, seat)
    if rules.poignee_excuse == _FREE:
        cards |= t.hands[seat, 1] & EXCUSE
    return cards


@kernel
def num_showable(t: Any, rules: Any, seat: int) -> int:
    """How many cards a seat can show: eligible trumps, and the Excuse."""
    return popcount(eligible_trumps(t, rules, seat) | (t.hands[seat, 1] & EXCUSE))


@kernel
def is_asked(t: Any, rules: Any) -> bool:
    """Whether the seat to act is asked about a poignée: it can show one."""
    return num_showable(t, rules, t.seat) >= rules.poignee_thresholds[1]


@kernel
def legal(t: Any, rules: Any) -> tuple[int, int]:
    """Any poignée that the hand is long enough for, or pass."""
    choices, showable = _PASS, num_showable(t, rules, t.seat)
    for level in range(1, 4):
        if showable >= rules.poignee_thresholds[level]:
            choices |= _SINGLE << (level - 1)
    return 0, choices


@kernel
def apply(t: Any, events: Any, rules: Any, action: int) -> None:
    """Takes the answer; the table learns of a poignée only when it is shown."""
    log(t, events, t.seat, action, PRIVATE)
    t.poignee_declared = 0 if action == PASS else action - POIGNEE + 1


def reason(t: Any, rules: Rules, action: int) -> str:
    """Why this is no answer to the question about a poignée."""
    if not POIGNEE <= action <= TRIPLE_POIGNEE:
        return "the seat says whether it shows a poignée, before its first card: pass or its name"
    needed = rules.thresholds[action - POIGNEE]
    held = (int(t.hands[t.seat][1]) & (TRUMPS | EXCUSE)).bit_count()
    has_ecart = t.seat == t.taker or (rules.in_partnerships and t.seat == t.partner)
    if rules.poignee_counts_shown_discards and has_ecart:
        held += (int(t.ecart[int(t.seat != t.taker)][1]) & TRUMPS).bit_count()
    return f"a {action_words(action)} needs {needed} trumps, {held} can be shown"
