"""Arrays of whole numbers that may not fit into 64 bits, and their quotients."""

from fractions import Fraction
from typing import Any

import numpy as np

from noisewise.kernel.numbers.arrays import Floats, LargeIntegers


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
