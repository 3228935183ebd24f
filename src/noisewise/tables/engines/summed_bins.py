"""Bins with exact sums: counts and sums of a column below any place that matters, without fetching it.

A pass adds up the records in each of a few thousand bins. Whoever reads them says in which ranges single records
matter. The bins in these ranges are divided in the next pass, by which the ranges become narrower, until little is left
in them; then their distinct distances are fetched, each with its count. Everywhere else a count and a sum are enough.
"""

from collections.abc import Callable

import numpy as np

from noisewise.kernel.numbers.arrays import Booleans, Integers, LargeIntegers
from noisewise.statistics.records import SummedBins
from noisewise.tables.engines import selection
from noisewise.tables.engines.selection import MOST_BITS, RANGES, Ranges

Summed = tuple[Integers, Integers, LargeIntegers]
Add = Callable[[int, Ranges], Summed]
"""A pass: how many distances of the ranges are in each bin, distances shifted down by so many bits, and their sum. Bins
without any are left out."""


def closer(width: int, add: Add, look: Callable[[SummedBins], Ranges]) -> SummedBins:
    """Bins of distances 0..width that become finer until all bins in the ranges of ``look`` have one distance."""
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
    """With some bins replaced by parts that are 2^shift wide."""
    begins = np.flatnonzero(within & ~np.append(False, within[:-1]))  # of bins that follow each other
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
    """Which bins of several distances lie in one of the ranges; up to the last distance of a bin all is known."""
    found = np.zeros(bins.firsts.size, np.bool_)
    for low, high in ranges:
        found |= (bins.firsts <= high) & (bins.lasts > low)
    return found & (bins.firsts < bins.lasts)
