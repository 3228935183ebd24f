"""Exact sums of runs: sorted records of many groups behind each other, each group up to a record of its own.

Sums are differences of running sums modulo 2^64 over all groups, which are exact as long as the sum of one group is
below 2^63. So records are cut into limbs of 18 bits, like `sums`: 2^45 records, or 2^27 of their squares, fit.
"""

import numpy as np

from noisewise.columns.column import Sums
from noisewise.numbers.arrays import Integers

LIMB = 18


def sums_below(
    indices: Integers, offsets: Integers, limits: Integers, low: int, *, squares: bool = False
) -> list[Sums]:
    """Over each run's records at or below its limit: how many, and exact sums, counted from ``low``."""
    stops = places_below(indices, offsets, limits)
    steps = indices - low
    bits = int(steps.max()).bit_length() if steps.size else 1
    shifts = range(0, max(bits, 1), LIMB)
    limbs = [(steps >> shift) & ((1 << LIMB) - 1) for shift in shifts]
    starts = offsets[:-1]

    def told(numbers: Integers) -> list[int]:
        running = np.concatenate([[0], np.cumsum(numbers)])
        found: list[int] = (running[stops] - running[starts]).tolist()
        return found

    def weighed(parts: list[tuple[Integers, int]]) -> list[int]:
        lists = [(told(numbers), shift) for numbers, shift in parts]
        return [
            sum(part << shift for part, (_, shift) in zip(row, lists, strict=True))
            for row in zip(*(found for found, _ in lists), strict=True)
        ]

    totals = weighed(list(zip(limbs, shifts, strict=True)))
    square = [0] * len(totals)
    if squares:
        pairs = [(i, j) for i in range(len(limbs)) for j in range(i, len(limbs))]
        square = weighed([(limbs[i] * limbs[j], shifts[i] + shifts[j] + (i < j)) for i, j in pairs])
    return [*map(Sums, (stops - starts).tolist(), totals, square)]


def places_below(indices: Integers, offsets: Integers, limits: Integers) -> Integers:
    """Where in each sorted run the records above its limit begin: all runs are bisected at once."""
    first, last = offsets[:-1].copy(), offsets[1:].copy()
    while (open_ := first < last).any():
        middle = (first + last) // 2
        inside = open_ & (indices[np.minimum(middle, indices.size - 1)] <= limits)
        last = np.where(open_ & ~inside, middle, last)
        first = np.where(inside, middle + 1, first)
    return first
