"""Turn-based advantages: each seat's own decisions form its trajectory.

Between two decisions of a seat the other seats act; they are part of the environment. The score of
the deal is the reward of each seat's last decision.
"""

import numpy as np
from jaxtyping import Bool, Float32, Int16, Int64

from tarot_env.cards.actions import Bid, Phase
from training.selfplay.distributed import SINGLE_PROCESS, ProcessGroup


def turn_based_gae(
    *,
    values: Float32[np.ndarray, " n"],
    rewards: Float32[np.ndarray, " n"],
    last: Bool[np.ndarray, " n"],
    lanes: Int64[np.ndarray, " n"],
    steps: Int64[np.ndarray, " n"],
    gamma: float,
    gae_lambda: float,
) -> Float32[np.ndarray, " n"]:
    """Generalised advantage estimates along each lane, over finished deals.

    delta_i = r_i + gamma * V_next - V_i and A_i = delta_i + gamma * lambda * A_next, where next is
    the same seat's next decision in the deal, and both are 0 behind its last (arXiv:1506.02438).

    Args:
        values: the critic's estimate at each decision, in order of time.
        rewards: the score where the decision was the seat's last of its deal, else 0.
        last: whether it was.
        lanes: which seat at which table decides; at most one decision per lane in a step.
        steps: step of the tables at each decision; rises.
        gamma: discount.
        gae_lambda: weight of longer estimates.
    """
    advantages = np.zeros(len(values), np.float32)
    next_value = np.zeros(int(lanes.max(initial=-1)) + 1, np.float32)
    next_advantage = np.zeros_like(next_value)
    starts = np.flatnonzero(np.diff(steps, prepend=-1))
    ends = np.append(starts, len(values))[1:]
    for start, end in zip(starts[::-1], ends[::-1], strict=True):
        here = slice(start, end)
        lane, goes_on = lanes[here], ~last[here]
        delta = rewards[here] + gamma * next_value[lane] * goes_on - values[here]
        advantages[here] = delta + gamma * gae_lambda * next_advantage[lane] * goes_on
        next_value[lane] = values[here]
        next_advantage[lane] = advantages[here]
    return advantages


_PHASE_GROUP = np.zeros(len(Phase), np.int64)
_PHASE_GROUP[[Phase.DISCARD, Phase.PLAY]] = 1, 2
_PHASE_GROUP[[Phase.CALL, Phase.SPLIT, Phase.SLAM, Phase.MISERE, Phase.POIGNEE, Phase.WITHHOLD]] = 3
_PHASE_GROUPS = 4
"""Auction, écart, play, announcements and calls."""
GROUPS = 2 * _PHASE_GROUPS * len(Bid)


def groups(
    phases: Int16[np.ndarray, " n"],
    attacks: Bool[np.ndarray, " n"],
    contracts: Int16[np.ndarray, " n"],
) -> Int64[np.ndarray, " n"]:
    """Group of each decision: its phase, whether its seat attacks, and the contract."""
    return (_PHASE_GROUP[phases] * 2 + attacks) * len(Bid) + contracts


def normalise_by_group(
    advantages: Float32[np.ndarray, " n"],
    group: Int64[np.ndarray, " n"],
    processes: ProcessGroup = SINGLE_PROCESS,
) -> Float32[np.ndarray, " n"]:
    """Advantages with mean 0 and deviation 1 within each group, over all processes.

    The taker's scores are three times a defender's, and those of a garde contre six times those of
    a petite; without this, play would be learned from the loudest deals alone.
    """
    sizes = np.maximum(processes.sum(np.bincount(group, minlength=GROUPS)), 1)
    mean = processes.sum(np.bincount(group, advantages, GROUPS)) / sizes
    centred = advantages - mean[group]
    deviation = np.sqrt(processes.sum(np.bincount(group, centred**2, GROUPS)) / sizes)
    return (centred / np.maximum(deviation, 1e-6)[group]).astype(np.float32)


def variance(values: Float32[np.ndarray, " n"], processes: ProcessGroup = SINGLE_PROCESS) -> float:
    """Variance of the values of all processes; 0 where there are none."""
    size, total = processes.sum(np.array([len(values), values.sum(dtype=np.float64)]))
    squares = np.square(values - total / max(size, 1.0)).sum(dtype=np.float64)
    return float(processes.sum(np.array(squares)) / max(size, 1.0))
