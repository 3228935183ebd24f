"""Magnitudes sort every number there is into the bucket it belongs to, exactly."""

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from noisewise.errors import ParameterError, ParameterTypeError
from noisewise.tables.columns import declare
from noisewise.tables.columns.magnitudes import Magnitudes

WIDE = Magnitudes.of(2, Fraction(1, 2**32), 2**64)
TEN = Magnitudes.of(10, Fraction(1, 1000), 1000)
SMALL = Magnitudes.of(2, 1, 4)


def slow(magnitudes, value):
    """The bucket by its definition: the first power, counted from zero outwards, that is not nearer to zero."""
    size = math.inf if math.isinf(value) else abs(Fraction(value))
    outer = next(
        (i for i, power in enumerate([0, *magnitudes.powers]) if power >= size), len(magnitudes.powers)
    )
    index = -outer if value < 0 else outer
    return max(index, magnitudes.lowest)


def test_rungs_are_the_powers_that_hold_the_limits():
    assert Magnitudes.of(2, 1, 4).powers == (1, 2, 4)
    assert Magnitudes.of(2, Fraction(9, 10), 5).powers == (0.5, 1, 2, 4, 8)
    assert Magnitudes.of(3, 4, 9).powers == (3, 9)
    assert TEN.powers == (0.001, 0.01, 0.1, 1, 10, 100, 1000)
    assert WIDE.powers == tuple(2.0**k for k in range(-32, 65))
    assert (WIDE.buckets, WIDE.lowest) == (195, -97)
    half = WIDE.part(32, 40, signed=False)
    assert (half.powers, half.buckets, half.lowest) == (tuple(2.0**k for k in range(8)), 9, 0)


@pytest.mark.parametrize(
    "magnitudes", [WIDE, TEN, SMALL, SMALL.part(0, 3, signed=False), Magnitudes.of(7, 1e-40, 1e40)]
)
def test_numbers_around_rungs_are_in_their_buckets(magnitudes):
    around = [f(power) for power in magnitudes.powers for f in (float, _up, _down)]
    strange = [0.0, -0.0, 5e-324, -5e-324, 2.2e-308, 1e308, math.inf, math.nan]
    numbers = np.array([sign * x for x in [*around, *strange] for sign in (1, -1)])
    known = numbers[~np.isnan(numbers)]
    assert magnitudes.index(known).tolist() == [slow(magnitudes, x) for x in known.tolist()]


def _up(x):
    return math.nextafter(x, math.inf)


def _down(x):
    return math.nextafter(x, 0)


@given(st.lists(st.floats(allow_nan=False), min_size=1), st.sampled_from([WIDE, TEN, SMALL]))
@example([1.0, math.nextafter(1, 2), -1.0, 0.001], TEN)
def test_every_float_is_in_its_bucket(values, magnitudes):
    assert magnitudes.index(np.array(values)).tolist() == [slow(magnitudes, x) for x in values]


@given(st.floats(allow_nan=False), st.floats(allow_nan=False), st.sampled_from([WIDE, TEN, SMALL]))
def test_the_map_is_monotone(a, b, magnitudes):
    first, second = magnitudes.index(np.array(sorted([a, b])))
    assert first <= second


@given(st.lists(st.integers(-(2**70), 2**70)))
def test_whole_numbers_go_the_way_of_floats(values):
    """Above 2^53 an int is first the nearest float64, whatever holds it."""
    expected = np.bincount([slow(WIDE, float(x)) + 97 for x in values], minlength=195)
    assert WIDE.count(declare(values)).tolist() == expected.tolist()
    short = [x for x in values if abs(x) < 2**63]
    as_floats = WIDE.count(declare(np.array(short, np.float64)))
    assert WIDE.count(declare(np.array(short, np.int64))).tolist() == as_floats.tolist()


@pytest.mark.parametrize(
    "data",
    [
        [3, -0.0, None, math.nan, "4", math.inf, Fraction(-1, 3), Decimal("1.5"), True],
        np.array([3, 0, math.nan, math.inf, -1 / 3, 1.5, 1]),
        np.array([3, 0, math.nan, math.inf, -1 / 3, 1.5, 1], ">f4"),
        np.ma.array([3, 0, 9, 9, math.inf, -1 / 3, 1.5, 1], mask=[0, 0, 1, 1, 0, 0, 0, 0]),
    ],
)
def test_what_is_missing_is_in_no_bucket(data):
    #        [-4,-2) [-2,-1) [-1,0) {0} (0,1] (1,2] (2,4] and beyond
    assert SMALL.count(declare(data)).tolist() == [0, 0, 1, 1, 1, 1, 2]
    assert SMALL.part(0, 3, signed=False).count(declare(data)).tolist() == [2, 1, 1, 2]


def test_long_columns_and_small_types():
    many = np.tile(np.array([0, 1, 2, 3, 200], np.uint8), 50_000)
    assert SMALL.count(declare(many)).tolist() == [0, 0, 0, 50_000, 50_000, 50_000, 100_000]
    assert SMALL.count(declare([])).tolist() == [0] * 7


@pytest.mark.parametrize(
    ("first", "last", "bounds"),
    [
        (1, 1, (0, 1)),  # one order of magnitude: its own two ends
        (3, 3, (2, 4)),
        (-3, -3, (-4, -2)),
        (0, 1, (0, 1)),  # zeros and ones
        (-1, 0, (-1, 0)),
        (2, 3, (0, 4)),  # several of one sign: from zero on
        (-3, -2, (-4, 0)),
        (-1, 3, (-1, 4)),
        (-3, 3, (-4, 4)),
    ],
)
def test_bounds_of_a_run_of_buckets(first, last, bounds):
    found = SMALL.around(first, last)
    assert found == bounds
    assert all(type(end) is float and math.copysign(1, end) == (-1 if end < 0 else 1) for end in found)


def test_every_pair_of_bounds_holds_its_buckets():
    for first in range(-3, 4):
        for last in range(max(first, 1) if first >= 0 else first, 4):
            low, high = SMALL.around(first, last)
            assert low < high
            inside = [k / 8 for k in range(-32, 33) if first <= slow(SMALL, k / 8) <= last]
            assert all(low <= x <= high for x in inside), (first, last)


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        ((1, 1, 4), "base must be at least 2, got 1"),
        ((2000, 1, 4), "base must be at most 1024, got 2000"),
        ((2, 0, 4), "smallest must be at least 2^-900, got 0"),
        ((2, Fraction(1, 2**901), 4), "smallest must be at least 2^-900"),
        ((2, 4, 4), "largest must be above smallest and at most 2^900, got 4"),
        ((2, 1, 2**901), "largest must be above smallest and at most 2^900"),
        ((2, 1, math.inf), "largest must be finite, got inf"),
    ],
)
def test_wrong_limits_are_refused(limits, said):
    with pytest.raises(ParameterError) as error:
        Magnitudes.of(*limits)
    assert str(error.value).startswith(said)


@pytest.mark.parametrize("limits", [(2.0, 1, 4), (2, "1", 4), (2, 1, None), (True, 1, 4)])
def test_limits_are_numbers(limits):
    with pytest.raises(ParameterTypeError, match=r"^(base|smallest|largest) must be a "):
        Magnitudes.of(*limits)


@pytest.mark.parametrize(
    "magnitudes", [WIDE, TEN, SMALL, SMALL.part(0, 3, signed=False), Magnitudes.of(2, 1, 2)]
)
def test_cuts_say_where_buckets_begin(magnitudes):
    """Engines compare with them what memory finds by exponents."""
    thresholds = magnitudes.thresholds
    assert (
        thresholds.size + 1 == magnitudes.buckets
        and np.all(np.diff(thresholds) > 0)
        and np.all(np.isfinite(thresholds))
    )
    strange = [0.0, -0.0, 5e-324, -5e-324, 1e308, -1e308, math.inf, -math.inf]
    numbers = np.array(
        [*strange, *thresholds, *np.nextafter(thresholds, -9e99), *np.nextafter(thresholds, 9e99)]
    )
    assert magnitudes.bins_of(numbers).tolist() == np.searchsorted(thresholds, numbers, side="right").tolist()
