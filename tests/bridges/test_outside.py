"""Packages that may be missing, and floats that may not be less than the number they stand for."""

import math
import sys
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import noisewise as nws
from noisewise.bridges import dp_accounting, opendp
from noisewise.bridges.outside import MissingPackage, borrow, float_up


@given(st.fractions(min_value=0, max_value=10**30))
def test_the_float_is_the_smallest_that_is_not_below(value):
    told = float_up(value)
    assert Fraction(told) >= value > Fraction(math.nextafter(told, -math.inf))


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (Fraction(0), 0.0),
        (Fraction(1, 2), 0.5),
        (Fraction(1, 10), 0.1),  # the float is above
        (Fraction(3, 10), 0.30000000000000004),  # the nearest one is below
        (Fraction(1, 10**400), 5e-324),
    ],
)
def test_what_a_float_holds_stays_and_the_rest_goes_up(value, told):
    assert float_up(value) == told


def test_a_package_that_is_there_is_borrowed():
    assert borrow("fractions", extra="none").Fraction is Fraction


@pytest.mark.parametrize(
    ("module", "cross", "message"),
    [
        (
            "dp_accounting",
            lambda: dp_accounting.to_event(nws.PureDP(1)),
            'the package dp-accounting must be installed for this: pip install "dp-accounting>=0.6"',
        ),
        (
            "opendp.prelude",
            lambda: opendp.make_measurement(nws.Count(), epsilon=1),
            'the package opendp must be installed for this: pip install "opendp>=0.16"',
        ),
    ],
)
def test_a_missing_package_is_named_with_the_extra_that_brings_it(module, cross, message, monkeypatch):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingPackage) as caught:
        cross()
    assert str(caught.value) == message
    assert isinstance(caught.value, nws.NoisewiseError)
    assert isinstance(caught.value, ImportError)
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__
