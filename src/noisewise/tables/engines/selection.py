"""Order statistics without sorting or fetching a column. Queries count records in bins, and divide some bins further.

If the lattice is small enough (`HISTOGRAM`), the first query counts the records of every point, and no other query
follows. On a larger lattice it counts the records in 2^16 bins. The next queries divide the bins of the first and of
the last rank of a window, until few other records lie in them. Then one query returns the distinct distances in these
bins, with their counts. They are kept as bins of one distance, so that a known window needs no query. Equal records are
only counted: a million equal records take as little memory as one. Whatever the data, the result is that of sorting.

If the data change between two queries, a window still has as many distances as ranks. These distances mean nothing
then, but an error would depend on records.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from noisewise.kernel.numbers.arrays import Integers
from noisewise.kernel.secret import Secret
from noisewise.statistics.records import Sums

Counted = tuple[Integers, Integers]
Ranges = list[tuple[int, int]]
"""Ranges of distances, each as its first and its last distance. Both are included."""
Window = tuple[int, int]
"""The ranks from the first number on, below the second number. Ranks are counted from 1."""

HISTOGRAM = 1 << 20
"""If the lattices of all groups together have at most this many points, one query counts the records at every point."""

ALONE = 3
"""A single lattice may have HISTOGRAM / 2^ALONE points: on 10^6 points a median takes half as long by bins."""

FIRST_BITS = 16
"""On larger lattices the first query counts records in 2^FIRST_BITS bins. With many groups, each has fewer bins."""

BITS = 14
"""A later query divides a bin into at most 2^BITS bins, and all bins together into about 2^MOST_BITS."""

MOST_BITS = 20

SPARE = 200_000
"""All windows together may fetch ten times this number of distinct distances that were not wanted."""

FEWEST_SHARES = 4
"""The windows share those distances. Each window gets at most one of FEWEST_SHARES parts: half a million distances."""

RANGES = 64
"""The most ranges that one query reads. More ranges need several queries."""


def first_shift(width: int, groups: int = 1) -> int:
    """The first query counts the distances 0..width in bins of 2^shift: return the shift. All of it is public."""
    if groups * (width + 1) <= (HISTOGRAM if groups > 1 else HISTOGRAM >> ALONE):
        return 0
    bits = min(max(MOST_BITS - groups.bit_length(), 0), FIRST_BITS) if groups > 1 else FIRST_BITS
    return max(width.bit_length() - bits, 0)


@dataclass(frozen=True, repr=False)
class RankBins(Secret):
    """The bins that are not empty, in rising order.

    Bin i begins at distance ``starts[i]``, is 2^``shifts[i]`` distances wide and holds ``counts[i]`` records.
    """

    starts: Integers
    shifts: Integers
    counts: Integers

    @classmethod
    def of(cls, counted: Counted, shift: int) -> "RankBins":
        """Make bins of 2^shift distances from their numbers and counts, which may be in any order."""
        bins, counts = counted
        order = np.argsort(bins)
        return cls(bins[order] << shift, np.full(bins.size, shift), counts[order])

    @cached_property
    def last_ranks(self) -> Integers:
        return np.cumsum(self.counts)

    def finer(self, coarse: Integers, parts: "RankBins") -> "RankBins":
        """The same bins, but the bins at the indices ``coarse`` are replaced by ``parts``."""
        kept = np.ones(self.counts.size, np.bool_)
        kept[coarse] = False
        starts = np.append(self.starts[kept], parts.starts)
        order = np.argsort(starts, kind="stable")
        shifts = np.append(self.shifts[kept], parts.shifts)
        counts = np.append(self.counts[kept], parts.counts)
        return RankBins(starts[order], shifts[order], counts[order])

    def around(self, start: int, stop: int) -> tuple[int, int]:
        """The indices of the bins that hold the ranks ``start`` and ``stop - 1``."""
        first, last = np.minimum(np.searchsorted(self.last_ranks, [start, stop - 1]), self.counts.size - 1)
        return int(first), int(last)


class Selection(Secret):
    """Order statistics of a column of distances 0..width. Queries count the distances in bins, and divide these bins.

    ``count(shift, ranges)`` runs a query. It counts the distances of some ranges in bins of 2^shift distances, and
    leaves out empty bins.
    """

    def __init__(self, width: int, bins: RankBins, count: Callable[[int, Ranges], Counted]) -> None:
        self._count = count
        self.size = int(bins.counts.sum())
        end = RankBins(np.array([width]), np.array([0]), np.array([0]))  # a search always finds some bin
        self._bins = bins.finer(np.empty(0, np.int64), end)

    @classmethod
    def counted(cls, width: int, count: Callable[[int, Ranges], Counted]) -> "Selection":
        """Run the first query, and begin with its bins."""
        shift = first_shift(width)
        return cls(width, RankBins.of(count(shift, [(0, width)]), shift), count)

    def ranks(self, windows: list[Window]) -> list[Integers]:
        """The distances of the ranks of each window, in rising order."""
        self.gather(windows)
        return [self._window(start, stop) for start, stop in windows]

    def gather(self, windows: list[Window]) -> None:
        """Fetch the distances of several windows together. Later calls for one of these windows run no query."""
        not_empty = [window for window in windows if window[0] < window[1]]
        while (coarse := self._too_coarse(not_empty)).size:
            self._refine(coarse)
        if ranges := self._ranges(not_empty):
            bins = self._bins
            inside = [np.arange(*np.searchsorted(bins.starts, [low, high + 1])) for low, high in ranges]
            known = np.concatenate(inside)
            self._bins = bins.finer(known[bins.counts[known] > 0], self._counted(0, ranges))

    def tally(self, start: int, stop: int) -> tuple[int, Integers, Integers]:
        """How many records lie below a window that is not empty, its distinct distances, and the count of each.

        Records outside the window that have the same distances are counted too."""
        self.gather([(start, stop)])
        bins = self._bins
        first, last = bins.around(start, stop)
        before = int(bins.last_ranks[first] - bins.counts[first])
        distances, counts = bins.starts[first : last + 1], bins.counts[first : last + 1].copy()
        wanted = stop - 1 - before - int(counts[:-1].sum())
        counts[-1] = max(int(counts[-1]), wanted)  # in place of ranks that no longer exist
        present = counts > 0
        return before, distances[present], counts[present]

    def upto(self, distance: int) -> int:
        """How many records have at most this distance."""
        while True:
            bins = self._bins
            index = int(np.searchsorted(bins.starts, distance, side="right")) - 1
            if index < 0:
                return 0
            if distance >= _span(bins, index)[1]:
                return int(bins.last_ranks[index])
            self._refine(np.array([index]))

    def below(self, distance: int, *, squares: bool) -> Sums:
        """Exact sums over the records up to a distance. Every bin must be one distance wide."""
        bins = self._bins
        known = np.searchsorted(bins.starts, distance, side="right")
        distances, counts = (each[:known].astype(object) for each in (bins.starts, bins.counts))
        return Sums(
            int(counts.sum()), int(distances @ counts), int(distances * distances @ counts) if squares else 0
        )

    def _too_coarse(self, windows: list[Window]) -> Integers:
        """The indices of the bins to divide next: the widest that may hold too many unwanted records."""
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
        """Divide some bins, which have the same width."""
        bins = self._bins
        parts = min(BITS, max(MOST_BITS - coarse.size.bit_length(), 1))
        shift = max(int(bins.shifts[coarse[0]]) - parts, 0)
        ranges = [_span(bins, edge) for edge in coarse.tolist()]
        self._bins = bins.finer(coarse, self._counted(shift, ranges))

    def _counted(self, shift: int, ranges: Ranges) -> RankBins:
        """Count the records in bins of some ranges that do not overlap. One query counts up to `RANGES` ranges."""
        passes = [self._count(shift, ranges[at : at + RANGES]) for at in range(0, len(ranges), RANGES)]
        bins, counts = (np.concatenate(pieces) for pieces in zip(*passes, strict=True))
        return RankBins.of((bins, counts), shift)

    def _ranges(self, windows: list[Window]) -> Ranges:
        """The ranges of distances that must be fetched for some windows. They do not overlap.

        If one query cannot read so many, ranges that lie close together are joined.
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
