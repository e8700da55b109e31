"""Agents that see all hands, as small as can be."""

import numpy as np

from tarot_env import Phase
from tarot_env.cards import cardsets
from tarot_env.cards.actions import PASS


class Highest:
    """Passes in the auction; else the highest legal card of the true hand."""

    name = "highest"
    cheats = True

    def act_on(self, tables, rows, rng):
        highest = cardsets.highest(tables.legal_sets()[rows]).astype(np.int64)
        return np.where(tables.phase[rows] == Phase.AUCTION, PASS, highest)


class Peeps(Highest):
    """Remembers all hands of each table that it was asked about, and the tables themselves."""

    name = "peeps"

    def __init__(self):
        self.asked = []

    def act_on(self, tables, rows, rng):
        self.asked.append((tables, tables.deal_ids[rows], tables.columns.hands[rows]))
        return super().act_on(tables, rows, rng)


class Vandal(Highest):
    """Leaves the tables that it was handed in ruins."""

    name = "vandal"

    def act_on(self, tables, rows, rng):
        actions = super().act_on(tables, rows, rng)
        tables.step(tables.random_actions(np.random.default_rng(1)))
        tables.reset()
        for array in tables.arrays().values():
            array[:] = 0
        return actions


class FailsOnOdd(Vandal):
    """Has no idea of deals with an odd id."""

    name = "fails on odd"

    def act_on(self, tables, rows, rng):
        odd = (tables.deal_ids[rows] % 2 == 1).any()
        actions = super().act_on(tables, rows, rng)
        if odd:
            raise RuntimeError("no idea")
        return actions


class Liar(Highest):
    """Answers with what is never legal."""

    name = "liar"

    def act_on(self, tables, rows, rng):
        return np.full(len(rows), 94)


class Blind:
    """Declares that it cheats and looks at the turn."""

    name = "blind"
    cheats = True

    def act(self, turn, rng):
        return cardsets.highest(turn.legal).astype(np.int64)


class Honest(Blind):
    """Declares that it does not cheat."""

    name = "honest"
    cheats = False
