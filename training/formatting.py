"""Numbers as a person reads them."""

from collections.abc import Sequence


def number(value: float | None, digits: int = 2) -> str:
    """A signed number, or a dash where it is not known."""
    return "–" if value is None else f"{value:+.{digits}f}"


def share(value: float | None) -> str:
    """A share in per cent, or a dash where it is not known."""
    return "–" if value is None else f"{100 * value:.1f} %"


def interval(ends: Sequence[float | None]) -> str:
    """The ends of an interval, `[-1.20, +3.40]`, or a dash where they are not known."""
    low, high = ends
    return "–" if low is None or high is None else f"[{number(low)}, {number(high)}]"


def plus_minus(mean: float, ends: tuple[float | None, float | None]) -> str:
    """A mean with half the width of its interval, `+25.12 ± 3.10`."""
    low, high = ends
    half = "–" if low is None or high is None else f"{(high - low) / 2:.2f}"
    return f"{number(mean)} ± {half}"


def milliseconds(microseconds: float) -> str:
    """A time per decision in milliseconds, fine enough for the fastest agents."""
    value = microseconds / 1000
    return f"{value:,.1f}" if value >= 10 else f"{value:.4f}"
