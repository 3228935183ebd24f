"""A table behind an engine: a Polars LazyFrame, a DuckDB relation, a PySpark DataFrame or a table in PostgreSQL.

Queries answer questions that need only counts, order statistics and sums, of a column or of formulas over rows. For
other questions an engine on this computer fetches the columns after the debit, and Spark refuses them before the debit.
Record by record, an engine computes what memory computes. Proof: docs/proofs/engines.md.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from copy import copy
from functools import cache, cached_property, partial
from typing import Any, Self

from noisewise.errors import ColumnName, SchemaError
from noisewise.kernel.secret import Secret
from noisewise.tables.columns.array_column import FRACTIONAL, Declared, NumbersOrLabels
from noisewise.tables.columns.array_rows import ColumnOfRows
from noisewise.tables.columns.edge_lists import DeferredEdges
from noisewise.tables.columns.indicators import Indicator
from noisewise.tables.columns.labels import DeclaredLabels
from noisewise.tables.conditions import Condition, Text
from noisewise.tables.engines.dialect import Columns, Dialect, FirstPass, Frame
from noisewise.tables.engines.duckdb import DuckDBDialect
from noisewise.tables.engines.engine_column import rows_of
from noisewise.tables.engines.engine_records import (
    Spelling,
    check_numbers,
    check_times,
    in_microseconds,
    indicated,
    kind_of_labels,
    numbers,
)
from noisewise.tables.engines.fetch import Fetched, FetchedColumn, FetchPlan, fetch, fetched_columns
from noisewise.tables.engines.key_counts import key_counts
from noisewise.tables.engines.passing import column_kind, rows_passing
from noisewise.tables.engines.people import check_text, check_unit, names_of_people
from noisewise.tables.engines.polars import PolarsDialect
from noisewise.tables.engines.postgres import PostgresDialect
from noisewise.tables.engines.queries import (
    QueriedColumn,
    QueriedGroups,
    QueriedLabels,
    QueriedRows,
    TableQueries,
    never_fetched,
)
from noisewise.tables.engines.rows import MOST_COLUMNS, can_be_held
from noisewise.tables.engines.spark import SparkDialect
from noisewise.tables.files.file_state import FileState
from noisewise.tables.groups.key_counts import KeyCounts
from noisewise.tables.groups.key_parts import Kind
from noisewise.tables.groups.keys import Keys, kind_of
from noisewise.tables.groups.one_by_one import GroupReader, RowsInGroups
from noisewise.tables.local import refuse_people
from noisewise.tables.people import Choice
from noisewise.tables.table import Reading
from noisewise.tables.time.clock import Clock
from noisewise.tables.time.ticks import Held

DIALECTS: tuple[type[Dialect], ...] = (PolarsDialect, DuckDBDialect, SparkDialect, PostgresDialect)


def dialect_of(
    frame: Frame, progress: FirstPass | None = None, after: Callable[[], None] | None = None
) -> Dialect:
    """Find the engine behind a narwhals LazyFrame. Raise an error that lists the engines if there is none."""
    name = str(frame.implementation.value)
    for dialect in DIALECTS:
        if name in dialect.implementations and dialect.accepts(frame):
            return dialect(progress, after)
    raise SchemaError("data", "must be a frame of Polars, DuckDB or Spark", got=f"one of {name}") from None


class EngineTable(Secret):
    """A table behind an engine.

    Args:
        frame: A narwhals LazyFrame of Polars, DuckDB, PySpark or Ibis.
        text: How columns of text spell numbers, for a text file.
        files: The files behind the frame, if any. They must stay as they were when they were opened.
        progress: Called when a query begins and ends.
        readings: How columns that hold no numbers are read as numbers, by their names.
        dialect: The engine, if the frame alone does not say how to query it.
        condition: Which rows take part, checked against the types of its columns. If it is None, all rows do.
    """

    def __init__(
        self,
        frame: Frame,
        *,
        text: Spelling | None = None,
        files: FileState | None = None,
        progress: FirstPass | None = None,
        readings: dict[str, Reading] | None = None,
        dialect: Dialect | None = None,
        condition: Condition | None = None,
    ) -> None:
        self._frame, self._text, self._files, self._readings = frame, text, files, readings or {}
        self._condition = condition
        changed = None if files is None else files.fail_if_changed
        self.dialect = dialect or dialect_of(frame, progress, changed)

    @property
    def frame(self) -> Frame:
        """The frame that queries run on."""
        return self._frame

    @property
    def native_frame(self) -> object:
        native: object = self._frame.to_native()
        return native

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(self.types)

    @property
    def is_text(self) -> bool:
        """Whether the data is a text file. Its columns of text are read as numbers."""
        return self._text is not None

    @cached_property
    def types(self) -> dict[str, Any]:
        """The declared type of each column, a type of narwhals. Public."""
        return dict(self._frame.collect_schema())

    @property
    def cluster(self) -> str | None:
        return None if self.dialect.local else self.dialect.name

    def fetch_columns(self) -> None:
        """Fetch every column of numbers once, for public data about which hundreds of questions are asked."""
        self.dialect.fetches = True

    def column(
        self, name: str, choice: Choice | None, question: str = "", *, streamed: bool = True
    ) -> Declared:
        if not streamed or self.dialect.fetches:
            return self._in_memory((name,), choice, question)[0]
        self._check((name,), choice)
        return self._streamed(name, choice)

    def rows(self, choice: Choice | None) -> Declared:
        self._check((), choice)
        self.dialect.check_rows(self._frame)
        return self._streamed(None, choice)

    def columns(
        self, names: tuple[str, ...], choice: Choice | None, question: str = "", *, streamed: bool = False
    ) -> tuple[Declared, ...]:
        many = f" of more than {MOST_COLUMNS} columns" if len(names) > MOST_COLUMNS else ""
        if many or not streamed or not self.dialect.computes_rows or self.dialect.fetches:
            return self._in_memory(names, choice, (question or "a question about several columns") + many)
        self._check(names, choice)
        source, size = QueriedRows(TableQueries(self, choice), 0, names), cache(self._size)
        return tuple(ColumnOfRows(never_fetched, size, source, index) for index in range(len(names)))

    def labels(self, name: str, choice: Choice | None) -> NumbersOrLabels:
        def numbers() -> Declared:
            self._check((name,), choice)
            return self._streamed(name, choice)

        def labels() -> QueriedLabels:
            self._check((), choice, (name,))
            kind = kind_of_labels(self.dialect, self._frame, name)
            return QueriedLabels(never_fetched, kind, queries=TableQueries(self, choice), group=0, name=name)

        return NumbersOrLabels(numbers, labels, str(self.types[name]).lower().startswith(FRACTIONAL))

    def edges(self, names: tuple[str, ...], choice: Choice | None) -> DeferredEdges:
        self._check((), choice)
        refuse_people(choice)
        kinds = {
            None
            if self.dialect.is_uuid(self._frame, name)
            else kind_of_labels(self.dialect, self._frame, name)
            for name in names
        }
        fetch = self.fetcher(names, None, "a question about graphs")
        return DeferredEdges(
            lambda: fetch().table.edges(names, None), kinds.pop() if len(kinds) == 1 else None
        )

    def grouped(self, name: str | None, keys: Keys, choice: Choice | None) -> QueriedGroups:
        self._check(() if name is None else (name,), choice, keys.names)
        kinds = self._kinds(keys.names)
        fitted = keys.fit(kinds).among(self._frame)
        return QueriedGroups(TableQueries(self, choice, fitted, kinds), fitted, name)

    def in_groups(
        self, columns: tuple[str, ...], keys: Keys, choice: Choice | None, question: str
    ) -> GroupReader:
        """The columns are fetched when they are read. Columns on other computers are refused."""
        fitted = keys.fit(self._kinds(keys.names))
        # columns that cannot be fetched are refused now, before the debit
        self.fetcher(columns, choice, question, keys=fitted)

        def read(names: tuple[str, ...], labels: bool) -> RowsInGroups:
            numeric = tuple(name for name in names if not labels or self.types[name].is_numeric())
            fetched = self.fetcher(names, choice, question, numeric=numeric, keys=fitted)()
            return fetched.table.rows_in_groups(fetched.row_groups, fetched.choice)

        return GroupReader(fitted, read)

    def streamed_groups(
        self, columns: tuple[str, ...], keys: Keys, choice: Choice | None, *, of_rows: bool = False
    ) -> TableQueries | None:
        if self.dialect.fetches:
            return None
        if of_rows and not (self.dialect.computes_rows and can_be_held(len(columns), len(keys))):
            return None
        self._check((), choice, keys.names)
        self._check_names((*columns, *keys.names, *_unit(choice)))
        kinds = self._kinds(keys.names)
        return TableQueries(self, choice, keys.fit(kinds), kinds)

    def _kinds(self, keys: tuple[str, ...]) -> tuple[Kind, ...]:
        """The kinds of keys in some columns. Columns that cannot make groups are refused."""
        kinds = tuple(kind_of(self.types[key], key) for key in keys)
        if "any" in kinds:
            raise SchemaError(
                "group_by",
                f"must be of a type that {self.dialect.name} can compare",
                got=("column ", ColumnName(keys[kinds.index("any")]), " of Python objects"),
            ) from None
        return kinds

    def count_keys(self, names: tuple[str, ...], choice: Choice | None, most: int) -> Callable[[], KeyCounts]:
        self._check((), choice, names)
        kinds = self._kinds(names)
        return lambda: key_counts(self.dialect, self.records(None, choice, names), names, kinds, choice, most)

    def snapshot(self) -> AbstractContextManager[object]:
        self.dialect.begin()
        return self.dialect.snapshot(self._frame)

    def holds(self, name: str) -> Held:
        self.dialect.check_open(self._frame)
        return self.dialect.holds(self._frame, name)

    def read_as(self, name: str, reading: Reading) -> "EngineTable":
        self._check_reading(name, reading)
        return self._but(_readings={**self._readings, name: reading})

    def where(self, condition: Condition) -> "EngineTable":
        self.dialect.check_open(self._frame)
        checked = condition.checked(self.names, partial(column_kind, self.dialect, self._frame, self._text))
        for comparison in checked.comparisons:
            if isinstance(comparison.reading, Text):
                check_text(self.dialect, self._frame, comparison.column)
        self._check_names(checked.columns)
        return self._but(_condition=checked)

    def _but(self, **changed: Any) -> Self:
        """The same table with other values of some attributes."""
        table = copy(self)
        vars(table).update(changed)
        return table

    def _check_reading(self, name: str, reading: Reading) -> None:
        """Refuse to read a column of text as one of time, unless it is in a text file."""
        if isinstance(reading, Clock) and self._text is None:
            check_times(self.dialect, self._frame, name, reading.kind)

    def with_truths(self, names: tuple[str, ...]) -> "EngineTable":
        return self

    def compared_with(self, name: str, values: Sequence[object]) -> "EngineTable":
        return self

    def notes(self, names: tuple[str, ...]) -> tuple[str, ...]:
        return ()

    def result_frame(self, columns: Columns) -> Any:
        return self.dialect.result(self._frame, columns)

    def records(self, name: str | None, choice: Choice | None, keys: tuple[str, ...] = ()) -> Frame:
        """A frame with columns ``d`` (numbers, or ones if no name is given), ``person`` and ``key0``, ``key1``, ..."""
        return self._numbers(self._selected({"d": name}, choice, keys), {"d": name})

    def row_records(self, names: tuple[str, ...], choice: Choice | None, keys: tuple[str, ...] = ()) -> Frame:
        """A frame with a column ``c0``, ``c1``, ... of numbers for each name, ``person`` and ``key0``, ``key1``, ..."""
        columns = {f"c{index}": name for index, name in enumerate(names)}
        return self._numbers(self._selected(columns, choice, keys), columns)

    def texts(self, name: str, choice: Choice | None, keys: tuple[str, ...] = ()) -> Frame:
        """A frame with a column ``d`` of text that is compared byte by byte, ``person`` and ``key0``, ``key1``, ..."""
        import narwhals.stable.v2 as nw

        selected = self._selected({"d": name}, choice, keys).with_columns(nw.col("d").cast(nw.String))
        return self.dialect.bytewise(selected, "d")

    def _selected(
        self, columns: Mapping[str, str | None], choice: Choice | None, keys: tuple[str, ...]
    ) -> Frame:
        import narwhals.stable.v2 as nw

        selected = [nw.col(key).alias(f"key{index}") for index, key in enumerate(keys)]
        selected += [
            nw.col(self._ones if name is None else name).alias(alias) for alias, name in columns.items()
        ]
        used = (*filter(None, columns.values()), *keys, *_unit(choice))
        if choice is None:
            return self._with_ones(used).select(*selected)
        selected.append(nw.col(choice.unit).alias("person"))
        return names_of_people(self.dialect, self._with_ones(used).select(*selected), "person")

    def _numbers(self, frame: Frame, columns: Mapping[str, str | None]) -> Frame:
        """The frame with some columns as float64, each converted by its reading. ``columns`` maps names in the frame to
        names in this table, or to None for a column of ones."""
        for alias, name in columns.items():
            reading = None if name is None else self._readings.get(name)
            if isinstance(reading, Clock):
                frame = in_microseconds(self.dialect, frame, alias, reading)
            elif reading is not None:
                frame = indicated(self.dialect, frame, alias, reading)
        true_or_false = () if self._text is None else self._text.truths
        truths = frozenset(alias for alias, name in columns.items() if name in true_or_false)
        return numbers(self.dialect, frame, list(columns), self._text, truths)

    @cached_property
    def _ones(self) -> str:
        """The name of the column of ones. No name of another column begins with this name."""
        name = "one_"
        while any(other.startswith(name) for other in self.names):
            name += "_"
        return name

    def _with_ones(self, used: tuple[str, ...] = ()) -> Frame:
        """The rows that take part, for a query about some columns, with a column of ones. (Some engines return a single
        row if a query selects only ones.)"""
        return self.dialect.with_ones(self._rows, self._ones)

    @property
    def _rows(self) -> Frame:
        """The rows that take part."""
        if self._condition is None:
            return self._frame
        return rows_passing(self.dialect, self._frame, self._condition, self._text, self._ones)

    def _check(self, names: tuple[str, ...], choice: Choice | None, keys: tuple[str, ...] = ()) -> None:
        self.dialect.check_open(self._frame)
        if self._files is not None:
            self._files.check_unchanged()
        self._check_names((*names, *keys, *_unit(choice)))
        for name in names:
            reading = self._readings.get(name)
            if reading is None:
                check_numbers(self.dialect, self._frame, name, self._text)
            elif isinstance(reading, Indicator) and reading.category is not None:
                kind = kind_of_labels(self.dialect, self._frame, name)
                DeclaredLabels(never_fetched, kind).check(reading.labels)
                check_text(self.dialect, self._frame, name)
        if choice is not None:
            check_unit(self.dialect, self._frame, choice.unit)
        for name in keys if choice is None else (*keys, choice.unit):
            check_text(self.dialect, self._frame, name)

    def _check_names(self, used: tuple[str, ...]) -> None:
        """Refuse, before the debit, names that the engine would take for several columns or for another column."""
        for name in self.names if self.dialect.names_every_column else used:
            if rule := self.dialect.misread_name(name):
                engine = self.dialect.name
                raise SchemaError(
                    "columns", f"must have names {rule} for {engine}", got=repr(name), fix="rename it"
                ) from None

    def _streamed(self, name: str | None, choice: Choice | None) -> QueriedColumn:
        return QueriedColumn(never_fetched, self._size, TableQueries(self, choice), 0, name)

    def _size(self) -> int:
        return rows_of(self.dialect, self._with_ones(), self._ones)

    def _in_memory(
        self, names: tuple[str, ...], choice: Choice | None, question: str
    ) -> tuple[FetchedColumn, ...]:
        self._check(names, choice)
        fetch = self.fetcher(names, choice, question, numeric=names)
        size = cache(self._size)  # the same for all these columns, and only for this question
        return fetched_columns(names, fetch, size)

    def fetcher(
        self,
        names: tuple[str, ...],
        choice: Choice | None,
        question: str,
        *,
        numeric: tuple[str, ...] = (),
        keys: Keys | None = None,
    ) -> Callable[[], Fetched]:
        """A function that fetches columns after the debit. Columns on other computers are refused."""
        if not self.dialect.local:
            raise SchemaError(
                question,
                "must be asked of data on this computer",
                got=f"a {self.dialect.name} DataFrame",
                fix="bring the columns over by .select(...).toArrow() first",
            ) from None
        used = (*names, *(() if keys is None else keys.names), *_unit(choice))
        self._check_names(used)
        plan = FetchPlan(names, numeric, choice, keys, () if keys is None else self._kinds(keys.names))
        return cache(lambda: fetch(self.dialect, self._with_ones(used), plan, self._numbers))


def _unit(choice: Choice | None) -> tuple[str, ...]:
    return () if choice is None else (choice.unit,)
