"""The largest variance within reach, exactly.

To raise a variance, remove d records next to each other in the sorted column, a window, and add t records at the upper
bound and m-t at the lower one. For a given (d, m) the best window moves up with t and the best t moves up with the
window, so the two narrow each other. If records are swapped, d = m = l. If they are added and removed, all d+m <= l are
possible; a pair is searched only where the bound by sums (`variance_bound`) says that it could beat what was found.
Windows lie among records near the means in reach; only those are read. Proof: docs/proofs/variance_upper.md.
"""

from bisect import bisect_left
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import numpy as np

from noisewise.kernel.numbers.arrays import Integers
from noisewise.statistics.records import Column
from noisewise.statistics.variance.variance_bound import PowerSums, Ratio, best_added, exceeds, highest


def exact_upper(column: Column, moments: PowerSums, levels: int) -> Iterator[Ratio]:
    """The largest variance after 0, 1, ... edits."""
    middle = cache(lambda: _Middle.of(column, moments, levels))
    best, most = moments.variance, highest(moments, column.neighbors)
    spread = cache(moments.leaning_low().most)
    if column.neighbors == "swap":
        yield best
        yield from (_largest(middle(), moments, l, l) for l in range(1, levels))
        return
    for l, peak in enumerate(best_added(moments.count, spread, levels - 1)):
        for order in (range(peak, -1, -1), range(peak + 1, l + 1)):
            for added in order:
                left, (top, bottom) = moments.count - l + 2 * added, spread(added)
                if left < 1 or not exceeds((top, bottom * left), best) or not exceeds(most, best):
                    break  # the bound falls on both sides of its peak: nothing further away can be better
                if added == l:
                    high = best_high(moments.total, moments.count + added, added, moments.width)
                    found = moments.joined(added - high, high).variance
                elif exceeds((top - (l - added) * middle().gap ** 2 * bottom, bottom * left), best):
                    found = _largest(middle(), moments, l - added, added)
                else:
                    continue
                best = found if exceeds(found, best) else best
        yield best


def means_in_reach(moments: PowerSums, edits: int) -> tuple[int, int]:
    """The floors of the smallest and the largest mean that so many edits can make, or more than all that there is."""
    n, move = moments.count, edits * moments.width
    if n <= 2 * edits:
        return -1, moments.width
    return (moments.total - move) // (n + edits), (moments.total + move) // (n - edits)


def gap_around(column: Column, moments: PowerSums, levels: int) -> int:
    """How far all records are, at least, from every mean that so many edits can make; 0 where some lie between."""
    return _Middle.of(column, moments, levels).gap


class _Middle(NamedTuple):
    """The records, from rank ``first`` on (counted from 0), that hold every window which may be best to remove.

    ``start`` of all records are below every mean in reach, and all from rank ``stop`` on are above; none is nearer
    than ``gap`` to any of these means.
    """

    start: int
    stop: int
    gap: int
    first: int
    records: Integers
    sums: Integers

    @classmethod
    def of(cls, column: Column, moments: PowerSums, edits: int) -> "_Middle":
        n, low, (least, most) = moments.count, column.lattice.low, means_in_reach(moments, edits)
        start, stop = column.below(low + least - 1).count, column.below(low + most).count
        first, last = max(start - edits, 0), min(stop + edits, n)
        records = column.ranks(first + 1, last + 1) - low
        near = [least - int(x) for x in records[: start - first][-1:]]
        near += [int(x) - most - 1 for x in records[stop - first :][:1]]
        gap = min(near, default=0) if start == stop else 0
        return cls(start, stop, gap, first, records, np.cumsum(np.append(0, records)))

    def at(self, rank: int) -> int:
        return self.records.item(rank - self.first)

    def total(self, start: int, stop: int) -> int:
        """The sum of the records of ranks start..stop-1. Sums that ran over 2^63 differ by the right number still."""
        return (self.sums.item(stop - self.first) - self.sums.item(start - self.first)) % 2**64

    def squares(self, start: int, stop: int) -> int:
        return sum(x * x for x in self.records[start - self.first : stop - self.first].tolist())


def best_high(kept: int, size: int, added: int, width: int) -> int:
    """How many of the added records are best put at the upper bound, when the others kept have this sum."""
    return min(max(((size + 1) * width - 2 * kept) // (2 * width), 0), added)


def _largest(middle: _Middle, moments: PowerSums, removed: int, added: int) -> Ratio:
    """The largest variance when some records are removed and some added: which window goes, and how many come high.

    More of them high moves the best window up, and a window further up asks for more of them high. Each therefore
    narrows the range of the other, from both ends; what is left between them is tried.
    """
    ends, size, width = moments.count - removed, moments.count - removed + added, moments.width

    def high(i: int) -> int:
        return best_high(moments.total - middle.total(i, i + removed), size, added, width)

    def slide(t: int, start: int, stop: int) -> int:
        """The window that is best to remove if t come high: the first that gains nothing by moving up one place."""
        come = moments.total + t * width

        def settled(i: int) -> bool:
            pair = middle.at(i) + middle.at(i + removed)
            return pair * (size - 1) >= 2 * (come - middle.total(i, i + removed + 1))

        return bisect_left(range(ends), True, start, stop, key=settled)

    stop = min(middle.stop, ends)
    start = min(max(middle.start - removed, 0), stop)
    few, many = high(start), high(stop)
    while few < many and (narrowed := (slide(few, start, stop), slide(many, start, stop))) != (start, stop):
        start, stop = narrowed
        few, many = high(start), high(stop)
    best: Ratio = (0, 1)
    for t in range(few, many + 1):
        i = slide(t, start, stop)
        rest = moments.without(removed, middle.total(i, i + removed), middle.squares(i, i + removed))
        found = rest.joined(added - t, t).variance
        best = found if exceeds(found, best) else best
    return best
