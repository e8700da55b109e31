"""The networks: an actor that sees one seat's observation, a critic that sees the whole table.

Two separate modules, so that nothing the critic sees can reach a choice of action.
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import torch
from jaxtyping import Bool, Float, UInt8
from torch import Tensor, nn

from tarot_env.cards import NUM_SUITS, SUIT_SIZE
from tarot_env.cards.actions import NUM_ACTIONS
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
    """Reads arranged vectors so that the four suits are treated alike.

    One layer, the same for every suit, describes each suit; the trunk sees the mean and the maximum
    of the four descriptions beside everything that belongs to no suit. Renaming the suits therefore
    changes nothing but the order of the descriptions (Zaheer et al., arXiv:1703.06114).
    """

    def __init__(self, layout: Layout, hidden: Sequence[int]) -> None:
        super().__init__()
        suits, others = layout.suit_columns, layout.other_columns
        self.order = np.concatenate([suits.reshape(-1), others])
        self.of_suits = suits.size
        self.register_buffer("other_scale", _scale(layout)[others], persistent=False)
        self.other_scale: Tensor
        self.suit = _layer(suits.shape[1], _SUIT_WIDTH)
        self.from_suits = _layer(2 * _SUIT_WIDTH, hidden[0])
        self.from_others = _layer(len(others), hidden[0])
        self.trunk = nn.Sequential(nn.ReLU(), *_trunk(hidden[0], hidden[1:]))

    def forward(self, arranged: UInt8[Tensor, "n d"]) -> tuple[Float[Tensor, "n 4 s"], Tensor]:
        """Descriptions of the four suits, and the trunk's output for each row."""
        of_suits = arranged[:, : self.of_suits].float()
        others = arranged[:, self.of_suits :].float().mul_(self.other_scale)
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

    def forward(self, arranged: UInt8[Tensor, "n d"]) -> Float[Tensor, "n a"]:
        suits, trunk = self.reader(arranged)
        mixed = (self.suit_mixer(suits) + self.suit_context(trunk)[:, None]).relu()
        return torch.cat([self.suit_cards(mixed).flatten(1), self.others(trunk)], 1)


class _SuitCritic(nn.Module):
    def __init__(self, layout: Layout, hidden: Sequence[int]) -> None:
        super().__init__()
        self.reader = _SuitReader(layout, hidden)
        self.value = _layer(hidden[-1], 1, 1.0)

    def forward(self, arranged: UInt8[Tensor, "n d"]) -> Float[Tensor, "n 1"]:
        _, trunk = self.reader(arranged)
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

    def forward(self, arranged: UInt8[Tensor, "n d"]) -> Float[Tensor, "n o"]:
        outputs: Tensor = self.output(self.trunk(arranged.float().mul_(self.scale)))
        return outputs


class _Network(nn.Module):
    """Reads encoded vectors once they are arranged: in uint8, so that a buffer can hold them."""

    def __init__(self, body: _SuitActor | _SuitCritic | _Plain) -> None:
        super().__init__()
        self.body = body

    def arrange(
        self, flat: UInt8[np.ndarray, "n d"], out: UInt8[np.ndarray, "n d"] | None = None
    ) -> UInt8[np.ndarray, "n d"]:
        """Encoded vectors with their columns in the order in which the network reads them.

        Args:
            flat: the vectors.
            out: the caller's buffer.
        """
        if not isinstance(self.body, _Plain):
            return flat.take(self.body.reader.order, axis=1, out=out, mode="clip")
        if out is None:
            return flat
        out[:] = flat
        return out

    @property
    def suits_differ(self) -> bool:
        """Whether it matters to the network how the suits are called."""
        return isinstance(self.body, _Plain)


class Actor(_Network):
    """Logits over the 95 actions from an observation, what one seat knows.

    The last layer starts small, so that an untrained actor chooses almost evenly.

    Args:
        layout: of the observation.
        hidden: widths of the trunk's layers.
        network: `suits`, which treats the four suits alike, or `plain`.
    """

    def __init__(self, layout: Layout, hidden: Sequence[int], network: str = "suits") -> None:
        super().__init__(
            _SuitActor(layout, hidden)
            if network == "suits"
            else _Plain(layout, hidden, NUM_ACTIONS, _SMALL)
        )

    def forward(self, arranged: UInt8[Tensor, "n d"]) -> Float[Tensor, "n a"]:
        """Logits for each row of arranged observations."""
        logits: Tensor = self.body(arranged)
        return logits


class Critic(_Network):
    """Expected score of the viewer from the state, all cards open; used in training alone.

    Arguments as for `Actor`, with the layout of the state.
    """

    def __init__(self, layout: Layout, hidden: Sequence[int], network: str = "suits") -> None:
        super().__init__(
            _SuitCritic(layout, hidden) if network == "suits" else _Plain(layout, hidden, 1, 1.0)
        )

    def forward(self, arranged: UInt8[Tensor, "n d"]) -> Float[Tensor, " n"]:
        """What each row's viewer can expect, in units of the reward scale."""
        values: Tensor = self.body(arranged)
        return values[:, 0]


def log_policy(logits: Float[Tensor, "n a"], mask: Bool[Tensor, "n a"]) -> Float[Tensor, "n a"]:
    """Log-probabilities over legal actions; an illegal one has probability exactly 0.

    Used alike when acting, for log-probabilities, for the entropy and in evaluation.
    """
    lowest = torch.finfo(logits.dtype).min
    return torch.where(mask, logits, lowest).log_softmax(1)
