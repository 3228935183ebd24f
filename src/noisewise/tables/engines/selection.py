"""Order statistics without sorting or fetching a column: count in bins, look closer where the ranks are.

A pass over the data counts how many distances fall into each of a few thousand bins. The bins in which the first and
the last rank of a window lie are divided in the next pass, until little else lies between them; then the distinct
distances there are fetched, each with its count. Ties are only ever counted: a column where one value holds everything
takes as little memory as any other. Whatever the data, the result is that of sorting.

Should the data change between two passes, a window still has as many distances as it has ranks, of no meaning then: an
error would depend on records.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from noisewise.numbers.arrays import Integers
from noisewise.secret import Secret

Counted = tuple[Integers, Integers]
Ranges = list[tuple[int, int]]
"""Distances from the first to the last one, both included."""

BITS = 14
"""A pass divides a bin into at most 2^BITS."""

SPARE = 200_000
"""So many distinct distances besides the wanted ones may be fetched."""


@dataclass(frozen=True, slots=True, repr=False)
class Bins(Secret):
    """Bins that are not empty, rising: counts[i] distances lie from starts[i] up to 2^shifts[i] above it, exclusive."""

    starts: Integers
    shifts: Integers
    counts: Integers

    @classmethod
    def of(cls, counted: Counted, shift: int) -> "Bins":
        """From the numbers of bins that are 2^shift distances wide, and their counts, in any order."""
        bins, counts = counted
        order = np.argsort(bins)
        return cls(bins[order] << shift, np.full(bins.size, shift), counts[order])

    @property
    def last_ranks(self) -> Integers:
        return np.cumsum(self.counts)

    def finer(self, coarse: Integers, parts: "Bins") -> "Bins":
        """With some bins replaced by their parts."""
        kept = np.ones(self.counts.size, np.bool_)
        kept[coarse] = False
        starts = np.append(self.starts[kept], parts.starts)
        order = np.argsort(starts)
        shifts = np.append(self.shifts[kept], parts.shifts)
        counts = np.append(self.counts[kept], parts.counts)
        return Bins(starts[order], shifts[order], counts[order])

    def around(self, start: int, stop: int) -> tuple[int, int]:
        """The bins of a window's first and last rank."""
        first, last = np.minimum(np.searchsorted(self.last_ranks, [start, stop - 1]), self.counts.size - 1)
        return int(first), int(last)


class Selection(Secret):
    """Order statistics of distances 0..width.

    ``count(shift, ranges)`` is a pass over the data: how many distances of the ranges there are in each bin, distances
    shifted down by ``shift`` bits; bins without any are left out.
    """

    def __init__(self, width: int, count: Callable[[int, Ranges], Counted]) -> None:
        self._count = count
        shift = max(width.bit_length() - BITS, 0)
        bins = Bins.of(count(shift, [(0, width)]), shift)
        end = Bins(np.array([width]), np.array([0]), np.array([0]))  # there is always a bin to find
        self._bins = bins.finer(np.empty(0, np.int64), end)

    @property
    def size(self) -> int:
        return int(self._bins.counts.sum())

    def ranks(self, windows: list[tuple[int, int]]) -> list[Integers]:
        """For each window (start, stop), the distances of ranks start..stop-1, counted from 1, rising."""
        not_empty = [window for window in windows if window[0] < window[1]]
        while (coarse := self._too_coarse(not_empty)).size:
            self._refine(coarse)
        ranges = self._ranges(not_empty)
        fetched = Bins.of(self._count(0, ranges), 0) if ranges else None
        return [self._window(start, stop, fetched) for start, stop in windows]

    def _too_coarse(self, windows: list[tuple[int, int]]) -> Integers:
        """The widest of the bins that must be divided, because they may hold too much besides the wanted ranks."""
        bins, coarse = self._bins, set[int]()
        ranks = bins.last_ranks
        for start, stop in windows:
            first, last = bins.around(start, stop)
            rows = int(ranks[last] - ranks[first] + bins.counts[first]) - (stop - start)
            distances = sum(1 << int(bins.shifts[edge]) for edge in {first, last} if bins.shifts[edge])
            if min(rows, distances) > SPARE:
                coarse |= {edge for edge in (first, last) if bins.shifts[edge]}
        if not coarse:
            return np.empty(0, np.int64)
        edges: Integers = np.array(sorted(coarse))
        widest: Integers = edges[bins.shifts[edges] == bins.shifts[edges].max()]
        return widest

    def _refine(self, coarse: Integers) -> None:
        bins = self._bins
        shift = max(int(bins.shifts[coarse[0]]) - BITS, 0)
        ranges = [_span(bins, edge) for edge in coarse.tolist()]
        self._bins = bins.finer(coarse, Bins.of(self._count(shift, ranges), shift))

    def _ranges(self, windows: list[tuple[int, int]]) -> Ranges:
        """Where distances must be fetched, in ranges that do not overlap: bins of one distance are known already."""
        bins, spans = self._bins, []
        for start, stop in windows:
            first, last = bins.around(start, stop)
            if bins.shifts[first : last + 1].any():
                spans.append((_span(bins, first)[0], _span(bins, last)[1]))
        apart: Ranges = []
        for low, high in sorted(spans):
            if apart and low <= apart[-1][1]:
                apart[-1] = (apart[-1][0], max(high, apart[-1][1]))
            else:
                apart.append((low, high))
        return apart

    def _window(self, start: int, stop: int, fetched: Bins | None) -> Integers:
        if start >= stop:
            return np.empty(0, np.int64)
        bins = self._bins
        first, last = bins.around(start, stop)
        before = int(bins.last_ranks[first] - bins.counts[first])
        low, high = _span(bins, first)[0], _span(bins, last)[1]
        values, counts = bins.starts[first : last + 1], bins.counts[first : last + 1]
        if bins.shifts[first : last + 1].any():
            assert fetched is not None
            inside = slice(*np.searchsorted(fetched.starts, [low, high + 1]))
            values, counts = fetched.starts[inside], fetched.counts[inside]
        values, counts = np.append(values, high), np.append(counts, stop)  # for ranks that are gone
        ends = np.clip(np.cumsum(counts), start - 1 - before, stop - 1 - before)
        return np.repeat(values, np.diff(ends, prepend=start - 1 - before))


def _span(bins: Bins, index: int) -> tuple[int, int]:
    """The first and the last distance of a bin."""
    start = int(bins.starts[index])
    return start, start + (1 << int(bins.shifts[index])) - 1
