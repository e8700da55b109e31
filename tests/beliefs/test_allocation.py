"""Cards allocated to cells, against every allocation that there is."""

from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from scipy import stats

from tarot_env.beliefs import exact_sampler
from tarot_env.beliefs.exact_sampler import Counted, Problem, batches
from tarot_env.beliefs.importance_sampler import Fitted
from tarot_env.cards import cardsets

Cells = tuple[frozenset[int], ...]
CELLS, STAGES, MOST = 4, 2, 8


class Drawn:
    """A small problem, drawn at random, with all its solutions and their chances."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.chances: Mapping[Cells, float] = {}
        while not self.chances:
            self.cards = rng.permutation(78)[: rng.integers(1, MOST)].tolist()
            self.room = np.bincount(rng.integers(0, CELLS, len(self.cards)), minlength=CELLS)
            takes = [{card for card in self.cards if rng.random() < 0.75} for _ in range(CELLS)]
            if rng.random() < 0.6:
                takes[1] = takes[0]
            if rng.random() < 0.3:
                takes[3] = takes[1]
            self.takes = takes
            self.behind = sorted(rng.integers(0, len(self.cards) + 1, STAGES).tolist())[::-1]
            self.factor = np.ones((STAGES, CELLS, MOST))
            self.factor[0, 2] = rng.random(MOST) + 0.1
            if rng.random() < 0.5:
                self.factor[1, 1] = rng.random(MOST) + 0.1
            found = dict(self._solutions(0, [[] for _ in range(CELLS)], 1.0))
            total = sum(found.values())
            self.chances = {cells: chance / total for cells, chance in found.items()}

    def _solutions(self, placed: int, cells: list[list[int]], chance: float):
        room = [int(r) - len(cell) for r, cell in zip(self.room, cells, strict=True)]
        for stage, behind in enumerate(self.behind):
            if behind == len(self.cards) - placed:
                for cell in range(CELLS):
                    chance *= self.factor[stage, cell, room[cell]]
        if placed == len(self.cards):
            yield tuple(map(frozenset, cells)), chance
            return
        card = self.cards[placed]
        for cell in range(CELLS):
            if card in self.takes[cell] and room[cell]:
                cells[cell].append(card)
                yield from self._solutions(placed + 1, cells, chance)
                cells[cell].pop()


def together(drawn: Sequence[Drawn]) -> Problem:
    cards = np.full((len(drawn), MOST - 1), -1, np.int8)
    for row, one in enumerate(drawn):
        cards[row, : len(one.cards)] = one.cards[::-1]
    return Problem(
        cards=cards,
        takes=np.array([[cardsets.from_ids(cell) for cell in one.takes] for one in drawn]),
        room=np.array([one.room for one in drawn]),
        behind=np.array([one.behind for one in drawn]),
        factor=np.array([one.factor for one in drawn]),
    )


def sums(worlds: np.ndarray, *values: np.ndarray) -> dict[Cells, list[float]]:
    """The sum of each value over the worlds that are the same."""
    kinds, which = np.unique(worlds.reshape(len(worlds), -1), axis=0, return_inverse=True)
    found = np.stack([np.bincount(which.ravel(), value, len(kinds)) for value in values], 1)
    cells = [tuple(frozenset(cardsets.to_ids(c)) for c in kind.reshape(-1, 2)) for kind in kinds]
    return dict(zip(cells, found.tolist(), strict=True))


def test_counted_allocations_come_as_often_as_they_should() -> None:
    """All of them, and no others, with their factors: 150 problems, about 1 in 100 below 0.01."""
    rng = np.random.default_rng(1)
    drawn, worlds, below, smallest = [Drawn(rng) for _ in range(150)], 1500, 0, 1.0
    problem = together(drawn)
    for rows, is_counted in batches(problem):
        assert is_counted
        found = Counted(problem.take(rows)).draw(np.arange(len(rows)), worlds, rng)
        assert found.fits.all()
        assert (found.log_weight == 0).all()
        for row, cells in zip(rows, found.cells, strict=True):
            chances = drawn[row].chances
            number = sums(cells, np.ones(worlds))
            assert set(number) <= set(chances)
            seen = np.array([number.get(cells, [0])[0] for cells in chances])
            expected = np.array(list(chances.values()))
            if len(seen) > 1:
                p = stats.chisquare(seen, expected * worlds).pvalue
                below, smallest = below + (p < 0.01), min(p, smallest)
    assert below <= 6
    assert smallest > 1e-5


def test_fitted_allocations_are_weighted_right(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any sum over the cells comes out as it should, within its own error."""
    monkeypatch.setattr(exact_sampler, "MOST_ROOMS", 0)
    rng = np.random.default_rng(2)
    drawn, errors = [Drawn(rng) for _ in range(100)], []
    problem = together(drawn)
    for rows, is_counted in batches(problem):
        assert not is_counted
        found = Fitted(problem.take(rows)).draw(np.arange(len(rows)), 2000, rng)
        for at, row in enumerate(rows):
            chances = drawn[row].chances
            value = dict(zip(chances, rng.normal(size=len(chances)), strict=True))
            weight = np.exp(found.log_weight[at]) * found.fits[at]
            by_cells = sums(
                found.cells[at][found.fits[at]], *(weight[found.fits[at]] ** [[1], [2]])
            )
            true = sum(value[cells] * chance for cells, chance in chances.items())
            error = sum(w * (value[cells] - true) for cells, (w, _square) in by_cells.items())
            spread = sum(w2 * (value[cells] - true) ** 2 for cells, (_w, w2) in by_cells.items())
            if len(chances) > 1:
                errors.append(error / spread**0.5)
    assert len(errors) > 60
    assert np.abs(errors).max() < 4
    assert 0.8 < np.std(errors) < 1.2


def test_batches_hold_every_row_once_in_falling_order_of_size() -> None:
    rng = np.random.default_rng(3)
    problem = together([Drawn(rng) for _ in range(40)])
    found = [rows for rows, _ in batches(problem)]
    assert sorted(np.concatenate(found).tolist()) == list(range(40))
    for rows in found:
        assert (np.diff(problem.sizes[rows]) <= 0).all()


def test_batches_are_cut_where_there_is_too_much_to_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """And what is drawn does not change."""
    problem = together([Drawn(np.random.default_rng(4))] * 6)
    whole = [rows.tolist() for rows, _ in batches(problem)]
    assert whole == [[0, 1, 2, 3, 4, 5]]
    monkeypatch.setattr(exact_sampler, "_MOST_NUMBERS", 1)
    assert [rows.tolist() for rows, _ in batches(problem)] == [[row] for row in range(6)]


def test_what_cannot_be_placed_does_not_fit() -> None:
    """Two cards that only one cell takes, with room for one."""
    problem = Problem(
        cards=np.array([[3, 4]], np.int8),
        takes=np.array([[cardsets.from_ids([3, 4]), cardsets.EMPTY]]),
        room=np.array([[1, 1]]),
        behind=np.zeros((1, 1), np.int64),
        factor=np.ones((1, 1, 2, 3)),
    )
    for kind in (Counted, Fitted):
        found = kind(problem).draw(np.array([0]), 5, np.random.default_rng(0))
        assert not found.fits.any()


def test_rows_are_counted_once_where_all_that_matters_is_alike() -> None:
    """Whatever their cards are called; not where a stage, a factor or a void differs."""
    either, first = cardsets.from_ids(range(8)), cardsets.from_ids([1, 2, 3])
    factor = np.ones((5, 1, 3, 4))
    factor[:, 0, 2] = [1, 0.5, 0.25, 0.125]
    factor[3, 0, 2] = [1, 0.5, 0.5, 0.5]
    problem = Problem(
        cards=np.array(
            [[1, 2, 3, 4], [2, 3, 1, 5], [1, 2, 3, 4], [1, 2, 3, 4], [1, 2, 4, 3]], np.int8
        ),
        takes=np.array([[first, either, either]] * 5),
        room=np.array([[1, 2, 1]] * 5),
        behind=np.array([[2], [2], [3], [2], [2]]),
        factor=factor,
    )
    assert Counted(problem)._kind.tolist() == [0, 0, 1, 2, 3]


def test_cells_that_take_the_same_cards_are_counted_as_one() -> None:
    """Three hands of eighteen, and an écart: rooms by what is left for the écart alone."""
    takes = np.array([[cardsets.PLAIN] * 3 + [cardsets.PLAIN & ~cardsets.SUIT[0]]])
    problem = Problem(
        cards=np.array([cardsets.to_ids(cardsets.PLAIN)], np.int8),
        takes=takes,
        room=np.array([[16, 15, 15, 6]]),
        behind=np.zeros((1, 1), np.int64),
        factor=np.ones((1, 1, 4, 17)),
    )
    counted = Counted(problem)
    assert counted._groups.rooms.tolist() == [7]
    found = counted.draw(np.array([0]), 1000, np.random.default_rng(0))
    assert (cardsets.count(found.cells[0]) == [16, 15, 15, 6]).all()
    assert not (found.cells[0, :, 3] & cardsets.SUIT[0]).any()
    in_second = cardsets.count(found.cells[0, :, 1] & cardsets.SUIT[0]).mean()
    assert abs(in_second - 13 * 15 / 46) < 0.15
