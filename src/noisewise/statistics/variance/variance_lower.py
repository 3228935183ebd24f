"""The smallest variance within reach, exactly.

To lower a variance, remove d records from the ends of the sorted column, i of the smallest and d-i of the largest, and
add others at the mean of the rest, where they add nothing to the spread, the sum of squared deviations from the mean:

    swap          lower[l] = W[l] / n
    add/remove    lower[l] = min over d <= l of W[d] / (n + l - 2d)         W[d] = min over i of the spread that is left

Proof: docs/proofs/variance_lower.md.
"""

from collections.abc import Iterator
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from noisewise.kernel.numbers.arrays import Integers
from noisewise.statistics.records import Column
from noisewise.statistics.variance.variance_bound import PowerSums, Ratio, exceeds

CLOSE = 1 + 2.0**-50
"""Quotients of float64 further apart than this are in the order of their ratios: each is within 2^-51 of its own."""

ROWS = 128
"""How many levels are worked out at a time; what is made of them stays in a core's cache."""


def exact_lower(column: Column, moments: PowerSums, levels: int) -> Iterator[Ratio]:
    """The smallest variance after 0, 1, ... edits; ends early where it is 0."""
    spreads = _least_spreads(column, moments, min(levels, moments.count - 1))
    if column.neighbors == "swap":
        return ((top, bottom * moments.count) for top, bottom in spreads)
    return _diluted(spreads, moments.count)


def _least_spreads(column: Column, moments: PowerSums, levels: int) -> list[Ratio]:
    """The smallest spread that is left when 0, 1, ... records go, fewer than there are; ends where it is 0."""
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
    """How many records go, d, and how many of them are small ones, i, where the spread may be smallest; d rises.

    ``small`` and ``large`` are the records at the two ends of the column, from the end inwards. Float64 sets aside what
    cannot be the smallest: with squares summed around the mean, each spread is off by less than ``slack``.
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
        left = (rest[smaller] - _falling(sums[1])[here, smaller]).astype(np.float64)
        spread = inside[smaller] - _falling(squares[1])[here, smaller] - left * left / (n - gone)
        spread[np.arange(smaller.stop) > gone] = np.inf
        d, i = np.nonzero(spread <= spread.min(axis=1, keepdims=True) + 2 * slack)
        yield from zip((d + here.start).tolist(), i.tolist(), strict=True)


def _running(numbers: NDArray[Any]) -> NDArray[Any]:
    """The sums of the first 0, 1, ... of them, but for all."""
    return np.concatenate([numbers[:0].sum(keepdims=True), numbers[:-1].cumsum()])


def _falling(numbers: Integers) -> Integers:
    """A row d for each number: the d-th and those before it, from the last to the first, and then zeros."""
    turned = np.concatenate([numbers[::-1], np.zeros_like(numbers[1:])])
    return sliding_window_view(turned, numbers.size)[::-1]


def _diluted(spreads: list[Ratio], count: int) -> Iterator[Ratio]:
    """The least spread over the number of records, when d of l edits remove and the others add at the mean.

    Float64 sets aside what cannot be the least; integers decide among the others.
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
    """0, 1, ... as columns of so many rows."""
    for start in range(0, rows, ROWS):
        yield np.arange(start, min(start + ROWS, rows))[:, np.newaxis]
