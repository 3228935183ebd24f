"""Dialect: what an engine must provide so that a table can stay behind it.

Queries are written in narwhals, once for all engines. For what narwhals cannot express there is a method here, and each
engine implements it in its own file: polars.py, duckdb.py, spark.py, postgres.py. Every query runs through a dialect.
So the dialect also reports progress, and checks after each query that the files behind a frame have not changed.

Every expression that a dialect builds must be total: the query must not fail at any record. A value that cannot be
converted becomes missing.
"""

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias, TypeVar

from numpy.typing import NDArray

from noisewise.errors import ParameterTypeError
from noisewise.kernel.numbers.exact import describe
from noisewise.tables.time.ticks import Held, Kind, held_as

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw

Frame: TypeAlias = "nw.LazyFrame[Any]"
"""A lazy frame of any engine, wrapped by narwhals."""
Expression: TypeAlias = "nw.Expr"
Columns: TypeAlias = Mapping[str, Sequence[Any] | NDArray[Any]]
"""Columns of Python values by their names. All have the same length."""

Progress = Callable[[str, float | None], None]
"""Called with the name of the work and the fraction that is done, or None. Never called with a row count."""

Report = Callable[[float | None], None]
"""Called with the fraction of one query that is done, or None before it is known."""

T = TypeVar("T")


class FirstPass:
    """Progress of the first query of each question.

    The number of further queries may depend on records: the median of an empty table may take one query, and the median
    of one record two. Reports may be printed or logged, so later queries are not reported. Each thread asks one
    question at a time.
    """

    def __init__(self, report: Progress) -> None:
        self._report, self._of_thread = report, threading.local()

    @classmethod
    def of(cls, report: object) -> "FirstPass | None":
        """Progress that is reported to a function of the user's. None without a function."""
        if report is None:
            return None
        if not callable(report):
            raise ParameterTypeError("progress", "must be a function", got=describe(report)) from None
        return cls(report)

    def begin(self) -> None:
        """Begin a question of this thread."""
        self._of_thread.passed = False

    def next_pass(self) -> Progress | None:
        """The function to which the next query of this thread is reported. None for all but the first query."""
        first = not getattr(self._of_thread, "passed", False)
        self._of_thread.passed = True
        return self._report if first else None


class Dialect(ABC):
    """One engine. `arrays`, `totals`, `collect` and `succeeds` run a query. All other methods only build queries."""

    name: ClassVar[str]
    """The name of the engine in messages."""

    implementations: ClassVar[frozenset[str]]
    """The names of this engine's frames in narwhals."""

    local: ClassVar[bool]
    """Whether whole columns may be fetched, because the data is on this computer."""

    computes_rows: ClassVar[bool] = True
    """Whether float64 arithmetic never raises. Only then are formulas over several columns total."""

    names_every_column: ClassVar[bool] = False
    """Whether queries name every column of the frame. Then the engine must be able to read every name."""

    def __init__(self, progress: FirstPass | None = None, after: Callable[[], None] | None = None) -> None:
        self._progress, self._after = progress, after
        self.fetches = False
        """Whether columns of numbers are fetched even for questions that queries could answer."""

    def __repr__(self) -> str:
        return f"<{self.name}: withheld>"

    @classmethod
    def accepts(cls, frame: Frame) -> bool:
        """Whether this dialect can query a frame. narwhals has already found that the frame is of this engine."""
        return True

    # Queries

    def begin(self) -> None:
        """Begin a question. Its first query is reported."""
        if self._progress is not None:
            self._progress.begin()

    def arrays(self, frame: Frame) -> list[NDArray[Any]]:
        """Every column of a result as an array. The result has no missing values."""
        return self._query(self._arrays, frame)

    def totals(self, frame: Frame) -> list[int]:
        """The numbers of a result of one row. A sum over no rows is 0."""
        return [int(total or 0) for total in self._query(self._row, frame)]

    def collect(self, frame: Frame) -> "nw.DataFrame[Any]":
        """The frame in memory, wrapped by narwhals."""
        return self._query(self._collect, frame)

    def succeeds(self, frame: Frame) -> bool:
        """Whether a query of one row can be run."""

        def run(frame: Frame) -> bool:
            try:
                self._row(frame)
            except Exception:
                return False
            return True

        return self._query(run, frame)

    def computed_once(self, frame: Frame, *names: str) -> Frame:
        """Columns of numbers, computed once and kept in memory, if the engine is on this computer."""
        if not self.local:
            return frame.select(*names)
        arrays = self.arrays(frame.select(*names))
        return self.small_table(frame, dict(zip(names, arrays, strict=True)))

    def kept(self, frame: Frame) -> Frame:
        """The same frame. An engine on other computers may compute it once, and keep the rows until the question is
        answered."""
        return frame

    def evaluated_once(self, frame: Frame) -> Frame:
        """The same frame. The engine computes every column once per row, however often a query uses it."""
        return frame

    def settled(self, frame: Frame, *columns: str) -> Frame:
        """The frame with only some columns, which a long chain of expressions computes.

        The engine must not move a later filter into the chain. If it did, it would copy each expression as often as it
        is used, and run out of memory.
        """
        return frame.select(*columns)

    def _query(self, run: Callable[[Frame], T], frame: Frame) -> T:
        progress = None if self._progress is None else self._progress.next_pass()
        report = None if progress is None else partial(progress, "reading the data")
        if report is not None:
            report(None)
        result = self._run(run, frame, report)
        if self._after is not None:
            self._after()
        if report is not None:
            report(1.0)
        return result

    def _run(self, run: Callable[[Frame], T], frame: Frame, report: Report | None) -> T:
        """Run a query, and report the fraction that is done."""
        return run(frame)

    @abstractmethod
    def _arrays(self, frame: Frame) -> list[NDArray[Any]]:
        """Run the query, and return a NumPy array for each column in order."""

    @abstractmethod
    def _row(self, frame: Frame) -> Sequence[Any]:
        """Run a query of exactly one row, and return its values."""

    @abstractmethod
    def _collect(self, frame: Frame) -> "nw.DataFrame[Any]":
        """Run the query, and return a frame in memory. Never called if ``local`` is false."""

    # Columns that narwhals cannot compute

    def with_ones(self, frame: Frame, name: str) -> Frame:
        """The frame with one more column, of ones. The engine must not fail at any record while it computes them."""
        import narwhals.stable.v2 as nw

        return frame.with_columns(nw.lit(1, nw.Int64).alias(name))

    @abstractmethod
    def digest_numbers(self, frame: Frame, column: str) -> Frame:
        """The frame with a column of text replaced by numbers: the first 15 hexadecimal digits of the SHA-256 digest
        of the UTF-8 bytes, as int64. Missing text stays missing."""

    def bytewise(self, frame: Frame, column: str) -> Frame:
        """The frame with a column of text that is compared and sorted byte by byte, never by the rules of a language.

        Text that is no UTF-8 becomes missing: engines damage it when they sort, and it cannot be fetched.
        """
        return frame

    @abstractmethod
    def parsed(self, frame: Frame, column: str) -> Frame:
        """The frame with a column of text replaced by float64. Text that the engine cannot read becomes missing.

        The text only ever spells a decimal number or an infinity, without spaces around it.
        """

    def castable_decimals(self, frame: Frame, column: str) -> Frame:
        """The frame with a column of decimals replaced by numbers that can all be cast to float64."""
        return frame

    def positions(self, frame: Frame, order: Sequence[str]) -> Frame:
        """The frame with two more columns of int64. ``position`` numbers the rows of each ``person`` from 1 in the
        order of some columns. ``size`` is the number of rows of the person.

        No value is missing in the columns of the order. Text is sorted byte by byte.
        """
        import narwhals.stable.v2 as nw

        frame = frame.with_columns(nw.lit(1, nw.Int64).alias("position"))
        position = nw.col("position").cum_sum().over("person", order_by=order)
        frame = frame.with_columns(position.cast(nw.Int64))
        return frame.with_columns(nw.col("position").max().over("person").alias("size"))

    @abstractmethod
    def ticks(self, frame: Frame, column: str, kind: Kind, *, exact: bool = False) -> tuple[Frame, int]:
        """The frame with a column of time replaced by whole numbers, and the number of these that make a day.

        Dates, and columns that are read as dates, count days since 1970. Datetimes count microseconds or a coarser unit
        since 1970, in UTC if they have a time zone. Times of day count from midnight. An infinite date or time becomes
        missing. A time between two microseconds is rounded down, or becomes missing if ``exact``.
        """

    @abstractmethod
    def stored_ticks(self, frame: Frame, column: str) -> Frame:
        """The frame with a column of dates or datetimes replaced by the whole numbers that the engine stores.

        The numbers name people, so two of them are equal exactly if the records are equal. Text would not do: Polars
        panics and DuckDB breaks at the text of a time beyond its calendar. Spark writes the time of a local clock,
        which is set back once a year. The unit is the unit of the column's type, as in memory.
        """

    # Small tables

    @abstractmethod
    def small_table(self, frame: Frame, columns: Columns) -> Frame:
        """A small public table that can be joined with the frame."""

    @abstractmethod
    def result(self, frame: Frame, columns: Columns) -> Any:
        """A small result for the user, as a frame of the engine's own kind."""

    # Names and declared types, all public

    def misread_name(self, name: str) -> str:
        """The rule for names that this name breaks. Then the engine would misread it. Empty if it breaks none."""
        return "other than *" if name == "*" else ""

    def spells(self, text: str) -> bool:
        """Whether a record of this engine can be this text. Other text, such as text that is not Unicode, is left out
        of queries, which could not contain it."""
        try:
            text.encode()
        except UnicodeEncodeError:
            return False
        return True

    def snapshot(self, frame: Frame) -> AbstractContextManager[object]:
        """While this lasts, all queries see the same rows, if the engine can guarantee it. It begins before the debit,
        and raises if the engine cannot be queried at all."""
        return nullcontext()

    def check_open(self, frame: Frame) -> None:
        """Refuse, before the debit, a frame that can no longer be queried."""
        return

    def check_rows(self, frame: Frame) -> None:
        """Refuse a frame whose rows cannot be counted because the engine might fail at one of them."""
        return

    def holds(self, frame: Frame, column: str) -> Held:
        """The kind of time that a column holds, by its declared type."""
        return held_as(frame.collect_schema()[column])

    @abstractmethod
    def holds_nothing(self, frame: Frame, column: str) -> bool:
        """Whether a column is declared to hold nothing but missing values."""

    def is_uuid(self, frame: Frame, column: str) -> bool:
        """Whether a column is declared to hold UUIDs. narwhals does not know UUIDs, so they are read as text."""
        return False

    def collation(self, frame: Frame, column: str) -> str:
        """The declared type of a column, if it is text that is compared by the rules of a language. Otherwise empty."""
        return ""


def sql_name(name: str) -> str:
    """The name of a column in SQL."""
    return '"' + name.replace('"', '""') + '"'


def window_of_person(order: Sequence[str]) -> str:
    """The beginning of a window of a person's rows in SQL. Rows are sorted by ``order``, names of columns in quotes.

    The window says that nulls come last, because the user may have set another place for them.
    """
    by = ", ".join(f"{column} ASC NULLS LAST" for column in order)
    return f"PARTITION BY person ORDER BY {by} ROWS BETWEEN UNBOUNDED PRECEDING AND"


def as_frame(native: Any) -> Frame:
    """A lazy frame of an engine, wrapped by narwhals."""
    import narwhals.stable.v2 as nw

    frame: Frame = nw.from_native(native)
    return frame
