"""The course of a deal: which phase follows which, for every game and rule.

    redeal questions -> auction -> [slam] -> call -> split -> écart -> [slam] -> play

The slam question comes with the bid or after the écart, by rule. A phase says which of its rows it
is done with; here they are taken on.
"""

import numpy as np
from jaxtyping import Int64

from tarot_env.cards.actions import Bid, Phase
from tarot_env.core.state import State
from tarot_env.phases import announcements, auction, call, chien, two_player
from tarot_env.rules import Rules


def begin(state: State, rows: Int64[np.ndarray, " n"], rules: Rules) -> None:
    """Opens freshly dealt tables."""
    auction.begin(state, rows, rules)


def go_on(state: State, phase: int, rows: Int64[np.ndarray, " n"], rules: Rules) -> None:
    """Takes rows that a phase is done with to the next one."""
    if not len(rows):
        return
    with_bid = rules.slam_window == "with_bid"
    if phase == Phase.AUCTION:
        auction.settle(state, rows, rules)
        if with_bid:
            announcements.ask_slam(state, rows)
        else:
            _call(state, rows, rules)
    elif phase == Phase.CALL:
        _open_chien(state, rows, rules)
    elif phase == Phase.SPLIT:
        chien.begin(state, rows)
    elif phase == Phase.DISCARD:
        _after_ecart(state, rows, rules)
    elif with_bid:
        _call(state, rows, rules)
    else:
        announcements.begin_play(state, rows, rules)


def _call(state: State, rows: Int64[np.ndarray, " n"], rules: Rules) -> None:
    if rules.calls_king:
        call.ask(state, rows)
    else:
        _open_chien(state, rows, rules)


def _open_chien(state: State, rows: Int64[np.ndarray, " n"], rules: Rules) -> None:
    """The attack picks the chien up on a petite or a garde; else it stays face down."""
    takes = state.contract[rows] <= Bid.GARDE
    chien.open_chien(state, rows[takes], rules)
    _after_ecart(state, rows[~takes], rules)


def _after_ecart(state: State, rows: Int64[np.ndarray, " n"], rules: Rules) -> None:
    if rules.dummy_reveal == "after_ecart":
        two_player.expose_dummy(state, rows)
    if rules.slam_window == "with_bid":
        announcements.begin_play(state, rows, rules)
    else:
        announcements.ask_slam(state, rows)
