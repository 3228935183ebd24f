"""Spark: a PySpark DataFrame, classic or Connect. The cluster does all work, and returns only results."""

import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar

from numpy.typing import NDArray

from noisewise.errors import SchemaError
from noisewise.tables.engines.dialect import (
    Columns,
    Dialect,
    FirstPass,
    Frame,
    Report,
    as_frame,
    window_of_owner,
)
from noisewise.tables.engines.spark_jobs import watched
from noisewise.tables.engines.spark_kept import KeptFrames
from noisewise.tables.time.ticks import DAILY, Kind

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw

T = TypeVar("T")

QUERY_LOGGERS = ("DataFrameQueryContextLogger", "SQLQueryContextLogger")
"""Loggers that print the error of a failed query, and so the record at which it failed."""

SENDING_LOGGERS = ("py4j.clientserver", "py4j.java_gateway", "pyspark.sql.connect.logging")
"""Loggers that print queries and results if they are set to print debugging messages. All queries except the first
contain limits of bins, which are close to records."""

MICROSECONDS = "CAST(CAST({} - TIMESTAMP_NTZ '1970-01-01 00:00:00' AS DECIMAL(20, 6)) * 1000000 AS BIGINT)"
"""Microseconds by an interval, whose seconds are exact. ``timestampdiff`` uses the clock of the session: unless that is
UTC, it raises at the ends of 64 bits, and takes two times for one when the clock goes forward."""

DIGEST_NUMBER = "CAST(conv(substr(sha2({0}, 256), 1, 15), 16, 10) AS BIGINT)"
"""The first 60 bits of a text's digest."""


class SparkDialect(Dialect):
    """A PySpark DataFrame."""

    name, local = "Spark", False
    implementations = frozenset({"pyspark", "pyspark[connect]"})

    def __init__(self, progress: FirstPass | None = None, after: Callable[[], None] | None = None) -> None:
        super().__init__(progress, after)
        self._kept = KeptFrames()

    @contextmanager
    def snapshot(self, frame: Frame) -> Iterator[None]:
        """While this lasts, frames are kept, and no logger prints queries. Rows may change."""
        with without_logs(SENDING_LOGGERS), self._kept.during_question():
            yield

    def kept(self, frame: Frame) -> Frame:
        with without_logs(QUERY_LOGGERS):
            self._kept.keep(frame.to_native())
        return frame

    def _run(self, run: Callable[[Frame], T], frame: Frame, report: Report | None) -> T:
        with without_logs(QUERY_LOGGERS), watched(frame.to_native().sparkSession, report):
            return self._with_or_without_kept(run, frame)

    def _with_or_without_kept(self, run: Callable[[Frame], T], frame: Frame) -> T:
        """Run a query. If it fails, run it again without kept frames, since the executors' disks may be full. The
        second query is a new plan, because a plan that has read a kept frame would keep it again."""
        try:
            return run(frame)
        except Exception:
            if not self._kept.release():
                raise
        return run(as_frame(frame.to_native().select("*")))

    def _arrays(self, frame: Frame) -> list[NDArray[Any]]:
        table = frame.to_native().toArrow()
        return [column.to_numpy() for column in table.columns]

    def _row(self, frame: Frame) -> tuple[Any, ...]:
        (row,) = frame.to_native().collect()
        return tuple(row)

    def _collect(self, frame: Frame) -> "nw.DataFrame[Any]":
        raise SchemaError("a Spark DataFrame", "must be brought to this computer first") from None

    def settled(self, frame: Frame, *columns: str) -> Frame:
        """Put the columns into a list of one row and unpack it. Spark moves no filter to a place before that."""
        fields = ", ".join(f"'{index}', {_quoted(column)}" for index, column in enumerate(columns))
        names = ", ".join(map(_quoted, columns))
        return as_frame(frame.to_native().selectExpr(f"inline(array(named_struct({fields}))) AS ({names})"))

    def digest_numbers(self, frame: Frame, column: str) -> Frame:
        return _with_column(frame, column, _functions(frame).expr(DIGEST_NUMBER.format(_quoted(column))))

    def positions(self, frame: Frame, order: Sequence[str], owner: Sequence[str] = ("person",)) -> Frame:
        """One sort computes both position and size. (``row_number`` would have only 32 bits.)"""
        rows = window_of_owner([*map(_quoted, owner)], [*map(_quoted, order)])
        position, size = f"count(1) OVER ({rows} CURRENT ROW)", f"count(1) OVER ({rows} UNBOUNDED FOLLOWING)"
        return as_frame(frame.to_native().selectExpr("*", f"{position} AS position", f"{size} AS size"))

    def bytewise(self, frame: Frame, column: str) -> Frame:
        return _with_column(frame, column, _functions(frame).try_validate_utf8(column))

    def parsed(self, frame: Frame, column: str) -> Frame:
        return _with_column(frame, column, _functions(frame).col(column).try_cast("double"))

    def ticks(self, frame: Frame, column: str, kind: Kind, *, exact: bool = False) -> tuple[Frame, int]:
        """Spark's times are whole microseconds, so no time is rounded."""
        native, quoted = frame.to_native(), _quoted(column)
        ticks = {
            "date": f"unix_date(CAST({quoted} AS DATE))",
            "zoned": f"unix_micros({quoted})",
        }.get(kind, MICROSECONDS.format(quoted))
        others = [_quoted(other) for other in native.columns if other != column]
        replaced = as_frame(native.selectExpr(*others, f"{ticks} AS {quoted}"))
        return replaced, 1 if kind == "date" else DAILY["us"]

    def stored_ticks(self, frame: Frame, column: str) -> Frame:
        kind: Any = self.holds(frame, column)
        return self.ticks(frame, column, kind)[0]

    def small_table(self, frame: Frame, columns: Columns) -> Frame:
        """A table that is sent to every worker, so that a join need not move the rows."""
        return as_frame(_functions(frame).broadcast(self.result(frame, columns)))

    def result(self, frame: Frame, columns: Columns) -> Any:
        import pyarrow

        table = pyarrow.table({name: pyarrow.array(values) for name, values in columns.items()})
        return frame.to_native().sparkSession.createDataFrame(table)

    def misread_name(self, name: str) -> str:
        return "without . and `" if set(name) & set(".`") else super().misread_name(name)

    def holds_nothing(self, frame: Frame, column: str) -> bool:
        return _declared(frame, column) == "void"

    def collation(self, frame: Frame, column: str) -> str:
        declared = _declared(frame, column)
        return declared if "collate" in declared else ""


@contextmanager
def without_logs(names: tuple[str, ...]) -> Iterator[None]:
    """Stop some of PySpark's loggers from printing records. PySpark logs the record at which a query failed before the
    error can be caught. Messages of other threads are printed as before."""
    from pyspark.logger import PySparkLogger

    this_thread, there = threading.get_ident(), logging.root.manager.loggerDict
    # PySpark may make a query logger later; any other new logger would become one of PySpark's, which prints
    wanted = [name for name in names if name in QUERY_LOGGERS or name in there]
    loggers = [PySparkLogger.getLogger(name) for name in wanted]

    def of_another_thread(record: logging.LogRecord) -> bool:
        return record.thread != this_thread

    for logger in loggers:
        logger.addFilter(of_another_thread)
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeFilter(of_another_thread)


def _declared(frame: Frame, column: str) -> str:
    """The declared type of a column, in the words of Spark."""
    return str(frame.to_native().schema[column].dataType.simpleString())


def _functions(frame: Frame) -> ModuleType:
    """The column functions of classic Spark or of Spark Connect, as the frame needs."""
    from importlib import import_module

    connect = ".connect." in type(frame.to_native()).__module__
    return import_module("pyspark.sql.connect.functions" if connect else "pyspark.sql.functions")


def _with_column(frame: Frame, column: str, value: Any) -> Frame:
    return as_frame(frame.to_native().withColumn(column, value))


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"
