"""Ratios and rates against their definition, on every small dataset of rows."""

from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
import pytest

import noisewise as nws
from noisewise import ParameterError, PureDP, Rate, Ratio
from noisewise.audit.worlds import Dataset
from noisewise.planning.readings.read_law import read_law
from tests.kernel.laws.score_laws import MISSING, ScoreLaws

CEILING = 4


def naive(rows: Dataset) -> Fraction:
    top, bottom = sum(u for u, _ in rows), sum(v for _, v in rows)
    if bottom == 0:
        return Fraction(CEILING if top else 0)
    return Fraction(top, bottom)


def part(row: Any, y: Fraction) -> Fraction:
    """With U = 3 and V = 2: the odds times v/V less u/U, over what keeps it within one."""
    u, v = row
    odds = y * 2 / 3
    return (odds * Fraction(v, 2) - Fraction(u, 3)) / max(odds, 1)


class TestRatio(ScoreLaws):
    statistic = Ratio(CEILING)
    part = staticmethod(part)
    answer = staticmethod(naive)
    bounds = ((0, 3), (0, 2))
    domain = ((0, 0), (0, 1), (0, 2), (1, 2), (3, 0), (3, 2))
    records = ((MISSING, 1), (-3, 9), (0.4, 1.6), (2.5, 0.3), (7, -1), (9, 2))
    most = 3


class TestLowCeiling(ScoreLaws):
    """A ceiling below the ratio of the upper bounds."""

    statistic = Ratio(1)
    part = staticmethod(part)
    answer = staticmethod(naive)
    bounds = ((0, 3), (0, 2))
    granularity = Fraction(1, 6)
    domain = ((0, 0), (0, 2), (1, 2), (3, 0), (3, 2))
    records = ((MISSING, 1), (-3, 9), (2.5, 0.3), (9, 2))
    most = 3


class TestRate(ScoreLaws):
    """Events per three units of exposure."""

    statistic = Rate(3, CEILING)
    part = staticmethod(lambda row, y: part(row, y / 3))
    answer = staticmethod(lambda rows: 3 * naive(rows))
    bounds = ((0, 3), (0, 2))
    domain = ((0, 0), (0, 2), (1, 2), (3, 0), (3, 2))
    records = ((MISSING, 1), (-3, 9), (2.5, 0.3), (9, 2))
    most = 3


@pytest.mark.parametrize("neighbors", ["add_remove", "swap"])
def test_at_a_large_epsilon_it_is_the_ratio(neighbors: Any) -> None:
    rng = np.random.default_rng(1)
    u, v = rng.uniform(0, 500, 3000), rng.integers(0, 9, 3000)
    release = nws.ratio(u, v, bounds=((0, 500), (0, 8)), epsilon=64, neighbors=neighbors)
    assert abs(release.value - u.sum() / v.sum()) < 0.05
    assert (release.law, release.privacy, release.statistic) == ("balance/1", PureDP(64), "ratio")
    per = nws.rate(v, u, per=1000, bounds=((0, 8), (0, 500)), epsilon=64, neighbors=neighbors)
    assert abs(per.value - 1000 * v.sum() / u.sum()) < 0.02
    assert per.statistic == "rate(per=1000)"


def test_bounds_that_fit_badly_still_give_a_ratio() -> None:
    """The denominators are a hundredth of what the bounds allow; the ceiling is far away."""
    u, v = np.full(2000, 300.0), np.full(2000, 0.1)
    release = nws.ratio(u, v, bounds=((0, 500), (0, 10)), epsilon=64)
    assert abs(release.value - 3000) < 100
    assert nws.ratio(u, v, bounds=((0, 500), (0, 10)), epsilon=64, ceiling=50).value == 50


@pytest.mark.parametrize("rows", [([], []), ([0, 0], [0, 0]), ([0, 0], [1, 2]), ([None, 4], [1, None])])
def test_nothing_is_zero(rows: Any) -> None:
    assert nws.hazmat.law(Ratio(), rows, bounds=(0, 4), epsilon=1).centre == 0


def test_without_a_denominator_it_is_the_ceiling() -> None:
    law = nws.hazmat.law(Ratio(), ([1], [0]), bounds=(0, 4), epsilon=1)
    assert read_law(law).centre * law.granularity == 1024


@pytest.mark.parametrize(
    "bounds",
    [((0, 0.7), (0.1, 0.3)), ((0.2, 1e9), (0, 1e-9)), ((0, 1), (0, 10**12)), ((0, 1e45), (0, 1e-44))],
)
@pytest.mark.parametrize("granularity", [None, Fraction(1, 3), Fraction(10**37, 10**37 + 1)])
@pytest.mark.parametrize("ceiling", [None, 7, 1e-89, 1e89])
def test_whatever_can_be_asked_is_answered(bounds: Any, granularity: Any, ceiling: Any) -> None:
    statistic, asked = Rate(Fraction(10**18, 7), ceiling), {"bounds": bounds, "granularity": granularity}
    try:
        nws.plan(statistic, epsilon=1, **asked)
    except ParameterError:
        return
    for rows in (([], []), ([0.1], [0.2]), ([0.1] * 9, [1e300] * 9), ([1e300] * 9, [0] * 9)):
        assert nws.release(statistic, rows, epsilon=1, **asked).value >= 0


def test_what_is_refused() -> None:
    asked: Any = {"bounds": (0, 1), "epsilon": 1}
    with pytest.raises(ParameterError, match=r"^the lower bound must be at least 0 for denominator, got -1"):
        nws.ratio([1], [1], bounds=((0, 1), (-1, 1)), epsilon=1)
    with pytest.raises(ParameterError, match=r"^the lower bound must be at least 0 for events, got -1"):
        nws.rate([1], [1], bounds=((-1, 1), (0, 1)), epsilon=1)
    with pytest.raises(ParameterError, match=r"^ceiling must be above 0, got 0"):
        nws.ratio([1], [1], ceiling=0, **asked)
    with pytest.raises(ParameterError, match=r"^per must be above 0, got -2"):
        nws.rate([1], [1], per=-2, **asked)
    with pytest.raises(ParameterError, match="upper bounds must be between 1e-90 and 1e90, got about 1e-600"):
        nws.ratio([1], [1], bounds=((0, 1e-300), (0, 1e300)), epsilon=1)
    with pytest.raises(ParameterError, match="the ceiling must be between 1e-90 and 1e90, got about 1e100"):
        nws.ratio([1], [1], ceiling=1e100, **asked)
    with pytest.raises(ParameterError, match="per must have at most 19 digits"):
        nws.rate([1], [1], per=Fraction(1, 10**20), **asked)


def test_names() -> None:
    assert (str(Ratio()), str(Ratio(7)), str(Rate())) == ("ratio", "ratio(ceiling=7)", "rate")
    assert str(Rate(1000, 0.5)) == "rate(per=1000, ceiling=0.5)"
    assert Ratio(7) == Ratio(Fraction(7)) != Rate(1, 7)


def test_groups() -> None:
    frame = pl.DataFrame({"g": [0, 1] * 400, "u": [1.0, 3.0] * 400, "v": [1, 2] * 400})
    groups = nws.Dataset(frame).group_by("g", keys=[0, 1, 2])
    release = groups.ratio("u", "v", bounds=((0, 3), (0, 2)), epsilon=60)
    assert np.allclose(release.value[:2], [1, 1.5], atol=0.05)
    both = nws.Dataset(frame).agg(
        rate=nws.ask.rate("u", "v", per=10, bounds=((0, 3), (0, 2)), epsilon=60), n=nws.ask.count(epsilon=1)
    )
    assert abs(both["rate"].value - 40 / 3) < 0.2
