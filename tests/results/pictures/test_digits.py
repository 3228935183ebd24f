"""Numbers as text have only meaningful digits."""

from fractions import Fraction

import pytest

from noisewise.results.pictures.digits import decimals_for, rounded, to_three, up_to_three


@pytest.mark.parametrize(
    ("scale", "decimals"), [(1, 0), (0.1, 1), (0.01, 2), (0.02, 2), (0.009, 3), (50, 0), (0, 12)]
)
def test_decimals(scale, decimals):
    assert decimals_for(scale) == decimals


@pytest.mark.parametrize(
    ("number", "scale", "text"),
    [
        (38.58164972685, 0.01, "38.58"),
        (38.5, 1e-6, "38.5"),
        (1234567.9, 1, "1,234,568"),
        (-0.00123456, 0.1, "-0.00123"),
        (1234567, 1000, "1,234,567"),
        (Fraction(1, 3), 0.001, "0.333"),
        ((1.234, (45.678, 7)), 0.1, "1.23; (45.7; 7)"),
        (float("inf"), 1, "inf"),
        ("tea", 1, "tea"),
        (True, 1, "True"),
        (1e-9, 1e-12, "0.000000001"),
    ],
)
def test_rounded(number, scale, text):
    assert rounded(number, scale) == text


def test_ends_of_intervals_are_rounded_outwards():
    assert (rounded(1.2345, 0.01, -1), rounded(1.2345, 0.01, 1)) == ("1.23", "1.24")
    assert (rounded(-1.2345, 0.01, -1), rounded(-1.2345, 0.01, 1)) == ("-1.24", "-1.23")
    assert rounded((12.345, 2), 0.1, 1) == "12.4; 2" and rounded(1e300, 1) == f"{int(1e300):,}"


@pytest.mark.parametrize(
    ("number", "text", "up"),
    [
        (0, "0", "0"),
        (3, "3", "3"),
        (2_995_734, "3,000,000", "3,000,000"),
        (1234.5, "1,230", "1,240"),
        (0.061234, "0.0612", "0.0613"),
        (2**-30, "9.31e-10", "9.32e-10"),
        (float("inf"), "inf", "inf"),
    ],
)
def test_three_digits(number, text, up):
    assert (to_three(number), up_to_three(number)) == (text, up)
