"""Numbers as they were typed: a Fraction at the door, or an error that names the parameter."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from noisewise.errors import ParameterError, ParameterTypeError
from noisewise.kernel.numbers.exact import MAX_BITS, describe, exact, exact_epsilon, spell, whole

LONG = 10**5000
"""A number that Python does not print."""


def by_type(value):
    return type(value).__name__


@pytest.mark.parametrize(
    ("typed", "number"),
    [
        (0.1, Fraction(1, 10)),
        (1e-7, Fraction(1, 10**7)),
        (-0.0, Fraction(0)),
        (5e-324, Fraction(5, 10**324)),
        (3, Fraction(3)),
        (2**70 + 1, Fraction(2**70 + 1)),
        (Fraction(1, 3), Fraction(1, 3)),
        (Decimal("0.10"), Fraction(1, 10)),
        (Decimal("1E+3"), Fraction(1000)),
        (Decimal("1e-400"), Fraction(1, 10**400)),
        (np.float64(0.1), Fraction(1, 10)),
        (np.float32(0.1), Fraction(1, 10)),
        (np.float16(0.1), Fraction(1, 10)),
        (np.longdouble(0.5), Fraction(1, 2)),
        (np.int8(-7), Fraction(-7)),
        (np.uint64(2**64 - 1), Fraction(2**64 - 1)),
    ],
)
def test_a_number_is_what_was_typed(typed, number):
    found = exact("x", typed)
    assert type(found) is Fraction
    assert found == number


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_float_is_the_decimal_that_prints_it(x):
    assert exact("x", x) == Fraction(repr(x))
    assert float(exact("x", x)) == x


def test_ten_spends_of_a_tenth_are_one():
    assert sum(exact("x", 0.1) for _ in range(10)) == 1


def test_how_arrays_are_printed_changes_no_number():
    with np.printoptions(precision=2, suppress=True, legacy="1.13"):
        assert exact("x", np.float64(0.1 + 0.2)) == Fraction("0.30000000000000004")
        assert exact("x", np.float32(0.12345)) == Fraction("0.12345")


@pytest.mark.parametrize(
    "value",
    [
        None,
        "1",
        b"1",
        True,
        np.True_,
        1j,
        [1],
        (1,),
        np.array(1.0),
        np.array([1.0]),
        object(),
        exact,
        float,
        np.timedelta64(1, "D"),
        np.timedelta64(1, "ns"),
        np.datetime64(1, "s"),
        np.complex64(1),
    ],
    ids=by_type,
)
def test_what_is_no_real_number_is_a_type_error(value):
    with pytest.raises(ParameterTypeError, match=r"^x must be a real number, got ") as caught:
        exact("x", value)
    assert caught.value.__cause__ is None and caught.value.__suppress_context__


@pytest.mark.parametrize(
    "value",
    [
        float("nan"),
        float("inf"),
        -float("inf"),
        np.float32("nan"),
        np.longdouble("inf"),
        Decimal("NaN"),
        Decimal("sNaN"),
        Decimal("-sNaN123"),
        Decimal("Infinity"),
        Decimal("-Infinity"),
    ],
)
def test_what_is_not_finite_is_an_error(value):
    with pytest.raises(ParameterError, match=r"^x must be finite, got "):
        exact("x", value)


@pytest.mark.parametrize(
    "value",
    [
        LONG,
        -LONG,
        Fraction(1, LONG),
        Fraction(LONG, 3),
        1 << MAX_BITS,
        Decimal("1e1000000000"),
        Decimal("1e-1000000000"),
        Decimal("1e-5000"),
        Decimal("0." + "3" * 5000),
    ],
    ids=by_type,
)
def test_what_could_not_be_printed_is_an_error_at_once(value):
    with pytest.raises(ParameterError, match=r"^x must have at most 4200 digits, got ") as caught:
        exact("x", value)
    assert len(str(caught.value)) < 160


def test_the_longest_number_that_is_let_in_can_be_printed():
    longest = exact("x", Fraction(1, (1 << MAX_BITS) - 1))
    assert Fraction(spell(longest)) == longest


@pytest.mark.parametrize(
    "value", [0, -1, -0.0, 64.5, 65, LONG // 10**4000, Fraction(-1, 3), Decimal("1e400")]
)
def test_epsilon_is_above_zero_and_at_most_sixty_four(value):
    with pytest.raises(ParameterError, match=r"^epsilon must be above 0 and at most 64, got "):
        exact_epsilon(value)


@pytest.mark.parametrize("value", [64, 0.1, 5e-324, Fraction(1, 10**400), np.float32(0.1)])
def test_any_other_epsilon_is_let_in(value):
    assert exact_epsilon(value) == exact("epsilon", value)


def test_a_whole_number_is_an_int():
    assert whole("m", 3, least=1) == 3
    assert type(whole("m", np.uint8(3), least=1)) is int
    assert whole("m", 2**63 - 1, least=1) == 2**63 - 1


@pytest.mark.parametrize(
    "value", [1.0, True, np.True_, "1", None, Fraction(2), Decimal(2), np.timedelta64(3, "D")]
)
def test_what_is_no_whole_number_is_a_type_error(value):
    with pytest.raises(ParameterTypeError, match=r"^m must be a whole number, got "):
        whole("m", value, least=1)


@pytest.mark.parametrize(
    ("value", "rule"),
    [(0, "at least 1"), (-LONG, "at least 1"), (2**63, "at most"), (LONG, "at most")],
    ids=by_type,
)
def test_a_whole_number_has_limits(value, rule):
    with pytest.raises(ParameterError, match=rf"^m must be {rule}"):
        whole("m", value, least=1)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1.5, "1.5"),
        (np.float64(1.5), "1.5"),
        (np.int16(3), "3"),
        (np.True_, "True"),
        ("abc", "'abc'"),
        (None, "None"),
        ([42, 43], "a list"),
        (np.array([42]), "a ndarray"),
        (np.timedelta64(42, "ns"), "a timedelta64"),
        (float, "a type"),
        (LONG, "a number of more than 4200 digits"),
        (Fraction(1, LONG), "a number of more than 4200 digits"),
    ],
    ids=by_type,
)
def test_a_parameter_is_shown_as_typed_or_by_its_type(value, text):
    assert describe(value) == text


@pytest.mark.parametrize("value", ["x" * 1000, 10**1000, Decimal("1" * 1000), Fraction(1, 10**1000)])
def test_what_is_shown_is_short(value):
    assert len(describe(value)) <= 80


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(1, 10), "0.1"),
        (Fraction(1, 3), "1/3"),
        (Fraction(5), "5"),
        (Fraction(1, 2**32), "1/4294967296"),
        (Fraction(-1, 4), "-0.25"),
        (Fraction(10**400 + 1, 2), f"{10**400 + 1}/2"),
        (Fraction(1, 10**400), f"1/{10**400}"),
    ],
)
def test_a_fraction_is_spelled_as_a_person_would(value, text):
    assert spell(value) == text


@given(st.fractions())
def test_what_is_spelled_can_be_read_back(value):
    assert Fraction(spell(value)) == value


def test_a_type_is_named_with_its_article():
    assert [describe(each) for each in (ArithmeticError(), [], {}, object())] == [
        "an ArithmeticError",
        "a list",
        "a dict",
        "an object",
    ]
