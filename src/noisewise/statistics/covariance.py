"""Covariance: sums of products of columns, from which means, covariances and regressions follow.

Each column is read as u = (x - middle)/half, between -1 and 1 of its public bounds. With u_0 = 1, the answer is

    N = sum of 1        M_i = sum of u_i        S_ij = sum of u_i * u_j        T_i = sum of 2*u_i^2 - 1

over the rows: all the covariance matrix needs. A row adds at most 1 to any of them, up or down, whatever the data: the
sensitivity in the maximum norm is 1 if it is added or removed and 2 if it is swapped, and every radius is that.
The covariance itself is computed from what was released. Proof: docs/proofs/covariance.md.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from noisewise.columns.column import Neighbors, Rows
from noisewise.errors import Pair, ParameterError, ParameterTypeError
from noisewise.laws.radii import Radii
from noisewise.numbers.answers import UTMOST
from noisewise.numbers.arrays import Floats, Integers
from noisewise.numbers.exact import describe
from noisewise.numbers.lattice import Lattice, exact_bounds
from noisewise.statistics.statistic import BOTH
from noisewise.statistics.vector import VectorFrame, VectorStatistic

STEPS = 2**20
"""Steps from the middle of a column's bounds to either end; sums are released in the same steps."""

TOGETHER = 2**12
"""So many products of at most 2^40 add up exactly in float64, in any order."""

MOST_COLUMNS = 100

NARROWEST, FARTHEST = Fraction(1, 10**60), Fraction(10**60)
"""Between bounds like these, products of columns and their ratios are float64 numbers."""


@dataclass(frozen=True, slots=True)
class Covariance(VectorStatistic):
    """Sums for the covariances of all columns; or, not centred, for their products about the middle of the bounds.

    A ``response`` is a last column whose own square nobody needs, as in a regression. Rows need not be ``counted``
    where their number is public.
    """

    centred: bool = True
    response: bool = False
    counted: bool = True

    norm = "linf"
    relations = BOTH

    def __post_init__(self) -> None:
        for name in ("centred", "response", "counted"):
            if not isinstance(given := getattr(self, name), (bool, np.bool_)):
                raise ParameterTypeError(name, "must be True or False", got=describe(given)) from None

    def __str__(self) -> str:
        return "covariance" if self.centred else "second moments"

    def entries(self, columns: int) -> list[tuple[int, int]]:
        """Which products u_i * u_j are summed, in the order of the answer; u_0 = 1."""
        pairs = [(i, j) for i in range(1, columns + 1) for j in range(i, columns + 1)]
        means = [(0, i) for i in range(1, columns + 1)] if self.centred else []
        count = [(0, 0)] if self.counted else []
        return [*count, *means, *(pairs[:-1] if self.response else pairs)]

    def frame(self, columns: int, bounds: object, granularity: object) -> VectorFrame:
        if granularity is not None:
            raise ParameterError(
                "granularity", f"must be left out for {self}", got=describe(granularity)
            ) from None
        if not 1 + self.response <= columns <= MOST_COLUMNS:
            raise ParameterError(
                "data",
                f"must have from {1 + self.response} to {MOST_COLUMNS} columns for {self}",
                got=str(columns),
            ) from None
        lattices = tuple(map(_lattice, each_bounds(bounds, columns)))
        far = np.full(len(self.entries(columns)), UTMOST)
        return VectorFrame(lattices, Fraction(1, STEPS), -far, far)

    def steady(self, neighbors: Neighbors) -> bool:
        return True

    def sensitivity(self, frame: VectorFrame, neighbors: Neighbors, size: Callable[[], int]) -> int:
        return 2 * STEPS if neighbors == "swap" else STEPS

    def radii(self, rows: Rows, frame: VectorFrame, levels: int) -> tuple[Integers, Radii]:
        """Exact sums, floored to 1/STEPS; a row moves any of them by at most 1, floored or not."""
        table = products(rows.values, frame.records)
        sums = [
            2 * table[i][i] - table[0][0] if i == j and i else table[i][j]
            for i, j in self.entries(len(frame.records))
        ]
        stride = self.sensitivity(frame, rows.neighbors, lambda: rows.count)
        return np.array([each // STEPS for each in sums], np.int64), Radii(np.zeros(0, np.int64), stride)


def each_bounds(bounds: Any, columns: int) -> list[Any]:
    """The bounds of every column: one pair for all, or a pair for each."""
    table = isinstance(bounds, np.ndarray) and bounds.ndim == 2
    pairs = bounds if table or isinstance(bounds, (tuple, list)) else ()
    if not any(isinstance(pair, (tuple, list, np.ndarray)) for pair in pairs):
        return [bounds] * columns
    if len(pairs) != columns:
        raise ParameterError(
            "bounds", f"must be one pair, or one for each of the {columns} columns", got=str(len(pairs))
        ) from None
    return list(pairs)


def _lattice(bounds: object) -> Lattice:
    low, high = exact_bounds(bounds)
    if high - low < NARROWEST or max(abs(low), abs(high)) > FARTHEST:
        raise ParameterError(
            "bounds",
            "must be at least 1e-60 apart and within -1e60 .. 1e60",
            got=Pair(f"{float(low):g}", f"{float(high):g}"),
        ) from None
    return Lattice.fine((low, high))


def ends(lattice: Lattice) -> tuple[float, float]:
    """The middle of a column's bounds and half their distance. Public."""
    low, high = float(lattice.low * lattice.granularity), float(lattice.high * lattice.granularity)
    return low / 2 + high / 2, high / 2 - low / 2


def products(values: tuple[Floats, ...], lattices: tuple[Lattice, ...]) -> list[list[int]]:
    """Sums of u_i * u_j over all rows in units of 1/STEPS^2, by whole numbers that float64 holds."""
    width, count = len(values) + 1, values[0].size
    total = np.zeros((width, width), object)
    for start in range(0, count, TOGETHER):
        part = slice(start, start + TOGETHER)
        scaled = [_scaled(column[part], lattice) for column, lattice in zip(values, lattices, strict=True)]
        table = np.stack([np.full_like(scaled[0], STEPS), *scaled])
        total += (table @ table.T).astype(np.int64).astype(object)
    return [[int(each) for each in row] for row in total]


def _scaled(values: Floats, lattice: Lattice) -> Floats:
    """A column between its bounds as whole numbers from -STEPS to STEPS, each record by itself."""
    middle, half = ends(lattice)
    return np.clip(np.rint((values - middle) / half * STEPS), -STEPS, STEPS)
