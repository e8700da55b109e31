"""Layouts: declared fields side by side in one flat uint8 vector.

Sizes, offsets, bounds, views and the table in the docs are derived from the list of fields. What
the fields are stands in `observation`; of the game this module knows that there are four suits.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import prod

import numpy as np
from jaxtyping import Int64, UInt8

from tarot_env.cards import NUM_SUITS
from tarot_env.turn import Hidden, Turn


@dataclass(frozen=True)
class Field:
    """A named piece of a layout."""

    name: str
    shape: tuple[int, ...]
    doc: str
    values: Callable[[Turn, Hidden | None], np.ndarray]
    high: int = 1
    suit_size: int = 0
    """The last axis begins with so many entries for each of the four suits, in their order."""

    @cached_property
    def size(self) -> int:
        """Number of values."""
        return prod(self.shape)


@dataclass(frozen=True)
class Layout:
    """Fields side by side in one flat uint8 vector: those of its own, then the public ones."""

    own: tuple[Field, ...]
    public: tuple[Field, ...]

    @cached_property
    def fields(self) -> tuple[Field, ...]:
        """All fields in order."""
        return self.own + self.public

    @cached_property
    def offsets(self) -> dict[str, slice]:
        """Where each field lies."""
        ends = np.cumsum([field.size for field in self.fields])
        return {
            field.name: slice(int(end) - field.size, int(end))
            for field, end in zip(self.fields, ends, strict=True)
        }

    @cached_property
    def size(self) -> int:
        """D, the length of the vector."""
        return sum(field.size for field in self.fields)

    @cached_property
    def public_size(self) -> int:
        """Values of the public fields."""
        return sum(field.size for field in self.public)

    @cached_property
    def highs(self) -> UInt8[np.ndarray, " d"]:
        """Largest value of each entry; the smallest is 0."""
        return np.concatenate([np.full(f.size, f.high, np.uint8) for f in self.fields])

    @cached_property
    def suit_columns(self) -> Int64[np.ndarray, "4 k"]:
        """Entries that belong to each suit, in the same order for every suit."""
        columns = []
        for field in self.fields:
            entries = np.arange(self.size)[self.offsets[field.name]].reshape(-1, field.shape[-1])
            of_suits = entries[:, : NUM_SUITS * field.suit_size]
            by_suit = of_suits.reshape(len(entries), NUM_SUITS, field.suit_size)
            columns.append(by_suit.transpose(1, 0, 2).reshape(NUM_SUITS, -1))
        return np.concatenate(columns, 1)

    @cached_property
    def other_columns(self) -> Int64[np.ndarray, " o"]:
        """Entries that belong to no suit."""
        return np.setdiff1d(np.arange(self.size), self.suit_columns)

    def encode(
        self,
        turn: Turn,
        hidden: Hidden | None = None,
        out: UInt8[np.ndarray, "n d"] | None = None,
        *,
        observation: UInt8[np.ndarray, "n o"] | None = None,
    ) -> UInt8[np.ndarray, "n d"]:
        """The vectors of n turns, written into `out` if given.

        Args:
            turn: what the viewers know.
            hidden: all cards, for a state layout.
            out: the caller's buffer.
            observation: what the observation layout made of the same turns, so that the public
                fields need not be encoded again.
        """
        if out is None:
            out = np.empty((len(turn), self.size), np.uint8)
        for field in self.fields if observation is None else self.own:
            values = field.values(turn, hidden)
            out[:, self.offsets[field.name]] = values.reshape(len(turn), field.size)
        if observation is not None:
            out[:, -self.public_size :] = observation[:, -self.public_size :]
        return out

    def view(self, flat: UInt8[np.ndarray, "*n d"], name: str) -> UInt8[np.ndarray, "..."]:
        """One field of encoded vectors, in its own shape."""
        field = next(f for f in self.fields if f.name == name)
        return flat[..., self.offsets[name]].reshape(*flat.shape[:-1], *field.shape)

    def table(self) -> str:
        """The layout as a Markdown table."""
        lines = ["| field | offset | shape | values | meaning |", "|---|---|---|---|---|"]
        for field in self.fields:
            shape = " x ".join(str(axis) for axis in field.shape)
            lines.append(
                f"| `{field.name}` | {self.offsets[field.name].start} | {shape} "
                f"| 0..{field.high} | {field.doc} |"
            )
        return "\n".join(lines)
