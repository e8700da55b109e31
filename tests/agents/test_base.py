"""Agents made from a function on one row."""

import numpy as np

from agents.base import Agent, RowAgent
from tarot_env import Rules, Tables
from tarot_env.testing import check_agent

RULES = Rules.preset("fft", players=4)


def test_a_row_agent_asks_row_by_row():
    seen = []

    def choose(turn, rng):
        seen.append((len(turn), int(turn.seat[0]), int(rng.integers(1000))))
        return int(np.flatnonzero(turn.legal_mask[0])[-1])

    agent = RowAgent("last", choose)
    turn = Tables(RULES, 6, seed=1).turn()
    actions = agent.act(turn, np.random.default_rng(5))
    assert isinstance(agent, Agent)
    assert agent.name == "last"
    assert actions.dtype == np.int64
    assert actions.tolist() == [83] * 6
    rng = np.random.default_rng(5)
    assert seen == [(1, int(seat), int(rng.integers(1000))) for seat in turn.seat]
    assert agent.act(turn.take(np.zeros(0, np.int64)), rng).shape == (0,)


def test_a_row_agent_is_an_agent_like_any():
    check_agent(RowAgent("lowest", lambda turn, rng: int(turn.legal_mask[0].argmax())), deals=6)
    check_agent(
        RowAgent("any", lambda turn, rng: int(rng.choice(np.flatnonzero(turn.legal_mask[0])))),
        deals=6,
    )
