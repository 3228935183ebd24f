"""Slopes of pairs of rows, as lattice indices, and exact ranks among far more slopes than memory holds.

The slope of two rows is the float64 quotient (y' - y) / (x' - x), clamped and put on the lattice. It depends on these
two rows alone and is the same in either order, bit by bit. Two rows with the same x have no slope. If the differences
are infinite and the quotient is not a number, there is no slope either.

Rows can be dealt into parts, and then only slopes within parts are taken. A fixed hash decides to which part a row
goes. It reads the row's numbers, and how many equal rows went before it. So the order of rows does not matter, and one
more row in the table is one more row in one part.

Many slopes are never stored (`Pile`). A pass over them counts how many fall in each cell of the lattice. The cells that
hold a wanted rank are cut into finer cells and counted again, until a cell is a single point or the slopes in the
wanted cells are few enough to sort.

If there are many rows, the slopes of all pairs are not even computed (`AllPairs`). Let x_i < x_j. The slope of two rows
is at most t exactly if y_j - t*x_j <= y_i - t*x_i. So the slopes up to t are counted by comparing two orders of the
rows: by x, and by y - t*x. A pair has a slope between t and u if its order by y - t*x differs from its order by
y - u*x. `Crossings` counts and lists such pairs without looking at other pairs.

Numbers are float64 and rounded, so each y - t*x is known as an interval that certainly holds it. If the intervals of a
pair do not overlap, the pair is decided. The slopes of the few other pairs are computed. The search for ranks starts
with all slopes. It cuts at points of the lattice, which a sample of pairs chooses. It ends if the slopes around the
wanted ranks are one point, or few enough to be listed. Proof: docs/proofs/slopes.md.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from noisewise.kernel.numbers.arrays import Booleans, Floats, Integers, Unsigned
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.kernel.secret import Secret

LOT = 1 << 18
"""Slopes are handled in lots, which are arrays of at least this many slopes. Only the last lot may be smaller."""

BLOCK = 1 << 15
"""Small parts are handled together, about this many rows at a time."""

OUTRIGHT = 1 << 22
"""Up to this many slopes are kept and sorted."""

COUNTERS = 1 << 20
"""A pass counts about this many cells. Each wanted cell is cut into at least 16."""

FIRST_BITS = 16
"""The first pass cuts the lattice into up to 2^16 cells."""

MOST_ROWS = 1 << 28
"""With at most this many things on a side, a place in the second order and a bit for the side fit into an int32."""

LISTED = 1 << 16
"""About this many crossings are listed at once."""

LARGEST = 2.0**1000
"""The difference of two numbers below this is finite."""

SAMPLE, SHARE = 1 << 20, 64
"""A sample decides where to cut. It has ``SAMPLE`` pairs, or one of every ``SHARE`` pairs if these are fewer."""

SPREAD = 4.5
"""Cuts are this many standard deviations of a sampled rank away from the wanted ranks."""

ROOM = 1 << 24
"""At most this many slopes are listed at once."""

NEAR = 256
"""A cut fails if more than one of `NEAR` pairs, and more than `ROOM` pairs, are too close to it to be decided."""

WORTH = 20
"""A count takes about as long as listing this many slopes for every row."""

TINY = 2.0**-1000
"""More than the error of a product that underflows."""

CUTS = 100
"""After this many cuts, and 8 more for every `ROOM` slopes between the wanted ranks, cells are counted instead."""

EARLY = 8
"""After this many cuts within cuts, every other cut is in the middle of its bracket, whatever the sample says."""


Codes = NDArray[np.int32]


class Dealt(NamedTuple):
    """Rows in parts, one part after the other, and the number of rows in each part."""

    x: Floats
    y: Floats
    sizes: Integers


def deal(x: Floats, y: Floats, parts: int) -> Dealt:
    """Deal rows into ``parts`` parts. Empty parts are left out."""
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
    """A bijection that mixes the bits of 64-bit words: the last steps of SplitMix64, after adding a constant."""
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
    """The slopes of rows of the same part that stand 1, 2, ... places apart, for some parts at a time."""
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
    """A cut of each wanted cell into 2^bits finer cells. ``wanted`` numbers the finer cells that are wanted, and has -1
    for the others."""

    shift: int
    bits: int
    wanted: NDArray[np.int32]


@dataclass(slots=True, repr=False)
class Pile(Secret):
    """``count`` lattice indices in any order, in lots that can be read several times."""

    lots: Callable[[], Iterator[Integers]]
    lattice: Lattice
    count: int = 0
    few: Integers | None = None
    first: Integers = field(default_factory=lambda: np.zeros(0, np.int64))

    def __post_init__(self) -> None:
        """Make one pass over the indices. Keep them if they are few. Otherwise count them by cell."""
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
        """The number of bits of an index, counted from the low end of the lattice."""
        return (self.lattice.high - self.lattice.low).bit_length()

    @property
    def _first_bits(self) -> int:
        return min(FIRST_BITS, self._width)

    def ranks(self, ranks: Integers) -> Integers:
        """The order statistics of these ranks. A rank is between 1 and ``count``."""
        if self.few is not None:
            return self.few[ranks - 1]
        wanted, places = np.unique(ranks, return_inverse=True)
        return (self.lattice.low + self._descend(wanted))[places]

    def _descend(self, rest: Integers) -> Integers:
        """Find the wanted ranks by going from cells to finer cells.

        ``rest`` holds each wanted rank within its cell, and ``slot`` the number of that cell.
        """
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
        """The indices in wanted cells of the last cut, counted from the low end, and the number of each one's cell."""
        for lot in self.lots():
            index, slot = lot - self.lattice.low, np.zeros(lot.size, np.int64)
            for cut in cuts:
                inner = (index >> cut.shift) & ((1 << cut.bits) - 1)
                found = cut.wanted[slot << cut.bits | inner]
                kept = found >= 0
                index, slot = index[kept], found[kept].astype(np.int64)
            yield index, slot

    def _counted(self, cuts: list[Cut], shift: int, bits: int, slots: int) -> Integers:
        """The number of indices in each finer cell. Indices are counted in portions that are about as large as the
        table of counts."""
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


class Level(NamedTuple):
    """Left things, and the right things that cross some of them. For each of these, the range of left things that it
    crosses."""

    codes: Codes
    lefts: Booleans
    rights: Integers
    starts: Codes
    stops: Codes


class Crossings:
    """Pairs that cross, among the things 0, 1, ..., 2n - 1. Two orders of all things disagree about such a pair.

    The things 0 to n - 1 are left things, the others are right things. A left and a right thing cross if the left thing
    is before the right thing in the first order and after it in the second. If left and right things have equal orders,
    crossings are the inversions of a permutation, which a merge sort counts. Here a merge sort runs backwards. Things
    begin in the first order. Bit by bit, from the highest bit, they are dealt by their places in the second order.
    Among things whose higher bits agree, a right thing with a 0 crosses every left thing with a 1 that stands before
    it. No pair is met at two bits. Groups have equal sizes, so a bit takes a few passes of NumPy over all things.
    Counting takes O(n log n), and each pair that is listed takes O(1).
    """

    __slots__ = ("_codes", "_second", "_things")

    def __init__(self, first: Integers, second: Integers) -> None:
        things = first.size
        size = 1 << max(things - 1, 1).bit_length()
        place = np.empty(things, np.int32)
        place[second] = np.arange(things, dtype=np.int32)
        self._codes = (
            np.arange(size, dtype=np.int32) << 1 | 1
        )  # right things that are last in both orders cross none
        self._codes[:things] = place[first] << 1 | (first >= things // 2)
        self._second, self._things = second, things

    def count(self) -> int:
        return sum(
            int(level.stops.sum(dtype=np.int64) - level.starts.sum(dtype=np.int64))
            for level in self._levels()
        )

    def pairs(self) -> Iterator[tuple[Integers, Integers]]:
        """All crossings, in lots: the left things and the right things, both numbered from 0."""
        for level in self._levels():
            lefts = self._second[level.codes[level.lefts] >> 1]
            rights = self._second[level.codes[level.rights] >> 1] - self._things // 2
            for some, chosen in listed(level.starts, level.stops):
                yield lefts[chosen], rights[some]

    def _levels(self) -> Iterator[Level]:
        codes = self._codes
        for bit in range(codes.size.bit_length() - 1, 0, -1):
            is_one, is_right = (codes >> bit & 1).astype(np.bool_), (codes & 1).astype(np.bool_)
            lefts = is_one > is_right
            before = np.concatenate([[0], np.cumsum(lefts, dtype=np.int32)])
            rights = np.flatnonzero(is_right > is_one)
            starts, stops = before[rights >> bit << bit], before[rights]
            crossing = np.flatnonzero(starts < stops)
            yield Level(codes, lefts, rights[crossing], starts[crossing], stops[crossing])
            halves = (-1, 1 << (bit - 1))
            codes = np.concatenate(
                [codes[~is_one].reshape(halves), codes[is_one].reshape(halves)], axis=1
            ).ravel()


def listed(starts: NDArray[np.integer], stops: NDArray[np.integer]) -> Iterator[tuple[Integers, Integers]]:
    """The numbers starts[k] to stops[k] - 1 for every k, in lots of k and the number. No range may be empty."""
    ends = np.cumsum(stops - starts, dtype=np.int64)
    first, done = 0, 0
    while first < ends.size:
        last = max(first + 1, int(np.searchsorted(ends, done + LISTED, side="right")))
        sizes = np.diff(ends[first:last], prepend=done)
        some = np.repeat(np.arange(first, last), sizes)
        yield some, np.arange(done, done + some.size) + (stops[first:last] - ends[first:last])[some - first]
        first, done = last, done + some.size


class Bracket(NamedTuple):
    """The slopes with indices start + 1 to stop. They have the ranks before + 1 to up_to, which hold ``wanted``.

    ``depth`` is the number of cuts that made this bracket.
    """

    start: int
    stop: int
    before: int
    up_to: int
    wanted: Integers
    depth: int = 0


class Heights(NamedTuple):
    """A lower and an upper bound of y - t*x for each row. A number that is the same for all rows may be added."""

    low: Floats
    high: Floats


@dataclass(frozen=True, slots=True, repr=False)
class AllPairs(Secret):
    """Different rows sorted by x, then y, the number of copies of each, and the number of slopes of all pairs."""

    x: Floats
    y: Floats
    copies: Integers
    lattice: Lattice
    count: int

    @classmethod
    def of(cls, x: Floats, y: Floats, lattice: Lattice) -> "AllPairs | None":
        """Sort the rows. Return None if there are few slopes or too many rows, or if a difference may be infinite."""
        pairs = x.size * (x.size - 1) // 2
        if pairs <= OUTRIGHT or x.size > MOST_ROWS or not max(np.abs(x).max(), np.abs(y).max()) < LARGEST:
            return None
        order = np.lexsort((y, x))
        x, y, rows = x[order], y[order], x.size
        is_new_x = np.append(True, x[1:] != x[:-1])
        of_one_x = np.diff(np.flatnonzero(is_new_x), append=rows)
        new = np.flatnonzero(is_new_x | np.append(True, y[1:] != y[:-1]))
        count = pairs - int((of_one_x * (of_one_x - 1) // 2).sum())
        return cls(x[new], y[new], np.diff(new, append=rows), lattice, count)

    def ranks(self, ranks: Integers) -> Integers:
        """The order statistics of these ranks. A rank is between 1 and ``count``."""
        wanted, places = np.unique(ranks, return_inverse=True)
        found = self._search(wanted)
        if found is None:
            dealt = deal(np.repeat(self.x, self.copies), np.repeat(self.y, self.copies), 1)
            found = Pile(lambda: slopes(dealt, self.lattice), self.lattice).ranks(wanted)
        return found[places]

    def _search(self, wanted: Integers) -> Integers | None:
        """The slopes of the wanted ranks; None if too many slopes are equal."""
        found, sample = np.empty_like(wanted), self._sample()
        brackets = [Bracket(self.lattice.low - 1, self.lattice.high, 0, self.count, wanted)]
        cuts = CUTS + 8 * (int(wanted[-1] - wanted[0]) // ROOM)
        while brackets:
            bracket = brackets.pop()
            start = int(np.searchsorted(wanted, bracket.wanted[0]))
            some = slice(start, start + bracket.wanted.size)
            if bracket.stop - bracket.start == 1:
                found[some] = bracket.stop
            elif self._is_small(bracket):
                found[some] = self._listed(bracket)
            else:
                cut = _cut(bracket, sample)
                up_to = self.up_to(cut)
                cuts -= 1
                if up_to is None or cuts < 0:
                    return None
                at = int(np.searchsorted(bracket.wanted, up_to, side="right"))
                low = bracket._replace(stop=cut, up_to=up_to, wanted=bracket.wanted[:at])
                high = bracket._replace(start=cut, before=up_to, wanted=bracket.wanted[at:])
                brackets += [part._replace(depth=part.depth + 1) for part in (low, high) if part.wanted.size]
        return found

    def _sample(self) -> Floats:
        """The sorted slopes, as indices, of pairs that a fixed hash chooses."""
        pairs = min(SAMPLE, max(self.count // SHARE, 1 << 12))
        places = mix(np.arange(2 * pairs, dtype=np.uint64)) % np.uint64(self.copies.sum())
        rows = np.repeat(np.arange(self.x.size), self.copies)[places.astype(np.int64)]
        found = self._slopes(rows[:pairs], rows[pairs:])
        return np.sort(found[found == found])

    def _slopes(self, one: Integers, other: Integers) -> Floats:
        """The slopes of pairs of rows, as indices. A slope is NaN unless the row ``other`` has the larger x."""
        with np.errstate(all="ignore"):
            run, rise = self.x[other] - self.x[one], self.y[other] - self.y[one]
            run[run <= 0] = np.nan
            rise /= run
        return self.lattice.nearest(rise, out=rise)

    def up_to(self, index: int) -> int | None:
        """The number of slopes up to an index, which must not be the last. None if too many slopes are close to it."""
        heights = self._heights(index)
        if not np.isfinite(heights).all():
            return None
        order = np.argsort(heights.low)
        starts = np.arange(1, order.size + 1)
        stops = np.searchsorted(heights.low[order], heights.high[order], side="right")
        if int((stops - starts).sum()) > max(ROOM, self.count // NEAR):
            return None
        ends = np.concatenate([np.repeat(end, self.copies) for end in heights])
        by_x = np.arange(ends.size).reshape(2, -1)[::-1].T.ravel()
        found = Crossings(by_x, np.argsort(ends, kind="stable")).count()
        near = np.flatnonzero(starts < stops)
        for some, others in listed(starts[near], stops[near]):
            pair = order[near[some]], order[others]
            is_below = self._slopes(np.minimum(*pair), np.maximum(*pair)) <= index
            found += int((self.copies[pair[0]] * self.copies[pair[1]])[is_below].sum())
        return found

    def _is_small(self, bracket: Bracket) -> bool:
        """Whether the slopes are few enough to be listed, and another cut would take longer than listing them."""
        around = max(bracket.wanted[0] - bracket.before, bracket.up_to - bracket.wanted[-1])
        return bracket.up_to - bracket.before <= ROOM and bool(around <= WORTH * self.x.size)

    def _listed(self, bracket: Bracket) -> Integers:
        """The slopes of the wanted ranks of a small bracket, by listing all its slopes."""
        first = np.argsort(np.concatenate(self._heights(bracket.start)), kind="stable")
        second = np.argsort(np.concatenate(self._heights(bracket.stop)), kind="stable")
        crossings = Crossings(first, (second + self.x.size) % first.size)
        kept, repeats = list[Integers](), bool(self.copies.max() > 1)
        for one, other in crossings.pairs():
            found = self._slopes(one, other)
            is_inside = (found > bracket.start) & (found <= bracket.stop)
            inside = found[is_inside].astype(np.int64)
            kept.append(
                np.repeat(inside, (self.copies[one] * self.copies[other])[is_inside]) if repeats else inside
            )
        lattice = Lattice(bracket.start + 1, bracket.stop, self.lattice.granularity)
        return Pile(lambda: iter(kept), lattice).ranks(bracket.wanted - bracket.before)

    def _heights(self, index: int) -> Heights:
        """The heights for a t between the slopes of this index and of the next.

        In the order of rows, the heights rise if the index is below all slopes, and fall if it is above all slopes.
        """
        if not self.lattice.low <= index < self.lattice.high:
            rows = np.arange(self.x.size, dtype=np.float64)
            return Heights(rows, rows) if index < self.lattice.low else Heights(-rows, -rows)
        step = self.lattice.granularity
        t = float((index + Fraction(1, 2)) * step)
        margin = 2.0**-20 * float(step) + 2.0**-48 * abs(t)
        with np.errstate(all="ignore"):
            x, y = self.x - self.x[self.x.size // 2], self.y - float(np.median(self.y))
            line = t * x
            height = y - line
            error = 2.0**-50 * (np.abs(line) + np.abs(height)) + 2 * margin * np.abs(x) + TINY
            return Heights(height - error, height + error)


def _cut(bracket: Bracket, sample: Floats) -> int:
    """Choose an index at which to cut the bracket: next to the wanted ranks, or between them if they are far apart."""
    if bracket.depth <= EARLY or bracket.depth % 2 == 0:
        inside = sample[slice(*np.searchsorted(sample, [bracket.start, bracket.stop], side="right"))]
        first, last = int(bracket.wanted[0]) - bracket.before, int(bracket.wanted[-1]) - bracket.before
        held = bracket.up_to - bracket.before
        below, above = (first, -1), (last, 1)
        sides = [below, above] if first >= held - last else [above, below]
        for rank, side in sides if last - first <= ROOM else [((first + last) // 2, 0)]:
            share = rank / held
            apart = SPREAD * math.sqrt(inside.size * share * (1 - share)) + 1
            place = math.floor(share * inside.size + side * apart)
            if 0 <= place < inside.size:
                cut = int(inside[place]) - (side < 0)
                if bracket.start < cut < bracket.stop:
                    return cut
    return (bracket.start + bracket.stop) // 2
