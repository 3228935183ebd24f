"""Variances of many groups: float64 brackets every level, and integers decide what brackets leave open.

For each level, an envelope needs only the floor of one number: the largest or the smallest variance. So it is enough to
find two floats around that number that have the same floor; they are its bracket. Groups are the columns of a matrix,
levels are its rows, and one operation computes all of them. The spread is the sum of squared deviations from the mean.

    lower    the least spread for every number of removed records, and the least variance over these numbers
    upper    all edits add records at the bounds; the bound by sums says whether removing records could be better
    windows  if it could, d neighbouring records are removed, in every possible way, and m are added at the bounds
    beyond   the bound by sums

Only some order statistics, counts and sums are read, for all groups at once (`KnownColumns`).
Proof: docs/proofs/variance_groups.md.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from noisewise.kernel.losses import Neighbors
from noisewise.kernel.numbers.answers import Answers
from noisewise.kernel.numbers.arrays import Booleans, Floats, Integers
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.kernel.secret import Secret
from noisewise.statistics.records import Column, Groups, Sums
from noisewise.statistics.variance.reach import PowerSums, Ratio, best_high, exceeds, highest
from noisewise.statistics.windows import Windows

EXACT = 2**53
"""Float64 holds every integer up to here."""

ERROR = 2.0**-48
"""The relative error of a sum of squares, and of what a dozen operations of float64 make of it, is below this."""

MIDDLE = 2
"""The index of the stretch of records near the means that edits can make."""

TOGETHER = 256
"""This many groups are computed at a time, so that their arrays stay in a core's cache."""

LONGEST = 1024
"""A group with more records near the means that edits can make is computed alone. Other groups share a matrix."""

NO_GAP = 2**62
"""More than the distance of any two records."""

MANY = 8
"""A group is computed alone if float64 leaves more of its levels open than this."""

Stretch = tuple[Integers, Integers]
"""The ranks that are read of each group: the first rank, and the rank after the last."""

Below = tuple[list[int], list[int]]
"""An index for each group, and the number of the group's records at or below this index."""


@dataclass(frozen=True, slots=True, repr=False)
class KnownColumn(Secret):
    """A `Column` that knows only its sums, some of its order statistics and some counts of records."""

    lattice: Lattice
    neighbors: Neighbors
    known: Sums
    counts: dict[int, int]
    """The number of records at or below each index."""
    stretches: list[tuple[int, Integers]]
    """For each stretch, its first rank and its order statistics."""

    @property
    def count(self) -> int:
        return self.known.count

    def sums(self, *, squares: bool = False) -> Sums:
        return self.known

    def below(self, index: int, *, squares: bool = False) -> Sums:
        """Only the count. The sums are not known."""
        return Sums(self.counts[index], 0, 0)

    def ranks(self, start: int, stop: int) -> Integers:
        return next(
            records[start - first : stop - first]
            for first, records in self.stretches
            if first <= start and stop <= first + records.size
        )


@dataclass(frozen=True, slots=True, repr=False)
class KnownColumns(Secret):
    """Everything that was read of the groups. It gives one group as a column, or one stretch of groups as a matrix."""

    groups: Groups
    known: list[Sums]
    counts: Integers
    below: list[Below]
    starts: list[Integers]
    stops: list[Integers]
    windows: list[Windows]
    """The order statistics of each stretch."""

    @classmethod
    def of(
        cls, groups: Groups, known: list[Sums], stretches: list[Stretch], below: list[Below]
    ) -> "KnownColumns":
        """Read the stretches. If they are together as long as all records, read all records instead."""
        counts = np.array([each.count for each in known])
        if stretches and sum(int((stop - start).sum()) for start, stop in stretches) >= counts.sum():
            stretches = [(np.ones_like(counts), counts + 1)]
        windows = [Windows.of(groups, counts, start, stop) for start, stop in stretches]
        starts, stops = ([each[end] for each in stretches] for end in (0, 1))
        return cls(groups, known, counts, below, starts, stops, windows)

    def __len__(self) -> int:
        return len(self.known)

    def __getitem__(self, group: int) -> KnownColumn:
        """One group as a column."""
        parts = []
        for starts, stops, window in zip(self.starts, self.stops, self.windows, strict=True):
            start, stop, shift = starts.item(group), stops.item(group), window.shifts.item(group)
            parts.append((start, window.records[shift + start : shift + stop]))
        there = {indices[group]: counts[group] for indices, counts in self.below}
        return KnownColumn(self.groups.lattice, self.groups.neighbors, self.known[group], there, parts)

    def gaps(self, groups: Integers) -> Integers:
        """For some groups, the least distance of a record from the means that edits can make.

        It is 0 if a record may lie among these means.
        """
        (before, start), (up_to, stop) = (
            [np.array(each)[groups] for each in counted] for counted in self.below
        )
        last, first = (self.side_by_side(MIDDLE, groups, rank, 1)[0] for rank in (start, start + 1))
        below = np.where(start > 0, before + 1 - last, NO_GAP)
        above = np.where(start < self.counts[groups], first - up_to - 1, NO_GAP)
        found: Integers = np.where((start == stop) & (self.counts[groups] > 0), np.minimum(below, above), 0)
        return found

    def side_by_side(self, stretch: int, groups: Integers, first: Integers, width: int) -> Integers:
        """A matrix with ``width`` rows. Column k holds the ranks first[k], first[k] + 1, ... of group groups[k].

        A rank outside the stretch gets any record.
        """
        window = self.windows[min(stretch, len(self.windows) - 1)]
        places = window.shifts[groups] + first + np.arange(width)[:, np.newaxis]
        found: Integers = window.records[np.clip(places, 0, window.records.size - 1)]
        return found


@dataclass(frozen=True, slots=True, repr=False)
class Brackets(Secret):
    """Two floats around each number, with a row for each level and a column for each group."""

    least: Floats
    most: Floats


class SideBySide(Secret):
    """Groups with similar numbers of records, and what their envelopes read, as matrices."""

    def __init__(self, columns: KnownColumns, groups: Integers, levels: int) -> None:
        lattice = columns.groups.lattice
        self.columns, self.groups, self.levels = columns, groups, levels
        self.low, self.width = lattice.low, lattice.high - lattice.low
        self.moments = [PowerSums.read(columns.known[group], lattice) for group in groups.tolist()]
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
        """A bound on the error of a spread in float64, as in `reach`."""
        slack: Floats = 2.0**-52 * (self.rows + 16) * self.around
        return slack

    @cached_property
    def rows(self) -> int:
        """The envelope tries to remove 0, 1, ..., ``rows`` - 1 records."""
        return max(min(self.levels + 1, int(self.counts.max()) - 1), 1)

    @cached_property
    def ends(self) -> tuple[Integers, Integers]:
        """The smallest and the largest records around the centres, from the ends inwards."""
        small = self.columns.side_by_side(0, self.groups, np.ones_like(self.counts), self.rows)
        large = self.columns.side_by_side(1, self.groups, self.counts - self.rows + 1, self.rows)[::-1]
        return small - (self.low + self.centres), large - (self.low + self.centres)

    @cached_property
    def running(self) -> tuple[tuple[NDArray[Any], Floats], ...]:
        """The sums of the first 0, 1, ... ends, which are exact, and the sums of their squares."""
        kind = np.float64 if 2 * self.rows * self.width < EXACT else np.int64
        return tuple(
            (before(end.astype(kind), self.rows), before(end.astype(np.float64) ** 2, self.rows))
            for end in self.ends
        )

    @cached_property
    def spreads(self) -> Floats:
        """The least spread after 0, 1, ... records are removed, a row for each number. The error is below ``slack``.

        It is infinite if at most one record is left.
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
        """The smallest variance of one group after ``level`` edits, in integers. More than one record must be left."""
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
        """n - d times the spread after d of n records are removed, for all choices of records that may be the best."""
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
        """The largest variance after 0, 1, ..., levels - 1 edits if all of them add records.

        The second result says for which groups removing records could be better at a level up to the group's ``edits``.
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
        """Two floats around the variance after ``level`` records are added, ``high`` of them at the upper bound."""
        above, below = (self.width - self.centres).astype(np.float64), self.centres.astype(np.float64)
        low = level - high
        squares = (self.around + high * above**2 + low * below**2) / size
        mean = (self.rests + high * above - low * below) / size
        variance, off = squares - mean**2, squares * ERROR
        return np.maximum(variance - off, 0), variance + off

    def exact_upper(self, found: Brackets, level: int, column: int) -> Ratio:
        """The largest variance of one group after ``level`` edits, in integers, if all of them add records."""
        moments = self.moments[column]
        near = np.flatnonzero(found.most[: level + 1, column] >= found.least[level, column])
        tries = []
        for added in near.tolist():
            high = best_high(moments.total, moments.count + added, added, self.width)
            tries.append(moments.joined(added - high, high).variance)
        return largest_ratio(tries)

    @cached_property
    def limits(self) -> Floats:
        """Limits that the bound by sums does not exceed after 0, 1, ... edits, if at least one edit removes a
        record."""
        spreads, off = self.most
        return np.array([self._largest(spreads + off, l, l) for l in range(self.levels + 1)]) * (1 + ERROR)

    def beyond(self, first: int) -> Brackets:
        """The bound by sums after 0, 1, ... edits. Below the level ``first``, the lower end of the bracket is 0."""
        (spreads, off), end = self.most, self.width**2 / 4
        size = np.maximum(self.sizes + np.arange(self.levels + 1)[:, np.newaxis], 1.0)
        most = np.maximum.accumulate(np.maximum(self.limits, (spreads + off) / size))
        least, low = np.zeros_like(most), np.maximum(spreads - off, 0)
        least[first:] = np.maximum.accumulate(
            [self._largest(low, l, l + 1) for l in range(first, self.levels + 1)]
        )
        return Brackets(np.minimum(least, end) * (1 - ERROR), np.minimum(most, end) * (1 + ERROR))

    def exact_beyond(self, found: Brackets, level: int, column: int) -> Ratio:
        """The bound by sums of one group after ``level`` edits, in integers."""
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
        """The largest variance of each group after ``level`` edits, if fewer than ``stop`` of them add a pair."""
        added = np.arange(stop)[:, np.newaxis]
        left = self.sizes - level + 2.0 * added
        found: Floats = np.max(np.where(left >= 1, spreads[:stop] / left, 0), axis=0, initial=0)
        return found

    @cached_property
    def most(self) -> tuple[Floats, Floats]:
        """The largest spreads that 0, 1, ... added pairs can make, as in `PowerSums.most`, and bounds of the errors."""
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


def _centred(moments: PowerSums, centre: int) -> tuple[int, int]:
    """The sum of the records and of their squares, counted from a centre."""
    n = moments.count
    return moments.total - n * centre, moments.squares - 2 * centre * moments.total + n * centre * centre


def before(numbers: NDArray[Any], rows: int) -> NDArray[Any]:
    """For each column, the sums of its first 0, 1, ..., rows - 1 numbers."""
    return np.concatenate([np.zeros_like(numbers[:1]), np.cumsum(numbers[: rows - 1], axis=0)])


def largest_ratio(ratios: list[Ratio]) -> Ratio:
    best = ratios[0]
    for ratio in ratios[1:]:
        best = ratio if exceeds(ratio, best) else best
    return best


def middle_sizes(block: SideBySide) -> Integers:
    """For each group, how many records were read near the means that edits can make."""
    known = block.columns
    sizes: Integers = (known.stops[-1] - known.starts[-1])[block.groups]
    return sizes


class Removals(Secret):
    """Removes windows of neighbouring records from some groups of a block, to find their largest variances.

    The windows lie among the records near the means that edits can make. ``where`` lists the groups.
    """

    def __init__(self, block: SideBySide, found: Brackets, where: Integers) -> None:
        self.block, self.where = block, where
        self.added = found
        self.found = Brackets(found.least.copy(), found.most.copy())
        known, groups = block.columns, block.groups[where]
        self.starts, self.stops = known.starts[-1][groups], known.stops[-1][groups]
        rows = int((self.stops - self.starts).max())
        self.records = known.side_by_side(MIDDLE, groups, self.starts, rows) - (
            block.low + block.centres[where]
        )
        kind = np.float64 if 2 * (rows + 1) * block.width < EXACT else np.int64
        self.sums = before(self.records.astype(kind), rows + 1)
        self.squares = before(self.records.astype(np.float64) ** 2, rows + 1)
        levels = found.least.shape[0]
        self.values = np.full((levels, levels, where.size), -np.inf)
        """The largest variance after l edits, m of which add records, as a float; -inf if it was not needed."""

    def search(self, edits: Integers) -> Brackets:
        """Try all windows that could be better, and return the brackets. Levels after ``edits`` are not needed."""
        least, most = self.found.least, self.found.most
        (spreads, off), counts = self.block.most, self.block.sizes[self.where]
        limit, apart = (
            (spreads + off)[:, self.where] * (1 + ERROR),
            self.block.columns.gaps(self.block.groups[self.where]).astype(np.float64) ** 2,
        )
        for l in range(1, least.shape[0]):
            for ends in (least, most):
                ends[l, self.where] = np.maximum(ends[l, self.where], ends[l - 1, self.where])
            added = np.arange(l)[:, np.newaxis]
            left = counts - l + 2 * added
            taken = (l - added) * apart * (1 - ERROR)  # removed records take this from the spread
            possible = (left >= 1) & (l <= edits[self.where])
            limits = np.where(possible, (limit[:l] - taken) / np.maximum(left, 1), 0) * (1 + ERROR)
            for m in np.flatnonzero((limits > least[l, self.where]).any(axis=1))[::-1].tolist():
                open_ = np.flatnonzero(limits[m] > least[l, self.where])
                value = self._variances(l - m, m, open_).max(axis=0, initial=-np.inf)
                self.values[l, m, open_] = value
                place, error = self.where[open_], self._off(l - m, m)[open_]
                least[l, place] = np.maximum(least[l, place], value - error)
                most[l, place] = np.maximum(most[l, place], value + error)
        return self.found

    def _variances(self, removed: int, added: int, columns: Integers) -> Floats:
        """The variance after a window is removed and records are added, for each window and group.

        It differs by less than `_off` from the variance with the best places for the added records.
        """
        block, where = self.block, self.where[columns]
        n, centre, rest = block.sizes[where], block.centres[where], block.rests[where]
        every = columns.size == self.where.size
        sums, squares = (each if every else each[:, columns] for each in (self.sums, self.squares))
        gone = np.subtract(sums[removed:], sums[:-removed]).astype(np.float64, copy=False)
        size = np.maximum(n - removed + added, 1.0)
        middle = (size + 1) / 2 - (rest + (n - removed) * centre) / block.width
        high = np.clip(np.floor(middle + gone / block.width), 0, added)
        above, below = (block.width - centre).astype(np.float64), centre.astype(np.float64)
        found: Floats = squares[:-removed] - squares[removed:]
        found += high * (above**2 - below**2) + (block.around[where] + added * below**2)
        found /= size
        gone -= high * block.width
        gone -= rest - added * below
        gone /= size
        found -= gone * gone
        last = (self.stops - self.starts)[columns] - removed
        if last.min(initial=0) < found.shape[0] - 1:
            found[np.arange(found.shape[0])[:, np.newaxis] > last] = -np.inf
        return found

    def _off(self, removed: int, added: int) -> Floats:
        """For each group, a bound on the errors of what `_variances` returns for these numbers of records."""
        block, where = self.block, self.where
        reach = block.around[where] + added * float(block.width) ** 2
        n = block.sizes[where]
        off: Floats = ERROR * (n + 16) * reach / np.maximum(n - removed + added, 1)
        return off

    def exact(self, level: int, column: int) -> Ratio:
        """The largest variance of one group after ``level`` edits, in integers. ``column`` is its place in a block."""
        place, best = int(np.flatnonzero(self.where == column)[0]), (0, 1)
        least, most = self.found.least[level, column], highest(self.block.moments[column], "add_remove")
        if (self.added.most[: level + 1, column] >= least).any():
            best = self.block.exact_upper(self.added, level, column)
        for l, m in zip(*np.nonzero(self.values[: level + 1, : level + 1, place] > -np.inf), strict=True):
            if not exceeds(most, best):
                break  # nothing is larger
            if self.values[l, m, place] + self._off(l - m, m)[place] >= least:
                best = largest_ratio([best, *self._near(int(l - m), int(m), place, least)])
        return best

    def _near(self, removed: int, added: int, place: int, least: float) -> Iterator[Ratio]:
        """The variances of all windows that may be at least ``least``, in integers."""
        moments, centre = self.block.moments[self.where[place]], self.block.centres.item(self.where[place])
        found = self._variances(removed, added, np.array([place]))[:, 0]
        near = np.flatnonzero(found + self._off(removed, added)[place] >= least)
        sums = self.sums[near + removed, place] - self.sums[near, place]
        near = near[np.append(True, sums[1:] != sums[:-1])]  # windows of one sum hold equal records
        for i in near.tolist():
            gone = [x + centre for x in self.records[i : i + removed, place].tolist()]
            kept = moments.without(removed, sum(gone), sum(x * x for x in gone))
            high = best_high(kept.total, kept.count + added, added, kept.width)
            yield kept.joined(added - high, high).variance


class Rounded(Protocol):
    """The variance or its root. It knows how to round, and how to compute the envelope of a single group."""

    def floors(self, variances: Iterable[Ratio], unit: Fraction, answers: Answers) -> list[int]: ...

    def about(self, variances: Floats, unit: Fraction, answers: Answers) -> Floats: ...

    def below(self, column: Column, moments: PowerSums, edits: int, answers: Answers) -> list[int]: ...

    def above(self, column: Column, moments: PowerSums, edits: int, answers: Answers) -> list[int]: ...


def both_sides(
    statistic: Rounded, columns: KnownColumns, edits: Integers, answers: Answers, exact: int
) -> tuple[Integers, Integers, Integers]:
    """The lower levels and the upper levels 0..edits[g] of all groups, one after the other, and where each begins.

    Upper levels below ``exact`` are exact.
    """
    offsets = np.concatenate([[0], np.cumsum(edits + 1)])
    lower, upper = (np.empty(offsets[-1], np.int64) for _ in range(2))
    order = np.argsort(columns.counts, kind="stable")
    for alike in (order[start : start + TOGETHER] for start in range(0, order.size, TOGETHER)):
        block = SideBySide(columns, alike, int(edits[alike].max()))
        levels = _Levels(statistic, block, edits[alike], answers)
        with np.errstate(all="ignore"):
            sides = levels.lower(), levels.upper(exact)
        place = (offsets[alike] + np.arange(block.levels + 1)[:, np.newaxis])[levels.there]
        lower[place], upper[place] = (side[levels.there] for side in sides)
    return lower, upper, offsets


class _Levels(Secret):
    """The levels of some groups as answers: a row for each level, a column for each group."""

    def __init__(self, statistic: Rounded, block: SideBySide, edits: Integers, answers: Answers) -> None:
        self.statistic, self.block, self.edits, self.answers = statistic, block, edits, answers
        self.unit = block.columns.groups.lattice.granularity
        self.there = np.arange(block.levels + 1)[:, np.newaxis] <= edits

    def lower(self) -> Integers:
        block = self.block
        levels, open_ = self._floors(block.lower())
        many = self._settle(levels, open_, block.exact_lower, 0)
        self._one_by_one(levels, many, self.statistic.below)
        return levels

    def upper(self, exact: int) -> Integers:
        """The upper levels. They are exact below the level ``exact``, and the bound by sums from there on."""
        block, exact = self.block, min(self.block.levels + 1, exact)
        near, unknown = block.upper(exact, self.edits)
        exactly: Callable[[int, int], Ratio] = partial(block.exact_upper, near)
        alone = unknown & (middle_sizes(block) > LONGEST)
        if (unknown & ~alone).any():
            removals = Removals(block, near, np.flatnonzero(unknown & ~alone))
            near, added = removals.search(self.edits), exactly
            exactly = lambda l, column: (removals.exact if unknown[column] else added)(l, column)  # noqa: E731
        levels, open_ = self._floors(near)
        end = self.statistic.floors([(block.width**2, 4)], self.unit, self.answers)[0]
        many = alone | self._settle(levels, open_ & ~alone, exactly, end)
        if exact <= block.levels:
            far = block.beyond(exact)
            bounds, open_ = self._floors(far)
            open_[:exact] = False
            many |= self._settle(bounds, open_ & ~alone, partial(block.exact_beyond, far), end)
            levels = np.concatenate([levels, bounds[exact:]])
        self._one_by_one(levels, many, self.statistic.above)
        return levels

    def _floors(self, found: Brackets) -> tuple[Integers, Booleans]:
        """The answers at the lower ends of brackets, and where the answers at the upper ends differ from them."""
        least, most = (
            np.floor(self.statistic.about(end, self.unit, self.answers) * (1 + sign * ERROR)).astype(np.int64)
            for end, sign in ((found.least, -1), (found.most, 1))
        )
        return least, (least != most) & self.there[: least.shape[0]]

    def _settle(
        self, levels: Integers, open_: Booleans, exactly: Callable[[int, int], Ratio], end: int
    ) -> Booleans:
        """Compute the levels that floats left open in integers. Return True for groups with too many such levels.

        ``end`` is the last answer of all on this side. If a level is ``end``, all later levels are ``end`` too.
        """
        many = np.zeros(open_.shape[1], np.bool_)
        for column in np.flatnonzero(open_.any(axis=0)).tolist():
            rows = np.flatnonzero(open_[:, column]).tolist()
            for row in rows[:MANY]:
                level = self.statistic.floors([exactly(row, column)], self.unit, self.answers)[0]
                levels[row, column] = level
                if level == end:
                    levels[row:, column] = end
                    break
            else:
                many[column] = len(rows) > MANY
        return many

    def _one_by_one(self, levels: Integers, groups: Booleans, side: Callable[..., list[int]]) -> None:
        """Compute some groups one at a time."""
        block = self.block
        for column in np.flatnonzero(groups).tolist():
            known, edits = block.columns[block.groups.item(column)], self.edits.item(column)
            levels[: edits + 1, column] = side(known, block.moments[column], edits, self.answers)
