"""A release acts as its number, and what comes out is a plain number."""

import math
from datetime import date, timedelta

import numpy as np
import pytest

import noisewise as nws
from noisewise.errors import NoisewiseError
from tests.results.test_release import receipt

SEVEN = receipt(value=7)
HALF = receipt(value=0.5)


@pytest.mark.parametrize(
    ("made", "number"),
    [
        *(
            (SEVEN + 1, 8),
            (1 + SEVEN, 8),
            (SEVEN - HALF, 6.5),
            (10 - SEVEN, 3),
            (SEVEN * 2, 14),
            (SEVEN / 2, 3.5),
        ),
        *((7 / SEVEN, 1.0), (SEVEN // 2, 3), (SEVEN % 4, 3), (SEVEN**2, 49), (2**SEVEN, 128), (-SEVEN, -7)),
        *((abs(receipt(value=-7)), 7), (round(receipt(value=2.345), 2), 2.35), (math.floor(HALF), 0)),
        *((float(SEVEN), 7.0), (int(HALF), 0), (f"{SEVEN:.1f}", "7.0"), (sum([SEVEN, SEVEN]), 14)),
        *((np.float64(2) * SEVEN, 14.0), (np.asarray(SEVEN).item(), 7), (np.mean([SEVEN, 9]), 8.0)),
        (receipt(value=date(2020, 1, 1)) + timedelta(1), date(2020, 1, 2)),
    ],
)
def test_it_acts_as_its_number(made, number):
    assert made == number and not isinstance(made, nws.Release)


def test_it_is_compared_as_its_number():
    assert SEVEN > 6 and SEVEN >= 7 and HALF < SEVEN and HALF <= 0.5 and max([HALF, SEVEN]) is SEVEN
    assert SEVEN != 7, "two releases are equal if all that they say is"


def test_several_numbers_become_an_array_but_no_number():
    several = receipt(value=(1, 2))
    assert np.asarray(several).tolist() == [1, 2]
    assert np.asarray(several, float).dtype == float
    for use in (lambda: several + 1, lambda: float(several), lambda: 1 / several, lambda: several < 3):
        with pytest.raises(NoisewiseError, match=r"has 2 values: use \.value"):
            use()
    with pytest.raises(NoisewiseError, match="has no value"):
        receipt(value=None) * 2
