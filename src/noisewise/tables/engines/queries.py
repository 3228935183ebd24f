"""How a question reads a table behind an engine, or each of its groups. Every number comes from a query.

A question about groups is answered one group after the other. The query of the first group is about all groups, and the
later groups find their numbers there. So the number of queries does not grow with the number of groups, except for
order statistics on large lattices (`groups.EngineGroup`). Which records of a person take part is decided as in memory,
over the records in all groups. Proof: docs/proofs/engines.md.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

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
from noisewise.tables.engines.dialect import Expression, Frame
from noisewise.tables.engines.engine_column import EngineColumn
from noisewise.tables.engines.engine_records import distances, kind_of_labels, signless
from noisewise.tables.engines.groups import EngineGroups, in_groups
from noisewise.tables.engines.people import chosen
from noisewise.tables.engines.rows import AllRows, EngineRows, filled
from noisewise.tables.engines.totals import rows_of_totals, totals
from noisewise.tables.groups.key_parts import Kind
from noisewise.tables.groups.keys import Keys
from noisewise.tables.people import Choice

if TYPE_CHECKING:
    from noisewise.tables.engines.engine_table import EngineTable

T = TypeVar("T")


def never_fetched() -> NoReturn:
    """Take the place of the function that fetches a column, if queries answer all questions about the column."""
    raise SchemaError("a column behind an engine", "must be asked by queries") from None


class TableQueries(Secret):
    """The queries of one question about a table, or about all its declared groups. A table without keys is one group.

    ``queries[g]`` is the table of group g, to which a question is bound.
    """

    def __init__(
        self,
        table: "EngineTable",
        choice: Choice | None,
        keys: Keys | None = None,
        kinds: tuple[Kind, ...] = (),
    ) -> None:
        self.table, self.keys = table, keys
        self._kinds, self._choice = kinds, choice
        self._answers: dict[Hashable, Any] = {}

    def __len__(self) -> int:
        return 1 if self.keys is None else len(self.keys)

    def __getitem__(self, group: int) -> "EngineGroupTable":
        return EngineGroupTable(self, group)

    def column(self, name: str | None, lattice: Lattice, neighbors: Neighbors) -> EngineColumn:
        """A column of a table without keys. Without a name it is a column of ones."""
        return EngineColumn(
            self.table.dialect, self._distances(name, lattice, neighbors).select("d"), lattice, neighbors
        )

    def groups(self, name: str | None, lattice: Lattice, neighbors: Neighbors) -> EngineGroups:
        """The column in all groups. Without a name it is a column of ones."""

        def read() -> EngineGroups:
            frame = self._distances(name, lattice, neighbors)
            return EngineGroups(self.table.dialect, frame, len(self), lattice, neighbors)

        return self._once((name, lattice, neighbors), read)

    def rows(self, names: tuple[str, ...], fill: tuple[float, ...], neighbors: Neighbors) -> AllRows:
        """Rows of several columns."""
        import narwhals.stable.v2 as nw

        def read() -> AllRows:
            dialect, aliases = self.table.dialect, [f"c{index}" for index in range(len(names))]
            frame = self.table.row_records(names, self._choice, self._key_names)
            frame = filled(frame, aliases, fill)
            if self._choice is not None:
                frame = frame.with_columns(*(signless(nw.col(alias)).alias(alias) for alias in aliases))
            frame = self._taking_part(frame, nw.col("missing") == 0.0, *aliases)
            if self._choice is not None:
                frame = dialect.computed_once(frame, *aliases, "missing", "group")
            return AllRows(
                dialect,
                frame,
                neighbors,
                groups=None if self.keys is None else len(self),
                chosen=self._choice is not None,
            )

        return self._once(("rows", names, fill, neighbors), read)

    def in_bins(self, name: str | None, bins: NumberBins) -> GroupCounts:
        """How many numbers of a column lie in each bin, for each group."""

        def count() -> GroupCounts:
            records = self.table.records(name, self._choice, self._key_names)
            return in_bins(self.table.dialect, self._taking_part(records, _is_number(), "d"), bins)

        return self._once((name, bins.ends, bins.thresholds.tobytes()), count)

    def of_labels(self, name: str, labels: Labels) -> GroupCounts:
        """How many records of a column have each label in each group."""
        import narwhals.stable.v2 as nw

        table = self.table
        kind = float if kind_of_labels(table.dialect, table.frame, name) is float else str

        def count() -> GroupCounts:
            read, present = (
                (table.records, _is_number()) if kind is float else (table.texts, ~nw.col("d").is_null())
            )
            records = read(name, self._choice, self._key_names)
            return of_labels(table.dialect, self._taking_part(records, present, "d"), labels, kind)

        return self._once(("labels", name, labels.names), count)

    @property
    def _key_names(self) -> tuple[str, ...]:
        return () if self.keys is None else self.keys.names

    def _distances(self, name: str | None, lattice: Lattice, neighbors: Neighbors) -> Frame:
        """Distances ``d`` of the records that take part, with the ``group`` of each."""
        import narwhals.stable.v2 as nw

        dialect = self.table.dialect
        frame = self.table.records(name, self._choice, self._key_names)
        if self._choice is not None and self._choice.total is not None:
            frame = self._in_groups(rows_of_totals(frame, self._choice.total, lattice))
            frame = totals(frame, self._choice.total, lattice)
            if self.keys is not None:
                frame = chosen(dialect, frame, self._choice, nw.col("d") >= 0.0, "d")
            return dialect.kept(dialect.computed_once(frame, "d", "group"))
        frame = self._taking_part(distances(frame, "d", lattice, neighbors), nw.col("d") >= 0.0, "d")
        if self._choice is None:
            return frame
        return dialect.kept(dialect.computed_once(frame, "d", "group"))

    def _taking_part(self, frame: Frame, present: Expression, *columns: str) -> Frame:
        """The records that take part, with the ``group`` of each. If people's records are not chosen, records that are
        not ``present`` stay in the frame."""
        frame = self._in_groups(frame)
        if self._choice is None:
            return frame
        return chosen(self.table.dialect, frame, self._choice, present, *columns)

    def _in_groups(self, frame: Frame) -> Frame:
        """The frame with the ``group`` of each record, and without records of other groups."""
        import narwhals.stable.v2 as nw

        if self.keys is None:
            return frame.with_columns(nw.lit(0, nw.Int64).alias("group"))
        return in_groups(self.table.dialect, frame, self.keys, self._kinds)

    def _once(self, key: Hashable, read: Callable[[], T]) -> T:
        """Run a query about all groups, and keep its result for the later groups."""
        if self.keys is None:
            return read()
        if key not in self._answers:
            self._answers[key] = read()
        answer: T = self._answers[key]
        return answer


def _is_number() -> Expression:
    import narwhals.stable.v2 as nw

    return ~(nw.col("d").is_null() | nw.col("d").is_nan())


@dataclass(frozen=True, slots=True, repr=False)
class EngineGroupTable(Secret):
    """The rows of one group that take part: a `ColumnSource`. People's records are chosen once, for all groups
    together."""

    queries: TableQueries
    group: int

    @property
    def names(self) -> tuple[str, ...]:
        return self.queries.table.names

    @property
    def cluster(self) -> str | None:
        return self.queries.table.cluster

    def column(
        self, name: str | None, choice: Choice | None, question: str = "", *, streamed: bool = True
    ) -> Declared:
        return QueriedColumn(never_fetched, never_fetched, self.queries, self.group, name)

    def rows(self, choice: Choice | None) -> Declared:
        return self.column(None, choice)

    def labels(self, name: str, choice: Choice | None) -> NumbersOrLabels:
        labels = QueriedLabels(never_fetched, queries=self.queries, group=self.group, name=name)
        # bins were checked by the type of the whole column, before the debit: nothing may be refused here
        return NumbersOrLabels(lambda: self.column(name, choice), lambda: labels, True)

    def columns(
        self, names: tuple[str, ...], choice: Choice | None, question: str = "", *, streamed: bool = False
    ) -> tuple[Declared, ...]:
        source = QueriedRows(self.queries, self.group, names)
        return tuple(ColumnOfRows(never_fetched, never_fetched, source, index) for index in range(len(names)))

    def edges(self, names: tuple[str, ...], choice: Choice | None) -> object:
        raise SchemaError(
            "a graph", "must be asked of the whole table", why="a graph has no groups"
        ) from None


@dataclass(frozen=True, slots=True, repr=False)
class QueriedRows(Secret):
    """Several columns of a table or of one group."""

    queries: TableQueries
    group: int
    names: tuple[str, ...]

    def read(
        self, columns: tuple[int, ...], fill: tuple[float, ...], lattice: Lattice, neighbors: Neighbors
    ) -> EngineRows:
        names = tuple(self.names[column] for column in columns)
        return EngineRows(self.queries.rows(names, fill, neighbors), self.group, lattice, neighbors)


@dataclass(frozen=True, slots=True, repr=False)
class QueriedColumn(Declared):
    """One column of numbers of a table or of one group, or of ones if it has no name."""

    queries: TableQueries
    group: int
    name: str | None

    def read(self, lattice: Lattice, neighbors: Neighbors) -> Column:
        if self.queries.keys is None:
            return self.queries.column(self.name, lattice, neighbors)
        return self.queries.groups(self.name, lattice, neighbors).group(self.group)

    def counts(self, bins: NumberBins) -> NDArray[np.int64]:
        return self.queries.in_bins(self.name, bins).of(self.group)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class QueriedLabels(DeclaredLabels):
    """One column of labels of a table or of one group."""

    queries: TableQueries
    group: int
    name: str

    def counts(self, labels: Labels) -> NDArray[np.int64]:
        return self.queries.of_labels(self.name, labels).of(self.group)


@dataclass(frozen=True, slots=True, repr=False)
class QueriedGroups(Secret):
    """A column of numbers in the groups of declared keys, or of ones if it has no name."""

    queries: TableQueries
    keys: Keys
    name: str | None

    def read(self, lattice: Lattice, neighbors: Neighbors) -> EngineGroups:
        return self.queries.groups(self.name, lattice, neighbors)
