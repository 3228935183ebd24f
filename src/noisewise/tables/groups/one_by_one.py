"""Each group as a table, for questions that are answered group by group.

How rows fall into groups, and which of a person's rows take part, is decided once for all groups, after the debit.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from noisewise.errors import SchemaError
from noisewise.kernel.losses import Neighbors
from noisewise.kernel.numbers.arrays import Booleans, Floats, Integers
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.kernel.secret import Secret
from noisewise.tables.columns.array_column import ArrayColumn, Declared, NumbersOrLabels
from noisewise.tables.columns.labels import DeclaredLabels
from noisewise.tables.groups.grouped_column import LocalGroups, SortedColumn, totals
from noisewise.tables.groups.keys import Keys
from noisewise.tables.people import Choice, NamedPeople, label_order, order_of_numbers

T = TypeVar("T")

Records = NDArray[Any] | Sequence[object]
"""Labels: an array of numbers, or Python objects."""


@dataclass(frozen=True, slots=True, repr=False)
class RowsInGroups(Secret):
    """Rows in memory, the group of each row (-1 for none), and the person of each row."""

    numbers: Callable[[str | None], Declared]
    """The column of numbers of this name. Without a name, a column of ones."""
    labels: Callable[[str], DeclaredLabels]
    """The column of labels of this name."""
    row_groups: Integers
    people: NamedPeople | None


@dataclass(frozen=True, slots=True, repr=False)
class GroupReader(Secret):
    """The functions that read columns for all groups. Everything is checked, and nothing is read yet."""

    keys: Keys
    """The declared groups, in the types of the columns. Public."""
    read: Callable[[tuple[str, ...], bool], RowsInGroups]
    """Reads rows with at least these columns, after the debit. If the second argument is true, they are labels."""


class GroupTables(Secret):
    """All groups of a table. A question about group g is bound to ``tables[g]``.

    When the first group asks for a column, it is read for all groups. Other columns are not read.
    """

    def __init__(self, reader: GroupReader, names: tuple[str, ...] | None, choice: Choice | None) -> None:
        self.names = names
        self._reader, self._choice = reader, choice
        self._cache: dict[Hashable, Any] = {}

    def __len__(self) -> int:
        return len(self._reader.keys)

    def __getitem__(self, group: int) -> "GroupTable":
        return GroupTable(self, group)

    def numbers(self, names: tuple[str | None, ...]) -> tuple[list[Floats], Integers]:
        """Several columns of numbers with one group after the other, and the place where each group begins."""

        def read() -> tuple[list[Floats], Integers]:
            whole = self._read(names)
            columns = [whole.numbers(name).numbers() for name in names]
            present = ~np.logical_or.reduce([np.isnan(numbers) for numbers in columns])
            rows, offsets = self._rows(whole, present, tuple(map(order_of_numbers, columns)))
            return [numbers[rows] for numbers in columns], offsets

        return self._once(names, read)

    def indexed(self, name: str | None, lattice: Lattice) -> tuple[Floats, Integers]:
        """Like `numbers`, for one column. Its rows are chosen by lattice index, as if all groups were read at once."""

        def read() -> tuple[Floats, Integers]:
            whole = self._read((name,))
            numbers = whole.numbers(name).numbers()
            present = ~np.isnan(numbers)
            indices = lattice.index(np.where(present, numbers, 0.0))
            rows, offsets = self._rows(whole, present, (indices,))
            return numbers[rows], offsets

        return self._once((name, lattice), read)

    def totals(self, name: str | None, lattice: Lattice, neighbors: Neighbors) -> LocalGroups | None:
        """One record for each person and group. None if each row is a record."""
        choice = self._choice
        if choice is None or choice.total is None:
            return None

        def read() -> LocalGroups:
            whole = self._read((name,))
            assert whole.people is not None, "a choice needs people"
            numbers = whole.numbers(name).numbers()
            return totals(numbers, whole.row_groups, whole.people, choice, lattice, neighbors, len(self))

        return self._once(("totals", name, lattice), read)

    def labels(self, name: str) -> tuple[Records, Integers]:
        """Like `numbers`, for one column of labels."""

        def read() -> tuple[Records, Integers]:
            whole = self._read((name,), labels=True)
            records = whole.labels(name).fetch()
            present, order = label_order(records)
            rows, offsets = self._rows(whole, present, order)
            kept = records[rows] if isinstance(records, np.ndarray) else [records[row] for row in rows]
            return kept, offsets

        return self._once(("labels", name), read)

    def _rows(
        self, whole: RowsInGroups, present: Booleans, records: tuple[Integers, ...]
    ) -> tuple[Integers, Integers]:
        """The rows that take part, one group after the other, and the place where each group begins."""
        kept = present & (whole.row_groups >= 0)
        if whole.people is not None and self._choice is not None:
            kept = whole.people.keep(kept, whole.row_groups, records, self._choice)
        rows = np.flatnonzero(kept)
        rows = rows[np.argsort(whole.row_groups[rows], kind="stable")]
        return rows, np.searchsorted(whole.row_groups[rows], np.arange(len(self) + 1))

    def _once(self, key: Hashable, read: Callable[[], T]) -> T:
        if key not in self._cache:
            self._cache[key] = read()
        result: T = self._cache[key]
        return result

    def _read(self, names: tuple[str | None, ...], *, labels: bool = False) -> RowsInGroups:
        return self._reader.read(tuple(name for name in names if name is not None), labels)


@dataclass(frozen=True, slots=True, repr=False)
class GroupTable(Secret):
    """The rows of one group that take part, as a `ColumnSource`. They are already chosen for all groups."""

    tables: GroupTables
    group: int

    @property
    def names(self) -> tuple[str, ...] | None:
        return self.tables.names

    @property
    def cluster(self) -> None:
        return None

    def column(
        self, name: str | None, choice: Choice | None, question: str = "", *, streamed: bool = True
    ) -> Declared:
        (column,) = self.columns((name,), choice)
        return GroupColumn(column.fetch, column.size, self, name)

    def columns(
        self,
        names: tuple[str | None, ...],
        choice: Choice | None,
        question: str = "",
        *,
        streamed: bool = False,
    ) -> tuple[Declared, ...]:
        def values(column: int) -> Floats:
            columns, offsets = self.tables.numbers(names)
            return columns[column][self.within(offsets)]

        return tuple(
            Declared(lambda at=at: (values(at), None), lambda at=at: values(at).size)  # type: ignore[misc]
            for at in range(len(names))
        )

    def labels(self, name: str, choice: Choice | None) -> NumbersOrLabels:
        def fetch() -> Records:
            labels, offsets = self.tables.labels(name)
            return labels[self.within(offsets)]

        # bins were checked by the type of the whole column, before the debit: nothing may be refused here
        return NumbersOrLabels(lambda: self.column(name, choice), lambda: DeclaredLabels(fetch), True)

    def rows(self, choice: Choice | None) -> Declared:
        return self.column(None, choice)

    def edges(self, names: tuple[str, ...], choice: Choice | None) -> object:
        raise SchemaError(
            "a graph", "must be asked of the whole table", why="a graph has no groups"
        ) from None

    def within(self, offsets: Integers) -> slice:
        """The places of this group's rows among the rows of all groups."""
        return slice(int(offsets[self.group]), int(offsets[self.group + 1]))


@dataclass(frozen=True, slots=True, repr=False)
class GroupColumn(Declared):
    """One column of one group."""

    table: GroupTable
    name: str | None

    def read(self, lattice: Lattice, neighbors: Neighbors) -> ArrayColumn | SortedColumn:
        if (totals := self.table.tables.totals(self.name, lattice, neighbors)) is not None:
            return totals.group(self.table.group)
        numbers, offsets = self.table.tables.indexed(self.name, lattice)
        return ArrayColumn(numbers[self.table.within(offsets)], None, lattice, neighbors)
