"""Answers: the public set of values that a statistic can have. Index k stands for k*granularity, low <= k <= high.

A side without a public end is None. A fractional answer is rounded down to an index. All levels of an envelope are
rounded in this way, in integers. One monotone rounding for all keeps envelopes nested.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from noisewise.kernel.errors import ParameterError
from noisewise.kernel.numbers.exact import describe, exact
from noisewise.kernel.numbers.lattice import FINEST, Lattice

UTMOST = 2**61
"""A draw on an open side is clamped at this public index. It is nearer than the end at which the sampler cuts."""


@dataclass(frozen=True, slots=True)
class Answers:
    """The possible answers, known without looking at the data."""

    low: int | None
    high: int | None
    granularity: Fraction

    @classmethod
    def on(cls, lattice: Lattice) -> "Answers":
        """The answers of a statistic that answers with a record: the lattice of the records."""
        return cls(lattice.low, lattice.high, lattice.granularity)

    @classmethod
    def between(cls, low: Fraction, high: Fraction, granularity: object = None) -> "Answers":
        """Fractional answers in a public range, by default in about 2^32 steps of a power of two."""
        return cls.on(Lattice.between((low, high), granularity))

    @classmethod
    def counting(cls, granularity: object = None) -> "Answers":
        """Counts: 0, 1, 2, ... times a whole granularity."""
        step = Fraction(1) if granularity is None else exact("granularity", granularity)
        if step < 1 or step > FINEST or step.denominator > 1:
            raise ParameterError(
                "granularity", "must be a whole number from 1 to 2^51 for a count", got=describe(granularity)
            ) from None
        return cls(0, None, step)

    @property
    def points(self) -> int:
        """The number of answers. If a side is open, it is the number of points of the finest lattice."""
        return FINEST if self.low is None or self.high is None else self.high - self.low + 1

    @property
    def support(self) -> tuple[int | None, int | None]:
        return self.low, self.high

    def floor(self, top: int, bottom: int = 1, unit: Fraction = Fraction(1)) -> int:
        """The index of the largest answer that is at most unit*top/bottom, clipped to the range."""
        return self.floors([(top, bottom)], unit)[0]

    def floors(self, ratios: Iterable[tuple[int, int]], unit: Fraction) -> list[int]:
        """`floor` for many pairs (top, bottom)."""
        over = unit.numerator * self.granularity.denominator
        under = unit.denominator * self.granularity.numerator
        low = -UTMOST if self.low is None else self.low
        high = UTMOST if self.high is None else self.high
        return [min(max(top * over // (bottom * under), low), high) for top, bottom in ratios]

    def steps(self, distance: Fraction) -> int:
        """The most by which the indices of two answers at this distance can differ: at least 1, at most the range."""
        apart = max(1, -(-distance // self.granularity))
        return apart if self.low is None or self.high is None else min(apart, self.high - self.low)
