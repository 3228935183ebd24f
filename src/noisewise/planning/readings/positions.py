"""Find the indices of lattice points for the values that a law is asked about."""

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from noisewise.errors import ParameterTypeError
from noisewise.kernel.numbers.arrays import Booleans, Integers
from noisewise.kernel.numbers.exact import describe

NEAR = 1e-6
"""A value names the nearest lattice point if the two are no further apart than this part of a step."""


class Positions(NamedTuple):
    """The index of the point at or below each value, whether the value names that point, and whether it is NaN.

    Indices are at most one beyond the ends of the law.
    """

    at: Integers
    named: Booleans
    unknown: Booleans


def positions(values: ArrayLike, granularity: Fraction, low: int, high: int) -> Positions:
    """Find the lattice point at or below each value; or the point above, if it is closer than NEAR steps."""
    flat = np.ravel(np.asarray(values))
    powers = granularity.numerator.bit_count() == granularity.denominator.bit_count() == 1
    if powers and (
        flat.dtype.kind == "f" or (flat.dtype.kind in "iu" and np.all(np.abs(flat * 1.0) < 2**53))
    ):
        with np.errstate(all="ignore"):  # a power of two divides without rounding
            quotient = flat.astype(np.float64) / float(granularity)
            near = np.abs(quotient - np.rint(quotient)) <= NEAR
            floor = np.where(near, np.rint(quotient), np.floor(quotient))
            inside = np.where((floor >= low) & (floor <= high), floor, 0).astype(np.int64)
        index = np.where(floor < low, low - 1, np.where(floor > high, high + 1, inside))
        return Positions(index, near & (index >= low) & (index <= high), np.isnan(quotient))
    each = [_position(value, granularity) for value in flat.tolist()]
    clipped = [min(max(one[0], low - 1), high + 1) if one else low for one in each]
    named = [one is not None and one[1] and low <= one[0] <= high for one in each]
    unknown = [one is None for one in each]
    return Positions(np.array(clipped, np.int64), np.array(named, np.bool_), np.array(unknown, np.bool_))


def _position(value: Any, granularity: Fraction) -> tuple[int, bool] | None:
    """The index of the point at or below a value, and whether the value names that point; None for NaN."""
    if isinstance(value, bool) or not isinstance(value, (int, float, Fraction, Decimal, np.number)):
        raise ParameterTypeError("values", "must be numbers", got=describe(value)) from None
    if isinstance(value, Decimal) and not value.is_finite():
        value = float(value)
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else (2**63 if value > 0 else -(2**63), False)
    quotient = Fraction(value) / granularity
    nearest = round(quotient)
    if abs(quotient - nearest) <= NEAR or float(value) == float(nearest * granularity):
        return nearest, True
    return math.floor(quotient), False
