"""MAD: the median absolute deviation, the median distance of the records from their median. Not scaled.

Both medians have rank ceil(n/2). Let D(c, r) be the r-th smallest distance of a record from a centre c. For a fixed c,
l edits raise the median distance to D(c, up) with up = ceil((n + l)/2), or ceil(n/2) + l for swaps. They lower it to
D(c, down). After l edits the median lies in its own envelope I[l], so

    upper[l] = max over c in I[l] of D(c, up)        lower[l] = min over c in I[l] of D(c, down)

As c moves, D(c, r) rises and falls with slope 1. It is largest at an end of I[l] or halfway between two records that
are r ranks apart. It is smallest at an end or in the middle of r neighbouring records. So each level looks at the
halfway points in I[l]. Centres are lattice points, so half a step is rounded inwards. From the public level
``NEAR_LEVELS`` on, only the slope is used to bound D between the two ends of I[l]. Proof: docs/proofs/mad.md.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from noisewise.kernel.laws.envelope import Envelope
from noisewise.kernel.numbers.answers import Answers
from noisewise.kernel.numbers.arrays import Integers
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.statistics.records import Column
from noisewise.statistics.statistic import BOTH, Frame, Statistic

NEAR_LEVELS = 512
"""Levels below this look at every possible centre. If epsilon is at least 0.1, others have e^-25 of the mass."""


@dataclass(frozen=True, slots=True)
class MAD(Statistic):
    """The median absolute deviation from the median, without a factor; 0 if there are no records. Data in memory."""

    relations = BOTH
    ends_by_levels = True

    def frame(self, bounds: object, granularity: object) -> Frame:
        """At least half of the records are on either side of the median, so the answer is at most half the range."""
        lattice = Lattice.between(bounds, granularity)
        most = max(1, (lattice.high - lattice.low) // 2)
        return Frame(lattice, Answers(0, most, lattice.granularity))

    def envelope(self, column: Column, answers: Answers, levels: int) -> Envelope:
        """A nested bound. Level 0 is the answer itself."""
        if column.count == 0:
            return Envelope.of([0], [0], answers.support)
        last, records = min(levels, column.count), column.ordered()
        near = _Centres.of(column, records, min(last, NEAR_LEVELS - 1)).searched()
        if last < NEAR_LEVELS:
            return _capped(*near, answers)
        far = _Centres.of(column, records, last).sloped()
        return _capped(*near, answers).splice(_capped(*far, answers), NEAR_LEVELS)


def _capped(lower: Integers, upper: Integers, answers: Answers) -> Envelope:
    """The envelope of these levels. No level is above the public end."""
    return Envelope.of(lower, np.minimum(upper, answers.points - 1), answers.support)


@dataclass(frozen=True, slots=True, repr=False)
class _Centres:
    """Sorted records, and the ranks that each level reaches downwards and upwards."""

    records: Integers
    lattice: Lattice
    down: Integers
    up: Integers

    @classmethod
    def of(cls, column: Column, records: Integers, last: int) -> "_Centres":
        """The ranks for the levels 0 to ``last``."""
        edits, count = np.arange(last + 1), records.size
        if column.neighbors == "swap":
            return cls(records, column.lattice, (count + 1) // 2 - edits, (count + 1) // 2 + edits)
        return cls(records, column.lattice, (count + 1 - edits) // 2, (count + 1 + edits) // 2)

    def medians(self) -> tuple[Integers, Integers]:
        """The ends of I: the smallest and largest median of each level."""
        count, (low, high) = self.records.size, (self.lattice.low, self.lattice.high)
        left = np.where(self.down < 1, low, self.records[np.maximum(self.down, 1) - 1])
        return left, np.where(self.up > count, high, self.records[np.minimum(self.up, count) - 1])

    def sloped(self) -> tuple[Integers, Integers]:
        """Bounds of D between the ends of I: if these are w apart and D is A and B there, it is (A + B ± w)/2."""
        left, right = self.medians()
        lower = -((right - left - self.distance(left, self.down) - self.distance(right, self.down)) // 2)
        upper = (right - left + self.distance(left, self.up) + self.distance(right, self.up)) // 2
        return np.maximum(lower, 0), upper

    def searched(self) -> tuple[Integers, Integers]:
        """The smallest and the largest D over all centres in I."""
        left, right = self.medians()
        lower = np.minimum(self.distance(left, self.down), self.distance(right, self.down))
        upper = np.maximum(self.distance(left, self.up), self.distance(right, self.up))
        for l, widths in self._widths(np.maximum(self.down, 1) - 1, left, right):
            lower[l] = min(lower[l], (widths.min() + 1) // 2)
        for l, widths in self._widths(self.up, left, right):
            upper[l] = max(upper[l], widths.max() // 2)
        return lower, upper

    def _widths(self, apart: Integers, left: Integers, right: Integers) -> Iterator[tuple[int, Integers]]:
        """For each level l, the distances of records apart[l] ranks apart whose middle is between left[l] and right[l].

        If left[l] equals right[l], the level is left out, because D is known at the ends of I.
        """
        starts, stops = self._first(apart, 2 * left), self._first(apart, 2 * right + 1)
        for l in np.flatnonzero((left < right) & (starts < stops)).tolist():
            start, stop, behind = int(starts[l]), int(stops[l]), int(apart[l])
            yield l, self.records[start + behind : stop + behind] - self.records[start:stop]

    def distance(self, centre: Integers, rank: Integers) -> Integers:
        """D(centre, rank). Below rank 1 it is 0, and above the last rank it is the distance of the farther bound."""
        count = self.records.size
        apart = np.clip(rank, 1, count) - 1
        after = np.minimum(self._first(apart, 2 * centre), count - 1 - apart)
        before = np.maximum(after - 1, 0)
        found = np.minimum(
            *(
                np.maximum(centre - self.records[start], self.records[start + apart] - centre)
                for start in (before, after)
            )
        )
        farther = np.maximum(centre - self.lattice.low, self.lattice.high - centre)
        return np.where(rank < 1, 0, np.where(rank > count, farther, found))

    def _first(self, apart: Integers, total: Integers) -> Integers:
        """The first index i with record[i] + record[i + apart] >= total, or the index after the last one."""
        count = self.records.size
        start, stop = np.zeros_like(apart), np.maximum(count - apart, 0)
        for _ in range(count.bit_length()):
            middle = (start + stop) // 2
            pair = (
                self.records[np.minimum(middle, count - 1)]
                + self.records[np.minimum(middle + apart, count - 1)]
            )
            short = (pair < total) & (start < stop)
            start, stop = np.where(short, middle + 1, start), np.where(short, stop, middle)
        return start
