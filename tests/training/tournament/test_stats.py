"""Intervals: literals, and how often they hold the truth."""

import math

import numpy as np
import pytest

from training.tournament.stats import additive_ratings, mean_interval, ratio_interval


def test_mean_interval_against_a_table_of_t():
    found = mean_interval(np.array([1.0, 2.0, 3.0, 4.0]))
    error = math.sqrt(5 / 3 / 4)
    assert found.mean == 2.5
    assert found.high - 2.5 == pytest.approx(3.182446 * error, abs=1e-5)
    assert 2.5 - found.low == pytest.approx(3.182446 * error, abs=1e-5)


def test_one_value_has_no_interval():
    found = mean_interval(np.array([3.0]))
    assert found.mean == 3.0
    assert found.interval == (None, None)
    assert math.isnan(mean_interval(np.zeros(0)).mean)


def test_mean_interval_covers_95_percent():
    rng = np.random.default_rng(1)
    draws = rng.exponential(2.0, (2000, 60)) - 2.0
    ends = [mean_interval(values) for values in draws]
    covered = np.mean([end.low <= 0 <= end.high for end in ends])
    assert 0.92 < covered < 0.965


def _clustered(rng, deals):
    """Games of deals: 0 to 4 games with a shared effect of the deal; the true mean is 5."""
    counts = rng.integers(0, 5, deals)
    effect = rng.normal(0, 10, deals)
    noise = rng.normal(0, 3, deals) * np.sqrt(counts)
    return counts * (5.0 + effect) + noise, counts


def test_ratio_interval_covers_95_percent_where_games_of_a_deal_go_together():
    rng = np.random.default_rng(2)
    ends = [ratio_interval(*_clustered(rng, 80)) for _ in range(2000)]
    covered = np.mean([end.low <= 5 <= end.high for end in ends])
    assert 0.92 < covered < 0.965


def test_ratio_with_equal_counts_is_the_mean():
    values = np.random.default_rng(3).normal(2, 1, 40)
    ratio, mean = ratio_interval(values * 4, np.full(40, 4)), mean_interval(values)
    assert ratio.mean == pytest.approx(mean.mean)
    assert ratio.high == pytest.approx(mean.high)


def test_ratio_without_games_is_unknown():
    assert ratio_interval(np.zeros(3), np.zeros(3, int)).interval == (None, None)


def test_additive_ratings_find_true_strengths_and_agree_with_least_squares():
    rng = np.random.default_rng(4)
    strength = np.array([30.0, 5.0, -35.0])
    values = strength[:, None, None] - strength[None, :, None] + rng.normal(0, 20, (3, 3, 400))
    found = additive_ratings(values)
    for rating, true in zip(found, strength, strict=True):
        assert rating.low < true < rating.high
    pairs = [(i, j) for i in range(3) for j in range(3) if i != j]
    design = np.array([np.eye(3)[i] - np.eye(3)[j] for i, j in pairs])
    means = np.array([values[i, j].mean() for i, j in pairs])
    solved = np.linalg.lstsq(design, means, rcond=None)[0]
    assert [rating.mean for rating in found] == pytest.approx(list(solved))
