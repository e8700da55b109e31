"""Tables in a state worth looking at, for text and pictures."""

import numpy as np

from support.every_game import rules_of
from support.lockstep import Pair, written
from support.unseen import random_step
from tarot_env import Phase, Tables

TWELVE = written("S1-K H1-4", "T2-13 D1-6", "H5-K T14-20 C1", "D7-K C2-J", "T1 T21 EX CN-K")
"""Seat 1 can show a poignée, and keeps two trumps back from it."""
FORCED_OUT = written(
    *("T2-13 T15-16 SK HK DK CK", "S4-Q H2-9", "H10-Q D1-Q C1"),
    *("C2-Q T1 T14 T19-21 EX", "T17-18 S1-3 H1"),
)
"""As taker seat 0 must set T17 and T18 aside, and may show them again."""


def putting_together():
    """The taker has set two trumps aside and keeps three of fifteen back: T17 and T2 so far."""
    pair = Pair(FORCED_OUT, (0, "garde")).say("S1-3 H1 T17 T18 pass")
    asked = pair.tables.copy()
    return asked, pair.say("double_poignee T17 T2").tables


def random_tables(rules, seed, steps):
    """Twelve tables after so many random answers."""
    tables, rng = Tables(rules, 12, seed=seed), np.random.default_rng(seed)
    for _ in range(steps):
        tables.step(tables.random_actions(rng))
    return tables


LOW = {
    "3": (7, 9, 11),
    "4": (5, 7, 9),
    "5": (4, 6, 8),
    "mort": (5, 7, 9),
    "6": (3, 5, 7),
}
"""Poignées that many hands can show."""


def house_rules(name):
    """A game with many questions: low poignées, and misères and petit chelems where it has them."""
    options = {"poignee_thresholds": LOW[name]} if name in LOW else {}
    if name in ("3", "5", "mort"):
        options |= {"misere": True, "petit_chelem": True, "weak_hand_redeal": 9}
    return rules_of(name, **options)


def at(name, wanted, *, seed=5, taker=1, contract=3, **options):
    """The first table of a game that is in the wanted state, played at random to there.

    Args:
        name: of the game.
        wanted: says of one table whether it is there.
        seed: of the deals and the play.
        taker: who plays `contract`, given without an auction; None to have one.
        contract: see `taker`.
        options: of the rules.
    """
    rules = rules_of(name, **options)
    for deal in range(200):
        tables, rng = Tables(rules, 1, seed=seed, first_deal=deal), np.random.default_rng(deal)
        if tables.is_over[0] or (rules.dead_hand and tables.columns.dealer[0] == taker):
            continue
        if taker is not None:
            tables.force(np.array([0]), taker, contract)
        while not wanted(tables):
            if tables.is_over[0]:
                break
            random_step(tables, rng)
        else:
            return tables
    raise AssertionError("no such table")


def phase(which, tricks=None):
    """For `at`: whether a table is in a phase, after so many tricks."""

    def is_there(tables):
        state = tables.columns
        return state.phase[0] == which and (tricks is None or state.trick_number[0] == tricks)

    return is_there


OVER = phase(Phase.OVER)
