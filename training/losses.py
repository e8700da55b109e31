"""The losses of PPO (Schulman et al., arXiv:1707.06347), over a masked policy."""

from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int64
from torch import Tensor

from agents.policy import log_policy


class PolicyLoss(NamedTuple):
    """The clipped objective and what is worth watching about it."""

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
) -> PolicyLoss:
    """-min(ratio A, clip(ratio) A) and the entropy bonus, weighted means over the rows."""
    policy = log_policy(logits, mask)
    logratio = policy.gather(1, actions[:, None])[:, 0] - old_logprobs
    ratio = logratio.exp()
    clipped = ratio.clamp(1.0 - clip, 1.0 + clip)
    share = weights / weights.sum()
    loss = -(share * torch.minimum(ratio * advantages, clipped * advantages)).sum()
    entropy = -(policy.exp() * policy).sum(1)
    with torch.no_grad():
        approx_kl = ((ratio - 1.0) - logratio).mean()  # estimator k3 of joschu.net/blog/kl-approx
        clipfrac = ((ratio - 1.0).abs() > clip).float().mean()
    return PolicyLoss(
        policy_loss=loss,
        entropy_loss=-(share * entropy_weights * entropy).sum(),
        entropy=entropy.detach().mean(),
        approx_kl=approx_kl,
        clipfrac=clipfrac,
    )


def value_loss(
    values: Float[Tensor, " n"], returns: Float[Tensor, " n"], counts: Bool[Tensor, " n"]
) -> Tensor:
    """Huber loss of the critic over the rows that count: a slam scores thirty ordinary deals."""
    return torch.nn.functional.smooth_l1_loss(values[counts], returns[counts])
