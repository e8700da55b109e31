"""Random allocation of cards to cells where there are too many ways to count them.

Each card is placed by a chance that is right on average for every card and cell, times the room
that the cell has left over what is expected. Weights correct for the difference.
"""

import numpy as np
from jaxtyping import Float64, Int

from tarot_env.beliefs.exact_sampler import Allocation, Problem, live_rows, running_sums
from tarot_env.cards import cardsets

_ROUNDS = 40
_TINY = 1e-100


class Fitted:
    """Fits the chances once, then draws as often as it is asked; see `allocation.Counted`."""

    def __init__(self, problem: Problem) -> None:
        self._problem, self._sizes = problem, problem.sizes
        takes = cardsets.contains(problem.takes[:, None], problem.cards[..., None])
        self._chance = _fit(takes.transpose(1, 2, 0).astype(np.float64), problem.room.T)

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
        n, most, q = len(rows), int(sizes.max(initial=0)), problem.room.shape[1]
        bits, live = cardsets.BIT[problem.cards.T][:, :, None], live_rows(sizes)
        cells = np.zeros((n, worlds, q, 2), np.uint64)
        room = np.repeat(problem.room.T[:, :, None], worlds, 2)
        log_weight, fits = np.zeros((n, worlds)), np.ones((n, worlds), bool)
        for k in range(most - 1, -1, -1):
            m = live[k + 1]
            chance = self._chance[k][:, rows[:m], None] * room[:, :m]
            up_to = running_sums(chance)
            choice = (up_to[:-1] <= rng.random((m, worlds)) * up_to[-1]).sum(0)
            here = np.arange(m)[:, None], np.arange(worlds)
            chosen = chance[choice, *here]
            room[choice, *here] -= 1
            cells[*here, choice] |= bits[k, :m]
            fits[:m] &= chosen > 0
            log_weight[:m] += np.log(np.maximum(up_to[-1], _TINY) / np.maximum(chosen, _TINY))
            for row, stage in np.argwhere(problem.behind[:m] == k):
                for cell in np.flatnonzero((problem.factor[row, stage] != 1).any(1)):
                    log_weight[row] += np.log(problem.factor[row, stage, cell, room[cell, row]])
        return Allocation(cells, log_weight, fits)


def _fit(
    takes: Float64[np.ndarray, "k q n"], room: Int[np.ndarray, "q n"]
) -> Float64[np.ndarray, "k q n"]:
    """Chance of each cell for each card, over what is expected of it for the last k cards.

    The chances are those of cards that choose by themselves, with a preference for each cell such
    that its room is filled on average.
    """
    prefer, chance = room.astype(np.float64), takes
    for _ in range(_ROUNDS):
        chance = takes * prefer
        chance /= np.maximum(chance.sum(1, keepdims=True), _TINY)
        prefer *= room / np.maximum(chance.sum(0), _TINY)
        prefer /= np.maximum(prefer.max(0), _TINY)
    return chance / np.maximum(np.cumsum(chance, axis=0), _TINY)
