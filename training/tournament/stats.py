"""Means with intervals, where the unit is the deal.

Games on the same deal are not independent, so each deal is first reduced to one value (a block or
cluster) and the interval is taken over deals: Student's t on the mean of independent blocks, and
the linearised ratio estimator for "per game of a kind" (Cochran, Sampling Techniques, chapters 6
and 9). Knows nothing of cards.
"""

import math
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float64, Integer
from scipy import stats

CONFIDENCE = 0.95
"""Share of intervals that hold the true mean."""


@dataclass(frozen=True)
class Estimate:
    """A mean with its interval; nan where there is too little to tell."""

    mean: float
    low: float
    high: float

    @property
    def interval(self) -> tuple[float | None, float | None]:
        """Lower and upper end, None for an end that is unknown."""
        return known(self.low), known(self.high)


def known(value: float) -> float | None:
    """The value, or None for nan, as JSON wants it."""
    return None if math.isnan(value) else value


def mean_interval(values: Float64[np.ndarray, " d"]) -> Estimate:
    """The mean over deals, of one value per deal, with its t-interval."""
    if not len(values):
        return Estimate(math.nan, math.nan, math.nan)
    return _t_interval(float(np.mean(values)), values - np.mean(values))


def ratio_interval(
    totals: Float64[np.ndarray, " d"], counts: Integer[np.ndarray, " d"]
) -> Estimate:
    """Points per game where each deal holds a varying number of games.

    The estimate is sum(totals) / sum(counts); its variance is that of the residuals
    `totals - ratio * counts` over deals, divided by the squared mean count.

    Args:
        totals: points of each deal, over its games of the kind in question.
        counts: how many such games each deal has, 0 allowed.
    """
    games = int(counts.sum())
    if not games:
        return Estimate(math.nan, math.nan, math.nan)
    ratio = float(totals.sum() / games)
    residuals = (totals - ratio * counts) * (len(counts) / games)
    return _t_interval(ratio, residuals)


def _t_interval(mean: float, residuals: Float64[np.ndarray, " d"]) -> Estimate:
    deals = len(residuals)
    if deals < 2:
        return Estimate(mean, math.nan, math.nan)
    error = math.sqrt(float((residuals**2).sum()) / (deals - 1) / deals)
    half = float(stats.t.ppf((1 + CONFIDENCE) / 2, deals - 1)) * error
    return Estimate(mean, mean - half, mean + half)


def additive_ratings(values: Float64[np.ndarray, "k k d"]) -> list[Estimate]:
    """Least-squares ratings in points of K entrants, with intervals over deals.

    The model says that `i`, alone among `j`s, earns `rating[i] - rating[j]`. Every ordered pair
    plays every deal, so least squares has the closed form
    `rating[i] = sum over j of (values[i, j] - values[j, i]) / 2K`, with sum 0. It is linear in the
    deals: each deal has its own ratings, and the interval is that of their mean.

    Args:
        values: points of `i` per game on each deal, alone among `j`s; the diagonal is not read.
    """
    entrants = values.shape[0]
    off = values * ~np.eye(entrants, dtype=bool)[:, :, None]
    by_deal = (off - off.swapaxes(0, 1)).sum(1) / (2 * entrants)
    return [mean_interval(row) for row in by_deal]
