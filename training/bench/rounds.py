"""Runs the measurements: every one of them once per round, so that noise hits all alike."""

import gc
import os
import platform
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import metadata

import numpy as np

from tarot_env.errors import TarotError, unknown_name
from tarot_env.rules import Rules
from training.bench.goals import compare
from training.bench.measurement import Measure, Measurement, Sample, Setting
from training.bench.peers import DISTRIBUTIONS
from training.bench.plan import GOALS, GROUPS, MEASUREMENTS
from training.bench.result import BenchResult, Row, rows_of
from training.limits import MAX_DEALS, MAX_TABLES, check_number
from training.progress import Progress, silent

MAX_REPEATS = 10_000
MAX_SECONDS = 3600.0


def bench(
    sizes: Sequence[int] = (1, 256, 4096),
    *,
    repeats: int = 3,
    seconds: float = 0.3,
    deals: int = 512,
    rules: Rules | None = None,
    only: Sequence[str] = (),
    games: bool = False,
    peers: bool = False,
    progress: Progress = silent,
) -> BenchResult:
    """Measures this machine.

    Args:
        sizes: numbers of tables played side by side.
        repeats: rounds; the median counts.
        seconds: least time of a measurement in a round.
        deals: deals of the tournament.
        rules: default: fft with four.
        only: groups to measure; all but `games` if empty.
        games: measure every game, too.
        peers: measure other libraries beside, those that are installed.
        progress: shows how far it is.

    Raises:
        TarotError: a number out of range, or an unknown group.
    """
    _check(sizes, repeats, seconds, deals, only)
    rules, sizes = rules or Rules.preset(), sorted(set(sizes))
    asked = [m for m in _asked(only, games=games) if peers or not m.is_peer]
    plan = [(m, size) for m in asked if not m.missing for size in m.sizes(sizes)]
    with progress("measuring", len(plan) * (repeats + 1)) as advance:
        runs = []
        for measurement, size in plan:
            runs.append(measurement.start(Setting(rules, size, seconds, deals)))
            advance(1)
        samples = _samples(runs, repeats, advance)
    rows: list[Row] = []
    for (measurement, size), found in zip(plan, samples, strict=True):
        rows += rows_of(measurement, size, found)
    rows.sort(key=lambda row: GROUPS.index(row.group))
    missing = dict.fromkeys(DISTRIBUTIONS[name] for m in asked for name in m.missing)
    return BenchResult(
        machine=_machine([measurement for measurement, _ in plan]),
        rules=rules.to_dict(),
        rows=tuple(rows),
        comparisons=tuple(compare(GOALS, rows)),
        missing=tuple(missing),
    )


def _asked(only: Sequence[str], *, games: bool) -> list[Measurement]:
    """The measurements of the groups that are asked for."""
    groups = set(only) or set(GROUPS) - {"games"}
    if games:
        groups.add("games")
    return [measurement for measurement in MEASUREMENTS if groups & set(measurement.groups)]


def _samples(
    runs: Sequence[Measure], repeats: int, advance: Callable[[int], None]
) -> list[tuple[Sample, ...]]:
    """What each measurement brings, round by round."""
    rounds: list[list[Sample]] = []
    with _old_objects_frozen():
        for seed in range(repeats):
            rounds.append([])
            for run in runs:
                gc.collect()
                rounds[-1].append(run(seed))
                advance(1)
    return list(zip(*rounds, strict=True))


@contextmanager
def _old_objects_frozen() -> Iterator[None]:
    """Spares the garbage collector what is there already, so that none pays for another's."""
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def _check(
    sizes: Sequence[int], repeats: int, seconds: float, deals: int, only: Sequence[str]
) -> None:
    if not sizes:
        raise TarotError("sizes must be 1 or more; got none")
    for size in sizes:
        check_number("sizes", size, 1, MAX_TABLES)
    check_number("repeats", repeats, 1, MAX_REPEATS)
    check_number("deals", deals, 1, MAX_DEALS)
    if not 0 < seconds <= MAX_SECONDS:
        raise TarotError(f"seconds must be above 0 and at most {MAX_SECONDS:g}; got {seconds}")
    for group in only:
        if group not in GROUPS:
            raise unknown_name("group", group, GROUPS)


def _machine(measured: Sequence[Measurement]) -> dict[str, object]:
    """What the numbers hold for."""
    machine: dict[str, object] = {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "system": platform.system(),
        "python": platform.python_version(),
        "numpy": np.__version__,
    }
    if any("training" in m.groups for m in measured):
        machine["torch"] = metadata.version("torch")
    for name in dict.fromkeys(DISTRIBUTIONS[need] for m in measured for need in m.needs):
        name = name.partition("[")[0]
        machine[name] = metadata.version(name)
    return machine


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            names = [line.partition(":")[2].strip() for line in file if "model name" in line]
        return names[0]
    except (OSError, IndexError):
        return platform.processor() or platform.machine()
