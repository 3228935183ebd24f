"""Dialect: what an engine must provide so that a table can live behind it.

A query is written in narwhals wherever narwhals has the words, once for all engines. What it has no words for is here,
and each engine says it in its own file: polars.py, duckdb.py, spark.py. A query is only ever run through a dialect, so
this is also where progress is reported, and where the files behind a frame are checked after each query.

Every expression that a dialect builds must be total: whatever a record holds, the query must not fail at it. A value
that cannot be converted becomes missing.
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
"""A lazy frame of any engine, as narwhals sees it."""
Expression: TypeAlias = "nw.Expr"
Columns: TypeAlias = Mapping[str, Sequence[Any] | NDArray[Any]]
"""Columns of Python values by their names, all of one length."""

Progress = Callable[[str, float | None], None]
"""Called with what is being done, and with the fraction that is done where that is known. Never with a row count."""

Report = Callable[[float | None], None]
"""Called with the fraction of one query that is done, None before any is known."""

T = TypeVar("T")


class FirstPass:
    """Progress of the first pass of each question alone.

    How many passes follow depends on records: a median of nobody takes one, that of a single person two. What is
    reported may be printed or logged, so nothing is said of them. Threads may ask at the same time, one question each.
    """

    def __init__(self, report: Progress) -> None:
        self._report, self._of_thread = report, threading.local()

    @classmethod
    def of(cls, report: object) -> "FirstPass | None":
        """What a function of the user's hears; None without one."""
        if report is None:
            return None
        if not callable(report):
            raise ParameterTypeError("progress", "must be a function", got=describe(report)) from None
        return cls(report)

    def begin(self) -> None:
        """A question of this thread begins."""
        self._of_thread.passed = False

    def next_pass(self) -> Progress | None:
        """Who hears of the pass that this thread begins now, whichever thread reports it; None where nobody does."""
        first = not getattr(self._of_thread, "passed", False)
        self._of_thread.passed = True
        return self._report if first else None


class Dialect(ABC):
    """One engine. `arrays`, `totals`, `collect` and `succeeds` run a query; everything else only builds one."""

    name: ClassVar[str]
    """What the engine is called in messages."""

    implementations: ClassVar[frozenset[str]]
    """What narwhals calls frames of this engine."""

    local: ClassVar[bool]
    """Whether the data is on this computer, so that a column may be fetched whole."""

    computes_rows: ClassVar[bool] = True
    """Whether float64 arithmetic never raises, so that formulas over rows of several columns are total."""

    names_every_column: ClassVar[bool] = False
    """Whether queries name every column of the frame, so that each must have a name that the engine reads as such."""

    def __init__(self, progress: FirstPass | None = None, after: Callable[[], None] | None = None) -> None:
        self._progress, self._after = progress, after
        self.fetches = False
        """Whether columns of numbers are brought into memory, also for questions that could do without."""

    def __repr__(self) -> str:
        return f"<{self.name}: withheld>"

    @classmethod
    def accepts(cls, frame: Frame) -> bool:
        """Whether a frame that narwhals calls one of this engine is one that can be asked."""
        return True

    # Queries

    def begin(self) -> None:
        """A question begins, whose first pass is to be reported."""
        if self._progress is not None:
            self._progress.begin()

    def arrays(self, frame: Frame) -> list[NDArray[Any]]:
        """Every column of a result, without missing values, as an array."""
        return self._query(self._arrays, frame)

    def totals(self, frame: Frame) -> list[int]:
        """The single row of a result; a sum over no rows is 0."""
        return [int(total or 0) for total in self._query(self._row, frame)]

    def collect(self, frame: Frame) -> "nw.DataFrame[Any]":
        """The frame in memory, as narwhals sees it."""
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
        """Columns of numbers, computed a single time: kept in memory on this computer, else left where they are."""
        if not self.local:
            return frame.select(*names)
        arrays = self.arrays(frame.select(*names))
        return self.small_table(frame, dict(zip(names, arrays, strict=True)))

    def kept(self, frame: Frame) -> Frame:
        """The same frame, which an engine on other computers computes once for all passes of a question where it can:
        it may hold on to the rows until the question is answered."""
        return frame

    def evaluated_once(self, frame: Frame) -> Frame:
        """The same frame, of which an engine computes every column once for a row, however often a query uses it."""
        return frame

    def settled(self, frame: Frame, *columns: str) -> Frame:
        """Some columns, made by a long chain of expressions that no filter behind it may be moved into: an engine that
        does so copies each expression as often as it is used, and runs out of memory."""
        return frame.select(*columns)

    def _query(self, run: Callable[[Frame], T], frame: Frame) -> T:
        hears = None if self._progress is None else self._progress.next_pass()
        report = None if hears is None else partial(hears, "reading the data")
        if report is not None:
            report(None)
        result = self._run(run, frame, report)
        if self._after is not None:
            self._after()
        if report is not None:
            report(1.0)
        return result

    def _run(self, run: Callable[[Frame], T], frame: Frame, report: Report | None) -> T:
        """Run a query, and report the fraction that is done, if somebody hears it."""
        return run(frame)

    @abstractmethod
    def _arrays(self, frame: Frame) -> list[NDArray[Any]]:
        """Run the query; a NumPy array for each column, in their order."""

    @abstractmethod
    def _row(self, frame: Frame) -> Sequence[Any]:
        """Run a query of exactly one row, and return its values."""

    @abstractmethod
    def _collect(self, frame: Frame) -> "nw.DataFrame[Any]":
        """Run the query; a frame in memory. Never called where ``local`` is false."""

    # Columns that narwhals cannot compute

    def with_ones(self, frame: Frame, name: str) -> Frame:
        """The frame with one more column, of ones. No record may make an engine fail while it reads the column."""
        import narwhals.stable.v2 as nw

        return frame.with_columns(nw.lit(1, nw.Int64).alias(name))

    @abstractmethod
    def digest_numbers(self, frame: Frame, column: str) -> Frame:
        """The frame with a column of text replaced by the first 60 bits of the SHA-256 digest of its UTF-8 bytes: the
        first 15 hexadecimal digits, as int64. Missing stays missing."""

    def bytewise(self, frame: Frame, column: str) -> Frame:
        """The frame with a column of text that is compared and sorted byte by byte, never by the rules of a language.

        What is no UTF-8 becomes missing: engines mangle it when they sort, and it cannot be fetched.
        """
        return frame

    @abstractmethod
    def parsed(self, frame: Frame, column: str) -> Frame:
        """The frame with a column of text replaced by float64; what the engine cannot read becomes missing.

        Only text that spells a decimal number or an infinity, without spaces around it, is ever given.
        """

    def castable_decimals(self, frame: Frame, column: str) -> Frame:
        """The frame with a column of decimals as numbers of which none fails to be cast to float64."""
        return frame

    def positions(self, frame: Frame, order: Sequence[str]) -> Frame:
        """The frame with two more columns of int64: the ``position`` of each row among those of its ``person`` in the
        order of some columns, from 1, and the ``size``, how many rows the person has.

        Nothing is missing in these columns. Text is sorted byte by byte.
        """
        import narwhals.stable.v2 as nw

        frame = frame.with_columns(nw.lit(1, nw.Int64).alias("position"))
        position = nw.col("position").cum_sum().over("person", order_by=order)
        frame = frame.with_columns(position.cast(nw.Int64))
        return frame.with_columns(nw.col("position").max().over("person").alias("size"))

    @abstractmethod
    def ticks(self, frame: Frame, column: str, kind: Kind, *, exact: bool = False) -> tuple[Frame, int]:
        """The frame with a column of time replaced by whole numbers, and how many of these make a day.

        Dates, and anything read as a date, count days since 1970; datetimes count microseconds or something coarser
        since 1970 (in UTC where they have a time zone); times of day count from midnight. An infinite date or time
        becomes missing. What is no whole microsecond is rounded down to one, or becomes missing where ``exact``.
        """

    @abstractmethod
    def stored_ticks(self, frame: Frame, column: str) -> Frame:
        """The frame with a column of dates or datetimes replaced by the whole numbers that the engine stores.

        They name people, so two of them are equal exactly where the records are: text would not do. Polars panics and
        DuckDB breaks at the text of a time beyond its calendar, and Spark's is that of a clock, which goes back once a
        year. The unit is that of the column's type, as in memory.
        """

    # Small tables

    @abstractmethod
    def small_table(self, frame: Frame, columns: Columns) -> Frame:
        """A small public table that can be joined with the frame."""

    @abstractmethod
    def result(self, frame: Frame, columns: Columns) -> Any:
        """A small result for the user, as the engine's own kind of frame."""

    # Names and declared types, all public

    def misread_name(self, name: str) -> str:
        """How names of columns must be for this engine, where it would take this one for something else; else empty."""
        return "other than *" if name == "*" else ""

    def spells(self, text: str) -> bool:
        """Whether a record of this engine can be this text. What no record can be is left out of queries, which could
        not hold it either; text that is not Unicode is such."""
        try:
            text.encode()
        except UnicodeEncodeError:
            return False
        return True

    def snapshot(self, frame: Frame) -> AbstractContextManager[object]:
        """A time in which all queries see the same rows, where an engine can promise that. It begins before anything is
        paid, with an error where the engine cannot be asked at all."""
        return nullcontext()

    def check_open(self, frame: Frame) -> None:
        """Refuse a frame that can no longer be queried at all, before anything is paid."""
        return

    def check_rows(self, frame: Frame) -> None:
        """Refuse a frame whose rows cannot be counted without a chance that one of them makes the engine fail."""
        return

    def holds(self, frame: Frame, column: str) -> Held:
        """Which kind of time a column holds, by its declared type."""
        return held_as(frame.collect_schema()[column])

    @abstractmethod
    def holds_nothing(self, frame: Frame, column: str) -> bool:
        """Whether a column is declared to hold nothing but missing values."""

    def is_uuid(self, frame: Frame, column: str) -> bool:
        """Whether a column is declared to hold UUIDs, which narwhals does not know: they are handed out as text."""
        return False

    def collation(self, frame: Frame, column: str) -> str:
        """The declared type of a column of text that is compared by the rules of a language; empty for any other."""
        return ""


def sql_name(name: str) -> str:
    """The name of a column in SQL."""
    return '"' + name.replace('"', '""') + '"'


def window_of_person(order: Sequence[str]) -> str:
    """The rows of a person up to where a window function says, in SQL, sorted by columns in quotes. The user may have
    set another place for nulls."""
    by = ", ".join(f"{column} ASC NULLS LAST" for column in order)
    return f"PARTITION BY person ORDER BY {by} ROWS BETWEEN UNBOUNDED PRECEDING AND"


def as_frame(native: Any) -> Frame:
    """A lazy frame of an engine, as narwhals sees it."""
    import narwhals.stable.v2 as nw

    frame: Frame = nw.from_native(native)
    return frame
