"""Values of keys: as Python is given them, and back."""

from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from noisewise.study.values import argument, as_number, spelled


@pytest.mark.parametrize(
    ("key", "given", "value"),
    [
        ("epsilon", "1/3", Fraction(1, 3)),
        ("epsilon", Decimal("0.1"), Decimal("0.1")),
        ("epsilon", "1/0", "1/0"),
        ("bounds", [0, 100], (0, 100)),
        ("bounds", [[0, 1], [2, 3]], ((0, 1), (2, 3))),
        ("bounds", "private", "private"),
        ("bounds", ["0s", "12h"], (timedelta(0), timedelta(hours=12))),
        ("granularity", "7d", timedelta(days=7)),
        ("qs", [Decimal("0.5"), "1/3"], [Decimal("0.5"), Fraction(1, 3)]),
        ("category", Decimal("0.5"), 0.5),
        ("category", "1/2", "1/2"),
        ("mechanism", "7d", "7d"),
    ],
)
def test_a_value_is_what_python_would_be_given(key, given, value):
    assert (argument(key, given), type(argument(key, given))) == (value, type(value))


@pytest.mark.parametrize(
    "value",
    [
        *(1, 0.1, 2.0, Fraction(1, 3), Fraction(1, 8), Fraction(10**40 + 1, 10**40), True, "x"),
        *(timedelta(days=14), timedelta(microseconds=1500001), date(2024, 1, 1), (0, 100)),
    ],
)
def test_what_is_spelled_is_read_back(value):
    again = argument("bounds", spelled(value))
    assert again == (Decimal(str(value)) if isinstance(value, float) else value)


def test_numpy_numbers_are_spelled_as_numbers():
    assert spelled(np.int64(3)) == 3 and type(spelled(np.int64(3))) is int
    assert as_number(True) is True
