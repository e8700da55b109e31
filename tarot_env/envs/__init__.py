"""Environments over `Tables`: PettingZoo in `tarot_v0`, Gymnasium in `single` and `vector`."""

import gymnasium
import numpy as np
from gymnasium import spaces

from tarot_env.observation import Layout

GYMNASIUM_ID = "tarot_env/Tarot-v0"


def register() -> None:
    """Makes `gymnasium.make` and `gymnasium.make_vec` know `tarot_env/Tarot-v0`."""
    if GYMNASIUM_ID not in gymnasium.registry:
        gymnasium.register(
            GYMNASIUM_ID,
            entry_point="tarot_env.envs.single:SingleSeatEnv",
            vector_entry_point="tarot_env.envs.vector:SingleSeatVectorEnv",
        )


def flat_space(layout: Layout) -> spaces.Box:
    """The space of a layout's vectors."""
    return spaces.Box(np.zeros_like(layout.highs), layout.highs, dtype=np.uint8)
