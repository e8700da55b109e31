"""Agents at the tables: the time that the heuristic thinks, and a tournament."""

from collections import Counter

import numpy as np
from jaxtyping import Int

from agents.base import Agent
from agents.heuristic import HeuristicAgent
from agents.play import Player, play_out
from tarot_env.tables import Tables, Turn
from training.bench.batch import CONTRACT, contracts_of, give_contracts
from training.bench.measurement import Measure, Sample, Setting, Stopwatch, Unit
from training.bench.names import PROJECTED
from training.tournament import run_tournament

JOBS = 2
"""Processes of the tournament."""
FULL_DEALS = 20_000
"""Deals of a tournament whose length is projected."""


class _Timed:
    """An agent with a clock on its thinking."""

    def __init__(self, agent: Agent) -> None:
        self.name, self.agent = agent.name, agent
        self.decisions, self.watch = 0, Stopwatch()

    def act(self, turn: Turn, rng: np.random.Generator) -> Int[np.ndarray, " n"]:
        """What the agent answers."""
        self.decisions += len(turn)
        with self.watch:
            return self.agent.act(turn, rng)


def heuristic(setting: Setting) -> Measure:
    """The heuristic agent in every seat: the time that it thinks."""
    lineup = np.zeros((setting.size, setting.rules.players), np.int64)

    def run(seed: int) -> Sample:
        rng, tables = np.random.default_rng(seed), Tables(setting.rules, setting.size, seed)
        agent = _Timed(HeuristicAgent())
        contracts: Counter[str] = Counter()
        while not contracts or agent.watch.seconds < setting.seconds:
            give_contracts(tables, np.arange(setting.size))
            play_out(tables, [Player(agent, rng)], lineup, rng)
            contracts.update(contracts_of(tables))
            tables.reset()
        return agent.watch.sample(
            agent.decisions, deals=contracts[CONTRACT], contracts=dict(contracts)
        )

    return run


def tournament(setting: Setting) -> Measure:
    """Heuristic against random, all seatings of both pairs; processes are up before."""
    agents = ["heuristic", "random"]

    def run(seed: int, deals: int = setting.deals) -> Sample:
        watch = Stopwatch()
        with watch:
            run_tournament(agents, deals=deals, rules=setting.rules, jobs=JOBS)
        minutes = FULL_DEALS * watch.seconds / deals / 60
        return Sample(deals, watch.seconds, also={PROJECTED: (minutes, Unit.MINUTES)})

    run(0, 1)
    return run
