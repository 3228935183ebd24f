"""Means and proportions against their naive definition, on every small dataset; the greedy shortcut that is wrong."""

from fractions import Fraction

import numpy as np
import pytest

import noisewise as nws
from noisewise import Mean, ParameterTypeError, Proportion, hazmat
from noisewise.audit.nesting import nests_in
from noisewise.audit.worlds import Dataset
from tests.kernel.laws.statistic_laws import StatisticLaws


def naive(x: Dataset) -> Fraction | int:
    return Fraction(sum(x), len(x)) if x else 0


class TestMean(StatisticLaws):
    statistic = Mean()
    answer = staticmethod(naive)


class TestSigned(StatisticLaws):
    statistic = Mean()
    answer = staticmethod(lambda x: naive(x) if x else -3)
    bounds = (-3, 5)
    domain = (-3, -1, 0, 2, 5)
    records = (-99.0, -7.0, -0.6, 4.0)
    most = 3


class TestZerosAndOnes(StatisticLaws):
    """Ties in plenty, and levels beyond the number of records."""

    statistic = Mean()
    answer = staticmethod(naive)
    bounds = (0, 1)
    domain = (0, 1)
    records = (-99.0, 0.0, 1.0)
    granularities = (Fraction(1, 2), Fraction(1, 12), Fraction(1, 3))
    most = 7
    levels = 8


def test_greedy_is_wrong_and_this_is_not():
    """Three deletions leave {1}; the best edit at a time never sees it."""
    law = hazmat.law(
        Mean(),
        [0, 0, 0, 1],
        bounds=(0, 1),
        epsilon=1,
        granularity=0.001,
        levels=3,
        mechanism="piecewise_laplace",
    )
    assert law.envelope.level(3) == (0, 1000)


def by_all_splits(x: list[int], low: int, high: int, edits: int) -> tuple[Fraction, Fraction]:
    """The mean's ends over every number of removals, each with the best records removed and added."""
    x, n = sorted(x), len(x)
    splits = [(d, edits - d) for d in range(min(edits, n) + 1) if n + edits - 2 * d > 0]
    upper = [Fraction(sum(x[d:]) + m * high, n - d + m) for d, m in splits]
    lower = [Fraction(sum(x[: n - d]) + m * low, n - d + m) for d, m in splits]
    return min([*lower, *([Fraction(low)] if edits >= n else [])]), max(upper)


@pytest.mark.parametrize("seed", range(6))
def test_the_pointer_finds_the_best_split(seed):
    rng = np.random.default_rng(seed)
    shape = [
        rng.integers(0, 1001, 60),
        rng.integers(0, 3, 60) * 500,
        np.minimum(rng.pareto(0.5, 60) * 9, 1000),
    ]
    x = [int(v) for v in shape[seed % 3]]
    g = Fraction(1, 2**40)
    law = hazmat.law(
        Mean(), x, bounds=(0, 1000), epsilon=1, granularity=g, levels=60, mechanism="piecewise_laplace"
    )
    for l in range(61):
        low, high = by_all_splits(x, 0, 1000, l)
        assert law.envelope.level(l) == (low // g, high // g)


@pytest.mark.parametrize("neighbors", ["add_remove", "swap"])
@pytest.mark.parametrize("n", [1, 2, 50, 200])
def test_neighbours_nest_where_floats_would_not(neighbors, n):
    """Sums that float64 cannot hold: any rounding before the floor would show."""
    rng = np.random.default_rng(n)
    for _ in range(20):
        x = rng.normal(0.3, 0.2, n)
        y = np.append(x[1:], rng.random()) if neighbors == "swap" else x[1:]
        laws = [
            hazmat.law(
                Mean(),
                data,
                bounds=(0.0, 1.0),
                epsilon=1,
                neighbors=neighbors,
                levels=20,
                mechanism="piecewise_laplace",
            ).envelope
            for data in (x, y)
        ]
        assert nests_in(laws[0], laws[1]) and nests_in(laws[1], laws[0])


def test_the_centre_is_the_floor_of_the_mean_of_the_indices():
    x = np.random.default_rng(1).lognormal(10, 1, 100_003)
    law = hazmat.law(Mean(), x, bounds=(0, 10**6), epsilon=1, mechanism="piecewise_laplace")
    lattice = Mean().frame((0, 10**6), None).records
    total = sum(lattice.index(x).tolist())
    centre = lattice.granularity * total / x.size // law.granularity
    assert law.envelope.level(0) == (centre, centre)


def test_auto_uses_the_public_number_of_records_under_swap():
    law = hazmat.law(Mean(), [1.0] * 1000, bounds=(0.0, 1.0), epsilon=1, neighbors="swap")
    assert law.envelope.stride == -(-(2**32) // 1000)
    assert nws.mean([1.0] * 1000, bounds=(0.0, 1.0), epsilon=1).law == "balance/1"
    wide = hazmat.law(Mean(), [1.0] * 1000, bounds=(0.0, 1.0), epsilon=1, mechanism="laplace")
    assert wide.envelope.stride == 2**32, "under add/remove a mean may move by the whole range"


def test_an_empty_column_answers_with_the_lower_bound():
    for neighbors in ("add_remove", "swap"):
        law = hazmat.law(
            Mean(),
            [None],
            bounds=(2, 5),
            epsilon=1,
            neighbors=neighbors,
            granularity=1,
            mechanism="piecewise_laplace",
        )
        assert law.envelope.level(0) == (2, 2)
        assert hazmat.law(Mean(), [], bounds=(2, 5), epsilon=1, neighbors=neighbors).support == (2, 5)


class TestProportion(StatisticLaws):
    statistic = Proportion()
    answer = staticmethod(lambda x: Fraction(sum(x), len(x)) if x else 0)
    bounds = None
    domain = (0, 1)
    records = (-99.0, 0.0, 1.0)
    granularities = (Fraction(1, 2), Fraction(1, 12), Fraction(1, 3))
    most = 6
    levels = 7


@pytest.mark.parametrize(
    "data",
    [
        [True, False, True, True],
        np.array([1, 0, 1, 1], np.int8),
        np.array([1.0, 0.0, np.nan, 1.0, 1.0]),
        [7, -3, 0.5, 1, None],
    ],
    ids=["bool", "int8", "missing", "clamped and rounded"],
)
def test_what_counts_as_true(data):
    law = hazmat.law(Proportion(), data, epsilon=1, granularity=0.25, mechanism="piecewise_laplace")
    assert law.envelope.level(0) == (3, 3)


@pytest.mark.parametrize(("ones", "n"), [(0, 50), (3, 50), (25, 50), (50, 50), (7, 12)])
def test_the_closed_form(ones, n):
    """One edit of l is either an insertion or a deletion, all of one kind."""
    g = Fraction(1, 2**30)
    law = hazmat.law(
        Proportion(),
        [1] * ones + [0] * (n - ones),
        epsilon=1,
        granularity=g,
        levels=n - 1,
        mechanism="piecewise_laplace",
    )
    for l in range(n):
        lower = 0 if l >= ones else min(Fraction(ones, n + l), Fraction(ones - l, n - l))
        upper = 1 if l >= n - ones else max(Fraction(ones + l, n + l), Fraction(ones, n - l))
        assert law.envelope.level(l) == (lower // g, upper // g), l


@pytest.mark.parametrize("neighbors", ["add_remove", "swap"])
def test_a_category_has_the_law_of_zeros_and_ones(neighbors):
    texts, numbers = ["F", "M", None, "F", "other"], [1, 0, None, 1, 0]
    asked = {"epsilon": 1, "granularity": 0.125, "neighbors": neighbors, "mechanism": "piecewise_laplace"}
    by_category, by_number = (
        hazmat.law(statistic, data, **asked).envelope
        for statistic, data in ((Proportion("F"), texts), (Proportion(), numbers))
    )
    assert by_category.lower.tolist() == by_number.lower.tolist()
    assert by_category.upper.tolist() == by_number.upper.tolist()


def test_it_takes_no_bounds():
    with pytest.raises(ParameterTypeError, match="bounds must be left out for proportion"):
        hazmat.law(Proportion(), [1], bounds=(0, 1), epsilon=1)
    assert str(Proportion()) == "proportion" and str(Proportion(2)) == "proportion(2)"
