"""A table in memory: a data frame of pandas, Polars or PyArrow, read through narwhals column by column.

Without people a column is returned and not copied. With people the whole column is read, and `NamedPeople` chooses the
rows that take part. Conditions are evaluated after the debit, and cannot fail at any record.
"""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from itertools import compress
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

import numpy as np
from numpy.typing import NDArray

from noisewise.errors import ColumnName, SchemaError
from noisewise.kernel.losses import Neighbors
from noisewise.kernel.numbers.arrays import Booleans, Integers
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.kernel.secret import Secret
from noisewise.tables.columns.array_column import (
    TEXTS,
    ArrayColumn,
    Declared,
    NumbersOrLabels,
    declare,
    declares_fractions,
    nearest_float64,
)
from noisewise.tables.columns.conversions import from_text, typed
from noisewise.tables.columns.edge_lists import DeferredEdges, declare_graph, kind_of_names
from noisewise.tables.columns.indicators import Indicator
from noisewise.tables.columns.labels import DeclaredLabels, declare_labels, series_records
from noisewise.tables.conditions import ColumnKind, Comparison, Condition, Text, compared
from noisewise.tables.groups.grouped_column import DeclaredLocalGroups, SortedColumn
from noisewise.tables.groups.key_counts import KeyCounts
from noisewise.tables.groups.key_indices import key_indices, key_kinds, look_up
from noisewise.tables.groups.keys import Keys
from noisewise.tables.groups.one_by_one import GroupReader, RowsInGroups
from noisewise.tables.people import Choice, NamedPeople, label_order, order_of_numbers
from noisewise.tables.table import Reading
from noisewise.tables.time.clock import Clock
from noisewise.tables.time.ticks import Held, held_in_memory, ticks_of, whole_numbers

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw


Passing: TypeAlias = Callable[[], Booleans]
"""Returns which rows pass. Each call reads the data again. Secret."""


def column_kind(frame: "nw.DataFrame[Any]", name: str) -> ColumnKind:
    """The kind of a column in conditions. Its declared type alone decides."""
    series = frame.get_column(name)
    if (held := held_in_memory(series)) is not None:
        return held
    try:
        declare(series.to_native())
        return "number"
    except SchemaError:
        pass
    try:
        return "other" if declare_labels(series.to_native()).kind is float else "text"
    except SchemaError:
        return "other"


def rows_passing(frame: "nw.DataFrame[Any]", condition: Condition) -> Booleans:
    """Whether each row passes."""
    passing: Booleans = condition.combined(lambda each: _holds(frame.get_column(each.column), each))
    return passing


def _holds(series: "nw.Series[Any]", comparison: Comparison) -> Booleans:
    """Whether one comparison is true for each record. For a missing record only "is missing" is true."""
    reading, literals = comparison.reading, comparison.literals
    if isinstance(reading, Text):
        among = look_up(series, list(dict.fromkeys(literals))) >= 0
        if comparison.relation == "in":
            return among
        texts = (issubclass(type(record), str) for record in series_records(series))
        return np.fromiter(texts, np.bool_, len(series)) & ~among
    if isinstance(reading, Clock):
        numbers = reading.read(series)
    elif isinstance(reading, Indicator):
        numbers = reading.declare(series.to_native()).numbers()
    else:
        numbers = declare(series.to_native()).numbers()
    present = ~np.isnan(numbers)
    if not literals:
        return present if comparison.relation == "present" else ~present
    true: Booleans = present & compared(comparison.relation, numbers, literals)
    return true


class LocalTable(Secret):
    """A data frame in memory."""

    def __init__(
        self,
        frame: "nw.DataFrame[Any]",
        readings: dict[str, Reading] | None = None,
        passing: Passing | None = None,
    ) -> None:
        self.frame = frame  # all rows, in a frame of narwhals
        self._readings, self._passing = readings or {}, passing

    def snapshot(self) -> AbstractContextManager[object]:
        return nullcontext()

    def where(self, condition: Condition) -> "LocalTable":
        """The same table with only the rows that pass. Which rows pass is read after the debit."""
        checked = condition.checked(self.names, partial(column_kind, self.frame))
        return LocalTable(self.frame, self._readings, lambda: rows_passing(self.frame, checked))

    @property
    def _rows(self) -> "nw.DataFrame[Any]":
        """The rows that pass. Secret."""
        if self._passing is None:
            return self.frame
        import narwhals.stable.v2 as nw

        # a series, since narwhals refuses an empty list of booleans
        return self.frame.filter(nw.new_series("", self._passing(), backend=self.frame.implementation))

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.frame.columns)

    def holds(self, name: str) -> Held:
        return held_in_memory(self.frame.get_column(name))

    def read_as(self, name: str, reading: Reading) -> "LocalTable":
        if isinstance(reading, Clock):
            self._check_times(name, reading.kind)
        return LocalTable(self.frame, {**self._readings, name: reading}, self._passing)

    def _check_times(self, name: str, kind: str) -> None:
        """Refuse a column of objects or of text for a question about dates, times or durations."""
        column, series, held = f"column {name!r}", self.frame.get_column(name), self.holds(name)
        if held == "object":
            got, fix = (
                "object, which declares nothing",
                f"give it one first, as in {typed(series, column, kind)}",
            )
        elif held is None and (declared := str(series.dtype).partition("(")[0]) in TEXTS:
            way = from_text(series, column, kind, categories=declared != "String")
            got, fix = declared, f"make one of text first{way}"
        else:
            return
        rule = "must have a type of dates, times or durations"
        raise SchemaError(column, rule, got=f"a series of type {got}", fix=fix) from None

    @property
    def cluster(self) -> None:
        return None

    @property
    def is_text(self) -> bool:
        return False

    @property
    def native_frame(self) -> object:
        native: object = self.frame.to_native()
        return native

    def column(
        self, name: str, choice: Choice | None, question: str = "", *, streamed: bool = True
    ) -> Declared:
        return self._of_people(self.numbers(name), choice)

    def columns(
        self, names: tuple[str, ...], choice: Choice | None, question: str = "", *, streamed: bool = False
    ) -> tuple[Declared, ...]:
        declared = tuple(map(self.numbers, names))
        if choice is None:
            return declared
        pick = Pick(declared, self.people(choice), choice)
        return tuple(
            Declared(lambda index=index: (pick.values[index], None), column.size)  # type: ignore[misc]
            for index, column in enumerate(declared)
        )

    def labels(self, name: str, choice: Choice | None) -> NumbersOrLabels:
        fractional = declares_fractions(self.frame.get_column(name).to_native())
        return NumbersOrLabels(
            lambda: self.column(name, choice), lambda: self._labels(name, choice), fractional
        )

    def rows(self, choice: Choice | None) -> Declared:
        ones = self._passed(Declared(lambda: (np.ones(len(self.frame)), None), lambda: len(self.frame)))
        return self._of_people(ones, choice)

    def _of_people(self, column: Declared, choice: Choice | None) -> Declared:
        """The records of a column that take part."""
        if choice is None:
            return column
        if choice.total is not None:
            return TotalColumn(withheld, column.size, column, self.people(choice), choice)
        return PickedColumn.of(column, self.people(choice), choice)

    def grouped(self, name: str | None, keys: Keys, choice: Choice | None) -> DeclaredLocalGroups:
        column = self.rows(None) if name is None else self.numbers(name)
        fitted = keys.fit(key_kinds(self.frame, keys.names)).among(self.frame)
        people = None if choice is None else self.people(choice)
        return DeclaredLocalGroups(column, lambda: self._row_groups(fitted), fitted, people, choice)

    def in_groups(
        self, columns: tuple[str, ...], keys: Keys, choice: Choice | None, question: str
    ) -> GroupReader:
        fitted = keys.fit(key_kinds(self.frame, keys.names))
        rows = cache(lambda: self.rows_in_groups(self._row_groups(fitted), choice))
        return GroupReader(fitted, lambda names, labels: rows())

    def streamed_groups(
        self, columns: tuple[str, ...], keys: Keys, choice: Choice | None, *, of_rows: bool = False
    ) -> None:
        return None

    def rows_in_groups(self, row_groups: Integers, choice: Choice | None) -> RowsInGroups:
        """All columns, with the group of each row. The owners of the rows are read here."""
        people = None if choice is None else self.people(choice)()

        def numbers(name: str | None) -> Declared:
            return self.rows(None) if name is None else self.numbers(name)

        return RowsInGroups(numbers, self._all_labels, row_groups, people)

    def _row_groups(self, keys: Keys) -> Integers:
        """The group of each row that passes, or -1."""
        groups = key_indices(self.frame, keys)
        return groups if self._passing is None else groups[self._passing()]

    def count_keys(self, names: tuple[str, ...], choice: Choice | None, most: int) -> Callable[[], KeyCounts]:
        key_kinds(self.frame, names)  # refuses columns of types that cannot make groups
        people = None if choice is None else self.people(choice)
        return lambda: KeyCounts.of(self._rows, names, people and people(), choice, most)

    def edges(self, names: tuple[str, ...], choice: Choice | None) -> object:
        refuse_people(choice)
        edges = self.frame.select(*names).to_native()
        if self._passing is None:
            return edges
        declare_graph((edges, []))  # refuses by type
        return DeferredEdges(lambda: self._rows.select(*names).to_native(), kind_of_names(edges))

    def people(self, choice: Choice) -> Callable[[], NamedPeople]:
        """A function that returns the owner of each row that passes. It reads the data after the debit."""
        people, passing = self._all_people(choice), self._passing
        if passing is None:
            return people

        def of_those() -> NamedPeople:
            owners = people()
            return replace(owners, codes=owners.codes[passing()])

        return of_those

    def owners(self, choice: Choice | None) -> Callable[[], Integers]:
        """A function that returns the person of each row as a number, or -1 if the row takes no part.

        Without people every row is a person. The function reads the data after the debit.
        """
        people, passing = None if choice is None else self._all_people(choice), self._passing

        def of_rows() -> Integers:
            codes = np.arange(len(self.frame)) if people is None else people().codes
            return codes if passing is None else np.where(passing(), codes, -1)

        return of_rows

    def _all_people(self, choice: Choice) -> Callable[[], NamedPeople]:
        series, declared, held = self.frame.get_column(choice.unit), None, self.holds(choice.unit)
        if held in ("time", "duration"):  # they name nobody, and some engines have no number for them
            raise SchemaError(
                "unit",
                "must be a column of text, numbers, booleans or dates",
                got=("column ", ColumnName(choice.unit), f" of type {held.capitalize()}"),
            ) from None
        if held not in ("object", None):
            return lambda: NamedPeople.of(*ticks_of(series)[:2])
        try:
            declared = declare_labels(series.to_native())
        except SchemaError:
            pass
        if declared is None:
            raise SchemaError(
                "unit",
                "must be a column of whole numbers or text",
                got=("the column ", ColumnName(choice.unit), " of another type"),
                fix="make it text first",
            ) from None
        if declared.kind is float and series.dtype.is_integer():
            # never as floats, which a single missing number makes of them: different people could become one
            return lambda: NamedPeople.of(*whole_numbers(series))
        return lambda: NamedPeople.of(declared.fetch())

    def with_truths(self, names: tuple[str, ...]) -> "LocalTable":
        return self

    def compared_with(self, name: str, values: Sequence[object]) -> "LocalTable":
        return self

    def notes(self, names: tuple[str, ...]) -> tuple[str, ...]:
        return ()

    def result_frame(self, columns: dict[str, Any]) -> Any:
        import narwhals.stable.v2 as nw

        return nw.from_dict(columns, backend=self.frame.implementation).to_native()

    def _labels(self, name: str, choice: Choice | None) -> DeclaredLabels:
        declared = self._all_labels(name)
        if choice is None:
            return declared
        people = self.people(choice)

        def fetch() -> Any:
            records, owners = declared.fetch(), people()
            present, order = label_order(records)
            kept = owners.keep(present, np.zeros(present.size, np.int64), order, choice)
            return _only(records, kept)

        return DeclaredLabels(fetch, declared.kind)

    def _all_labels(self, name: str) -> DeclaredLabels:
        """A column of labels with the records of all people. No record is read yet."""
        declared, passing = declare_labels(self.series(name), f"column {name!r}"), self._passing
        if passing is None:
            return declared

        def fetch() -> Any:
            return _only(declared.fetch(), passing())

        return DeclaredLabels(fetch, declared.kind)

    def numbers(self, name: str) -> Declared:
        """A column of numbers. No record is read yet. A column of another type is refused."""
        return self._passed(declare(self.series(name), f"column {name!r}"))

    def _passed(self, declared: Declared) -> Declared:
        """The records of the rows that pass."""
        passing = self._passing
        if passing is None:
            return declared

        def fetch() -> tuple[NDArray[Any], Booleans | None]:
            (values, mask), kept = declared.fetch(), passing()
            return values[kept], None if mask is None else mask[kept]

        return Declared(fetch, lambda: int(passing().sum()))

    def series(self, name: str) -> Any:
        """A column for `declare`. If the column has a reading, it is declared already."""
        series, reading = self.frame.get_column(name), self._readings.get(name)
        if reading is None:
            return series.to_native()
        if isinstance(reading, Clock):
            return Declared(lambda: (reading.read(series), None), lambda: len(series))
        return reading.declare(series.to_native(), f"column {name!r}")


def _only(records: NDArray[Any] | Sequence[object], kept: Booleans) -> NDArray[Any] | list[object]:
    """The records that are marked by ``kept``."""
    return records[kept] if isinstance(records, np.ndarray) else list(compress(records, kept))


def refuse_people(choice: Choice | None) -> None:
    """Refuse a unit for a graph, because an edge belongs to no single person."""
    if choice is not None:
        raise SchemaError(
            "unit", "must be left out for a graph, whose edges are the records", got=repr(choice.unit)
        ) from None


@dataclass(frozen=True, slots=True, repr=False)
class PickedColumn(Declared):
    """One column of the rows that take part. Rows are sorted by lattice index and chosen, as on every engine.

    If there is no lattice, rows are sorted by their numbers, as for several columns.
    """

    whole: Declared
    people: Callable[[], NamedPeople]
    choice: Choice

    @classmethod
    def of(cls, column: Declared, people: Callable[[], NamedPeople], choice: Choice) -> "PickedColumn":
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


@dataclass(frozen=True, slots=True, repr=False)
class TotalColumn(Declared):
    """One column whose rows become one record for each person, on the lattice of the question."""

    whole: Declared
    people: Callable[[], NamedPeople]
    choice: Choice

    def read(self, lattice: Lattice, neighbors: Neighbors) -> SortedColumn:
        numbers = self.whole.numbers()
        nowhere = np.zeros(numbers.size, np.int64)
        _, indices = self.people().totals(~np.isnan(numbers), nowhere, numbers, lattice, self.choice)
        return SortedColumn(np.sort(indices), lattice, neighbors)


def withheld() -> NoReturn:
    """Take the place of the function that returns the rows of a column, if a question must not see them."""
    raise SchemaError("per_person", "must be left out for this question") from None


class Pick(Secret):
    """Several columns of the rows that take part. Rows are sorted by their numbers and chosen, once and after the
    debit."""

    def __init__(
        self, columns: tuple[Declared, ...], people: Callable[[], NamedPeople], choice: Choice
    ) -> None:
        self._columns, self._people, self._choice = columns, people, choice

    @cached_property
    def values(self) -> list[NDArray[np.float64]]:
        columns = [column.numbers() for column in self._columns]
        present = ~np.logical_or.reduce([np.isnan(numbers) for numbers in columns])
        order = tuple(map(order_of_numbers, columns))
        kept = self._people().keep(present, np.zeros(present.size, np.int64), order, self._choice)
        return [numbers[kept] for numbers in columns]
