"""PPO self-play: the trainer, one update at a time.

All seats share one actor, counted from the seat itself, and learn from the same deals. The actor
sees one seat's observation, the critic the whole table. With several processes, each plays tables
of its own, and all learn what one with all the tables would from the same decisions.
"""

import math
import time
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from jaxtyping import Float32, UInt8

from agents.neural.agent import CHECKPOINT_FORMAT, NeuralAgent
from agents.neural.policy import Actor, Critic
from tarot_env.cards import cardsets
from tarot_env.cards.actions import BID_TEXTS, Bid, Phase
from tarot_env.observation import observation_layout, state_layout
from training.selfplay import checkpoint
from training.selfplay.advantages import groups, normalise_by_group, turn_based_gae, variance
from training.selfplay.config import TrainConfig
from training.selfplay.distributed import SINGLE_PROCESS, ProcessGroup
from training.selfplay.losses import BatchTotals, policy_loss, value_loss
from training.selfplay.policy_pool import Pool
from training.selfplay.rollout import Buffer, Collected, Collector


@dataclass(frozen=True)
class Targets:
    """What the networks are moved towards; one value per decision."""

    advantages: Float32[np.ndarray, " n"]
    remaining: Float32[np.ndarray, " n"]  # of the return, beyond the points so far
    weights: Float32[np.ndarray, " n"]
    entropy_weights: Float32[np.ndarray, " n"]


_RARE = 0.02
"""Probability below which a given bid is not made rarer."""
_VALUE_BATCH = 4096
_LAST_SHARE = 0.1
"""What is left of the learning rate and of the entropy bonus at the end of a run."""


class Trainer:
    """Networks, optimiser, tables and generators of a run; `update` makes one step of learning.

    Args:
        config: of the run; its tables and steps are those of each process, its minibatch and
            decisions those of all.
        processes: that learn together; networks, optimiser and past selves are alike in all.
    """

    def __init__(self, config: TrainConfig, processes: ProcessGroup = SINGLE_PROCESS) -> None:
        torch.set_num_threads(config.threads)
        self.config, self.processes = config, processes
        self.rules = config.rules
        with torch.random.fork_rng():
            torch.manual_seed(config.seed)
            self.actor = Actor(observation_layout(self.rules), config.hidden, config.network)
            self.critic = Critic(state_layout(self.rules), config.hidden, config.network)
        parameters = [*self.actor.parameters(), *self.critic.parameters()]
        self.optimizer = torch.optim.Adam(
            parameters, lr=config.ppo.learning_rate, eps=1e-5, fused=True
        )
        rng = np.random.default_rng(config.seed)
        self.rng = [rng, *rng.spawn(processes.size - 1)][processes.rank]
        self.pool = Pool(config.collect.pool_size)
        self.collector = Collector(
            self.rules,
            config.collect,
            self.rng,
            actor=self.actor,
            critic=self.critic,
            pool=self.pool,
            processes=processes,
        )
        self.updates = 0
        self.decisions = 0
        self.deals = 0
        self.seconds = 0.0

    @property
    def is_done(self) -> bool:
        """Whether the run has its length."""
        return self.decisions >= self.config.decisions

    @property
    def progress(self) -> float:
        """Part of the run that is done, 0 to 1."""
        return min(self.decisions / self.config.decisions, 1.0)

    def agent(self) -> NeuralAgent:
        """The actor as it plays now, taking its best action."""
        return NeuralAgent(self.actor, self.rules, name="ppo")

    def update(self) -> dict[str, float]:
        """Collects decisions, learns from them, and returns the metrics of this update."""
        start = time.perf_counter()
        config = self.config
        if self.updates % config.collect.pool_every == 0:
            self.pool.add(self.actor, self.rng, self.processes)
        fading = 1.0 - (1.0 - _LAST_SHARE) * self.progress
        rate = config.ppo.learning_rate * fading
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        given_share = self._given_share()
        batch = self.collector.collect(given_share)
        bid_weight = config.ppo.bid_weight if given_share < 1 else 0.0  # nothing to compare with
        losses, used = self._learn(batch, fading, bid_weight)
        played = _of_all(batch, self.processes)

        seconds = time.perf_counter() - start
        self.updates += 1
        self.decisions += used
        self.deals += played.deals
        self.seconds += seconds
        return {
            "update": self.updates,
            "decisions": self.decisions,
            "deals": self.deals,
            "seconds": self.seconds,
            "charts/learning_rate": rate,
            "charts/SPS": used / seconds,
            "charts/environment_share": self.collector.environment_seconds / seconds,
            "charts/given_share": given_share,
            **losses,
            **_bid_rates(played),
        }

    def _given_share(self) -> float:
        """Share of new deals with a given contract: all in the first part of the run."""
        collect = self.config.collect
        return 1.0 if self.progress < collect.given_first else collect.given_share

    def _values(self, states: UInt8[np.ndarray, "n s"]) -> Float32[np.ndarray, " n"]:
        """The critic's estimate of what each state brings beyond the interim score."""
        with torch.no_grad():
            parts = [self.critic(part) for part in torch.from_numpy(states).split(_VALUE_BATCH)]
        values: np.ndarray = torch.cat(parts).numpy()
        return values

    def _learn(
        self, batch: Collected, fading: float, bid_weight: float
    ) -> tuple[dict[str, float], int]:
        """Some epochs of PPO on the decisions of finished deals.

        Returns:
            The means of what was measured, and the number of decisions; of all processes. The
            explained variance is absent where all returns are alike.
        """
        config = self.config.ppo
        data = batch.buffer.take(batch.rows)
        interim = data.interim / np.float32(config.points_per_reward)
        values = interim + self._values(data.state)
        bids = data.phase == Phase.AUCTION

        def estimates(gae_lambda: float) -> Float32[np.ndarray, " n"]:
            return turn_based_gae(
                values=values,
                rewards=data.reward / np.float32(config.points_per_reward),
                last=data.last,
                lanes=data.lane,
                steps=data.step,
                gamma=config.gamma,
                gae_lambda=gae_lambda,
            )

        advantages = np.where(bids, estimates(config.bid_lambda), estimates(config.gae_lambda))
        returns = advantages + values
        entropy = fading * np.where(bids, config.bid_entropy, config.entropy)
        targets = Targets(
            advantages=normalise_by_group(
                advantages, groups(data.phase, data.attacks, data.contract), self.processes
            ),
            remaining=returns - interim,
            weights=_weights(data, advantages, bid_weight),
            entropy_weights=entropy.astype(np.float32),
        )
        decisions = int(self.processes.sum(np.array(len(values))))
        parts = max(round(decisions / config.minibatch), 1)
        measured = [
            self._minibatch(data, targets, rows)
            for _ in range(config.epochs)
            for rows in np.array_split(self.rng.permutation(len(values)), parts)
        ]
        means = self.processes.sum(np.array([list(one.values()) for one in measured])).mean(0)
        losses = {
            f"losses/{name}": float(mean) for name, mean in zip(measured[0], means, strict=True)
        }
        of_returns = variance(returns, self.processes)
        of_errors = variance(advantages, self.processes)
        if of_returns > 0:  # else there is nothing to explain
            losses["losses/explained_variance"] = 1.0 - of_errors / of_returns
        return losses, decisions

    def _minibatch(self, data: Buffer, targets: Targets, rows: np.ndarray) -> dict[str, float]:
        """One optimiser step on the given rows and those of the other processes.

        Returns:
            What was measured: this process's part of each mean.
        """
        config = self.config.ppo
        weights, valued = targets.weights[rows], ~data.given[rows]
        sums = np.array([len(rows), weights.sum(dtype=np.float64), valued.sum()])
        totals = BatchTotals(*self.processes.sum(sums).tolist())
        loss = policy_loss(
            logits=self.actor(torch.from_numpy(data.observation[rows])),
            mask=torch.from_numpy(cardsets.to_mask(data.legal[rows])),
            actions=torch.from_numpy(data.action[rows].astype(np.int64)),
            old_logprobs=torch.from_numpy(data.logprob[rows]),
            advantages=torch.from_numpy(targets.advantages[rows]),
            weights=torch.from_numpy(weights),
            entropy_weights=torch.from_numpy(targets.entropy_weights[rows]),
            clip=config.clip,
            totals=totals,
        )
        values = self.critic(torch.from_numpy(data.state[rows]))
        critic_loss = value_loss(
            values,
            torch.from_numpy(targets.remaining[rows]),
            torch.from_numpy(valued),
            totals,
        )
        total = loss.policy_loss + loss.entropy_loss + config.value_weight * critic_loss
        self.optimizer.zero_grad(set_to_none=True)
        total.backward()
        self.processes.sum_gradients([*self.actor.parameters(), *self.critic.parameters()])
        for network in (self.actor, self.critic):
            torch.nn.utils.clip_grad_norm_(network.parameters(), config.max_grad_norm)
        self.optimizer.step()
        return {
            "policy_loss": loss.policy_loss.item(),
            "value_loss": critic_loss.item(),
            "entropy": loss.entropy.item(),
            "approx_kl": loss.approx_kl.item(),
            "clipfrac": loss.clipfrac.item(),
        }

    def own_state(self) -> dict[str, Any]:
        """What is this process's alone: its generator and its tables, as in `state`."""
        own: dict[str, Any] = checkpoint.pack(
            {
                "rng": checkpoint.generator_state(self.rng),
                "collector": self.collector.state(),
            }
        )
        return own

    def state(self) -> dict[str, Any]:
        """Everything that later updates depend on, as plain values and tensors of its own."""
        shared: dict[str, Any] = checkpoint.pack(
            {
                "format": CHECKPOINT_FORMAT,
                "config": self.config.to_dict(),
                "rules": self.rules.to_dict(),
                "hidden": list(self.config.hidden),
                "network": self.config.network,
                "actor": self.actor.state_dict(),
                "critic": self.critic.state_dict(),
                "optimizer": self.optimizer.state_dict(),
                "pool": self.pool.state(),
                "threads": torch.get_num_threads(),
                "updates": self.updates,
                "decisions": self.decisions,
                "deals": self.deals,
                "seconds": self.seconds,
            }
        )
        return {**shared, **self.own_state()}

    def load(self, saved: dict[str, Any]) -> None:
        """Goes on from what `state` gave."""
        self.actor.load_state_dict(saved["actor"])
        self.critic.load_state_dict(saved["critic"])
        self.optimizer.load_state_dict(saved["optimizer"])
        self.pool.load(saved["pool"], self.actor)
        checkpoint.restore_generator(self.rng, saved["rng"])
        self.collector.load(checkpoint.unpack_arrays(saved["collector"]))
        torch.set_num_threads(saved["threads"])
        self.updates, self.decisions = saved["updates"], saved["decisions"]
        self.deals, self.seconds = saved["deals"], saved["seconds"]


def _weights(
    data: Buffer, advantages: Float32[np.ndarray, " n"], bid_weight: float
) -> Float32[np.ndarray, " n"]:
    """Weight of each decision in the loss.

    A bid that was given is learned from as if the policy had chosen it, so that a good one grows
    likelier however rare it was; but a bad one that is rare already is left alone, or the policy
    would give up bids for good before it can tell the hands apart.
    """
    rare = data.logprob < math.log(_RARE)
    given_up = data.given & rare & (advantages < 0)
    weights = np.where(data.phase == Phase.AUCTION, bid_weight, 1.0)
    return np.where(given_up, 0.0, weights).astype(np.float32)


def _of_all(batch: Collected, processes: ProcessGroup) -> Collected:
    """The batch with the counts of all processes."""
    deals, made, *taken = processes.sum(np.array([batch.deals, batch.made, *batch.taken]))
    return replace(batch, deals=int(deals), made=int(made), taken=np.array(taken))


def _bid_rates(batch: Collected) -> dict[str, float]:
    """Shares of the deals with a free auction: passed out, each contract; made of those taken.

    What has nothing to be a share of is absent: all without a free auction, `made` if nobody took.
    """
    free, taken = int(batch.taken.sum()), int(batch.taken[1:].sum())
    if not free:
        return {}
    rates = {bid_tag(bid): int(batch.taken[bid]) / free for bid in BIDS}
    made = {"bids/made": batch.made / taken} if taken else {}
    return {"bids/passed_out": int(batch.taken[0]) / free, **rates, **made}


def bid_tag(bid: Bid) -> str:
    """Name of the share of free deals played on a contract."""
    return f"bids/{BID_TEXTS[bid]}"


BIDS = tuple(bid for bid in BID_TEXTS if bid != Bid.POUSSE)
"""The contracts that can be played."""
