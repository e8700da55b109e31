"""The auction of six (RULES.md 4.5, 4.6): with contra and recontra, until five pass in a row."""

from typing import Any

from tarot_env.cards import FIRST_TRUMP
from tarot_env.cards.actions import CONTRA, PASS, RECONTRA
from tarot_env.core.compiling import kernel
from tarot_env.core.events import BOTH, log
from tarot_env.core.state import GARDE
from tarot_env.core.state import GARDE_CONTRE as HIGHEST
from tarot_env.phases import auction
from tarot_env.phases.auction import higher_bids
from tarot_env.rules import Rules

_PASS = 1 << (PASS - FIRST_TRUMP)
_CONTRA, _RECONTRA = 1 << (CONTRA - FIRST_TRUMP), 1 << (RECONTRA - FIRST_TRUMP)
_PASSES_THAT_END = 5
"""In a row, after a bid; before any bid all six must pass."""


@kernel
def is_of_taker(t: Any, seat: int) -> bool:
    """Whether a seat is the best bidder or sits opposite."""
    return (seat - t.taker) % 3 == 0


@kernel
def legal(t: Any, rules: Any) -> tuple[int, int]:
    """Pass, a higher bid, contra by another partnership, recontra by the bidding one."""
    calls = _PASS | higher_bids(t.contract)
    if t.taker >= 0:
        own = is_of_taker(t, t.seat)
        if not own and t.contra == 0:
            calls |= _CONTRA
        if own and t.contra == 1:
            calls |= _RECONTRA
    return 0, calls


@kernel
def apply(t: Any, events: Any, rules: Any, action: int) -> bool:
    """Hears a call; returns whether the auction is over.

    It ends after five passes in a row, six before any bid, or when a garde contre is recontred. A
    bid cancels a contra; a petite or a pousse that nobody overcalls is thrown in.
    """
    seat = t.seat
    log(t, events, seat, action, BOTH)
    t.passes = t.passes + 1 if action == PASS else 0
    if action in (CONTRA, RECONTRA):
        t.contra = 1 if action == CONTRA else 2
        t.bids[seat] = max(t.bids[seat], 0)
    else:
        t.bids[seat] = max(t.bids[seat], action - PASS)
        if action != PASS:
            t.contract, t.taker, t.contra = action - PASS, seat, 0
    ends = _PASSES_THAT_END if t.taker >= 0 else 6
    following = (seat + 1) % 6
    done = t.contract == HIGHEST and t.contra == 2
    while t.contract == HIGHEST and not done and t.passes < ends:
        if is_of_taker(t, following) != (t.contra == 0):
            break  # has something to say: contra or recontra
        t.passes += 1
        following = (following + 1) % 6
    t.seat = following
    done = done or t.passes >= ends
    if done and t.contract < GARDE:
        t.taker, t.contract, t.contra = -1, 0, 0
    return done


def reason(t: Any, rules: Rules, action: int) -> str:
    """Why the seat to act may not say this, in the words of the rules."""
    if action not in (CONTRA, RECONTRA):
        return auction.reason(t, rules, action)
    if t.taker < 0:
        return "there is no bid yet"
    if action == CONTRA:
        return "only another partnership may contra a bid, and only once"
    return "only the bidding partnership may recontra, after a contra, and only once"
