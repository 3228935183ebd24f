"""Each group of a table behind an engine as a table by itself: its numbers come from queries about all groups at once.

A question that is asked of one group after the other counts bins and labels, adds up records and looks for order
statistics. Whatever the first group needs is asked for all groups together, and the others find it there: the number of
queries does not grow with the number of groups, but where the groups turn out to need different things. Which records
of a person take part is decided as in memory, over the records in all groups. Proof: docs/proofs/engines.md.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from noisewise.errors import SchemaError
from noisewise.kernel.losses import Neighbors
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.kernel.secret import Secret
from noisewise.statistics.records import Column
from noisewise.tables.columns.array_column import Declared, NumberBins, NumbersOrLabels
from noisewise.tables.columns.array_rows import ColumnOfRows
from noisewise.tables.columns.labels import DeclaredLabels, Labels
from noisewise.tables.engines.bins import GroupCounts, in_bins, of_labels
from noisewise.tables.engines.declared import EngineDeclaredGroups, never_fetched
from noisewise.tables.engines.dialect import Frame
from noisewise.tables.engines.engine_records import kind_of_labels
from noisewise.tables.engines.group_rows import EngineGroupRows, RowsOfGroups
from noisewise.tables.engines.groups import EngineGroups, in_groups
from noisewise.tables.engines.people import chosen_rows, chosen_without_lattice
from noisewise.tables.engines.rows import filled
from noisewise.tables.groups.key_parts import Kind
from noisewise.tables.groups.keys import Keys
from noisewise.tables.people import Choice

if TYPE_CHECKING:
    from noisewise.tables.engines.engine_table import EngineTable

T = TypeVar("T")


class EngineGroupTables(Secret):
    """All groups of a table; ``tables[g]`` is what a question is bound to for group g."""

    def __init__(
        self, table: "EngineTable", keys: Keys, kinds: tuple[Kind, ...], choice: Choice | None
    ) -> None:
        self.table, self.keys = table, keys
        self._kinds, self._choice = kinds, choice
        self._cache: dict[Hashable, Any] = {}

    def __len__(self) -> int:
        return len(self.keys)

    def __getitem__(self, group: int) -> "EngineGroupTable":
        return EngineGroupTable(self, group)

    def read(self, name: str | None, lattice: Lattice, neighbors: Neighbors) -> EngineGroups:
        """A column of numbers, or of ones, in all groups."""
        declared = EngineDeclaredGroups(self.table, name, self.keys, self._kinds, self._choice)
        return self._once((name, lattice, neighbors), lambda: declared.read(lattice, neighbors))

    def rows(self, names: tuple[str, ...], fill: tuple[float, ...]) -> RowsOfGroups:
        """Rows of several columns in all groups."""

        def read() -> RowsOfGroups:
            dialect, aliases = self.table.dialect, [f"c{place}" for place in range(len(names))]
            frame = filled(self.table.row_records(names, self._choice, self.keys.names), aliases, fill)
            frame = in_groups(dialect, frame, self.keys, self._kinds)
            if self._choice is not None:
                frame = chosen_rows(dialect, frame, self._choice, aliases, in_groups=True)
                frame = dialect.computed_once(frame, *aliases, "missing", "group")
            return RowsOfGroups(dialect, frame, len(self.keys), chosen=self._choice is not None)

        return self._once(("rows", names, fill), read)

    def in_bins(self, name: str | None, bins: NumberBins) -> GroupCounts:
        """How many numbers of a column each bin of each group holds."""

        def count() -> GroupCounts:
            records = self.table.records(name, self._choice, self.keys.names)
            return in_bins(self.table.dialect, self._chosen(records), bins)

        return self._once((name, bins.ends, bins.thresholds.tobytes()), count)

    def of_labels(self, name: str, labels: Labels) -> GroupCounts:
        """How many records of a column have each label in each group."""
        table = self.table
        kind = float if kind_of_labels(table.dialect, table.frame, name) is float else str

        def count() -> GroupCounts:
            read = table.records if kind is float else table.texts
            records = read(name, self._choice, self.keys.names)
            return of_labels(table.dialect, self._chosen(records), labels, kind)

        return self._once(("labels", name, labels.names), count)

    def _chosen(self, frame: Frame) -> Frame:
        """The records that take part, with the group of each."""
        frame = in_groups(self.table.dialect, frame, self.keys, self._kinds)
        if self._choice is None:
            return frame
        return chosen_without_lattice(self.table.dialect, frame, self._choice)

    def _once(self, key: Hashable, read: Callable[[], T]) -> T:
        if key not in self._cache:
            self._cache[key] = read()
        result: T = self._cache[key]
        return result


@dataclass(frozen=True, slots=True, repr=False)
class EngineGroupTable(Secret):
    """The rows of one group that take part: a `ColumnSource`. The choice of people's records is that of all groups."""

    tables: EngineGroupTables
    group: int

    @property
    def names(self) -> tuple[str, ...]:
        return self.tables.table.names

    @property
    def cluster(self) -> str | None:
        return self.tables.table.cluster

    def column(
        self, name: str | None, choice: Choice | None, question: str = "", *, streamed: bool = True
    ) -> Declared:
        return EngineGroupColumn(never_fetched, never_fetched, self.tables, self.group, name)

    def rows(self, choice: Choice | None) -> Declared:
        return self.column(None, choice)

    def labels(self, name: str, choice: Choice | None) -> NumbersOrLabels:
        labels = EngineGroupLabels(never_fetched, tables=self.tables, group=self.group, name=name)
        # bins were judged by the type of the whole column, before the debit: nothing may be refused here
        return NumbersOrLabels(lambda: self.column(name, choice), lambda: labels, True)

    def columns(
        self, names: tuple[str, ...], choice: Choice | None, question: str = "", *, streamed: bool = False
    ) -> tuple[Declared, ...]:
        source = EngineGroupRowSource(self.tables, self.group, names)
        return tuple(ColumnOfRows(never_fetched, never_fetched, source, index) for index in range(len(names)))

    def edges(self, names: tuple[str, ...], choice: Choice | None) -> object:
        raise SchemaError(
            "a graph", "must be asked of the whole table", why="a graph has no groups"
        ) from None


@dataclass(frozen=True, slots=True, repr=False)
class EngineGroupRowSource(Secret):
    """Several columns of one group."""

    tables: EngineGroupTables
    group: int
    names: tuple[str, ...]

    def read(
        self, columns: tuple[int, ...], fill: tuple[float, ...], lattice: Lattice, neighbors: Neighbors
    ) -> EngineGroupRows:
        names = tuple(self.names[column] for column in columns)
        return EngineGroupRows(self.tables.rows(names, fill), self.group, lattice, neighbors)


@dataclass(frozen=True, slots=True, repr=False)
class EngineGroupColumn(Declared):
    """One column of numbers of one group; of ones without a name."""

    tables: EngineGroupTables
    group: int
    name: str | None

    def read(self, lattice: Lattice, neighbors: Neighbors) -> Column:
        return self.tables.read(self.name, lattice, neighbors).streamed(self.group)

    def counts(self, bins: NumberBins) -> NDArray[np.int64]:
        return self.tables.in_bins(self.name, bins).of(self.group)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class EngineGroupLabels(DeclaredLabels):
    """One column of labels of one group."""

    tables: EngineGroupTables
    group: int
    name: str

    def counts(self, labels: Labels) -> NDArray[np.int64]:
        return self.tables.of_labels(self.name, labels).of(self.group)
