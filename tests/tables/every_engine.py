"""The same small table on every engine."""

import duckdb
import narwhals.stable.v2 as nw

from noisewise.tables.engines.dialect import FirstPass
from noisewise.tables.engines.engine_table import EngineTable
from tests.tables.postgres import rows_in_postgres
from tests.tables.spark import session

ENGINES = ["polars", "duckdb", "spark"]
LOCAL = ["polars", "duckdb"]


def lazily(engine, frame):
    """A Polars DataFrame as a lazy frame of an engine, as narwhals sees it."""
    if engine == "polars":
        return nw.from_native(frame.lazy())
    if engine == "duckdb":
        connection = duckdb.connect()
        connection.register("frame", frame.to_arrow())
        return nw.from_native(connection.table("frame"))
    if engine == "postgres":
        return rows_in_postgres(frame)
    return nw.from_native(session().createDataFrame(frame.to_arrow()))


def table(engine, frame, **how):
    return EngineTable(lazily(engine, frame), **how)


class EveryPass(FirstPass):
    """Hears of all passes, for tests that count them."""

    def next_pass(self):
        return self._report


def texts_of(table, names):
    """What a text file has in some columns, row by row, by DuckDB's own hand."""
    return table._of(tuple(names), None).frame.to_native().fetchall()
