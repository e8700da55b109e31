"""`ppo:PATH`: an agent that plays with a trained actor network."""

import os
from pathlib import Path
from typing import Any

import numpy as np
import torch
from jaxtyping import Bool, Float, Int, UInt8

from agents.neural.policy import Actor, log_policy
from tarot_env.errors import TarotError, truncate
from tarot_env.observation import observation_layout
from tarot_env.observation.layouts import ObservationLayout
from tarot_env.rules import Rules
from tarot_env.tables import Turn

CHECKPOINT_FORMAT = "tarot-checkpoint/1"


class NeuralAgent:
    """Plays the best action of an actor network, or samples from its policy.

    Args:
        actor: the network.
        rules: the game it was trained for.
        name: shown in tables.
        sample: draw from the policy instead of taking its best action.
    """

    def __init__(self, actor: Actor, rules: Rules, *, name: str, sample: bool = False) -> None:
        self.name = name
        self._actor = actor.eval()
        self._rules = rules
        self._layout = observation_layout(rules)
        self._sample = sample

    @classmethod
    def load(cls, path: str | Path, *, sample: bool = False) -> "NeuralAgent":
        """The agent of a checkpoint.

        Raises:
            TarotError: a file that is missing, is no checkpoint, or holds another network shape.
        """
        saved = read_checkpoint(Path(path))
        try:
            rules = Rules.from_dict(saved["rules"])
            actor = Actor(observation_layout(rules), saved["hidden"], saved["network"])
        except (LookupError, TypeError, ValueError, RuntimeError, AttributeError) as error:
            reason = str(error).partition("\n")[0]
            raise TarotError(f"{path} is no checkpoint: {reason}") from error
        load_weights(actor, saved["actor"], Path(path))
        suffix = ",sample=true" if sample else ""
        return cls(actor, rules, name=f"ppo:{path}{suffix}", sample=sample)

    def check_rules(self, rules: Rules) -> None:
        """Refuses a game with other columns of observations.

        Raises:
            TarotError: it was trained for another one.
        """
        same = rules == self._rules
        if not same and observation_layout(rules).offsets != self._layout.offsets:
            trained, asked = self._rules.sizes.title, rules.sizes.title
            detail = f"not for {asked}" if trained != asked else "under other house rules"
            raise TarotError(f"{self.name} was trained for {trained}, {detail}")

    def act(self, turn: Turn, rng: np.random.Generator) -> Int[np.ndarray, " n"]:
        """The best legal action of each row, or one drawn from the policy."""
        self.check_rules(turn.rules)
        if not len(turn):
            return np.empty(0, np.int64)
        probabilities = policy_of(self._actor, self._layout, turn)
        if self._sample:
            return draw(probabilities, rng)
        return probabilities.argmax(1)


def policy_of(actor: Actor, layout: ObservationLayout, turn: Turn) -> Float[np.ndarray, "n a"]:
    """The actor's probabilities for each row; 0 for illegal actions."""
    arranged = actor.arrange(layout.encode(turn))
    return np.exp(log_probabilities(actor, arranged, turn.legal_mask))


def log_probabilities(
    actor: Actor, arranged: UInt8[np.ndarray, "n d"], mask: Bool[np.ndarray, "n a"]
) -> Float[np.ndarray, "n a"]:
    """Logarithms of the actor's probabilities for arranged observations."""
    with torch.inference_mode():
        logits = actor(torch.from_numpy(arranged))
        return log_policy(logits, torch.from_numpy(mask)).numpy()


def draw(
    probabilities: Float[np.ndarray, "n a"], rng: np.random.Generator
) -> Int[np.ndarray, " n"]:
    """One action per row, drawn by the given probabilities; never one of probability 0."""
    cumulative = probabilities.cumsum(1, dtype=np.float64)
    threshold = rng.random(len(probabilities)) * cumulative[:, -1]
    return (cumulative > threshold[:, None]).argmax(1)


def read_checkpoint(path: Path) -> dict[str, Any]:
    """The contents of a checkpoint file.

    Raises:
        TarotError: a file that is missing or is no checkpoint of this program.
    """
    if not os.path.isfile(path):  # Path.is_file raises for a name that is too long
        raise TarotError(f"checkpoint {truncate(str(path))} does not exist")
    try:
        saved = torch.load(path, map_location="cpu", weights_only=True)
    except Exception as error:
        raise TarotError(f"{path} is no checkpoint: it cannot be read") from error
    if not isinstance(saved, dict) or saved.get("format") != CHECKPOINT_FORMAT:
        raise TarotError(f"{path} is no checkpoint of format {CHECKPOINT_FORMAT}")
    missing = [key for key in ("rules", "hidden", "network", "actor") if key not in saved]
    if missing:
        raise TarotError(f"{path} is no checkpoint: it lacks {', '.join(missing)}")
    wrong = _wrong_entry(saved)
    if wrong is not None:
        raise TarotError(f"{path} is no checkpoint: {wrong}")
    return saved


_MAX_WIDTH = 65_536
"""Of a layer; as in the settings of a run."""


def _wrong_entry(saved: dict[str, Any]) -> str | None:
    """What is wrong with the entries that make an agent; None where they can be used."""
    hidden, weights = saved["hidden"], saved["actor"]
    if not isinstance(saved["rules"], dict):
        return "its rules are no table"
    if not (
        isinstance(hidden, list | tuple)
        and 1 <= len(hidden) <= 64
        and all(type(width) is int and 1 <= width <= _MAX_WIDTH for width in hidden)
    ):
        return "hidden is no list of widths"
    if saved["network"] not in ("suits", "plain"):
        return "it names no network of this version"
    if not isinstance(weights, dict) or not all(
        isinstance(name, str) and isinstance(value, torch.Tensor) and value.dtype == torch.float32
        for name, value in weights.items()
    ):
        return "its actor is no table of weights"
    if not all(torch.isfinite(value).all() for value in weights.values()):
        return "its actor has weights that are not finite"
    return None


def load_weights(actor: Actor, weights: dict[str, torch.Tensor], path: Path) -> None:
    """Gives an actor the weights of a checkpoint.

    Raises:
        TarotError: weights of another network shape than the actor's.
    """
    wanted = {name: tuple(value.shape) for name, value in actor.state_dict().items()}
    given = {name: tuple(value.shape) for name, value in weights.items()}
    if wanted != given:
        name = next(n for n in [*wanted, *given] if wanted.get(n) != given.get(n))
        raise TarotError(
            f"{path} holds another network: {name} is {given.get(name, 'missing')}, "
            f"this version needs {wanted.get(name, 'no such layer')}"
        )
    actor.load_state_dict(weights)
