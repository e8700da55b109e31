"""Turn-based GAE and normalisation against numbers worked out by hand."""

import numpy as np
import pytest

from tarot_env.cards.actions import Bid, Phase
from training.selfplay.advantages import (
    GROUPS,
    groups,
    normalise_by_group,
    turn_based_gae,
    variance,
)


def gae(values, rewards, last, lanes, steps, gamma=1.0, gae_lambda=1.0):
    return turn_based_gae(
        values=np.array(values, np.float32),
        rewards=np.array(rewards, np.float32),
        last=np.array(last),
        lanes=np.array(lanes),
        steps=np.array(steps),
        gamma=gamma,
        gae_lambda=gae_lambda,
    )


def test_two_seats_take_turns_and_both_get_the_score_at_their_own_last_decision():
    # lane 0 decides at steps 0 and 2, lane 1 at 1 and 3; scores +6 and -6
    advantages = gae(
        values=[1.0, 2.0, 3.0, 4.0],
        rewards=[0.0, 0.0, 6.0, -6.0],
        last=[False, False, True, True],
        lanes=[0, 1, 0, 1],
        steps=[0, 1, 2, 3],
        gae_lambda=0.5,
    )
    # lane 0: A2 = 6 - 3 = 3; A0 = (3 - 1) + 0.5 * 3 = 3.5
    # lane 1: A3 = -6 - 4 = -10; A1 = (4 - 2) + 0.5 * -10 = -3
    assert advantages.tolist() == [3.5, -3.0, 3.0, -10.0]


def test_with_lambda_one_the_advantage_is_score_less_value():
    advantages = gae([1.0, 2.0, 3.0], [0.0, 0.0, 10.0], [False, False, True], [0, 0, 0], [0, 1, 2])
    assert advantages.tolist() == [9.0, 8.0, 7.0]


def test_discount_counts_the_seats_own_decisions_alone():
    advantages = gae([0.0, 0.0], [0.0, 8.0], [False, True], [0, 0], [0, 1], gamma=0.5)
    assert advantages.tolist() == [4.0, 8.0]


def test_a_deal_that_begins_behind_a_finished_one_is_kept_apart():
    advantages = gae([1.0, 5.0, 2.0], [4.0, 0.0, 7.0], [True, False, True], [0, 0, 0], [0, 1, 2])
    assert advantages.tolist() == [3.0, 2.0, 5.0]


def test_lanes_decide_together_in_one_step():
    advantages = gae(
        [1.0, 2.0, 3.0, 4.0],
        [0.0, 0.0, 5.0, 9.0],
        [False, False, True, True],
        [3, 7, 7, 3],
        [5, 5, 8, 8],
    )
    assert advantages.tolist() == [8.0, 3.0, 2.0, 5.0]


def test_groups_separate_phases_roles_and_contracts():
    decisions = [
        (Phase.AUCTION, False, Bid.NONE),
        (Phase.AUCTION, False, Bid.GARDE),
        (Phase.DISCARD, True, Bid.GARDE),
        (Phase.PLAY, True, Bid.GARDE),
        (Phase.PLAY, False, Bid.GARDE),
        (Phase.PLAY, False, Bid.PETITE),
        (Phase.SLAM, True, Bid.GARDE),
    ]
    phases, takes, contracts = zip(*decisions, strict=True)
    group = groups(np.array(phases, np.int16), np.array(takes), np.array(contracts, np.int16))
    assert len(set(group.tolist())) == len(decisions)
    assert group.max() < GROUPS
    together = groups(
        np.array([Phase.SLAM, Phase.POIGNEE, Phase.WITHHOLD], np.int16),
        np.array([True] * 3),
        np.array([Bid.GARDE] * 3, np.int16),
    )
    assert len(set(together.tolist())) == 1


def test_each_group_is_normalised_by_itself():
    advantages = np.array([1.0, 3.0, 100.0, 300.0, 7.0], np.float32)
    normalised = normalise_by_group(advantages, np.array([2, 2, 6, 6, 4]))
    assert normalised.tolist() == pytest.approx([-1.0, 1.0, -1.0, 1.0, 0.0])


def test_variance():
    assert variance(np.array([1.0, 3.0, 8.0], np.float32)) == pytest.approx(26 / 3)
    assert variance(np.zeros(0, np.float32)) == 0.0


def test_no_decisions_at_all():
    assert gae([], [], np.zeros(0, bool), np.zeros(0, np.int64), np.zeros(0, np.int64)).shape == (
        0,
    )
