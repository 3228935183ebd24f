"""The smallest variance within reach, exactly.

To lower a variance, remove d records from the ends of the sorted column, i of the smallest and d-i of the largest, and
add others at the mean of the rest, where they add nothing to the spread, the sum of squared deviations from the mean:

    swap          lower[l] = W[l] / n
    add/remove    lower[l] = min over d <= l of W[d] / (n + l - 2d)         W[d] = min over i of the spread that is left

Proof: docs/proofs/variance_lower.md.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from itertools import accumulate
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from noisewise.columns.column import Column
from noisewise.statistics.variance_bound import Moments, Ratio, exceeds

Corner = tuple[int, int, int]
"""How many records went, and the spread of the rest as numerator and denominator."""


def exact_lower(column: Column, moments: Moments, levels: int) -> Iterator[Ratio]:
    """The smallest variance after 0, 1, ... edits; ends early where it is 0."""
    spreads = _least_spreads(column, moments, levels)
    if column.neighbors == "swap":
        return ((top, bottom * moments.count) for top, bottom in spreads)
    return _diluted(spreads, moments.count)


class _End(NamedTuple):
    """The records at one end of the sorted column, from the end inwards, and sums of the first 0, 1, ... of them.

    ``breaks`` are the places where a record differs from the one before.
    """

    records: list[int]
    sums: list[int]
    squares: list[int]
    breaks: list[int]

    @classmethod
    def of(cls, records: NDArray[np.int64]) -> "_End":
        end = records.tolist()
        breaks = (np.flatnonzero(np.diff(records)) + 1).tolist()
        return cls(end, [*accumulate(end, initial=0)], [*accumulate((x * x for x in end), initial=0)], breaks)


def _least_spreads(column: Column, moments: Moments, levels: int) -> Iterator[Ratio]:
    """The smallest spread that is left when 0, 1, ... records go; ends where it is 0."""
    n, low, reach = moments.count, column.lattice.low, min(levels, moments.count)
    small = _End.of(column.ranks(1, reach + 1) - low)
    large = _End.of(column.ranks(n - reach + 1, n + 1)[::-1] - low)
    for d in range(min(levels, n - 1)):
        left = n - d
        least = min(
            left * (moments.squares - small.squares[i] - large.squares[d - i])
            - (moments.total - small.sums[i] - large.sums[d - i]) ** 2
            for i in _valleys(small, large, d, moments.total, left)
        )
        if least == 0:
            return
        yield least, left


def _valleys(small: _End, large: _End, d: int, total: int, left: int) -> Iterable[int]:
    """Where the spread may be smallest, as a function of how many of the d removed records are small ones.

    Removing one more small record and one fewer large one is better if the pair sums to less than twice the mean of
    what is kept either way. Both sides rise with i, so the ends of a range of means narrow the range of i, and within
    it only a pair larger than the one before it can turn the spread upwards.
    """

    def pair(i: int) -> int:
        return small.records[i] + large.records[d - 1 - i]

    def turn(i: int) -> int:
        return -(-2 * (total - small.sums[i + 1] - large.sums[d - i]) // (left - 1))

    start, stop = 0, d
    while start < stop:
        narrowed = (
            bisect_left(range(d), turn(start), start, stop, key=pair),
            bisect_left(range(d), turn(stop - 1), start, stop, key=pair),
        )
        if narrowed == (start, stop):
            break
        start, stop = narrowed
    yield start
    if start < stop:
        yield stop
        yield from small.breaks[bisect_right(small.breaks, start) : bisect_left(small.breaks, stop)]
        yield from (
            d - j
            for j in large.breaks[bisect_right(large.breaks, d - stop) : bisect_left(large.breaks, d - start)]
        )


def _diluted(spreads: Iterator[Ratio], count: int) -> Iterator[Ratio]:
    """The least spread over the number of records, when d of l edits remove and the others add at the mean.

    Only the lower convex hull of the spreads over d matters, and the best place on it never moves back.
    """
    hull: list[Corner] = []
    best = 0

    def ratio(place: int) -> Ratio:
        d, spread, kept = hull[place]
        return spread, kept * (count + l - 2 * d)

    for l, (top, bottom) in enumerate(spreads):
        while len(hull) > 1 and not _bends_up(hull[-2], hull[-1], (l, top, bottom)):
            hull.pop()
        hull.append((l, top, bottom))
        best = min(best, len(hull) - 1)
        while best + 1 < len(hull) and not exceeds(ratio(best + 1), ratio(best)):
            best += 1
        yield ratio(best)


def _bends_up(a: Corner, b: Corner, c: Corner) -> bool:
    """Whether the spread falls less from b to c than it did from a to b, per record."""
    first = (b[1] * a[2] - a[1] * b[2]) * c[2] * (c[0] - b[0])
    second = (c[1] * b[2] - b[1] * c[2]) * a[2] * (b[0] - a[0])
    return first < second
