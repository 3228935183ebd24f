"""One number of each row, computed alike in memory and by an engine: by float64 operations with one correct result.

A formula is written once, over columns that are never missing: ``+ - *``, ``/`` of two columns, comparisons, and the
operations of an `Arithmetic`. Each is rounded as IEEE 754 says, element by element, and none is fused with another. So
all libraries compute the same bits, at every place of an array. A library's logarithm or power is no such operation.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

import numpy as np

from noisewise.kernel.numbers.lattice import Lattice

Numbers: TypeAlias = Any
"""A float64 or a boolean for each row: an array, or an expression of an engine."""


class Arithmetic(Protocol):
    """The operations of a formula, in addition to ``+ - * /`` and comparisons. No operation ever fails."""

    def once(self, numbers: Numbers) -> Numbers:
        """The same numbers. They are computed only once, even if a formula uses them several times."""

    def where(self, condition: Numbers, then: Numbers, otherwise: Numbers) -> Numbers:
        """``then`` in rows where the condition holds, ``otherwise`` in other rows. What is not chosen may be NaN."""

    def absolute(self, numbers: Numbers) -> Numbers: ...

    def divided(self, numbers: Numbers, by: float) -> Numbers:
        """Numbers divided by a constant above 0. It is a real division. For ``/`` Polars multiplies by the inverse."""

    def clip(self, numbers: Numbers, low: float, high: float) -> Numbers:
        """Numbers clamped to the range from ``low`` to ``high``. The numbers must not be NaN."""

    def rounded(self, numbers: Numbers) -> Numbers:
        """The nearest whole numbers; halves go to the even one. The numbers must lie between -2^51 and 2^51."""

    def nearest(self, numbers: Numbers, lattice: Lattice) -> Numbers:
        """The lattice indices of the numbers, which must not be NaN."""

    def split(self, numbers: Numbers) -> tuple[Numbers, Numbers]:
        """Mantissas from 1/2 to below 1, and exponents, of numbers from 0 to 1. 0 has mantissa 0 and any exponent."""


class InMemory:
    """The arithmetic of NumPy's arrays."""

    def once(self, numbers: Numbers) -> Numbers:
        return numbers

    def where(self, condition: Numbers, then: Numbers, otherwise: Numbers) -> Numbers:
        return np.where(condition, then, otherwise)

    def absolute(self, numbers: Numbers) -> Numbers:
        return np.abs(numbers)

    def divided(self, numbers: Numbers, by: float) -> Numbers:
        return numbers / by

    def clip(self, numbers: Numbers, low: float, high: float) -> Numbers:
        return np.clip(numbers, low, high)

    def rounded(self, numbers: Numbers) -> Numbers:
        return np.rint(numbers)

    def nearest(self, numbers: Numbers, lattice: Lattice) -> Numbers:
        return lattice.nearest(numbers)

    def split(self, numbers: Numbers) -> tuple[Numbers, Numbers]:
        mantissas, exponents = np.frexp(numbers)
        return mantissas, exponents.astype(np.float64)


IN_MEMORY = InMemory()


@dataclass(frozen=True, slots=True)
class RowNumber:
    """A number of each row: the columns it is computed from, counted from 0, and the formula. Public."""

    columns: tuple[int, ...]
    formula: Callable[..., Numbers]
    """The formula. It takes an `Arithmetic` and the columns, and returns a float64 for each row, never NaN."""


@dataclass(frozen=True, slots=True)
class RowWhole(RowNumber):
    """A whole number of each row, between the public numbers ``low`` and ``high``, both below 2^52 in size."""

    low: int
    high: int


def index_of(column: int, lattice: Lattice) -> RowWhole:
    """A column's lattice index."""
    return RowWhole((column,), lambda by, x: by.nearest(x, lattice), lattice.low, lattice.high)


def steps_of(column: int, lattice: Lattice) -> RowWhole:
    """A column in steps above the low end of its lattice."""
    return RowWhole(
        (column,), lambda by, x: by.nearest(x, lattice) - float(lattice.low), 0, lattice.high - lattice.low
    )


Term: TypeAlias = tuple[int, ...]
"""The places of up to two whole numbers of a row. A term stands for the sum of their products; () for a sum of ones."""
