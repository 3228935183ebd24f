"""Totals: all rows of a person become one record, their sum, mean, largest, smallest or number.

A question asks about the multiples of a granularity g between its bounds. Its records are totals, and each is an exact
function of the person's rows, in whatever order and on whatever engine:

    max, min    each row becomes an index of the question's lattice; the total is the largest or the smallest
    count       the number of rows, read like any other number
    sum, mean   each row is rounded to a grid of steps g/2^k, and the rows' indices are added up exactly; the sum,
                or its floor after a division by the number of rows, is rounded once to the nearest multiple of g

Whatever lies outside the bounds is then clamped. Rows are not, except at the ends of the grid, which reaches at least
as far as the bounds: bits that k leaves are for rows of either sign that cancel. Sums are kept in three limbs of 18
bits, which are exact for 2^34 rows of a person. Proof: docs/proofs/totals.md.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

import numpy as np

from noisewise.kernel.numbers.arrays import Floats, Integers
from noisewise.kernel.numbers.lattice import FINEST, LARGEST, LEAST_GRANULARITY, Lattice

PerPerson: TypeAlias = Literal["sum", "mean", "max", "min", "count"]
RULES: tuple[PerPerson, ...] = get_args(PerPerson)

LIMB = 18
"""The bits of a limb. Sums of limbs stay below 2^53 for 2^35 rows."""

MOST = 2**17
"""A sum of at least this many highest limbs is beyond all bounds."""


@dataclass(frozen=True, slots=True)
class Grid:
    """The steps to which rows are rounded before they are added up: 2^bits in a step of the question's lattice."""

    rows: Lattice
    bits: int

    @classmethod
    def under(cls, lattice: Lattice) -> "Grid":
        """The grid of a question. Of the bits that are to spare, half are for finer steps and half for larger rows."""
        bits = (FINEST.bit_length() - 1 - max(abs(lattice.low), abs(lattice.high)).bit_length()) // 2
        if bits < 0 or lattice.granularity / 2**bits < LEAST_GRANULARITY:
            bits = 0
        step = lattice.granularity / 2**bits
        reach = min(FINEST, int(LARGEST / step))
        return cls(Lattice(-reach, reach, step), bits)

    @property
    def zero(self) -> tuple[int, int, int]:
        """The limbs of the distance from the low end of the grid to 0, the lowest limb first."""
        low, middle = (-self.rows.low >> shift & 2**LIMB - 1 for shift in (0, LIMB))
        return low, middle, -self.rows.low >> 2 * LIMB

    @property
    def half(self) -> int:
        """Half a step of the question's lattice."""
        return 1 << self.bits >> 1


@dataclass(frozen=True, slots=True)
class Total:
    """How all rows of a person become one record. Public."""

    rule: PerPerson

    def __str__(self) -> str:
        return {"max": "largest", "min": "smallest", "count": "number"}.get(self.rule, self.rule)

    def of_rows(self, numbers: Floats, owners: Integers, people: int, lattice: Lattice) -> Integers:
        """The index of each person's total. Row i belongs to person ``owners[i]``, who has at least one row."""
        if self.rule == "count":
            return lattice.index(np.bincount(owners, minlength=people).astype(np.float64))
        if self.rule in ("max", "min"):
            farthest = np.full(people, lattice.low if self.rule == "max" else lattice.high)
            (np.maximum if self.rule == "max" else np.minimum).at(farthest, owners, lattice.index(numbers))
            return farthest
        grid = Grid.under(lattice)
        distances = grid.rows.index(numbers) - grid.rows.low
        cut = (distances >> shift & 2**LIMB - 1 for shift in (0, LIMB, 2 * LIMB))
        low, middle, high = (_added(limb, owners, people) for limb in cut)
        rows = np.bincount(owners, minlength=people)
        if self.rule == "mean":
            high, rest = np.divmod(high, rows)
            middle, rest = np.divmod((rest << LIMB) + middle, rows)
            low, rows = ((rest << LIMB) + low) // rows, np.ones_like(rows)
        low, middle, high = (
            limb - rows * zero for limb, zero in zip((low, middle, high), grid.zero, strict=True)
        )
        carry, low = np.divmod(low, 2**LIMB)
        carry, middle = np.divmod(middle + carry, 2**LIMB)
        high = np.clip(high + carry, -MOST, MOST)
        total = (high << 2 * LIMB) + (middle << LIMB) + low
        indices: Integers = np.clip((total + grid.half) >> grid.bits, lattice.low, lattice.high)
        return indices


def _added(limbs: Integers, owners: Integers, people: int) -> Integers:
    """The sum of the limbs of each person. Float64 adds them exactly."""
    sums: Integers = np.bincount(owners, weights=limbs, minlength=people).astype(np.int64)
    return sums
