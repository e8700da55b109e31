"""Goals: which row is set against which, and how far it should come."""

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from training.bench.result import Comparison, Row


@dataclass(frozen=True)
class Goal:
    """A value that is watched: a row's own, or how many times the speed of another it has."""

    of: str
    """Name of a row."""
    to: str | None = None
    """Name of the row that it is set against: of the same size, or the only one there is."""
    what: str = ""
    """How it is called; made of the names if empty."""
    to_size: int | None = None
    """Size of the other row, where larger ones of the same name are set against it."""
    cost: bool = False
    """Times its cost instead of its speed."""
    at_least: bool = True
    goal: Mapping[int, float] = field(default_factory=dict)
    """By size."""
    aim: Mapping[int, float] = field(default_factory=dict)
    at: Sequence[int] = ()
    """Sizes that matter, if not those with a goal or an aim."""

    @property
    def name(self) -> str:
        """How it is called."""
        return self.what or (self.of if self.to is None else f"{self.of} : {self.to}")

    def chosen(self, rows: Sequence[Row]) -> list[Row]:
        """The rows that are compared: of the sizes that matter, or all if there are none."""
        own = [row for row in rows if row.what == self.of]
        matter = {*self.goal, *self.aim, *self.at}
        return [row for row in own if row.size in matter] or own


def compare(goals: Sequence[Goal], rows: Sequence[Row]) -> list[Comparison]:
    """What can be said of the goals with these rows."""
    found = []
    for goal in goals:
        for row in goal.chosen(rows):
            values = _values(goal, row, rows)
            if values:
                found.append(_comparison(goal, row, values))
    return found


def _values(goal: Goal, row: Row, rows: Sequence[Row]) -> list[float]:
    """The value of each round; none where there is nothing to set the row against."""
    if goal.to is None:
        return list(row.compared)
    others = [other for other in rows if other.what == goal.to]
    wanted = row.size if goal.to_size is None else goal.to_size
    if goal.to_size is not None and row.size <= goal.to_size:
        return []
    same = [other for other in others if other.size == wanted]
    other = same[0] if same else others[0] if len(others) == 1 and goal.to_size is None else None
    if other is None:
        return []
    speeds = [mine / theirs for mine, theirs in zip(row.compared, other.compared, strict=True)]
    return [1 / speed for speed in speeds] if goal.cost else speeds


def _comparison(goal: Goal, row: Row, values: Sequence[float]) -> Comparison:
    return Comparison(
        what=goal.name,
        size=row.size,
        unit=row.unit if goal.to is None else "",
        median=statistics.median(values),
        low=min(values),
        high=max(values),
        at_least=goal.at_least,
        goal=goal.goal.get(row.size),
        aim=goal.aim.get(row.size),
    )
