"""Variances and standard deviations against their naive definition, on every small dataset, and across the joint.

A standard deviation is the root of a variance, floored as an integer.
"""

import math
from fractions import Fraction

import numpy as np
import pytest

from noisewise import ParameterError, ParameterTypeError, hazmat
from noisewise.audit.nesting import is_monotone, nests_in
from noisewise.audit.worlds import Dataset, World
from noisewise.questions.functions.spread import std, variance
from noisewise.statistics.variance import variance as module
from noisewise.statistics.variance.variance import Std, Variance
from noisewise.tables.columns import ArrayColumn
from tests.kernel.laws.statistic_laws import StatisticLaws

RELATIONS = ["add_remove", "swap"]


def naive(x: Dataset) -> Fraction:
    """The mean squared deviation from the mean; 0 if there is no record."""
    mean = Fraction(sum(x), max(len(x), 1))
    return sum(((v - mean) ** 2 for v in x), Fraction(0)) / max(len(x), 1)


class TestVariance(StatisticLaws):
    """The lowest variances need records at a mean, which may lie outside the domain: brute force is only held."""

    statistic = Variance()
    answer = staticmethod(naive)
    exact = False
    most = 3


class TestBound(StatisticLaws):
    statistic = Variance(exact=False)
    answer = staticmethod(naive)
    exact = False
    most = 3
    bounds = (-1, 3)
    domain = (-1, 0, 1, 3)
    records = (-99.0, -0.4, 1.5, 9.0)


class TestJoint(StatisticLaws):
    """Exact levels and the bound meet inside the enumerated world."""

    statistic = Variance()
    answer = staticmethod(naive)
    exact = False
    bounds = (0, 1)
    domain = (0, 1)
    records = (-99.0, 0.0, 1.0)
    granularities = (Fraction(1, 8), Fraction(1, 36), Fraction(1, 20))
    most = 6
    levels = 7

    @pytest.fixture(autouse=True)
    def early_joint(self, monkeypatch):
        monkeypatch.setattr(module, "EXACT_UPPER", 2)
        monkeypatch.setattr(module, "EXACT_LOWER", 3)


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize(
    ("domain", "most", "levels"), [((0, 1, 2, 3, 4), 3, 4), ((0, 1), 6, 8), ((0, 3, 7), 4, 6)]
)
def test_the_upper_side_is_brute_force(relation, domain, most, levels):
    """The highest variances need records at the bounds alone, so here the enumerated world holds all of them."""
    world, g = World(domain, most, relation), Fraction(1, 360)
    for x in world.datasets():
        reach = levels if relation == "add_remove" else min(levels, len(x))
        law = hazmat.law(
            Variance(),
            list(x),
            bounds=(0, domain[-1]),
            epsilon=1,
            granularity=g,
            neighbors=relation,
            mechanism="piecewise_laplace",
            levels=levels,
        )
        _, most_of_all = world.envelope(naive, x, reach)
        assert [law.envelope.level(l)[1] for l in range(reach + 1)] == [v // g for v in most_of_all], x


def envelope(x, relation, levels, statistic=None, bounds=(0, 1), granularity=None):
    return hazmat.law(
        statistic or Variance(),
        x,
        bounds=bounds,
        epsilon=1,
        granularity=granularity,
        neighbors=relation,
        mechanism="piecewise_laplace",
        levels=levels,
    ).envelope


def shapes(n, rng):
    return [
        rng.random(n),
        rng.normal(0.3, 0.01, n),
        np.where(rng.random(n) < 0.5, rng.normal(0.1, 0.02, n), rng.normal(0.9, 0.02, n)),
        rng.integers(0, 2, n).astype(float),
        rng.pareto(1, n) / 100,
    ]


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("joint", [None, (5, 9)])
@pytest.mark.parametrize("shape", range(5))
def test_neighbours_nest_where_floats_would_not(relation, joint, shape, monkeypatch):
    """200 real records, before, at and after the levels where the bound takes over."""
    if joint:
        monkeypatch.setattr(module, "EXACT_UPPER", joint[0])
        monkeypatch.setattr(module, "EXACT_LOWER", joint[1])
    rng = np.random.default_rng(shape)
    for _ in range(3):
        x = shapes(200, rng)[shape]
        other = rng.choice([0, 1, rng.random(), x.mean(), x.min(), x.max()])
        out = rng.choice([x.argmin(), x.argmax(), np.abs(x - x.mean()).argmin()])
        y = np.delete(x, out)
        y = np.append(y, other) if relation == "swap" else y
        for statistic in (Variance(), Variance(exact=False)):
            one, two = (envelope(data, relation, 60, statistic) for data in (x, y))
            assert is_monotone(one) and is_monotone(two)
            assert nests_in(one, two) and nests_in(two, one)


@pytest.mark.parametrize("relation", RELATIONS)
def test_the_joint_is_where_it_is_said_to_be(relation, monkeypatch):
    x = shapes(300, np.random.default_rng(3))[2]
    exact, bound = envelope(x, relation, 40), envelope(x, relation, 40, Variance(exact=False))
    monkeypatch.setattr(module, "EXACT_UPPER", 7)
    monkeypatch.setattr(module, "EXACT_LOWER", 11)
    both = envelope(x, relation, 40)
    assert both.upper.tolist() == [*exact.upper[:7], *bound.upper[7:]]
    assert both.lower.tolist() == [*exact.lower[:11], *bound.lower[11:]]
    assert np.all(bound.upper >= exact.upper) and np.all(bound.lower <= exact.lower)
    assert bound.upper[20] > exact.upper[20] and bound.lower[20] < exact.lower[20]


def test_the_bound_reads_sums_alone(monkeypatch):
    def refuse(*_):
        raise AssertionError("an order statistic was read")

    for name in ("ranks", "below", "ordered"):
        monkeypatch.setattr(ArrayColumn, name, refuse)
    for relation in RELATIONS:
        assert is_monotone(envelope([0.1, 0.2, 0.9], relation, 50, Variance(exact=False)))


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize(
    "bounds", [(0, 1), (-7, 3), (1e6, 1e6 + 1), (-1e100, 1e100), (0, 1e-100), (0.1, 0.7)]
)
def test_levels_of_many_kinds_of_records(relation, exact, bounds):
    rng, (low, high) = np.random.default_rng(0), bounds
    for x in ([], [low], [high] * 5, [low] * 4 + [high] * 5, list(low + (high - low) * rng.random(30))):
        found = envelope(x, relation, 100, Variance(exact=exact), bounds)
        assert is_monotone(found)
        assert found.level(0)[0] == found.level(0)[1]
        assert found.level(100)[0] == 0


def test_the_answer_is_the_population_variance():
    x = np.random.default_rng(1).normal(50, 10, 100_000)
    law = hazmat.law(Variance(), x, bounds=(0, 100), epsilon=1)
    assert law.envelope.level(0)[0] * law.granularity == pytest.approx(np.var(np.clip(x, 0, 100)), rel=1e-7)


@pytest.mark.parametrize("exact", [True, False])
def test_a_swapped_column_of_one_record_varies_by_nothing(exact):
    """n is public there, and so is the largest variance of n records."""
    assert envelope([0.3], "swap", 9, Variance(exact=exact)).support == (0, 0)
    assert envelope([], "swap", 9, Variance(exact=exact)).support == (0, 0)
    three = envelope([0.3, 0.1, 0.2], "swap", 9, Variance(exact=exact), granularity=Fraction(1, 36))
    assert three.support == (0, 8)


@pytest.mark.parametrize("n", [1, 2, 3, 10])
def test_sensitivity_when_records_are_swapped(n):
    """(n-1)/n^2 squared ranges, which n-1 records at one bound attain; the whole range if n is secret."""
    statistic = Variance()
    frame = statistic.frame((0, 2), Fraction(1, 1000))
    assert statistic.sensitivity(frame, "swap", lambda: n) == max(1, -(-4000 * (n - 1) // n**2))
    assert statistic.sensitivity(frame, "add_remove", lambda: n) == 1000


def test_many_levels_are_cheap():
    x = np.random.default_rng(0).lognormal(10, 1, 20_000)
    found = hazmat.law(Variance(), x, bounds=(0, 10**6), epsilon=0.01).envelope
    assert found.lower.size > 10_000
    assert is_monotone(found)


@pytest.mark.parametrize("exact", [1, None, "yes"])
def test_exact_is_true_or_false(exact):
    with pytest.raises(ParameterTypeError, match="exact must be True or False, got"):
        Variance(exact=exact)


@pytest.mark.parametrize("bounds", [(0, 1e300), (0, 1e-200)])
def test_bounds_whose_square_is_no_float_are_refused(bounds):
    with pytest.raises(
        ParameterError, match=r"bounds must be between 2\^-499 and 2\^500 apart for a variance"
    ):
        variance([1, 2, 3], bounds=bounds, epsilon=1)


def test_the_function_is_the_statistic():
    found = variance([1, 2, 3, 4], bounds=(0, 10), epsilon=1, granularity=5)
    assert found.statistic == "variance" == str(Variance())
    assert found.value in range(0, 26, 5)


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


class TestStdBound(RootLaws):
    statistic = Std(exact=False)
    bounds = (-1, 3)
    domain = (-1, 0, 1, 3)
    records = (-99.0, -0.4, 1.5, 9.0)


class TestStdJoint(RootLaws):
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


def envelope_of(statistic, x, relation, granularity, bounds=(0, 10)):
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
    roots = envelope_of(Std(exact=exact), x, relation, Fraction(1, 100))
    squares = envelope_of(Variance(exact=exact), x, relation, Fraction(1, 10**4 * 2**20))
    assert roots.upper.tolist() == [math.isqrt(int(v) >> 20) for v in squares.upper]
    assert roots.lower.tolist() == [math.isqrt(int(v) >> 20) for v in squares.lower]


@pytest.mark.parametrize("relation", ["add_remove", "swap"])
def test_neighbours_nest_where_floats_would_not_for_roots(relation):
    rng = np.random.default_rng(1)
    for _ in range(10):
        x = rng.gamma(2, 1, 200)
        y = np.append(x[1:], rng.choice([0, 10, x.mean()])) if relation == "swap" else x[1:]
        one, two = (envelope_of(Std(), data, relation, None) for data in (x, y))
        assert is_monotone(one) and nests_in(one, two) and nests_in(two, one)


def test_the_root_is_exact():
    """isqrt, not sqrt: a variance that is the square of an answer is that answer, and a hair less is one step less."""
    root, answers = 2**40 - 12345, Std().frame((0, 2), Fraction(1, 2**40)).answers
    squares = [(root**2, 2**80), (root**2 * 2**80 - 1, 2**160)]
    assert Std().floors(squares, Fraction(1), answers) == [root, root - 1]


@pytest.mark.parametrize("n", [1, 2, 3, 10])
def test_sensitivity_of_roots_when_records_are_swapped(n):
    """sqrt(n-1)/n ranges: from n equal records to one of them moved across."""
    statistic = Std()
    frame = statistic.frame((0, 2), Fraction(1, 1000))
    least = next(k for k in range(1, 2000) if (k * n) ** 2 >= 4_000_000 * (n - 1))
    assert statistic.sensitivity(frame, "swap", lambda: n) == min(least, 1000)
    assert statistic.sensitivity(frame, "add_remove", lambda: n) == 1000


@pytest.mark.parametrize("bounds", [(0, 1e300), (0, 1e-200), (-5, 1e-3)])
def test_bounds_of_any_size(bounds):
    found = envelope_of(Std(), [bounds[0]] * 3 + [bounds[1]] * 2, "add_remove", None, bounds)
    assert is_monotone(found)
    assert found.level(60) == found.support


def test_the_answer_is_the_population_standard_deviation():
    x = np.random.default_rng(1).normal(50, 10, 100_000)
    law = hazmat.law(Std(), x, bounds=(0, 100), epsilon=1)
    assert law.envelope.level(0)[0] * law.granularity == pytest.approx(np.std(np.clip(x, 0, 100)), rel=1e-7)


def test_the_function_std_is_the_statistic():
    found = std([1, 2, 3, 4], bounds=(0, 10), epsilon=1, granularity=1)
    assert found.statistic == "std" == str(Std())
    assert found.value in range(6)
