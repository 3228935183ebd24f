"""Answers: the public set a statistic answers in. Index k stands for the value k*granularity, low <= k <= high.

A side without a public end is None. An answer that is a fraction is floored to its index, at every level of an
envelope by the same floor, in integers: one monotone rounding keeps envelopes nested.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from noisewise.kernel.errors import ParameterError
from noisewise.kernel.numbers.exact import describe, exact
from noisewise.kernel.numbers.lattice import FINEST, Lattice

UTMOST = 2**61
"""An open side is gathered at this index: public, nearer than the sampler's own end, and never met in practice."""


@dataclass(frozen=True, slots=True)
class Answers:
    """Where an answer can lie, known without looking at the data."""

    low: int | None
    high: int | None
    granularity: Fraction

    @classmethod
    def on(cls, lattice: Lattice) -> "Answers":
        """Answers that are records: the lattice itself."""
        return cls(lattice.low, lattice.high, lattice.granularity)

    @classmethod
    def between(cls, low: Fraction, high: Fraction, granularity: object = None) -> "Answers":
        """Fractional answers of a public range: by default about 2^32 steps of a power of two."""
        return cls.on(Lattice.between((low, high), granularity))

    @classmethod
    def counting(cls, granularity: object = None) -> "Answers":
        """Counts: from 0 on, in steps of 1."""
        step = Fraction(1) if granularity is None else exact("granularity", granularity)
        if step < 1 or step > FINEST or step.denominator > 1:
            raise ParameterError(
                "granularity", "must be a whole number from 1 to 2^51 for a count", got=describe(granularity)
            ) from None
        return cls(0, None, step)

    @property
    def points(self) -> int:
        """How many answers there are; on an open side as many as the finest lattice has."""
        return FINEST if self.low is None or self.high is None else self.high - self.low + 1

    @property
    def support(self) -> tuple[int | None, int | None]:
        return self.low, self.high

    def floor(self, top: int, bottom: int = 1, unit: Fraction = Fraction(1)) -> int:
        """The index at or below the value unit*top/bottom, clipped to the range."""
        return self.floors([(top, bottom)], unit)[0]

    def floors(self, ratios: Iterable[tuple[int, int]], unit: Fraction) -> list[int]:
        """`floor` of many ratios (top, bottom) of one unit."""
        over = unit.numerator * self.granularity.denominator
        under = unit.denominator * self.granularity.numerator
        low = -UTMOST if self.low is None else self.low
        high = UTMOST if self.high is None else self.high
        return [min(max(top * over // (bottom * under), low), high) for top, bottom in ratios]

    def steps(self, distance: Fraction) -> int:
        """How many indices two answers so far apart can differ by, at least 1 and at most the range."""
        apart = max(1, -(-distance // self.granularity))
        return apart if self.low is None or self.high is None else min(apart, self.high - self.low)
