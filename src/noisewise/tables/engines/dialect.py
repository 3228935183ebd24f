"""What engines do alike but narwhals has no word for: fetch a few numbers, hash a text, lay a small table beside.

Everything else is asked through narwhals. A query is only ever run here, so this is also where its progress is told.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from hashlib import sha256
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from noisewise.columns.labels import text_of_bytes
from noisewise.errors import SchemaError
from noisewise.tables.engines.duckdb_values import readable, relation_of, result_of
from noisewise.tables.engines.spark_logs import quiet

Progress = Callable[[str, float | None], None]
"""Told what is being done, and which part of it is done where that is known. Never how many rows there are."""


class Native(ABC):
    """One engine. Frames are narwhals LazyFrames of that engine; `arrays`, `totals` and `collect` run a query each."""

    name: ClassVar[str]
    local: ClassVar[bool]
    """Whether the data is on this computer, so that a column may be fetched whole."""

    def __init__(self, progress: Progress | None = None, after: Callable[[], None] | None = None) -> None:
        self._progress, self._after = progress, after

    def __repr__(self) -> str:
        return f"<{self.name}: withheld>"

    def arrays(self, frame: Any) -> list[NDArray[Any]]:
        """Every column of a result, without missing values, as an array."""
        found: list[NDArray[Any]] = self._query(self._arrays, frame)
        return found

    def totals(self, frame: Any) -> list[int]:
        """The single row of a result; a sum over no rows is 0."""
        return [int(total or 0) for total in self._query(self._row, frame)]

    def collect(self, frame: Any) -> Any:
        """The frame in memory, as narwhals sees it."""
        return self._query(self._collect, frame)

    def once(self, frame: Any, *names: str) -> Any:
        """Columns of numbers, worked out a single time: kept in memory on this computer, else left where they are."""
        if not self.local:
            return frame.select(*names)
        return self.beside(frame, dict(zip(names, self.arrays(frame.select(*names)), strict=True)))

    def _query(self, run: Callable[[Any], Any], frame: Any) -> Any:
        if self._progress is not None:
            self._progress("reading the data", None)
        found = run(frame)
        if self._after is not None:
            self._after()
        if self._progress is not None:
            self._progress("reading the data", 1.0)
        return found

    @abstractmethod
    def _arrays(self, frame: Any) -> list[NDArray[Any]]: ...

    @abstractmethod
    def _row(self, frame: Any) -> Any: ...

    @abstractmethod
    def _collect(self, frame: Any) -> Any: ...

    @abstractmethod
    def hashed(self, frame: Any, column: str) -> Any:
        """The frame with a column of text turned into its SHA-256 digests, in hexadecimal; missing stays missing."""

    def bytewise(self, frame: Any, column: str) -> Any:
        """The frame with a column of text that is compared byte by byte, never by the rules of a language.

        What is no UTF-8 is missing: engines mangle it when they sort, and it cannot be fetched.
        """
        return frame

    @abstractmethod
    def parsed(self, frame: Any, column: str) -> Any:
        """The frame with a column of text turned into float64; what the engine cannot read is missing."""

    @abstractmethod
    def beside(self, frame: Any, columns: dict[str, Any]) -> Any:
        """A small public table that can be joined with the frame."""

    @abstractmethod
    def like(self, frame: Any, columns: dict[str, Any]) -> Any:
        """A small result as the engine's own kind of frame."""

    @abstractmethod
    def declared(self, frame: Any, column: str) -> str:
        """A column's declared type as the engine calls it."""


class Polars(Native):
    """A Polars LazyFrame: run by the streaming engine, in bounded memory."""

    name, local = "Polars", True

    def _arrays(self, frame: Any) -> list[NDArray[Any]]:
        return [series.to_numpy() for series in self._run(frame).get_columns()]

    def _row(self, frame: Any) -> Any:
        (row,) = self._run(frame).rows()
        return row

    def hashed(self, frame: Any, column: str) -> Any:
        import narwhals.stable.v2 as nw
        import polars as pl

        def digests(texts: Any) -> Any:
            return pl.Series([None if text is None else _digest(text) for text in texts], dtype=pl.String)

        found = pl.col(column).map_batches(digests, return_dtype=pl.String, is_elementwise=True)
        return nw.from_native(frame.to_native().with_columns(found))

    def bytewise(self, frame: Any, column: str) -> Any:
        import narwhals.stable.v2 as nw
        import polars as pl

        raw = pl.col(column).cast(pl.Binary)  # a frame made of Arrow buffers may hold anything
        text = raw.map_batches(text_of_bytes, return_dtype=pl.String, is_elementwise=True)
        return nw.from_native(frame.to_native().with_columns(text))

    def parsed(self, frame: Any, column: str) -> Any:
        import narwhals.stable.v2 as nw
        import polars as pl

        return nw.from_native(frame.to_native().with_columns(pl.col(column).cast(pl.Float64, strict=False)))

    def beside(self, frame: Any, columns: dict[str, Any]) -> Any:
        import narwhals.stable.v2 as nw
        import polars as pl

        return nw.from_native(pl.LazyFrame(columns))

    def _collect(self, frame: Any) -> Any:
        import narwhals.stable.v2 as nw

        return nw.from_native(self._run(frame))

    def like(self, frame: Any, columns: dict[str, Any]) -> Any:
        import polars as pl

        return pl.DataFrame(columns)

    def declared(self, frame: Any, column: str) -> str:
        return str(frame.to_native().collect_schema()[column])

    def _run(self, frame: Any) -> Any:
        return frame.to_native().collect(engine="streaming")


class DuckDB(Native):
    """A DuckDB relation. Results are always read to their end: a half-read one would block the user's connection."""

    name, local = "DuckDB", True

    def _arrays(self, frame: Any) -> list[NDArray[Any]]:
        return [np.asarray(values) for values in frame.to_native().fetchnumpy().values()]

    def _row(self, frame: Any) -> Any:
        (row,) = frame.to_native().fetchall()
        return row

    def hashed(self, frame: Any, column: str) -> Any:
        return self._replaced(frame, column, "sha256({0})")

    def bytewise(self, frame: Any, column: str) -> Any:
        return self._replaced(frame, column, "TRY(decode(encode({0}))) COLLATE C")

    def parsed(self, frame: Any, column: str) -> Any:
        return self._replaced(frame, column, "TRY_CAST({0} AS DOUBLE)")

    def beside(self, frame: Any, columns: dict[str, Any]) -> Any:
        import narwhals.stable.v2 as nw

        return nw.from_native(relation_of(frame.to_native(), columns))

    def once(self, frame: Any, *names: str) -> Any:
        return super().once(frame, *names) if readable(frame.to_native()) else frame.select(*names)

    def _collect(self, frame: Any) -> Any:
        return frame.collect("pyarrow")

    def like(self, frame: Any, columns: dict[str, Any]) -> Any:
        return result_of(frame.to_native(), columns)

    def declared(self, frame: Any, column: str) -> str:
        native = frame.to_native()
        return str(native.types[native.columns.index(column)]).strip('"')

    def _query(self, run: Callable[[Any], Any], frame: Any) -> Any:
        """DuckDB stops where Ctrl-C is pressed, but says so by an error of its own."""
        try:
            return super()._query(run, frame)
        except RuntimeError as error:
            if str(error) != "Query interrupted":
                raise
        raise KeyboardInterrupt from None

    def _replaced(self, frame: Any, column: str, value: str) -> Any:
        import narwhals.stable.v2 as nw

        name = '"' + column.replace('"', '""') + '"'
        return nw.from_native(frame.to_native().project(f"* REPLACE ({value.format(name)} AS {name})"))


class Spark(Native):
    """A PySpark DataFrame: all work is done in the cluster, only results come here."""

    name, local = "Spark", False

    def _query(self, run: Callable[[Any], Any], frame: Any) -> Any:
        with quiet():
            return super()._query(run, frame)

    def _arrays(self, frame: Any) -> list[NDArray[Any]]:
        table = frame.to_native().toArrow()
        return [column.to_numpy() for column in table.columns]

    def _row(self, frame: Any) -> Any:
        (row,) = frame.to_native().collect()
        return row

    def hashed(self, frame: Any, column: str) -> Any:
        import narwhals.stable.v2 as nw

        functions = _spark_functions(frame.to_native())
        return nw.from_native(frame.to_native().withColumn(column, functions.sha2(column, 256)))

    def bytewise(self, frame: Any, column: str) -> Any:
        import narwhals.stable.v2 as nw

        functions = _spark_functions(frame.to_native())
        return nw.from_native(frame.to_native().withColumn(column, functions.try_validate_utf8(column)))

    def parsed(self, frame: Any, column: str) -> Any:
        import narwhals.stable.v2 as nw

        functions = _spark_functions(frame.to_native())
        number = functions.col(column).try_cast("double")
        return nw.from_native(frame.to_native().withColumn(column, number))

    def beside(self, frame: Any, columns: dict[str, Any]) -> Any:
        """Sent to every worker, so that the rows need not be moved for a join."""
        import narwhals.stable.v2 as nw

        functions = _spark_functions(frame.to_native())
        return nw.from_native(functions.broadcast(self.like(frame, columns)))

    def _collect(self, frame: Any) -> Any:
        raise SchemaError("a Spark DataFrame", "must be brought to this computer first") from None

    def like(self, frame: Any, columns: dict[str, Any]) -> Any:
        import pyarrow

        table = pyarrow.table({name: pyarrow.array(values) for name, values in columns.items()})
        return frame.to_native().sparkSession.createDataFrame(table)

    def declared(self, frame: Any, column: str) -> str:
        return str(frame.to_native().schema[column].dataType.simpleString())


def native_of(
    frame: Any, progress: Progress | None = None, after: Callable[[], None] | None = None
) -> Native:
    """The engine behind a narwhals LazyFrame, or the error that says which there are."""
    found: dict[str, type[Native]] = {
        "polars": Polars,
        "duckdb": DuckDB,
        "pyspark": Spark,
        "pyspark[connect]": Spark,
    }
    named = str(frame.implementation.value)
    if named not in found:
        raise SchemaError(
            "data", "must be a frame of Polars, DuckDB or Spark", got=f"one of {named}"
        ) from None
    return found[named](progress, after)


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8")).hexdigest()


def _spark_functions(native: Any) -> Any:
    """Column functions of classic Spark or of Spark Connect, whichever the frame is of."""
    from importlib import import_module

    connect = ".connect." in type(native).__module__
    return import_module("pyspark.sql.connect.functions" if connect else "pyspark.sql.functions")
