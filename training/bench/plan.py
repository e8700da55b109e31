"""What is measured, with which numbers of tables, and the goals. A new measurement is one entry.

Torch and other libraries are imported when what needs them starts.
"""

from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module

from tarot_env.rules import Rules
from tarot_env.rules.books import GAMES, PRESETS
from training.bench import aec, agents, batch, peers, playouts
from training.bench.agents import JOBS
from training.bench.goals import Goal
from training.bench.measurement import Measure, Measurement, Setting, Unit
from training.bench.names import (
    BRIDGE,
    DEALING,
    ENVIRONMENT,
    LOOP,
    MASKABLE_PPO,
    MASKABLE_PPO_ALIKE,
    MIXED,
    PLAYED_ON,
    PLAYOUTS,
    PPO,
    PPO_ALONE,
    PROJECTED,
    SEEN,
    SPADES,
    SPADES_LIST,
    STATE,
    STEP,
    TAROK,
    THREADS,
)
from training.selfplay.config import PPOConfig

GROUPS = (
    "core",
    "observation",
    "mixed",
    "memory",
    "dealing",
    "one_table",
    "playouts",
    "agents",
    "training",
    "tournament",
    "games",
)
"""The groups, in the order of the table; `games` is measured where it is asked for."""

Sizes = Callable[[Sequence[int]], Sequence[int]]


def main_size(sizes: Sequence[int]) -> int:
    """The size of what is measured with one: 4,096 if it is asked for, else the largest."""
    return 4096 if 4096 in sizes else max(sizes)


def _every(sizes: Sequence[int]) -> Sequence[int]:
    return sizes


def _several(sizes: Sequence[int]) -> Sequence[int]:
    return [size for size in sizes if size > 1]


def _main(sizes: Sequence[int]) -> Sequence[int]:
    return [main_size(sizes)]


def _one_and_main(sizes: Sequence[int]) -> Sequence[int]:
    return sorted({1, main_size(sizes)})


def _always(*own: int) -> Sizes:
    return lambda sizes: own


def _later(module: str, name: str) -> Callable[[Setting], Measure]:
    """A function of a module that is imported when it is called."""

    def start(setting: Setting) -> Measure:
        measure: Measure = getattr(import_module(f"training.bench.{module}"), name)(setting)
        return measure

    return start


def _game(name: str) -> Measurement:
    """A game under the first rule book that describes it."""
    preset = next(preset for preset, games in PRESETS.items() if name in games)
    players, game = (int(name), None) if name.isdigit() else (None, name)
    rules = Rules.preset(preset, players, game)
    start = partial(batch.lockstep, rules=rules)
    return Measurement(f"{GAMES[name].title} ({preset})", ("games",), start, _main)


AEC_PEERS = {
    "hanabi_v5": ("shimmy", "pyspiel", "pygame"),
    "texas_holdem_v4": ("rlcard", "pygame"),
    "leduc_holdem_v4": ("rlcard", "pygame"),
}
"""Environments of `pettingzoo.classic`, with what they need."""


def _aec_peer(name: str) -> Measurement:
    return Measurement(
        f"PettingZoo loop, {name}",
        ("one_table",),
        partial(peers.aec_peer, name=name),
        _always(1),
        needs=AEC_PEERS[name],
        note="the same loop",
    )


MEASUREMENTS = (
    Measurement(
        STEP,
        ("core", "mixed"),
        batch.lockstep,
        _every,
        note="dealing included; the contract is given, without an auction",
    ),
    Measurement(
        TAROK,
        ("playouts", "core"),
        peers.tarok,
        _always(1),
        note="3 players, 54 cards; clones made before the clock; legal_actions, apply_action",
        needs=("pyspiel",),
    ),
    Measurement(
        PLAYOUTS,
        ("playouts",),
        playouts.playouts,
        _every,
        note="copies made before the clock; cards played count, whatever else is asked",
    ),
    Measurement(
        PLAYED_ON,
        ("playouts",),
        playouts.heuristic_plays_on,
        _always(1, 512),
        Unit.DEALS,
        note="copies made before the clock; `heuristic` in every seat, 14 or 15 tricks",
    ),
    Measurement(MIXED, ("mixed",), batch.mixed, _several, note="dealt anew as each is over"),
    Measurement(
        SEEN,
        ("observation",),
        batch.observed,
        _every,
        note="uint8, written into the caller's buffers; dealing included",
    ),
    Measurement(
        SPADES,
        ("observation",),
        partial(peers.spades, in_place=True),
        _always(1),
        note="52 cards dealt one by one from Python; float32 [578] written in place by an "
        "observer, legal_actions_mask and legal_actions",
        needs=("pyspiel",),
    ),
    Measurement(
        SPADES_LIST,
        ("observation",),
        partial(peers.spades, in_place=False),
        _always(1),
        note="the same with the list that observation_tensor makes",
        needs=("pyspiel",),
    ),
    Measurement(STATE, ("memory",), partial(batch.state_bytes, log=False), _main, Unit.BYTES),
    Measurement(
        "state with event log",
        ("memory",),
        partial(batch.state_bytes, log=True),
        _main,
        Unit.BYTES,
    ),
    Measurement(
        "with observation and mask too",
        ("memory",),
        partial(batch.state_bytes, log=True, observation=True),
        _main,
        Unit.BYTES,
    ),
    Measurement(DEALING, ("dealing",), batch.dealing, _main, Unit.MICROSECONDS),
    Measurement("shuffled packs alone", ("dealing",), batch.packs, _main, Unit.MICROSECONDS),
    Measurement(
        LOOP,
        ("one_table",),
        aec.one_table,
        _always(1),
        note="agent_iter, last, action_space.sample(mask), step",
    ),
    *(_aec_peer(name) for name in AEC_PEERS),
    Measurement(
        BRIDGE,
        ("one_table",),
        peers.bridge,
        _always(1),
        note="env.step with the state it returns, auction included",
        needs=("rlcard",),
    ),
    Measurement(
        "heuristic", ("agents",), agents.heuristic, _one_and_main, note="the time it thinks"
    ),
    Measurement(
        PPO,
        ("training",),
        _later("learning", "updates"),
        _always(256, 1024),
        one_core=False,
        note=f"{PPOConfig.epochs} epochs, minibatches of {PPOConfig.minibatch:,}; {THREADS} "
        "threads; decisions that are learned from",
    ),
    Measurement(
        PPO_ALONE,
        ("training",),
        _later("learning", "updates_without_environment"),
        _always(256, 1024),
        one_core=False,
        note="recorded decisions: the same forward passes and the same learning",
    ),
    Measurement(
        MASKABLE_PPO,
        ("training",),
        _later("peer_learning", "maskable_ppo"),
        _always(1),
        one_core=False,
        note="sb3-contrib's defaults on hanabi_v5: 10 epochs, minibatches of 64; "
        f"{THREADS} threads",
        needs=("sb3_contrib", *AEC_PEERS["hanabi_v5"]),
    ),
    Measurement(
        MASKABLE_PPO_ALIKE,
        ("training",),
        _later("peer_learning", "as_often_as_ours"),
        _always(1),
        one_core=False,
        note="with our epochs and minibatches",
        needs=("sb3_contrib", *AEC_PEERS["hanabi_v5"]),
    ),
    Measurement(
        f"heuristic against random, {JOBS} jobs",
        ("tournament",),
        agents.tournament,
        _always(0),
        Unit.DEALS,
        one_core=False,
        note="all seatings of both pairs",
    ),
    *(_game(name) for name in GAMES),
)
"""All that can be measured, peers beside what they are compared with."""


GOALS = (
    Goal(STEP, TAROK, goal={4096: 6.0}, aim={4096: 10.0}),
    Goal(STEP, STEP, "cost of a decision : at 4,096 tables", to_size=4096, cost=True),
    Goal(SEEN, SPADES, goal={4096: 8.0}, aim={4096: 12.0}),
    Goal(SEEN, SPADES_LIST, at=[4096]),
    Goal(
        MIXED,
        STEP,
        f"{MIXED} : all dealt together",
        goal={256: 0.5, 4096: 0.75},
        aim={256: 0.8, 4096: 0.9},
    ),
    Goal(STATE, at_least=False, goal={4096: 512.0}),
    Goal(DEALING, at_least=False, goal={4096: 2.0}),
    Goal(
        LOOP,
        "PettingZoo loop, hanabi_v5",
        "PettingZoo loop, tarot_v0 : hanabi_v5",
        goal={1: 3.0},
        aim={1: 6.0},
    ),
    Goal(
        LOOP,
        "PettingZoo loop, texas_holdem_v4",
        "tarot_v0 : texas_holdem_v4",
        goal={1: 2.0},
        aim={1: 3.5},
    ),
    Goal(LOOP, "PettingZoo loop, leduc_holdem_v4", "tarot_v0 : leduc_holdem_v4"),
    Goal(LOOP, BRIDGE),
    Goal(PLAYOUTS, TAROK, goal={4096: 3.0}),
    Goal(PLAYED_ON, goal={1: 8000.0, 512: 8000.0}, aim={1: 30000.0, 512: 30000.0}),
    Goal(ENVIRONMENT, at_least=False, goal={256: 3.0, 1024: 3.0}, aim={256: 1.0}),
    Goal(PPO, PPO_ALONE, f"{PPO} : without environment", goal={256: 0.8, 1024: 0.8}),
    Goal(PPO, MASKABLE_PPO, goal={256: 8.0}),
    Goal(PPO, MASKABLE_PPO_ALIKE),
    Goal(PROJECTED, at_least=False, goal={0: 5.0}),
)
"""What is watched, with the least or largest value wanted at some sizes."""
