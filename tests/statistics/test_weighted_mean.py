"""Weighted means against their definition, on every small dataset of rows."""

from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
import pytest

import noisewise as nws
from noisewise import ParameterError, PureDP, WeightedMean
from noisewise.audit.worlds import Dataset
from noisewise.planning.readings.read_law import read_law
from tests.kernel.laws.score_laws import MISSING, ScoreLaws

BOUNDS = ((0, 4), (0, 2))


def naive(rows: Dataset) -> Fraction:
    weight = sum(w for _, w in rows)
    return Fraction(sum(x * w for x, w in rows), weight) if weight else Fraction(0)


def part(row: Any, y: Fraction) -> Fraction:
    """Weight times distance from the answer, over the highest weight and the larger distance from a bound."""
    x, w = row
    return w * (y - x) / (2 * max(y - 0, 4 - y))


class TestWeightedMean(ScoreLaws):
    statistic = WeightedMean()
    part = staticmethod(part)
    answer = staticmethod(naive)
    bounds = BOUNDS
    domain = ((0, 1), (0, 2), (1, 0), (3, 2), (4, 1), (4, 2))
    records = ((MISSING, 1), (-3, 9), (0.4, 1.6), (2.5, 0.3), (7, -1), (9, 2))
    most = 3


@pytest.mark.parametrize("neighbors", ["add_remove", "swap"])
def test_at_a_large_epsilon_it_is_the_weighted_mean(neighbors: Any) -> None:
    rng = np.random.default_rng(1)
    x, weights = rng.uniform(0, 100, 3000), rng.integers(0, 5, 3000)
    release = nws.weighted_mean(
        x, weights, bounds=((0, 100), (0, 4)), epsilon=64, neighbors=neighbors, contributions=1
    )
    assert abs(release.value - np.average(x, weights=weights)) < 0.05
    assert (release.law, release.privacy) == ("balance/1", PureDP(64))


def test_large_sums_are_exact() -> None:
    rng = np.random.default_rng(2)
    x, weights = rng.uniform(-5, 100, 100_000), rng.uniform(0, 4, 100_000)
    ours = nws.simulate(WeightedMean(), (x, weights), bounds=((-5, 100), (0, 4)), epsilon=1)
    assert abs(ours.answer - np.average(x, weights=weights)) < 1e-6
    assert ours.expected_error < 0.01


@pytest.mark.parametrize("rows", [([], []), ([3, 4], [0, 0]), ([None, 4], [1, None])])
def test_without_weight_the_answer_is_the_lower_bound(rows: Any) -> None:
    law = nws.hazmat.law(WeightedMean(), rows, bounds=((2, 4), (0, 1)), epsilon=1, granularity=Fraction(1, 4))
    assert read_law(law).centre * law.granularity == 2


def test_a_row_counts_by_its_weight_alone() -> None:
    def law(*rows: Any) -> Any:
        x, weights = zip(*rows, strict=True)
        asked: Any = {"bounds": BOUNDS, "epsilon": 1, "granularity": Fraction(1, 4)}
        return read_law(nws.hazmat.law(WeightedMean(), (x, weights), **asked)).pmf(np.arange(0, 4.1, 0.25))

    assert np.array_equal(law((1, 2), (3, 0)), law((1, 1), (1, 1)))


def test_bounds_of_weights_begin_at_zero_or_above() -> None:
    with pytest.raises(ParameterError, match="the lower bound must be at least 0 for weights, got -1"):
        nws.weighted_mean([1], [1], bounds=((0, 1), (-1, 1)), epsilon=1)


@pytest.mark.parametrize("bounds", [((0.1, 0.9), (0, 1)), ((0.1, 0.9), (0.1, 0.3))])
@pytest.mark.parametrize("granularity", [1e-12, 0.1, Fraction(1, 3)])
def test_bounds_off_the_lattice(bounds: Any, granularity: Any) -> None:
    release = nws.weighted_mean(
        [0.1, 0.9] * 500, [0.2] * 1000, bounds=bounds, epsilon=64, granularity=granularity
    )
    assert abs(release.value - 0.5) <= max(float(granularity), 0.01)


def test_groups() -> None:
    frame = pl.DataFrame({"g": [0, 1] * 400, "x": [1.0, 3.0] * 400, "w": [1, 2] * 400})
    groups = nws.Dataset(frame).group_by("g", keys=[0, 1, 2])
    release = groups.weighted_mean("x", "w", bounds=BOUNDS, epsilon=60)
    assert np.allclose(release.value[:2], [1, 3], atol=0.05)
    assert 0 <= release.value[2] <= 4
    both = nws.Dataset(frame).agg(
        mean=nws.ask.weighted_mean("x", "w", bounds=BOUNDS, epsilon=60), n=nws.ask.count(epsilon=1)
    )
    assert abs(both["mean"].value - 7 / 3) < 0.05
