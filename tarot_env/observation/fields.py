"""Layouts: declared fields side by side in one flat vector.

    column   0      11              14          36      114      ...            D
             | phase | poignee_declared | withheld | hand | unseen | ... | public fields ... |

Sizes, offsets, bounds, views, the suits' columns and the table in the docs are derived from the
list of fields; what they are and how they are written stands in `layouts`. Of the game this module
knows that there are four suits.
"""

from dataclasses import dataclass
from functools import cached_property
from math import prod

import numpy as np
from jaxtyping import Float32, Int64, UInt8

from tarot_env.cards import NUM_SUITS
from tarot_env.errors import TarotError, short_repr


@dataclass(frozen=True)
class Field:
    """A named piece of a layout."""

    name: str
    shape: tuple[int, ...]
    """Its columns; where a value is one-hot or a set, the last axis is that of one value."""
    doc: str
    high: int = 1
    """The largest number a column can hold; the smallest is 0."""
    suit_size: int = 0
    """The last axis begins with so many entries for each of the four suits, in their order."""

    @cached_property
    def size(self) -> int:
        """Number of columns."""
        return prod(self.shape)


@dataclass(frozen=True)
class Layout:
    """Fields side by side in one flat vector: those of its own, then the public ones."""

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
        """Columns of the public fields, which stand last."""
        return sum(field.size for field in self.public)

    @cached_property
    def highs(self) -> UInt8[np.ndarray, " d"]:
        """Largest value of each column; the smallest is 0."""
        return np.concatenate([np.full(f.size, f.high, np.uint8) for f in self.fields])

    @cached_property
    def scale(self) -> Float32[np.ndarray, " d"]:
        """What a column is multiplied by so that it lies between 0 and 1."""
        return (1.0 / self.highs).astype(np.float32)

    @cached_property
    def suit_columns(self) -> Int64[np.ndarray, "4 k"]:
        """Columns that belong to each suit, in the same order for every suit."""
        columns = []
        for field in self.fields:
            entries = np.arange(self.size)[self.offsets[field.name]].reshape(-1, field.shape[-1])
            of_suits = entries[:, : NUM_SUITS * field.suit_size]
            by_suit = of_suits.reshape(len(entries), NUM_SUITS, field.suit_size)
            columns.append(by_suit.transpose(1, 0, 2).reshape(NUM_SUITS, -1))
        return np.concatenate(columns, 1)

    @cached_property
    def other_columns(self) -> Int64[np.ndarray, " o"]:
        """Columns that belong to no suit."""
        return np.setdiff1d(np.arange(self.size), self.suit_columns)

    def view(self, flat: np.ndarray, name: str) -> np.ndarray:
        """One field of vectors [*n, d], in its own shape.

        Raises:
            TarotError: there is no such field.
        """
        found = [field for field in self.fields if field.name == name]
        if not found:
            names = ", ".join(field.name for field in self.fields)
            raise TarotError(f"this layout has no field {short_repr(name)}; it has {names}")
        return flat[..., self.offsets[name]].reshape(*flat.shape[:-1], *found[0].shape)

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
