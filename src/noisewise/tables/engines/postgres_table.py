"""A table in PostgreSQL, opened: what the user gave is judged, and its columns are described. No row is read."""

from typing import Any

from noisewise.errors import ParameterError, ParameterTypeError, SchemaError
from noisewise.kernel.numbers.exact import describe
from noisewise.tables.engines.dialect import FirstPass
from noisewise.tables.engines.engine_table import EngineTable


def open_table(given: Any, table: object, query: object, progress: FirstPass | None) -> EngineTable:
    """The table, or the rows of the query, of a database: its URL or a connection."""
    select = _select(table, query)
    try:
        import ibis  # noqa: F401
    except ImportError:
        raise SchemaError(
            "a table in PostgreSQL", "needs the package ibis-framework", extra="postgres-tables"
        ) from None
    from noisewise.floors import judge_library
    from noisewise.tables.engines.postgres import Source
    from noisewise.tables.engines.postgres_database import Database

    judge_library("ibis-framework")
    return EngineTable(Source(Database(given), select).frame, progress=progress)


def _select(table: object, query: object) -> str:
    """What is asked for, as a SELECT."""
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
        return query.rstrip().rstrip(";") + "\n"  # which ends a comment
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
    return "SELECT * FROM " + ".".join('"' + name.replace('"', '""') + '"' for name in names)
