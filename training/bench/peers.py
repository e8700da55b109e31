"""Other libraries, played as their users play them: OpenSpiel, RLCard, PettingZoo.

Random legal actions throughout. Each is imported when it is measured; what it warns of is its own
affair.
"""

import random
import warnings
from collections.abc import Callable, Iterator
from functools import wraps
from importlib import import_module
from typing import Any

from training.bench.aec import episode
from training.bench.measurement import Measure, Sample, Setting, Stopwatch

DISTRIBUTIONS = {
    "pyspiel": "open-spiel",
    "rlcard": "rlcard",
    "shimmy": "pettingzoo[classic]",
    "pygame": "pettingzoo[classic]",
    "sb3_contrib": "sb3-contrib",
}
"""What installs each module."""
EXTRA = "pip install -e '.[peers]'"
"""What installs all of them."""

_CLONES = 64
"""Copies of dealt games that are made at a time, before the clock."""


def quiet(start: Callable[..., Measure]) -> Callable[..., Measure]:
    """The same measurement without its warnings."""

    @wraps(start)
    def started(*args: Any, **options: Any) -> Measure:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            measure = start(*args, **options)

        def run(seed: int) -> Sample:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return measure(seed)

        return run

    return started


@quiet
def tarok(setting: Setting) -> Measure:
    """OpenSpiel's tarok from Python: card play alone, from clones of dealt games."""
    pyspiel = import_module("pyspiel")
    worlds = [_dealt_tarok(pyspiel, seed) for seed in range(1, _CLONES + 1)]

    def run(seed: int) -> Sample:
        rng, watch = random.Random(seed), Stopwatch()
        decisions, deals = 0, 0
        while not watch.seconds or watch.seconds < setting.seconds:
            states = [world.clone() for world in worlds]
            numbers = iter([rng.random() for _ in range(_MOST_CARDS * _CLONES)])
            with watch:
                for state in states:
                    decisions += _play_out(state, numbers)
            deals += len(states)
        return watch.sample(decisions, deals=deals, contracts={"two": deals})

    return run


_MOST_CARDS = 60
"""Actions of a game at most; more numbers than are needed."""


def _dealt_tarok(pyspiel: Any, seed: int) -> Any:
    """A game of tarok at the start of card play: one player takes a `Two`, the others pass."""
    rng = random.Random(seed)
    state = pyspiel.load_game("tarok", {"rng_seed": seed}).new_initial_state()
    while state.current_game_phase().name != "TRICKS_PLAYING":
        legal = state.legal_actions()
        action = rng.choice(legal)
        if state.current_game_phase().name == "BIDDING":
            texts = {state.action_to_string(state.current_player(), a): a for a in legal}
            action = texts.get("Two", texts.get("Pass", legal[0]))
        state.apply_action(action)
    return state


def _play_out(state: Any, numbers: Iterator[float]) -> int:
    """Random legal actions to the end."""
    decisions = 0
    while not state.is_terminal():
        legal = state.legal_actions()
        state.apply_action(legal[int(next(numbers) * len(legal))])
        decisions += 1
    return decisions


@quiet
def spades(setting: Setting, *, in_place: bool) -> Measure:
    """OpenSpiel's spades from Python: deal, auction and play with observation tensor and mask.

    Args:
        setting: for how long.
        in_place: let an observer write into its buffer, which is fastest; else ask for
            `observation_tensor`, which makes a list.
    """
    game = import_module("pyspiel").load_game("spades")
    observer = import_module("open_spiel.python.observation").make_observation(game)

    def look(state: Any) -> None:
        player = state.current_player()
        if in_place:
            observer.set_from(state, player)
        else:
            state.observation_tensor(player)
        state.legal_actions_mask()

    def run(seed: int) -> Sample:
        rng, watch = random.Random(seed), Stopwatch()
        decisions, deals = 0, 0
        while not watch.seconds or watch.seconds < setting.seconds:
            numbers = iter([rng.random() for _ in range(_MOST_SPADES)])
            with watch:
                decisions += _play_spades(game.new_initial_state(), numbers, look)
            deals += 1
        return watch.sample(decisions, deals=deals)

    return run


_MOST_SPADES = 52 + 56
"""Cards dealt one by one, bids and cards played."""


def _play_spades(state: Any, numbers: Iterator[float], look: Callable[[Any], None]) -> int:
    decisions = 0
    while not state.is_terminal():
        if not state.is_chance_node():
            look(state)
            decisions += 1
        legal = state.legal_actions()
        state.apply_action(legal[int(next(numbers) * len(legal))])
    return decisions


@quiet
def bridge(setting: Setting) -> Measure:
    """RLCard's bridge: `env.step` with the state that it returns."""
    rlcard = import_module("rlcard")

    def run(seed: int) -> Sample:
        rng, watch = random.Random(seed), Stopwatch()
        env = rlcard.make("bridge", config={"seed": seed})
        decisions, deals = 0, 0
        while not watch.seconds or watch.seconds < setting.seconds:
            with watch:
                state, _ = env.reset()
                while not env.is_over():
                    state, _ = env.step(rng.choice(list(state["legal_actions"])))
                    decisions += 1
            deals += 1
        return watch.sample(decisions, deals=deals)

    return run


@quiet
def aec_peer(setting: Setting, *, name: str) -> Measure:
    """The loop of `aec.one_table` around an environment of `pettingzoo.classic`."""
    env = import_module(f"pettingzoo.classic.{name}").env()

    def run(seed: int) -> Sample:
        decisions, deals, watch = 0, 0, Stopwatch()
        env.reset(seed=seed)  # once: the card games of RLCard are made anew by it
        for place, agent in enumerate(env.possible_agents):
            env.action_space(agent).seed(1000 * seed + place)
        while not watch.seconds or watch.seconds < setting.seconds:
            with watch:
                decisions += episode(env)
            deals += 1
        return watch.sample(decisions, deals=deals)

    return run
