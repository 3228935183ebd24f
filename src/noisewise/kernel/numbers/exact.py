"""Numbers as the user typed them: every parameter becomes a Fraction before it is used.

A float stands for the decimal that Python prints for it. So ``0.1`` is 1/10, and ten times ``0.1`` is exactly 1.
"""

import re
from datetime import timedelta
from decimal import Decimal
from fractions import Fraction
from numbers import Rational
from typing import Any, TypeAlias

import numpy as np

from noisewise.kernel.errors import ParameterError, ParameterTypeError, Value

Number: TypeAlias = int | float | Fraction | Decimal | np.integer[Any] | np.floating[Any]
"""The types that a parameter may have."""

MAX_EPSILON = 64

MAX_BITS = 14_000
"""The most bits of a numerator or denominator: 4,214 digits, which Python still prints."""

MAX_RHO = MAX_EPSILON
"""The zCDP of every pure epsilon is below epsilon itself."""

EPSILON_BITS = 4_000
"""The most bits of an epsilon's numerator or denominator, so that numbers computed from its square still fit."""

MAX_WHOLE = 2**63 - 1

WRITTEN = re.compile(r"[0-9]{0,99}[.][0-9]{1,99}|[0-9]{1,99}(/0*[1-9][0-9]{0,99})?")
"""A share or a price as text: "0.5" or "1/3"."""


def exact(name: str, value: object) -> Fraction:
    """The rational number that ``value`` stands for. If there is none, an error names the parameter ``name``."""
    if type(value) is Fraction and not _is_long(value):
        return value
    if type(value) is int:
        number: Fraction | None = Fraction(value)
    elif isinstance(value, (bool, np.bool_, np.timedelta64)) or not isinstance(
        value, (int, float, Fraction, Decimal, np.integer, np.floating, Rational)
    ):
        raise ParameterTypeError(name, "must be a real number", got=describe(value)) from None
    elif not (value.is_finite() if isinstance(value, Decimal) else _is_finite(value)):
        raise ParameterError(name, "must be finite", got=describe(value)) from None
    else:
        number = None if isinstance(value, Decimal) and abs(value.adjusted()) > MAX_BITS else _spelled(value)
    if number is None or _is_long(number):
        raise ParameterError(name, "must have at most 4200 digits", got=describe(value)) from None
    return number


def exact_epsilon(value: object) -> Fraction:
    """An epsilon: above 0 and at most 64, because a larger one protects nobody."""
    return _exact_price("epsilon", value, MAX_EPSILON)


def exact_rho(value: object) -> Fraction:
    """A rho: above 0 and at most 64, like an epsilon."""
    return _exact_price("rho", value, MAX_RHO)


def _exact_price(name: str, value: object, most: int) -> Fraction:
    written = isinstance(value, str) and WRITTEN.fullmatch(value.strip())
    price = exact(name, Fraction(written.string.strip()) if written else value)
    if _is_long(price, EPSILON_BITS):
        raise ParameterError(name, "must have at most 1200 digits", got=describe(value)) from None
    if not 0 < price.numerator <= most * price.denominator:
        raise ParameterError(name, f"must be above 0 and at most {most}", got=describe(value)) from None
    return price


def whole(name: str, value: object, *, least: int, most: int = MAX_WHOLE) -> int:
    """A whole number from ``least`` to ``most``, which is by default the largest that 64 bits hold."""
    if isinstance(value, (bool, np.bool_, np.timedelta64)) or not isinstance(value, (int, np.integer)):
        raise ParameterTypeError(name, "must be a whole number", got=describe(value)) from None
    number = int(value)
    if number < least:
        raise ParameterError(name, f"must be at least {least}", got=describe(number)) from None
    if number > most:
        raise ParameterError(name, f"must be at most {most}", got=describe(number)) from None
    return number


def describe(value: object) -> Value:
    """A parameter as an error may show it: its text if it is short, its type if the text could hold data."""
    if not isinstance(value, np.timedelta64) and isinstance(value, (np.bool_, np.integer, np.floating)):
        value = value.item()
    if isinstance(value, (int, Fraction)) and _is_long(Fraction(value)):
        return _alike("a number of more than 4200 digits")
    if value is None or isinstance(value, (bool, int, float, str, Fraction, Decimal)):
        text = repr(value)
        if len(text) > 80:
            return _alike(f"{text[:77]}...")
        return Value(text, _typed(value, text))
    kind = type(value).__name__
    name = f"{'an' if kind[:1] in 'AEIOaeio' else 'a'} {kind}"
    return Value(name, "a duration") if isinstance(value, timedelta) else _alike(name)


def _typed(value: object, text: str) -> str:
    """The value as it is typed on a command line."""
    if value is None:
        return "none"
    return str(value) if isinstance(value, (Fraction, Decimal)) else text


def _alike(text: str) -> Value:
    """A text that is the same in Python and on the command line."""
    return Value(text, text)


def spell(value: Fraction) -> str:
    """A Fraction as a person would write it: ``0.1`` rather than ``1/10`` if the decimal is short."""
    if value.denominator == 1:
        return str(value.numerator)
    try:
        decimal = repr(float(value))
    except OverflowError:
        return str(value)
    return decimal if Fraction(decimal) == value else str(value)


def _is_finite(value: object) -> bool:
    return not isinstance(value, (float, np.floating)) or bool(np.isfinite(value))


def _spelled(value: Any) -> Fraction:
    """The value of the shortest text of a finite number. NumPy's settings for printing do not change it."""
    if isinstance(value, float):
        return Fraction(float.__repr__(value))
    if isinstance(value, np.floating):
        return Fraction(np.format_float_scientific(value))
    return Fraction(int(value) if isinstance(value, np.integer) else value)


def _is_long(number: Fraction, bits: int = MAX_BITS) -> bool:
    top, bottom = number.as_integer_ratio()
    return top.bit_length() > bits or bottom.bit_length() > bits
