"""Has everything compiled that tests run, once, before several of them would at a time."""

import numpy as np

from agents.heuristic import HeuristicAgent
from agents.search.solver import solve_rows
from support.every_game import rules_of
from tarot_env import Phase, Tables, beliefs
from tarot_env.observation import observation_layout, state_layout

for game in ("4", "6", "decouverte"):
    rules, rng, agent = rules_of(game), np.random.default_rng(0), HeuristicAgent()
    tables = Tables(rules, 8, seed=1)
    for _ in range(40):
        live = np.flatnonzero(~tables.is_over)
        turn = tables.turn(live)
        tables.step(agent.act(turn, rng), live)
    turn = tables.turn(seats=np.zeros(8, np.int64))
    observation_layout(rules).encode(turn)
    state_layout(rules).encode(turn, tables.hidden(np.arange(8), turn.seat))
    asked = tables.turn(np.flatnonzero(~tables.is_over))
    imagined = beliefs.tables_from(asked, beliefs.sample_worlds(asked, 2, rng))
    agent.play_on(imagined, np.arange(imagined.num_tables))
    if game == "4":
        last = tables.take(np.flatnonzero(tables.phase == Phase.PLAY)[:1])
        while tables.rules.tricks - last.columns.trick_number[0] > 2:
            last.step(agent.act(last.turn(), rng))
        solve_rows(last, np.zeros(1, np.int64))
