"""Sums against Python's own, on every small dataset; and the shortcuts that are wrong."""

from fractions import Fraction

import numpy as np
import pytest

import noisewise as nws
from noisewise import ParameterError, Sum, hazmat
from tests.kernel.laws.statistic_laws import StatisticLaws


class TestSum(StatisticLaws):
    statistic = Sum()
    answer = staticmethod(sum)
    most = 3
    rule = 7


class TestSigned(StatisticLaws):
    statistic = Sum()
    answer = staticmethod(sum)
    bounds = (-3, 5)
    domain = (-3, -1, 0, 2, 5)
    records = (-99.0, -7.0, -0.6, 4.0)
    most = 3
    rule = 7


class TestNegative(StatisticLaws):
    statistic = Sum()
    answer = staticmethod(sum)
    bounds = (-5, -1)
    domain = (-5, -4, -2, -1)
    records = (-99.0, -7.0, -2.4, 4.0)
    most = 3
    rule = 7


class TestAwayFromZero(StatisticLaws):
    statistic = Sum()
    answer = staticmethod(sum)
    bounds = (2, 7)
    domain = (2, 3, 7)
    records = (-99.0, 2.4, 9.0)
    most = 3
    rule = 7


@pytest.mark.parametrize("neighbors", ["add_remove", "swap"])
def test_the_centre_is_exact_where_floats_are_not(neighbors):
    """0.1 a million times is no multiple of 1/2^32, but its index times a million is."""
    x = np.full(10**6, 0.1)
    law = hazmat.law(Sum(), x, bounds=(0.0, 1.0), epsilon=1, neighbors=neighbors)
    index = round(Fraction(0.1) * 2**32)
    assert law.granularity == Fraction(1, 2**32)
    assert law.envelope.level(0) == (index * 10**6,) * 2


def test_the_answers_spacing_does_not_touch_the_records():
    law = hazmat.law(Sum(), [0.4] * 10, bounds=(0, 10), epsilon=1)
    assert law.granularity == 1
    assert law.envelope.level(0) == (4, 4), "rounded to whole numbers first, they would add up to 0"
    law = hazmat.law(Sum(), [0.5] * 10, bounds=(0, 10), epsilon=1, granularity=5)
    assert law.envelope.level(0) == (1, 1)


def test_its_ends():
    assert hazmat.law(Sum(), [1], bounds=(0, 5), epsilon=1).support == (0, None)
    assert hazmat.law(Sum(), [1], bounds=(-5, 0), epsilon=1).support == (None, 0)
    assert hazmat.law(Sum(), [1], bounds=(-5, 5), epsilon=1).support == (None, None)
    assert hazmat.law(Sum(), [1, 2], bounds=(-5, 4), epsilon=1, neighbors="swap").support == (-10, 8)


def test_auto_is_laplace_with_the_sensitivity_of_one_record():
    for bounds, relation, owned, steps in (
        ((0, 10), "add_remove", 1, 10),
        ((-20, 10), "add_remove", 3, 60),
        ((-20, 10), "swap", 1, 30),
        ((5, 10), "swap", 1, 5),
        ((5, 10), "add_remove", 1, 10),
    ):
        law = hazmat.law(Sum(), [1] * 9, bounds=bounds, epsilon=1, neighbors=relation, contributions=owned)
        assert (law.envelope.stride, law.rate) == (steps, 1)


@pytest.mark.parametrize("granularity", [0, -1, 11, 1e-15])
def test_a_step_is_at_most_what_one_record_can_add(granularity):
    with pytest.raises(ParameterError, match="granularity must be between"):
        nws.sum([1], bounds=(0, 10), epsilon=1, granularity=granularity)


def test_missing_under_swap_is_the_lower_bound():
    law = hazmat.law(Sum(), [3, None, None], bounds=(2, 7), epsilon=1, neighbors="swap")
    assert law.envelope.level(0) == (7, 7)
