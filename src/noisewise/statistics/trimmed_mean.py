"""Trimmed mean: the mean of what is left when the floor(alpha*n) smallest and largest records are set aside.

Write X for the sorted records followed by the upper bound b for ever. The best l edits remove the d smallest records
and add l - d times b. Of the n' = n + l - 2d records then there, g = floor(alpha*n') are cut off at each end, and what
is averaged is X[s+1..t], with s = d + g and t = d + n' - g:

    upper[l] = max over d <= l of the mean of X[s+1..t]

The lower side is the mirror image. If records are swapped, d = l and n' = n. Else every d is tried below EXACT_LEVELS,
and from there on a block of d at a time is bounded by the largest s and the largest t in it, which nests as well. All
of it takes the records around two ranks and one exact sum. An empty column answers with the lower bound.
Proof: docs/proofs/trimmed_mean.md.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from noisewise.answers import Answers
from noisewise.columns.column import Column, Neighbors
from noisewise.envelope import Envelope
from noisewise.errors import ParameterError
from noisewise.exact import Number, describe, spell
from noisewise.lattice import Lattice, exact_bounds
from noisewise.statistics.quantile import exact_share
from noisewise.statistics.statistic import BOTH, Frame, Statistic

EXACT_LEVELS = 1024
"""If records are added or removed, an envelope is exact below this level. Public."""

BLOCKS = 16
"""In how many blocks of d it is bounded from there on; they divide EXACT_LEVELS."""

ROWS = 64
"""How many levels are worked out at a time."""

ROOM = 1 << 62
"""What int64 is trusted with."""

Integers = NDArray[Any]
"""int64 where nothing can pass ROOM, else Python's own integers."""


@dataclass(frozen=True, slots=True, init=False)
class TrimmedMean(Statistic):
    """The mean without the floor(alpha*n) smallest and largest records; the lower bound if there are none."""

    relations = BOTH

    alpha: Fraction

    name: ClassVar[str] = "trimmed_mean"
    repeats: ClassVar[bool] = False
    """Whether a record that is cut off counts as the nearest one that is not."""

    def __init__(self, alpha: Number | str) -> None:
        share = exact_share(alpha, "alpha")
        if 2 * share >= 1:
            raise ParameterError(f"alpha must be below 1/2, got {describe(alpha)}") from None
        object.__setattr__(self, "alpha", share)

    def __str__(self) -> str:
        return f"{self.name}({spell(self.alpha)})"

    def frame(self, bounds: object, granularity: object) -> Frame:
        return Frame(Lattice.fine(bounds), Answers.between(*exact_bounds(bounds), granularity))

    def sensitivity(self, frame: Frame, neighbors: Neighbors, size: Callable[[], int]) -> int:
        reach = (frame.records.high - frame.records.low) * frame.records.granularity
        return frame.answers.steps(reach * self._share_of_one(size()) if neighbors == "swap" else reach)

    def _share_of_one(self, count: int) -> Fraction:
        """The part of the range that one swapped record of so many can move the answer by."""
        return Fraction(1, max(count - 2 * (self.alpha * count // 1), 1))

    def attained(self, levels: int) -> bool:
        return levels < EXACT_LEVELS

    def envelope(self, column: Column, answers: Answers, levels: int) -> Envelope:
        """Exact below EXACT_LEVELS and wherever records are swapped; else a bound."""
        count, lattice, unit = column.count, column.lattice, column.lattice.granularity
        empty = answers.floor(lattice.low, unit=unit)
        if count == 0:
            return Envelope.of([empty], [empty], answers.support)
        last = min(levels, count)
        upper, lower = _sides(column, self.alpha * count // 1, last)
        above, below = [], []
        for cuts in self._cuts(count, last, column.neighbors):
            for gap, size in upper.least(cuts):
                above.append(answers.floor(lattice.high * size - gap, size, unit))
            for gap, size in lower.least(cuts):
                below.append(answers.floor(lattice.low * size + gap, size, unit))
        if last == count:
            below[-1] = empty  # nobody is left, or everybody was replaced
        return Envelope.of(below, above, answers.support)

    def _cuts(self, count: int, last: int, neighbors: Neighbors) -> Iterator["_Cuts"]:
        """Every way to cut that counts at levels 0..last, some levels at a time."""
        table = _floors(self.alpha, count - last, count + last)

        def trimmed(size: Integers) -> Integers:
            cut: Integers = table[size - (count - last)]
            return cut

        exact = last + 1 if neighbors == "swap" else min(last + 1, EXACT_LEVELS)
        for edits in _some_at_a_time(0, exact):
            if neighbors == "swap":
                removed, size = edits, np.full_like(edits, count)
            else:
                removed = np.minimum(np.arange(edits[-1, 0] + 1), np.minimum(edits, count - 1))
                size = count + edits - 2 * removed
            cut = trimmed(size)
            yield _Cuts(removed + cut, removed + size - cut, cut * self.repeats)
        fewest = np.arange(BLOCKS) * (EXACT_LEVELS // BLOCKS)
        for edits in _some_at_a_time(exact, last + 1):
            most = fewest + EXACT_LEVELS // BLOCKS + edits - EXACT_LEVELS
            thin, thick = trimmed(count + edits - 2 * most), trimmed(count + edits - 2 * fewest)
            start, stop = most + thin, count + edits - fewest - thick
            either = np.hstack([thin, thick]) * self.repeats
            yield _Cuts(np.hstack([start, start]), np.hstack([stop, stop]), either)


class _Cuts(NamedTuple):
    """Ways to cut, a row of them per level: average X[start+1..stop], its two ends repeated so often besides."""

    start: Integers
    stop: Integers
    repeated: Integers


@dataclass(frozen=True, slots=True, repr=False)
class _Side:
    """Distances from one bound, falling, around two places: after so many of them, ``first`` and ``second``."""

    first: int
    second: int
    between: int
    """The sum of the distances between the two places."""
    after_first: Integers
    """The distances that follow the first place."""
    at_second: Integers
    """The distance before the second place and those that follow it."""
    left_out: Integers
    taken_in: Integers
    """Running sums of the distances that follow the first and the second place."""

    @classmethod
    def of(cls, first: int, second: int, between: int, near: Integers, far: Integers) -> "_Side":
        return cls(first, second, between, near, far, _running(near[:-1]), _running(far[1:]))

    def least(self, cuts: _Cuts) -> Iterator[tuple[int, int]]:
        """The least mean distance in each row, as numerator and denominator."""
        start, stop = cuts.start - self.first, cuts.stop - self.second
        top = self.between - self.left_out[start] + self.taken_in[stop]
        if cuts.repeated.any():
            top += cuts.repeated * (self.after_first[start] + self.at_second[stop])
        bottom = (cuts.stop - cuts.start + 2 * cuts.repeated).astype(top.dtype)
        best = _least_ratio(top, bottom)
        rows = np.arange(best.size)
        return zip(top[rows, best].tolist(), bottom[rows, best].tolist(), strict=True)


def _sides(column: Column, cut: int, last: int) -> tuple[_Side, _Side]:
    """Distances from the upper bound and from the lower one, ``last`` places around the ranks of the two cuts."""
    count, low, high = column.count, column.lattice.low, column.lattice.high
    rest = count - cut
    near, far = _around(column, cut + 1, last), _around(column, rest, last)
    total = _sum_up_to(column, rest, int(far[last])) - _sum_up_to(column, cut, int(near[last]))
    most = count + last + 1
    if most * max(high - low, most) >= ROOM:
        near, far = near.astype(object), far.astype(object)
    upper = _Side.of(cut, rest, (rest - cut) * (high - low) - total, high - near[last:], high - far[last:])
    lower = _Side.of(cut, rest, total, far[last::-1] - low, near[last::-1] - low)
    return upper, lower


def _around(column: Column, rank: int, reach: int) -> NDArray[np.int64]:
    """The order statistics from rank - reach to rank + reach; where there is none, the bound on that side."""
    start, stop = rank - reach, rank + reach
    found = column.ranks(max(start, 1), min(stop, column.count) + 1)
    before, after = max(1 - start, 0), max(stop - column.count, 0)
    return np.pad(found, (before, after), constant_values=(column.lattice.low, column.lattice.high))


def _sum_up_to(column: Column, rank: int, value: int) -> int:
    """The sum of the records of ranks 1..rank, from the low end; ``value`` is of this rank or the next one."""
    sums = column.below(value)
    return sums.total - (sums.count - rank) * (value - column.lattice.low)


def _least_ratio(top: Integers, bottom: Integers) -> NDArray[np.intp]:
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


def _running(gaps: Integers) -> Integers:
    """The sums of the first 0, 1, ... of them."""
    return np.concatenate([gaps[:0].sum(keepdims=True), gaps.cumsum()])


def _floors(alpha: Fraction, first: int, last: int) -> NDArray[np.int64]:
    """floor(alpha*size) for size = first..last, in integers."""
    top, bottom = alpha.as_integer_ratio()
    if max(top * last, bottom) < ROOM:
        return np.arange(first, last + 1) * top // bottom
    return np.array([top * size // bottom for size in range(first, last + 1)], np.int64)


def _some_at_a_time(first: int, stop: int) -> Iterator[NDArray[np.int64]]:
    """The levels from first on, before stop, as columns of so many rows."""
    for start in range(first, stop, ROWS):
        yield np.arange(start, min(start + ROWS, stop))[:, None]
