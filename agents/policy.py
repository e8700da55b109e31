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
from tarot_env.cards import NUM_SUITS, SUIT_SIZE
from tarot_env.observation import Layout

_SUIT_WIDTH = 64
"""Units that describe one suit."""


def _layer(inputs: int, outputs: int, gain: float = float(np.sqrt(2.0))) -> nn.Linear:
    layer = nn.Linear(inputs, outputs)
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)
    return layer


def _trunk(inputs: int, hidden: Sequence[int]) -> nn.Sequential:
    sizes = [inputs, *hidden]
    layers = [(_layer(size, width), nn.ReLU()) for size, width in pairwise(sizes)]
    return nn.Sequential(*(module for pair in layers for module in pair))


class _Reader(nn.Module):
    """Reads a flat uint8 vector so that the four suits are treated alike.

    One layer, the same for every suit, describes each suit; the trunk sees the mean and the maximum
    of the four descriptions beside everything that belongs to no suit. Renaming the suits therefore
    changes nothing but the order of the descriptions (Zaheer et al., arXiv:1703.06114).
    """

    def __init__(self, layout: Layout, hidden: Sequence[int]) -> None:
        super().__init__()
        suits, others = layout.suit_columns, layout.other_columns
        order = np.concatenate([suits.reshape(-1), others])
        scale = 1.0 / layout.highs[order].astype(np.float32)
        self.register_buffer("order", torch.from_numpy(order), persistent=False)
        self.register_buffer("scale", torch.from_numpy(scale), persistent=False)
        self.order: Tensor
        self.scale: Tensor
        self._suit_size = suits.shape[1]
        self.suit = _layer(self._suit_size, _SUIT_WIDTH)
        self.trunk = _trunk(len(others) + 2 * _SUIT_WIDTH, hidden)

    def forward(self, flat: UInt8[Tensor, "n d"]) -> tuple[Float[Tensor, "n 4 s"], Tensor]:
        """Descriptions of the four suits, and the trunk's output for each row."""
        values = flat.index_select(1, self.order).float().mul_(self.scale)
        of_suits = values[:, : NUM_SUITS * self._suit_size].unflatten(1, (NUM_SUITS, -1))
        suits = self.suit(of_suits).relu()
        others = values[:, NUM_SUITS * self._suit_size :]
        pooled = torch.cat([others, suits.mean(1), suits.amax(1)], 1)
        return suits, self.trunk(pooled)


class Actor(nn.Module):
    """Logits over the 95 actions from an observation, what one seat knows.

    The last layers start small, so that an untrained actor chooses almost evenly.
    """

    def __init__(self, layout: Layout, hidden: Sequence[int]) -> None:
        super().__init__()
        self.reader = _Reader(layout, hidden)
        self.suit_context = _layer(hidden[-1], _SUIT_WIDTH)
        self.suit_mixer = _layer(_SUIT_WIDTH, _SUIT_WIDTH)
        self.suit_cards = _layer(_SUIT_WIDTH, SUIT_SIZE, 0.01)
        self.others = _layer(hidden[-1], NUM_ACTIONS - NUM_SUITS * SUIT_SIZE, 0.01)

    def forward(self, flat: UInt8[Tensor, "n d"]) -> Float[Tensor, "n a"]:
        """Logits for each row."""
        suits, trunk = self.reader(flat)
        mixed = (self.suit_mixer(suits) + self.suit_context(trunk)[:, None]).relu()
        return torch.cat([self.suit_cards(mixed).flatten(1), self.others(trunk)], 1)


class Critic(nn.Module):
    """Expected score of the viewer from the state, all cards open; used in training alone."""

    def __init__(self, layout: Layout, hidden: Sequence[int]) -> None:
        super().__init__()
        self.reader = _Reader(layout, hidden)
        self.value = _layer(hidden[-1], 1, 1.0)

    def forward(self, flat: UInt8[Tensor, "n d"]) -> Float[Tensor, " n"]:
        """What each row's viewer can expect, in units of the reward scale."""
        _, trunk = self.reader(flat)
        value: Tensor = self.value(trunk)
        return value[:, 0]


def masked_policy(logits: Float[Tensor, "n a"], mask: Bool[Tensor, "n a"]) -> Categorical:
    """The policy over legal actions; an illegal one has probability exactly 0.

    Used alike when acting, for log-probabilities, for the entropy and in evaluation.
    """
    lowest = torch.finfo(logits.dtype).min
    return Categorical(logits=torch.where(mask, logits, lowest), validate_args=False)
