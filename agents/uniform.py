"""`random`: uniform over legal actions."""

import numpy as np
from jaxtyping import Int

from tarot_env import cardsets
from tarot_env.turn import Turn


class UniformAgent:
    """Any legal action, each as likely; the weakest yardstick there is."""

    name = "random"

    def act(self, turn: Turn, rng: np.random.Generator) -> Int[np.ndarray, " n"]:
        """A uniform legal action for each row."""
        return cardsets.random_member(turn.legal, rng)
