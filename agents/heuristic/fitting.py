"""Plain regression for the calibration, the logistic function, and results as text."""

from collections.abc import Mapping, Sequence

import numpy as np
from jaxtyping import Bool, Float64, Shaped

RIDGE = 4.0
"""Weight of the wish that a coefficient be 0, in squared standard deviations of its feature: what
few deals tell about stays small, and of features that tell the same each has its part."""
FEWEST = 100
"""Samples in which a feature must be other than usual; a rarer one tells nothing."""
LOGISTIC_RIDGE = 0.1
"""The same for log odds."""
NEWTON_STEPS = 25


def least_squares(
    x: Shaped[np.ndarray, "n f"], y: Shaped[np.ndarray, " n"]
) -> Float64[np.ndarray, " f"]:
    """The weights of the first column, which is 1, and of the others that fit `y` best."""
    scaled, scale = _scaled(x)
    penalty = RIDGE * np.eye(x.shape[1])
    penalty[0, 0] = 0
    found = np.linalg.lstsq(scaled.T @ scaled + penalty, scaled.T @ y, rcond=None)[0]
    return _unscaled(found, scale)


def without_rare(x: Shaped[np.ndarray, "n f"]) -> Shaped[np.ndarray, "n f"]:
    """Features, those at their usual value that hardly ever have another: they get no weight."""
    usual = np.median(x, axis=0)
    return np.where((x != usual).sum(0) < FEWEST, usual, x)


def logistic_regression(
    x: Shaped[np.ndarray, "n f"], y: Bool[np.ndarray, " n"]
) -> Float64[np.ndarray, " f"]:
    """The weights of the log odds of `y`, by Newton's method; the first column is 1."""
    scaled, scale = _scaled(x)
    found = np.zeros(x.shape[1])
    penalty = np.full(x.shape[1], LOGISTIC_RIDGE)
    penalty[0] = 1e-3
    for _ in range(NEWTON_STEPS):
        chance = logistic(scaled @ found)
        slope = scaled.T @ (y - chance) - penalty * found
        curve = (scaled * (chance * (1 - chance))[:, None]).T @ scaled + np.diag(penalty)
        found = found + np.linalg.solve(curve, slope)
    return _unscaled(found, scale)


def logistic(log_odds: Float64[np.ndarray, "*n"]) -> Float64[np.ndarray, "*n"]:
    """The chance that some log odds stand for."""
    return 1 / (1 + np.exp(-np.clip(log_odds, -30, 30)))


def _scaled(x: Shaped[np.ndarray, "n f"]) -> tuple[Float64[np.ndarray, "n f"], np.ndarray]:
    """Columns of mean 0 and standard deviation 1, but for the first; and (means, deviations)."""
    x = x.astype(np.float64)
    mean, deviation = x.mean(0), x.std(0)
    mean[0] = 0
    deviation[(deviation < 1e-9) | (np.arange(len(mean)) == 0)] = 1
    return (x - mean) / deviation, np.stack([mean, deviation])


def _unscaled(found: Float64[np.ndarray, " f"], scale: np.ndarray) -> Float64[np.ndarray, " f"]:
    mean, deviation = scale
    result: np.ndarray = found / deviation
    result[0] -= (result * mean).sum()
    return result


def table_text(name: str, values: Mapping[str, object]) -> str:
    """A table of the file: `[name]`, then a line for each value."""
    lines = [f"{key} = {_text(value)}" for key, value in values.items()]
    return "\n".join([f"[{name}]", *lines, ""])


def weights_text(name: str, names: Sequence[str], found: Float64[np.ndarray, " f"]) -> str:
    """A table of weights; what is 0 is left out."""
    rounded = [(key, value) for key, value in zip(names, found, strict=True) if abs(value) >= 5e-4]
    return table_text(name, dict(rounded))


def _text(value: object) -> str:
    if isinstance(value, list | tuple | np.ndarray):
        return "[" + ", ".join(_text(part) for part in value) + "]"
    return f"{float(value):.4g}" if abs(float(value)) < 1e4 else f"{float(value):.0f}"  # type: ignore[arg-type]
