"""Huber's mean: the answer at which records nearby pull like a mean and records afar pull like a median.

With a public constant c, in the unit of the data,

    phi(y) = sum of clip((y - v)/c, -1, 1)

and the answer is where phi changes sign: the least such y, if there are several, and the lower bound if there are no
records. A constant above the width of the bounds is that width, and the answer is the mean. phi is made of straight
lines that meet at v - c and v + c. A record's own part rises with y and lies between -1 and 1 wherever the bounds are:
they may be loose. Of a large column only the lines near the answer are made, where nearly all draws end. Proof:
docs/proofs/huber_mean.md.
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from noisewise.errors import ParameterError
from noisewise.kernel.laws.score import Score
from noisewise.kernel.losses import Neighbors
from noisewise.kernel.numbers.answers import Answers
from noisewise.kernel.numbers.arrays import Integers, LargeIntegers
from noisewise.kernel.numbers.exact import Number, spell
from noisewise.kernel.numbers.lattice import (
    DEFAULT_STEPS,
    FINEST,
    LEAST_GRANULARITY,
    Lattice,
    exact_bounds,
    nearest_power_of_two,
)
from noisewise.statistics.ratio import positive
from noisewise.statistics.records import Column, SummedBins
from noisewise.statistics.rising_sum import RisingSum, SharedSteps
from noisewise.statistics.score_end import ScoreEnd, score_ends
from noisewise.statistics.statistic import Frame, ScoreStatistic

CONSTANTS = 256
"""The lattice is as fine as if the bounds were at most so many constants c apart."""
LEAST_STEPS = 1024
"""A constant c has at least so many steps of the records' lattice, so that rounding it to one hardly matters."""


@dataclass(frozen=True, slots=True, init=False)
class HuberMean(ScoreStatistic):
    """Huber's M-estimate of location with the constant c, in the unit of the data; the lower bound if it is empty."""

    c: Fraction

    def __init__(self, c: Number) -> None:
        object.__setattr__(self, "c", positive("c", c))

    def __str__(self) -> str:
        return f"huber_mean({spell(self.c)})"

    def frame(self, bounds: object, granularity: object) -> Frame:
        low, high = exact_bounds(bounds)
        fine = nearest_power_of_two(min(high - low, CONSTANTS * self.c) / DEFAULT_STEPS)
        finest = nearest_power_of_two(2 * max(abs(low), abs(high)) / FINEST)
        step = max(fine, finest, LEAST_GRANULARITY)
        if self.c < LEAST_STEPS * step:
            raise ParameterError(
                "c",
                f"must be at least {float(LEAST_STEPS * step):g} between these bounds",
                got=spell(self.c),
                fix="narrow them",
            ) from None
        records = Lattice.between((low, high), step)
        return Frame(records, Answers.between(low, high, step if granularity is None else granularity))

    def score(self, column: Column, answers: Answers, levels: int, epsilon: Fraction) -> Score:
        records = column.lattice
        reach = min(round(self.c / records.granularity), records.high - records.low)
        return ClippedSum.of(column, levels, SharedSteps.of(records, answers), reach).score(levels)

    def ends(
        self, neighbors: Neighbors, epsilon: Fraction, answers: Answers, miss: Fraction
    ) -> tuple[ScoreEnd, ScoreEnd]:
        return score_ends(self, neighbors, epsilon, Fraction(answers.points + 1), miss)


class ClippedSum(RisingSum):
    """The sum over all records v of clip(p - v, -bottom, bottom), with ``bottom`` so many steps of their lattice.

    Records that are not clipped are less than 2^34 steps away: their sum fits into 64 bits, whatever overflows on the
    way to it.
    """

    __slots__ = ("_large", "_reach", "bottom")

    def __init__(self, records: Integers | SummedBins, steps: SharedSteps, reach: int) -> None:
        super().__init__(records, steps)
        self._reach, self.bottom = reach, steps.scale * reach
        self._large = 4 * (self.size + 1) * (steps.width + self.bottom) >= 2**62

    def at(self, positions: LargeIntegers) -> LargeIntegers:
        p = positions.astype(object if self._large else np.int64) - self.steps.offset
        whole, rest = p // self.steps.scale, p % self.steps.scale
        (below, lower), (upto, upper) = self.upto(whole - self._reach), self.upto(whole + self._reach)
        near = upto - below
        if self.bins is None:
            distances = near * whole.astype(np.int64) - (upper - lower)
        else:
            exact = near.astype(object) * whole.astype(object) - (upper - lower)
            distances = exact if self._large else exact.astype(np.int64)
        if self._large:
            below, upto, near, distances = (each.astype(object) for each in (below, upto, near, distances))
        clipped = self.bottom * (below + upto - self.size)
        total: LargeIntegers = clipped + self.steps.scale * distances + near * rest
        return total

    @property
    def bends(self) -> tuple[int, ...]:
        """v - c and v + c."""
        return -self.bottom, self.bottom

    def breaks(self, start: int, stop: int) -> LargeIntegers:
        found = [self.shifted(shift, start, stop) for shift in self.bends]
        return np.unique(np.concatenate(found))
