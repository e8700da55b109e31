"""One table: PettingZoo's loop as its tutorial writes it, for any of its environments."""

from dataclasses import replace
from typing import Any

import numpy as np

from tarot_env.cards.actions import parse_bid
from tarot_env.core.dealing import Deal
from tarot_env.envs import tarot_v0
from tarot_env.rules import Rules
from tarot_env.tables import Tables
from training.bench.batch import CONTRACT, give_contracts
from training.bench.measurement import Measure, Sample, Setting, Stopwatch


def episode(env: Any, **reset: Any) -> int:
    """An episode of random legal actions; returns how many were chosen."""
    env.reset(**reset)
    decisions = 0
    for agent in env.agent_iter():
        observation, _, terminated, truncated, _ = env.last()
        action = None
        if not (terminated or truncated):
            action = env.action_space(agent).sample(observation["action_mask"])
            decisions += 1
        env.step(action)
    return decisions


def one_table(setting: Setting) -> Measure:
    """The loop around `tarot_v0`, one deal after another."""
    env: Any = tarot_v0.env(rules=setting.rules, redeal=False)

    def run(seed: int) -> Sample:
        for place, agent in enumerate(env.possible_agents):
            env.action_space(agent).seed(1000 * seed + place)
        decisions, deals, watch = 0, 0, Stopwatch()
        while not watch.seconds or watch.seconds < setting.seconds:
            deal = _deal(setting.rules, seed, deals)
            with watch:
                decisions += episode(env, options={"deal": deal})
            deals += 1
        return watch.sample(decisions, deals=deals, contracts={CONTRACT: deals})

    return run


def _deal(rules: Rules, seed: int, deal_id: int) -> Deal:
    """A deal with the contract given to its best hand; as dealt where it is void."""
    deal, table = Deal.from_seed(seed, deal_id, rules), Tables(rules, 1, seed, deal_id)
    give_contracts(table, np.arange(1))
    taker = int(table.taker[0])
    return deal if taker < 0 else replace(deal, forced=(taker, parse_bid(CONTRACT)))
