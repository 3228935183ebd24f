"""Watched columns: data that remembers how many of its records were used for an answer.

A question reads a column, the rows of several columns, or counts of records in bins. The `Witness` sees what was read
and counts its records. So a count beside an answer is of the same records, and the data is not read again.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noisewise.kernel.losses import Neighbors
from noisewise.kernel.numbers.arrays import Booleans, Floats
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.kernel.secret import Secret
from noisewise.statistics.records import Column, Rows
from noisewise.tables.columns.array_column import (
    Declared,
    NumberBins,
    NumbersOrLabels,
    declare,
    declares_fractions,
)
from noisewise.tables.columns.array_rows import ColumnOfRows, RowSource, columns_of
from noisewise.tables.columns.indicators import Indicator
from noisewise.tables.columns.labels import DeclaredLabels, Labels, declare_labels


class Witness(Secret):
    """Remembers what one question reads from its columns. Secret."""

    def __init__(self) -> None:
        self._last: Column | Rows | int = 0
        self._missing: dict[int, Booleans] = {}

    def saw(self, read: Column | Rows | int) -> None:
        """Note that a column or rows were read, or that this number of records was counted in bins."""
        self._last = read

    def saw_numbers(self, column: int, numbers: Floats) -> None:
        """Note that one of several columns was read. Records at the same place of these columns are one row."""
        self._missing[column] = np.isnan(numbers)

    @property
    def count(self) -> int:
        """The number of records that took part. For several columns it is the number of rows without a missing
        number."""
        if self._missing:
            return int(np.count_nonzero(~np.logical_or.reduce([*self._missing.values()])))
        return self._last if isinstance(self._last, int) else self._last.count

    def data(
        self, data: tuple[Any, ...], kinds: tuple[str, ...], indicator: Indicator | None
    ) -> tuple[Any, ...]:
        """The data of a question, watched by this witness. ``kinds`` says what each part is, such as a matrix."""
        if kinds == ("label",):
            (given,) = data
            numbers, labels = (lambda: self._column(given, 0)), (lambda: self._labels(given))
            return (NumbersOrLabels(numbers, labels, declares_fractions(given)),)
        watched, seen = list[Any](), 0
        for kind, given in zip(kinds, data, strict=True):
            columns = columns_of(given, lone=len(kinds) > 1) if kind == "matrix" else (given,)
            read = tuple(
                self._column(column if indicator is None else indicator.declare(column), seen + index)
                for index, column in enumerate(columns)
            )
            seen += len(read)
            watched.append(read if kind == "matrix" else read[0])
        return tuple(watched)

    def _column(self, given: object, index: int) -> Declared:
        declared = declare(given)
        if isinstance(declared, ColumnOfRows):
            return replace(declared, source=WatchedRows(declared.source, self))
        return WatchedColumn(declared.fetch, declared.size, declared, self, index)

    def _labels(self, given: object) -> "WatchedLabels":
        declared = declare_labels(given)
        return WatchedLabels(declared.fetch, declared.kind, whole=declared, witness=self)


@dataclass(frozen=True, slots=True, repr=False)
class WatchedColumn(Declared):
    """A column of numbers."""

    whole: Declared
    witness: Witness
    index: int

    def read(self, lattice: Lattice, neighbors: Neighbors) -> Column:
        column = self.whole.read(lattice, neighbors)
        self.witness.saw(column)
        return column

    def numbers(self) -> Floats:
        numbers = self.whole.numbers()
        self.witness.saw_numbers(self.index, numbers)
        return numbers

    def counts(self, bins: NumberBins) -> NDArray[np.int64]:
        counts = self.whole.counts(bins)
        self.witness.saw(int(counts.sum()))
        return counts


@dataclass(frozen=True, slots=True, repr=False)
class WatchedRows(Secret):
    """A watched source of rows, which are read in their database."""

    whole: RowSource
    witness: Witness

    def read(
        self, columns: tuple[int, ...], fill: tuple[float, ...], lattice: Lattice, neighbors: Neighbors
    ) -> Rows:
        rows = self.whole.read(columns, fill, lattice, neighbors)
        self.witness.saw(rows)
        return rows


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class WatchedLabels(DeclaredLabels):
    """A column of labels."""

    whole: DeclaredLabels
    witness: Witness

    def counts(self, labels: Labels) -> NDArray[np.int64]:
        counts = self.whole.counts(labels)
        self.witness.saw(int(counts.sum()))
        return counts
