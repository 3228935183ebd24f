"""Which table a data frame is: in memory, or behind an engine. Told by its type, through narwhals."""

from typing import Any

from noisewise.errors import SchemaError
from noisewise.tables.local import LocalTable
from noisewise.tables.table import Table


def table_of(frame: object) -> Table:
    """The table of a user's data frame; a SchemaError names the type of anything else."""
    import narwhals as nw

    try:
        found: Any = nw.from_native(frame)
        names = list(found.collect_schema().names())
    except Exception:
        names = None
    if names is None:
        raise SchemaError(
            "frame must be a data frame of pandas, Polars, PyArrow, DuckDB or PySpark whose columns have different "
            f"names, got {type(frame).__module__}.{type(frame).__qualname__}"
        ) from None
    if isinstance(found, nw.DataFrame):
        return LocalTable(found)
    from noisewise.tables.engine import EngineTable

    return EngineTable(found)
