"""Trimmed mean: the mean of what is left when the floor(alpha*n) smallest and largest records are set aside.

Write X for the sorted records followed by the upper bound b for ever. The best l edits remove the d smallest records
and add l - d times b. Of the n' = n + l - 2d records then there, g = floor(alpha*n') are cut off at each end, and what
is averaged is X[s+1..t], with s = d + g and t = d + n' - g:

    upper[l] = max over d <= l of the mean of X[s+1..t]

The lower side is the mirror image. If records are swapped, d = l and n' = n. Else every d is tried below EXACT_LEVELS,
and from there on a block of d at a time is bounded by the largest s and the largest t in it, which nests as well. All
of it takes the records around two ranks and one exact sum. An empty column answers with the lower bound.

If a record is swapped for a larger one, every level rises, so the number of levels up to an answer falls everywhere, by
at most one. Balance takes that for a score.
Proof: docs/proofs/trimmed_mean.md.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from noisewise.errors import ParameterError
from noisewise.kernel.laws.envelope import Envelope
from noisewise.kernel.laws.score import Score
from noisewise.kernel.losses import Neighbors
from noisewise.kernel.numbers.answers import Answers
from noisewise.kernel.numbers.arrays import Integers, LargeIntegers
from noisewise.kernel.numbers.exact import Number, describe, spell
from noisewise.kernel.numbers.lattice import Lattice, exact_bounds
from noisewise.statistics.quantile import exact_share
from noisewise.statistics.records import Column, Groups
from noisewise.statistics.statistic import BOTH, Frame, Statistic
from noisewise.statistics.trimmed.trimming import ROOM, TrimmedGroups, Trims, distances_from_bounds
from noisewise.statistics.windows import alike

EXACT_LEVELS = 1024
"""If records are added or removed, an envelope is exact below this level. Public."""

BLOCKS = 16
"""In how many blocks of d it is bounded from there on; they divide EXACT_LEVELS."""

ROWS = 64
"""How many levels are worked out at a time."""

TOGETHER, FEW_ROWS = 128, 8
"""How many groups are computed at a time, and then how many levels of them."""


@dataclass(frozen=True, slots=True, init=False)
class TrimmedMean(Statistic):
    """The mean without the floor(alpha*n) smallest and largest records; the lower bound if there are none."""

    relations = BOTH
    nearest_first = True

    alpha: Fraction

    name: ClassVar[str] = "trimmed_mean"
    ends_by_levels: ClassVar[bool] = True
    repeats: ClassVar[bool] = False
    """Whether a record that is cut off counts as the nearest one that is not."""

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
        """The part of the range that one swapped record of ``count`` can move the answer by."""
        return Fraction(1, max(count - 2 * (self.alpha * count // 1), 1))

    def pull(self, neighbors: Neighbors, epsilon: Fraction) -> Fraction | None:
        """Levels move by at most one and in one direction, but in no shape: that counts one and a half times."""
        return Fraction(3, 2) if neighbors == "swap" else None

    def score(self, column: Column, answers: Answers, levels: int, epsilon: Fraction) -> Score:
        """The levels of the envelope, which are exact where records are swapped."""
        return Score.of_levels(self.envelope(column, answers, levels), more=levels < column.count)

    def edits_astray(self, neighbors: Neighbors, epsilon: Fraction, exponent: float) -> float | None:
        """An answer that l edits reach has the score l - 1/2."""
        return 1.5 * exponent / float(epsilon) + 0.5

    def attained(self, levels: int) -> bool:
        return levels < EXACT_LEVELS

    def envelope(self, column: Column, answers: Answers, levels: int) -> Envelope:
        """Exact below EXACT_LEVELS and wherever records are swapped; else a bound."""
        count, lattice, unit = column.count, column.lattice, column.lattice.granularity
        empty = answers.floor(lattice.low, unit=unit)
        if count == 0:
            return Envelope.of([empty], [empty], answers.support)
        last = min(levels, count)
        upper, lower = distances_from_bounds(column, self.alpha * count // 1, last)
        above, below = [], []
        for trims in self._trims(count, last, column.neighbors):
            for gap, size in upper.least(trims):
                above.append(answers.floor(lattice.high * size - gap, size, unit))
            for gap, size in lower.least(trims):
                below.append(answers.floor(lattice.low * size + gap, size, unit))
        if last == count:
            below[-1] = empty  # nobody is left, or everybody was replaced
        return Envelope.of(below, above, answers.support)

    def envelopes(self, groups: Groups, answers: Answers, levels: int) -> Envelope:
        """The same for all groups at once, where 64 bits hold every product; groups trimmed alike form a matrix."""
        counts, (low, high) = groups.counts, (groups.lattice.low, groups.lattice.high)
        scale = groups.lattice.granularity / answers.granularity
        most, (top, bottom) = int(counts.max()) + levels + 1, self.alpha.as_integer_ratio()
        largest = 4 * max(abs(low), abs(high), high - low) * scale.numerator
        if most * max(largest, scale.denominator, bottom) >= ROOM:
            return Statistic.envelopes(self, groups, answers, levels)
        last, cut = np.minimum(levels, counts), counts * top // bottom
        trimmed = TrimmedGroups.of(groups, cut, last)
        offsets = np.concatenate([[0], np.cumsum(last + 1)])
        nobody, highest = (answers.floor(end, unit=groups.lattice.granularity) for end in (low, high))
        upper = np.full(offsets[-1], nobody)
        lower = np.where(np.repeat(counts, last + 1), highest, nobody)
        somebody = np.flatnonzero(counts)
        keys = np.where(counts > last, -1 - counts % bottom, counts)[somebody]
        for same in (somebody[each] for each in alike(keys, TOGETHER)):
            above, below = trimmed.distances(same)
            kept, cut_off = trimmed.more(same)
            one, place, rows_at_a_time = int(same[0]), offsets[same], FEW_ROWS * (TOGETHER // same.size)
            for trims in self._trims(int(counts[one]), int(last[one]), groups.neighbors, rows_at_a_time):
                trimmed_groups = trims.in_groups(kept, cut_off * self.repeats)
                rows, column, gap, size = above.shortest(trimmed_groups)
                found = (high * size - gap) * scale.numerator // (size * scale.denominator)
                np.maximum.at(upper, place[column] + rows, found)
                rows, column, gap, size = below.shortest(trimmed_groups)
                found = (low * size + gap) * scale.numerator // (size * scale.denominator)
                np.minimum.at(lower, place[column] + rows, found)
                place = place + len(trims.start)
        lower[offsets[1:][last == counts] - 1] = nobody
        lower, upper = np.clip([lower, upper], *answers.support)
        return Envelope(lower, upper, offsets, answers.support)

    def _trims(self, count: int, last: int, neighbors: Neighbors, rows: int = ROWS) -> Iterator[Trims]:
        """Every way to cut that counts at levels 0..last, some levels at a time."""
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
    """The levels from first on, before stop, as columns of so many rows."""
    for start in range(first, stop, rows):
        yield np.arange(start, min(start + rows, stop))[:, None]
