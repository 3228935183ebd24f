"""A table behind an engine: a Polars LazyFrame, a DuckDB relation or a PySpark DataFrame, asked by queries.

Questions that need only counts, order statistics and sums of a column are answered where the data is,
also with bounds that are searched for. For the others an engine on this computer fetches the columns that are needed,
after the debit; Spark refuses them before. Record by record, an engine computes what memory would. Proof:
docs/proofs/engines.md.
"""

from collections.abc import Callable, Mapping
from functools import cache, cached_property
from typing import Any

from noisewise.columns.arrays import Declared, Either
from noisewise.columns.later import Later
from noisewise.errors import ColumnName, SchemaError
from noisewise.secret import Secret
from noisewise.tables.engines.column import rows_of
from noisewise.tables.engines.declared import (
    EngineDeclared,
    EngineDeclaredGroups,
    EngineLabels,
    FetchedColumn,
    stays_there,
)
from noisewise.tables.engines.dialect import Columns, Dialect, Frame, Progress
from noisewise.tables.engines.duckdb import DuckDBDialect
from noisewise.tables.engines.fetch import Fetched, Wanted, fetched
from noisewise.tables.engines.keys import found_keys
from noisewise.tables.engines.people import judge_text, judge_unit, names_of_people
from noisewise.tables.engines.polars import PolarsDialect
from noisewise.tables.engines.records import judge, kind_of_labels, numbers
from noisewise.tables.engines.spark import SparkDialect
from noisewise.tables.engines.times import in_microseconds
from noisewise.tables.files.source import Source
from noisewise.tables.groups.found_keys import FoundKeys
from noisewise.tables.groups.key_parts import Kind
from noisewise.tables.groups.keys import Keys, kind_of
from noisewise.tables.groups.one_by_one import GroupReader, RowsInGroups
from noisewise.tables.local import refuse_people
from noisewise.tables.people import Choice
from noisewise.tables.time.clock import Clock
from noisewise.tables.time.ticks import Held

DIALECTS: tuple[type[Dialect], ...] = (PolarsDialect, DuckDBDialect, SparkDialect)


def dialect_of(
    frame: Frame, progress: Progress | None = None, after: Callable[[], None] | None = None
) -> Dialect:
    """The engine behind a narwhals LazyFrame, or the error that says which there are."""
    name = str(frame.implementation.value)
    for dialect in DIALECTS:
        if name in dialect.implementations:
            return dialect(progress, after)
    raise SchemaError("data", "must be a frame of Polars, DuckDB or Spark", got=f"one of {name}") from None


class EngineTable(Secret):
    """A lazy frame, as narwhals sees it.

    Args:
        frame: A narwhals LazyFrame of Polars, DuckDB or PySpark.
        text: Whether columns of text are read as numbers, as those of text files are.
        source: The files behind the frame, where they are known: they must stay as they were when opened.
        progress: Told when a query begins and ends.
        clocks: How columns of time are read, by their names.
        dialect: How the engine is asked, where it is not by the frame alone.
    """

    def __init__(
        self,
        frame: Frame,
        *,
        text: bool = False,
        source: Source | None = None,
        progress: Progress | None = None,
        clocks: dict[str, Clock] | None = None,
        dialect: Dialect | None = None,
    ) -> None:
        self._frame, self._text, self._source, self._clocks = frame, text, source, clocks or {}
        self.dialect = dialect or dialect_of(frame, progress, None if source is None else source.still)

    @property
    def frame(self) -> Frame:
        """The frame that is asked."""
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
        """Whether the data is a text file, whose columns of text are read as numbers."""
        return self._text

    @cached_property
    def types(self) -> dict[str, Any]:
        """The declared type of each column, as narwhals names it. Public."""
        return dict(self._frame.collect_schema())

    @property
    def cluster(self) -> str | None:
        return None if self.dialect.local else self.dialect.name

    def column(
        self, name: str, choice: Choice | None, question: str = "", *, streamed: bool = True
    ) -> Declared:
        if not streamed:
            return self._fetched((name,), choice, question)[0]
        self._judge((name,), choice)
        return self._asked(name, choice)

    def rows(self, choice: Choice | None) -> Declared:
        self._judge((), choice)
        return self._asked(None, choice)

    def columns(self, names: tuple[str, ...], choice: Choice | None) -> tuple[Declared, ...]:
        return self._fetched(names, choice, "a question about several columns")

    def labels(self, name: str, choice: Choice | None) -> Either:
        def numbers() -> Declared:
            self._judge((name,), choice)
            return self._asked(name, choice)

        def labels() -> EngineLabels:
            self._judge((), choice, (name,))
            kind = kind_of_labels(self.dialect, self._frame, name)
            return EngineLabels(stays_there, kind, table=self, name=name, choice=choice)

        return Either(numbers, labels)

    def edges(self, names: tuple[str, ...], choice: Choice | None) -> Later:
        self._judge(names[2:], choice)
        refuse_people(choice)
        for name in names[:2]:
            if not self.dialect.is_uuid(self._frame, name):
                kind_of_labels(self.dialect, self._frame, name)
        local = self.local(names, None, "a question about graphs", numeric=names[2:])
        return Later(lambda: local().table.edges(names, None))

    def grouped(self, name: str | None, keys: Keys, choice: Choice | None) -> EngineDeclaredGroups:
        self._judge(() if name is None else (name,), choice, keys.names)
        kinds = self._kinds(keys.names)
        return EngineDeclaredGroups(self, name, keys.fit(kinds), kinds, choice)

    def in_groups(
        self, columns: tuple[str, ...], keys: Keys, choice: Choice | None, question: str
    ) -> GroupReader:
        """The columns are brought to this computer when they are read; where they are elsewhere, that is refused."""
        fitted = keys.fit(self._kinds(keys.names))
        # what cannot be fetched is refused now, before the debit
        self.local(columns, choice, question, keys=fitted)

        def read(names: tuple[str, ...], labels: bool) -> RowsInGroups:
            numeric = tuple(name for name in names if not labels or self.types[name].is_numeric())
            here = self.local(names, choice, question, numeric=numeric, keys=fitted)()
            return here.table.rows_in_groups(here.places, here.choice)

        return GroupReader(fitted, read)

    def _kinds(self, keys: tuple[str, ...]) -> tuple[Kind, ...]:
        found = tuple(kind_of(self.types[key], key) for key in keys)
        if "any" in found:
            raise SchemaError(
                "group_by",
                f"must be of a type that {self.dialect.name} can compare",
                got=("column ", ColumnName(keys[found.index("any")]), " of Python objects"),
            ) from None
        return found

    def find_keys(self, names: tuple[str, ...], choice: Choice | None, most: int) -> Callable[[], FoundKeys]:
        self._judge((), choice, names)
        kinds = self._kinds(names)
        return lambda: found_keys(self.dialect, self.records(None, choice, names), names, kinds, choice, most)

    def holds(self, name: str) -> Held:
        self.dialect.judge_open(self._frame)
        return self.dialect.holds(self._frame, name)

    def timed(self, name: str, clock: Clock) -> "EngineTable":
        how: Any = {"text": self._text, "source": self._source, "dialect": self.dialect}
        return EngineTable(self._frame, clocks={**self._clocks, name: clock}, **how)

    def result_frame(self, columns: Columns) -> Any:
        return self.dialect.result(self._frame, columns)

    def records(self, name: str | None, choice: Choice | None, keys: tuple[str, ...] = ()) -> Frame:
        """A frame of its own names: numbers ``d`` (ones without a column), people ``person``, keys ``key0``, ..."""
        return self._numbers(self._taken(name, choice, keys), {"d": name})

    def texts(self, name: str, choice: Choice | None) -> Frame:
        """The same with text ``d``, compared byte by byte, and without keys."""
        import narwhals.stable.v2 as nw

        taken = self._taken(name, choice, ()).with_columns(nw.col("d").cast(nw.String))
        return self.dialect.bytewise(taken, "d")

    def _taken(self, name: str | None, choice: Choice | None, keys: tuple[str, ...]) -> Frame:
        import narwhals.stable.v2 as nw

        taken = [nw.col(key).alias(f"key{place}") for place, key in enumerate(keys)]
        taken.append(nw.col(self._ones if name is None else name).alias("d"))
        if choice is not None:
            taken.append(nw.col(choice.unit).alias("person"))
        found = self._with_ones.select(*taken)
        return found if choice is None else names_of_people(self.dialect, found, "person")

    def _numbers(self, frame: Frame, columns: Mapping[str, str | None]) -> Frame:
        """The frame with columns, by what they are called there and here, as float64; of time, as a clock reads it."""
        for there, here in columns.items():
            if here in self._clocks:
                frame = in_microseconds(self.dialect, frame, there, self._clocks[here])
        return numbers(self.dialect, frame, list(columns), self._text)

    @cached_property
    def _ones(self) -> str:
        """A name that no column has."""
        return max((*self.names, "one"), key=len) + "_"

    @property
    def _with_ones(self) -> Frame:
        """The frame with a column of ones; one selected by itself would be a single row to some engines."""
        import narwhals.stable.v2 as nw

        return self._frame.with_columns(nw.lit(1, nw.Int64).alias(self._ones))

    def _judge(self, names: tuple[str, ...], choice: Choice | None, keys: tuple[str, ...] = ()) -> None:
        self.dialect.judge_open(self._frame)
        if self._source is not None:
            self._source.judge()
        used = (*names, *keys, *(() if choice is None else (choice.unit,)))
        self._judge_names(used)
        for name in names:
            if name not in self._clocks:
                judge(self.dialect, self._frame, name, self._text)
        if choice is not None:
            judge_unit(self.dialect, self._frame, choice.unit)
        for name in keys if choice is None else (*keys, choice.unit):
            judge_text(self.dialect, self._frame, name)

    def _judge_names(self, used: tuple[str, ...]) -> None:
        """Refuse names that the engine takes for several columns, or for another one, before anything is paid."""
        for name in self.names if self.dialect.names_every_column else used:
            if rule := self.dialect.misread_name(name):
                engine = self.dialect.name
                raise SchemaError(
                    "columns", f"must have names {rule} for {engine}", got=repr(name), fix="rename it"
                ) from None

    def _asked(self, name: str | None, choice: Choice | None) -> EngineDeclared:
        return EngineDeclared(stays_there, self._size, self, name, choice)

    def _size(self) -> int:
        return rows_of(self.dialect, self._with_ones, self._ones)

    def _fetched(
        self, names: tuple[str, ...], choice: Choice | None, question: str
    ) -> tuple[FetchedColumn, ...]:
        self._judge(names, choice)
        local = self.local(names, choice, question, numeric=names)

        @cache
        def found() -> tuple[Declared, ...]:
            here = local()
            if len(names) == 1:
                return (here.table.column(names[0], here.choice),)
            return here.table.columns(names, here.choice)

        size = cache(self._size)  # of all these columns, and of this question alone

        def column(place: int) -> FetchedColumn:
            return FetchedColumn(lambda: found()[place].fetch(), size, lambda: found()[place])

        return tuple(column(place) for place in range(len(names)))

    def local(
        self,
        names: tuple[str, ...],
        choice: Choice | None,
        question: str,
        *,
        numeric: tuple[str, ...] = (),
        keys: Keys | None = None,
    ) -> Callable[[], Fetched]:
        """The columns in memory, to be fetched after the debit; refused where they are on other computers."""
        self._here(question)
        used = (*names, *(() if keys is None else keys.names), *(() if choice is None else (choice.unit,)))
        self._judge_names(used)
        wanted = Wanted(names, numeric, choice, keys, () if keys is None else self._kinds(keys.names))
        return cache(lambda: fetched(self.dialect, self._with_ones, wanted, self._numbers))

    def _here(self, question: str) -> None:
        if not self.dialect.local:
            raise SchemaError(
                question,
                "must be asked of data on this computer",
                got=f"a {self.dialect.name} DataFrame",
                fix="bring the columns over by .select(...).toArrow() first",
            ) from None
