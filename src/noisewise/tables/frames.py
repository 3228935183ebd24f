"""Find the table of a data frame, in memory or behind an engine. The type of the frame decides."""

import sys
from os import PathLike
from typing import TYPE_CHECKING, Any

from noisewise.errors import ParameterError, ParameterTypeError, SchemaError
from noisewise.floors import check_library, known
from noisewise.kernel.numbers.exact import describe
from noisewise.tables.local import LocalTable
from noisewise.tables.table import Table

if TYPE_CHECKING:
    from noisewise.tables.engines.dialect import FirstPass

LONG = 80
"""The most characters of a path that an error shows."""
WIDEST = 38
"""The most digits of a decimal in Polars."""


def table_of(
    frame: object, progress: "FirstPass | None" = None, *, table: object = None, query: object = None
) -> Table:
    """The table of a user's data frame. A database needs a ``table`` or a ``query``. Other objects are refused."""
    if is_database(frame):
        return open_table(frame, table, query, progress)
    if table is not None or query is not None:
        raise ParameterTypeError(
            "table" if query is None else "query",
            "must be left out where the data is no database",
            got=describe(table if query is None else query),
        ) from None
    plain = known(frame)
    import narwhals.stable.v2 as nw

    try:
        if isinstance(plain, _polars_frames()):
            types_of(plain)
        wrapped: Any = nw.from_native(plain)
        names = list(wrapped.collect_schema().names())
    except SchemaError:
        raise
    except Exception:
        names = None
    if names is None:
        raise _no_frame(plain) from None
    if any(isinstance(name, tuple) for name in names):
        raise SchemaError(
            "columns", "must have names of one level", got="tuples", fix="flatten them"
        ) from None
    if isinstance(wrapped, nw.DataFrame):
        return LocalTable(wrapped)
    from noisewise.tables.engines.engine_table import EngineTable

    return EngineTable(wrapped, progress=progress)


def is_database(given: object) -> bool:
    """Whether the data is the URL of a PostgreSQL database, or a connection of psycopg's."""
    if isinstance(given, str):
        return given.startswith(("postgresql://", "postgres://"))
    return isinstance(given, getattr(sys.modules.get("psycopg"), "Connection", ()))


def open_table(given: Any, table: object, query: object, progress: "FirstPass | None") -> Table:
    """Open a database, by its URL or a connection, and return its table or the rows of a query. No row is read."""
    select = _select(table, query)
    try:
        import ibis  # noqa: F401
    except ImportError:
        raise SchemaError(
            "a table in PostgreSQL", "needs the package ibis-framework", extra="postgres-tables"
        ) from None
    from noisewise.tables.engines.engine_table import EngineTable
    from noisewise.tables.engines.postgres import Source
    from noisewise.tables.engines.postgres_database import Database

    check_library("ibis-framework")
    return EngineTable(Source(Database(given), select).frame, progress=progress)


def _select(table: object, query: object) -> str:
    """The table or the query as a SELECT."""
    if (table is None) == (query is None):
        raise ParameterError(
            "a database",
            "must be given a table or a query",
            got="neither" if table is None else "both",
            fix='as Dataset("postgresql://...", table="visits")',
        ) from None
    if query is not None:
        if not isinstance(query, str):
            raise ParameterTypeError("query", "must be text", got=describe(query)) from None
        return query.rstrip().rstrip(";") + "\n"  # the line feed ends a comment
    names = tuple(table.split(".")) if isinstance(table, str) else table
    if (
        not isinstance(names, tuple)
        or not 1 <= len(names) <= 2
        or not all(isinstance(name, str) and name for name in names)
        or any("\0" in name for name in names)
    ):
        raise ParameterTypeError(
            "table", 'must be the name of a table, such as "visits" or "clinic.visits"', got=describe(table)
        ) from None
    from noisewise.tables.engines.dialect import sql_name

    return "SELECT * FROM " + ".".join(map(sql_name, names))


def _no_frame(given: object) -> SchemaError:
    """The error for an object that is no data frame, with what to write instead."""
    try:
        twice = _twice(given)
    except Exception:  # DuckDB raises if a connection is closed
        return SchemaError("frame", "must be a relation of an open connection", got="one that is closed")
    if twice:
        return SchemaError("columns", "must have different names", got=f"{twice} twice")
    hint = ""
    if isinstance(given, (str, PathLike)):
        hint = f"a file is opened by Dataset.scan({str(given)!r})" if len(str(given)) <= LONG else ""
    elif isinstance(given, (dict, list)):
        hint = "make a data frame of it first, as pd.DataFrame(...) does"
    return SchemaError(
        "frame",
        "must be a data frame of pandas, Polars, PyArrow, DuckDB or PySpark",
        got=f"{type(given).__module__}.{type(given).__qualname__}",
        fix=hint,
    )


def types_of(frame: Any) -> dict[str, Any]:
    """The declared types of a Polars frame. Types that cannot be read are refused.

    Polars panics at types that it does not know, and a panic is no Exception. narwhals does not know some others.
    """
    try:
        types = dict(frame.collect_schema())
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        types = None
    if types is None:
        raise SchemaError(
            "columns", "must be of types that Polars knows", fix="update it, or leave some out"
        ) from None
    for name, dtype in types.items():
        if (getattr(dtype, "precision", None) or 0) > WIDEST:
            raise SchemaError(
                "decimals",
                f"must have at most {WIDEST} digits",
                got=f"column {name!r} of type {dtype}",
                fix="leave it out, or make it a column of floats first",
            ) from None
    return types


def _polars_frames() -> tuple[type, ...]:
    """The types of frames in Polars, if it is imported."""
    polars = sys.modules.get("polars")
    return () if polars is None else (polars.LazyFrame, polars.DataFrame)


def _twice(given: object) -> str | None:
    """A name that two columns share. None if all names differ, or if the object has no columns."""
    for attribute in ("column_names", "columns"):
        if hasattr(type(given), attribute):
            names = list(getattr(given, attribute))
            return next((describe(name) for name in names if names.count(name) > 1), None)
    return None
