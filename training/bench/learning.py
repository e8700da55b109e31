"""Training: whole PPO updates, the environment's share of them, and the same without it."""

from dataclasses import replace
from typing import Any, cast

import numpy as np
import torch

from agents.neural.agent import draw
from agents.neural.policy import log_policy
from tarot_env.cards.actions import NUM_ACTIONS
from tarot_env.rules import value_text
from training.bench.measurement import Measure, Sample, Setting, Stopwatch, Unit
from training.bench.names import ENVIRONMENT, HIDDEN, THREADS
from training.selfplay.config import CollectConfig, GameConfig, TrainConfig
from training.selfplay.ppo import Trainer
from training.selfplay.rollout import Collected, Collector


def updates(setting: Setting) -> Measure:
    """PPO updates: collecting and learning."""
    trainer = make_trainer(setting)
    trainer.update()

    def run(seed: int) -> Sample:
        sample, environment = _updated(trainer, setting.seconds)
        share = 100 * environment / sample.seconds
        return replace(sample, also={ENVIRONMENT: (share, Unit.PERCENT)})

    return run


def updates_without_environment(setting: Setting) -> Measure:
    """The same with recorded decisions: every forward pass and all the learning, no tables."""
    trainer = make_trainer(setting)
    trainer.update()
    trainer.collector = cast(Any, Replay(trainer.collector, trainer.config.collect.given_share))
    trainer.update()
    return lambda seed: _updated(trainer, setting.seconds)[0]


def make_trainer(setting: Setting) -> Trainer:
    """A run as `tarot train` makes it, past its opening, where all contracts are given."""
    rules = setting.rules
    options = rules.to_dict()
    texts = [f"{k}={value_text(v)}" for k, v in options.items() if k not in _NOT_OPTIONS]
    players = None if rules.game else rules.players
    game = GameConfig(rules.preset_name, players, rules.game, tuple(texts))
    collect = CollectConfig(tables=setting.size, given_first=0.0)
    config = TrainConfig("bench", threads=THREADS, hidden=HIDDEN, game=game, collect=collect)
    return Trainer(config)


_NOT_OPTIONS = ("preset", "players", "game")


def _updated(trainer: Trainer, seconds: float) -> tuple[Sample, float]:
    """Updates until so much time has passed, and the seconds of it that the environment took."""
    torch.set_num_threads(THREADS)
    before, environment, watch = trainer.decisions, 0.0, Stopwatch()
    while not watch.seconds or watch.seconds < seconds:
        with watch:
            trainer.update()
        environment += trainer.collector.environment_seconds
    return watch.sample(trainer.decisions - before), environment


class Replay:
    """Stands in for a collector: asks the networks all that it asked, and gives what it gave.

    Args:
        collector: collects once more, to be recorded.
        given_share: part of new deals whose contract is given.
    """

    def __init__(self, collector: Collector, given_share: float) -> None:
        self.environment_seconds = 0.0
        self.asked: list[tuple[torch.nn.Module, torch.Tensor]] = []
        """Each forward pass: the network, and what it was shown."""
        networks = [collector.actor, *collector.pool.actors]
        hooks = [network.register_forward_pre_hook(self._note) for network in networks]
        batch = collector.collect(given_share)
        for hook in hooks:
            hook.remove()
        rows = np.arange(len(batch.rows))
        self.batch = replace(batch, buffer=batch.buffer.take(batch.rows), rows=rows)
        self._rng = np.random.default_rng(0)
        most = max((len(shown) for _, shown in self.asked), default=0)
        self._masks = torch.ones((most, NUM_ACTIONS), dtype=torch.bool)

    def _note(self, network: torch.nn.Module, shown: tuple[torch.Tensor, ...]) -> None:
        self.asked.append((network, shown[0].clone()))

    def collect(self, given_share: float) -> Collected:
        """The recorded decisions, after the forward passes and draws that made them."""
        for network, shown in self.asked:
            with torch.inference_mode():
                logprobs = log_policy(network(shown), self._masks[: len(shown)]).numpy()
            draw(np.exp(logprobs), self._rng)
        return self.batch
