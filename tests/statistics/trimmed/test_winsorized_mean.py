"""Winsorized means against their naive definition; what they share with trimmed means is tested there."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from noisewise.audit.worlds import Dataset
from noisewise.hazmat import law
from noisewise.questions.functions.means import winsorized_mean
from noisewise.statistics.trimmed.winsorized_mean import WinsorizedMean
from tests.kernel.laws.statistic_laws import StatisticLaws
from tests.statistics.neighbourhood import (
    RELATIONS,
    check_best_over_all_kept,
)


def naive(alpha: Any, x: Dataset) -> Fraction:
    """Sort, pull the floor(alpha*n) records at each end in to the next one, average."""
    cut, ordered = Fraction(alpha) * len(x) // 1, sorted(x)
    if not x:
        return Fraction(0)
    low, high = ordered[cut], ordered[len(x) - cut - 1]
    return Fraction(sum(min(max(v, low), high) for v in x)) / len(x)


class TestTenth(StatisticLaws):
    """Pulls in nobody of so few records: the mean."""

    statistic = WinsorizedMean(0.1)
    answer = staticmethod(lambda x: naive("1/10", x))
    most = 2


class TestQuarter(StatisticLaws):
    statistic = WinsorizedMean(0.25)
    answer = staticmethod(lambda x: naive("1/4", x))


class TestNearlyHalf(StatisticLaws):
    """Of three records, three times the middle one."""

    statistic = WinsorizedMean(0.49)
    answer = staticmethod(lambda x: naive("49/100", x))
    domain = (0, 1, 4)
    records = (-99.0, 0.4, 2.6, 9.0)
    most = 4


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("alpha", ["1/10", "1/4", "2/5"])
def test_levels_are_the_best_over_all_that_can_be_kept(relation: str, alpha: str) -> None:
    check_best_over_all_kept(WinsorizedMean(alpha), lambda x: naive(alpha, x), relation)


@pytest.mark.parametrize("neighbors", RELATIONS)
@pytest.mark.parametrize("n", [1, 2, 99, 70_000])
def test_the_centre_of_large_data_at_the_default_granularity(neighbors: str, n: int) -> None:
    x = np.random.default_rng(n).integers(0, 10**6, n)
    ours = law(
        WinsorizedMean("0.07"),
        x,
        bounds=(0, 10**6),
        epsilon=1,
        neighbors=neighbors,
        mechanism="piecewise_laplace",
    )
    exact = naive("7/100", tuple(x.tolist()))
    assert ours.envelope.level(0) == (exact / ours.granularity // 1,) * 2


def test_ends_count_in_full() -> None:
    ours = law(WinsorizedMean("1/4"), [0, 10, 20, 90], bounds=(0, 100), epsilon=1, granularity=1)
    assert ours.envelope.level(0) == (15, 15)


def test_names() -> None:
    assert str(WinsorizedMean(0.1)) == "winsorized_mean(0.1)"
    asked = winsorized_mean([1, 2, 3], 0.25, bounds=(0, 4), epsilon=1)
    assert asked.statistic == "winsorized_mean(0.25)"
