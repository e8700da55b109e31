"""How a benchmark is shown: tables for a person, or JSON."""

import json
from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from training.bench.output import to_dict
from training.bench.peers import EXTRA
from training.bench.result import BenchResult, Comparison, Row
from training.cli.terminal import plain_console


def print_bench(result: BenchResult, *, as_json: bool = False) -> None:
    """Prints the measurements as tables, or as JSON."""
    if as_json:
        print(json.dumps(to_dict(result), indent=1))
        return
    console = plain_console()
    if not console.is_terminal:
        console.width = 150
    console.print(_rows_table(result.rows))
    if result.comparisons:
        console.print(_goals_table(result.comparisons))
    for line in _notes(result):
        console.print(line)


def _rows_table(rows: Sequence[Row]) -> Table:
    table = Table("what", box=SIMPLE_HEAD)
    for heading in ("tables", "median", "min..max", "by CPU"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("unit", no_wrap=True)
    table.add_column("per deal", justify="right", no_wrap=True)
    table.add_column("contracts", justify="right")
    before = rows[0].group if rows else ""
    for row in rows:
        if row.group != before:
            table.add_section()
            before = row.group
        length = row.decisions_per_deal
        mix = ", ".join(f"{name} {100 * part:.1f} %" for name, part in row.contracts.items())
        table.add_row(
            Text(row.what, style="dim" if row.peer else ""),
            f"{row.size:,}" if row.size else "–",
            _number(row.median),
            f"{_number(row.low)}..{_number(row.high)}" if row.low < row.high else "",
            "–" if row.cpu_median is None else _number(row.cpu_median),
            row.unit,
            "–" if length is None else f"{length:.1f}",
            mix or "–",
        )
    return table


def _goals_table(comparisons: Sequence[Comparison]) -> Table:
    table = Table("against a goal", box=SIMPLE_HEAD)
    for heading in ("tables", "median", "min..max", "goal", "aim", "met"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("unit", no_wrap=True)
    for found in comparisons:
        sign = "≥" if found.at_least else "≤"
        goal, aim = (
            "–" if value is None else f"{sign} {value:g}" for value in (found.goal, found.aim)
        )
        table.add_row(
            found.what,
            f"{found.size:,}" if found.size else "–",
            _number(found.median),
            f"{_number(found.low)}..{_number(found.high)}",
            goal,
            aim,
            {None: "–", True: "yes", False: "no"}[found.is_met],
            found.unit or "times",
        )
    return table


def _number(value: float) -> str:
    """Three digits or more, never an exponent."""
    for unit, letter in ((1e6, "M"), (1e3, "k")):
        if value >= 10 * unit or value >= unit == 1e6:
            return f"{value / unit:.{_digits(value / unit)}f}{letter}"
    return f"{value:,.{_digits(value)}f}"


def _digits(value: float) -> int:
    """Digits behind the point."""
    return 0 if value >= 100 else 1 if value >= 10 else 2 if value >= 0.1 else 3


def _notes(result: BenchResult) -> list[str]:
    notes = {row.what: row.note for row in result.rows if row.note}
    lines = [f"{what}: {note}" for what, note in notes.items()]
    if result.comparisons:
        lines.append("ratios: round by round, in processor time where both work on one core")
    lines.append("by CPU: by processor time of the process; per deal: decisions of live tables")
    lines.append(", ".join(f"{key} {value}" for key, value in result.machine.items()))
    if result.missing:
        lines.append(f"peers not installed: {', '.join(result.missing)}; {EXTRA} brings all")
    return lines
