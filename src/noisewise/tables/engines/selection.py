"""Order statistics without sorting or fetching a column: count in bins, look closer where the ranks are.

A pass over the data counts how many distances fall into each of many thousand bins. The bins in which the first and
the last rank of a window lie are divided in the next pass, until little else lies between them; then the distinct
distances there are fetched, each with its count, and kept as bins of one distance: a window that is known already takes
no pass. Ties are only ever counted: a column where one value holds everything takes as little memory as any other.
Whatever the data, the result is that of sorting.

Should the data change between two passes, a window still has as many distances as it has ranks, of no meaning then: an
error would depend on records.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from noisewise.kernel.numbers.arrays import Integers
from noisewise.kernel.secret import Secret

Counted = tuple[Integers, Integers]
Ranges = list[tuple[int, int]]
"""Distances from the first to the last one, both included."""
Window = tuple[int, int]
"""Ranks from the first to the last one, the last not included, counted from 1."""

BITS = 14
"""A pass divides a bin into at most 2^BITS, and all bins together into about 2^MOST_BITS."""

MOST_BITS = 20

MORE_BITS = 2
"""The first pass, which is over everything, has so many more: it often saves one."""

SPARE = 200_000
"""Ten times so many distinct distances besides the wanted ones may be fetched for all windows together."""

FEWEST_SHARES = 4
"""They are divided among at least so many windows: one by itself may have a quarter of them, half a million."""

RANGES = 64
"""One query looks at so many ranges; more take several queries."""


@dataclass(frozen=True, repr=False)
class RankBins(Secret):
    """Bins that are not empty, rising: counts[i] distances lie from starts[i] up to 2^shifts[i] above it, exclusive."""

    starts: Integers
    shifts: Integers
    counts: Integers

    @classmethod
    def of(cls, counted: Counted, shift: int) -> "RankBins":
        """From the numbers of bins that are 2^shift distances wide, and their counts, in any order."""
        bins, counts = counted
        order = np.argsort(bins)
        return cls(bins[order] << shift, np.full(bins.size, shift), counts[order])

    @cached_property
    def last_ranks(self) -> Integers:
        return np.cumsum(self.counts)

    def finer(self, coarse: Integers, parts: "RankBins") -> "RankBins":
        """With some bins replaced by their parts."""
        kept = np.ones(self.counts.size, np.bool_)
        kept[coarse] = False
        starts = np.append(self.starts[kept], parts.starts)
        order = np.argsort(starts, kind="stable")
        shifts = np.append(self.shifts[kept], parts.shifts)
        counts = np.append(self.counts[kept], parts.counts)
        return RankBins(starts[order], shifts[order], counts[order])

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
        shift = max(width.bit_length() - BITS - MORE_BITS, 0)
        bins = RankBins.of(count(shift, [(0, width)]), shift)
        self.size = int(bins.counts.sum())
        end = RankBins(np.array([width]), np.array([0]), np.array([0]))  # there is always a bin to find
        self._bins = bins.finer(np.empty(0, np.int64), end)

    def ranks(self, windows: list[Window]) -> list[Integers]:
        """For each window, the distances of its ranks, rising."""
        self.gather(windows)
        return [self._window(start, stop) for start, stop in windows]

    def gather(self, windows: list[Window]) -> None:
        """Fetch the distances of all these windows at once; asking for one of them is no pass from then on."""
        not_empty = [window for window in windows if window[0] < window[1]]
        while (coarse := self._too_coarse(not_empty)).size:
            self._refine(coarse)
        if ranges := self._ranges(not_empty):
            bins = self._bins
            inside = [np.arange(*np.searchsorted(bins.starts, [low, high + 1])) for low, high in ranges]
            known = np.concatenate(inside)
            self._bins = bins.finer(known[bins.counts[known] > 0], self._counted(0, ranges))

    def tally(self, start: int, stop: int) -> tuple[int, Integers, Integers]:
        """The distinct distances of a window that is not empty, rising, and how many records have each, whether their
        ranks are in the window or not; before these, how many records lie below them all."""
        self.gather([(start, stop)])
        bins = self._bins
        first, last = bins.around(start, stop)
        before = int(bins.last_ranks[first] - bins.counts[first])
        distances, counts = bins.starts[first : last + 1], bins.counts[first : last + 1].copy()
        wanted = stop - 1 - before - int(counts[:-1].sum())
        counts[-1] = max(int(counts[-1]), wanted)  # for ranks that are gone
        present = counts > 0
        return before, distances[present], counts[present]

    def upto(self, distance: int) -> int:
        """How many records have a distance of at most this."""
        while True:
            bins = self._bins
            index = int(np.searchsorted(bins.starts, distance, side="right")) - 1
            if index < 0:
                return 0
            if distance >= _span(bins, index)[1]:
                return int(bins.last_ranks[index])
            self._refine(np.array([index]))

    def _too_coarse(self, windows: list[Window]) -> Integers:
        """The widest of the bins that must be divided, because they may hold too much besides the wanted ranks."""
        bins, coarse = self._bins, set[int]()
        ranks, spare = bins.last_ranks, 10 * SPARE // max(len(windows), FEWEST_SHARES)
        for start, stop in windows:
            first, last = bins.around(start, stop)
            rows = int(ranks[last] - ranks[first] + bins.counts[first]) - (stop - start)
            distances = sum(1 << int(bins.shifts[edge]) for edge in {first, last} if bins.shifts[edge])
            if min(rows, distances) > spare:
                coarse |= {edge for edge in (first, last) if bins.shifts[edge]}
        if not coarse:
            return np.empty(0, np.int64)
        edges: Integers = np.array(sorted(coarse))
        widest: Integers = edges[bins.shifts[edges] == bins.shifts[edges].max()]
        return widest

    def _refine(self, coarse: Integers) -> None:
        """Divide bins of one width."""
        bins = self._bins
        parts = min(BITS, max(MOST_BITS - coarse.size.bit_length(), 1))
        shift = max(int(bins.shifts[coarse[0]]) - parts, 0)
        ranges = [_span(bins, edge) for edge in coarse.tolist()]
        self._bins = bins.finer(coarse, self._counted(shift, ranges))

    def _counted(self, shift: int, ranges: Ranges) -> RankBins:
        """The bins of some ranges that do not overlap: one pass, or a few where there are many ranges."""
        passes = [self._count(shift, ranges[at : at + RANGES]) for at in range(0, len(ranges), RANGES)]
        bins, counts = (np.concatenate(pieces) for pieces in zip(*passes, strict=True))
        return RankBins.of((bins, counts), shift)

    def _ranges(self, windows: list[Window]) -> Ranges:
        """Where distances must be fetched, in ranges that do not overlap: bins of one distance are known already.

        Ranges that lie close together become one where there are more than a query takes.
        """
        bins, spans = self._bins, []
        for start, stop in windows:
            first, last = bins.around(start, stop)
            if bins.shifts[first : last + 1].any():
                spans.append((_span(bins, first)[0], _span(bins, last)[1]))
        apart: Ranges = []
        gap = SPARE // len(spans) if len(spans) > RANGES else 0
        for low, high in sorted(spans):
            if apart and low <= apart[-1][1] + gap:
                apart[-1] = (apart[-1][0], max(high, apart[-1][1]))
            else:
                apart.append((low, high))
        return apart

    def _window(self, start: int, stop: int) -> Integers:
        if start >= stop:
            return np.empty(0, np.int64)
        before, distances, counts = self.tally(start, stop)
        ends = np.clip(np.cumsum(counts), start - 1 - before, stop - 1 - before)
        return np.repeat(distances, np.diff(ends, prepend=start - 1 - before))


def _span(bins: RankBins, index: int) -> tuple[int, int]:
    """The first and the last distance of a bin."""
    start = int(bins.starts[index])
    return start, start + (1 << int(bins.shifts[index])) - 1
