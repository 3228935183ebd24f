"""Whole numbers in arrays, whatever their size, and their quotients in float64 and exactly."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from noisewise.kernel.numbers.arrays import quotient, quotients, whole_numbers


def test_numbers_are_64_bits_wide_where_they_fit() -> None:
    assert whole_numbers([1, -(2**61)]).dtype == np.int64
    assert whole_numbers([1, 2**62]).dtype == object
    assert whole_numbers([2**40], 2**30).dtype == object
    assert whole_numbers([]).size == 0


@pytest.mark.parametrize("bottom", [1, 7, 2**70, 10**400])
@pytest.mark.parametrize(
    "values", [[1, -5], [10**30, 3], [10**400, -(10**399)], [Fraction(1, 3), Fraction(-7)]]
)
def test_quotients_are_the_nearest_floats_or_next_to_them(values: Any, bottom: int) -> None:
    held = np.array(values, object) if isinstance(values[0], Fraction) else whole_numbers(values)
    exact = [quotient(value, bottom) for value in held]
    assert exact == [Fraction(value) / bottom for value in values]
    if max(map(abs, exact)) < 10**300:
        assert np.allclose(quotients(held, bottom), [float(each) for each in exact], rtol=2**-52, atol=0)
