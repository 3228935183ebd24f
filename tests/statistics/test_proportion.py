"""Proportions against their naive definition, on every small dataset."""

from fractions import Fraction

import numpy as np
import pytest

from noisewise import ParameterTypeError, Proportion, hazmat
from tests.kernel.laws.statistic_laws import StatisticLaws


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
