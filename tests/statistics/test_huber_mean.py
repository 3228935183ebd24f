"""Huber's mean against its definition, on every small column and on large ones."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import polars as pl
import pytest

import noisewise as nws
from noisewise import HuberMean, ParameterError, PureDP
from noisewise.hazmat import SeededBits
from noisewise.planning.readings.read_law import read_law
from noisewise.statistics.huber_mean import ClippedSum, SharedSteps
from tests.kernel.laws.score_laws import MISSING, ScoreLaws


def part(c: Any, v: Any, y: Fraction) -> Fraction:
    return min(max((y - v) / Fraction(c), Fraction(-1)), Fraction(1))


def naive(c: Any, x: Sequence[Any]) -> Fraction:
    """The least y between 0 and 4 with all cut off distances together at least 0, from line to line."""

    def total(y: Fraction) -> Fraction:
        return sum((part(c, v, y) for v in x), Fraction(0))

    ends = sorted(
        {min(max(Fraction(v) + s * Fraction(c), Fraction(0)), Fraction(4)) for v in x for s in (-1, 1)}
    )
    ends = [Fraction(0), *ends, Fraction(4)]
    if total(Fraction(0)) >= 0:
        return Fraction(0)
    for left, right in pairwise(ends):
        if total(right) >= 0:
            return left - total(left) * (right - left) / (total(right) - total(left))
    raise AssertionError("no record is above the upper bound")


class TestOne(ScoreLaws):
    statistic = HuberMean(1)
    part = staticmethod(lambda v, y: part(1, v, y))
    answer = staticmethod(lambda x: naive(1, x))
    domain = (0, 1, 2, 4)
    records = (MISSING, -3, 0.4, 2.6, 9)


class TestBetweenSteps(ScoreLaws):
    """Constant and answers on lattices that have little in common."""

    statistic = HuberMean(Fraction(5, 4))
    part = staticmethod(lambda v, y: part("5/4", v, y))
    answer = staticmethod(lambda x: naive("5/4", x))
    granularity = Fraction(1, 3)
    domain = (0, 1, 3, 4)
    records = (MISSING, -3, 1.5, 9)
    most = 3


class TestLikeAMean(ScoreLaws):
    """Nothing is cut off: a constant above the width of the bounds is that width."""

    statistic = HuberMean(8)
    part = staticmethod(lambda v, y: part(4, v, y))
    answer = staticmethod(lambda x: Fraction(sum(x), len(x)) if x else 0)
    domain = (0, 1, 4)
    records = (MISSING, 0.4, 9)
    least_spent = (0.5, 0.5)


@pytest.mark.parametrize("neighbors", ["add_remove", "swap"])
@pytest.mark.parametrize("bounds", [(0, 100), (-1e9, 1e9)])
def test_at_a_large_epsilon_it_is_hubers_mean(neighbors: Any, bounds: Any) -> None:
    x = np.concatenate([np.random.default_rng(1).normal(40, 5, 3000), [99.0] * 300])
    release = nws.huber_mean(x, 7.5, bounds=bounds, epsilon=64, neighbors=neighbors)
    assert abs(np.clip((release.value - x) / 7.5, -1, 1).sum()) < 1
    assert (release.law, release.privacy, release.statistic) == ("balance/1", PureDP(64), "huber_mean(7.5)")


def test_loose_bounds_cost_next_to_nothing() -> None:
    x = np.random.default_rng(2).normal(40, 5, 200)
    near, far = (
        nws.simulate(HuberMean(7.5), x, bounds=bounds, epsilon=1).expected_error
        for bounds in ((0, 100), (-1e8, 1e8))
    )
    mean = nws.simulate(nws.Mean(), x, bounds=(-1e8, 1e8), epsilon=1).expected_error
    assert far < 1.01 * near < 0.001 * mean


@pytest.mark.parametrize(
    "asked", [{}, {"granularity": Fraction(1, 3)}, {"neighbors": "swap"}, {"contributions": 3}]
)
def test_the_nearest_lines_draw_what_all_of_them_draw(asked: Any) -> None:
    x = np.random.default_rng(3).normal(40, 5, 1500).round(2)
    asked = {"bounds": (0, 100), "epsilon": 1, **asked}
    every, nearest = (nws.hazmat.law(HuberMean(6), x, levels=levels, **asked) for levels in (10_000, None))
    some = nws.hazmat.law(HuberMean(6), x, levels=2, **asked)
    assert not every.score.more.any() and nearest.score.more.all() and some.score.more.all()
    assert some.score.sizes[0] < nearest.score.sizes[0] < every.score.sizes[0]
    draws = [law.draw(300, bits=SeededBits(1)).tolist() for law in (every, nearest, some)]
    assert draws[0] == draws[1] == draws[2]


@pytest.mark.parametrize(("reach", "scale"), [(7, 1), (7, 6), (2**30, 1), (2**20, 10**9), (10**40, 3)])
def test_sums_are_those_of_python(reach: int, scale: int) -> None:
    """Positions beyond 64 bits among them, and sums of records that overflow."""
    rng = np.random.default_rng(reach % 97)
    near = 2**51 + rng.integers(0, min(reach, 2**30), 40) if reach > 100 else rng.integers(0, 30, 40)
    records = np.sort(np.append(near, [0, 2**52]))
    width = 2**52 * scale + 5
    ours = ClippedSum(records, SharedSteps(2, scale, 0, width, 3, (0, 1)), reach)
    breaks = ours.breaks(0, width).tolist()
    meant = {scale * v + 3 + side * scale * reach for v in records.tolist() for side in (-1, 1)}
    assert breaks == sorted(p for p in meant if 0 < p < width)
    at = [0, 1, width, *breaks, *(p + 1 for p in breaks), *(scale * v + 1 for v in near.tolist())]
    truth = [
        sum(min(max(p - 3 - scale * v, -scale * reach), scale * reach) for v in records.tolist()) for p in at
    ]
    assert ours.at(np.array(at, object)).tolist() == truth


def test_an_empty_column_answers_the_lower_bound() -> None:
    for data in ([], [None], ["x"]):
        law = nws.hazmat.law(HuberMean(1), data, bounds=(2, 4), epsilon=1)
        assert read_law(law).centre * law.granularity == 2
        assert 2 <= nws.huber_mean(data, 1, bounds=(2, 4), epsilon=1).value <= 4


@pytest.mark.parametrize("bounds", [(0.1, 0.9), (-1e15, 1e15), (1e15, 1e15 + 8), (0, 1e-300)])
@pytest.mark.parametrize("c", [1e-301, 0.1, 3, 1e18])
@pytest.mark.parametrize("granularity", [None, Fraction(1, 3), 1e-12])
def test_whatever_can_be_asked_is_answered(bounds: Any, c: float, granularity: Any) -> None:
    try:
        nws.plan(HuberMean(c), bounds=bounds, epsilon=1, granularity=granularity)
    except ParameterError:
        return
    for data in ([], [0.3], [bounds[0], bounds[1], 0.5, 7, None]):
        value = nws.huber_mean(data, c, bounds=bounds, epsilon=1, granularity=granularity).value
        assert bounds[0] <= value <= bounds[1]


def test_private_bounds() -> None:
    x = np.random.default_rng(1).normal(400, 50, 5000)
    assert abs(nws.huber_mean(x, 75, bounds="private", epsilon=20).value - 400) < 10


def test_what_is_refused() -> None:
    with pytest.raises(ParameterError, match=r"^c must be above 0, got 0"):
        nws.huber_mean([1], 0, bounds=(0, 1), epsilon=1)
    with pytest.raises(
        ParameterError, match=r"^c must be at least .* between these bounds, got 0.001; narrow them"
    ):
        nws.huber_mean([1], 0.001, bounds=(0, 1e12), epsilon=1)
    with pytest.raises(ParameterError, match='mechanism must be "auto" or "balance"'):
        nws.huber_mean([1], 1, bounds=(0, 1), epsilon=1, mechanism="laplace")


def test_groups() -> None:
    frame = pl.DataFrame({"g": [0, 1] * 400, "x": [1.0, 3.0] * 400})
    groups = nws.Dataset(frame).group_by("g", keys=[0, 1, 2])
    release = groups.huber_mean("x", 1.5, bounds=(0, 4), epsilon=60)
    assert release.frame.columns == ["g", "huber_mean_1.5_x"]
    assert np.allclose(release.value[:2], [1, 3], atol=0.05)
    both = nws.Dataset(frame).agg(
        a=nws.ask.huber_mean("x", 9, bounds=(0, 4), epsilon=60), n=nws.ask.count(epsilon=1)
    )
    assert abs(both["a"].value - 2) < 0.2
