"""Training in another library: MaskablePPO of sb3-contrib, one environment of PettingZoo."""

from importlib import import_module
from typing import Any

import gymnasium

from training.bench.measurement import Measure, Sample, Setting, Stopwatch
from training.bench.names import HIDDEN, THREADS
from training.bench.peers import quiet
from training.selfplay.config import PPOConfig

STEPS = 2048
"""Decisions between two updates, the library's default."""


class MaskedSeat(gymnasium.Env[Any, Any]):
    """An AEC environment as if one agent moved everywhere: PettingZoo's tutorial for SB3.

    Args:
        env: the environment; its agents have the same spaces.
    """

    def __init__(self, env: Any) -> None:
        self.env = env
        agent = env.possible_agents[0]
        self.observation_space = env.observation_space(agent)["observation"]
        self.action_space = env.action_space(agent)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        """The first mover's observation."""
        self.env.reset(seed=seed, options=options)
        return self._observation(), {}

    def step(self, action: Any) -> Any:
        """The next mover's observation, and the reward of the one that moved."""
        env, agent = self.env, self.env.agent_selection
        env.step(int(action))
        ended = env.terminations[agent], env.truncations[agent]
        return self._observation(), env._cumulative_rewards[agent], *ended, env.infos[agent]

    def _observation(self) -> Any:
        return self.env.observe(self.env.agent_selection)["observation"]

    def action_masks(self) -> Any:
        """Legal actions of the mover."""
        return self.env.observe(self.env.agent_selection)["action_mask"]


def as_often_as_ours(setting: Setting) -> Measure:
    """The same with as many epochs as ours, and minibatches of the same size."""
    ours = PPOConfig()
    options = {"n_epochs": ours.epochs, "batch_size": ours.minibatch, "n_steps": ours.minibatch}
    return maskable_ppo(setting, **options)


@quiet
def maskable_ppo(setting: Setting, **options: int) -> Measure:
    """MaskablePPO as the tutorial trains it, with a network as large as ours."""
    torch = import_module("torch")
    env = MaskedSeat(import_module("pettingzoo.classic.hanabi_v5").env())
    env.reset(seed=0)
    layers = {"pi": list(HIDDEN), "vf": list(HIDDEN)}
    model = import_module("sb3_contrib").MaskablePPO(
        "MlpPolicy", env, policy_kwargs={"net_arch": layers}, device="cpu", **options
    )
    model.learn(1)  # a whole collection and its updates

    def run(seed: int) -> Sample:
        torch.set_num_threads(THREADS)
        steps, watch = 0, Stopwatch()
        while not watch.seconds or watch.seconds < setting.seconds:
            with watch:
                model.learn(STEPS)
            steps += model.num_timesteps
        return watch.sample(steps)

    return run
