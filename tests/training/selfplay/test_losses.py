"""The masked policy and the PPO losses against closed forms."""

import math

import numpy as np
import pytest
import torch

from agents.neural.policy import log_policy
from training.selfplay.losses import BatchTotals, policy_loss, value_loss


def mask_of(*actions):
    mask = torch.zeros(95, dtype=torch.bool)
    mask[list(actions)] = True
    return mask


def test_e_to_the_entropy_of_an_even_policy_is_the_number_of_legal_actions():
    masks = torch.stack([mask_of(3), mask_of(3, 4), mask_of(*range(18)), mask_of(*range(95))])
    policy = log_policy(torch.zeros(4, 95), masks)
    entropy = -(policy.exp() * policy).sum(1)
    assert entropy.exp().tolist() == pytest.approx([1.0, 2.0, 18.0, 95.0], rel=1e-5)


def test_an_illegal_action_has_probability_exactly_zero_however_high_its_logit():
    logits = torch.zeros(1, 95)
    logits[0, 7] = 1e4
    probabilities = log_policy(logits, mask_of(1, 2)[None]).exp()[0]
    assert probabilities[7].item() == 0.0
    assert probabilities[[1, 2]].tolist() == [0.5, 0.5]


def test_no_gradient_reaches_an_illegal_action():
    logits = torch.zeros(1, 95, requires_grad=True)
    policy = log_policy(logits, mask_of(1, 2, 3)[None])
    (policy[0, 2] - (policy.exp() * policy).sum()).backward()
    assert set(torch.flatten(logits.grad.nonzero()[:, 1]).tolist()) == {1, 2, 3}


def losses(new_chance, old_chance, advantage, clip=0.2):
    """One row with two legal actions; the first was taken."""
    logits = torch.full((1, 95), -5.0)
    logits[0, 0], logits[0, 1] = math.log(new_chance), math.log(1 - new_chance)
    return policy_loss(
        logits=logits,
        mask=mask_of(0, 1)[None],
        actions=torch.tensor([0]),
        old_logprobs=torch.tensor([math.log(old_chance)]),
        advantages=torch.tensor([advantage]),
        weights=torch.tensor([3.0]),
        entropy_weights=torch.tensor([0.1]),
        clip=clip,
        totals=BatchTotals(rows=1, weight=3.0, valued=1),
    )


@pytest.mark.parametrize(
    ("new", "old", "advantage", "expected"),
    [
        (0.5, 0.5, 2.0, -2.0),  # ratio 1
        (0.55, 0.5, 2.0, -2.2),  # ratio 1.1, inside
        (0.8, 0.5, 2.0, -2.4),  # ratio 1.6, clipped at 1.2
        (0.3, 0.5, 2.0, -1.2),  # ratio 0.6: the worse of both counts
        (0.3, 0.5, -2.0, 1.6),  # clipped at 0.8
        (0.8, 0.5, -2.0, 3.2),
    ],
)
def test_clipped_objective(new, old, advantage, expected):
    assert losses(new, old, advantage).policy_loss.item() == pytest.approx(expected, rel=1e-5)


def test_kl_estimate_clip_share_and_entropy():
    result = losses(0.8, 0.5, 1.0)
    assert result.approx_kl.item() == pytest.approx(0.6 - math.log(1.6), rel=1e-5)
    assert result.clipfrac.item() == 1.0
    entropy = -(0.8 * math.log(0.8) + 0.2 * math.log(0.2))
    assert result.entropy.item() == pytest.approx(entropy, rel=1e-5)
    assert result.entropy_loss.item() == pytest.approx(-0.1 * entropy, rel=1e-5)


def test_value_loss_is_quadratic_near_and_linear_far():
    counts = torch.tensor([True, True, False])
    totals = BatchTotals(rows=3, weight=3.0, valued=2)
    loss = value_loss(torch.zeros(3), torch.tensor([0.5, 10.0, 99.0]), counts, totals)
    assert loss.item() == pytest.approx(np.mean([0.125, 9.5]))


def losses_of_two(rows):
    """Of a row of weight 3 and one of weight 1, or of either as a part of both."""
    return policy_loss(
        logits=torch.zeros(2, 95)[rows],
        mask=torch.stack([mask_of(0, 1), mask_of(*range(4))])[rows],
        actions=torch.tensor([0, 0])[rows],
        old_logprobs=torch.tensor([0.5, 0.25]).log()[rows],
        advantages=torch.tensor([4.0, 8.0])[rows],
        weights=torch.tensor([3.0, 1.0])[rows],
        entropy_weights=torch.tensor([0.1, 0.2])[rows],
        clip=0.2,
        totals=BatchTotals(rows=2, weight=4.0, valued=2),
    )


def test_rows_count_by_their_weight():
    """A row of weight 3 beside one of weight 1 makes three quarters of both losses."""
    result = losses_of_two([0, 1])
    assert result.policy_loss.item() == pytest.approx(-(0.75 * 4 + 0.25 * 8))
    entropy = 0.75 * 0.1 * math.log(2) + 0.25 * 0.2 * math.log(4)
    assert result.entropy_loss.item() == pytest.approx(-entropy)


def test_the_parts_of_a_minibatch_add_up():
    parts = zip(losses_of_two([0]), losses_of_two([1]), losses_of_two([]), strict=True)
    for both, (one, other, nothing) in zip(losses_of_two([0, 1]), parts, strict=True):
        assert nothing.item() == 0
        assert (one + other).item() == pytest.approx(both.item())
    totals = BatchTotals(rows=3, weight=3.0, valued=2)
    values, returns = torch.zeros(3), torch.tensor([0.5, 10.0, 99.0])
    counts = torch.tensor([True, True, False])
    parts = [
        value_loss(values[i : i + 1], returns[i : i + 1], counts[i : i + 1], totals)
        for i in range(3)
    ]
    assert sum(parts).item() == pytest.approx(value_loss(values, returns, counts, totals).item())
