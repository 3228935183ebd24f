"""Variances of groups side by side, as brackets of float64 that hold the exact numbers, and these in integers.

Groups are the columns of a matrix, levels its rows, and one operation serves all of them:

    lower    the least spread for every number of records removed, and the least over these, as in `variance_lower`
    upper    all edits add records at the bounds; the bound by sums says whether removing some could be better
    beyond   the bound by sums, as in `variance_bound`

Proof: docs/proofs/variance_brackets.md.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noisewise.kernel.numbers.arrays import Booleans, Floats, Integers
from noisewise.kernel.secret import Secret
from noisewise.statistics.records import Sums
from noisewise.statistics.variance.known_column import KnownColumns
from noisewise.statistics.variance.variance_bound import PowerSums, Ratio, exceeds, highest
from noisewise.statistics.variance.variance_upper import best_high

EXACT = 2**53
"""Float64 holds every integer up to here."""

ERROR = 2.0**-48
"""A sum of squares, and what follows from it in a dozen operations of float64, is off by less than this part of it."""


@dataclass(frozen=True, slots=True, repr=False)
class Brackets(Secret):
    """Numbers between two floats, a row for each level and a column for each group."""

    least: Floats
    most: Floats


class SideBySide(Secret):
    """Groups of about as many records each: what their envelopes read, as matrices."""

    def __init__(self, columns: KnownColumns, groups: Integers, levels: int) -> None:
        lattice = columns.groups.lattice
        self.columns, self.groups, self.levels = columns, groups, levels
        self.low, self.width = lattice.low, lattice.high - lattice.low
        self.moments = [_moments(columns.known[group], self.width) for group in groups.tolist()]
        self.counts = np.array([each.count for each in self.moments])
        self.sizes = self.counts.astype(np.float64)
        centres = [each.total // max(each.count, 1) for each in self.moments]
        rests, around = zip(*map(_centred, self.moments, centres), strict=True)
        self.centres, self.rests = np.array(centres), np.array(rests)
        self.around = np.array([*map(float, around)])

    def lower(self) -> Brackets:
        """The smallest variance after 0, 1, ... edits."""
        least = np.empty((self.levels + 1, self.counts.size))
        for l in range(self.levels + 1):
            gone = min(l + 1, self.spreads.shape[0])
            sizes = self.sizes + l - 2.0 * np.arange(gone)[:, np.newaxis]
            np.divide(self.spreads[:gone], sizes, out=sizes)
            np.min(sizes, axis=0, out=least[l])
        level = np.arange(self.levels + 1)[:, np.newaxis]
        off = self.slack / np.maximum(self.sizes - level, 1.0) * (1 + ERROR) + least * ERROR
        nothing = level >= self.counts - 1  # at most one record is left
        least[nothing], off[nothing] = 0, 0
        return Brackets(np.maximum(least - off, 0), least + off)

    @cached_property
    def slack(self) -> Floats:
        """How far a float may be from its spread, as in `variance_lower`."""
        slack: Floats = 2.0**-52 * (self.rows + 16) * self.around
        return slack

    @cached_property
    def rows(self) -> int:
        """How many numbers of removed records are tried, none included."""
        return max(min(self.levels + 1, int(self.counts.max()) - 1), 1)

    @cached_property
    def ends(self) -> tuple[Integers, Integers]:
        """The smallest and the largest records around the centres, from the ends inwards."""
        small = self.columns.side_by_side(0, self.groups, np.ones_like(self.counts), self.rows)
        large = self.columns.side_by_side(1, self.groups, self.counts - self.rows + 1, self.rows)[::-1]
        return small - (self.low + self.centres), large - (self.low + self.centres)

    @cached_property
    def running(self) -> tuple[tuple[NDArray[Any], Floats], ...]:
        """The sums of the first 0, 1, ... of them, and of their squares. The sums are exact."""
        kind = np.float64 if 2 * self.rows * self.width < EXACT else np.int64
        return tuple(
            (before(end.astype(kind), self.rows), before(end.astype(np.float64) ** 2, self.rows))
            for end in self.ends
        )

    @cached_property
    def spreads(self) -> Floats:
        """The least spread that is left when 0, 1, ... records go, less than ``slack`` off; a row for each number.

        Infinite where one record is left, or none.
        """
        (few, squares), (many, further) = self.running
        rest, inside = self.rests - few, self.around - squares
        spreads, room = np.empty(few.shape), np.empty(few.shape)
        for d in range(self.rows):
            left = np.subtract(rest[: d + 1], many[d::-1]).astype(np.float64, copy=False)
            np.multiply(left, left, out=left)
            left /= np.maximum(self.sizes - d, 1.0)
            spread = np.subtract(inside[: d + 1], further[d::-1], out=room[: d + 1])
            spread -= left
            np.min(spread, axis=0, out=spreads[d])
        spreads[np.arange(self.rows)[:, np.newaxis] >= self.counts - 1] = np.inf
        return spreads

    def exact_lower(self, level: int, column: int) -> Ratio:
        """The smallest variance of one group after so many edits, in integers; more than one record would be left."""
        n, off = self.counts.item(column), self.slack.item(column)
        gone = np.arange(min(level + 1, self.rows))
        sizes, spreads = n + level - 2 * gone, self.spreads[: gone.size, column]
        near = (spreads - off) / sizes <= ((spreads + off) / sizes).min() * (1 + ERROR)
        best: Ratio | None = None
        for d in np.flatnonzero(near).tolist():
            for spread in self._near_spreads(d, column):
                ratio = spread, (n - d) * (n + level - 2 * d)
                best = ratio if best is None or exceeds(best, ratio) else best
        assert best is not None
        return best

    def _near_spreads(self, d: int, column: int) -> Iterator[int]:
        """n - d times the spread that is left of n records when d go, for all choices that may be the best."""
        (few, squares), (many, further) = self.running
        moments, (small, large) = self.moments[column], (end[:, column] for end in self.ends)
        n, around = moments.count, self.around[column]
        left = (self.rests[column] - few[: d + 1, column] - many[d::-1, column]).astype(np.float64)
        spread = around - squares[: d + 1, column] - further[d::-1, column] - left * left / (n - d)
        for i in np.flatnonzero(spread <= spread.min() + 3 * self.slack[column]).tolist():
            away = small[:i].tolist() + large[: d - i].tolist()
            total, centre = sum(away), self.centres.item(column)
            whole = moments.squares - 2 * centre * moments.total + n * centre * centre
            inside = whole - sum(x * x for x in away)
            yield (n - d) * inside - (self.rests.item(column) - total) ** 2

    def upper(self, levels: int, edits: Integers) -> tuple[Brackets, Booleans]:
        """The largest variance after 0, 1, ... edits, fewer than ``levels``, if all of them add records.

        And the groups where removing some could be better before the level ``edits`` of a group is passed.
        """
        level = np.arange(levels)[:, np.newaxis]
        size = np.maximum(self.sizes + level, 1.0)
        share = (self.rests + self.sizes * self.centres) / self.width
        high = np.floor((size + 1) / 2 - share)
        tries = [self._joined(level, np.clip(high + shift, 0, level), size) for shift in (-1, 0, 1)]
        least, most = (np.max([each[end] for each in tries], axis=0) for end in (0, 1))
        found = Brackets(np.maximum.accumulate(least), np.maximum.accumulate(most))
        better = (self.limits[:levels] > found.least) & (level <= edits)
        return found, np.any(better, axis=0)

    def _joined(self, level: Integers, high: Floats, size: Floats) -> tuple[Floats, Floats]:
        """Between which floats the variance is after so many records are added, ``high`` at the upper bound."""
        above, below = (self.width - self.centres).astype(np.float64), self.centres.astype(np.float64)
        low = level - high
        squares = (self.around + high * above**2 + low * below**2) / size
        mean = (self.rests + high * above - low * below) / size
        variance, off = squares - mean**2, squares * ERROR
        return np.maximum(variance - off, 0), variance + off

    def exact_upper(self, found: Brackets, level: int, column: int) -> Ratio:
        """The largest variance of one group after so many edits, in integers, if all of them add records."""
        moments = self.moments[column]
        near = np.flatnonzero(found.most[: level + 1, column] >= found.least[level, column])
        tries = []
        for added in near.tolist():
            high = best_high(moments.total, moments.count + added, added, self.width)
            tries.append(moments.joined(added - high, high).variance)
        return largest_ratio(tries)

    @cached_property
    def limits(self) -> Floats:
        """At least the bound by sums after 0, 1, ... edits, if one of them or more removes a record."""
        spreads, off = self.most
        return np.array([self._largest(spreads + off, l, l) for l in range(self.levels + 1)]) * (1 + ERROR)

    def beyond(self, first: int) -> Brackets:
        """The bound by sums after 0, 1, ... edits; before the level ``first`` its lower end is 0."""
        (spreads, off), end = self.most, self.width**2 / 4
        size = np.maximum(self.sizes + np.arange(self.levels + 1)[:, np.newaxis], 1.0)
        most = np.maximum.accumulate(np.maximum(self.limits, (spreads + off) / size))
        least, low = np.zeros_like(most), np.maximum(spreads - off, 0)
        least[first:] = np.maximum.accumulate(
            [self._largest(low, l, l + 1) for l in range(first, self.levels + 1)]
        )
        return Brackets(np.minimum(least, end) * (1 - ERROR), np.minimum(most, end) * (1 + ERROR))

    def exact_beyond(self, found: Brackets, level: int, column: int) -> Ratio:
        """The bound by sums of one group after so many edits, in integers."""
        moments, (spreads, off) = self.moments[column].leaning_low(), self.most
        edits, added = np.arange(level + 1)[:, np.newaxis], np.arange(level + 1)
        left = moments.count - edits + 2 * added
        limit = (spreads + off)[: level + 1, column] / np.maximum(left, 1)
        near = (added <= edits) & (left >= 1) & (limit * (1 + ERROR) >= found.least[level, column])
        best, most = moments.variance, highest(moments, "add_remove")
        for l, m in zip(*(each.tolist() for each in np.nonzero(near)), strict=True):
            top, bottom = moments.most(m)
            best = largest_ratio([best, (top, bottom * (moments.count - l + 2 * m))])
            if not exceeds(most, best):
                return most
        return best

    def _largest(self, spreads: Floats, level: int, stop: int) -> Floats:
        """The largest variance of each group after so many edits, fewer than ``stop`` of them adding a pair."""
        added = np.arange(stop)[:, np.newaxis]
        left = self.sizes - level + 2.0 * added
        found: Floats = np.max(np.where(left >= 1, spreads[:stop] / left, 0), axis=0, initial=0)
        return found

    @cached_property
    def most(self) -> tuple[Floats, Floats]:
        """The largest spreads that 0, 1, ... added pairs can make, as in `PowerSums.most`, and how far they are off."""
        leaning = [each.leaning_low() for each in self.moments]
        chords = np.array([float(each.total * self.width - each.squares) for each in leaning])
        room = np.array([float(each.count * self.width - 2 * each.total) for each in leaning])
        low = np.array([each is as_is for each, as_is in zip(leaning, self.moments, strict=True)])
        far = np.where(low, self.width - self.centres, self.centres).astype(np.float64)
        added, width = np.arange(self.levels + 1)[:, np.newaxis], float(self.width)
        size = np.maximum(self.sizes + added, 1.0)
        at_the_end = (
            self.around + added * far**2 - (np.where(low, 1, -1) * self.rests + added * far) ** 2 / size
        )
        central = size * (width * width / 4) - chords
        return np.where(added * width < room, at_the_end, central), size * (width * width) * ERROR


def _moments(sums: Sums, width: int) -> PowerSums:
    return PowerSums(sums.count, sums.total, sums.squares, width)


def _centred(moments: PowerSums, centre: int) -> tuple[int, int]:
    """The sum of the records and of their squares, counted from a centre."""
    n = moments.count
    return moments.total - n * centre, moments.squares - 2 * centre * moments.total + n * centre * centre


def before(numbers: NDArray[Any], rows: int) -> NDArray[Any]:
    """The sums of the first 0, 1, ... of each column, so many rows."""
    return np.concatenate([np.zeros_like(numbers[:1]), np.cumsum(numbers[: rows - 1], axis=0)])


def largest_ratio(ratios: list[Ratio]) -> Ratio:
    best = ratios[0]
    for ratio in ratios[1:]:
        best = ratio if exceeds(ratio, best) else best
    return best
