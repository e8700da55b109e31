"""Pictures of training runs and tournaments, drawn with matplotlib into PNG bytes.

Each picture is a function that returns a figure under the colours in force, so that the same
picture can be drawn for a light and for a dark page.
"""

import io
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import matplotlib
import numpy as np
from jaxtyping import Float64
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.rcsetup import cycler

Columns = Mapping[str, Float64[np.ndarray, " u"]]
"""The metrics of a run by name; nan where an update has no value."""

_LIGHT = {"paper": "#ffffff", "ink": "#1f2328", "grid": "#d8dee4"}
_DARK = {"paper": "#16191d", "ink": "#e3e6ea", "grid": "#3a4048"}
_COLOURS = {
    False: ["#0067a5", "#c8500a", "#1b7f4c", "#8a3f8f", "#8a6d00", "#5c6570"],
    True: ["#6cb8ff", "#ff9a57", "#5fd497", "#d79be0", "#e2c04c", "#aab4c0"],
}
_DPI = 130


def png(draw: Callable[[], Figure], *, dark: bool = False) -> bytes:
    """The picture as PNG bytes, for a light or a dark page."""
    theme = _DARK if dark else _LIGHT
    style: Any = {
        "figure.facecolor": theme["paper"],
        "axes.facecolor": theme["paper"],
        "savefig.facecolor": theme["paper"],
        "text.color": theme["ink"],
        "axes.labelcolor": theme["ink"],
        "axes.edgecolor": theme["grid"],
        "xtick.color": theme["ink"],
        "ytick.color": theme["ink"],
        "grid.color": theme["grid"],
        "axes.prop_cycle": cycler(color=_COLOURS[dark]),
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.grid": True,
        "axes.axisbelow": True,
        "grid.linewidth": 0.7,
        "lines.linewidth": 1.8,
        "font.size": 9,
        "axes.titlesize": 10,
        "axes.titleweight": "bold",
        "axes.titlelocation": "left",
        "legend.frameon": False,
        "text.parse_math": False,  # names may hold dollars
        "figure.dpi": _DPI,
        "savefig.dpi": _DPI,
    }
    with matplotlib.rc_context(style):
        figure = draw()
        FigureCanvasAgg(figure)
        file = io.BytesIO()
        figure.savefig(file, format="png", metadata={"Software": None})
    return file.getvalue()


def _panels(count: int, columns: int, height: float) -> tuple[Figure, list[Axes]]:
    """A figure with `count` panels; the grid's last places may stay empty."""
    columns = max(1, min(columns, count))
    rows = -(-count // columns)
    figure = Figure(figsize=(9.6, height * rows), layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False).ravel()
    for axis in axes[count:]:
        axis.remove()
    return figure, list(axes[:count])


def _decision_axis(axis: Axes, decisions: Float64[np.ndarray, " u"]) -> float:
    """Labels the axis of decisions and returns its unit."""
    most = float(np.nanmax(decisions, initial=0.0))
    scales = ((1e6, 1e6, "million "), (1e4, 1e3, "thousand "), (0.0, 1.0, ""))
    unit, name = next((unit, name) for least, unit, name in scales if most >= least)
    axis.set_xlabel(f"{name}decisions")
    return unit


EVAL = "eval/points_per_deal"


def opponents(columns: Columns) -> list[str]:
    """Opponents that a run was evaluated against."""
    return [
        name.removeprefix(f"{EVAL}/")
        for name, values in columns.items()
        if name.startswith(f"{EVAL}/") and not np.isnan(values).all()
    ]


def learning_curve(columns: Columns, run: str) -> Figure:
    """Points per deal of a run against each opponent with its 95 % band, over decisions."""
    names = opponents(columns)
    figure, axes = _panels(len(names), 2, 3.1)
    title = f"{run}: points per deal while learning (band: 95 % interval)"
    figure.suptitle(title, x=0.01, ha="left", fontsize=10)
    for index, (axis, name) in enumerate(zip(axes, names, strict=True)):
        there = ~np.isnan(columns[f"{EVAL}/{name}"])
        x = columns["decisions"][there] / _decision_axis(axis, columns["decisions"])
        unknown = np.full(len(there), np.nan)
        low, mean, high = (
            columns.get(f"{EVAL}{end}/{name}", unknown)[there] for end in ("_low", "", "_high")
        )
        axis.axhline(0, color=matplotlib.rcParams["axes.labelcolor"], linewidth=0.9)
        bottom, top = limits_of_curve(low, mean, high)
        below, above = bool(mean[0] < bottom), bool(mean[0] > top)
        room = (top - bottom) / 20 or 1.0
        axis.set_ylim(bottom - (4 if below else 1) * room, top + (4 if above else 1) * room)
        if below or above:
            _value_beyond(axis, x[0], mean[0])
            mean[0] = low[0] = high[0] = np.nan
        axis.fill_between(x, low, high, color=f"C{index}", alpha=0.22, linewidth=0)
        axis.plot(x, mean, color=f"C{index}", marker="o", markersize=3)
        axis.set_title(f"alone among {name}")
        axis.set_ylabel("points per deal")
    return figure


def limits_of_curve(
    low: Float64[np.ndarray, " e"],
    mean: Float64[np.ndarray, " e"],
    high: Float64[np.ndarray, " e"],
) -> tuple[float, float]:
    """Lowest and highest value that the axis of a learning curve shows.

    It fits the evaluations after the first, which measures the untrained network. The first, and
    0, are shown too unless they lie further away than the others spread: they would then take more
    than half of the axis.

    Args:
        low: lower ends of the intervals, nan where unknown.
        mean: points per deal, one per evaluation.
        high: upper ends.
    """
    everything = np.stack([low, mean, high])
    shown = everything[:, 1:] if len(mean) > 2 else everything  # one point is no curve
    bottom, top = float(np.nanmin(shown)), float(np.nanmax(shown))
    for value, reach in ((mean[0], everything[:, 0]), (0.0, np.zeros(1))):
        if max(bottom - value, value - top) <= top - bottom:
            bottom, top = min(bottom, np.nanmin(reach)), max(top, np.nanmax(reach))
    return float(bottom), float(top)


def _value_beyond(axis: Axes, x: float, value: float) -> None:
    """An arrow at the edge of the axis that a point lies beyond, with the point's value."""
    below = value < axis.get_ylim()[0]
    axis.plot(x, value, "o")  # out of sight, but the axis reaches as far left
    axis.annotate(
        f"{'↓' if below else '↑'} {value:+.1f} at the start",
        (x, 0 if below else 1),
        (-4, 3 if below else -3),
        xycoords=axis.get_xaxis_transform(),
        textcoords="offset points",
        va="bottom" if below else "top",
        fontsize=8,
        bbox=_paper(),
    )


def _paper() -> dict[str, Any]:
    """A patch of paper behind a text, so that no line crosses it."""
    return {"facecolor": matplotlib.rcParams["axes.facecolor"], "edgecolor": "none", "pad": 0.8}


_TITLES = {
    "losses/policy_loss": "policy loss",
    "losses/value_loss": "value loss",
    "losses/entropy": "entropy (nats)",
    "losses/approx_kl": "approximate KL",
    "losses/clipfrac": "clipped share",
    "losses/explained_variance": "explained variance of the critic",
    "charts/SPS": "decisions per second",
    "charts/learning_rate": "learning rate",
    "charts/environment_share": "share of time in the environment",
    "charts/given_share": "share of deals with a given contract",
    "bids/made": "contracts made",
}


def _panel_names(columns: Columns) -> tuple[list[str], list[str]]:
    """Columns with a panel of their own, and the shares of contracts, which have one together."""
    measured = [name for name, values in columns.items() if not np.isnan(values).all()]
    single = [
        name for name in measured if name.startswith(("losses/", "charts/")) or name == "bids/made"
    ]
    return single, [name for name in measured if name.startswith("bids/") and name != "bids/made"]


def has_panels(columns: Columns) -> bool:
    """Whether there is anything to draw about the training itself."""
    return any(_panel_names(columns))


def training_panels(columns: Columns) -> Figure:
    """Losses, entropy, bid rates and throughput in small panels, over decisions."""
    single, bids = _panel_names(columns)
    figure, axes = _panels(len(single) + bool(bids), 3, 2.2)
    for axis in axes:
        axis.tick_params(labelsize=8)
    for axis in axes[1:]:
        axis.sharex(axes[0])
    for axis, name in zip(axes, single, strict=False):
        _line(axis, columns, name)
        axis.set_title(_TITLES.get(name, name.partition("/")[2].replace("_", " ")))
        if name == "charts/SPS":
            axis.set_ylim(bottom=0)
    if bids:
        for index, name in enumerate(bids):
            _line(axes[-1], columns, name, f"C{index}", name[5:].replace("_", " "))
        axes[-1].set_title("share of deals by contract")
        axes[-1].set_ylim(bottom=0)
        place: Any = {"loc": "upper left", "bbox_to_anchor": (-0.1, -0.3)}
        axes[-1].legend(
            **place, ncols=3, fontsize=7, handlelength=1, columnspacing=1, labelspacing=0.2
        )
    return figure


def _line(
    axis: Axes, columns: Columns, name: str, colour: str = "C0", label: str | None = None
) -> None:
    """A metric over decisions, with gaps where it was not measured; a lone value is a dot."""
    values = columns[name]
    x = columns["decisions"] / _decision_axis(axis, columns["decisions"])
    there = np.pad(~np.isnan(values), 1)
    alone = there[1:-1] & ~there[:-2] & ~there[2:]
    axis.plot(x, values, color=colour, label=label, linewidth=1.3)
    axis.plot(x[alone], values[alone], ".", color=colour)


Interval = Sequence[float | None]


def _errors(mean: float, ends: Interval) -> list[list[float]] | None:
    low, high = ends
    return None if low is None or high is None else [[mean - low], [high - mean]]


def _rows(count: int, height: float) -> tuple[Figure, Axes]:
    """A figure with so many rows of that height in inches, the first on top."""
    figure = Figure(figsize=(9.6, 1.1 + height * count), layout="constrained")
    axis = figure.subplots()
    axis.grid(visible=False, axis="y")
    axis.invert_yaxis()
    return figure, axis


def _short(agent: str) -> str:
    """An agent's text, its middle left out where it is long."""
    return agent if len(agent) <= 34 else f"{agent[:12]}…{agent[-21:]}"


def means(labels: Sequence[str], values: Sequence[tuple[float, Interval]], what: str) -> Figure:
    """Means with intervals, one row each."""
    figure, axis = _rows(len(labels), 0.42)
    axis.axvline(0, color=matplotlib.rcParams["axes.labelcolor"], linewidth=0.9)
    for row, (mean, ends) in enumerate(values):
        _estimate(axis, row, mean, ends)
    axis.set_yticks(range(len(labels)), [_short(label) for label in labels])
    axis.set_ylim(len(labels) - 0.5, -0.6)
    axis.margins(x=0.12)
    axis.set_xlabel(f"{what}, with the 95 % interval")
    return figure


def _estimate(axis: Axes, row: int, mean: float, ends: Interval) -> None:
    """A mean as a small dot on the line of its interval, the numbers above it."""
    errors = _errors(mean, ends)
    axis.errorbar(mean, row, xerr=errors, fmt="o", color="C0", markersize=3, elinewidth=1.6)
    half = "" if errors is None else f" ± {np.mean(errors):.1f}"
    axis.annotate(
        f"{mean:+.1f}{half}",
        (mean, row),
        (0, 6),
        textcoords="offset points",
        ha="center",
        fontsize=8,
        bbox=_paper(),
    )


def pair_label(pair: Mapping[str, Any]) -> str:
    """How a pair is named beside a row."""
    return f"{_short(pair['a'])}\nalone among {_short(pair['b'])}"


def pairs(found: Sequence[Mapping[str, Any]]) -> Figure:
    """Points per deal of every ordered pair, and the parts made as taker and as defender."""
    figure = Figure(figsize=(9.6, 1.7 + 0.62 * len(found)), layout="constrained")
    left, right = figure.subplots(1, 2, sharey=True)
    ink = matplotlib.rcParams["axes.labelcolor"]
    for axis in (left, right):
        axis.axvline(0, color=ink, linewidth=0.9)
        axis.grid(visible=False, axis="y")
        axis.margins(x=0.16)
        axis.locator_params(axis="x", nbins=7)  # longer numbers than these would touch
        axis.set_xlabel("points per deal, with the 95 % interval")
    for row, pair in enumerate(found):
        _estimate(left, row, pair["ppd"], pair["ci95"])
        for shift, role, colour in ((-0.19, "taker", "C1"), (0.19, "defender", "C2")):
            part = pair[f"as_{role}"]
            right.barh(
                row + shift,
                part["ppd"],
                0.34,
                color=colour,
                label=f"as {role}" if row == 0 else None,
                xerr=_errors(part["ppd"], part["ci95"]),
                error_kw={"ecolor": ink, "elinewidth": 1, "capsize": 2},
            )
    left.set_yticks(range(len(found)), [pair_label(pair) for pair in found])
    left.set_ylim(len(found) - 0.5, -0.7)
    left.set_title("all deals")
    right.set_title("parts made as taker and as defender")
    figure.legend(fontsize=8, loc="outside lower right", ncols=2)
    return figure


def bids(found: Sequence[Mapping[str, Any]]) -> Figure:
    """What the first agent of each pair answers in the auction, as shares, one row each."""
    figure, axis = _rows(len(found), 0.56)
    names = list(found[0]["bids"])
    left = np.zeros(len(found))
    order = ["C5", "C0", "C2", "C1", "C3", "C4"]
    for colour, name in zip(order, names, strict=False):
        widths = np.array([100 * pair["bids"].get(name, 0.0) for pair in found])
        label = name.replace("_", " ")
        axis.barh(range(len(found)), widths, 0.6, left=left, color=colour, label=label)
        left += widths
    axis.set_yticks(range(len(found)), [pair_label(pair) for pair in found])
    axis.set_xlim(0, 100)
    axis.set_xlabel("% of answers in the auction")
    axis.legend(ncols=len(names), fontsize=8, loc="lower left", bbox_to_anchor=(0, 1))
    return figure


def throughput(
    curves: Mapping[str, Sequence[tuple[int, float, float, float]]],
    levels: Mapping[str, float] | None = None,
) -> Figure:
    """Decisions per second over the number of tables, both on logarithmic axes.

    Args:
        curves: points of each curve: tables, median, smallest and largest of the repeats.
        levels: what has one table only, drawn across.
    """
    figure = Figure(figsize=(9.6, 4.6), layout="constrained")
    axis = figure.subplots()
    axis.set_xscale("log", base=2)
    axis.set_yscale("log")
    for index, (name, points) in enumerate(curves.items()):
        x, median, low, high = np.array(points).T
        colour = f"C{index}"
        axis.fill_between(x, low, high, color=colour, alpha=0.22, linewidth=0)
        axis.plot(x, median, color=colour, marker="o", markersize=4, label=name)
    for index, (name, level) in enumerate((levels or {}).items()):
        axis.axhline(level, color=f"C{5 - index}", linestyle="--", linewidth=1.2, label=name)
    sizes = sorted({point[0] for points in curves.values() for point in points})
    axis.set_xticks(sizes, [f"{size:,}" for size in sizes])
    axis.minorticks_off()
    axis.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    axis.set_xlabel("tables side by side")
    axis.set_ylabel("decisions per second")
    axis.legend(fontsize=8, loc="lower right")
    return figure
