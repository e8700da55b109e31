"""What the core is made of: small records, one version of each loop, threads that agree."""

import sys
import tracemalloc

import numpy as np
import pytest
from numba import config
from support.every_game import GAMES, rules_of

import tarot_env
from agents.hand_strength import strongest_seats
from tarot_env import Bid, Rules, Tables
from tarot_env.core.state import TABLE
from tarot_env.observation import observation_layout, state_layout


def in_play(rules: Rules, num_tables: int, steps: int) -> Tables:
    """Tables some random steps behind the auction, the best hand playing a garde."""
    tables = Tables(rules, num_tables, seed=3)
    rng = np.random.default_rng(0)
    rows = np.flatnonzero(~tables.is_over)
    tables.force(rows, strongest_seats(tables, rows), Bid.GARDE)
    for _ in range(steps):
        tables.step(tables.random_actions(rng))
    return tables


def test_a_table_is_small() -> None:
    assert TABLE.itemsize <= 512


@pytest.mark.parametrize("game", GAMES)
def test_all_games_have_the_same_records(game: str) -> None:
    tables = Tables(rules_of(game), 10, seed=1)
    assert tables.state.dtype == TABLE
    assert tables.state.nbytes == 10 * TABLE.itemsize


def test_observations_need_little_beside_their_buffer() -> None:
    tables = in_play(Rules.preset(), 1000, steps=40)
    rows = np.flatnonzero(~tables.is_over)
    layout = observation_layout(tables.rules)
    out = np.zeros((len(rows), layout.size), np.uint8)
    turn = tables.turn(rows)
    layout.encode(turn, out=out)
    tracemalloc.start()
    layout.encode(turn, out=out)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 1.5 * out.nbytes


@pytest.mark.skipif(bool(config.DISABLE_JIT), reason="nothing is compiled with NUMBA_DISABLE_JIT")
def test_each_loop_is_compiled_for_one_kind_of_arguments() -> None:
    """Whatever the caller gives is normalised first; another kind would be compiled anew."""
    for game in GAMES:
        rules = rules_of(game)
        tables = in_play(rules, 6, steps=30)
        live = np.flatnonzero(~tables.is_over)
        tables.step(tables.random_actions(np.random.default_rng(0))[live].astype(np.int32), live)
        tables.step([int(action) for action in tables.random_actions(np.random.default_rng(0))])
        tables.reset([0, 2], np.array([7, 8], np.int16))
        tables.reset(np.arange(6)[::-2])
        turn, rows = tables.turn(seats=np.zeros(6, np.int8)), np.arange(6)[::2]
        observation_layout(rules).encode(turn)
        observation_layout(rules).encode(turn.take(slice(0, 6, 2)))
        state_layout(rules).encode(turn, tables.hidden(np.arange(6), turn.seat))
        tables.take(rows).hidden(np.arange(3), np.zeros(3, np.int64))
    loops = {
        name: loop
        for module in [m for n, m in sys.modules.items() if n.startswith(tarot_env.__name__)]
        for name, loop in vars(module).items()
        if getattr(getattr(loop, "py_func", None), "_is_loop", False)
    }
    assert {"step_all", "deal_all", "see_all", "legal_all", "first_refused"} <= set(loops)
    several = {name: loop.signatures for name, loop in loops.items() if len(loop.signatures) > 1}
    assert not several


@pytest.mark.parametrize("game", ["4", "6", "decouverte"])
def test_threads_change_nothing(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """States, masks, observations and scores of every step, to the last byte."""
    for name in ("_LEAST_STEPS", "_LEAST_MASKS"):
        monkeypatch.setattr(f"tarot_env.tables.tables.{name}", 8)
    monkeypatch.setattr("tarot_env.observation.layouts._LEAST_LOOKS", 8)
    rules = rules_of(game)
    layout = observation_layout(rules)
    found = []
    for threads in (1, 2, 5):
        tables = Tables(rules, 100, seed=5, threads=threads)
        rng, seen = np.random.default_rng(1), []
        while not tables.is_over.all():
            rows = np.flatnonzero(~tables.is_over)
            seen.append(tables.legal_actions().tobytes())
            out, mask = (
                np.empty((len(rows), layout.size), np.uint8),
                np.empty((len(rows), 95), bool),
            )
            layout.observe(tables, out, mask, rows)
            seen += [out.tobytes(), mask.tobytes()]
            tables.step(tables.random_actions(rng))
            seen += [array.tobytes() for array in tables.arrays().values()]
        found.append([*seen, tables.scores.tobytes()])
    assert found[0] == found[1] == found[2]
