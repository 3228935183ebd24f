"""Ticks: a column of dates, times or durations as the whole numbers that its library stores.

Libraries raise or panic if such a number is beyond Python's calendar. Whole numbers have no calendar.
"""

import re
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from noisewise.tables.columns.array_column import AS_OBJECTS
from noisewise.tables.columns.conversions import of_objects

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw

Kind = Literal["date", "datetime", "zoned", "time", "duration"]
"""The kinds of time, of bounds and of columns. A zoned datetime has a time zone."""

Held = Kind | Literal["text", "object"] | None
"""What a column holds: a kind of time; "text", for cells of a file that may be of any kind; "object", for Python
objects, which declare no kind; or None for something else."""

DAILY = {"ns": 86400 * 10**9, "us": 86400 * 10**6, "ms": 86400 * 10**3, "s": 86400, "day": 1}
"""The number of ticks that make a day, by their unit."""

FARTHEST = 2**62
"""Times up to this many microseconds from 1970 fit into 64 bits."""


def held_as(dtype: "nw.dtypes.DType") -> Held:
    """The kind of time that a column of a narwhals type holds."""
    import narwhals.stable.v2 as nw

    if dtype == nw.Datetime:
        return "datetime" if getattr(dtype, "time_zone", None) is None else "zoned"
    kinds: list[tuple[Any, Held]] = [(nw.Date, "date"), (nw.Time, "time"), (nw.Duration, "duration")]
    return next((held for each, held in kinds if dtype == each), None)


def held_in_memory(series: "nw.Series[Any]") -> Held:
    """The kind of time that a series is declared to hold. For a series of objects the dtype is not read, since that
    would look at records."""
    declared = _declared(series)
    if declared.startswith(AS_OBJECTS):
        return "object" if of_objects(declared) else None
    if declared.startswith("date64"):
        return "date"
    zoned = declared.startswith("datetime64[") and "," in declared  # of pandas, not always known to narwhals
    return "zoned" if zoned else held_as(series.dtype)


def ticks_of(series: "nw.Series[Any]") -> tuple[NDArray[np.int64], NDArray[np.bool_], str]:
    """A column of time as whole numbers in its own unit, which of them are missing, and the unit: days for dates."""
    import narwhals.stable.v2 as nw

    declared = _declared(series)
    cast = series.cast(nw.Int32 if declared.startswith(("date32", "time32")) else nw.Int64)
    missing = (
        series.is_null().to_numpy().astype(np.bool_)
    )  # of the series itself, since a cast of pandas has no missing ones
    ticks, unit = whole_numbers(cast)[0].astype(np.int64), unit_of(declared)
    if declared.startswith("date64"):
        ticks, unit = ticks // DAILY[unit], "day"
    return ticks, missing, unit


def since_1970(moment: date) -> int:
    """A Python date in days, or a datetime in microseconds, since 1970: its ticks in columns of such types."""
    if not isinstance(moment, datetime):
        return (moment - date(1970, 1, 1)).days
    origin = datetime(1970, 1, 1, tzinfo=None if moment.utcoffset() is None else UTC)
    return (moment - origin) // timedelta(microseconds=1)


def unit_of(declared: str) -> str:
    """The unit of a column's ticks, by the name of the column's type."""
    unit = re.search(r"\b(ns|us|ms|s)\b", declared)
    return unit[1] if unit else "ns" if declared == "time" else "day"


def whole_numbers(series: "nw.Series[Any]") -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """A column of whole numbers, exactly, and which of them are missing. A missing one is 0."""
    missing = series.is_null().to_numpy().astype(np.bool_)
    numbers = (series.fill_null(value=0) if missing.any() else series).to_numpy()
    wide = np.uint64 if str(series.dtype).startswith("UInt") else np.int64
    return numbers if numbers.dtype.kind in "iu" else numbers.astype(wide), missing


def _declared(series: "nw.Series[Any]") -> str:
    native = series.to_native()
    return str(native.dtype if hasattr(native, "dtype") else native.type).lower()
