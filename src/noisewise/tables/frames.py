"""Which table a data frame is: in memory, or behind an engine. Told by its type, through narwhals."""

from os import PathLike
from typing import Any

from noisewise.errors import SchemaError
from noisewise.numbers.exact import describe
from noisewise.tables.local import LocalTable
from noisewise.tables.table import Table

LONG = 80
"""A path of more characters is not shown."""


def table_of(frame: object) -> Table:
    """The table of a user's data frame; a SchemaError names the type of anything else."""
    import narwhals as nw

    try:
        found: Any = nw.from_native(frame)
        names = list(found.collect_schema().names())
    except Exception:
        names = None
    if names is None:
        raise _no_frame(frame) from None
    if any(isinstance(name, tuple) for name in names):
        raise SchemaError("columns must have names of one level, got tuples; flatten them") from None
    if isinstance(found, nw.DataFrame):
        return LocalTable(found)
    from noisewise.tables.engines.table import EngineTable

    return EngineTable(found)


def _no_frame(given: object) -> SchemaError:
    """What is wrong with something that narwhals does not take for a data frame, and what to write instead."""
    try:
        twice = _twice(given)
    except Exception:  # DuckDB's, where a connection is closed
        return SchemaError("frame must be a relation of an open connection, got one that is closed")
    if twice:
        return SchemaError(f"columns must have different names, got {twice} twice")
    hint = ""
    if isinstance(given, (str, PathLike)):
        hint = f"; a file is opened by Dataset.scan({str(given)!r})" if len(str(given)) <= LONG else ""
    elif isinstance(given, (dict, list)):
        hint = "; make a data frame of it first, as pd.DataFrame(...) does"
    return SchemaError(
        "frame must be a data frame of pandas, Polars, PyArrow, DuckDB or PySpark, "
        f"got {type(given).__module__}.{type(given).__qualname__}{hint}"
    )


def _twice(given: object) -> str | None:
    """A name that two columns have, where the type of what is given has names of columns at all."""
    for attribute in ("column_names", "columns"):
        if hasattr(type(given), attribute):
            names = list(getattr(given, attribute))
            return next((describe(name) for name in names if names.count(name) > 1), None)
    return None
