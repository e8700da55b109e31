"""The networks: an actor that sees one seat's observation, a critic that sees the whole table.

Two separate modules, so that nothing the critic sees can reach a choice of action.
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import torch
from jaxtyping import Bool, Float, UInt8
from torch import Tensor, nn
from torch.distributions import Categorical

from tarot_env.actions import NUM_ACTIONS
from tarot_env.observation import Layout


def _layer(inputs: int, outputs: int, gain: float) -> nn.Linear:
    layer = nn.Linear(inputs, outputs)
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)
    return layer


def _network(inputs: int, hidden: Sequence[int], outputs: int, gain: float) -> nn.Sequential:
    """Linear layers with ReLU between; the last one starts small so that choices start even."""
    sizes = [inputs, *hidden]
    layers: list[nn.Module] = []
    for size, width in pairwise(sizes):
        layers += [_layer(size, width, float(np.sqrt(2.0))), nn.ReLU()]
    return nn.Sequential(*layers, _layer(sizes[-1], outputs, gain))


class _Scaled(nn.Module):
    """A network on flat uint8 vectors, each entry divided by its largest value."""

    def __init__(self, layout: Layout, hidden: Sequence[int], outputs: int, gain: float) -> None:
        super().__init__()
        scale = torch.from_numpy(1.0 / layout.highs.astype(np.float32))
        self.register_buffer("scale", scale, persistent=False)
        self.scale: Tensor
        self.network = _network(layout.size, hidden, outputs, gain)

    def forward(self, flat: UInt8[Tensor, "n d"]) -> Float[Tensor, "n o"]:
        """Network outputs for each row."""
        outputs: Tensor = self.network(flat.float().mul_(self.scale))
        return outputs


class Actor(_Scaled):
    """Logits over the 95 actions from an observation, what one seat knows."""

    def __init__(self, layout: Layout, hidden: Sequence[int]) -> None:
        super().__init__(layout, hidden, NUM_ACTIONS, 0.01)


class Critic(_Scaled):
    """Expected score of the viewer from the state, all cards open; used in training alone."""

    def __init__(self, layout: Layout, hidden: Sequence[int]) -> None:
        super().__init__(layout, hidden, 1, 1.0)

    def forward(self, flat: UInt8[Tensor, "n d"]) -> Float[Tensor, " n"]:
        """Expected score of each row's viewer, in units of the reward scale."""
        return super().forward(flat)[:, 0]


def masked_policy(logits: Float[Tensor, "n a"], mask: Bool[Tensor, "n a"]) -> Categorical:
    """The policy over legal actions; an illegal one has probability exactly 0.

    Used alike when acting, for log-probabilities, for the entropy and in evaluation.
    """
    lowest = torch.finfo(logits.dtype).min
    return Categorical(logits=torch.where(mask, logits, lowest), validate_args=False)
