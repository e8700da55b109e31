"""The auction (rules.md A0.1): each seat speaks once, from the dealer's right."""

import numpy as np
from jaxtyping import Int64, UInt64

from tarot_env import cardsets
from tarot_env.actions import (
    GARDE,
    GARDE_CONTRE,
    GARDE_SANS,
    PASS,
    PETITE,
    Bid,
    Phase,
    action_words,
)
from tarot_env.dealing import petit_sec
from tarot_env.phases import announcements, ecart
from tarot_env.rules import Rules
from tarot_env.state import State, log, publish

_HIGHER = np.stack(
    [
        cardsets.from_ids(
            [PASS, *(a for a in (PETITE, GARDE, GARDE_SANS, GARDE_CONTRE) if a - PASS > bid)]
        )
        for bid in Bid
    ]
)
"""uint64 [6, 2]: pass and the bids above each bid."""


def begin(state: State, rows: Int64[np.ndarray, " n"], rules: Rules) -> None:
    """Opens the auction, first hand to speak; a deal with a petit sec is thrown in instead."""
    state.phase[rows] = Phase.AUCTION
    state.seat[rows] = (state.dealer[rows] + 1) % rules.players
    if rules.petit_sec == "mandatory":
        throw_in(state, rows[petit_sec(state.hands[rows], rules).any(1)])


def throw_in(state: State, rows: Int64[np.ndarray, " n"]) -> None:
    """Ends deals that are not played: petit sec, or everybody passed. Nobody scores."""
    state.phase[rows] = Phase.OVER
    state.seat[rows] = -1


def legal(state: State, rows: Int64[np.ndarray, " n"], rules: Rules) -> UInt64[np.ndarray, "n 2"]:
    """Pass, or a bid higher than the best so far."""
    allowed = _HIGHER[state.contract[rows]]
    return allowed if rules.with_petite else allowed & ~cardsets.BIT[PETITE]


def apply(
    state: State, rows: Int64[np.ndarray, " n"], actions: Int64[np.ndarray, " n"], rules: Rules
) -> None:
    """Hears a bid; the auction ends when all have spoken, or at a garde contre."""
    seat = state.seat[rows]
    bid = (actions - PASS).astype(np.int8)
    log(state, rows, seat, actions)
    publish(state, rows, seat, actions)
    state.bids[rows, seat] = bid
    state.contract[rows] = np.maximum(state.contract[rows], bid)
    state.taker[rows] = np.where(bid > 0, seat, state.taker[rows])
    state.seat[rows] = (seat + 1) % rules.players

    done = (seat == state.dealer[rows]) | (bid == Bid.GARDE_CONTRE)
    taken = state.taker[rows] >= 0
    throw_in(state, rows[done & ~taken])
    settle(state, rows[done & taken], rules)


def reason(state: State, row: int, action: int, rules: Rules) -> str:
    """Why the seat to act may not say this, in the words of the rules."""
    best = int(state.contract[row])
    if not PASS < action <= GARDE_CONTRE:
        higher = [bid for bid in (PETITE, GARDE, GARDE_SANS, GARDE_CONTRE) if bid > PASS + best]
        bids = [action_words(bid) for bid in higher if bid != PETITE or rules.with_petite]
        return f"no bid; say pass, {', '.join(bids)}"
    if action <= PASS + best:
        return f"a bid must be higher than {action_words(PASS + best)}"
    return f"{action_words(action)} is no bid of this game"


def force(
    state: State,
    rows: Int64[np.ndarray, " n"],
    taker: Int64[np.ndarray, " n"],
    contract: Int64[np.ndarray, " n"],
    rules: Rules,
) -> None:
    """Gives the contract without an auction; the deal goes on behind it."""
    state.forced[rows] = True
    state.taker[rows] = taker
    state.contract[rows] = contract
    settle(state, rows, rules)


def settle(state: State, rows: Int64[np.ndarray, " n"], rules: Rules) -> None:
    """Passes the turn to the taker, who picks up the chien on a petite or a garde."""
    state.seat[rows] = state.taker[rows]
    takes_chien = state.contract[rows] <= Bid.GARDE
    ecart.begin(state, rows[takes_chien], rules)
    announcements.ask_slam(state, rows[~takes_chien])
