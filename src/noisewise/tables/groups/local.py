"""A column in groups, in memory: the records of all groups behind each other, each group in order.

A record becomes one integer, the place of its key above and its lattice index below. These are put behind each other
by the place of the key, digit by digit, which takes no comparisons, and then sorted a few hundred at a time, which is
several times faster than one sort of them all. A record without a value, or whose key was not declared, is in no group;
a group without records is a group like any other.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from noisewise.columns.arrays import Declared, nearest_float64
from noisewise.columns.column import Neighbors, Sums
from noisewise.columns.runs import sums_below
from noisewise.numbers.arrays import Integers
from noisewise.numbers.lattice import Lattice
from noisewise.numbers.parallel import side_by_side
from noisewise.secret import Secret
from noisewise.tables.groups.keys import Keys
from noisewise.tables.people import Choice, People

DIGIT = 16
"""NumPy sorts integers of so many bits without comparing them."""
NARROWEST, WIDEST = 16, 1024
"""So many records are sorted at a time."""
FEW = 1 << 12
"""A run of so many records may have one larger group that is sorted by itself."""
PART, MOST_PARTS = 1 << 18, 8
"""So many records are sorted by one thread, which then needs no memory afresh; each part looks at all rows once."""
BLOCK = 1 << 16
"""So many records are read at a time; what is made of them stays in a core's cache."""


@dataclass(frozen=True, slots=True, repr=False)
class LocalGroups(Secret):
    """All records as indices, sorted within their group; group g owns the places offsets[g]..offsets[g+1]."""

    indices: Integers
    offsets: Integers
    lattice: Lattice
    neighbors: Neighbors

    def __len__(self) -> int:
        return self.offsets.size - 1

    @property
    def counts(self) -> Integers:
        sizes: Integers = self.offsets[1:] - self.offsets[:-1]
        return sizes

    def ranks(self, starts: Integers, stops: Integers) -> Integers:
        sizes = stops - starts
        if np.array_equal(sizes, self.counts):
            return self.indices
        before = np.cumsum(sizes) - sizes
        first = self.offsets[:-1] + starts - 1 - before
        found: Integers = self.indices[np.repeat(first, sizes) + np.arange(sizes.sum())]
        return found

    def parts(self) -> list[slice]:
        """All groups, some at a time."""
        return split(self.offsets, PART)

    def part(self, groups: slice) -> "LocalGroups":
        """Groups next to each other, without copying their records."""
        offsets = self.offsets[groups.start : groups.stop + 1]
        return LocalGroups(
            self.indices[offsets[0] : offsets[-1]], offsets - offsets[0], self.lattice, self.neighbors
        )

    def only(self, places: Integers) -> "LocalGroups":
        """Some of the groups, in this order."""
        sizes = self.counts[places]
        offsets = np.concatenate([[0], np.cumsum(sizes)])
        rows = np.repeat(self.offsets[places] - offsets[:-1], sizes) + np.arange(offsets[-1])
        return LocalGroups(self.indices[rows], offsets, self.lattice, self.neighbors)

    def sums(self) -> list[int]:
        return group_sums(self.indices - self.lattice.low, self.offsets)

    def below(self, indices: Integers, *, squares: bool = False) -> list[Sums]:
        return sums_below(self.indices, self.offsets, indices, self.lattice.low, squares=squares)

    def group(self, place: int) -> "SortedColumn":
        return SortedColumn(
            self.indices[self.offsets[place] : self.offsets[place + 1]], self.lattice, self.neighbors
        )


@dataclass(frozen=True, slots=True, repr=False)
class SortedColumn(Secret):
    """One group's records by themselves: a column whose order statistics lie ready."""

    indices: Integers
    lattice: Lattice
    neighbors: Neighbors

    @property
    def count(self) -> int:
        return self.indices.size

    def ranks(self, start: int, stop: int) -> Integers:
        return self.indices[start - 1 : stop - 1]

    def extremes(self, records: int) -> tuple[Integers, Integers]:
        return self.indices[:records], self.indices[self.count - records :]

    def sums(self, *, squares: bool = False) -> Sums:
        return self._sums(self.indices, squares)

    def below(self, index: int, *, squares: bool = False) -> Sums:
        return self._sums(self.indices[: np.searchsorted(self.indices, index, side="right")], squares)

    def ordered(self) -> Integers:
        return self.indices

    def _sums(self, indices: Integers, squares: bool) -> Sums:
        steps = indices - self.lattice.low
        (total,) = group_sums(steps, np.array([0, steps.size]))
        return Sums(steps.size, total, sum(step * step for step in steps.tolist()) if squares else 0)


@dataclass(frozen=True, slots=True, repr=False)
class DeclaredLocalGroups(Secret):
    """A column of an accepted type, and how its rows fall into groups; not yet looked at."""

    column: Declared
    codes: Callable[[], Integers]
    keys: Keys
    people: Callable[[], People] | None
    choice: Choice | None

    def read(self, lattice: Lattice, neighbors: Neighbors) -> LocalGroups:
        values, mask = self.column.fetch()
        codes, steps, missing = self.codes(), np.empty(values.size, np.int64), []
        for rows in blocks(values.size):
            indices = lattice.nearest(nearest_float64(values[rows]))
            present = indices == indices if mask is None else (indices == indices) & ~mask[rows]
            if not present.all():
                indices = np.where(present, indices, lattice.low)
                missing.append(rows.start + np.flatnonzero(~present))
            steps[rows] = indices
        if missing:
            codes = codes.copy()
            codes[np.concatenate(missing)] = -1
        if self.people is not None and self.choice is not None:
            codes = np.where(self.people().keep(codes >= 0, codes, (steps,), self.choice), codes, -1)
        if lattice.low:
            steps -= lattice.low
        found, offsets = in_order(codes, steps, len(self.keys), lattice.high - lattice.low)
        if lattice.low:
            found += lattice.low
        return LocalGroups(found, offsets, lattice, neighbors)


def in_order(codes: Integers, steps: Integers, count: int, most: int) -> tuple[Integers, Integers]:
    """Numbers 0..most of the groups 0..count-1, behind each other, in order, and where each begins; -1 is no group.

    ``steps`` is written over: memory that is new costs more than most of what is done with it.
    """
    if codes.size and codes.min() < 0:
        kept = codes >= 0
        codes, steps = codes[kept], steps[kept]
    sizes = np.bincount(codes, minlength=count)
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    room = most.bit_length()
    if room + count.bit_length() > 63:
        return steps[np.lexsort((steps, codes))], offsets
    for rows in blocks(codes.size):
        steps[rows] += codes[rows] << room
    found = np.empty(codes.size, np.int64)

    def sort(groups: slice) -> None:
        own = steps
        if groups.stop - groups.start < count:
            own = steps.take(np.flatnonzero((codes >= groups.start) & (codes < groups.stop)))
        places = own >> room
        places -= groups.start
        order = np.argsort(places.astype(np.uint16), kind="stable")
        if groups.stop - groups.start > 1 << DIGIT:
            order = order[np.argsort((places >> DIGIT).astype(np.uint8)[order], kind="stable")]
        into = found[offsets[groups.start] : offsets[groups.stop]]
        np.take(own, order, out=into, mode="clip")
        _sort_groups(into, sizes[groups], offsets[groups] - offsets[groups.start])
        into &= (1 << room) - 1

    side_by_side(sort, split(offsets, max(PART, codes.size // MOST_PARTS)))
    return found, offsets


def blocks(size: int) -> list[slice]:
    """Rows, some at a time."""
    return [slice(start, min(start + BLOCK, size)) for start in range(0, size, BLOCK)]


def split(offsets: Integers, together: int) -> list[slice]:
    """Groups next to each other, of about so many records together."""
    cuts = np.searchsorted(offsets, np.arange(0, offsets[-1], together))
    ends = np.unique([0, *cuts, offsets.size - 1]).tolist()
    return [slice(start, stop) for start, stop in pairwise(ends)]


def _sort_groups(packed: Integers, sizes: Integers, offsets: Integers) -> None:
    """Sort each group in place, where no number of a group is above one of a later group."""
    width = NARROWEST
    while width < WIDEST and np.count_nonzero(sizes > width // 2) > packed.size // FEW:
        width *= 2
    for start in (0, width // 2):  # a group of half a row that one cut splits lies between two of the other
        _sort_rows(packed[start:], width)
    for group in np.flatnonzero(sizes > width // 2):
        packed[offsets[group] : offsets[group] + sizes[group]].sort()


def _sort_rows(numbers: Integers, width: int) -> None:
    """Sort in place, so many at a time, whatever is left over at the end by itself."""
    whole = numbers.size // width * width
    numbers[:whole].reshape(-1, width).sort(axis=1)
    numbers[whole:].sort()


def group_sums(steps: Integers, offsets: Integers) -> list[int]:
    """The exact sum of each run of non-negative integers below 2^53, whatever it adds up to."""
    halves = []
    for half in (steps & 0xFFFFFFFF, steps >> 32):  # a run of 2^31 halves stays within 63 bits
        running = np.concatenate([[0], np.cumsum(half)])
        halves.append(running[offsets[1:]] - running[offsets[:-1]])
    return [low + (high << 32) for low, high in zip(halves[0].tolist(), halves[1].tolist(), strict=True)]
