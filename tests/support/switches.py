"""Plays some deals of every game and prints a digest of all that could be seen on the way."""

import hashlib

import numpy as np

from agents.baselines.naive import NaiveAgent
from agents.heuristic import HeuristicAgent
from support.every_game import GAMES, rules_of
from tarot_env import Tables
from tarot_env.observation import observation_layout, state_layout

digest = hashlib.sha256()
agents = [HeuristicAgent(), NaiveAgent()]
for game in GAMES:
    rules, rng = rules_of(game), np.random.default_rng(1)
    tables, step = Tables(rules, 3, seed=5), 0
    while not tables.is_over.all():
        live = np.flatnonzero(~tables.is_over)
        turn = tables.turn(live)
        if step % 5 == 0:
            digest.update(observation_layout(rules).encode(turn).tobytes())
            digest.update(
                state_layout(rules).encode(turn, tables.hidden(live, turn.seat)).tobytes()
            )
        actions = tables.random_actions(rng)[live]
        if step % 3:
            actions = agents[step % 2].act(turn, rng)
        tables.step(actions, live)
        digest.update(tables.legal_actions().tobytes())
        step += 1
    digest.update(tables.scores.tobytes())
    digest.update(tables.columns.log.tobytes())
print(digest.hexdigest())
