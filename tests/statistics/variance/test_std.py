"""Standard deviations: roots of variances, floored as integers."""

import math
from fractions import Fraction

import numpy as np
import pytest

from noisewise import hazmat
from noisewise.audit.nesting import is_monotone, nests_in
from noisewise.audit.worlds import Dataset
from noisewise.questions.functions.spread import std
from noisewise.statistics.variance import variance as module
from noisewise.statistics.variance.std import Std
from noisewise.statistics.variance.variance import Variance
from tests.kernel.laws.statistic_laws import StatisticLaws


def naive(x: Dataset) -> Fraction:
    """The variance; its root is taken by the floor below."""
    mean = Fraction(sum(x), max(len(x), 1))
    return sum(((v - mean) ** 2 for v in x), Fraction(0)) / max(len(x), 1)


class RootLaws(StatisticLaws):
    """``answer`` is the square of the answer, which is a fraction."""

    answer = staticmethod(naive)
    exact = False
    granularities = (1, Fraction(1, 2), Fraction(1, 5))
    most = 3

    def floor(self, value, granularity):
        return math.isqrt(math.floor(value / Fraction(granularity) ** 2))


class TestStd(RootLaws):
    statistic = Std()


class TestBound(RootLaws):
    statistic = Std(exact=False)
    bounds = (-1, 3)
    domain = (-1, 0, 1, 3)
    records = (-99.0, -0.4, 1.5, 9.0)


class TestJoint(RootLaws):
    statistic = Std()
    bounds = (0, 1)
    domain = (0, 1)
    records = (-99.0, 0.0, 1.0)
    granularities = (Fraction(1, 4), Fraction(1, 12), Fraction(1, 7))
    most = 5
    levels = 6

    @pytest.fixture(autouse=True)
    def early_joint(self, monkeypatch):
        monkeypatch.setattr(module, "EXACT_UPPER", 2)
        monkeypatch.setattr(module, "EXACT_LOWER", 3)


def envelope(statistic, x, relation, granularity, bounds=(0, 10)):
    return hazmat.law(
        statistic,
        x,
        bounds=bounds,
        epsilon=1,
        granularity=granularity,
        neighbors=relation,
        mechanism="piecewise_laplace",
        levels=60,
    ).envelope


@pytest.mark.parametrize("relation", ["add_remove", "swap"])
@pytest.mark.parametrize("exact", [True, False])
def test_levels_are_the_roots_of_the_variance(relation, exact):
    """On a lattice of the squares so fine that their floor leaves the floored root as it is."""
    x = np.random.default_rng(0).gamma(2, 1, 150)
    roots = envelope(Std(exact=exact), x, relation, Fraction(1, 100))
    squares = envelope(Variance(exact=exact), x, relation, Fraction(1, 10**4 * 2**20))
    assert roots.upper.tolist() == [math.isqrt(int(v) >> 20) for v in squares.upper]
    assert roots.lower.tolist() == [math.isqrt(int(v) >> 20) for v in squares.lower]


@pytest.mark.parametrize("relation", ["add_remove", "swap"])
def test_neighbours_nest_where_floats_would_not(relation):
    rng = np.random.default_rng(1)
    for _ in range(10):
        x = rng.gamma(2, 1, 200)
        y = np.append(x[1:], rng.choice([0, 10, x.mean()])) if relation == "swap" else x[1:]
        one, two = (envelope(Std(), data, relation, None) for data in (x, y))
        assert is_monotone(one) and nests_in(one, two) and nests_in(two, one)


def test_the_root_is_exact():
    """isqrt, not sqrt: a variance that is the square of an answer is that answer, and a hair less is one step less."""
    root, answers = 2**40 - 12345, Std().frame((0, 2), Fraction(1, 2**40)).answers
    squares = [(root**2, 2**80), (root**2 * 2**80 - 1, 2**160)]
    assert Std().floors(squares, Fraction(1), answers) == [root, root - 1]


@pytest.mark.parametrize("n", [1, 2, 3, 10])
def test_sensitivity_when_records_are_swapped(n):
    """sqrt(n-1)/n ranges: from n equal records to one of them moved across."""
    statistic = Std()
    frame = statistic.frame((0, 2), Fraction(1, 1000))
    least = next(k for k in range(1, 2000) if (k * n) ** 2 >= 4_000_000 * (n - 1))
    assert statistic.sensitivity(frame, "swap", lambda: n) == min(least, 1000)
    assert statistic.sensitivity(frame, "add_remove", lambda: n) == 1000


@pytest.mark.parametrize("bounds", [(0, 1e300), (0, 1e-200), (-5, 1e-3)])
def test_bounds_of_any_size(bounds):
    found = envelope(Std(), [bounds[0]] * 3 + [bounds[1]] * 2, "add_remove", None, bounds)
    assert is_monotone(found)
    assert found.level(60) == found.support


def test_the_answer_is_the_population_standard_deviation():
    x = np.random.default_rng(1).normal(50, 10, 100_000)
    law = hazmat.law(Std(), x, bounds=(0, 100), epsilon=1)
    assert law.envelope.level(0)[0] * law.granularity == pytest.approx(np.std(np.clip(x, 0, 100)), rel=1e-7)


def test_the_function_is_the_statistic():
    found = std([1, 2, 3, 4], bounds=(0, 10), epsilon=1, granularity=1)
    assert found.statistic == "std" == str(Std())
    assert found.value in range(6)
