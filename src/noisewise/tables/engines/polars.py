"""Polars: a LazyFrame, run by the streaming engine, in bounded memory."""

from hashlib import sha256
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from noisewise.columns.labels import text_of_bytes
from noisewise.tables.engines.dialect import Columns, Dialect, Frame, as_frame
from noisewise.tables.time.ticks import DAILY, Kind, unit_of

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw
    import polars as pl


class PolarsDialect(Dialect):
    """A Polars LazyFrame."""

    name, local = "Polars", True
    implementations = frozenset({"polars"})

    def _arrays(self, frame: Frame) -> list[NDArray[Any]]:
        return [series.to_numpy() for series in _run(frame).get_columns()]

    def _row(self, frame: Frame) -> tuple[Any, ...]:
        (row,) = _run(frame).rows()
        return row

    def _collect(self, frame: Frame) -> "nw.DataFrame[Any]":
        import narwhals.stable.v2 as nw

        return nw.from_native(_run(frame))

    def hashed(self, frame: Frame, column: str) -> Frame:
        import polars as pl

        def digests(texts: "pl.Series") -> "pl.Series":
            return pl.Series(
                [None if text is None else sha256(text.encode()).hexdigest() for text in texts],
                dtype=pl.String,
            )

        hexadecimal = pl.col(column).map_batches(digests, return_dtype=pl.String, is_elementwise=True)
        return as_frame(frame.to_native().with_columns(hexadecimal))

    def bytewise(self, frame: Frame, column: str) -> Frame:
        import polars as pl

        raw = pl.col(column).cast(pl.Binary)  # a frame made of Arrow buffers may hold anything
        text = raw.map_batches(text_of_bytes, return_dtype=pl.String, is_elementwise=True)
        return as_frame(frame.to_native().with_columns(text))

    def parsed(self, frame: Frame, column: str) -> Frame:
        import polars as pl

        return as_frame(frame.to_native().with_columns(pl.col(column).cast(pl.Float64, strict=False)))

    def fingerprints(self, frame: Frame) -> Frame:
        import polars as pl

        native = frame.to_native()
        of_batch = _of_texts if native.collect_schema()["d"] == pl.String else _of_numbers
        numbers = pl.col("d").map_batches(of_batch, return_dtype=pl.Int64, is_elementwise=True)
        return as_frame(native.with_columns(numbers.alias("fingerprint")))

    def ticks(self, frame: Frame, column: str, kind: Kind, *, exact: bool = False) -> tuple[Frame, int]:
        import narwhals.stable.v2 as nw

        per_day = DAILY[unit_of(str(frame.collect_schema()[column]).lower())]
        ticks = nw.col(column).cast(nw.Int64)
        if kind == "date":
            return frame.with_columns((ticks // per_day).alias(column)), 1
        if per_day == DAILY["ns"]:
            micros = ticks // 1000
            if exact:
                micros = nw.when(ticks % 1000 == 0).then(micros).otherwise(nw.lit(None, nw.Int64))
            return frame.with_columns(micros.alias(column)), DAILY["us"]
        return frame.with_columns(ticks.alias(column)), per_day

    def stored_ticks(self, frame: Frame, column: str) -> Frame:
        import narwhals.stable.v2 as nw

        return frame.with_columns(nw.col(column).cast(nw.Int64))

    def small_table(self, frame: Frame, columns: Columns) -> Frame:
        import polars as pl

        return as_frame(pl.LazyFrame(columns))

    def result(self, frame: Frame, columns: Columns) -> "pl.DataFrame":
        import polars as pl

        return pl.DataFrame(columns)

    def misread_name(self, name: str) -> str:
        if name.startswith("^") and name.endswith("$"):
            return "that do not begin with ^ and end with $"
        return super().misread_name(name)

    def holds_nothing(self, frame: Frame, column: str) -> bool:
        return str(frame.to_native().collect_schema()[column]) == "Null"


def _run(frame: Frame) -> "pl.DataFrame":
    collected: pl.DataFrame = frame.to_native().collect(engine="streaming")
    return collected


def _of_texts(records: "pl.Series") -> "pl.Series":
    import polars as pl

    return pl.Series([None if text is None else _first_bytes(text) for text in records], dtype=pl.Int64)


def _of_numbers(records: "pl.Series") -> "pl.Series":
    import polars as pl

    return pl.Series(records.to_numpy().view(np.int64))


def _first_bytes(text: str) -> int:
    return int.from_bytes(sha256(text.encode()).digest()[:8], "big", signed=True)
