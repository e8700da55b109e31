"""The losses of PPO (Schulman et al., arXiv:1707.06347), over a masked policy."""

from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int64
from torch import Tensor

from agents.neural.policy import log_policy


class BatchTotals(NamedTuple):
    """A minibatch in all its parts, where processes hold one each: what sums are divided by."""

    rows: float
    weight: float
    """Sum of the rows' weights in the policy's loss."""
    valued: float
    """Rows that count in the critic's loss."""


class PolicyLoss(NamedTuple):
    """The clipped objective and what is worth watching about it, each summed over parts."""

    policy_loss: Tensor
    entropy_loss: Tensor
    entropy: Tensor
    approx_kl: Tensor
    clipfrac: Tensor


def policy_loss(
    *,
    logits: Float[Tensor, "n a"],
    mask: Bool[Tensor, "n a"],
    actions: Int64[Tensor, " n"],
    old_logprobs: Float[Tensor, " n"],
    advantages: Float[Tensor, " n"],
    weights: Float[Tensor, " n"],
    entropy_weights: Float[Tensor, " n"],
    clip: float,
    totals: BatchTotals,
) -> PolicyLoss:
    """-min(ratio A, clip(ratio) A) and the entropy bonus, weighted means over the whole minibatch.

    The rows given are a part of it, and what comes back is their part of each mean.
    """
    policy = log_policy(logits, mask)
    logratio = policy.gather(1, actions[:, None])[:, 0] - old_logprobs
    ratio = logratio.exp()
    clipped = ratio.clamp(1.0 - clip, 1.0 + clip)
    share = weights / totals.weight
    loss = -(share * torch.minimum(ratio * advantages, clipped * advantages)).sum()
    entropy = -(policy.exp() * policy).sum(1)
    with torch.no_grad():
        kl = (ratio - 1.0) - logratio  # estimator k3 of joschu.net/blog/kl-approx
        clipped_rows = (ratio - 1.0).abs() > clip
    return PolicyLoss(
        policy_loss=loss,
        entropy_loss=-(share * entropy_weights * entropy).sum(),
        entropy=entropy.detach().sum() / totals.rows,
        approx_kl=kl.sum() / totals.rows,
        clipfrac=clipped_rows.sum() / totals.rows,
    )


def value_loss(
    values: Float[Tensor, " n"],
    returns: Float[Tensor, " n"],
    counts: Bool[Tensor, " n"],
    totals: BatchTotals,
) -> Tensor:
    """Huber loss of the critic over the rows that count: a slam scores thirty ordinary deals.

    As with the policy's loss: these rows' part of the mean over the whole minibatch.
    """
    losses = torch.nn.functional.smooth_l1_loss(values[counts], returns[counts], reduction="none")
    return losses.sum() / totals.valued
