"""Small tables in a real PostgreSQL, one database for all tests of a process."""

from functools import cache
from itertools import count

import polars as pl
import psycopg

from noisewise.tables.engines.postgres import Source
from noisewise.tables.engines.postgres_database import Database
from tests.postgres import running

NUMBERS = count()
TYPES = {
    pl.Boolean: "bool",
    pl.Int8: "int2",
    pl.Int16: "int2",
    pl.Int32: "int4",
    pl.Int64: "int8",
    pl.UInt8: "int2",
    pl.UInt16: "int4",
    pl.UInt32: "int8",
    pl.UInt64: "numeric",
    pl.Int128: "numeric",
    pl.Float32: "float4",
    pl.Float64: "float8",
    pl.Decimal: "numeric",
    pl.String: "text",
    pl.Categorical: "text",
    pl.Enum: "text",
    pl.Null: "text",
    pl.List: "float8[]",
    pl.Binary: "bytea",
    pl.Duration: "interval",
    pl.Date: "date",
    pl.Time: "time",
}


@cache
def connection():
    """A connection whose statements commit one by one."""
    return psycopg.connect(running(), autocommit=True)


def rows_in_postgres(frame):
    """A Polars DataFrame as a new table, as narwhals sees it."""
    name = made({column: _declared(frame[column].dtype) for column in frame.columns}, frame.rows())
    return Source(Database(connection()), f"SELECT * FROM {name}").frame


def made(columns, rows):
    """The name of a new table, of columns with their types of PostgreSQL, and rows of Python values."""
    name = f"made_{next(NUMBERS)}"
    declared = ", ".join(f"{quoted(column)} {kind}" for column, kind in columns.items())
    connection().execute(f"CREATE UNLOGGED TABLE {name} ({declared})")
    with connection().cursor().copy(f"COPY {name} FROM STDIN") as copy:
        for row in rows:
            copy.write_row(row)
    return name


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def _declared(dtype):
    if dtype == pl.Datetime:
        return "timestamp" if dtype.time_zone is None else "timestamptz"
    return TYPES[dtype.base_type()]
