"""Expectiles against their definition, on every small column and on large ones."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import polars as pl
import pytest

import noisewise as nws
from noisewise import Expectile, ParameterError, PureDP
from noisewise.hazmat import SeededBits
from tests.laws.score_laws import MISSING, ScoreLaws


def distance(tau: Fraction, v: Any, y: Fraction) -> Fraction:
    return (y - v) * (1 - tau if v <= y else tau)


def part(tau: Fraction, v: Any, y: Fraction) -> Fraction:
    return distance(tau, v, y) / max((1 - tau) * (y - 0), tau * (4 - y))


def naive(tau: Fraction, x: Sequence[Any]) -> Fraction:
    """The root of the sum of weighted distances, which is a line between two records that are next to each other."""

    def total(y: Fraction) -> Fraction:
        return sum((distance(tau, v, y) for v in x), Fraction(0))

    ends = sorted({Fraction(0), Fraction(4), *map(Fraction, x)})
    if total(ends[0]) >= 0:
        return ends[0]
    for left, right in pairwise(ends):
        if total(right) >= 0:
            return left - total(left) * (right - left) / (total(right) - total(left))
    raise AssertionError("no record is above the upper bound")


class TestMean(ScoreLaws):
    statistic = Expectile("1/2")
    part = staticmethod(lambda v, y: part(Fraction(1, 2), v, y))
    answer = staticmethod(lambda x: Fraction(sum(x), len(x)) if x else 0)
    domain = (0, 1, 2, 4)
    records = (MISSING, -3, 0.4, 2.6, 9)
    most = 3


class TestUpper(ScoreLaws):
    statistic = Expectile(0.9)
    part = staticmethod(lambda v, y: part(Fraction(9, 10), v, y))
    answer = staticmethod(lambda x: naive(Fraction(9, 10), x))
    domain = (0, 1, 2, 4)
    records = (MISSING, -3, 0.4, 2.6, 9)
    most = 3


class TestLower(ScoreLaws):
    """Shares and answers on lattices that have little in common."""

    statistic = Expectile("1/7")
    part = staticmethod(lambda v, y: part(Fraction(1, 7), v, y))
    answer = staticmethod(lambda x: naive(Fraction(1, 7), x))
    granularity = Fraction(1, 3)
    domain = (0, 1, 3, 4)
    records = (MISSING, -3, 1.5, 9)
    most = 3


def test_half_is_the_mean_by_the_same_law() -> None:
    x = np.random.default_rng(1).uniform(0, 100, 50)
    asked: Any = {"bounds": (0, 100), "epsilon": 1, "mechanism": "balance"}
    laws = [nws.hazmat.law(statistic, x, **asked) for statistic in (nws.Mean(), Expectile(0.5))]
    drawn = [law.draw(200, bits=SeededBits(3)).tolist() for law in laws]
    assert drawn[0] == drawn[1]


@pytest.mark.parametrize("neighbors", ["add_remove", "swap"])
@pytest.mark.parametrize("tau", [0.1, 0.5, 0.99])
def test_at_a_large_epsilon_it_is_the_expectile(neighbors: Any, tau: float) -> None:
    x = np.random.default_rng(1).lognormal(3, 0.5, 3000)
    release = nws.expectile(x, tau, bounds=(0, 200), epsilon=64, neighbors=neighbors)
    off = (np.where(x <= release.value, 1 - tau, tau) * (release.value - x)).sum()
    assert abs(off) < 200
    assert (release.law, release.privacy, release.statistic) == ("balance/1", PureDP(64), f"expectile({tau})")


@pytest.mark.parametrize("asked", [{}, {"granularity": Fraction(1, 3)}, {"neighbors": "swap"}])
def test_the_nearest_lines_draw_what_all_of_them_draw(asked: Any) -> None:
    x = np.random.default_rng(3).normal(40, 5, 600).round(2)
    asked = {"bounds": (0, 100), "epsilon": 3, **asked}
    every, some = (nws.hazmat.law(Expectile("1/3"), x, levels=levels, **asked) for levels in (10_000, 2))
    assert not every.score.more.any() and some.score.more.all()
    assert some.score.sizes[0] < every.score.sizes[0]
    draws = [law.draw(200, bits=SeededBits(1)).tolist() for law in (every, some)]
    assert draws[0] == draws[1]


def test_an_empty_column_answers_the_lower_bound() -> None:
    for data in ([], [None], ["x"]):
        law = nws.hazmat.law(Expectile(0.9), data, bounds=(2, 4), epsilon=1)
        assert law.centre * law.granularity == 2
        assert 2 <= nws.expectile(data, 0.9, bounds=(2, 4), epsilon=1).value <= 4


@pytest.mark.parametrize("bounds", [(0.1, 0.9), (-1e15, 1e15), (1e15, 1e15 + 8), (-1e-15, 1e-15)])
@pytest.mark.parametrize("tau", [1e-9, "1/3", Fraction(10**17, 10**17 + 1)])
@pytest.mark.parametrize("granularity", [None, Fraction(1, 3), 1e-12])
def test_whatever_can_be_asked_is_answered(bounds: Any, tau: Any, granularity: Any) -> None:
    try:
        nws.plan(Expectile(tau), bounds=bounds, epsilon=1, granularity=granularity)
    except ParameterError:
        return
    for data in ([], [0.3], [bounds[0], bounds[1], 0.5, 7, None]):
        value = nws.expectile(data, tau, bounds=bounds, epsilon=1, granularity=granularity).value
        assert bounds[0] <= value <= bounds[1]


def test_private_bounds() -> None:
    x = np.random.default_rng(1).normal(400, 50, 5000)
    assert abs(nws.expectile(x, 0.5, bounds="private", epsilon=20).value - 400) < 10


@pytest.mark.parametrize("tau", [0, 1, "1", 1.5, "x"])
def test_tau_is_between_zero_and_one(tau: Any) -> None:
    with pytest.raises(ParameterError, match=r"^tau must be "):
        nws.expectile([1], tau, bounds=(0, 1), epsilon=1)


def test_what_is_refused() -> None:
    with pytest.raises(ParameterError, match="tau must have at most 18 digits"):
        nws.expectile([1], Fraction(1, 10**18 + 1), bounds=(0, 1), epsilon=1)
    with pytest.raises(ParameterError, match='mechanism must be "auto" or "balance"'):
        nws.expectile([1], 0.5, bounds=(0, 1), epsilon=1, mechanism="piecewise_laplace")


def test_groups() -> None:
    frame = pl.DataFrame({"g": [0, 1] * 400, "x": [1.0, 3.0] * 400})
    groups = nws.Dataset(frame).group_by("g", keys=[0, 1, 2])
    release = groups.expectile("x", 0.5, bounds=(0, 4), epsilon=60)
    assert np.allclose(release.value[:2], [1, 3], atol=0.05)
    asked = nws.ask.expectile("x", 0.75, bounds=(0, 4), epsilon=60)
    both = nws.Dataset(frame).agg(a=asked, n=nws.ask.count(epsilon=1))
    assert abs(both["a"].value - 2.5) < 0.2
