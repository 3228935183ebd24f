"""Fetch columns from an engine on this computer, after the debit, for questions that queries cannot answer.

People are fetched as the names that the engine writes, and groups as the indices of their keys. Both are separate
columns, because one column of the table may hold the records, name people and make groups. Rows without a declared key
are not fetched.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from noisewise.kernel.losses import Neighbors
from noisewise.kernel.numbers.arrays import Integers
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.kernel.secret import Secret
from noisewise.statistics.records import Column
from noisewise.tables.columns.array_column import Declared
from noisewise.tables.engines.dialect import Dialect, Frame
from noisewise.tables.engines.groups import in_groups
from noisewise.tables.engines.people import names_of_people
from noisewise.tables.groups.key_parts import Kind
from noisewise.tables.groups.keys import Keys
from noisewise.tables.local import LocalTable
from noisewise.tables.people import Choice

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw


@dataclass(frozen=True, slots=True)
class FetchPlan:
    """Which columns to fetch, which of them as numbers, in which groups, and the choice of people's records.

    All of it is public, except for the salt of the choice.
    """

    names: tuple[str, ...]
    numeric: tuple[str, ...]
    choice: Choice | None
    keys: Keys | None = None
    kinds: tuple[Kind, ...] = ()


@dataclass(frozen=True, slots=True, repr=False)
class Fetched(Secret):
    """Columns in memory, the choice of people's records, and the group of each row if there are groups."""

    table: LocalTable
    choice: Choice | None
    row_groups: Integers


def fetch(
    dialect: Dialect, frame: Frame, plan: FetchPlan, read: Callable[[Frame, dict[str, str]], Frame]
) -> Fetched:
    """Run the query. ``read`` converts columns to numbers. Its second argument maps names in the query to the
    table's."""
    import narwhals.stable.v2 as nw

    names = {f"column{index}": name for index, name in enumerate(dict.fromkeys(plan.names))}
    selected = [nw.col(name).alias(alias) for alias, name in names.items()]
    fetched, choice = list(names), plan.choice
    if plan.keys is not None:
        selected += [nw.col(key).alias(f"key{index}") for index, key in enumerate(plan.keys.names)]
        fetched.append("group")
    if choice is not None:
        selected.append(nw.col(choice.unit).alias("person"))
        fetched.append("person")
        names["person"] = max(("", *plan.names), key=len) + "_person"  # no column has this name
        choice = replace(choice, unit=names["person"])
    numeric = {alias: name for alias, name in names.items() if name in plan.numeric}
    frame = read(frame.select(*selected), numeric)
    if choice is not None and not _is_whole(frame.collect_schema()["person"]):
        frame = names_of_people(dialect, frame, "person")
    if plan.keys is not None:
        frame = in_groups(dialect, frame, plan.keys, plan.kinds)
    rows = dialect.collect(frame.select(*fetched))
    row_groups = np.empty(0, np.int64)
    if plan.keys is not None:
        row_groups = rows.get_column("group").to_numpy().astype(np.int64)
        rows = rows.drop("group")
    return Fetched(LocalTable(rows.rename(names)), choice, row_groups)


def _is_whole(dtype: "nw.dtypes.DType") -> bool:
    """Whether ids of this type can stay whole numbers, which all libraries read alike. This is faster than text."""
    import narwhals.stable.v2 as nw

    return bool(dtype.is_integer() and dtype not in (nw.Int128, nw.UInt128))


@dataclass(frozen=True, slots=True, repr=False)
class FetchedColumn(Declared):
    """A column that is fetched into memory when it is first read."""

    column: Callable[[], Declared]

    def read(self, lattice: Lattice, neighbors: Neighbors) -> Column:
        return self.column().read(lattice, neighbors)


def fetched_columns(
    names: tuple[str, ...], fetch: Callable[[], Fetched], size: Callable[[], int]
) -> tuple[FetchedColumn, ...]:
    """Columns that are fetched together when the first of them is read."""

    @cache
    def columns() -> tuple[Declared, ...]:
        fetched = fetch()
        if len(names) == 1:
            return (fetched.table.column(names[0], fetched.choice),)
        return fetched.table.columns(names, fetched.choice)

    def column(index: int) -> FetchedColumn:
        return FetchedColumn(lambda: columns()[index].fetch(), size, lambda: columns()[index])

    return tuple(column(index) for index in range(len(names)))
