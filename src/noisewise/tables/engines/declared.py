"""Columns behind an engine, of an accepted type and not yet looked at: reading them runs queries."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, NoReturn

import numpy as np
from numpy.typing import NDArray

from noisewise.errors import SchemaError
from noisewise.kernel.losses import Neighbors
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.kernel.secret import Secret
from noisewise.statistics.records import Column
from noisewise.tables.columns.array_column import Declared, NumberBins
from noisewise.tables.columns.labels import DeclaredLabels, Labels
from noisewise.tables.engines.bins import in_bins, of_labels
from noisewise.tables.engines.engine_column import EngineColumn
from noisewise.tables.engines.engine_records import distances
from noisewise.tables.engines.fetch import Fetched
from noisewise.tables.engines.groups import EngineGroups, in_groups, in_one_group
from noisewise.tables.engines.people import IN_ONE_GROUP, chosen, chosen_without_lattice
from noisewise.tables.groups.key_parts import Kind
from noisewise.tables.groups.keys import Keys
from noisewise.tables.people import Choice

if TYPE_CHECKING:
    from noisewise.tables.engines.engine_table import EngineTable


def never_fetched() -> NoReturn:
    """Stands for a fetch: a column that is answered by queries is never fetched."""
    raise SchemaError("a column behind an engine", "must be asked by queries") from None


@dataclass(frozen=True, slots=True, repr=False)
class EngineDeclared(Declared):
    """A column of numbers; of ones without a name."""

    table: "EngineTable"
    name: str | None
    choice: Choice | None

    def read(self, lattice: Lattice, neighbors: Neighbors) -> EngineColumn:
        dialect = self.table.dialect
        frame = distances(self.table.records(self.name, self.choice), "d", lattice, neighbors)
        if self.choice is not None:
            frame = dialect.kept(
                dialect.computed_once(chosen(dialect, frame, self.choice, IN_ONE_GROUP), "d")
            )
        return EngineColumn(dialect, frame.select("d"), lattice, neighbors)

    def counts(self, bins: NumberBins) -> NDArray[np.int64]:
        dialect, frame = self.table.dialect, in_one_group(self.table.records(self.name, self.choice))
        if self.choice is not None:
            frame = chosen_without_lattice(dialect, frame, self.choice, IN_ONE_GROUP)
        return in_bins(dialect, frame, bins).of(0)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class EngineLabels(DeclaredLabels):
    """A column of labels."""

    table: "EngineTable"
    name: str
    choice: Choice | None

    def counts(self, labels: Labels) -> NDArray[np.int64]:
        dialect, kind = self.table.dialect, float if self.kind is float else str
        read = self.table.records if kind is float else self.table.texts
        frame = in_one_group(read(self.name, self.choice))
        if self.choice is not None:
            frame = chosen_without_lattice(dialect, frame, self.choice, IN_ONE_GROUP)
        return of_labels(dialect, frame, labels, kind).of(0)


@dataclass(frozen=True, slots=True, repr=False)
class FetchedColumn(Declared):
    """A column that is fetched into memory once it is looked at."""

    column: Callable[[], Declared]

    def read(self, lattice: Lattice, neighbors: Neighbors) -> Column:
        return self.column().read(lattice, neighbors)


def fetched_columns(
    names: tuple[str, ...], fetch: Callable[[], Fetched], size: Callable[[], int]
) -> tuple[FetchedColumn, ...]:
    """Columns that are fetched together, once the first of them is looked at."""

    @cache
    def columns() -> tuple[Declared, ...]:
        fetched = fetch()
        if len(names) == 1:
            return (fetched.table.column(names[0], fetched.choice),)
        return fetched.table.columns(names, fetched.choice)

    def column(index: int) -> FetchedColumn:
        return FetchedColumn(lambda: columns()[index].fetch(), size, lambda: columns()[index])

    return tuple(column(index) for index in range(len(names)))


@dataclass(frozen=True, slots=True, repr=False)
class EngineDeclaredGroups(Secret):
    """A column of numbers in the groups of declared keys."""

    table: "EngineTable"
    name: str | None
    keys: Keys
    kinds: tuple[Kind, ...]
    choice: Choice | None

    def read(self, lattice: Lattice, neighbors: Neighbors) -> EngineGroups:
        dialect = self.table.dialect
        frame = self.table.records(self.name, self.choice, self.keys.names)
        frame = in_groups(dialect, distances(frame, "d", lattice, neighbors), self.keys, self.kinds)
        if self.choice is not None:
            frame = dialect.kept(dialect.computed_once(chosen(dialect, frame, self.choice), "d", "group"))
        return EngineGroups(dialect, frame, len(self.keys), lattice, neighbors)
