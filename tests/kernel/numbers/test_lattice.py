"""Reals to integers and back, against a slow model of the documented map in Fractions."""

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import noisewise as nws
from noisewise.errors import ParameterError, ParameterTypeError
from noisewise.kernel.numbers.exact import describe, exact
from noisewise.kernel.numbers.lattice import FINEST, Lattice, nearest_power_of_two, values_at

GRANULARITIES = st.one_of(
    st.sampled_from([1, 0.01, 0.1, 100, Fraction(1, 3), Fraction(7, 3), 2.0**-32, 1e-9, 1e30, 1e-200]),
    st.fractions(min_value=Fraction(1, 1000), max_value=1000).filter(bool),
)


@pytest.fixture(autouse=True)
def strict_floats():
    with np.errstate(all="raise"):
        yield


@st.composite
def lattices(draw):
    """A lattice by a user's granularity, its bounds anywhere within the caps."""
    g = exact("g", draw(GRANULARITIES))
    reach = 2 ** draw(st.integers(2, 51)) - 1
    ends = sorted(draw(st.lists(st.integers(-reach, reach), min_size=2, max_size=2, unique=True)))
    shift = draw(st.fractions(min_value=0, max_value=Fraction(9, 10))) * g
    assume(ends[1] - ends[0] >= 4)
    return Lattice.between((ends[0] * g + shift, ends[1] * g - shift), g)


def rounded(x):
    """The nearest float64 to a Fraction, as a Fraction: one correctly rounded operation."""
    return Fraction(float(x))


def model(lattice, x):
    """The map as the module describes it, one rounding per float operation."""
    g = lattice.granularity
    rate, half = rounded(1 / g), Fraction(1, 2)
    floor, ceiling = rounded(lattice.low * g), rounded(lattice.high * g)
    clamped = floor if x < floor else ceiling if x > ceiling else Fraction(x)
    nearest = math.floor(rounded(rounded(clamped * rate) + half))
    return max(lattice.low, min(lattice.high, nearest))


def index(lattice, *values):
    return lattice.index(np.array(values, np.float64)).tolist()


FLOATS = st.floats(allow_nan=False)


@settings(max_examples=300)
@given(lattices(), st.data())
def test_the_map_is_the_documented_one(lattice, data):
    g = lattice.granularity
    near = st.builds(
        lambda k, off: float((k + off) * g),
        st.integers(lattice.low - 2, lattice.high + 2),
        st.sampled_from([Fraction(0), Fraction(1, 2), Fraction(-1, 2), Fraction(1, 3)]),
    )
    values = data.draw(st.lists(near | FLOATS, min_size=1, max_size=20))
    values += [math.nextafter(v, math.inf) for v in values if abs(v) < 1e300]
    assert index(lattice, *values) == [model(lattice, v) for v in values]


@settings(max_examples=200)
@given(lattices(), st.lists(FLOATS, min_size=2, max_size=20))
def test_the_map_is_total_and_monotone(lattice, values):
    found = index(lattice, *sorted(values), math.inf)
    assert found == sorted(found)
    assert lattice.low <= found[0]
    assert found[-1] == lattice.high
    assert index(lattice, -math.inf) == [lattice.low]


@settings(max_examples=200)
@given(lattices(), st.data())
def test_a_lattice_point_is_its_own_index(lattice, data):
    k = data.draw(st.lists(st.integers(lattice.low, lattice.high), min_size=1, max_size=20))
    values = values_at(np.array(k, np.int64), lattice.granularity)
    assert lattice.index(values.astype(np.float64)).tolist() == k


@settings(max_examples=200)
@given(lattices(), st.data())
def test_a_record_goes_to_the_nearest_point(lattice, data):
    low, high = lattice.low * lattice.granularity, lattice.high * lattice.granularity
    x = data.draw(st.fractions(min_value=low, max_value=high))
    (k,) = index(lattice, float(x))
    assert abs(k * lattice.granularity - x) <= lattice.granularity * Fraction(
        3, 4
    )  # half a step, and the roundings
    if max(abs(lattice.low), abs(lattice.high)) < 2**40:
        assert abs(k * lattice.granularity - x) <= lattice.granularity * (Fraction(1, 2) + Fraction(1, 2**10))


@pytest.mark.parametrize("granularity", [0.01, "0.01", Fraction(1, 100), Decimal("0.01")])
def test_every_price_is_its_own_cent(granularity):
    step = Fraction(granularity) if isinstance(granularity, str) else granularity
    lattice, cents = Lattice.between((0, 10_000), step), np.arange(1_000_001)
    assert np.array_equal(lattice.index(cents / 100), cents)
    assert np.array_equal(
        lattice.index(np.array([float(f"{c}e-2") for c in range(0, 1_000_001, 97)])), cents[::97]
    )
    assert np.array_equal(lattice.index(values_at(cents, lattice.granularity)), cents)


def test_odd_numbers_have_places():
    lattice = Lattice.between((-10, 10))
    assert index(lattice, -0.0, 0.0, 5e-324, -5e-324, 0.5, -0.5, 2.5, np.nextafter(0.5, 0)) == [
        0,
        0,
        0,
        0,
        1,
        0,
        3,
        1,
    ]
    assert index(lattice, 1e308, -1e308, math.inf, -math.inf) == [10, -10, 10, -10]
    assert index(lattice) == []


def test_the_map_reads_only():
    values = np.array([0.2, 1e9, -3.0])
    values.flags.writeable = False
    assert Lattice.between((0, 10)).index(values).tolist() == [0, 10, 0]
    assert values.tolist() == [0.2, 1e9, -3.0]


# The bounds


@pytest.mark.parametrize(
    ("bounds", "granularity", "low", "high"),
    [
        ((0.5, 9.5), 1, 1, 9),
        ((-0.5, 9.99), 1, 0, 9),
        ((-9.5, -0.5), 1, -9, -1),
        ((0, 1), 0.3, 0, 3),
        ((0.1, 99.9), 0.1, 1, 999),
        ((Fraction(1, 3), Fraction(5, 3)), Fraction(1, 3), 1, 5),
        ((Decimal("0.01"), Decimal("0.99")), Decimal("0.01"), 1, 99),
    ],
)
def test_bounds_are_snapped_inward(bounds, granularity, low, high):
    lattice = Lattice.between(bounds, granularity)
    assert (lattice.low, lattice.high, lattice.points) == (low, high, high - low + 1)


@settings(max_examples=200)
@given(
    st.floats(-1e300, 1e300),
    st.floats(-1e300, 1e300),
    st.none() | st.floats(min_value=1e-300, max_value=1e300),
)
def test_no_point_is_outside_the_bounds(one, other, granularity):
    low, high = sorted((one, other))
    try:
        lattice = Lattice.between((low, high), granularity)
    except ParameterError:
        assume(False)
    step = lattice.granularity
    assert exact("low", low) <= lattice.low * step < exact("low", low) + step
    assert exact("high", high) - step < lattice.high * step <= exact("high", high)
    assert max(abs(lattice.low), abs(lattice.high)) <= FINEST
    assert np.finfo(np.float64).tiny <= float(1 / step) < math.inf


@pytest.mark.parametrize(
    "bounds",
    [
        None,
        5,
        "01",
        b"01",
        (1,),
        (1, 2, 3),
        [],
        {0, 1},
        {0: 1, 1: 2},
        range(2),
        iter((0, 1)),
        slice(0, 1),
        np.array(3),
        np.zeros((2, 2)),
        np.array([1, 2, 3]),
    ],
    ids=lambda bounds: type(bounds).__name__,
)
def test_bounds_that_are_no_pair(bounds):
    with pytest.raises(
        ParameterTypeError, match=r"^bounds must be a pair \(lowest, highest\) .*, got "
    ) as caught:
        Lattice.between(bounds)
    counted = f" of {len(bounds)}" if isinstance(bounds, (tuple, list)) else ""
    assert str(caught.value).endswith(f"got {describe(bounds)}{counted}")


def test_what_stands_for_bounds_is_told_what_to_be():
    with pytest.raises(
        ParameterTypeError, match="got 'Private': find them first by private_bounds, and give its value"
    ):
        Lattice.between("Private")
    with pytest.raises(ParameterTypeError, match="got a Release: give its value"):
        Lattice.between(nws.count([1], epsilon=1))


@pytest.mark.parametrize("bad", [None, "0", True, 1j, [0], np.timedelta64(1, "D"), np.array([0])], ids=str)
@pytest.mark.parametrize("place", [0, 1])
def test_bounds_that_are_no_numbers(bad, place):
    bounds = (bad, 5) if place == 0 else (-5, bad)
    with pytest.raises(ParameterTypeError, match=r"^the (lower|upper) bound must be a real number, got "):
        Lattice.between(bounds)


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf, Decimal("sNaN"), np.float32("nan")])
@pytest.mark.parametrize("place", [0, 1])
def test_bounds_that_are_not_finite(bad, place):
    with pytest.raises(ParameterError, match=r"^the (lower|upper) bound must be finite, got "):
        Lattice.between((bad, 5) if place == 0 else (-5, bad))


@pytest.mark.parametrize(
    "bounds", [(3, 1), (1, 1), (0.0, -0.0), (1, 1.0), (1e308, 0), (Fraction(1, 3), Fraction(1, 3))]
)
def test_bounds_that_are_reversed_or_equal(bounds):
    with pytest.raises(ParameterError, match=r"^bounds must have lowest < highest, got \("):
        Lattice.between(bounds)


@pytest.mark.parametrize(
    "bounds",
    [
        (-1.7e308, 1.7e308),
        (0, 10**400),
        (10**400, 0),
        (-(10**400), 0),
        (Fraction(10**400, 3), 1),
        (0, Decimal("1e309")),
    ],
    ids=[0, 1, 2, 3, 4, 5],
)
def test_bounds_that_are_too_wide(bounds):
    with pytest.raises(
        ParameterError, match=r"^bounds must span at most the largest float64, .*narrow them$"
    ):
        Lattice.between(bounds)


@pytest.mark.parametrize("bounds", [(10**20, 10**20 + 1), (0, 5e-324), (1.0, 1.0000000000000002)])
def test_bounds_that_are_too_close(bounds):
    with pytest.raises(ParameterError, match=r"^bounds must hold two points .* got \(.*\); widen them$"):
        Lattice.between(bounds)


def test_the_widest_bounds_there_are():
    lattice = Lattice.between((0, 1.7976931348623157e308))
    assert index(lattice, 1.7976931348623157e308, math.inf, 0.0) == [lattice.high, lattice.high, 0]


# The granularity


@pytest.mark.parametrize(
    ("bounds", "granularity"),
    [
        ((0, 1_000_000), 1),
        ((0, 2), 1),
        ((np.int8(-5), np.uint64(7)), 1),
        (np.array([0, 100]), 1),
        ([0, 100], 1),
        ((0, 1), Fraction(1, 2**32)),
        ((0.0, 100.0), Fraction(1, 2**25)),  # 100 * 2^-32 = 2^-25.36
        ((0, 100.0), Fraction(1, 2**25)),
        ((0.0, 100), Fraction(1, 2**25)),
        (np.array([0.0, 100.0]), Fraction(1, 2**25)),
        ((Decimal(0), Decimal(100)), Fraction(1, 2**25)),
        ((Fraction(0), Fraction(100)), Fraction(1, 2**25)),
        ((-50.0, 50.0), Fraction(1, 2**25)),
        ((0.0, 1.5), Fraction(1, 2**31)),  # halfway between two powers: the coarser
        ((0, 2**51), 1),
        ((0, 2**51 + 1), 2),
        ((0, 2**60), 2**9),
        ((-(2**60), 0), 2**9),
        ((10**15, 10**15 + 2), 1),
        ((2.0**60, 2.0**60 + 2**20), 2**10),
        ((1e9, 1e9 + 1), Fraction(1, 2**21)),  # 2^-32 of the range, raised to the cap
        ((0.0, 1e-300), Fraction(1, 2**1023)),
    ],
    ids=str,
)
def test_the_default_is_a_public_rule(bounds, granularity):
    lattice = Lattice.between(bounds)
    assert lattice.granularity == granularity
    assert max(abs(lattice.low), abs(lattice.high)) <= FINEST


@given(st.fractions(min_value=Fraction(1, 10**9), max_value=10**9))
def test_the_nearest_power_of_two(value):
    power = nearest_power_of_two(value)
    assert power.numerator == 1 or power.denominator == 1
    assert max(power.numerator, power.denominator).bit_count() == 1
    assert abs(power - value) <= min(abs(2 * power - value), abs(power / 2 - value))


@pytest.mark.parametrize("granularity", [0, -1, -0.0, Fraction(-1, 3)])
def test_granularity_is_above_zero(granularity):
    with pytest.raises(ParameterError, match=r"^granularity must be above 0, got "):
        Lattice.between((0, 10), granularity)


@pytest.mark.parametrize(
    "granularity", [5.1, 10, Fraction(51, 10), 10**400, Decimal("1e400")], ids=[0, 1, 2, 3, 4]
)
def test_granularity_is_at_most_half_the_range(granularity):
    with pytest.raises(ParameterError, match=r"^granularity must be at most half the range \(0, 10\), got "):
        Lattice.between((0, 10), granularity)


def test_half_the_range_itself_is_allowed():
    assert Lattice.between((0, 10), 5).points == 3
    assert Lattice.between((1, 9), 4).points == 2


@pytest.mark.parametrize(
    "granularity", [1e-300, Fraction(10, 2**51) - Fraction(1, 2**200), Decimal("1e-400")]
)
def test_granularity_is_no_finer_than_the_cap(granularity):
    with pytest.raises(
        ParameterError, match=r"^granularity must be between 4\.44089e-15 and .* for the range \(0, 10\)"
    ):
        Lattice.between((0, 10), granularity)


def test_the_cap_itself_is_allowed():
    assert Lattice.between((0, 10), Fraction(10, 2**51)).high == FINEST


@pytest.mark.parametrize("granularity", ["1", True, [1], np.timedelta64(1, "D")], ids=str)
def test_granularity_is_a_number(granularity):
    with pytest.raises(ParameterTypeError, match=r"^granularity must be a real number, got "):
        Lattice.between((0, 10), granularity)


# Back to values


@pytest.mark.parametrize("granularity", [Fraction(1), Fraction(100), Fraction(2**20)])
def test_values_of_a_whole_granularity_are_integers(granularity):
    values = values_at(np.array([-3, 0, 7]), granularity)
    assert values.dtype == np.int64
    assert values.tolist() == [-3 * granularity, 0, 7 * granularity]


@settings(max_examples=200)
@given(GRANULARITIES, st.lists(st.integers(-FINEST, FINEST), max_size=10))
def test_values_are_the_nearest_floats(granularity, indices):
    step = exact("g", granularity)
    values = values_at(np.array(indices, np.int64), step)
    assert values.tolist() == [
        int(k * step) if values.dtype == np.int64 else float(k * step) for k in indices
    ]


def test_values_keep_their_shape():
    for granularity in (Fraction(1), Fraction(1, 3), Fraction(1, 10**30), Fraction(10**30)):
        assert values_at(np.arange(6).reshape(2, 3), granularity).shape == (2, 3)
        assert values_at(np.empty(0, np.int64), granularity).shape == (0,)
