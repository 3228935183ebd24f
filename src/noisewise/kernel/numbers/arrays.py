"""The types of NumPy arrays, each named once, and formulas that take one number as well as an array of numbers.

NumPy computes several times as fast with one number as with an array that holds one number.
"""

from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

Integers: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]
Booleans: TypeAlias = NDArray[np.bool_]

Unsigned: TypeAlias = NDArray[np.uint64]
"""64 bits without a sign: random words, and thresholds to compare them with."""

LargeIntegers: TypeAlias = NDArray[Any]
"""int64 if that certainly holds all the numbers, else Python's own integers."""


def clamped(value: Any, low: Any, high: Any) -> Any:
    """The value, or the nearer of ``low`` and ``high`` if it is not between them. NaN stays NaN."""
    if isinstance(value, np.ndarray):
        return np.minimum(np.maximum(value, low), high)
    return min(max(value, low), high)


def either(condition: Any, this: Any, other: Any) -> Any:
    """``this`` where the condition holds, else ``other``."""
    if isinstance(condition, np.ndarray):
        return np.where(condition, this, other)
    return this if condition else other


def floats(values: Any) -> Any:
    """Whole numbers as float64."""
    return values.astype(np.float64) if isinstance(values, np.ndarray) else np.float64(values)


def entries(table: NDArray[Any], indices: Any) -> Any:
    """The entries of a table at indices that count row after row."""
    return table.take(indices) if isinstance(indices, np.ndarray) else table.flat[indices]


def whole_numbers(values: Any, spare: int = 1) -> LargeIntegers:
    """Whole numbers as int64 if ``spare`` times the largest of them fits as well, else as Python integers."""
    ends = (
        values if not isinstance(values, np.ndarray) else (values.min(), values.max()) if values.size else ()
    )
    largest = max((abs(int(end)) for end in ends), default=0)
    return np.array(values, np.int64 if max(largest, 1) * spare < 2**62 else object)


def quotients(values: LargeIntegers, bottom: int) -> Floats:
    """values/bottom in float64, even if some of the numbers are too large for float64."""
    if values.dtype != object and bottom < 2**1000:
        return np.asarray(values / float(bottom), np.float64)
    flat = [value / bottom for value in values.ravel().tolist()]
    return np.array(flat, np.float64).reshape(values.shape)


def quotient(value: Any, bottom: int) -> Fraction:
    """value/bottom, exactly, for a single value."""
    return (value if isinstance(value, Fraction) else Fraction(int(value))) / bottom


def cut_to(given: ArrayLike, low: int, high: int) -> NDArray[Any]:
    """Cut a list of whole numbers, or an unsigned array, to the range from ``low`` to ``high``. Keep anything else.

    Whole numbers of any size are cut, so that no size raises an error.
    """
    listed: Any = given.tolist() if isinstance(given, np.ndarray) and given.dtype == object else given
    if isinstance(listed, (list, tuple)) and all(isinstance(each, (int, np.integer)) for each in listed):
        return np.array([min(max(int(each), low), high) for each in listed], np.int64)
    try:
        array = np.asarray(given)
    except ValueError:  # lists of several lengths
        array = np.asarray(None)
    return np.minimum(array, high).astype(np.int64) if array.dtype.kind == "u" else array
