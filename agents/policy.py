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
_SMALL = 0.01
"""Gain of an actor's last layer."""


def _layer(inputs: int, outputs: int, gain: float = float(np.sqrt(2.0))) -> nn.Linear:
    layer = nn.Linear(inputs, outputs)
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)
    return layer


def _scale(layout: Layout) -> Float[Tensor, " d"]:
    """One over the largest value of each entry."""
    return torch.from_numpy(1.0 / layout.highs.astype(np.float32))


def _trunk(inputs: int, hidden: Sequence[int]) -> nn.Sequential:
    sizes = [inputs, *hidden]
    layers = [(_layer(size, width), nn.ReLU()) for size, width in pairwise(sizes)]
    return nn.Sequential(*(module for pair in layers for module in pair))


class _SuitReader(nn.Module):
    """Reads a flat uint8 vector so that the four suits are treated alike.

    One layer, the same for every suit, describes each suit; the trunk sees the mean and the maximum
    of the four descriptions beside everything that belongs to no suit. Renaming the suits therefore
    changes nothing but the order of the descriptions (Zaheer et al., arXiv:1703.06114).
    """

    def __init__(self, layout: Layout, hidden: Sequence[int]) -> None:
        super().__init__()
        suits, others = layout.suit_columns, layout.other_columns
        scale = _scale(layout)
        self.register_buffer("suit_columns", torch.from_numpy(suits.reshape(-1)), persistent=False)
        self.register_buffer("other_columns", torch.from_numpy(others), persistent=False)
        self.register_buffer("other_scale", scale[others], persistent=False)
        self.suit_columns: Tensor
        self.other_columns: Tensor
        self.other_scale: Tensor
        self.suit = _layer(suits.shape[1], _SUIT_WIDTH)
        self.from_suits = _layer(2 * _SUIT_WIDTH, hidden[0])
        self.from_others = _layer(len(others), hidden[0])
        self.trunk = nn.Sequential(nn.ReLU(), *_trunk(hidden[0], hidden[1:]))

    def forward(self, flat: UInt8[Tensor, "n d"]) -> tuple[Float[Tensor, "n 4 s"], Tensor]:
        """Descriptions of the four suits, and the trunk's output for each row."""
        of_suits = flat.index_select(1, self.suit_columns).float()
        others = flat.index_select(1, self.other_columns).float().mul_(self.other_scale)
        suits = self.suit(of_suits.unflatten(1, (NUM_SUITS, -1))).relu()
        pooled = torch.cat([suits.mean(1), suits.amax(1)], 1)
        return suits, self.trunk(self.from_suits(pooled) + self.from_others(others))


class _SuitActor(nn.Module):
    def __init__(self, layout: Layout, hidden: Sequence[int]) -> None:
        super().__init__()
        self.reader = _SuitReader(layout, hidden)
        self.suit_context = _layer(hidden[-1], _SUIT_WIDTH)
        self.suit_mixer = _layer(_SUIT_WIDTH, _SUIT_WIDTH)
        self.suit_cards = _layer(_SUIT_WIDTH, SUIT_SIZE, _SMALL)
        self.others = _layer(hidden[-1], NUM_ACTIONS - NUM_SUITS * SUIT_SIZE, _SMALL)

    def forward(self, flat: UInt8[Tensor, "n d"]) -> Float[Tensor, "n a"]:
        suits, trunk = self.reader(flat)
        mixed = (self.suit_mixer(suits) + self.suit_context(trunk)[:, None]).relu()
        return torch.cat([self.suit_cards(mixed).flatten(1), self.others(trunk)], 1)


class _SuitCritic(nn.Module):
    def __init__(self, layout: Layout, hidden: Sequence[int]) -> None:
        super().__init__()
        self.reader = _SuitReader(layout, hidden)
        self.value = _layer(hidden[-1], 1, 1.0)

    def forward(self, flat: UInt8[Tensor, "n d"]) -> Float[Tensor, "n 1"]:
        _, trunk = self.reader(flat)
        value: Tensor = self.value(trunk)
        return value


class _Plain(nn.Module):
    """A plain network on the whole vector, which has to learn each suit for itself."""

    def __init__(self, layout: Layout, hidden: Sequence[int], outputs: int, gain: float) -> None:
        super().__init__()
        self.register_buffer("scale", _scale(layout), persistent=False)
        self.scale: Tensor
        self.trunk = _trunk(layout.size, hidden)
        self.output = _layer(hidden[-1], outputs, gain)

    def forward(self, flat: UInt8[Tensor, "n d"]) -> Float[Tensor, "n o"]:
        outputs: Tensor = self.output(self.trunk(flat.float().mul_(self.scale)))
        return outputs


class Actor(nn.Module):
    """Logits over the 95 actions from an observation, what one seat knows.

    The last layer starts small, so that an untrained actor chooses almost evenly.

    Args:
        layout: of the observation.
        hidden: widths of the trunk's layers.
        network: `suits`, which treats the four suits alike, or `plain`.
    """

    def __init__(self, layout: Layout, hidden: Sequence[int], network: str = "suits") -> None:
        super().__init__()
        self.body = (
            _SuitActor(layout, hidden)
            if network == "suits"
            else _Plain(layout, hidden, NUM_ACTIONS, _SMALL)
        )

    def forward(self, flat: UInt8[Tensor, "n d"]) -> Float[Tensor, "n a"]:
        """Logits for each row."""
        logits: Tensor = self.body(flat)
        return logits


class Critic(nn.Module):
    """Expected score of the viewer from the state, all cards open; used in training alone.

    Arguments as for `Actor`, with the layout of the state.
    """

    def __init__(self, layout: Layout, hidden: Sequence[int], network: str = "suits") -> None:
        super().__init__()
        self.body = (
            _SuitCritic(layout, hidden) if network == "suits" else _Plain(layout, hidden, 1, 1.0)
        )

    def forward(self, flat: UInt8[Tensor, "n d"]) -> Float[Tensor, " n"]:
        """What each row's viewer can expect, in units of the reward scale."""
        values: Tensor = self.body(flat)
        return values[:, 0]


def masked_policy(logits: Float[Tensor, "n a"], mask: Bool[Tensor, "n a"]) -> Categorical:
    """The policy over legal actions; an illegal one has probability exactly 0.

    Used alike when acting, for log-probabilities, for the entropy and in evaluation.
    """
    lowest = torch.finfo(logits.dtype).min
    return Categorical(logits=torch.where(mask, logits, lowest), validate_args=False)
