"""Random allocation of cards to cells: every way in which they fit is as likely.

Pure counting, without a word of the game: each cell has room for some cards and takes some of them.
How many ways there are to place the last k cards is counted for every room that may be left,

    ways(k, room) = sum over the cells that take card k and have room of ways(k - 1, room less one)

and a card is placed in proportion to them. Cells that take the same cards are counted as one. A
factor may make some numbers of cards in a cell more likely than others.

Where there would be too many rooms to count (many hands, each with other voids), the chances are
fitted: right on average for every card and cell. Weights then correct for the difference.
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace

import numpy as np
from jaxtyping import Bool, Float64, Int, Int8, UInt64

from tarot_env import cardsets

MOST_ROOMS = 4096
"""Rooms that may be left of a row; beyond, chances are fitted."""
_MOST_NUMBERS = 2**22
"""Numbers of ways held at once."""
_FITTING_ROUNDS = 40
_TINY = 1e-100


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

    def of_cells(self, cells: Int[np.ndarray, " m"]) -> "Problem":
        """Without the other cells."""
        takes, factor = self.takes[:, cells], self.factor[:, :, cells]
        return replace(self, takes=takes, room=self.room[:, cells], factor=factor)

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
        # what is left for the first axis follows from the others, so no factor can depend on it
        alone &= room > 0
        order = np.argsort(np.where(alone, 1, -room), axis=1, kind="stable")
        shape = (room > 0).sum(1) * len(room.T) + alone.sum(1)
        return cls(order, order.argsort(1)[every, first], room[every, order], shape)

    @property
    def rooms(self) -> Int[np.ndarray, " n"]:
        """How many different rooms each row may have left."""
        return np.prod(self.room[:, 1:] + 1, axis=1)


def batches(problem: Problem) -> Iterator[Int[np.ndarray, " m"]]:
    """The rows in batches for an `Allocator`: of similar shape, in falling order of size."""
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
        yield order[start : start + length]
        start += length


class Allocator:
    """Counts the ways once, then draws as often as it is asked.

    Args:
        problem: rows in falling order of size, as `batches` gives them.
    """

    def __init__(self, problem: Problem) -> None:
        self._num_cells = problem.room.shape[1]
        in_use = problem.room.max(0, initial=0) > 0
        in_use[in_use.argmin()] = True  # an idle cell may stand for the first axis
        self._cells = np.flatnonzero(in_use)
        self._problem = problem = problem.of_cells(self._cells)
        self._sizes = problem.sizes
        self._groups = groups = _Groups.of(problem)
        takes = cardsets.contains(problem.takes[:, None], problem.cards[..., None])
        self._takes = takes.transpose(1, 2, 0).astype(np.float64)
        self._dims = tuple(int(size) for size in groups.room[:, 1:].max(0) + 1)
        strides = np.cumprod((1, *self._dims[::-1]))[::-1]
        self._stride = np.append(0, strides[1:])[groups.axis]
        self._start = np.arange(len(problem.room)) * strides[0] + groups.room[:, 1:] @ strides[1:]
        self.is_counted = bool((groups.rooms <= MOST_ROOMS).all())
        self._table = self._count() if self.is_counted else self._fit()

    # -- chances

    def _count(self) -> Float64[np.ndarray, "k z"]:
        """Ways to place the last k cards, by row and by the room left on all axes but the first."""
        dims, order = self._dims, self._groups.order
        most = int(self._sizes.max(initial=0))
        ways = np.zeros((most + 1, len(order), *dims))
        ways[0].reshape(len(order), -1)[:, 0] = 1
        live, each = _live(self._sizes), (-1, *[1] * len(dims))
        for k in range(1, most + 1):
            m = live[k]
            new, old = ways[k, :m], ways[k - 1, :m]
            takes = self._takes[k - 1][order[:m].T, np.arange(m)]
            np.multiply(old, takes[0].reshape(each), out=new)
            for axis in np.flatnonzero(np.array(dims) > 1):
                before = (slice(None),) * (axis + 1)
                more = old[(*before, slice(-1))] * takes[axis + 1].reshape(each)
                new[(*before, slice(1, None))] += more
            self._weigh(new, k)
        return ways.reshape(most + 1, -1)

    def _weigh(self, ways: np.ndarray, k: int) -> None:
        """Multiplies the ways at the stages that have k cards behind them by the factors there."""
        dims, order, problem = self._dims, self._groups.order, self._problem
        for row, stage in np.argwhere(problem.behind[: len(ways)] == k):
            for axis, size in enumerate(dims):
                factor = problem.factor[row, stage, order[row, axis + 1]][:size]
                if (factor != 1).any():
                    ways[row] *= factor.reshape([-1 if a == axis else 1 for a in range(len(dims))])

    def _fit(self) -> Float64[np.ndarray, "k q n"]:
        """Chance of each cell for each card, over what is expected of it for the last k cards.

        The chances are those of cards that choose by themselves, with a preference for each cell
        such that its room is filled on average.
        """
        takes, room = self._takes, self._problem.room.T
        prefer = room.astype(np.float64)
        chance = takes
        for _ in range(_FITTING_ROUNDS):
            chance = takes * prefer
            chance /= np.maximum(chance.sum(1, keepdims=True), _TINY)
            prefer *= room / np.maximum(chance.sum(0), _TINY)
            prefer /= np.maximum(prefer.max(0), _TINY)
        return chance / np.maximum(np.cumsum(chance, axis=0), _TINY)

    # -- drawing

    def draw(
        self, rows: Int[np.ndarray, " m"], worlds: int, rng: np.random.Generator
    ) -> Allocation:
        """Allocations for some rows, in rising order.

        Args:
            rows: which of them.
            worlds: how many for each.
            rng: draws them.
        """
        problem, sizes = self._problem.take(rows), self._sizes[rows]
        n, q, most = len(rows), self._num_cells, int(sizes.max(initial=0))
        live, each = _live(sizes), np.arange(n)[:, None]
        takes, stride = self._takes[:, :, rows, None], self._stride[rows].T[:, :, None]
        bits = cardsets.BIT[problem.cards.T][:, :, None]
        numbers = rng.random((most, n, worlds))
        cells = np.zeros((n * worlds * q, 2), np.uint64)
        first = np.arange(n * worlds).reshape(n, worlds) * q
        room = _Room(problem, self._groups.axis[rows], worlds)
        at = np.repeat(self._start[rows, None], worlds, 1)
        log_weight, fits = np.zeros((n, worlds)), np.ones((n, worlds), bool)
        if self.is_counted:
            fits &= self._table[sizes[:, None], at] > 0
        for k in range(most - 1, -1, -1):
            m = live[k + 1]
            if self.is_counted:
                chance = self._table[k].take(at[:m] - stride[:, :m], mode="clip")
                chance *= takes[k, :, :m]
                chance *= room.share(m)
            else:
                chance = self._table[k][:, rows[:m], None] * room.cells[:, :m]
            up_to = _running_sums(chance)
            choice = (up_to[:-1] <= numbers[k, :m] * up_to[-1]).sum(0)
            room.fill(choice)
            at[:m] -= stride[choice, each[:m], 0]
            cells[first[:m] + self._cells.take(choice)] |= bits[k, :m]
            if not self.is_counted:
                chosen = np.take_along_axis(chance, choice[None], 0)[0]
                fits[:m] &= chosen > 0
                log_weight[:m] += np.log(np.maximum(up_to[-1], _TINY) / np.maximum(chosen, _TINY))
                room.weigh(problem, k, log_weight[:m])
        return Allocation(cells.reshape(n, worlds, q, 2), log_weight, fits)


def _live(sizes: Int[np.ndarray, " n"]) -> list[int]:
    """By k: how many of the rows, which are in falling order of size, have k cards or more."""
    k = np.arange(int(sizes.max(initial=0)) + 1)
    live: list[int] = np.searchsorted(-sizes, -k, side="right").tolist()
    return live


def _running_sums(values: Float64[np.ndarray, "q m w"]) -> Float64[np.ndarray, "q m w"]:
    """Sums over the short first axis, quicker than numpy's `cumsum`."""
    sums = np.empty_like(values)
    sums[0] = values[0]
    for cell in range(1, len(values)):
        np.add(sums[cell - 1], values[cell], out=sums[cell])
    return sums


class _Room:
    """Cards that cells still have room for, in m of n rows and W worlds each."""

    def __init__(self, problem: Problem, axis: Int[np.ndarray, "n q"], worlds: int) -> None:
        room = problem.room
        self.cells = np.repeat(room.T[:, :, None], worlds, 2).astype(np.float64)
        same = (axis[:, :, None] == axis[:, None]) & (room > 0)[:, None]
        self._together = same.astype(np.float64) if (same.sum(2) > 1).any() else None
        if self._together is not None:
            in_groups = (self._together @ room[..., None])[..., 0]
            self._groups = np.repeat(in_groups.T[:, :, None], worlds, 2)

    def share(self, m: int) -> Float64[np.ndarray, "q m w"]:
        """Each cell's part of what is left of its group; 0 for a full one."""
        if self._together is None:
            return np.minimum(self.cells[:, :m], 1)
        return self.cells[:, :m] / np.maximum(self._groups[:, :m], 1)

    def fill(self, choice: Int[np.ndarray, "m w"]) -> None:
        """Puts a card into each of the chosen cells."""
        q, n, worlds = self.cells.shape
        m = len(choice)
        here = choice * (n * worlds) + np.arange(m * worlds).reshape(m, worlds)
        self.cells.reshape(-1)[here] -= 1
        if self._together is not None:
            row = (np.arange(m)[:, None] * q + choice) * q
            self._groups[:, :m] -= self._together.take(row + np.arange(q)[:, None, None])

    def weigh(self, problem: Problem, k: int, log_weight: Float64[np.ndarray, "m w"]) -> None:
        """Adds the logarithm of the factors at the stages that have k cards behind them."""
        for row, stage in np.argwhere(problem.behind[: len(log_weight)] == k):
            for cell in np.flatnonzero((problem.factor[row, stage] != 1).any(1)):
                left = self.cells[cell, row].astype(np.int64)
                log_weight[row] += np.log(problem.factor[row, stage, cell, left])
