"""Orders of magnitude: zero and the signed powers of a base, between public limits. They sort records into buckets.

    ... [-4, -2)  [-2, -1)  ...  [-r, 0)  {0}  (0, r]  ...  (1, 2]  (2, 4] ...        r the lowest power

A bucket includes its outer power. So bounds that end at a power hold that power: zeros and ones lie between 0 and 1.
Numbers beyond the last power belong to the last bucket. A number is read as the nearest float64 and compared with
powers that are float64 too. So no logarithm rounds, and the record alone decides. Missing records are in no bucket.
"""

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from noisewise.errors import ParameterError
from noisewise.kernel.numbers.exact import describe, exact, whole
from noisewise.tables.columns.array_column import Declared

LIMIT = 2**900
"""Powers lie between 1/LIMIT and LIMIT. So sums of records, and steps of fine lattices, stay finite in float64."""

MOST_BASE = 1024


@dataclass(frozen=True, slots=True)
class Magnitudes:
    """Powers above zero in rising order. If ``signed``, the negative powers are their mirror image."""

    powers: tuple[float, ...]
    base: int
    signed: bool = True

    ends: ClassVar[tuple[float, float]] = (-math.inf, math.inf)

    @classmethod
    def of(cls, base: object, smallest: object, largest: object) -> "Magnitudes":
        """The powers of ``base`` from the last that is <= ``smallest`` to the first that is >= ``largest``."""
        step = whole("base", base, least=2, most=MOST_BASE)
        low, high = exact("smallest", smallest), exact("largest", largest)
        if not Fraction(1, LIMIT) <= low:
            raise ParameterError("smallest", "must be at least 2^-900", got=describe(smallest)) from None
        if not low < high <= LIMIT:
            raise ParameterError(
                "largest", "must be above smallest and at most 2^900", got=describe(largest)
            ) from None
        power = Fraction(1)
        while power > low:
            power /= step
        while power * step <= low:
            power *= step
        powers = [power]
        while powers[-1] < high:
            powers.append(powers[-1] * step)
        return cls(tuple(map(float, powers)), step)

    @property
    def buckets(self) -> int:
        return len(self.powers) * (2 if self.signed else 1) + 1

    @property
    def lowest(self) -> int:
        """The index of the lowest bucket. The bucket of zero has index 0."""
        return -len(self.powers) if self.signed else 0

    def index(self, values: NDArray[np.float64]) -> NDArray[np.int64]:
        """The bucket of each number. The caller removes NaNs.

        Each power is at least twice the one before. So at most one power has the same float64 exponent as a number, and
        is compared with it. All powers with smaller exponents are below the number.
        """
        inner = np.array([0.0, *self.powers[:-1]])
        below, own = np.searchsorted(_exponent(inner), np.arange(2048)), np.full(2048, np.inf)
        own[_exponent(inner)] = inner
        size = np.abs(values)
        exponent = _exponent(size)
        outer = below[exponent] + (size > own[exponent])
        return np.maximum(np.where(values < 0, -outer, outer), self.lowest)

    def bins_of(self, values: NDArray[np.float64]) -> NDArray[np.int64]:
        """The bucket of each number, counted from the lowest."""
        return self.index(values) - self.lowest

    @property
    def thresholds(self) -> NDArray[np.float64]:
        """Where each bucket except the lowest begins: just above a power if positive, and at a power if negative."""
        inner = np.array([0.0, *self.powers[:-1]])
        beyond = np.nextafter(inner, math.inf)
        return np.concatenate([0.0 - inner[::-1], beyond]) if self.signed else beyond

    def count(self, data: Declared) -> NDArray[np.int64]:
        """The number of records in each bucket, from the lowest on. Secret."""
        return data.counts(self)

    def around(self, first: int, last: int) -> tuple[float, float]:
        """The bounds of the numbers in the buckets ``first`` to ``last``. If several buckets have one sign, 0 is a
        bound."""
        low, high = 0.0 - self._outward(-first), self._outward(last)
        if first < last:
            low, high = min(low, 0.0), max(high, 0.0)
        return low, high

    def _outward(self, bucket: int) -> float:
        """The upper end of a bucket."""
        at = (0.0, *self.powers)
        return at[bucket] if bucket >= 0 else 0.0 - at[-bucket - 1]

    def part(self, start: int, stop: int, *, signed: bool) -> "Magnitudes":
        return replace(self, powers=self.powers[start:stop], signed=signed)


def _exponent(sizes: NDArray[np.float64]) -> NDArray[np.int64]:
    """The exponent field of float64 numbers that are not negative: 0 for zero and subnormals, 2047 for infinity."""
    return sizes.view(np.int64) >> 52
