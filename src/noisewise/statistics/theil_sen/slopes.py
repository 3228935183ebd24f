"""Slopes of pairs of rows, as lattice indices, and exact ranks among far more of them than memory holds.

The slope of two rows is the float64 quotient (y' - y) / (x' - x), clamped and put on the lattice: it depends on these
two rows alone and is the same in either order, bit by bit. Two rows of one x have no slope, nor has a quotient that is
no number (infinite differences).

Rows can be dealt into parts, so that only slopes within parts are taken. Which part a row goes to is decided by a fixed
hash of its numbers and of how many equal rows went before it, so it does not matter in what order rows come: a table
with one row more has one part with one row more.

Many slopes are never stored. A pass over them counts how many fall in each cell of the lattice; the cells
that hold a wanted rank are cut into finer ones and counted again, until a cell is a point or what is left is small
enough to sort.
Proof: docs/proofs/slopes.md.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from noisewise.kernel.numbers.arrays import Booleans, Floats, Integers, Unsigned
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.kernel.secret import Secret

LOT = 1 << 18
"""Slopes are handled in lots of at least this many, but for the last."""

BLOCK = 1 << 15
"""Small parts are worked on together, about so many rows at a time."""

OUTRIGHT = 1 << 22
"""Up to this many slopes are kept and sorted."""

COUNTERS = 1 << 20
"""About how many cells a pass counts. Each wanted cell is cut into 16 at least."""

FIRST_BITS = 16
"""The first pass cuts the lattice into up to 2^16 cells."""


class Dealt(NamedTuple):
    """Rows in parts, one part behind the other, and how many rows each part has."""

    x: Floats
    y: Floats
    sizes: Integers


def deal(x: Floats, y: Floats, parts: int) -> Dealt:
    """Rows in so many parts, of which empty ones are left out."""
    if parts == 1 or x.size == 0:
        return Dealt(x, y, np.array([x.size], np.int64))
    x, y = x + 0.0, y + 0.0  # so that -0.0 is 0.0, bit by bit
    order = np.lexsort((y, x))
    x, y, places = x[order], y[order], np.arange(x.size)
    is_new = np.append(True, (x[1:] != x[:-1]) | (y[1:] != y[:-1]))
    copies = places - np.maximum.accumulate(np.where(is_new, places, 0))
    key = mix(mix(mix(x.view(np.uint64)) ^ y.view(np.uint64)) ^ copies.astype(np.uint64))
    part = key % np.uint64(parts)
    order = np.argsort(part, kind="stable")
    return Dealt(x[order], y[order], np.unique(part, return_counts=True)[1].astype(np.int64))


def mix(words: Unsigned) -> Unsigned:
    """A bijection of 64-bit words that leaves no pattern: the last steps of SplitMix64, one constant added before."""
    words = words + np.uint64(0x9E3779B97F4A7C15)
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))


def slopes(rows: Dealt, lattice: Lattice) -> Iterator[Integers]:
    """The slopes of all pairs within parts, in lots."""
    lot: list[Integers] = []
    held = 0
    for found in _blocks(rows, lattice):
        lot.append(found)
        held += found.size
        if held >= LOT:
            yield np.concatenate(lot)
            lot, held = [], 0
    if lot:
        yield np.concatenate(lot)


def _blocks(rows: Dealt, lattice: Lattice) -> Iterator[Integers]:
    """Rows of the same part that stand 1, 2, ... places apart, for some parts at a time."""
    block = np.cumsum(rows.sizes) // BLOCK
    edges = np.flatnonzero(np.append(block[1:] != block[:-1], True)) + 1
    first = 0
    for last in edges.tolist():
        sizes, start = rows.sizes[first:last], int(rows.sizes[:first].sum())
        where = slice(start, start + int(sizes.sum()))
        x, y, part = rows.x[where], rows.y[where], np.repeat(np.arange(sizes.size), sizes)
        for apart in range(1, int(sizes.max())):
            together = part[apart:] == part[:-apart] if sizes.size > 1 else None
            yield _slopes(x[:-apart], x[apart:], y[:-apart], y[apart:], together, lattice)
        first = last


def _slopes(
    x: Floats, x_next: Floats, y: Floats, y_next: Floats, together: Booleans | None, lattice: Lattice
) -> Integers:
    with np.errstate(all="ignore"):
        run, found = x_next - x, y_next - y
        found /= run
        exists = (run != 0) & (found == found)
    if together is not None:
        exists &= together
    return lattice.index(found if exists.all() else found[exists])


@dataclass(frozen=True, slots=True, repr=False)
class Cut:
    """Wanted cells cut into 2^bits finer ones each: which of these are wanted, numbered from 0; -1 if not."""

    shift: int
    bits: int
    wanted: NDArray[np.int32]


@dataclass(slots=True, repr=False)
class Pile(Secret):
    """Lattice indices in lots that can be walked again and again; ``count`` of them, any order."""

    lots: Callable[[], Iterator[Integers]]
    lattice: Lattice
    count: int = 0
    few: Integers | None = None
    first: Integers = field(default_factory=lambda: np.zeros(0, np.int64))

    def __post_init__(self) -> None:
        """One pass: keep them while they are few, and count them by cell once they are not."""
        kept: list[Integers] = []
        self.first = np.zeros(1 << self._first_bits, np.int64)
        for lot in self.lots():
            self.count += lot.size
            kept.append(lot)
            if self.count > OUTRIGHT:
                for each in kept:
                    cells = (each - self.lattice.low) >> (self._width - self._first_bits)
                    self.first += np.bincount(cells, minlength=self.first.size)
                kept = []
        if self.count <= OUTRIGHT:
            self.few = np.sort(np.concatenate(kept)) if kept else self.first[:0]

    @property
    def _width(self) -> int:
        """How many bits an index has, counted from the low end of the lattice."""
        return (self.lattice.high - self.lattice.low).bit_length()

    @property
    def _first_bits(self) -> int:
        return min(FIRST_BITS, self._width)

    def ranks(self, ranks: Integers) -> Integers:
        """The order statistics of these ranks, counted from 1; each between 1 and ``count``."""
        if self.few is not None:
            return self.few[ranks - 1]
        wanted, places = np.unique(ranks, return_inverse=True)
        return (self.lattice.low + self._descend(wanted))[places]

    def _descend(self, rest: Integers) -> Integers:
        """From cells to finer cells; ``rest`` is a wanted rank within its cell, ``slot`` which wanted cell that is."""
        cuts: list[Cut] = []
        counts, bits, shift = self.first, self._first_bits, self._width - self._first_bits
        slot: Integers = np.zeros(rest.size, np.int64)
        prefix: Integers = np.zeros(1, np.int64)
        while True:
            before = np.concatenate([[0], np.cumsum(counts)])
            target = before[slot << bits] + rest
            cell = np.searchsorted(before, target, side="left") - 1
            rest = target - before[cell]
            cells, slot = np.unique(cell, return_inverse=True)
            prefix = prefix[cells >> bits] << bits | cells & ((1 << bits) - 1)
            if shift == 0:
                return prefix[slot]
            table = np.full(counts.size, -1, np.int32)
            table[cells] = np.arange(cells.size, dtype=np.int32)
            cuts.append(Cut(shift, bits, table))
            held = counts[cells]
            if held.sum() <= OUTRIGHT:
                place: Integers = (np.cumsum(held) - held)[slot] + rest - 1
                return self._sorted(cuts)[place]
            bits = min(shift, max(4, (COUNTERS // cells.size).bit_length() - 1))
            shift -= bits
            counts = self._counted(cuts, shift, bits, cells.size)

    def _wanted(self, cuts: list[Cut]) -> Iterator[tuple[Integers, Integers]]:
        """The indices that lie in a wanted cell of the last cut, from the low end, and which of its cells that is."""
        for lot in self.lots():
            index, slot = lot - self.lattice.low, np.zeros(lot.size, np.int64)
            for cut in cuts:
                inner = (index >> cut.shift) & ((1 << cut.bits) - 1)
                found = cut.wanted[slot << cut.bits | inner]
                kept = found >= 0
                index, slot = index[kept], found[kept].astype(np.int64)
            yield index, slot

    def _counted(self, cuts: list[Cut], shift: int, bits: int, slots: int) -> Integers:
        """How many indices are in each finer cell. Counting waits for as many indices as there are cells."""
        counts, held, waiting = np.zeros(slots << bits, np.int64), 0, [self.first[:0]]
        for index, slot in self._wanted(cuts):
            waiting.append(slot << bits | (index >> shift) & ((1 << bits) - 1))
            held += index.size
            if held >= counts.size:
                counts += np.bincount(np.concatenate(waiting), minlength=counts.size)
                held, waiting = 0, waiting[:1]
        return counts + np.bincount(np.concatenate(waiting), minlength=counts.size)

    def _sorted(self, cuts: list[Cut]) -> Integers:
        return np.sort(np.concatenate([index for index, _ in self._wanted(cuts)]))
