"""What the core is made of: small records, one version of each loop, threads that agree."""

import copy
import hashlib
import os
import signal
import sys
import tracemalloc
from collections.abc import Callable

import numpy as np
import pytest
from numba import config
from support.every_game import GAMES, rules_of
from support.shared_memory import through_shared_memory

import tarot_env
from agents.hand_strength import strongest_seats
from tarot_env import Bid, Rules, Tables
from tarot_env.core.scoring import facts_of, payment
from tarot_env.core.state import TABLE
from tarot_env.observation import observation_layout, side_half_points, state_layout
from tarot_env.observation.layouts import ObservationLayout, StateLayout
from tarot_env.phases.redeal import petit_sec
from tarot_env.tables.turn import unpermute_actions


def in_play(rules: Rules, num_tables: int, steps: int) -> Tables:
    """Tables some random steps behind the auction, the best hand playing a garde."""
    tables = Tables(rules, num_tables, seed=3)
    rng = np.random.default_rng(0)
    rows = np.flatnonzero(~tables.is_over)
    tables.force(rows, strongest_seats(tables, rows), Bid.GARDE)
    for _ in range(steps):
        tables.step(tables.random_actions(rng))
    return tables


@pytest.mark.skipif(bool(config.DISABLE_JIT), reason="interpreted, every number takes 64 bits")
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


def frozen(array: np.ndarray) -> np.ndarray:
    """The same array, not to be written to."""
    array = array.copy()
    array.flags.writeable = False
    return array


def unaligned(array: np.ndarray) -> np.ndarray:
    """The same array, at an odd place of memory."""
    octets = np.zeros(array.nbytes + 1, np.uint8)[1:]
    octets[:] = array.view(np.uint8)
    return octets.view(array.dtype)


ODD_KINDS: list[Callable[[np.ndarray], np.ndarray]] = [
    frozen,
    unaligned,
    lambda array: np.repeat(array, 2)[::2],
    lambda array: array.astype(">i8"),
    lambda array: array.astype(np.int16),
]
"""What callers may give for whole numbers."""


def look(tables: Tables, observation: ObservationLayout, state: StateLayout) -> None:
    """Asks tables for whatever can be seen there, into buffers of every kind."""
    rows = frozen(np.arange(tables.num_tables))
    seats = frozen(np.zeros(len(rows), np.int64))
    turn, hidden = tables.turn(rows, seats), tables.hidden(rows, seats)
    names = frozen(np.tile([2, 3, 0, 1], (len(rows), 1)))
    for dtype in (np.uint8, np.float32):
        out = np.zeros((observation.size, len(rows)), dtype).T
        observation.observe(tables, out, np.zeros((len(rows), 190), np.bool_)[:, ::2], rows, seats)
    for seen, cards in (
        (turn, hidden),
        (through_shared_memory(turn), through_shared_memory(hidden)),
        (turn.take(slice(None, None, -1)), hidden.take(slice(None, None, -1))),
        (turn.replace(phase=turn.phase).permute_suits(names), hidden.permute_suits(names)),
    ):
        state.encode(seen, cards)
        side_half_points(seen)
        unpermute_actions(frozen(np.full(len(rows), 5)), names)
        for array in (seen.unseen, seen.masters, seen.history):
            assert len(array) == len(rows)
    assert tables.legal_actions().shape == (len(rows), 95)
    petit_sec(frozen(tables.columns.hands), tables.rules)
    facts = facts_of(tables.columns, np.flatnonzero(tables.taker >= 0), tables.rules)
    payment(facts, tables.rules)
    assert tables.columns.log.shape[2] == tables.columns.history.shape[2] == 2


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
        observation, state = observation_layout(rules), state_layout(rules)
        observation.encode(turn)
        observation.encode(turn.take(slice(0, 6, 2)))
        state.encode(turn, tables.hidden(np.arange(6), turn.seat))
        tables.take(rows).hidden(np.arange(3), np.zeros(3, np.int64))
        for step in range(120):
            kind = ODD_KINDS[step % len(ODD_KINDS)]
            actions = tables.random_actions(np.random.default_rng(step))
            tables.step(kind(actions), kind(np.arange(6)))
        for way in (copy.deepcopy, Tables.copy, through_shared_memory):
            other = way(tables)
            other.reset(deal_ids=frozen(np.arange(6)))
            begun = np.flatnonzero(~other.is_over)
            takers = (other.columns.dealer[begun] + 1) % rules.players
            other.force(frozen(begun), frozen(takers), Bid.GARDE)
            look(other, observation, state)
            look(Tables.of_state(rules, other.state[::-2], other.events[::-2]), observation, state)
            packs, dealers = frozen(other.columns.pack), other.columns.dealer
            look(Tables.of_packs(rules, packs, dealers), observation, state)
        shared = map(through_shared_memory, (observation, state))
        look(through_shared_memory(tables), *shared)
        bare = Tables(rules, 6, seed=1, threads=2, log=False)
        bare.step(bare.random_actions(np.random.default_rng(0)))
        look(bare, observation, state)
    compiled = {
        f"{module.__name__}.{name}": len(loop.signatures)
        for module in [m for n, m in sys.modules.items() if n.startswith(tarot_env.__name__)]
        for name, loop in vars(module).items()
        if getattr(getattr(loop, "py_func", None), "_is_loop", False)
    }
    assert {name: times for name, times in compiled.items() if times > 1} == {}
    of_tables = ("loops", "turn", "full_information")
    own = [name for name in compiled if name.split(".")[-2] in of_tables]
    assert {name: compiled[name] for name in own} == dict.fromkeys(own, 1)
    assert len(own) > 12


@pytest.mark.parametrize("game", ["3", "4", "5", "6", "decouverte", "dummy"])
def test_threads_change_nothing(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """States, masks, observations and scores of every step, to the last byte."""
    for name in ("_LEAST_STEPS", "_LEAST_MASKS"):
        monkeypatch.setattr(f"tarot_env.tables.tables.{name}", 8)
    monkeypatch.setattr("tarot_env.observation.layouts._LEAST_LOOKS", 8)
    rules = rules_of(game)
    layout = observation_layout(rules)
    found = []
    for threads in (1, 2, 4):
        tables = Tables(rules, 100, seed=5, threads=threads)
        rng, seen = np.random.default_rng(1), []
        while not tables.is_over.all():
            rows = np.flatnonzero(~tables.is_over)
            seen.append(tables.legal_actions().tobytes())
            for dtype in (np.uint8, np.float32):
                out = np.empty((len(rows), layout.size), dtype)
                mask = np.empty((len(rows), 95), np.bool_)
                layout.observe(tables, out, mask, rows)
                seen += [out.tobytes(), mask.tobytes()]
            tables.step(tables.random_actions(rng))
            seen += [array.tobytes() for array in tables.arrays().values()]
        found.append([*seen, tables.scores.tobytes()])
    assert found[0] == found[1] == found[2]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not forked here")
def test_a_forked_process_has_threads_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """It would wait for ever for those of the process that it comes from."""
    monkeypatch.setattr("tarot_env.tables.tables._LEAST_STEPS", 8)
    tables = Tables(Rules.preset(), 100, seed=5, threads=3)
    tables.step(tables.random_actions(np.random.default_rng(0)))
    copied = tables.copy()
    tables.step(tables.random_actions(np.random.default_rng(1)))
    reader, writer = os.pipe()
    child = os.fork()
    if not child:  # the copy of this process
        signal.alarm(60)
        copied.step(copied.random_actions(np.random.default_rng(1)))
        os.write(writer, hashlib.sha256(copied.state.tobytes()).digest())
        os._exit(0)
    os.close(writer)
    assert os.waitpid(child, 0)[1] == 0
    assert os.read(reader, 32) == hashlib.sha256(tables.state.tobytes()).digest()
    os.close(reader)
