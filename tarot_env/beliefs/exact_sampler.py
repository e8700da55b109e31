"""Random allocation of cards to cells: every way in which they fit is as likely.

Pure counting, without a word of the game: each cell has room for some cards and takes some of them.
How many ways there are to place the last k cards is counted for every room that may be left,

    ways(k, room) = sum over the cells that take card k and have room of ways(k - 1, room less one)

and a card is placed in proportion to them. Cells that take the same cards are counted as one group
and share its cards out at the end; rows in which all is alike are counted once. A factor may make
some numbers of cards in a cell more likely than others.

Where there would be too many rooms to count (many hands, each with other voids),
`importance_sampler` helps.
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from jaxtyping import Bool, Float64, Int, Int8, UInt64

from tarot_env.cards import cardsets

MOST_ROOMS = 4096
"""Rooms that may be left of a row; beyond, chances are fitted."""
_MOST_NUMBERS = 2**21
"""Numbers of ways held at once."""


@dataclass(frozen=True)
class Problem:
    """Which cards of n rows are to be placed, and where they may lie: Q cells, S stages."""

    cards: Int8[np.ndarray, "n k"]  # the one to be placed last first; -1 beyond
    takes: UInt64[np.ndarray, "n q 2"]  # what each cell may hold
    room: Int[np.ndarray, "n q"]  # how many cards each cell holds
    behind: Int[np.ndarray, "n s"]  # how many cards come behind each stage
    factor: Float64[np.ndarray, "n s q r"]  # by the room that a cell has left there; 1 in some cell

    def take(self, rows: Int[np.ndarray, " m"]) -> "Problem":
        """The named rows."""
        return Problem(*(getattr(self, field.name)[rows] for field in fields(self)))

    @property
    def sizes(self) -> Int[np.ndarray, " n"]:
        """Number of cards of each row."""
        sizes: np.ndarray = (self.cards >= 0).sum(1)
        return sizes


@dataclass(frozen=True)
class Allocation:
    """Cards in the cells of each of W worlds."""

    cells: UInt64[np.ndarray, "n w q 2"]
    log_weight: Float64[np.ndarray, "n w"]  # 0 where the ways were counted
    fits: Bool[np.ndarray, "n w"]  # whether every card found a place


@dataclass(frozen=True)
class _Groups:
    """Cells that take the same cards, one axis of the table of ways for each; Q axes, some idle."""

    order: Int[np.ndarray, "n q"]  # the cell that stands for each axis
    axis: Int[np.ndarray, "n q"]  # of each cell
    room: Int[np.ndarray, "n q"]  # of each axis; the largest first, those with factors last
    shape: Int[np.ndarray, " n"]  # alike for rows whose axes lie in the same order

    @classmethod
    def of(cls, problem: Problem) -> "_Groups":
        takes, every = problem.takes, np.arange(len(problem.room))[:, None]
        alone = (problem.factor != 1).any((1, 3))
        same = (takes[:, :, None] == takes[:, None]).all(-1)
        same &= ~alone[:, :, None] & ~alone[:, None] | np.eye(takes.shape[1], dtype=bool)
        first = same.argmax(2)
        room = np.zeros_like(problem.room)
        np.add.at(room, (every, first), problem.room)
        idle = room == 0
        alone &= ~idle
        place = np.where(idle, 2, np.where(alone, 1, -room))
        # what is left for the first axis follows from the others, so no factor can depend on it
        rows = np.flatnonzero((place > 0).all(1))
        place[rows, idle[rows].argmax(1)] = 0
        order = np.argsort(place, axis=1, kind="stable")
        shape = (~idle).sum(1) * len(room.T) + alone.sum(1)
        return cls(order, order.argsort(1)[every, first], room[every, order], shape)

    @property
    def rooms(self) -> Int[np.ndarray, " n"]:
        """How many different rooms each row may have left."""
        return np.prod(self.room[:, 1:] + 1, axis=1)


def batches(problem: Problem) -> Iterator[tuple[Int[np.ndarray, " m"], bool]]:
    """Rows of similar shape in falling order of size, and whether their ways can be counted."""
    groups, sizes = _Groups.of(problem), problem.sizes
    is_counted = groups.rooms <= MOST_ROOMS
    shape = np.where(is_counted, groups.shape, -1)
    order = np.lexsort((-sizes, shape))
    start = 0
    while start < len(order):
        alike = shape[order[start:]] == shape[order[start]]
        largest = np.maximum.accumulate(groups.room[order[start:], 1:] + 1, axis=0)
        numbers = largest.prod(1) * np.arange(1, len(largest) + 1) * (sizes[order[start]] + 1)
        fits = (numbers <= _MOST_NUMBERS) | (shape[order[start:]] < 0)
        fits[0] = True
        length = int((alike & fits).cumprod().sum())
        yield order[start : start + length], bool(is_counted[order[start]])
        start += length


class Counted:
    """Counts the ways once, then draws as often as it is asked.

    Args:
        problem: rows in falling order of size, as `batches` gives them.
    """

    def __init__(self, problem: Problem) -> None:
        self._problem, self._sizes = problem, problem.sizes
        self._groups = groups = _Groups.of(problem)
        axes = int(np.flatnonzero(groups.room.any(0)).max(initial=0)) + 1
        room, order = groups.room[:, :axes], groups.order[:, :axes]
        takes = cardsets.contains(problem.takes[:, None], problem.cards[..., None])
        takes = np.take_along_axis(takes, order[:, None], 2)
        others = order[:, None, 1:, None]
        factor = np.take_along_axis(problem.factor, others, 2)
        first, self._kind = _kinds(takes, problem.behind, factor)
        self._takes = takes.transpose(1, 2, 0).astype(np.float64)
        # on each axis a place comes before the first: more than full, to be reached in no way
        dims = room[:, 1:].max(0, initial=0) + 2
        strides = np.cumprod((1, *dims[::-1]))[::-1]
        self._stride = np.append(0, strides[1:])
        self._start = self._kind * strides[0] + (room[:, 1:] + 1) @ strides[1:]
        self._table = _ways(
            self._sizes[first], dims, self._takes[:, :, first], problem.behind[first], factor[first]
        )

    def draw(
        self, rows: Int[np.ndarray, " m"], worlds: int, rng: np.random.Generator
    ) -> Allocation:
        """Allocations for some rows, in rising order.

        Args:
            rows: which of them.
            worlds: how many for each.
            rng: draws them.
        """
        sizes, takes, stride = self._sizes[rows], self._takes[:, :, rows, None], self._stride
        n, most = len(rows), int(sizes.max(initial=0))
        at = np.repeat(self._start[rows, None], worlds, 1)
        fits = self._table[sizes[:, None], at] > 0
        group = np.full((most, n, worlds), len(stride), np.int8)
        live = live_rows(sizes)
        for k in range(most - 1, -1, -1):
            m = live[k + 1]
            if len(stride) == 1:
                group[k, :m] = 0
                continue
            chance = self._table[k].take(at[:m] - stride[:, None, None], mode="clip")
            chance *= takes[k, :, :m]
            up_to = running_sums(chance)
            choice = (up_to[:-1] <= rng.random((m, worlds)) * up_to[-1]).sum(0)
            at[:m] -= stride.take(choice)
            group[k, :m] = choice
        return Allocation(self._shared_out(rows, group, rng), np.zeros((n, worlds)), fits)

    def _shared_out(
        self,
        rows: Int[np.ndarray, " m"],
        group: Int8[np.ndarray, "k m w"],
        rng: np.random.Generator,
    ) -> UInt64[np.ndarray, "m w q 2"]:
        """The cards of each group, in any order, cut into what its cells have room for."""
        most, n, worlds = group.shape
        keys = rng.integers(1 << 49, size=(n, worlds, most)) << 7
        keys |= group.transpose(1, 2, 0).astype(np.int64) << 56
        keys |= np.arange(most)
        keys.sort(axis=2)
        bits = cardsets.BIT[self._problem.cards[rows, :most]].reshape(-1, 2)
        in_order = cardsets.take(bits, (keys & 127) + np.arange(n)[:, None, None] * most)
        up_to = np.zeros((n, most + 1, worlds, 2), np.uint64)
        np.cumsum(in_order.swapaxes(1, 2), axis=1, out=up_to[:, 1:])
        cells, every = np.argsort(self._groups.axis[rows], axis=1), np.arange(n)[:, None]
        room = self._problem.room[rows]
        ends = np.empty_like(room)
        ends[every, cells] = np.cumsum(room[every, cells], axis=1)
        sets: np.ndarray = up_to[every, ends] - up_to[every, ends - room]
        return sets.swapaxes(1, 2)


def _kinds(*arrays: np.ndarray) -> tuple[Int[np.ndarray, " u"], Int[np.ndarray, " n"]]:
    """The first row of each kind, in rising order, and the kind of each row; by all its values."""
    n = len(arrays[0])
    parts = [np.ascontiguousarray(a).reshape(n, -1).view(np.uint8) for a in arrays]
    values = np.concatenate(parts, 1)
    _, first, kind = np.unique(
        values.view(f"V{values.shape[1]}")[:, 0], return_index=True, return_inverse=True
    )
    order = np.argsort(first)
    return first[order], np.argsort(order)[kind]


def _ways(
    sizes: Int[np.ndarray, " n"],
    dims: Int[np.ndarray, " a"],
    takes: Float64[np.ndarray, "k b n"],
    behind: Int[np.ndarray, "n s"],
    factor: Float64[np.ndarray, "n s a r"],
) -> Float64[np.ndarray, "m z"]:
    """Ways to place the last k cards, by row and by the room left on all axes but the first."""
    n, most, axes = len(sizes), int(sizes.max(initial=0)), len(dims)
    ways = np.zeros((most + 1, n, *dims))
    start: tuple[Any, ...] = (0, slice(None), *[1] * axes)
    ways[start] = 1
    live, each = live_rows(sizes), (-1, *[1] * axes)
    weighs = (factor != 1).any(3)
    stages = np.argwhere(weighs.any(0)).tolist()
    for k in range(1, most + 1):
        m = live[k]
        new, old = ways[k, :m], ways[k - 1, :m]
        np.multiply(old, takes[k - 1, 0, :m].reshape(each), out=new)
        for axis in np.flatnonzero(takes[k - 1, 1:, :m].any(1)).tolist():
            before = (slice(None),) * (axis + 1)
            more = old[(*before, slice(-1))] * takes[k - 1, axis + 1, :m].reshape(each)
            new[(*before, slice(1, None))] += more
        for stage, axis in stages:
            rows = np.flatnonzero((behind[:m, stage] == k) & weighs[:m, stage, axis])
            if len(rows):
                by_room = factor[rows, stage, axis, : dims[axis] - 1]
                shape = [len(rows), *[1] * axes]
                shape[axis + 1] = -1
                here: tuple[Any, ...] = (k, rows, *[slice(None)] * axis, slice(1, None))
                ways[here] *= by_room.reshape(shape)
    return ways.reshape(most + 1, -1)


def live_rows(sizes: Int[np.ndarray, " n"]) -> list[int]:
    """By k: how many of the rows, which are in falling order of size, have k cards or more."""
    k = np.arange(int(sizes.max(initial=0)) + 1)
    live: list[int] = np.searchsorted(-sizes, -k, side="right").tolist()
    return live


def running_sums(values: Float64[np.ndarray, "q m w"]) -> Float64[np.ndarray, "q m w"]:
    """Sums over the short first axis, quicker than numpy's `cumsum`."""
    sums = np.empty_like(values)
    sums[0] = values[0]
    for cell in range(1, len(values)):
        np.add(sums[cell - 1], values[cell], out=sums[cell])
    return sums
