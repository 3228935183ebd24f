"""Polars: a LazyFrame, run by the streaming engine, in bounded memory."""

from collections.abc import Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from noisewise.tables.columns.labels import text_of_bytes
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

    def digest_numbers(self, frame: Frame, column: str) -> Frame:
        import polars as pl

        numbers = pl.col(column).map_batches(_digest_numbers, return_dtype=pl.Int64, is_elementwise=True)
        return as_frame(frame.to_native().with_columns(numbers))

    def positions(self, frame: Frame, order: Sequence[str], owner: Sequence[str] = ("person",)) -> Frame:
        """Position and size by one sort, which is faster than a sort within each person."""
        import polars as pl

        rows = frame.to_native().sort(*owner, *order).with_row_index("position")
        people = rows.group_by(*owner).agg(pl.col("position").min().alias("first"), pl.len().alias("size"))
        joined = rows.join(people, on=list(owner), how="inner")
        position = pl.col("position").cast(pl.Int64) - pl.col("first").cast(pl.Int64) + 1
        return as_frame(joined.with_columns(position, pl.col("size").cast(pl.Int64)).drop("first"))

    def bytewise(self, frame: Frame, column: str) -> Frame:
        import polars as pl

        raw = pl.col(column).cast(pl.Binary)  # text made of Arrow buffers may be any bytes
        text = raw.map_batches(text_of_bytes, return_dtype=pl.String, is_elementwise=True)
        return as_frame(frame.to_native().with_columns(text))

    def parsed(self, frame: Frame, column: str) -> Frame:
        import polars as pl

        return as_frame(frame.to_native().with_columns(pl.col(column).cast(pl.Float64, strict=False)))

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


def _digest_numbers(texts: "pl.Series") -> "pl.Series":
    """The first 60 bits of the digest of each text. Each different text is hashed once."""
    import polars as pl

    different = texts.drop_nulls().unique()
    numbers = [int(sha256(text.encode()).hexdigest()[:15], 16) for text in different]
    return texts.replace_strict(
        different, pl.Series(numbers, dtype=pl.Int64), default=None, return_dtype=pl.Int64
    )
