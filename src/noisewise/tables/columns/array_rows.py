"""Rows of several columns, or of a matrix. Each row is one record. If a number of a row is missing, the row is missing.

A matrix is a two-dimensional array, a data frame, or a tuple of columns. Under add/remove a missing row of a matrix is
left out. Under swap it counts as a row of zeros, which are clamped to the bounds like all numbers.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from noisewise.errors import SchemaError
from noisewise.floors import known
from noisewise.kernel.losses import Neighbors
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.kernel.secret import Secret
from noisewise.statistics.products import sums_of_terms, total
from noisewise.statistics.records import RightPairs, Rows
from noisewise.statistics.row_formulas import IN_MEMORY, RowNumber, RowWhole, Term
from noisewise.tables.columns.array_column import ArrayColumn, Declared, declare


@dataclass(frozen=True, slots=True, repr=False)
class ArrayRows(Secret):
    """Rows in memory, one float64 array per column, without missing numbers."""

    values: tuple[NDArray[np.float64], ...]
    lattice: Lattice
    neighbors: Neighbors

    @property
    def count(self) -> int:
        return self.values[0].size

    def column(self, values: NDArray[np.float64]) -> ArrayColumn:
        return ArrayColumn(values, None, self.lattice, self.neighbors)

    def numbers(self, number: RowNumber) -> ArrayColumn:
        return self.column(self._computed(number, slice(None)))

    def sums(self, wholes: Sequence[RowWhole], terms: Sequence[Term]) -> list[int]:
        return sums_of_terms(
            self.count,
            lambda place, rows: self._computed(wholes[place], rows),
            [max(abs(whole.low), abs(whole.high)) for whole in wholes],
            terms,
        )

    def right_pairs(self, positive: RowWhole, score: int) -> RightPairs:
        chosen, scores = self._computed(positive, slice(None)) == 1.0, self.values[score]
        positives, negatives = scores[chosen], scores[~chosen]
        return RightPairs(positives.size, negatives.size, twice_the_right_pairs(positives, negatives))

    def _computed(self, number: RowNumber, rows: slice) -> NDArray[np.float64]:
        """Compute one number for each of some rows. The number depends on the row alone, and not on its place."""
        columns = (self.values[column][rows] for column in number.columns)
        computed: NDArray[np.float64] = number.formula(IN_MEMORY, *columns)
        return computed


def twice_the_right_pairs(positives: NDArray[np.float64], negatives: NDArray[np.float64]) -> int:
    """The sum over all pairs: 2 if the score of the positive row is higher, 1 if both scores are equal."""
    positives, negatives = np.sort(positives), np.sort(negatives)
    return sum(total(np.searchsorted(negatives, positives, side=side)) for side in ("left", "right"))


class RowSource(Protocol):
    """Columns of one table that an engine reads together, row by row. No column is read alone."""

    def read(
        self, columns: tuple[int, ...], fill: tuple[float, ...], lattice: Lattice, neighbors: Neighbors
    ) -> Rows:
        """Read the rows of some columns, after the debit. Under swap ``fill`` replaces a row with a missing number."""


@dataclass(frozen=True, slots=True, repr=False)
class ColumnOfRows(Declared):
    """One column of a source of rows."""

    source: RowSource
    index: int


@dataclass(frozen=True, slots=True, repr=False)
class DeclaredRows(Secret):
    """Columns of accepted types and of one length that are not read yet."""

    columns: tuple[Declared, ...]
    fill: tuple[float, ...]

    def size(self) -> int:
        return self.columns[0].size()

    def read(self, lattice: Lattice, neighbors: Neighbors) -> Rows:
        """Read the rows: in their database if all columns have the same source there, otherwise in memory."""
        sources = {column.source for column in self.columns if isinstance(column, ColumnOfRows)}
        if len(sources) == 1 and all(isinstance(column, ColumnOfRows) for column in self.columns):
            indices = tuple(column.index for column in self.columns if isinstance(column, ColumnOfRows))
            return sources.pop().read(indices, self.fill, lattice, neighbors)
        return self.in_memory(lattice, neighbors)

    def in_memory(self, lattice: Lattice, neighbors: Neighbors) -> ArrayRows:
        """The rows in memory, for a question that needs all their numbers."""
        columns = [column.numbers() for column in self.columns]
        missing = np.logical_or.reduce([np.isnan(values) for values in columns])
        if neighbors == "swap":
            kept = [np.where(missing, fill, values) for values, fill in zip(columns, self.fill, strict=True)]
        else:
            kept = [values[~missing] for values in columns]
        return ArrayRows(tuple(kept), lattice, neighbors)


def declare_rows(data: object, columns: int, fill: tuple[float, ...]) -> DeclaredRows:
    """Accept several columns, or refuse them by their types, their number or their lengths."""
    if not isinstance(data, Sequence) or isinstance(data, (str, bytes)) or len(data) != columns:
        raise SchemaError(
            "data", f"must be {columns} columns as a tuple", got=f"a {type(data).__name__}"
        ) from None
    declared = tuple(declare(column) for column in data)
    sizes = {
        column.size for column in declared
    }  # columns of one table share one size, which need not be counted
    if len(sizes) > 1 and len({size() for size in sizes}) > 1:
        raise SchemaError("columns", "must have the same number of rows") from None
    return DeclaredRows(declared, fill)


MOST_COLUMNS = 10_000


def declare_matrix(data: object) -> DeclaredRows:
    """Accept or refuse a matrix by its declared type and shape. The number of columns is public."""
    columns = columns_of(data)
    if not 1 <= len(columns) <= MOST_COLUMNS:
        raise SchemaError(
            "data", f"must have from 1 to {MOST_COLUMNS:,} columns", got=str(len(columns))
        ) from None
    return declare_rows(columns, len(columns), (0.0,) * len(columns))


def columns_of(table: object, name: str = "data", *, lone: bool = False) -> tuple[Any, ...]:
    """The columns of a table, by its declared type. With ``lone`` a single column is a table of one column."""
    if isinstance(table, np.ndarray):
        if table.ndim == 1 and lone:
            return (table,)
        if table.ndim != 2:
            rule = "must have one or two dimensions" if lone else "must be two-dimensional"
            got = str(table.ndim) if lone else f"an array of {table.ndim} dimensions"
            raise SchemaError(name, rule, got=got) from None
        return tuple(table[:, i] for i in range(table.shape[1]))
    if isinstance(table, tuple):
        return table
    plain = known(table)
    import narwhals.stable.v2 as nw

    try:
        frame: Any = nw.from_native(plain, eager_only=True, allow_series=lone)  # type: ignore[call-overload]
    except Exception:
        frame = None
    if frame is None:
        raise SchemaError(
            name,
            "must be a two-dimensional array, a data frame in memory with different names, or a tuple of "
            "columns",
            got=f"{type(table).__module__}.{type(table).__qualname__}",
        ) from None
    if isinstance(frame, nw.Series):
        return (plain,)
    return tuple(declare(series.to_native(), f"column {series.name!r}") for series in frame.iter_columns())
