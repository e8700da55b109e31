"""Layouts: declared fields side by side in one flat uint8 vector.

Sizes, offsets, bounds, views and the table in the docs are derived from the list of fields. What
the fields are stands in `layouts`; of the game this module knows that there are four suits.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import groupby
from math import prod
from typing import Protocol, TypeAlias, runtime_checkable

import numpy as np
from jaxtyping import Int64, UInt8

from tarot_env.cards import NUM_CARDS, NUM_SUITS, NUM_TRUMPS, cardsets
from tarot_env.tables import Hidden, Turn

Values: TypeAlias = Callable[[Turn, Hidden | None], np.ndarray]
"""What a field shows, before it becomes columns."""


@runtime_checkable
class Kind(Protocol):
    """How values become columns."""

    def write(self, parts: Sequence[np.ndarray], columns: UInt8[np.ndarray, "n c"]) -> None:
        """Writes the values of n turns, each value into columns of its own, in order.

        Args:
            parts: values of fields that stand side by side, those of a turn along axis 1.
            columns: of these fields.
        """
        ...


class Numbers:
    """One column for each value."""

    def write(self, parts: Sequence[np.ndarray], columns: UInt8[np.ndarray, "n c"]) -> None:
        """The numbers as they are."""
        np.concatenate(parts, axis=1, out=columns, casting="unsafe")


_NUMBERS = Numbers()


@dataclass(frozen=True, eq=False)
class Codes:
    """A row of a table for each value."""

    table: UInt8[np.ndarray, "c w"]
    """Its last row is for -1."""

    def write(self, parts: Sequence[np.ndarray], columns: UInt8[np.ndarray, "n c"]) -> None:
        """The rows that the values name."""
        values = _side_by_side(parts)
        columns[...] = self.table.take(values, axis=0).reshape(columns.shape)


@dataclass(frozen=True, eq=False)
class Sets:
    """One column for each card that a set may hold."""

    size: int
    write_set: Callable[[np.ndarray, np.ndarray], None]
    """Writes bits of sets [n, m, 2] into columns [n, m, size]."""

    def write(self, parts: Sequence[np.ndarray], columns: UInt8[np.ndarray, "n c"]) -> None:
        """1 for each card in the set."""
        sets = _side_by_side(parts)
        self.write_set(sets, columns.reshape(*sets.shape[:2], self.size))


def _side_by_side(parts: Sequence[np.ndarray]) -> np.ndarray:
    return parts[0] if len(parts) == 1 else np.concatenate(parts, axis=1)


@lru_cache
def one_hot(size: int, *, first: int = 0) -> Codes:
    """One of `size` columns for the values from `first` up; none for those below."""
    return Codes(np.eye(first + size + 1, size, -first, dtype=np.uint8))


CARDS = Sets(NUM_CARDS, cardsets.write_bits)
TRUMPS = Sets(NUM_TRUMPS + 1, cardsets.write_trump_bits)
"""The 21 trumps and the Excuse alone."""


@dataclass(frozen=True)
class Field:
    """A named piece of a layout."""

    name: str
    shape: tuple[int, ...]
    """Its columns; of the last axis those of one value, unless its kind is `Numbers`."""
    doc: str
    values: Values
    kind: Kind = _NUMBERS
    high: int = 1
    suit_size: int = 0
    """The last axis begins with so many entries for each of the four suits, in their order."""

    @cached_property
    def size(self) -> int:
        """Number of columns."""
        return prod(self.shape)

    @cached_property
    def width(self) -> int:
        """Columns of one value."""
        return 1 if isinstance(self.kind, Numbers) else self.shape[-1]


@dataclass(frozen=True)
class _Run:
    """Fields of one kind side by side, which are written in one go."""

    kind: Kind
    columns: slice
    values: tuple[Values, ...]
    shapes: tuple[tuple[int, ...], ...]
    """Of each field's values, behind the axis of turns."""

    def write(self, turn: Turn, hidden: Hidden | None, out: UInt8[np.ndarray, "n d"]) -> None:
        """Writes all fields of n turns."""
        number = len(out)
        parts = [
            values(turn, hidden).reshape(number, *shape)
            for values, shape in zip(self.values, self.shapes, strict=True)
        ]
        self.kind.write(parts, out[:, self.columns])


_MOST_AT_ONCE = 4096
"""Turns that are encoded together: what lies between would leave the processor's caches."""


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

    @cached_property
    def _runs(self) -> tuple[tuple[_Run, ...], tuple[_Run, ...]]:
        """What is written: all fields, and those of its own."""
        return _runs(self.fields), _runs(self.own)

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
        if len(turn) > _MOST_AT_ONCE:
            for start in range(0, len(turn), _MOST_AT_ONCE):
                part = slice(start, start + _MOST_AT_ONCE)
                self.encode(
                    turn.take(part),
                    None if hidden is None else hidden.take(part),
                    out[part],
                    observation=None if observation is None else observation[part],
                )
            return out
        whole, own = self._runs
        for run in whole if observation is None else own:
            run.write(turn, hidden, out)
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


def _runs(fields: Sequence[Field]) -> tuple[_Run, ...]:
    """Neighbours of one kind together."""
    runs, start = [], 0
    for _, group in groupby(fields, lambda field: id(field.kind)):
        together = tuple(group)
        size = sum(field.size for field in together)
        tail = (2,) if isinstance(together[0].kind, Sets) else ()
        shapes = tuple((field.size // field.width, *tail) for field in together)
        values = tuple(field.values for field in together)
        runs.append(_Run(together[0].kind, slice(start, start + size), values, shapes))
        start += size
    return tuple(runs)
