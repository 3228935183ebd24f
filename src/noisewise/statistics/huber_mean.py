"""Huber's mean: the answer at which records nearby pull like a mean and records afar pull like a median.

With a public constant c, in the unit of the data,

    phi(y) = sum of clip((y - v)/c, -1, 1)

for the records v. The answer is where phi changes sign. If several y have this property, it is the least of them, and
without records it is the lower bound. A constant above the width of the bounds counts as that width, and then the
answer is the mean. phi is made of straight lines that meet at v - c and v + c. A record's own part rises with y and
lies between -1 and 1, wherever the bounds are. So the bounds may be loose.

For a large column, only the lines near the answer are computed, because nearly all draws end there. On these lines
|phi| is at most a public number of levels. On the other lines |phi| is at least as large, since phi rises. ``more`` of
the `Score` says that lines were left out.
Proof: docs/proofs/huber_mean.md.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

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
from noisewise.kernel.secret import Secret
from noisewise.statistics.mean import common_step
from noisewise.statistics.ratio import positive
from noisewise.statistics.records import Column, SummedBins, SummedColumn
from noisewise.statistics.score_end import ScoreEnd, score_ends
from noisewise.statistics.statistic import Frame, ScoreStatistic

CONSTANTS = 256
"""If the bounds are more than this many constants c apart, the lattice is as fine as if they were this far apart."""
LEAST_STEPS = 1024
"""A constant c is at least this many steps of the records' lattice, so rounding it to a step hardly matters."""


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


@dataclass(frozen=True, slots=True)
class SharedSteps:
    """Positions of records and answers: whole numbers of a common step, from 0 to ``width``. Public.

    The record with index i has the position offset + scale*(i - lattice.low). The answer k has the position
    unit*k - low.
    """

    unit: int
    scale: int
    low: int
    width: int
    offset: int
    support: tuple[int, int]

    @classmethod
    def of(cls, records: Lattice, answers: Answers) -> "SharedSteps":
        """The largest step that divides the records' step and half the answers' step."""
        assert answers.low is not None and answers.high is not None, "answers lie between bounds"
        step = common_step(answers.granularity / 2, records.granularity)
        unit, scale = int(answers.granularity / step), int(records.granularity / step)
        low = min(records.low * scale, unit * answers.low)
        high = max(records.high * scale, unit * answers.high)
        return cls(unit, scale, low, high - low, records.low * scale - low, (answers.low, answers.high))


class ClippedSum(Secret):
    """The sum over all records v of clip(p - v, -bottom, bottom), as a function of the position p.

    ``bottom`` is the constant c, counted in positions. Records are sorted and counted from the low end of their
    lattice. Positions go from 0 to the width. Records that are not clipped are less than 2^34 steps away. So their sum
    fits into 64 bits, even if numbers on the way to it overflow.

    Records in a bin count as if they all had the last index of their bin. The sum at a position is right if no bin of
    several indices holds a place where it bends. Otherwise its error is at most `_slack`, since one record adds at most
    1 to the sum for each position.
    """

    __slots__ = ("_counts", "_large", "_reach", "bins", "bottom", "records", "size", "steps", "sums")

    def __init__(self, records: Integers | SummedBins, steps: SharedSteps, reach: int) -> None:
        self.steps, self.bins = steps, records if isinstance(records, SummedBins) else None
        self._counts: Integers | None = None
        if isinstance(records, SummedBins):
            self.records, self._counts = records.lasts, np.append(0, np.cumsum(records.counts))
            self.sums = np.append(np.array([0], object), np.cumsum(records.sums))
            self.size = int(self._counts[-1])
        else:
            self.records, self.size = records, records.size
            self.sums = np.append(0, np.cumsum(records))
        self._reach, self.bottom = reach, steps.scale * reach
        self._large = 4 * (self.size + 1) * (steps.width + self.bottom) >= 2**62

    @classmethod
    def of(cls, column: Column, levels: int, steps: SharedSteps, reach: int) -> "ClippedSum":
        """The sum over a column. It is right wherever a score of ``levels`` levels reads it.

        A `SummedColumn` shows single records only where lines of the score may begin.
        """
        if isinstance(column, SummedColumn):
            bins = column.summed_bins(lambda bins: cls(bins, steps, reach)._looked_at(levels))
            return cls(bins, steps, reach)
        return cls(column.ordered() - column.lattice.low, steps, reach)

    def at(self, positions: LargeIntegers) -> LargeIntegers:
        """The sum at each of these positions, a whole number."""
        p = positions.astype(object if self._large else np.int64) - self.steps.offset
        whole, rest = p // self.steps.scale, p % self.steps.scale
        (below, lower), (upto, upper) = self._up_to(whole - self._reach), self._up_to(whole + self._reach)
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
    def _bends(self) -> tuple[int, ...]:
        """The sum bends at v - c and v + c for each record v. These are the distances of both positions from v."""
        return -self.bottom, self.bottom

    def breaks(self, start: int, stop: int) -> LargeIntegers:
        """The positions from ``start`` to ``stop`` at which the sum bends."""
        found = [self._shifted(shift, start, stop) for shift in self._bends]
        return np.unique(np.concatenate(found))

    def score(self, levels: int) -> Score:
        """The score, with all lines on which it is within ``levels`` levels of 0."""
        steps, far = self.steps, max(levels, 1) * self.bottom
        low, high = self._bracket(levels)
        start = self._first(lambda total: total > -far, low + 1, high + 1) - 1
        stop = self._first(lambda total: total >= far, low, high)
        positions = np.concatenate([[start], self.breaks(start, stop), [stop]])
        values = self.at(positions)
        if start > 0:
            positions, values = np.append(0, positions), np.append(values[:1], values)
        if stop < steps.width:
            positions, values = np.append(positions, steps.width), np.append(values, values[-1:])
        return Score.lines(
            positions + steps.low,
            values,
            steps.support,
            bottom=self.bottom,
            unit=steps.unit,
            more=(start > 0, stop < steps.width),
        )

    def _bracket(self, levels: int) -> tuple[int, int]:
        """Two positions between which the sum rises from ``levels`` levels below 0 to ``levels`` levels above 0.

        For records in memory, these are both ends. For records in bins, the sum is checked at the places where it bends
        at the end of a bin, and `_slack` is allowed for. So the score reads nothing outside the two positions.
        """
        if self.bins is None:
            return 0, self.steps.width
        far = max(levels, 1) * self.bottom
        ends = self.bins.lasts.astype(object) * self.steps.scale + self.steps.offset
        places = np.unique(np.concatenate([ends + shift for shift in self._bends]))
        places = places[(places >= 0) & (places <= self.steps.width)]
        below = _last(places, lambda here: bool(self.at(here) + self._slack(here) <= -far))
        above = _last(places[::-1], lambda here: bool(self.at(here) - self._slack(here) >= far))
        return below or 0, self.steps.width if above is None else above

    def _looked_at(self, levels: int) -> list[tuple[int, int]]:
        """The ranges of indices of records that bend the sum at positions that the score reads."""
        start, stop = self._bracket(levels)
        ahead = [self.steps.offset + shift for shift in self._bends]
        return [((start - each) // self.steps.scale, (stop - each) // self.steps.scale) for each in ahead]

    def _slack(self, positions: LargeIntegers) -> int:
        """The largest error of the sum at one position. Only bins that may hold a bend of the sum there cause
        errors."""
        assert self.bins is not None, "records in bins"
        off = 0
        for shift in self._bends:
            index = (int(positions[0]) - self.steps.offset - shift) // self.steps.scale
            place = int(np.searchsorted(self.bins.lasts, min(max(index, -1), 2**62)))
            if place < self.bins.lasts.size and self.bins.firsts[place] <= index < self.bins.lasts[place]:
                wide = int(self.bins.lasts[place] - self.bins.firsts[place])
                off += int(self.bins.counts[place]) * wide * self.steps.scale
        return off

    def _up_to(self, indices: LargeIntegers) -> tuple[Integers, Any]:
        """The number and the sum of the records at or below each index."""
        places = self._places(indices)
        return places if self._counts is None else self._counts[places], self.sums[places]

    def _places(self, indices: LargeIntegers) -> Integers:
        most = int(self.records[-1]) if self.records.size else 0
        return np.searchsorted(
            self.records, np.minimum(np.maximum(indices, -1), most).astype(np.int64), side="right"
        )

    def _shifted(self, shift: int, start: int, stop: int) -> LargeIntegers:
        """The positions of records plus ``shift`` that lie between ``start`` and ``stop``."""
        scale, ahead = self.steps.scale, self.steps.offset + shift
        first, last = (start - ahead) // scale, -((ahead - stop) // scale) - 1
        between = slice(*self._places(np.array([first, last], object)))
        return np.unique(self.records[between]).astype(object) * scale + ahead

    def _first(self, enough: Callable[[int], bool], low: int, high: int) -> int:
        """The first position from ``low`` on whose sum is enough; ``high`` if no position before it is."""
        while low < high:
            middle = (low + high) // 2
            if enough(int(self.at(np.array([middle], object))[0])):
                high = middle
            else:
                low = middle + 1
        return low


def _last(places: LargeIntegers, holds: Callable[[LargeIntegers], bool]) -> int | None:
    """The last place where ``holds`` is true, if it is true up to that place and false after it. None if it is never
    true."""
    found, low, high = None, 0, places.size
    while low < high:
        middle = (low + high) // 2
        if holds(places[middle : middle + 1]):
            found, low = int(places[middle]), middle + 1
        else:
            high = middle
    return found
