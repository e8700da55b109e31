"""The auction of two to five players (RULES.md 4.2): each seat speaks once, or until it passes."""

from typing import Any

from tarot_env.cards import FIRST_TRUMP
from tarot_env.cards.actions import GARDE_CONTRE, PASS, PETITE, POUSSE, Bid, action_words
from tarot_env.core.compiling import kernel
from tarot_env.core.events import BOTH, log
from tarot_env.core.state import choice
from tarot_env.rules import Rules

_PASS = 1 << (PASS - FIRST_TRUMP)
_PETITE, _POUSSE = 1 << (PETITE - FIRST_TRUMP), 1 << (POUSSE - FIRST_TRUMP)
_SINGLE = choice("auction", "single")
_NO_CONTRACT, _HIGHEST = int(Bid.NONE), int(Bid.GARDE_CONTRE)
_ALL_BIDS = (1 << (_HIGHEST + 1)) - 1


@kernel
def higher_bids(contract: int) -> int:
    """The bids above a contract, as actions of the rest."""
    return (_ALL_BIDS >> (contract + 1) << (contract + 1)) << (PASS - FIRST_TRUMP)


@kernel
def legal(t: Any, rules: Any) -> tuple[int, int]:
    """Pass, or a bid higher than the best so far."""
    bids = higher_bids(t.contract) & ~_POUSSE
    if not rules.with_petite:
        bids &= ~_PETITE
    return 0, _PASS | bids


@kernel
def apply(t: Any, events: Any, rules: Any, action: int) -> bool:
    """Hears a call; returns whether the auction is over.

    It ends when all have spoken, or have passed but for the best bidder, or at a garde contre.
    """
    seat, bid = t.seat, action - PASS
    log(t, events, seat, action, BOTH)
    t.bids[seat] = bid
    if bid != _NO_CONTRACT:
        t.contract, t.taker = bid, seat
    following = rules.next_speaker[t.dealer, seat]
    if rules.auction == _SINGLE:
        done = seat == rules.speakers[t.dealer, rules.num_speakers - 1]
    else:
        passed = 0
        for place in range(rules.num_speakers):
            passed += t.bids[rules.speakers[t.dealer, place]] == 0
        done = passed >= rules.num_speakers - (t.taker >= 0)
        while not done and t.bids[following] == 0:
            following = rules.next_speaker[t.dealer, following]
    t.seat = following
    return done or bid == _HIGHEST


@kernel
def force(t: Any, taker: int, contract: int) -> None:
    """Gives the contract without an auction."""
    t.forced = 1
    t.taker = taker
    t.contract = contract


def bids(rules: Rules) -> list[int]:
    """The bids of a game as actions, lowest first."""
    absent = set() if rules.in_partnerships else {POUSSE}
    if not rules.with_petite:
        absent.add(PETITE)
    return [bid for bid in range(PETITE, GARDE_CONTRE + 1) if bid not in absent]


def reason(t: Any, rules: Rules, action: int) -> str:
    """Why the seat to act may not say this, in the words of the rules."""
    best = int(t.contract)
    if not PASS < action <= GARDE_CONTRE:
        higher = [bid for bid in bids(rules) if bid > PASS + best]
        return f"no bid; say pass, {', '.join(action_words(bid) for bid in higher)}"
    if action not in bids(rules):
        return f"{action_words(action)} is no bid of this game"
    return f"a bid must be higher than {action_words(PASS + best)}"
