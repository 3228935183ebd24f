"""Many groups whose variance may be raised more by removing records than by adding alone, side by side.

As in `variance_upper`, d records next to each other go and m come at the bounds. Here every window of d records is
tried, in float64 and for all groups at once, wherever the bound by sums could beat what is known; how many of the m
come high follows from the window. Integers decide among windows where a bracket leaves two answers.
Proof: docs/proofs/variance_removals.md.
"""

from collections.abc import Iterator
from typing import cast

import numpy as np

from noisewise.kernel.numbers.arrays import Floats, Integers
from noisewise.kernel.secret import Secret
from noisewise.statistics.records import Column
from noisewise.statistics.variance.variance_bound import Ratio, exceeds, highest
from noisewise.statistics.variance.variance_brackets import (
    ERROR,
    EXACT,
    Brackets,
    SideBySide,
    before,
    largest_ratio,
)
from noisewise.statistics.variance.variance_upper import best_high, gap_around

MIDDLE = 2
"""Which stretch of the records read holds those near the means in reach."""


def middle_sizes(block: SideBySide) -> Integers:
    """How many records of each group were read near the means in reach."""
    known = block.columns
    sizes: Integers = (known.stops[-1] - known.starts[-1])[block.groups]
    return sizes


class Removals(Secret):
    """Some columns of a block: their records near the means in reach, and what removing windows of these makes."""

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
        """The largest variance after l edits, m of them adding, as a float, where it was needed."""

    def search(self, edits: Integers) -> Brackets:
        """What is known once all windows were tried that could be better; no level after ``edits`` is needed."""
        least, most = self.found.least, self.found.most
        (spreads, off), counts = self.block.most, self.block.sizes[self.where]
        limit, apart = (spreads + off)[:, self.where] * (1 + ERROR), self._gaps(least.shape[0]) ** 2
        for l in range(1, least.shape[0]):
            for ends in (least, most):
                ends[l, self.where] = np.maximum(ends[l, self.where], ends[l - 1, self.where])
            added = np.arange(l)[:, np.newaxis]
            left = counts - l + 2 * added
            taken = (l - added) * apart * (1 - ERROR)  # by records that go, each so far from the mean
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

    def _gaps(self, levels: int) -> Floats:
        """How far the records of each group are from all means in reach, at least."""
        block, columns = self.block, self.where.tolist()
        known = [cast("Column", block.columns[block.groups.item(column)]) for column in columns]
        gaps = [
            gap_around(each, block.moments[column], min(levels, each.count + 2))
            for each, column in zip(known, columns, strict=True)
        ]
        return np.array(gaps, np.float64)

    def _variances(self, removed: int, added: int, columns: Integers) -> Floats:
        """The variance when a window goes, for each window and group; less than `_off` from the best it can be."""
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
        """How far these floats may be from their variances."""
        block, where = self.block, self.where
        reach = block.around[where] + added * float(block.width) ** 2
        n = block.sizes[where]
        off: Floats = ERROR * (n + 16) * reach / np.maximum(n - removed + added, 1)
        return off

    def exact(self, level: int, column: int) -> Ratio:
        """The largest variance of one group after so many edits, in integers; ``column`` is that of the block."""
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
        """The variances of all windows that may be at least so large, in integers."""
        moments, centre = self.block.moments[self.where[place]], self.block.centres.item(self.where[place])
        found = self._variances(removed, added, np.array([place]))[:, 0]
        near = np.flatnonzero(found + self._off(removed, added)[place] >= least)
        sums = self.sums[near + removed, place] - self.sums[near, place]
        near = near[np.append(True, sums[1:] != sums[:-1])]  # sorted windows of one sum are the same records
        for i in near.tolist():
            gone = [x + centre for x in self.records[i : i + removed, place].tolist()]
            kept = moments.without(removed, sum(gone), sum(x * x for x in gone))
            high = best_high(kept.total, kept.count + added, added, kept.width)
            yield kept.joined(added - high, high).variance
