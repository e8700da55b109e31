"""Writes a benchmark: JSON and a picture."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from training.bench.names import MIXED, SEEN, SPADES, STEP, TAROK
from training.bench.result import BenchResult, Row
from training.files import write_atomically
from training.report import figures

RESULTS, PICTURE = "bench.json", "throughput.png"
_CURVES = (STEP, MIXED, SEEN)
_LEVELS = (TAROK, SPADES)


def to_dict(result: BenchResult) -> dict[str, Any]:
    """The result as plain values."""
    plain = asdict(result)
    for comparison, values in zip(result.comparisons, plain["comparisons"], strict=True):
        values["is_met"] = comparison.is_met
    return plain


def write_bench(result: BenchResult, folder: Path) -> list[Path]:
    """Writes the measurements and, where there are any to draw, the picture; returns the files."""
    folder.mkdir(parents=True, exist_ok=True)
    files = {folder / RESULTS: (json.dumps(to_dict(result), indent=1) + "\n").encode()}
    curves = _curves(result.rows)
    if curves:
        levels = {row.what: row.median for row in result.rows if row.what in _LEVELS}
        files[folder / PICTURE] = figures.png(lambda: figures.throughput(curves, levels))
    for file, content in files.items():
        write_atomically(file, content)
    return list(files)


def _curves(rows: Sequence[Row]) -> dict[str, list[tuple[int, float, float, float]]]:
    found: dict[str, list[tuple[int, float, float, float]]] = {}
    for name in _CURVES:
        points = [(row.size, row.median, row.low, row.high) for row in rows if row.what == name]
        if points:
            found[name] = points
    return found
