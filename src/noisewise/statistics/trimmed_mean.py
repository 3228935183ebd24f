"""Trimmed mean: the mean of the records without the floor(alpha*n) smallest and the floor(alpha*n) largest.

Let X be the sorted records, followed by the upper bound b for ever. The best l edits remove the d smallest records and
add l - d copies of b. Then there are n' = n + l - 2d records, and g = floor(alpha*n') are cut off at each end. The
records X[s+1..t] are averaged, with s = d + g and t = d + n' - g:

    upper[l] = max over d <= l of the mean of X[s+1..t]

The lower side is the mirror image. If records are swapped, d = l and n' = n. If they are added and removed, every d is
tried below EXACT_LEVELS. From there on, the d of a block are bounded together by the largest s and the largest t of the
block, which nests as well. All of this needs the records around two ranks and one exact sum. An empty column answers
with the lower bound.

Winsorized mean: the floor(alpha*n) records at each end are replaced by the next record, and then the mean is taken. So
the records that the trimmed mean cuts off count as the outermost record that it keeps:

    upper[l] = max over d <= l of (X[s+1] + ... + X[t] + g*X[s+1] + g*X[t]) / n'

From EXACT_LEVELS on, the bound takes the better of the least and the greatest g of a block.

Distances are counted from one of the bounds, so that edits only make the best mean distance smaller. If a record is
swapped for a larger one, every level rises. So the number of levels at or below any answer falls, by at most one.
Balance uses this number as a score. Proof: docs/proofs/trimmed_mean.md.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from noisewise.errors import ParameterError
from noisewise.kernel.laws.envelope import Envelope
from noisewise.kernel.laws.score import Score
from noisewise.kernel.losses import Neighbors
from noisewise.kernel.numbers.answers import Answers
from noisewise.kernel.numbers.arrays import Integers, LargeIntegers
from noisewise.kernel.numbers.exact import Number, describe, spell
from noisewise.kernel.numbers.lattice import Lattice, exact_bounds
from noisewise.statistics.quantile import exact_share
from noisewise.statistics.records import Column, Groups, OneGroup, Sums
from noisewise.statistics.statistic import BOTH, Frame, Statistic
from noisewise.statistics.windows import MOST_LEVELS, Windows, alike, floors

ROOM = 1 << 62
"""Products below this stay well inside int64."""

CLOSE = 1 + 2.0**-50
"""If two float64 quotients differ by more than this factor, their order is right: each errs by at most 2^-51."""

EXACT_LEVELS = 1024
"""Under add/remove, an envelope is exact below this level. Public."""

BLOCKS = 16
"""From EXACT_LEVELS on, d is bounded in this many blocks. The number divides EXACT_LEVELS."""

ROWS = 64
"""This many levels are computed at a time."""

TOGETHER, FEW_ROWS = 128, 8
"""If there are many groups, ``TOGETHER`` groups and ``FEW_ROWS`` of their levels are computed at a time."""


class Trims(NamedTuple):
    """Ways to trim, with a row for each level. Each averages X[start+1..stop] and ``repeated`` copies of both ends.

    ``start`` and ``stop`` are counted from the ranks at which the column is trimmed without edits. ``size`` is the
    number of records that are averaged.
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
        """The ways to trim groups that keep ``kept`` more records and repeat their ends ``repeated`` times more."""
        size, often = self.size[..., np.newaxis], self.repeated[..., np.newaxis]
        return self._replace(size=size + kept + 2 * repeated, repeated=often + repeated)


@dataclass(frozen=True, slots=True, repr=False)
class BoundDistances:
    """Distances of records from one bound, falling, around the two ranks at which a group is trimmed.

    Each group is a column.
    """

    between: LargeIntegers
    """The sum of the distances between the two ranks."""
    after_first: LargeIntegers
    """The distances after the first rank."""
    at_second: LargeIntegers
    """The distances from the second rank on."""
    left_out: LargeIntegers
    taken_in: LargeIntegers
    """Running sums of the distances after the first and after the second rank."""

    @classmethod
    def of(cls, between: Any, near: LargeIntegers, far: LargeIntegers) -> "BoundDistances":
        return cls(between, near, far, _running(near[:-1]), _running(far[1:]))

    def ratios(self, trims: Trims) -> tuple[LargeIntegers, LargeIntegers]:
        """The mean distances of all ways to trim, as numerators and denominators."""
        top = self.taken_in.take(trims.stop, axis=0)
        top -= self.left_out.take(trims.start, axis=0)
        top += self.between
        if trims.repeated.any():
            ends = self.after_first.take(trims.start, axis=0) + self.at_second.take(trims.stop, axis=0)
            top += trims.repeated * ends
        return top, trims.size.astype(top.dtype, copy=False)

    def shortest(self, trims: Trims) -> "Shortest":
        """The smallest mean distance in each row and group, and all others that float64 cannot tell from it."""
        top, bottom = self.ratios(trims)
        about = top / bottom
        places = np.flatnonzero(about <= about.min(axis=1, keepdims=True) * CLOSE)
        rows, groups = places // about[0].size, places % about.shape[2]
        return Shortest(rows, groups, top.ravel()[places], bottom.ravel()[places])


class Shortest(NamedTuple):
    """Ways to trim: the row, the group and the mean distance gap/size of each."""

    rows: NDArray[np.intp]
    groups: NDArray[np.intp]
    gap: LargeIntegers
    size: LargeIntegers


def _from_both_bounds(
    ends: tuple[int, int], last: int, kept: Any, total: Any, near: LargeIntegers, far: LargeIntegers
) -> tuple[BoundDistances, BoundDistances]:
    """Distances from the upper and the lower bound, for ``last`` ranks on each side of the two ranks for trimming.

    ``total`` is the sum of the records between the two ranks, counted from the low end.
    """
    low, high = ends
    upper = BoundDistances.of(kept * (high - low) - total, high - near[last:], high - far[last:])
    lower = BoundDistances.of(total, far[last::-1] - low, near[last::-1] - low)
    return upper, lower


@dataclass(frozen=True, slots=True, repr=False)
class TrimmedGroups:
    """The two ranks at which each group is trimmed, the records around them, and the sum of those between them."""

    ends: tuple[int, int]
    cut: Integers
    rest: Integers
    last: Integers
    near: Windows
    far: Windows
    totals: LargeIntegers

    @classmethod
    def of(cls, groups: Groups, cut: Integers, last: Integers, kind: type = np.int64) -> "TrimmedGroups":
        """Read the groups. ``kind`` is the type to compute with: object if 64 bits might not hold every product."""
        counts = groups.counts
        rest, every = counts - cut, np.arange(len(groups))
        near = Windows.of(groups, counts, cut + 1 - last, cut + 2 + last)
        far = Windows.of(groups, counts, rest - last, rest + 1 + last)
        until = _sums_up_to(groups, rest, far.at(every, rest, 1)[0], kind)
        before = _sums_up_to(groups, cut, near.at(every, cut + 1, 1)[0], kind)
        ends = groups.lattice.low, groups.lattice.high
        return cls(ends, cut, rest, last, near, far, until - before)

    def distances(self, same: Integers) -> tuple[BoundDistances, BoundDistances]:
        """The distances of groups with the same number of levels."""
        cut, rest, last = self.cut[same], self.rest[same], int(self.last[same[0]])
        near = self.near.at(same, cut + 1 - last, 2 * last + 1)
        far = self.far.at(same, rest - last, 2 * last + 1)
        total, kind = self.totals[same], self.totals.dtype
        kept, near, far = (each.astype(kind, copy=False) for each in (rest - cut, near, far))
        return _from_both_bounds(self.ends, last, kept, total, near, far)

    def more(self, same: Integers) -> tuple[Integers, Integers]:
        """Compared with the first of these groups: how many more records each group keeps, and how many more it cuts
        off."""
        kept, cut = (self.rest - self.cut)[same], self.cut[same]
        return kept - kept[0], cut - cut[0]


def _sums_up_to(groups: Groups, ranks: Integers, values: Integers, kind: type) -> LargeIntegers:
    """The sum of the records of ranks 1..rank of each group, counted from the low end.

    ``values`` holds one record of each group: the record of this rank, or the next record.
    """
    steps, sums = (values - groups.lattice.low).tolist(), groups.below(values)
    return np.array([*map(_up_to, ranks.tolist(), steps, sums)], kind)


def _up_to(rank: int, step: int, below: Sums) -> int:
    """The sum of the first ``rank`` records. ``below`` counts too many if further records have the same value."""
    return below.total - (below.count - rank) * step


def _running(gaps: LargeIntegers) -> LargeIntegers:
    """The sums of the first 0, 1, ... gaps."""
    return np.concatenate([gaps[:0].sum(axis=0, keepdims=True), gaps.cumsum(axis=0)])


@dataclass(frozen=True, slots=True, init=False)
class TrimmedMean(Statistic):
    """The mean without the floor(alpha*n) smallest and largest records; the lower bound if there are none."""

    relations = BOTH
    nearest_first = True

    alpha: Fraction

    name: ClassVar[str] = "trimmed_mean"
    ends_by_levels: ClassVar[bool] = True
    repeats: ClassVar[bool] = False
    """Whether each record that is cut off is replaced by the nearest record that is kept."""

    def __init__(self, alpha: Number | str) -> None:
        share = exact_share(alpha, "alpha")
        if 2 * share >= 1:
            raise ParameterError("alpha", "must be below 1/2", got=describe(alpha)) from None
        object.__setattr__(self, "alpha", share)

    def __str__(self) -> str:
        return f"{self.name}({spell(self.alpha)})"

    def frame(self, bounds: object, granularity: object) -> Frame:
        return Frame(Lattice.fine(bounds), Answers.between(*exact_bounds(bounds), granularity))

    def sensitivity(self, frame: Frame, neighbors: Neighbors, size: Callable[[], int]) -> int:
        reach = (frame.records.high - frame.records.low) * frame.records.granularity
        return frame.answers.steps(reach * self._share_of_one(size()) if neighbors == "swap" else reach)

    def _share_of_one(self, count: int) -> Fraction:
        """How far a swap of one of ``count`` records can move the answer, as a part of the range."""
        return Fraction(1, max(count - 2 * (self.alpha * count // 1), 1))

    def pull(self, neighbors: Neighbors, epsilon: Fraction) -> Fraction | None:
        """Levels move by at most 1, all in one direction, but in an unknown shape. That costs a factor of 3/2."""
        return Fraction(3, 2) if neighbors == "swap" else None

    def score(self, column: Column, answers: Answers, levels: int, epsilon: Fraction) -> Score:
        """The levels of the envelope, which are exact under swap."""
        return Score.of_levels(self.envelope(column, answers, levels), more=levels < column.count)

    def edits_off(self, neighbors: Neighbors, epsilon: Fraction, exponent: float) -> float | None:
        """If l edits are needed to reach an answer, it has the score l - 1/2."""
        return 1.5 * exponent / float(epsilon) + 0.5

    def attained(self, levels: int) -> bool:
        return levels < EXACT_LEVELS

    def envelope(self, column: Column, answers: Answers, levels: int) -> Envelope:
        return TrimmedMean.envelopes(self, OneGroup(column), answers, levels)

    def envelopes(self, groups: Groups, answers: Answers, levels: int) -> Envelope:
        """The envelopes are exact below EXACT_LEVELS, and at all levels if records are swapped. Others are bounds.

        Groups that are trimmed alike form a matrix.
        """
        counts, (low, high) = groups.counts, (groups.lattice.low, groups.lattice.high)
        unit = groups.lattice.granularity
        scale = unit / answers.granularity
        last = np.minimum(min(levels, MOST_LEVELS), counts)
        most, (top, bottom) = int(counts.max()) + int(last.max()) + 1, self.alpha.as_integer_ratio()
        largest = 4 * max(abs(low), abs(high), high - low, most) * scale.numerator
        kind = object if most * max(largest, scale.denominator, bottom) >= ROOM else np.int64
        cut = (counts.astype(kind, copy=False) * top // bottom).astype(np.int64, copy=False)
        trimmed = TrimmedGroups.of(groups, cut, last, kind)
        offsets = np.concatenate([[0], np.cumsum(last + 1)])
        nobody, highest = (answers.floor(end, unit=unit) for end in (low, high))
        upper = np.full(offsets[-1], nobody)
        lower = np.where(np.repeat(counts, last + 1), highest, nobody)
        somebody = np.flatnonzero(counts)
        keys = np.where(counts > last, -1 - counts % min(bottom, MOST_LEVELS), counts)[somebody]

        for same in (somebody[each] for each in alike(keys, TOGETHER)):
            above, below = trimmed.distances(same)
            kept, cut_off = trimmed.more(same)
            one, place = int(same[0]), offsets[same]
            rows_at_a_time = min(FEW_ROWS * (TOGETHER // same.size), ROWS)
            for trims in self._trims(int(counts[one]), int(last[one]), groups.neighbors, rows_at_a_time):
                trimmed_groups = trims.in_groups(kept, cut_off * self.repeats)
                rows, column, gap, size = above.shortest(trimmed_groups)
                np.maximum.at(upper, place[column] + rows, floors(answers, high * size - gap, size, unit))
                rows, column, gap, size = below.shortest(trimmed_groups)
                np.minimum.at(lower, place[column] + rows, floors(answers, low * size + gap, size, unit))
                place = place + len(trims.start)
        lower[offsets[1:][last == counts] - 1] = nobody  # nobody is left, or everybody was replaced
        return Envelope(lower, upper, offsets, answers.support)

    def _trims(self, count: int, last: int, neighbors: Neighbors, rows: int) -> Iterator[Trims]:
        """All ways to trim that matter at levels 0 to ``last``, some levels at a time."""
        table = _floors(self.alpha, count - last, count + last)
        first, second = int(table[last]), count - int(table[last])

        def trimmed(size: LargeIntegers) -> LargeIntegers:
            cut: LargeIntegers = table[size - (count - last)]
            return cut

        exact = last + 1 if neighbors == "swap" else min(last + 1, EXACT_LEVELS)
        for edits in _some_at_a_time(0, exact, rows):
            if neighbors == "swap":
                removed, size = edits, np.full_like(edits, count)
            else:
                removed = np.minimum(np.arange(edits[-1, 0] + 1), np.minimum(edits, count - 1))
                size = count + edits - 2 * removed
            cut = trimmed(size)
            yield Trims.of(
                removed + cut - first, removed + size - cut - second, size - 2 * cut, cut * self.repeats
            )
        fewest = np.arange(BLOCKS) * (EXACT_LEVELS // BLOCKS)
        for edits in _some_at_a_time(exact, last + 1, rows):
            most = fewest + EXACT_LEVELS // BLOCKS + edits - EXACT_LEVELS
            thin, thick = trimmed(count + edits - 2 * most), trimmed(count + edits - 2 * fewest)
            start, stop = most + thin, count + edits - fewest - thick
            either = np.hstack([thin, thick]) * self.repeats
            both = np.hstack([start, start]), np.hstack([stop, stop])
            yield Trims.of(both[0] - first, both[1] - second, both[1] - both[0], either)


def _floors(alpha: Fraction, first: int, last: int) -> Integers:
    """floor(alpha*size) for size = first..last, in integers."""
    top, bottom = alpha.as_integer_ratio()
    if max(top * last, bottom) < ROOM:
        return np.arange(first, last + 1) * top // bottom
    return np.array([top * size // bottom for size in range(first, last + 1)], np.int64)


def _some_at_a_time(first: int, stop: int, rows: int) -> Iterator[Integers]:
    """The levels ``first`` to ``stop`` - 1, in columns of at most ``rows`` levels."""
    for start in range(first, stop, rows):
        yield np.arange(start, min(start + rows, stop))[:, None]


@dataclass(frozen=True, slots=True, init=False)
class WinsorizedMean(TrimmedMean):
    """The mean with the floor(alpha*n) records at each end replaced by the next; the lower bound without records."""

    name: ClassVar[str] = "winsorized_mean"
    repeats: ClassVar[bool] = True

    def _share_of_one(self, count: int) -> Fraction:
        cut = self.alpha * count // 1
        return Fraction(1 + cut, count) if count - 2 * cut > 1 else Fraction(1)
