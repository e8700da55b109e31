"""What a measurement is: an entry of the plan, what it is given, and what one run of it brings."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from importlib.util import find_spec
from typing import Any

from tarot_env.rules import Rules


class Unit(StrEnum):
    """What a value counts."""

    DECISIONS = "decisions/s"
    DEALS = "deals/s"
    MICROSECONDS = "µs a deal"
    BYTES = "bytes a table"
    PERCENT = "%"
    MINUTES = "minutes"

    @property
    def is_timed(self) -> bool:
        """Whether the value comes from a clock; others are what a sample says."""
        return self in (Unit.DECISIONS, Unit.DEALS, Unit.MICROSECONDS)


@dataclass(frozen=True)
class Setting:
    """What a measurement is given."""

    rules: Rules
    size: int
    """Tables side by side."""
    seconds: float
    """A run goes on with new deals until it has taken this long."""
    deals: int
    """Deals of a tournament."""


@dataclass(frozen=True)
class Sample:
    """What one run brought."""

    amount: float
    """How much of what the unit counts: decisions of live tables, deals, bytes."""
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    """Processor time of this process, all its threads; 0 where others do the work."""
    deals: int = 0
    """Deals played, where decisions are counted."""
    deal_decisions: int | None = None
    """Decisions of these deals, if not the amount."""
    contracts: Mapping[str, int] = field(default_factory=dict)
    """Deals by contract."""
    also: Mapping[str, tuple[float, Unit]] = field(default_factory=dict)
    """Further values of the same run by name."""

    def value(self, unit: Unit, *, cpu: bool = False) -> float:
        """The sample in a unit, by wall time or by processor time."""
        if not unit.is_timed:
            return self.amount
        seconds = max(self.cpu_seconds if cpu else self.seconds, _TICK)
        return 1e6 * seconds / self.amount if unit is Unit.MICROSECONDS else self.amount / seconds


_TICK = 1e-9
"""Clocks tell no shorter time."""

Measure = Callable[[int], Sample]
"""One run; the number of the round is its seed."""


@dataclass(frozen=True)
class Measurement:
    """An entry of the plan."""

    name: str
    """Of its row; no two have the same."""
    groups: tuple[str, ...]
    """Measured where one of these is asked for; the first is where its row stands."""
    start: Callable[[Setting], Measure]
    """Makes everything ready and warm."""
    sizes: Callable[[Sequence[int]], Sequence[int]]
    """Numbers of tables that it is run with, of those asked for."""
    unit: Unit = Unit.DECISIONS
    one_core: bool = True
    """Works on one core, so that processor time is what it takes on a quiet machine."""
    note: str = ""
    """What to know when comparing it."""
    needs: tuple[str, ...] = ()
    """Modules of other libraries; it measures a peer if there are any."""

    @property
    def is_peer(self) -> bool:
        """Whether it measures another library."""
        return bool(self.needs)

    @property
    def missing(self) -> list[str]:
        """Modules that it needs and that are not installed."""
        return [name for name in self.needs if find_spec(name) is None]


class Stopwatch:
    """Adds up wall and processor time of the blocks that it is put around."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.cpu_seconds = 0.0
        self._started = (0.0, 0.0)

    def __enter__(self) -> None:
        self._started = time.perf_counter(), time.process_time()

    def __exit__(self, *_: object) -> None:
        cpu, wall = time.process_time(), time.perf_counter()
        self.seconds += wall - self._started[0]
        self.cpu_seconds += cpu - self._started[1]

    def sample(self, amount: float, **known: Any) -> Sample:
        """What was done in that time, with whatever else is known of it."""
        return Sample(amount, self.seconds, self.cpu_seconds, **known)
