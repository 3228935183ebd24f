"""Huber's mean: the answer at which records nearby pull like a mean and records afar pull like a median.

With a public constant c, in the unit of the data,

    phi(y) = sum of clip((y - v)/c, -1, 1)

and the answer is where phi changes sign: the least such y, if there are several, and the lower bound if there are no
records. A constant above the width of the bounds is that width, and the answer is the mean. phi is made of straight
lines that meet at v - c and v + c. A record's own part rises with y and lies between -1 and 1 wherever the bounds are:
they may be loose. Of a large column only the lines near the answer are made, where nearly all draws end. Proof:
docs/proofs/huber_mean.md.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from noisewise.columns.column import Column
from noisewise.errors import ParameterError
from noisewise.laws.score import Score
from noisewise.numbers.answers import Answers
from noisewise.numbers.arrays import Integers, LargeIntegers
from noisewise.numbers.exact import Number, spell
from noisewise.numbers.lattice import DEFAULT_STEPS, FINEST, Lattice, exact_bounds, nearest_power_of_two
from noisewise.secret import Secret
from noisewise.statistics.mean import common_step
from noisewise.statistics.ratio import positive
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
        finest = nearest_power_of_two(2 * max(abs(low), abs(high)) / FINEST)
        step = max(nearest_power_of_two(min(high - low, CONSTANTS * self.c) / DEFAULT_STEPS), finest)
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
        assert answers.low is not None and answers.high is not None, "a mean lies between bounds"
        pull = self.pull(column.neighbors, epsilon)
        records, support = column.lattice, (answers.low, answers.high)
        step = common_step(answers.granularity / 2, records.granularity)
        unit, scale = int(answers.granularity / step), int(records.granularity / step)
        low = min(records.low * scale, unit * answers.low)
        width = max(records.high * scale, unit * answers.high) - low
        pulls = ClippedSum(
            column.ordered() - records.low,
            reach=min(round(self.c / records.granularity), records.high - records.low),
            scale=scale,
            offset=records.low * scale - low,
            width=width,
        )
        far = int(max(levels, 1) * pull) * pulls.bottom
        start, stop = pulls.last_at_most(-far), pulls.first_at_least(far)
        positions = np.concatenate([[start], pulls.breaks(start, stop), [stop]])
        values = pulls.at(positions)
        if start > 0:
            positions, values = np.append(0, positions), np.append(values[:1], values)
        if stop < width:
            positions, values = np.append(positions, width), np.append(values, values[-1:])
        return Score.lines(
            positions + low,
            values,
            support,
            pull,
            bottom=pulls.bottom,
            unit=unit,
            more=(start > 0, stop < width),
        )


class ClippedSum(Secret):
    """The sum over all records v of clip(p - offset - scale*v, -bottom, bottom), at positions p from 0 to ``width``.

    Records are sorted, from 0 on; ``bottom`` is scale*reach. Those that are not clipped are less than 2^34 away, so
    their sum fits into 64 bits, whatever overflows on the way to it.
    """

    __slots__ = ("_large", "_offset", "_reach", "_records", "_scale", "_sums", "bottom", "width")

    def __init__(self, records: Integers, *, reach: int, scale: int, offset: int, width: int) -> None:
        self._records, self._reach, self._scale, self._offset = records, reach, scale, offset
        self._sums = np.append(0, np.cumsum(records))
        self.bottom, self.width = scale * reach, width
        self._large = 4 * (records.size + 1) * (width + self.bottom) >= 2**62

    def at(self, positions: LargeIntegers) -> LargeIntegers:
        """The sum at each of these positions."""
        p = positions.astype(object if self._large else np.int64) - self._offset
        whole, rest = p // self._scale, p % self._scale
        below, upto = self._count(whole - self._reach), self._count(whole + self._reach)
        near = upto - below
        steps = near * whole.astype(np.int64) - (self._sums[upto] - self._sums[below])
        if self._large:
            below, upto, near, steps = (each.astype(object) for each in (below, upto, near, steps))
        total: LargeIntegers = (
            self.bottom * (below + upto - self._records.size) + self._scale * steps + near * rest
        )
        return total

    def breaks(self, start: int, stop: int) -> LargeIntegers:
        """The positions between two others at which the slope changes."""
        found = []
        for shift in (self._offset - self.bottom, self._offset + self.bottom):
            first, last = (start - shift) // self._scale, -((shift - stop) // self._scale) - 1
            between = slice(*self._count(np.array([first, last], object)))
            distinct = np.unique(self._records[between]).astype(object if self._large else np.int64)
            found.append(distinct * self._scale + shift)
        return np.unique(np.concatenate(found))

    def last_at_most(self, value: int) -> int:
        """The last position at which the sum is at most so high; the first of all if there is none."""
        return self._first(lambda total: total > value, 1, self.width + 1) - 1

    def first_at_least(self, value: int) -> int:
        """The first position at which the sum is at least so high; the last of all if there is none."""
        return self._first(lambda total: total >= value, 0, self.width)

    def _first(self, enough: Callable[[int], bool], low: int, high: int) -> int:
        while low < high:
            middle = (low + high) // 2
            if enough(int(self.at(np.array([middle], object))[0])):
                high = middle
            else:
                low = middle + 1
        return low

    def _count(self, indices: LargeIntegers) -> Integers:
        """How many records are at or below each index."""
        most = int(self._records[-1]) if self._records.size else 0
        return np.searchsorted(self._records, np.clip(indices, -1, most).astype(np.int64), side="right")
