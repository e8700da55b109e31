"""What networks see: fields side by side in one vector."""

from tarot_env.observation.fields import Field, Layout
from tarot_env.observation.layouts import observation_layout, side_half_points, state_layout

__all__ = [
    "Field",
    "Layout",
    "observation_layout",
    "side_half_points",
    "state_layout",
]
