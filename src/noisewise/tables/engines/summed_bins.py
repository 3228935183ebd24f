"""Bins with counts and exact sums, for a statistic that need not fetch its whole column.

A query adds up the records in each of a few thousand bins. The statistic then says in which ranges it needs single
records. The next query divides the bins in these ranges, and so on, until few records are left in them. Then the
distinct distances in these bins are fetched, with their counts. Elsewhere a count and a sum of each bin are enough.
"""

from collections.abc import Callable

import numpy as np

from noisewise.kernel.numbers.arrays import Booleans, Integers, LargeIntegers
from noisewise.statistics.records import SummedBins
from noisewise.tables.engines import selection
from noisewise.tables.engines.selection import MOST_BITS, RANGES, Ranges

Summed = tuple[Integers, Integers, LargeIntegers]
Add = Callable[[int, Ranges], Summed]
"""Runs a query: it counts and adds up the distances of some ranges in bins of 2^shift distances. Empty bins are left
out."""


def closer(width: int, add: Add, look: Callable[[SummedBins], Ranges]) -> SummedBins:
    """Divide bins of distances 0..width until every bin in the ranges that ``look`` returns is one distance wide."""
    shift = max(width.bit_length() - selection.BITS, 0)
    bins = _bins(add(shift, [(0, width)]), shift)
    while (within := _coarse(bins, look(bins))).any():
        widths = bins.lasts - bins.firsts + 1
        shift = 0
        if min(int(bins.counts[within].sum()), int(widths[within].sum())) > selection.SPARE:
            within &= widths == widths[within].max()
            parts = min(selection.BITS, max(MOST_BITS - int(within.sum()).bit_length(), 1))
            shift = max(int(widths[within][0]).bit_length() - 1 - parts, 0)
        bins = _divided(bins, within, shift, add)
    return bins


def _divided(bins: SummedBins, within: Booleans, shift: int, add: Add) -> SummedBins:
    """The same bins, but those marked by ``within`` are divided into bins of 2^shift distances."""
    begins = np.flatnonzero(within & ~np.append(False, within[:-1]))  # of runs of marked bins
    ends = np.flatnonzero(within & ~np.append(within[1:], False))
    ranges = list(zip(bins.firsts[begins].tolist(), bins.lasts[ends].tolist(), strict=True))
    passes = [add(shift, ranges[at : at + RANGES]) for at in range(0, len(ranges), RANGES)]
    pieces = [bins.chosen(~within), *(_bins(summed, shift) for summed in passes)]
    together = SummedBins(
        np.concatenate([each.firsts for each in pieces]),
        np.concatenate([each.lasts for each in pieces]),
        np.concatenate([each.counts for each in pieces]),
        np.concatenate([each.sums for each in pieces]),
    )
    return together.chosen(np.argsort(together.firsts))


def _bins(summed: Summed, shift: int) -> SummedBins:
    numbers, counts, sums = summed
    firsts = numbers << shift
    return SummedBins(firsts, firsts + (1 << shift) - 1, counts, sums).chosen(np.argsort(numbers))


def _coarse(bins: SummedBins, ranges: Ranges) -> Booleans:
    """Which bins must be divided: they are wider than one distance, and one of the ranges lies in part inside them.

    A range that begins at the last distance of a bin does not count, since sums up to there are known.
    """
    inside = np.zeros(bins.firsts.size, np.bool_)
    for low, high in ranges:
        inside |= (bins.firsts <= high) & (bins.lasts > low)
    return inside & (bins.firsts < bins.lasts)
