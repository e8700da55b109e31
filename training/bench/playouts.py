"""Playouts: card play to the end of the deal from copies of tables, as search asks for it."""

import numpy as np

from agents.heuristic import HeuristicAgent
from tarot_env.cards.actions import Phase
from tarot_env.tables import Tables
from training.bench.batch import CONTRACT, give_contracts, mask_only
from training.bench.measurement import Measure, Sample, Setting, Stopwatch

TRICKS_BEFORE = 3
"""Tricks that are played before the heuristic plays on."""


def playouts(setting: Setting) -> Measure:
    """Random card play from the start, each run on a copy of the same worlds.

    Copying is not part of the time; decisions are cards played, whatever else is asked on the way.
    """
    worlds = _worlds(setting)

    def run(seed: int) -> Sample:
        rng, watch = np.random.default_rng(seed), Stopwatch()
        decisions, deals = 0, 0
        while not watch.seconds or watch.seconds < setting.seconds:
            tables = worlds.copy()
            with watch:
                decisions += _play_cards(tables, rng)
            deals += setting.size
        return watch.sample(decisions, deals=deals, contracts={CONTRACT: deals})

    run(0)
    return run


def heuristic_plays_on(setting: Setting) -> Measure:
    """Deals played on from the lead to the fourth trick by the heuristic in every seat."""
    agent, rng = HeuristicAgent(), np.random.default_rng(0)
    worlds, every = _worlds(setting), np.arange(setting.size)
    while len(rows := np.flatnonzero(worlds.columns.trick_number < TRICKS_BEFORE)):
        worlds.step(agent.act(worlds.turn(rows), rng), rows)

    def run(seed: int) -> Sample:
        watch, deals = Stopwatch(), 0
        while not watch.seconds or watch.seconds < setting.seconds:
            tables = worlds.copy()
            with watch:
                agent.play_on(tables, every)
            deals += setting.size
        return watch.sample(deals)

    run(0)
    return run


def _worlds(setting: Setting) -> Tables:
    """Full deals at the start of card play."""
    tables, rng = Tables(setting.rules, setting.size, 0), np.random.default_rng(0)
    void = np.flatnonzero(tables.is_over)
    while len(void):
        tables.reset(void)
        void = void[tables.is_over[void]]
    give_contracts(tables, np.arange(setting.size))
    while len(rows := np.flatnonzero(tables.phase != Phase.PLAY)):
        tables.step(tables.random_actions(rng)[rows], rows)
    return tables


def _play_cards(tables: Tables, rng: np.random.Generator) -> int:
    cards = 0
    while len(live := np.flatnonzero(~tables.is_over)):
        mask_only(tables, live)
        cards += int(np.count_nonzero(tables.phase == Phase.PLAY))
        tables.step(tables.random_actions(rng))
    return cards
