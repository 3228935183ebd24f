"""Numbers as the user typed them: every parameter becomes a Fraction at the door.

A float stands for the decimal that prints it, so ``0.1`` is 1/10 and ten spends of ``0.1`` are exactly 1.
"""

import math
from decimal import Decimal
from fractions import Fraction
from numbers import Rational

import numpy as np

from noisewise.errors import ParameterError, ParameterTypeError

MAX_EPSILON = 64


def exact(name: str, value: object) -> Fraction:
    """The rational number that ``value`` spells; an error naming the parameter if it spells none."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(
        value, (int, float, Fraction, Decimal, np.integer, np.floating, Rational)
    ):
        raise ParameterTypeError(f"{name} must be a real number, got {describe(value)}") from None
    if isinstance(value, (float, np.floating, Decimal)):
        if not math.isfinite(value):
            raise ParameterError(f"{name} must be finite, got {value}") from None
        return Fraction(str(value))
    if isinstance(value, np.integer):
        return Fraction(int(value))
    return Fraction(value)


def exact_epsilon(value: object) -> Fraction:
    """A privacy parameter: positive and at most 64, beyond which e^epsilon protects nobody."""
    epsilon = exact("epsilon", value)
    if not 0 < epsilon <= MAX_EPSILON:
        raise ParameterError(f"epsilon must be above 0 and at most {MAX_EPSILON}, got {value}") from None
    return epsilon


def whole(name: str, value: object, *, least: int) -> int:
    """A whole number of at least ``least``."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)):
        raise ParameterTypeError(f"{name} must be a whole number, got {describe(value)}") from None
    if value < least:
        raise ParameterError(f"{name} must be at least {least}, got {value}") from None
    return int(value)


def describe(value: object) -> str:
    """A parameter as an error may show it: short, and by type where its text could be long or hold data."""
    if value is None or isinstance(value, (bool, int, float, str, Fraction, Decimal)):
        text = repr(value)
        return text if len(text) <= 80 else f"{text[:77]}..."
    return f"a {type(value).__name__}"


def spell(value: Fraction) -> str:
    """A Fraction as a person would write it: ``0.1`` rather than ``1/10`` where the decimal is short."""
    if value.denominator == 1:
        return str(value.numerator)
    return repr(float(value)) if Fraction(repr(float(value))) == value else str(value)
