"""The types of NumPy arrays, each named once; and formulas that take one number as they take an array of them.

With one number NumPy computes several times as fast as with an array of one, but for its functions of several.
"""

from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Integers: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]
Booleans: TypeAlias = NDArray[np.bool_]

Unsigned: TypeAlias = NDArray[np.uint64]
"""64 bits without a sign: random words, and thresholds to compare them with."""

LargeIntegers: TypeAlias = NDArray[Any]
"""int64 where that certainly holds all numbers, else Python's own integers."""


def clamped(value: Any, low: Any, high: Any) -> Any:
    """A value between two ends, or the nearer one of them; NaN for NaN."""
    if isinstance(value, np.ndarray):
        return np.minimum(np.maximum(value, low), high)
    return min(max(value, low), high)


def either(condition: Any, this: Any, other: Any) -> Any:
    """This where the condition holds, else the other."""
    if isinstance(condition, np.ndarray):
        return np.where(condition, this, other)
    return this if condition else other


def floats(values: Any) -> Any:
    """Whole numbers as float64."""
    return values.astype(np.float64) if isinstance(values, np.ndarray) else np.float64(values)


def entries(table: NDArray[Any], places: Any) -> Any:
    """What stands at places of a table, counted row after row."""
    return table.take(places) if isinstance(places, np.ndarray) else table.flat[places]


def whole_numbers(values: Any, spare: int = 1) -> LargeIntegers:
    """Whole numbers as int64 where they fit, also ``spare`` times as large, else as Python integers."""
    given = values if isinstance(values, np.ndarray) else np.array(values, object)
    largest = max(abs(int(given.min())), abs(int(given.max()))) if given.size else 0
    return given.astype(np.int64 if max(largest, 1) * spare < 2**62 else object)


def quotients(values: LargeIntegers, bottom: int) -> Floats:
    """values/bottom in float64, also where neither of the two fits into one."""
    if values.dtype != object and bottom < 2**1000:
        return np.asarray(values / float(bottom), np.float64)
    flat = [value / bottom for value in values.ravel().tolist()]
    return np.array(flat, np.float64).reshape(values.shape)


def quotient(value: Any, bottom: int) -> Fraction:
    """value/bottom of one value, exactly."""
    return (value if isinstance(value, Fraction) else Fraction(int(value))) / bottom
