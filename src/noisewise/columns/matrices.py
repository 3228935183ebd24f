"""A matrix in memory: a two-dimensional array, a data frame, or a tuple of columns. The record is the row.

A row that misses a number is left out where rows come and go, and is a row of zeros where they are swapped; what reads
rows clamps zero to the bounds like any number.
"""

from typing import Any

import numpy as np

from noisewise.columns.rows import DeclaredRows, declare_rows
from noisewise.errors import SchemaError

MOST_COLUMNS = 10_000


def declare_matrix(data: object) -> DeclaredRows:
    """Accept by declared type and shape, or refuse: how many columns there are is public."""
    columns = _columns(data)
    if not 1 <= len(columns) <= MOST_COLUMNS:
        raise SchemaError(f"data must have from 1 to {MOST_COLUMNS:,} columns, got {len(columns)}") from None
    return declare_rows(columns, len(columns), (0.0,) * len(columns))


def _columns(data: object) -> tuple[Any, ...]:
    if isinstance(data, np.ndarray):
        if data.ndim != 2:
            raise SchemaError(
                f"data must be two-dimensional, got an array of {data.ndim} dimensions"
            ) from None
        return tuple(data[:, i] for i in range(data.shape[1]))
    if isinstance(data, tuple):
        return data
    import narwhals as nw

    try:
        frame = nw.from_native(data, eager_only=True)  # type: ignore[call-overload]
    except Exception:
        frame = None
    if frame is None:
        raise SchemaError(
            "data must be a two-dimensional array, a data frame in memory with different names, or a tuple of columns, "
            f"got {type(data).__module__}.{type(data).__qualname__}"
        ) from None
    return tuple(series.to_native() for series in frame.iter_columns())
