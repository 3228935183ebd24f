"""A matrix in memory: a two-dimensional array, a data frame, or a tuple of columns. The record is the row.

A row that misses a number is left out where rows come and go, and is a row of zeros where they are swapped; what reads
rows clamps zero to the bounds like any number.
"""

from typing import Any

import numpy as np

from noisewise.errors import SchemaError
from noisewise.floors import known
from noisewise.tables.columns.array_column import declare
from noisewise.tables.columns.array_rows import DeclaredRows, declare_rows

MOST_COLUMNS = 10_000


def declare_matrix(data: object) -> DeclaredRows:
    """Accept by declared type and shape, or refuse: how many columns there are is public."""
    columns = columns_of(data)
    if not 1 <= len(columns) <= MOST_COLUMNS:
        raise SchemaError(
            "data", f"must have from 1 to {MOST_COLUMNS:,} columns", got=str(len(columns))
        ) from None
    return declare_rows(columns, len(columns), (0.0,) * len(columns))


def columns_of(table: object, name: str = "data", *, lone: bool = False) -> tuple[Any, ...]:
    """The columns of a table, by its declared type; ``lone`` takes a single column for a table of one."""
    if isinstance(table, np.ndarray):
        if table.ndim == 1 and lone:
            return (table,)
        if table.ndim != 2:
            rule = "must have one or two dimensions" if lone else "must be two-dimensional"
            got = str(table.ndim) if lone else f"an array of {table.ndim} dimensions"
            raise SchemaError(name, rule, got=got) from None
        return tuple(table[:, i] for i in range(table.shape[1]))
    if isinstance(table, tuple):
        return table
    plain = known(table)
    import narwhals.stable.v2 as nw

    try:
        frame: Any = nw.from_native(plain, eager_only=True, allow_series=lone)  # type: ignore[call-overload]
    except Exception:
        frame = None
    if frame is None:
        raise SchemaError(
            name,
            "must be a two-dimensional array, a data frame in memory with different names, or a tuple of "
            "columns",
            got=f"{type(table).__module__}.{type(table).__qualname__}",
        ) from None
    if isinstance(frame, nw.Series):
        return (plain,)
    return tuple(declare(series.to_native(), f"column {series.name!r}") for series in frame.iter_columns())
