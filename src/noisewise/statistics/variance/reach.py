"""How far edits can move a variance: exactly for a few edits, and from sums of the records alone for many edits.

Exactly, downwards: remove d records from the ends of the sorted column, i of the smallest and d-i of the largest. Add
others at the mean of the rest. There they add nothing to the spread, the sum of squared deviations from the mean:

    swap          lower[l] = W[l] / n
    add/remove    lower[l] = min over d <= l of W[d] / (n + l - 2d)         W[d] = min over i of the spread that is left

Exactly, upwards: remove a window, which is d records next to each other in the sorted column. Add t records at the
upper bound and m-t at the lower bound. For a given (d, m) the best window moves up with t, and the best t moves up with
the window. So the two narrow each other. If records are swapped, d = m = l. If they are added and removed, all
d+m <= l are possible. A choice (d, m) is searched only if the bound by sums says that it could beat what was found.
Windows lie among records near the means that edits can make, so only these records are read.

The bound by sums needs only the count n, the sum S and the sum of squares Q. Records are counted from a bound,
0 <= x <= R. A record is a pair (x, x*x). Let an edit add or remove any pair (v, w) with v*v <= w <= R*v. This allows
more edits, and then sums alone say what edits can do. The best pairs to add lie on the chord w = R*v, the best pairs to
remove take no spread away, and the worst pairs to remove lie at the far bound. If the mean is in the lower half of the
range (otherwise mirror it):

    most(m)  = the spread after m copies of R are added, and once the mean is central, (n+m)*R*R/4 - (S*R - Q)
    least(d) = the spread after d copies of R are removed, as if they had been there; at least 0

    swap          upper[l] = most(l) / n                                lower[l] = least(l) / n
    add/remove    upper[l] = max over d+m = l of most(m) / (n+m-d)      lower[l] = min of least(0)/(n+l), least(l)/(n-l)

As l grows, the best m moves one way only, so a pointer finds all of them. Proof: docs/proofs/variance_reach.md.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from noisewise.kernel.losses import Neighbors
from noisewise.kernel.numbers.arrays import Integers
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.kernel.secret import Secret
from noisewise.statistics.records import Column, Sums

Ratio = tuple[int, int]
"""A numerator and a positive denominator, not reduced."""

CLOSE = 1 + 2.0**-50
"""If two float64 quotients differ by more than this factor, their order is right: each errs by at most 2^-51."""

ROWS = 128
"""This many levels are computed at a time, so that their arrays stay in a core's cache."""


@dataclass(frozen=True, slots=True, repr=False)
class PowerSums(Secret):
    """Count, sum and sum of squares of records that are counted from a bound; ``width`` is R."""

    count: int
    total: int
    squares: int
    width: int

    @classmethod
    def of(cls, column: Column) -> "PowerSums":
        return cls.read(column.sums(squares=True), column.lattice)

    @classmethod
    def read(cls, sums: Sums, lattice: Lattice) -> "PowerSums":
        return cls(sums.count, sums.total, sums.squares, lattice.high - lattice.low)

    def leaning_low(self) -> "PowerSums":
        """The same records, counted from the bound that their mean is nearer to."""
        n, S, Q, R = self.count, self.total, self.squares, self.width
        return self if n * R >= 2 * S else PowerSums(n, n * R - S, Q - 2 * R * S + n * R * R, R)

    def without(self, removed: int, total: int, squares: int) -> "PowerSums":
        """The sums after ``removed`` records are removed that have this sum and this sum of squares."""
        return PowerSums(self.count - removed, self.total - total, self.squares - squares, self.width)

    def joined(self, low: int, high: int) -> "PowerSums":
        """The sums after ``low`` records are added at the lower bound and ``high`` records at the upper bound."""
        R = self.width
        return PowerSums(self.count + low + high, self.total + high * R, self.squares + high * R * R, R)

    @property
    def spread(self) -> Ratio:
        """The sum of squared deviations from the mean."""
        return self.count * self.squares - self.total**2, max(self.count, 1)

    @property
    def variance(self) -> Ratio:
        return self.count * self.squares - self.total**2, max(self.count, 1) ** 2

    def most(self, added: int) -> Ratio:
        """The largest spread that this many added pairs can make, if the mean is in the lower half of the range."""
        n, S, Q, R = self.count, self.total, self.squares, self.width
        if added * R < n * R - 2 * S:
            return (n + added) * (Q + added * R * R) - (S + added * R) ** 2, n + added
        return (n + added) * R * R - 4 * (S * R - Q), 4

    def least(self, removed: int) -> Ratio:
        """The smallest spread that can be left if this many pairs are removed. Some record must be left."""
        R = self.width
        top, bottom = self.without(removed, removed * R, removed * R * R).spread
        return max(top, 0), bottom


def exceeds(one: Ratio, other: Ratio) -> bool:
    return one[0] * other[1] > other[0] * one[1]


def highest(moments: PowerSums, neighbors: Neighbors) -> Ratio:
    """The largest possible variance: half the records at each bound. Under swap, the public n decides it too."""
    n, square = moments.count, moments.width**2
    return (n * n // 4 * square, max(n * n, 1)) if neighbors == "swap" else (square, 4)


def exact_lower(column: Column, moments: PowerSums, levels: int) -> Iterator[Ratio]:
    """The smallest variance after 0, 1, ... edits. The iterator ends before the variance is 0."""
    spreads = _least_spreads(column, moments, min(levels, moments.count - 1))
    if column.neighbors == "swap":
        return ((top, bottom * moments.count) for top, bottom in spreads)
    return _diluted(spreads, moments.count)


def _least_spreads(column: Column, moments: PowerSums, levels: int) -> list[Ratio]:
    """The smallest spread after 0, 1, ..., ``levels`` - 1 records are removed. The list ends before the spread is 0."""
    n, low = moments.count, column.lattice.low
    if levels < 1:
        return []
    small = column.ranks(1, levels + 1) - low
    large = column.ranks(n - levels + 1, n + 1)[::-1] - low
    sums, squares = (
        [[*accumulate((x**power for x in end.tolist()), initial=0)] for end in (small, large)]
        for power in (1, 2)
    )
    least: list[int] = []
    for d, i in _close(small, large, moments):
        spread = (n - d) * (moments.squares - squares[0][i] - squares[1][d - i])
        spread -= (moments.total - sums[0][i] - sums[1][d - i]) ** 2
        if d == len(least):
            least.append(spread)
        least[d] = min(least[d], spread)
    last = least.index(0) if 0 in least else levels
    return [(spread, n - d) for d, spread in enumerate(least[:last])]


def _close(small: Integers, large: Integers, moments: PowerSums) -> Iterator[tuple[int, int]]:
    """All (d, i) that may give the smallest spread if d records are removed, i of them small ones. d rises.

    ``small`` and ``large`` are the records at the two ends of the column, from the end inwards. Float64 excludes what
    cannot be the smallest. Squares are summed around the mean, so the error of each spread is below ``slack``.
    """
    rows, n, centre = small.size, moments.count, moments.total // moments.count
    around = float(moments.squares - 2 * centre * moments.total + n * centre * centre)
    slack = 2.0**-52 * (rows + 16) * around
    ends = small - centre, large - centre
    sums = [_running(end) for end in ends]
    squares = [_running(end.astype(np.float64) ** 2) for end in ends]
    rest, inside = moments.total - n * centre - sums[0], around - squares[0]
    for gone in _some_at_a_time(rows):
        here, smaller = slice(gone[0, 0], gone[-1, 0] + 1), slice(gone[-1, 0] + 1)
        left = (rest[smaller] - _running_rows(sums[1])[here, smaller]).astype(np.float64)
        spread = inside[smaller] - _running_rows(squares[1])[here, smaller] - left * left / (n - gone)
        spread[np.arange(smaller.stop) > gone] = np.inf
        d, i = np.nonzero(spread <= spread.min(axis=1, keepdims=True) + 2 * slack)
        yield from zip((d + here.start).tolist(), i.tolist(), strict=True)


def _running(numbers: NDArray[Any]) -> NDArray[Any]:
    """The sums of the first 0, 1, ..., k - 1 of k numbers."""
    return np.concatenate([numbers[:0].sum(keepdims=True), numbers[:-1].cumsum()])


def _running_rows(numbers: Integers) -> Integers:
    """A row for each number: the number itself, then those before it, from the last to the first, and then zeros."""
    turned = np.concatenate([numbers[::-1], np.zeros_like(numbers[1:])])
    return sliding_window_view(turned, numbers.size)[::-1]


def _diluted(spreads: list[Ratio], count: int) -> Iterator[Ratio]:
    """The least variance after l edits. Any number d of them removes records, and the others add records at the mean.

    Float64 excludes the d that cannot be best. Integers decide among the others.
    """
    floats, best = np.array([top / bottom for top, bottom in spreads]), list[Ratio]()
    for edits in _some_at_a_time(len(spreads)):
        gone = np.arange(edits[-1, 0] + 1)
        about = floats[gone] / np.maximum(count + edits - 2 * gone, 1)
        about[gone > edits] = np.inf
        rows, removed = np.nonzero(about <= about.min(axis=1, keepdims=True) * CLOSE)
        for l, d in zip((rows + edits[0, 0]).tolist(), removed.tolist(), strict=True):
            top, bottom = spreads[d]
            ratio = top, bottom * (count + l - 2 * d)
            if l == len(best):
                best.append(ratio)
            elif exceeds(best[l], ratio):
                best[l] = ratio
    return iter(best)


def _some_at_a_time(rows: int) -> Iterator[Integers]:
    """The numbers 0 to ``rows`` - 1 as columns, `ROWS` numbers at a time."""
    for start in range(0, rows, ROWS):
        yield np.arange(start, min(start + ROWS, rows))[:, np.newaxis]


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
                    break  # the bound falls on both sides of its peak, so nothing further away can be better
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
    """The floors of the smallest and the largest mean that edits can make. With few records, -1 and the width."""
    n, move = moments.count, edits * moments.width
    if n <= 2 * edits:
        return -1, moments.width
    return (moments.total - move) // (n + edits), (moments.total + move) // (n - edits)


class _Middle(NamedTuple):
    """Records from rank ``first`` on, counted from 0. Every window that may be best to remove lies among them.

    The first ``start`` records are below every mean that edits can make. The records from rank ``stop`` on are above
    every such mean. No record is nearer than ``gap`` to such a mean.
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
        """The sum of the records of ranks start..stop-1. Differences of the sums are right even if these overflowed."""
        return (self.sums.item(stop - self.first) - self.sums.item(start - self.first)) % 2**64

    def squares(self, start: int, stop: int) -> int:
        return sum(x * x for x in self.records[start - self.first : stop - self.first].tolist())


def best_high(kept: int, size: int, added: int, width: int) -> int:
    """How many of the ``added`` records should be at the upper bound, if the sum of the kept records is ``kept``."""
    return min(max(((size + 1) * width - 2 * kept) // (2 * width), 0), added)


def _largest(middle: _Middle, moments: PowerSums, removed: int, added: int) -> Ratio:
    """The largest variance if ``removed`` records are removed and ``added`` records are added at the bounds.

    If more of them are added at the upper bound, the best window to remove moves up. If the window moves up, more of
    them should be at the upper bound. So each narrows the range of the other from both ends. The rest is tried.
    """
    ends, size, width = moments.count - removed, moments.count - removed + added, moments.width

    def high(i: int) -> int:
        return best_high(moments.total - middle.total(i, i + removed), size, added, width)

    def slide(t: int, start: int, stop: int) -> int:
        """The best window to remove if t records are added at the upper bound: the first that should not move up."""
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


def upper_bound(moments: PowerSums, levels: int, neighbors: Neighbors) -> Iterator[Ratio]:
    """An upper bound of the variance after 0, 1, ... edits. It ends before the largest possible variance is reached."""
    sums, most, swap = moments.leaning_low(), highest(moments, neighbors), neighbors == "swap"
    best, spread = sums.variance, cache(sums.most)
    for l, added in enumerate(range(levels + 1) if swap else best_added(sums.count, spread, levels)):
        top, bottom = spread(added)
        left = sums.count if swap else sums.count - l + 2 * added
        if left and exceeds((top, bottom * left), best):
            best = top, bottom * left
        if not exceeds(most, best):
            return
        yield best


def lower_bound(moments: PowerSums, levels: int, neighbors: Neighbors) -> Iterator[Ratio]:
    """A lower bound of the variance after 0, 1, ... edits. The iterator ends before the bound is 0."""
    sums, count = moments.leaning_low(), moments.count
    spread, _ = sums.spread
    for l in range(min(levels + 1, count)):
        top, bottom = sums.least(l)
        if top == 0:
            return
        if neighbors == "swap":
            yield top, bottom * count
            continue
        removed, diluted = (top, bottom * (count - l)), (spread, count * (count + l))
        yield diluted if exceeds(removed, diluted) else removed


def best_added(count: int, most: Callable[[int], Ratio], levels: int) -> Iterator[int]:
    """How many of l = 0, 1, ... edits should add a pair to make the variance largest. The other edits remove a pair.

    ``most(m)`` is the largest spread that m added pairs can make. For a fixed l, the variance rises and then falls with
    the number of added pairs. As l grows, its peak moves down.
    """
    added, spread = 0, most(0)
    for l in range(levels + 1):
        least = max(0, (l - count) // 2 + 1)  # somebody must be left
        if added == l - 1 or added < least:
            added = min(l, max(added + 1, least))
            spread = most(added)
        while added > least:
            fewer, left = most(added - 1), count - l + 2 * added
            if spread[0] * fewer[1] * (left - 2) > fewer[0] * spread[1] * left:
                break
            added, spread = added - 1, fewer
        yield added
