"""Copies of the three environments, taken at any moment of a deal, go on like the original."""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import cloudpickle
import numpy as np
import pytest
from support.every_game import GAMES, rules_of

from agents.registry import make_agent
from tarot_env import tarot_v0
from tarot_env.envs.single import SingleSeatEnv
from tarot_env.envs.vector import SingleSeatVectorEnv

WAYS: dict[str, Callable[[Any], Any]] = {
    "deepcopy": copy.deepcopy,
    "pickle": lambda thing: pickle.loads(pickle.dumps(thing)),
    "cloudpickle": lambda thing: pickle.loads(cloudpickle.dumps(thing)),
}


def first(mask: np.ndarray, number: int) -> int:
    """One of the legal actions, by number."""
    legal = np.flatnonzero(mask)
    return int(legal[number % len(legal)])


def aec_to_the_end(env: Any) -> list[Any]:
    seen = []
    for step in range(2000):
        if not env.agents:
            break
        observation, reward, termination, truncation, _ = env.last()
        seen += [env.agent_selection, observation["observation"].tobytes(), reward]
        seen.append(observation["action_mask"].tobytes())
        done = termination or truncation
        env.step(None if done else first(observation["action_mask"], 7 * step))
    return [*seen, sorted(env.rewards.items())]


def single_to_the_end(env: Any, observation: np.ndarray, mask: np.ndarray) -> list[Any]:
    seen, done, step = [observation.tobytes(), mask.tobytes()], False, 0
    while not done:
        observation, reward, done, _, info = env.step(first(mask, 7 * step))
        mask, step = info["action_mask"], step + 1
        seen += [observation.tobytes(), mask.tobytes(), reward]
    return seen


def vector_onward(envs: Any, masks: np.ndarray) -> list[Any]:
    seen = []
    for step in range(60):
        actions = np.array([first(m, 7 * step) if m.any() else 0 for m in masks])
        observations, rewards, ends, _, info = envs.step(actions)
        masks = info["action_mask"]
        seen += [observations.tobytes(), rewards.tobytes(), ends.tobytes(), masks.tobytes()]
    return seen


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("game", GAMES)
def test_the_pettingzoo_environment(game: str, way: str) -> None:
    env = tarot_v0.env(rules=rules_of(game))
    WAYS[way](env).reset(seed=3)
    env.reset(seed=3)
    for step in range(60):
        if step % 9 == 0:
            copied, other = WAYS[way](env), WAYS[way](env)
            assert aec_to_the_end(copied) == aec_to_the_end(other)
        if not env.agents or env.terminations[env.agent_selection]:
            break
        env.step(first(env.last()[0]["action_mask"], 5 * step))
    copied = WAYS[way](env)
    assert aec_to_the_end(copied) == aec_to_the_end(env)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("game", GAMES)
def test_the_single_seat_environment(game: str, way: str) -> None:
    env = SingleSeatEnv(rules=rules_of(game), opponents=make_agent("naive"))
    WAYS[way](env)
    observation, info = env.reset(seed=4)
    for step in range(6):
        mask = info["action_mask"]
        on = single_to_the_end(WAYS[way](env), observation, mask)
        assert single_to_the_end(WAYS[way](env), observation, mask) == on
        observation, _, done, _, info = env.step(first(mask, 5 * step))
        if done:
            break
    else:
        on = single_to_the_end(WAYS[way](env), observation, info["action_mask"])
        assert single_to_the_end(env, observation, info["action_mask"]) == on


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("game", GAMES)
def test_the_vector_environment(game: str, way: str) -> None:
    envs = SingleSeatVectorEnv(5, rules=rules_of(game), opponents=make_agent("naive"))
    WAYS[way](envs)
    _, info = envs.reset(seed=5)
    masks = info["action_mask"]
    for step in range(12):
        if step % 5 == 0:
            assert vector_onward(WAYS[way](envs), masks) == vector_onward(WAYS[way](envs), masks)
        actions = np.array([first(m, 5 * step) if m.any() else 0 for m in masks])
        masks = envs.step(actions)[4]["action_mask"]
    on = vector_onward(WAYS[way](envs), masks)
    assert vector_onward(envs, masks) == on
