"""What an agent answers, checked; and the uniform one."""

import numpy as np
import pytest

from tarot_env import IllegalAction, Rules, Tables
from tarot_env.tables import Agent, UniformAgent
from tarot_env.tables.agent import checked_answer


@pytest.mark.parametrize(
    ("answer", "n"),
    [([3, 4], 2), ((3, 4), 2), (np.array([3, 4], np.int8), 2), (np.zeros(2, np.uint64), 2)],
)
def test_whole_numbers_are_taken(answer, n):
    checked = checked_answer("bot", answer, n)
    assert checked.dtype == np.int64
    assert checked.tolist() == list(answer)


def test_anything_empty_answers_no_rows():
    for answer in ([], (), np.zeros(0), np.zeros(0, np.int8)):
        checked = checked_answer("bot", answer, 0)
        assert (checked.dtype, checked.shape) == (np.int64, (0,))


@pytest.mark.parametrize("answer", [None, 3, [3], [3, 4, 5], [[3, 4]], [3.0, 4.0], [True, False]])
def test_other_answers_are_refused(answer):
    with pytest.raises(IllegalAction, match="agent 'bot' must answer 2 whole numbers; got "):
        checked_answer("bot", answer, 2)


def test_the_uniform_agent_plays_every_legal_action_alike():
    turn = Tables(Rules.preset(), 1, seed=1).turn(np.zeros(5000, np.int64))
    agent = UniformAgent()
    assert isinstance(agent, Agent)
    shares = np.bincount(agent.act(turn, np.random.default_rng(1)), minlength=95) / 5000
    assert np.flatnonzero(shares).tolist() == [78, 79, 81, 82, 83]
    assert abs(shares[shares > 0] - 0.2).max() < 0.03
