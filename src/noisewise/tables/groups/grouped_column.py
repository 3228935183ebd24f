"""A column in groups, in memory: the records of one group after the other, each group sorted.

A record becomes one integer: the index of its key is in the high bits, and its lattice index in the low bits. These
integers are grouped by the index of the key, digit by digit and without comparisons. Then a few hundred of them are
sorted at a time, which is several times faster than one sort of all. A record without a value, or with a key that was
not declared, is in no group. A group may have no records.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from noisewise.kernel.losses import Neighbors
from noisewise.kernel.numbers.arrays import Floats, Integers
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.kernel.secret import Secret
from noisewise.statistics.records import Sums
from noisewise.tables.columns.array_column import Declared, nearest_float64
from noisewise.tables.columns.parallel import in_blocks, side_by_side
from noisewise.tables.columns.sums import sums_below
from noisewise.tables.groups.keys import Keys
from noisewise.tables.people import Choice, NamedPeople

DIGIT = 16
"""The most bits of integers that NumPy sorts without comparing them."""
NARROWEST, WIDEST = 16, 1024
"""The smallest and the largest number of records that are sorted at a time."""
FEW = 1 << 12
"""For each FEW records, one group may be too large for a row, and is sorted alone."""
PART, MOST_PARTS = 1 << 18, 8
"""The fewest records for a thread to sort, and the most parts, since each part needs a pass over all rows."""
NO_ROWS = np.empty(0, np.int64)


@dataclass(frozen=True, slots=True, repr=False)
class LocalGroups(Secret):
    """The lattice indices of all records. Group g has indices[offsets[g] : offsets[g + 1]], sorted."""

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
        windows: Integers = self.indices[np.repeat(first, sizes) + np.arange(sizes.sum())]
        return windows

    def parts(self) -> list[slice]:
        """All groups, divided into slices."""
        return split(self.offsets, PART)

    def part(self, groups: slice) -> "LocalGroups":
        """A slice of the groups. Their records are not copied."""
        offsets = self.offsets[groups.start : groups.stop + 1]
        return LocalGroups(
            self.indices[offsets[0] : offsets[-1]], offsets - offsets[0], self.lattice, self.neighbors
        )

    def only(self, groups: Integers) -> "LocalGroups":
        """The groups at these indices, in the order of the indices."""
        sizes = self.counts[groups]
        offsets = np.concatenate([[0], np.cumsum(sizes)])
        rows = np.repeat(self.offsets[groups] - offsets[:-1], sizes) + np.arange(offsets[-1])
        return LocalGroups(self.indices[rows], offsets, self.lattice, self.neighbors)

    def sums(self) -> list[int]:
        return group_sums(self.indices - self.lattice.low, self.offsets)

    def below(self, indices: Integers, *, squares: bool = False) -> list[Sums]:
        return sums_below(self.indices, self.offsets, indices, self.lattice.low, squares=squares)

    def group(self, group: int) -> "SortedColumn":
        return SortedColumn(
            self.indices[self.offsets[group] : self.offsets[group + 1]], self.lattice, self.neighbors
        )


@dataclass(frozen=True, slots=True, repr=False)
class SortedColumn(Secret):
    """The records of one group, as a column that is sorted already."""

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
    """A column of an accepted type, and a function that finds the group of each row. Nothing is read yet."""

    column: Declared
    row_groups: Callable[[], Integers]
    keys: Keys
    people: Callable[[], NamedPeople] | None
    choice: Choice | None

    def read(self, lattice: Lattice, neighbors: Neighbors) -> LocalGroups:
        if self.people is not None and self.choice is not None and self.choice.total is not None:
            numbers, row_groups = self.column.numbers(), self.row_groups()
            return totals(numbers, row_groups, self.people(), self.choice, lattice, neighbors, len(self.keys))
        values, mask = self.column.fetch()
        row_groups, steps = self.row_groups(), np.empty(values.size, np.int64)

        def read(rows: slice) -> Integers:
            """Write the lattice indices of some rows into ``steps``, and return the rows without a value."""
            indices = lattice.nearest(nearest_float64(values[rows]))
            present = indices == indices if mask is None else (indices == indices) & ~mask[rows]
            steps[rows] = indices if (whole := present.all()) else np.where(present, indices, lattice.low)
            return NO_ROWS if whole else rows.start + np.flatnonzero(~present)

        missing = np.concatenate([NO_ROWS, *in_blocks(read, values.size)])
        if missing.size:
            row_groups = row_groups.copy()
            row_groups[missing] = -1
        if self.people is not None and self.choice is not None:
            kept = self.people().keep(row_groups >= 0, row_groups, (steps,), self.choice)
            row_groups = np.where(kept, row_groups, -1)
        if lattice.low:
            steps -= lattice.low
        in_groups, offsets = in_order(row_groups, steps, len(self.keys), lattice.high - lattice.low)
        if lattice.low:
            in_groups += lattice.low
        return LocalGroups(in_groups, offsets, lattice, neighbors)


def totals(
    numbers: Floats,
    row_groups: Integers,
    people: NamedPeople,
    choice: Choice,
    lattice: Lattice,
    neighbors: Neighbors,
    count: int,
) -> LocalGroups:
    """One record for each person and group. Rows without a number, an owner or a group take no part."""
    rows = ~np.isnan(numbers) & (row_groups >= 0)
    groups, indices = people.totals(rows, row_groups, numbers, lattice, choice)
    in_groups, offsets = in_order(groups, indices - lattice.low, count, lattice.high - lattice.low)
    return LocalGroups(in_groups + lattice.low, offsets, lattice, neighbors)


def in_order(row_groups: Integers, steps: Integers, count: int, most: int) -> tuple[Integers, Integers]:
    """Return ``steps`` with one group after the other and each group sorted, and the place where each group begins.

    Step i is from 0 to ``most``, and in group ``row_groups[i]``. There are ``count`` groups. Group -1 is left out.

    ``steps`` is overwritten, because allocating new memory takes longer than most of the work here.
    """
    if row_groups.size and row_groups.min() < 0:
        kept = row_groups >= 0
        row_groups, steps = row_groups[kept], steps[kept]
    sizes = np.bincount(row_groups, minlength=count)
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    room = most.bit_length()
    if room + count.bit_length() > 63:
        return steps[np.lexsort((steps, row_groups))], offsets

    def pack(rows: slice) -> None:
        steps[rows] += row_groups[rows] << room

    in_blocks(pack, row_groups.size)
    in_groups = np.empty(row_groups.size, np.int64)

    def sort(groups: slice) -> None:
        own = steps
        if groups.stop - groups.start < count:
            own = steps.take(np.flatnonzero((row_groups >= groups.start) & (row_groups < groups.stop)))
        group = own >> room
        group -= groups.start
        order = np.argsort(group.astype(np.uint16), kind="stable")
        if groups.stop - groups.start > 1 << DIGIT:
            order = order[np.argsort((group >> DIGIT).astype(np.uint8)[order], kind="stable")]
        into = in_groups[offsets[groups.start] : offsets[groups.stop]]
        np.take(own, order, out=into, mode="clip")
        _sort_groups(into, sizes[groups], offsets[groups] - offsets[groups.start])
        into &= (1 << room) - 1

    side_by_side(sort, split(offsets, max(PART, row_groups.size // MOST_PARTS)))
    return in_groups, offsets


def split(offsets: Integers, together: int) -> list[slice]:
    """Divide the groups into slices of about ``together`` records."""
    firsts = np.searchsorted(offsets, np.arange(0, offsets[-1], together))
    ends = np.unique([0, *firsts, offsets.size - 1]).tolist()
    return [slice(start, stop) for start, stop in pairwise(ends)]


def _sort_groups(packed: Integers, sizes: Integers, offsets: Integers) -> None:
    """Sort each group in place. All numbers of a group must be below all numbers of the next group."""
    width = NARROWEST
    while width < WIDEST and np.count_nonzero(sizes > width // 2) > packed.size // FEW:
        width *= 2
    for start in (0, width // 2):  # if one division into rows splits a small group, the other does not
        _sort_rows(packed[start:], width)
    for group in np.flatnonzero(sizes > width // 2):
        packed[offsets[group] : offsets[group] + sizes[group]].sort()


def _sort_rows(numbers: Integers, width: int) -> None:
    """Sort each row of ``width`` numbers in place, and the shorter row at the end."""
    full = numbers.size // width * width
    numbers[:full].reshape(-1, width).sort(axis=1)
    numbers[full:].sort()


def group_sums(steps: Integers, offsets: Integers) -> list[int]:
    """The exact sum of each run of integers from 0 to 2^53. The sums may be of any size."""
    halves = []
    for half in (steps & 0xFFFFFFFF, steps >> 32):  # a run of 2^31 halves stays within 63 bits
        running = np.concatenate([[0], np.cumsum(half)])
        halves.append(running[offsets[1:]] - running[offsets[:-1]])
    return [low + (high << 32) for low, high in zip(halves[0].tolist(), halves[1].tolist(), strict=True)]
