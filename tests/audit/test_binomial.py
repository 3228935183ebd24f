"""Confidence bounds are those of Clopper and Pearson, rounded to the safe side."""

from fractions import Fraction

import pytest

from noisewise.audit.binomial import lower_bound, upper_bound
from noisewise.planning.readings.read_law import read_law
from tests.lazy_module import LazyModule

stats = LazyModule("scipy.stats")


@pytest.mark.parametrize(
    ("count", "draws"), [(0, 10), (1, 10), (10, 10), (37, 1000), (20_000, 50_000), (3, 10**6)]
)
@pytest.mark.parametrize("miss", [Fraction(1, 20), Fraction(1, 10**9)])
def test_the_bounds_are_those_of_clopper_and_pearson(count, draws, miss):
    low, high = float(lower_bound(count, draws, miss)), float(upper_bound(count, draws, miss))
    truly_low = stats.beta.ppf(float(miss), count, draws - count + 1) if count else 0.0
    truly_high = stats.beta.isf(float(miss), count + 1, draws - count) if count < draws else 1.0
    assert low <= truly_low * (1 + 1e-9) and high >= truly_high * (1 - 1e-9)
    assert low == pytest.approx(truly_low, rel=1e-3, abs=1e-9)
    assert high == pytest.approx(truly_high, rel=1e-3, abs=1e-9)


def test_a_bound_holds_as_often_as_it_says():
    """For all possible counts, in exact arithmetic."""
    draws, chance, miss = 60, 0.3, Fraction(1, 20)
    wrong = sum(
        read_law(stats.binom).pmf(count, draws, chance)
        for count in range(draws + 1)
        if lower_bound(count, draws, miss) > chance
    )
    assert 0.005 < wrong <= 0.05
