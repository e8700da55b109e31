"""What a benchmark brings: rows, comparisons with goals, and the machine that they hold for."""

import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from training.bench.measurement import Measurement, Sample, Unit


@dataclass(frozen=True)
class Row:
    """All rounds of one measurement, or of a further value of it."""

    what: str
    group: str
    peer: bool
    size: int
    """Tables side by side."""
    unit: str
    median: float
    low: float
    """Smallest of the rounds."""
    high: float
    cpu_median: float | None
    """By processor time of all threads; None where other processes work, or no clock tells."""
    decisions_per_deal: float | None
    contracts: dict[str, float]
    """Share of the deals under each contract."""
    values: tuple[float, ...]
    """The value of each round."""
    cpu_values: tuple[float, ...]
    one_core: bool
    """Compared by processor time, which neighbours on the machine do not change."""
    note: str = ""

    @property
    def compared(self) -> tuple[float, ...]:
        """The values that are compared with other rows and with goals."""
        return self.cpu_values if self.one_core and self.cpu_values else self.values


@dataclass(frozen=True)
class Comparison:
    """A value with its goal, round by round."""

    what: str
    size: int
    """Tables side by side."""
    unit: str
    """Empty for a ratio."""
    median: float
    low: float
    high: float
    at_least: bool
    """Whether the goal is a least value, else a largest."""
    goal: float | None
    aim: float | None
    """What is hoped for beyond the goal."""

    @property
    def is_met(self) -> bool | None:
        """Whether the median reaches the goal; None without one."""
        if self.goal is None:
            return None
        return self.median >= self.goal if self.at_least else self.median <= self.goal


@dataclass(frozen=True)
class BenchResult:
    """All measurements, and the machine that they hold for."""

    machine: dict[str, Any]
    rules: dict[str, object]
    rows: tuple[Row, ...]
    comparisons: tuple[Comparison, ...]
    missing: tuple[str, ...]
    """Peers that were asked for and are not installed."""


def rows_of(measurement: Measurement, size: int, samples: Sequence[Sample]) -> list[Row]:
    """The rows of one measurement: its own, and one for each further value."""
    unit = measurement.unit
    cpu = unit.is_timed and all(sample.cpu_seconds for sample in samples)
    own = _row(
        measurement,
        size,
        unit=unit,
        values=[sample.value(unit) for sample in samples],
        cpu_values=[sample.value(unit, cpu=True) for sample in samples] if cpu else [],
        decisions_per_deal=_mean_length(samples),
        contracts=_shares(samples),
        note=measurement.note,
    )
    further = [
        _row(
            measurement,
            size,
            what=name,
            unit=kind,
            values=[sample.also[name][0] for sample in samples],
        )
        for name, (_, kind) in samples[0].also.items()
    ]
    return [own, *further]


def _row(
    measurement: Measurement,
    size: int,
    *,
    unit: Unit,
    values: Sequence[float],
    what: str | None = None,
    cpu_values: Sequence[float] = (),
    decisions_per_deal: float | None = None,
    contracts: dict[str, float] | None = None,
    note: str = "",
) -> Row:
    return Row(
        what=what or measurement.name,
        group=measurement.groups[0],
        peer=measurement.is_peer,
        size=size,
        unit=unit.value,
        median=statistics.median(values),
        low=min(values),
        high=max(values),
        cpu_median=statistics.median(cpu_values) if cpu_values else None,
        decisions_per_deal=decisions_per_deal,
        contracts=contracts or {},
        values=tuple(values),
        cpu_values=tuple(cpu_values),
        one_core=measurement.one_core,
        note=note,
    )


def _mean_length(samples: Sequence[Sample]) -> float | None:
    """Decisions of a deal, where both are counted."""
    deals = sum(sample.deals for sample in samples)
    decisions = [s.amount if s.deal_decisions is None else s.deal_decisions for s in samples]
    return sum(decisions) / deals if deals else None


def _shares(samples: Sequence[Sample]) -> dict[str, float]:
    contracts: Counter[str] = Counter()
    for sample in samples:
        contracts.update(sample.contracts)
    played = sum(contracts.values())
    return {name: count / played for name, count in contracts.most_common()}
