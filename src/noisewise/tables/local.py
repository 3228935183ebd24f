"""A table in memory: a data frame of pandas, Polars or PyArrow, read through narwhals column by column.

Without people a column is handed out as it is, so nothing is copied. With people a column is read whole, the rows that
take part are chosen by `People`, and only then it is a column like any other.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noisewise.columns.arrays import ArrayColumn, Declared, Either, declare, nearest_float64
from noisewise.columns.column import Neighbors
from noisewise.columns.labels import DeclaredLabels, declare_labels
from noisewise.errors import SchemaError
from noisewise.lattice import Lattice
from noisewise.tables.people import Choice, People


class LocalTable:
    """A data frame in memory."""

    def __init__(self, frame: Any) -> None:
        self.frame = frame  # as narwhals sees it

    def __repr__(self) -> str:
        return "<LocalTable: withheld>"

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.frame.columns)

    def column(self, name: str, choice: Choice | None, question: str = "") -> Any:
        declared = declare(self._series(name))
        return declared if choice is None else PickedColumn.of(declared, self.people(choice), choice)

    def columns(self, names: tuple[str, ...], choice: Choice | None) -> tuple[Any, ...]:
        declared = tuple(declare(self._series(name)) for name in names)
        if choice is None:
            return declared
        pick = Pick(declared, self.people(choice), choice)
        return tuple(
            Declared(lambda place=place: (pick.values[place], None), column.size)  # type: ignore[misc]
            for place, column in enumerate(declared)
        )

    def labels(self, name: str, choice: Choice | None) -> Either:
        return Either(lambda: self.column(name, choice), lambda: self._labels(name, choice))

    def rows(self, choice: Choice | None) -> Any:
        ones = Declared(lambda: (np.ones(len(self.frame)), None), lambda: len(self.frame))
        return ones if choice is None else PickedColumn.of(ones, self.people(choice), choice)

    def edges(self, names: tuple[str, ...], choice: Choice | None) -> Any:
        if choice is not None:
            raise SchemaError(
                f"unit must be left out for a graph, whose edges are the records, got {choice.unit!r}"
            ) from None
        return self.frame.select(*names).to_native()

    def people(self, choice: Choice) -> Callable[[], People]:
        """Who owns each row, to be read after the debit."""
        series = self.frame.get_column(choice.unit)

        def read() -> People:
            try:
                found = series.to_numpy()
            except Exception:
                found = np.empty(0, object)
            return People.of(found if found.dtype.kind in "biuf" else series.to_list())

        return read

    def like(self, columns: dict[str, Any]) -> Any:
        import narwhals as nw

        return nw.from_dict(columns, backend=self.frame.implementation).to_native()

    def _labels(self, name: str, choice: Choice | None) -> DeclaredLabels:
        declared = declare_labels(self._series(name))
        if choice is None:
            return declared
        people = self.people(choice)

        def fetch() -> Any:
            records, owners = declared.fetch(), people()
            kept = owners.keep(np.ones(owners.codes.size, np.bool_), np.zeros_like(owners.codes), (), choice)
            if isinstance(records, np.ndarray):
                return records[kept]
            return [record for record, stays in zip(records, kept, strict=True) if stays]

        return DeclaredLabels(fetch, declared.kind)

    def _series(self, name: str) -> Any:
        return self.frame.get_column(name).to_native()


@dataclass(frozen=True, slots=True, repr=False)
class PickedColumn(Declared):
    """One column of the rows that take part, chosen by lattice index as on every engine.

    What is fetched without a lattice is chosen like several columns are.
    """

    whole: Declared
    people: Callable[[], People]
    choice: Choice

    @classmethod
    def of(cls, column: Declared, people: Callable[[], People], choice: Choice) -> "PickedColumn":
        pick = Pick((column,), people, choice)
        return cls(lambda: (pick.values[0], None), column.size, column, people, choice)

    def read(self, lattice: Lattice, neighbors: Neighbors) -> ArrayColumn:
        values, mask = self.whole.fetch()
        numbers = nearest_float64(values)
        present = np.isfinite(numbers) | np.isinf(numbers)
        if mask is not None:
            present &= ~mask
        indices = np.zeros(numbers.size, np.int64)
        indices[present] = lattice.index(numbers[present])
        kept = self.people().keep(present, np.zeros_like(indices), (indices,), self.choice)
        return ArrayColumn(numbers[kept], None, lattice, neighbors)


class Pick:
    """Several columns of the rows that take part, chosen by the bits of their numbers; read once, after the debit."""

    def __init__(self, columns: tuple[Declared, ...], people: Callable[[], People], choice: Choice) -> None:
        self._columns, self._people, self._choice = columns, people, choice

    def __repr__(self) -> str:
        return "<Pick: withheld>"

    @cached_property
    def values(self) -> list[NDArray[np.float64]]:
        found = []
        for column in self._columns:
            values, mask = column.fetch()
            numbers = nearest_float64(values)
            found.append(numbers if mask is None else np.where(mask, np.nan, numbers))
        present = ~np.logical_or.reduce([np.isnan(numbers) for numbers in found])
        bits = tuple(np.ascontiguousarray(numbers).view(np.int64) for numbers in found)
        kept = self._people().keep(present, np.zeros(present.size, np.int64), bits, self._choice)
        return [numbers[kept] for numbers in found]
