"""Exact sums of lattice indices, at the speed of float64 and int64.

Indices are counted from the lattice's low end, so they are non-negative integers up to 2^52. Numbers too large to be
added or squared without rounding are split into limbs of 18 bits.

**A column, block by block.** Float64 adds and multiplies integers exactly if no result is above 2^53. So products of
limbs, which have 36 bits, add up exactly over a block of 2^16. The sums of blocks are added as Python integers.

Integers on a lattice of integers are added as they are, in 64 bits.

**Runs.** The records of many groups, one sorted group after the other. Each group is added up to a limit of its own. A
sum is the difference of two running sums over all groups, modulo 2^64. It is exact if the sum of the group is below
2^63, as it is for 2^45 limbs of records or 2^27 limbs of squares.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noisewise.kernel.numbers.arrays import Integers
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.statistics.records import Sums

LIMB = 18
LARGEST_BLOCK = 1 << 16
EXACT = 1 << 53


def block_sum(indices: NDArray[np.float64], most: int) -> int | None:
    """The sum of a block of integers from 0 to ``most``; None if one of them is NaN."""
    total = float(np.add.reduce(indices))
    if total != total:
        return None
    if most * indices.size < EXACT:
        return int(total)
    return sum(int(np.sum(limb)) << shift for limb, shift in _limbs(indices, most))


@dataclass(frozen=True, slots=True)
class WholeNumbers:
    """A type of integers. The index of a record is ``steps`` times the record, after it is clamped to the ends."""

    ends: tuple[int, int]
    steps: int

    @classmethod
    def of(cls, kind: np.dtype[Any], lattice: Lattice) -> "WholeNumbers | None":
        """None if the records, the bounds or the lattice steps per integer are not integers, or a sum may exceed 64
        bits."""
        steps = lattice.granularity.denominator
        if (
            kind.kind not in "iu"
            or lattice.granularity.numerator > 1
            or lattice.low % steps
            or lattice.high % steps
        ):
            return None
        low, high, held = lattice.low // steps, lattice.high // steps, np.iinfo(kind)
        ends = max(low, int(held.min)), min(high, int(held.max))
        fits = max(abs(low), abs(high)) * LARGEST_BLOCK < 1 << 63
        return cls(ends, steps) if fits and ends[0] <= ends[1] else None

    def sum(self, numbers: NDArray[Any]) -> int:
        """The sum of the indices of a block of integers. Float64 could round only integers beyond the ends, which are
        clamped.

        If no integer is beyond the ends, looking for one is faster than clamping.
        """
        low, high = self.ends
        if numbers.size and (numbers.min() < low or numbers.max() > high):
            numbers = numbers.clip(low, high)
        return self.steps * int(np.add.reduce(numbers, dtype=np.int64))


def block_squares(indices: NDArray[np.float64], most: int) -> int:
    """The sum of the squares of a block of integers from 0 to ``most``."""
    limbs = _limbs(indices, most)
    return sum(
        int(np.einsum("i,i->", a, b)) << (s + t) for a, s in limbs for b, t in limbs
    )  # @ would start threads


def _limbs(indices: NDArray[np.float64], most: int) -> list[tuple[NDArray[np.float64], int]]:
    """The integers as sums of limbs below 2^18, each with its shift."""
    assert indices.size <= LARGEST_BLOCK
    limbs, rest, shift = [], indices, 0
    while most >> shift >= 1 << LIMB:
        higher = np.floor(rest * 2.0**-LIMB)
        limbs.append((rest - higher * 2.0**LIMB, shift))
        rest, shift = higher, shift + LIMB
    return [*limbs, (rest, shift)]


def sums_below(
    indices: Integers, offsets: Integers, limits: Integers, low: int, *, squares: bool = False
) -> list[Sums]:
    """The number and the exact sums of the records of each run up to its limit. Indices are counted from ``low``."""
    stops = stops_below(indices, offsets, limits)
    steps = indices - low
    bits = int(steps.max()).bit_length() if steps.size else 1
    shifts = range(0, max(bits, 1), LIMB)
    limbs = [(steps >> shift) & ((1 << LIMB) - 1) for shift in shifts]
    starts = offsets[:-1]

    def of_runs(parts: list[tuple[Integers, int]]) -> list[int]:
        """The sum of each run. A number is the sum of its parts, each shifted by the bits that are given with it."""
        sums = np.zeros(stops.size, object)
        for numbers, shift in parts:
            running = np.concatenate([[0], np.cumsum(numbers)])
            sums += (running[stops] - running[starts]).astype(object) << shift
        found: list[int] = sums.tolist()
        return found

    totals = of_runs(list(zip(limbs, shifts, strict=True)))
    square = [0] * len(totals)
    if squares:
        pairs = [(i, j) for i in range(len(limbs)) for j in range(i, len(limbs))]
        square = of_runs([(limbs[i] * limbs[j], shifts[i] + shifts[j] + (i < j)) for i, j in pairs])
    return [*map(Sums, (stops - starts).tolist(), totals, square)]


def stops_below(indices: Integers, offsets: Integers, limits: Integers) -> Integers:
    """For each sorted run, the place of the first record above the run's limit. All runs are searched at once."""
    first, last = offsets[:-1].copy(), offsets[1:].copy()
    while (open_ := first < last).any():
        middle = (first + last) // 2
        inside = open_ & (indices[np.minimum(middle, indices.size - 1)] <= limits)
        last = np.where(open_ & ~inside, middle, last)
        first = np.where(inside, middle + 1, first)
    return first
