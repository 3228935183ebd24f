"""Dialect: the methods that an engine must provide so that a table can stay in the engine.

Queries are written in narwhals, once for all engines. If narwhals cannot express a part of a query, there is a method
here for this part. Each engine implements the method in a file: polars.py, duckdb.py, spark.py, postgres.py. Every
query runs through a dialect. So the dialect also reports progress, and checks after each query that the files behind a
frame have not changed.

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
"""A function that is called with the name of the work and the fraction that is done, or None before it is known. It is
never called with a row count."""

Report = Callable[[float | None], None]
"""A function that is called with the fraction of one query that is done, or None before it is known."""

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
        """Return the progress that is reported to ``report``, a function of the user's. Return None if it is None."""
        if report is None:
            return None
        if not callable(report):
            raise ParameterTypeError("progress", "must be a function", got=describe(report)) from None
        return cls(report)

    def begin(self) -> None:
        """Begin a question of this thread."""
        self._of_thread.passed = False

    def next_pass(self) -> Progress | None:
        """Return the function to which the next query of this thread is reported. None after the first query."""
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
        """Run a query and return every column of the result as an array. The result must have no missing values."""
        return self._query(self._arrays, frame)

    def totals(self, frame: Frame) -> list[int]:
        """Run a query with a result of one row and return its whole numbers. A sum over no rows is 0."""
        return [int(total or 0) for total in self._query(self._row, frame)]

    def collect(self, frame: Frame) -> "nw.DataFrame[Any]":
        """Run a query and return the frame in memory, wrapped by narwhals."""
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
        """Return the columns ``names``, which hold numbers. If the data is on this computer, they are computed once and
        kept in memory."""
        if not self.local:
            return frame.select(*names)
        arrays = self.arrays(frame.select(*names))
        return self.small_table(frame, dict(zip(names, arrays, strict=True)))

    def kept(self, frame: Frame) -> Frame:
        """Return the same frame. An engine on other computers may compute the frame once, and keep the rows until the
        question is answered."""
        return frame

    def evaluated_once(self, frame: Frame) -> Frame:
        """Return the same frame. The engine computes a column once per row, however often a query uses the column."""
        return frame

    def settled(self, frame: Frame, *columns: str) -> Frame:
        """Return the frame with only the given columns, which a long chain of expressions computes.

        The engine must not move a later filter into the chain. Otherwise it would copy each expression as often as the
        expression is used, and run out of memory.
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
        """Return the frame with one more column, which holds ones. Computing it must not fail at any record."""
        import narwhals.stable.v2 as nw

        return frame.with_columns(nw.lit(1, nw.Int64).alias(name))

    @abstractmethod
    def digest_numbers(self, frame: Frame, column: str) -> Frame:
        """Return the frame with a column of text replaced by numbers: the first 15 hexadecimal digits of the SHA-256
        digest of the UTF-8 bytes, as int64. Missing text stays missing."""

    def bytewise(self, frame: Frame, column: str) -> Frame:
        """Return the frame with a column of text that is compared and sorted byte by byte, not by rules of a language.

        Text that is not UTF-8 becomes missing, because engines damage such text when they sort, and cannot fetch it.
        """
        return frame

    @abstractmethod
    def parsed(self, frame: Frame, column: str) -> Frame:
        """Return the frame with a column of text replaced by float64. Text that the engine cannot read becomes missing.

        All text in the column spells a decimal number or an infinity, without spaces around it.
        """

    def castable_decimals(self, frame: Frame, column: str) -> Frame:
        """Return the frame with a column of decimals replaced by numbers that can all be cast to float64."""
        return frame

    def positions(self, frame: Frame, order: Sequence[str], owner: Sequence[str] = ("person",)) -> Frame:
        """Return the frame with two more columns of int64. ``position`` numbers the rows of each ``person`` from 1, in
        the order of the columns ``order``. ``size`` is the number of rows of the person. With several columns in
        ``owner``, rows that agree in all of them are numbered together.

        No value is missing in the columns ``order``. Text is sorted byte by byte.
        """
        import narwhals.stable.v2 as nw

        frame = frame.with_columns(nw.lit(1, nw.Int64).alias("position"))
        position = nw.col("position").cum_sum().over(*owner, order_by=order)
        frame = frame.with_columns(position.cast(nw.Int64))
        return frame.with_columns(nw.col("position").max().over(*owner).alias("size"))

    @abstractmethod
    def ticks(self, frame: Frame, column: str, kind: Kind, *, exact: bool = False) -> tuple[Frame, int]:
        """Return the frame with a column of time replaced by whole numbers of ticks, and the number of ticks in a day.

        Dates, and columns that are read as dates, count days since 1970. Datetimes count microseconds or a coarser unit
        since 1970, in UTC if they have a time zone. Times of day count from midnight. An infinite date or time becomes
        missing. A time between two microseconds is rounded down, or becomes missing if ``exact``.
        """

    @abstractmethod
    def stored_ticks(self, frame: Frame, column: str) -> Frame:
        """Return the frame with a column of dates or datetimes replaced by the whole numbers that the engine stores.

        The numbers name people, so two of them are equal exactly if the records are equal. Text would not do: Polars
        panics and DuckDB breaks at the text of a time beyond its calendar. Spark writes the time of a local clock,
        which is set back once a year. The unit is the unit of the column's type, as in memory.
        """

    # Small tables

    @abstractmethod
    def small_table(self, frame: Frame, columns: Columns) -> Frame:
        """Return a small public table that can be joined with the frame."""

    @abstractmethod
    def result(self, frame: Frame, columns: Columns) -> Any:
        """Return a small result for the user, as a frame of the engine, such as a Polars DataFrame."""

    # Names and declared types, all public

    def misread_name(self, name: str) -> str:
        """Return the rule that this column name breaks, if the engine would misread the name. Otherwise return ""."""
        return "other than *" if name == "*" else ""

    def spells(self, text: str) -> bool:
        """Whether this text can be a value in a column of the engine. Other text, such as text that is not Unicode, is
        left out of queries, because a query could not contain it."""
        try:
            text.encode()
        except UnicodeEncodeError:
            return False
        return True

    def snapshot(self, frame: Frame) -> AbstractContextManager[object]:
        """Return a context in which all queries see the same rows, if the engine can guarantee this. The context begins
        before the debit, and raises an error if the engine cannot be queried at all."""
        return nullcontext()

    def check_open(self, frame: Frame) -> None:
        """Refuse, before the debit, a frame that can no longer be queried."""
        return

    def check_rows(self, frame: Frame) -> None:
        """Refuse a frame whose rows cannot be counted because the engine might fail at one of them."""
        return

    def holds(self, frame: Frame, column: str) -> Held:
        """Return what a column holds by its declared type: a kind of time such as "date", "text", "object" or None."""
        return held_as(frame.collect_schema()[column])

    @abstractmethod
    def holds_nothing(self, frame: Frame, column: str) -> bool:
        """Whether a column is declared to hold nothing but missing values."""

    def is_uuid(self, frame: Frame, column: str) -> bool:
        """Whether a column is declared to hold UUIDs. narwhals does not know UUIDs, so they are read as text."""
        return False

    def collation(self, frame: Frame, column: str) -> str:
        """Return the declared type of a column of text that is compared by rules of a language. Otherwise return ""."""
        return ""


def sql_name(name: str) -> str:
    """Return the name of a column as SQL writes it, in double quotes."""
    return '"' + name.replace('"', '""') + '"'


def window_of_owner(owner: Sequence[str], order: Sequence[str]) -> str:
    """Return the beginning of an SQL window over the rows of an owner, up to the word AND. The caller adds the end.

    The rows agree in the columns ``owner``, and are sorted by the columns ``order``. Their names are already quoted for
    SQL. The window says that nulls come last, because the user may have configured the engine to put nulls first.
    """
    by = ", ".join(f"{column} ASC NULLS LAST" for column in order)
    return f"PARTITION BY {', '.join(owner)} ORDER BY {by} ROWS BETWEEN UNBOUNDED PRECEDING AND"


def as_frame(native: Any) -> Frame:
    """Wrap a lazy frame of an engine by narwhals."""
    import narwhals.stable.v2 as nw

    frame: Frame = nw.from_native(native)
    return frame
