"""Covariance: sums of products of columns, from which means, covariances and regressions follow.

Each column is read as u = (x - middle)/half, between -1 and 1 of its public bounds. With u_0 = 1, the answer is

    N = sum of 1        M_i = sum of u_i        S_ij = sum of u_i * u_j        T_i = sum of 2*u_i^2 - 1

over the rows: all the covariance matrix needs. A row adds at most 1 to any of them, up or down, whatever the data: the
sensitivity in the maximum norm is 1 if it is added or removed and 2 if it is swapped. Every radius equals the
sensitivity. The covariance itself is computed from what was released. Proof: docs/proofs/covariance.md.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from noisewise.errors import Pair, ParameterError, ParameterTypeError
from noisewise.kernel.laws.radii import RadiusBounds
from noisewise.kernel.losses import Neighbors
from noisewise.kernel.numbers.answers import UTMOST
from noisewise.kernel.numbers.arrays import Integers
from noisewise.kernel.numbers.exact import describe
from noisewise.kernel.numbers.lattice import Lattice, exact_bounds
from noisewise.statistics.records import Rows
from noisewise.statistics.row_formulas import Arithmetic, Numbers, RowWhole
from noisewise.statistics.statistic import BOTH
from noisewise.statistics.vector import VectorFrame, VectorStatistic

STEPS = 2**20
"""The number of steps from the middle of a column's bounds to either end. Sums are released in the same steps."""

MOST_COLUMNS = 100

NARROWEST, FARTHEST = Fraction(1, 10**60), Fraction(10**60)
"""Between bounds like these, products of columns and their ratios are float64 numbers."""


@dataclass(frozen=True, slots=True)
class Covariance(VectorStatistic):
    """Sums for the covariances of all columns. If not ``centred``, sums for their products, counted from the middle of
    the bounds.

    A ``response`` is a last column whose own square nobody needs, as in a regression. Rows need not be ``counted`` if
    their number is public. Without ``products``, sums for the means alone.
    """

    centred: bool = True
    response: bool = False
    counted: bool = True
    products: bool = True

    norm = "linf"
    relations = BOTH

    def __post_init__(self) -> None:
        for name in ("centred", "response", "counted", "products"):
            if not isinstance(given := getattr(self, name), (bool, np.bool_)):
                raise ParameterTypeError(name, "must be True or False", got=describe(given)) from None

    def __str__(self) -> str:
        return "covariance" if self.centred else "second moments"

    def entries(self, columns: int) -> list[tuple[int, int]]:
        """The pairs (i, j) of the products u_i * u_j that are summed, in the order of the answer, with u_0 = 1."""
        pairs = (
            [(i, j) for i in range(1, columns + 1) for j in range(i, columns + 1)] if self.products else []
        )
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

    def radii(self, rows: Rows, frame: VectorFrame, levels: int) -> tuple[Integers, RadiusBounds]:
        """Exact sums, floored to 1/STEPS; a row moves any of them by at most 1, floored or not."""
        sums = self._sums(rows, frame)
        stride = self.sensitivity(frame, rows.neighbors, lambda: rows.count)
        return np.array([each // STEPS for each in sums], np.int64), RadiusBounds(
            np.zeros(0, np.int64), stride
        )

    def _sums(self, rows: Rows, frame: VectorFrame) -> list[int]:
        """The sums of the answer, exactly, in units of 1/STEPS^2."""
        wholes = [scaled(column, lattice) for column, lattice in enumerate(frame.records)]
        entries = self.entries(len(wholes))
        terms = [tuple(place - 1 for place in entry if place) for entry in entries]
        count, *sums = rows.sums(wholes, [(), *terms])
        units = [STEPS ** (2 - len(term)) for term in terms]
        return [
            2 * total - STEPS**2 * count if i == j and i else unit * total
            for (i, j), unit, total in zip(entries, units, sums, strict=True)
        ]


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


def scaled(column: int, lattice: Lattice) -> RowWhole:
    """A column between its bounds, as whole numbers from -STEPS to STEPS."""
    (middle, half), most = ends(lattice), float(STEPS)

    def number(by: Arithmetic, x: Numbers) -> Numbers:
        return by.rounded(by.clip(by.divided(x - middle, half) * most, -most, most))

    return RowWhole((column,), number, -STEPS, STEPS)
