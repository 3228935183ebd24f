"""Parts: the rows of each group as a table by itself, for questions that are answered group by group.

How rows fall into groups, and which of a person's rows take part, is decided once for all groups, after the debit.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from noisewise.columns.arrays import ArrayColumn, Declared, Either, declare, nearest_float64
from noisewise.columns.column import Neighbors
from noisewise.columns.labels import DeclaredLabels, declare_labels
from noisewise.numbers.arrays import Integers
from noisewise.numbers.lattice import Lattice
from noisewise.secret import Secret
from noisewise.tables.groups.codes import codes, kinds
from noisewise.tables.groups.keys import Keys
from noisewise.tables.local import LocalTable, label_numbers
from noisewise.tables.people import Choice, People

if TYPE_CHECKING:
    from noisewise.tables.engines.table import EngineTable
    from noisewise.tables.files.text_table import TextTable


@dataclass(frozen=True, slots=True, repr=False)
class Whole(Secret):
    """A table in memory, the place of each row's key, and whose rows they are."""

    table: LocalTable
    codes: Integers
    people: People | None

    def numbers(self, name: str | None) -> NDArray[np.float64]:
        """A column; of ones without a name."""
        column = self.table.rows(None) if name is None else declare(self.table.series(name))
        values, mask = column.fetch()
        numbers = nearest_float64(values)
        return numbers if mask is None else np.where(mask, np.nan, numbers)


class Parts(Secret):
    """All groups of a table; ``parts[g]`` is what a question about a table asks for its columns.

    A table behind an engine hands out what is read, when it is read, and no other columns.
    """

    def __init__(
        self,
        table: "LocalTable | EngineTable | TextTable",
        keys: Keys,
        choice: Choice | None,
        question: str = "",
    ) -> None:
        self._table, self._choice, self._question = table, choice, question
        names = keys.names
        self._keys = keys.fit(
            kinds(table.frame, names) if isinstance(table, LocalTable) else table.kinds(names)
        )
        self._read: dict[Any, tuple[Any, Integers]] = {}

    def __len__(self) -> int:
        return len(self._keys)

    def __getitem__(self, place: int) -> "Part":
        return Part(self, place)

    def numbers(self, names: tuple[str | None, ...]) -> tuple[list[NDArray[np.float64]], Integers]:
        """Several columns, groups behind each other, and where each group begins."""

        def read() -> tuple[list[NDArray[np.float64]], Integers]:
            whole = self._whole(names)
            found = [whole.numbers(name) for name in names]
            present = ~np.logical_or.reduce([np.isnan(numbers) for numbers in found])
            bits = tuple(np.ascontiguousarray(numbers).view(np.int64) for numbers in found)
            rows, offsets = self._rows(whole, present, bits)
            return [numbers[rows] for numbers in found], offsets

        found: tuple[list[NDArray[np.float64]], Integers] = self._once(names, read)
        return found

    def indexed(self, name: str | None, lattice: Lattice) -> tuple[NDArray[np.float64], Integers]:
        """One column likewise, its rows chosen by lattice index as for all groups at once."""

        def read() -> tuple[NDArray[np.float64], Integers]:
            whole = self._whole((name,))
            numbers = whole.numbers(name)
            present = ~np.isnan(numbers)
            indices = lattice.index(np.where(present, numbers, 0.0))
            rows, offsets = self._rows(whole, present, (indices,))
            return numbers[rows], offsets

        found: tuple[NDArray[np.float64], Integers] = self._once((name, lattice), read)
        return found

    def labels(self, name: str) -> tuple[Any, Integers]:
        """One column of labels likewise."""

        def read() -> tuple[Any, Integers]:
            whole = self._whole((name,), labels=True)
            records = declare_labels(whole.table.series(name)).fetch()
            present, numbers = label_numbers(records)
            rows, offsets = self._rows(whole, present, (numbers,))
            found = records[rows] if isinstance(records, np.ndarray) else [records[row] for row in rows]
            return found, offsets

        found: tuple[Any, Integers] = self._once(("labels", name), read)
        return found

    def _rows(
        self, whole: Whole, present: NDArray[np.bool_], records: tuple[Integers, ...]
    ) -> tuple[Integers, Integers]:
        """The rows of the groups behind each other, and where each group begins."""
        kept = present & (whole.codes >= 0)
        if whole.people is not None and self._choice is not None:
            kept = whole.people.keep(kept, whole.codes, records, self._choice)
        rows = np.flatnonzero(kept)
        rows = rows[np.argsort(whole.codes[rows], kind="stable")]
        return rows, np.searchsorted(whole.codes[rows], np.arange(len(self) + 1))

    def _once(self, name: Any, read: Callable[[], Any]) -> Any:
        if name not in self._read:
            self._read[name] = read()
        return self._read[name]

    def _whole(self, names: tuple[str | None, ...], *, labels: bool = False) -> Whole:
        """What is read of all groups, after the debit."""
        if isinstance(self._table, LocalTable):
            return self._in_memory
        there = tuple(name for name in names if name is not None)
        numeric = tuple(name for name in there if not labels or self._table.numeric(name))
        here = self._table.local(there, self._choice, self._question, numeric=numeric, keys=self._keys)()
        people = None if here.choice is None else here.table.people(here.choice)()
        return Whole(here.table, here.places, people)

    @cached_property
    def _in_memory(self) -> Whole:
        """Read once, whatever columns are asked for."""
        assert isinstance(self._table, LocalTable)
        people = None if self._choice is None else self._table.people(self._choice)()
        return Whole(self._table, codes(self._table.frame, self._keys), people)


@dataclass(frozen=True, slots=True, repr=False)
class Part(Secret):
    """The rows of one group that take part: as much of a `Table` as a question asks for."""

    parts: Parts
    place: int

    @property
    def names(self) -> tuple[str, ...] | None:
        return self.parts._table.names

    @property
    def cluster(self) -> None:
        return None

    def column(
        self, name: str | None, choice: Choice | None, question: str = "", *, streamed: bool = True
    ) -> Declared:
        (column,) = self.columns((name,), choice)
        return PartColumn(column.fetch, column.size, self, name)

    def columns(self, names: tuple[str | None, ...], choice: Choice | None) -> tuple[Declared, ...]:
        def values(column: int) -> NDArray[np.float64]:
            found, offsets = self.parts.numbers(names)
            return found[column][self.within(offsets)]

        return tuple(
            Declared(lambda at=at: (values(at), None), lambda at=at: values(at).size)  # type: ignore[misc]
            for at in range(len(names))
        )

    def labels(self, name: str, choice: Choice | None) -> Either:
        def fetch() -> Any:
            found, offsets = self.parts.labels(name)
            return found[self.within(offsets)]

        return Either(lambda: self.column(name, choice), lambda: DeclaredLabels(fetch))

    def rows(self, choice: Choice | None) -> Declared:
        return self.column(None, choice)

    def within(self, offsets: Integers) -> slice:
        return slice(int(offsets[self.place]), int(offsets[self.place + 1]))


@dataclass(frozen=True, slots=True, repr=False)
class PartColumn(Declared):
    """One column of one group."""

    part: Part
    name: str | None

    def read(self, lattice: Lattice, neighbors: Neighbors) -> ArrayColumn:
        numbers, offsets = self.part.parts.indexed(self.name, lattice)
        return ArrayColumn(numbers[self.part.within(offsets)], None, lattice, neighbors)
