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
    return [name.removeprefix(f"{EVAL}/") for name in columns if name.startswith(f"{EVAL}/")]


def learning_curve(columns: Columns) -> Figure:
    """Points per deal against each opponent with its 95 % band, over decisions."""
    names = opponents(columns)
    figure, axes = _panels(len(names), 2, 3.1)
    for index, (axis, name) in enumerate(zip(axes, names, strict=True)):
        mean = columns[f"{EVAL}/{name}"]
        there = ~np.isnan(mean)
        x = columns["decisions"][there] / _decision_axis(axis, columns["decisions"])
        low, high = (
            columns.get(f"{EVAL}_{end}/{name}", np.full_like(mean, np.nan))[there]
            for end in ("low", "high")
        )
        axis.axhline(0, color=matplotlib.rcParams["axes.labelcolor"], linewidth=0.9)
        axis.fill_between(x, low, high, color=f"C{index}", alpha=0.22, linewidth=0)
        axis.plot(x, mean[there], color=f"C{index}", marker="o", markersize=3)
        axis.set_title(f"alone among {name}")
        axis.set_ylabel("points per deal")
    return figure


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
    single = [
        name
        for name in columns
        if name.startswith(("losses/", "charts/")) or name == "bids/made"
        if not np.isnan(columns[name]).all()
    ]
    return single, [name for name in columns if name.startswith("bids/") and name != "bids/made"]


def has_panels(columns: Columns) -> bool:
    """Whether there is anything to draw about the training itself."""
    return any(_panel_names(columns))


def training_panels(columns: Columns) -> Figure:
    """Losses, entropy, bid rates and throughput in small panels, over decisions."""
    single, bids = _panel_names(columns)
    figure, axes = _panels(len(single) + bool(bids), 3, 2.2)
    for axis in axes:
        axis.tick_params(labelsize=8)
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
        axes[-1].legend(fontsize=7, handlelength=1.2, labelspacing=0.2)
    return figure


def _line(
    axis: Axes, columns: Columns, name: str, colour: str = "C0", label: str | None = None
) -> None:
    there = ~np.isnan(columns[name])
    x = columns["decisions"][there] / _decision_axis(axis, columns["decisions"])
    axis.plot(x, columns[name][there], color=colour, label=label, linewidth=1.3)


Interval = Sequence[float | None]


def _errors(mean: float, ends: Interval) -> list[list[float]] | None:
    low, high = ends
    return None if low is None or high is None else [[mean - low], [high - mean]]


def _rows(figure_rows: int) -> tuple[Figure, Axes]:
    figure = Figure(figsize=(9.6, 1.1 + 0.42 * figure_rows), layout="constrained")
    axis = figure.subplots()
    axis.grid(visible=False, axis="y")
    axis.invert_yaxis()
    return figure, axis


def _short(agent: str) -> str:
    """An agent's text, its middle left out where it is long."""
    return agent if len(agent) <= 34 else f"{agent[:12]}…{agent[-21:]}"


def means(labels: Sequence[str], values: Sequence[tuple[float, Interval]], what: str) -> Figure:
    """Means with intervals, one row each."""
    figure, axis = _rows(len(labels))
    axis.axvline(0, color=matplotlib.rcParams["axes.labelcolor"], linewidth=0.9)
    for row, (mean, ends) in enumerate(values):
        axis.errorbar(mean, row, xerr=_errors(mean, ends), fmt="o", color="C0", capsize=4)
        _value(axis, mean, row)
    axis.set_yticks(range(len(labels)), [_short(label) for label in labels])
    axis.set_ylim(len(labels) - 0.5, -0.6)
    axis.margins(x=0.12)
    axis.set_xlabel(what)
    return figure


def _value(axis: Axes, mean: float, row: int) -> None:
    """Writes a mean above its point, on a patch of paper so that no line crosses it."""
    paper = {"facecolor": matplotlib.rcParams["axes.facecolor"], "edgecolor": "none", "pad": 0.8}
    axis.annotate(
        f"{mean:+.1f}",
        (mean, row),
        (0, 8),
        textcoords="offset points",
        ha="center",
        fontsize=8,
        bbox=paper,
    )


def pair_label(pair: Mapping[str, Any]) -> str:
    """How a pair is named beside a row."""
    return f"{_short(pair['a'])}\nalone among {_short(pair['b'])}"


def pairs(found: Sequence[Mapping[str, Any]]) -> Figure:
    """Points per deal of every ordered pair, and the parts made as taker and as defender."""
    figure = Figure(figsize=(9.6, 1.3 + 0.62 * len(found)), layout="constrained")
    left, right = figure.subplots(1, 2, sharey=True)
    ink = matplotlib.rcParams["axes.labelcolor"]
    for axis in (left, right):
        axis.axvline(0, color=ink, linewidth=0.9)
        axis.grid(visible=False, axis="y")
        axis.margins(x=0.12)
    for row, pair in enumerate(found):
        mean = pair["ppd"]
        left.errorbar(mean, row, xerr=_errors(mean, pair["ci95"]), fmt="o", color="C0", capsize=4)
        _value(left, mean, row)
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
    left.set_title("points per deal")
    right.set_title("made of these")
    right.legend(fontsize=8, loc="best")
    return figure


def bids(shares: Mapping[str, Mapping[str, float]]) -> Figure:
    """What each agent answers in the auction, as shares."""
    figure, axis = _rows(len(shares))
    names = list(next(iter(shares.values())))
    left = np.zeros(len(shares))
    order = ["C5", "C0", "C2", "C1", "C3", "C4"]
    for colour, name in zip(order, names, strict=False):
        widths = np.array([100 * answers.get(name, 0.0) for answers in shares.values()])
        axis.barh(
            range(len(shares)), widths, 0.6, left=left, color=colour, label=name.replace("_", " ")
        )
        left += widths
    axis.set_yticks(range(len(shares)), [_short(agent) for agent in shares])
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
