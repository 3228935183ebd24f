"""Trimming: the mean distance from a bound of the records that lie between two ranks of a sorted column.

A trimmed or winsorized mean after some edits is the mean of a stretch of the sorted column, winsorized with both ends
repeated. Distances are counted from one of the bounds, so that edits only ever make the best mean smaller.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from noisewise.kernel.numbers.arrays import Integers, LargeIntegers
from noisewise.statistics.records import Column, Groups, Sums
from noisewise.statistics.windows import Windows

ROOM = 1 << 62
"""Products below this stay well inside int64."""

CLOSE = 1 + 2.0**-50
"""Quotients of float64 further apart than this are in the order of their ratios: each is within 2^-51 of its own."""


class Trims(NamedTuple):
    """Ways to trim, a row of them per level: the mean of X[start+1..stop], with its two ends ``repeated`` times more.

    Both ranks are counted from where the column as it is would be trimmed; ``size`` records are averaged.
    """

    start: LargeIntegers
    stop: LargeIntegers
    size: LargeIntegers
    repeated: LargeIntegers

    @classmethod
    def of(
        cls, start: LargeIntegers, stop: LargeIntegers, kept: LargeIntegers, repeated: LargeIntegers
    ) -> "Trims":
        return cls(start, stop, kept + 2 * repeated, repeated)

    def in_groups(self, kept: LargeIntegers, repeated: LargeIntegers) -> "Trims":
        """The same for groups, by how many more records each keeps and how many more it repeats."""
        size, often = self.size[..., np.newaxis], self.repeated[..., np.newaxis]
        return self._replace(size=size + kept + 2 * repeated, repeated=often + repeated)


@dataclass(frozen=True, slots=True, repr=False)
class BoundDistances:
    """Distances from one bound, falling, around the two ranks where a column is trimmed; of groups, a column each."""

    between: LargeIntegers
    """The sum of the distances between the two ranks."""
    after_first: LargeIntegers
    """The distances after the first rank."""
    at_second: LargeIntegers
    """The distance at the second rank and those after it."""
    left_out: LargeIntegers
    taken_in: LargeIntegers
    """Running sums of the distances after the first and after the second rank."""

    @classmethod
    def of(cls, between: Any, near: LargeIntegers, far: LargeIntegers) -> "BoundDistances":
        return cls(between, near, far, _running(near[:-1]), _running(far[1:]))

    def ratios(self, trims: Trims) -> tuple[LargeIntegers, LargeIntegers]:
        """The mean distance of each way to trim, as numerator and denominator."""
        top = self.taken_in.take(trims.stop, axis=0)
        top -= self.left_out.take(trims.start, axis=0)
        top += self.between
        if trims.repeated.any():
            ends = self.after_first.take(trims.start, axis=0) + self.at_second.take(trims.stop, axis=0)
            top += trims.repeated * ends
        return top, trims.size.astype(top.dtype, copy=False)

    def shortest(self, trims: Trims) -> "Shortest":
        """The least mean distance in each row and group, and whatever float64 cannot tell from it."""
        top, bottom = self.ratios(trims)
        about = top / bottom
        places = np.flatnonzero(about <= about.min(axis=1, keepdims=True) * CLOSE)
        rows, groups = places // about[0].size, places % about.shape[2]
        return Shortest(rows, groups, top.ravel()[places], bottom.ravel()[places])

    def least(self, trims: Trims) -> Iterator[tuple[int, int]]:
        """The least mean distance in each row, as numerator and denominator."""
        top, bottom = self.ratios(trims)
        best = _least_ratio(top, bottom)
        rows = np.arange(best.size)
        return zip(top[rows, best].tolist(), bottom[rows, best].tolist(), strict=True)


class Shortest(NamedTuple):
    """Ways to trim groups: their row, their group, and their mean distance, gap/size."""

    rows: NDArray[np.intp]
    groups: NDArray[np.intp]
    gap: LargeIntegers
    size: LargeIntegers


def distances_from_bounds(column: Column, cut: int, last: int) -> tuple[BoundDistances, BoundDistances]:
    """Distances from the upper bound and from the lower one, ``last`` ranks around the two where it is trimmed."""
    count, low, high = column.count, column.lattice.low, column.lattice.high
    rest = count - cut
    near, far = _around(column, cut + 1, last), _around(column, rest, last)
    total = _sum_up_to(column, rest, int(far[last])) - _sum_up_to(column, cut, int(near[last]))
    most = count + last + 1
    if most * max(high - low, most) >= ROOM:
        near, far = near.astype(object), far.astype(object)
    return _from_both_bounds((low, high), last, rest - cut, total, near, far)


def _from_both_bounds(
    ends: tuple[int, int], last: int, kept: Any, total: Any, near: LargeIntegers, far: LargeIntegers
) -> tuple[BoundDistances, BoundDistances]:
    """The same from the records around the two ranks, and the sum of those between them, from the low end."""
    low, high = ends
    upper = BoundDistances.of(kept * (high - low) - total, high - near[last:], high - far[last:])
    lower = BoundDistances.of(total, far[last::-1] - low, near[last::-1] - low)
    return upper, lower


@dataclass(frozen=True, slots=True, repr=False)
class TrimmedGroups:
    """The two ranks where each group is trimmed, the records around them and the sums of those between."""

    ends: tuple[int, int]
    cut: Integers
    rest: Integers
    last: Integers
    near: Windows
    far: Windows
    totals: Integers

    @classmethod
    def of(cls, groups: Groups, cut: Integers, last: Integers) -> "TrimmedGroups":
        counts = groups.counts
        rest, every = counts - cut, np.arange(len(groups))
        near = Windows.of(groups, counts, cut + 1 - last, cut + 2 + last)
        far = Windows.of(groups, counts, rest - last, rest + 1 + last)
        until = _sums_up_to(groups, rest, far.at(every, rest, 1)[0])
        before = _sums_up_to(groups, cut, near.at(every, cut + 1, 1)[0])
        ends = groups.lattice.low, groups.lattice.high
        return cls(ends, cut, rest, last, near, far, until - before)

    def distances(self, same: Integers) -> tuple[BoundDistances, BoundDistances]:
        """`distances_from_bounds` for groups with the same number of levels."""
        cut, rest, last = self.cut[same], self.rest[same], int(self.last[same[0]])
        near = self.near.at(same, cut + 1 - last, 2 * last + 1)
        far = self.far.at(same, rest - last, 2 * last + 1)
        return _from_both_bounds(self.ends, last, rest - cut, self.totals[same], near, far)

    def more(self, same: Integers) -> tuple[Integers, Integers]:
        """How many records more than the first of them these groups keep, and how many more they cut off."""
        kept, cut = (self.rest - self.cut)[same], self.cut[same]
        return kept - kept[0], cut - cut[0]


def _around(column: Column, rank: int, reach: int) -> Integers:
    """The order statistics from rank - reach to rank + reach; where there is none, the bound on that side."""
    start, stop = rank - reach, rank + reach
    found = column.ranks(max(start, 1), min(stop, column.count) + 1)
    before, after = max(1 - start, 0), max(stop - column.count, 0)
    return np.pad(found, (before, after), constant_values=(column.lattice.low, column.lattice.high))


def _sum_up_to(column: Column, rank: int, value: int) -> int:
    """The sum of the records of ranks 1..rank, from the low end; ``value`` is of this rank or the next one."""
    return _up_to(rank, value - column.lattice.low, column.below(value))


def _sums_up_to(groups: Groups, ranks: Integers, values: Integers) -> Integers:
    """`_sum_up_to` of each group, where 64 bits hold the sums."""
    steps, sums = (values - groups.lattice.low).tolist(), groups.below(values)
    return np.array([*map(_up_to, ranks.tolist(), steps, sums)], np.int64)


def _up_to(rank: int, step: int, below: Sums) -> int:
    """Ties of the value are counted off again."""
    return below.total - (below.count - rank) * step


def _least_ratio(top: LargeIntegers, bottom: LargeIntegers) -> NDArray[np.intp]:
    """Where each row's top/bottom is least: 2*bits digits tell fractions of denominators below 2^bits apart."""
    bits = int(bottom.max()).bit_length()
    whole = top // bottom
    rest = top - whole * bottom
    digits = (rest << bits) // bottom
    rest = (rest << bits) - digits * bottom
    digits = (digits << bits) + (rest << bits) // bottom
    digits[whole > whole.min(axis=1, keepdims=True)] = 1 << 2 * bits
    found: NDArray[np.intp] = digits.argmin(axis=1)
    return found


def _running(gaps: LargeIntegers) -> LargeIntegers:
    """The sums of the first 0, 1, ... of them."""
    return np.concatenate([gaps[:0].sum(axis=0, keepdims=True), gaps.cumsum(axis=0)])
