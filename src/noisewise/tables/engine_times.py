"""Columns of time behind an engine: the microseconds that `Clock.read` finds in memory, by expressions of the engine.

narwhals has no word for them on every engine, so each is asked in its own. What an engine cannot turn into a number, as
DuckDB's infinite dates, is missing; what it could only turn into one with an error is refused by its type.
"""

from collections.abc import Callable
from typing import Any

from noisewise.errors import SchemaError
from noisewise.tables.engine_native import Native
from noisewise.tables.ticks import DAILY, Held, Kind, held_as, unit_of
from noisewise.tables.times import SINCE_1970, Clock

DAYS = "date_diff('day', DATE '1970-01-01', CAST({} AS DATE))"
NANOSECONDS = "(epoch_ns({0}) - (epoch_ns({0}) % 1000 + 1000) % 1000) // 1000"
"""In DuckDB, where ``//``, ``epoch_us`` and a cast to a date cut nanoseconds towards zero: wrong before 1970."""

FARTHEST = 2**62
"""So many microseconds from 1970 are surely held by an integer of 64 bits."""


def held_by_engine(native: Native, frame: Any, name: str) -> Held:
    """What a column is declared to hold."""
    declared = native.declared(frame, name)
    if declared == "INTERVAL":
        raise SchemaError(
            f"column {name!r} must be a number of seconds or the like, got an INTERVAL, whose months have no length"
        ) from None
    return "time" if declared == "TIME_NS" else held_as(frame.collect_schema()[name])


def in_microseconds(native: Native, frame: Any, name: str, clock: Clock) -> Any:
    """The frame with a column of time as float64 microseconds; missing where it is missing."""
    import narwhals as nw

    frame, per_day = _ticks(native, frame, name, clock.kind)
    micros = nw.col(name).cast(nw.Float64) * float(DAILY["us"] // per_day)
    if clock.kind not in ("time", "duration"):
        micros = micros - float(SINCE_1970)
    return frame.with_columns(micros.alias(name))


def since_1970(native: Native, frame: Any, name: str, kind: Kind) -> Any:
    """The frame with a column of datetimes as int64 microseconds; what they cannot hold is missing."""
    import narwhals as nw

    frame, per_day = _ticks(native, frame, name, kind)
    ticks, times = nw.col(name).cast(nw.Int64), DAILY["us"] // per_day
    if times > 1:
        held = (ticks >= -FARTHEST // times) & (ticks <= FARTHEST // times)
        ticks = nw.when(held).then(ticks).otherwise(nw.lit(None, nw.Int64)) * times
    return frame.with_columns(ticks.alias(name))


def days_since_1970(native: Native, frame: Any, name: str) -> Any:
    """The frame with a column of dates as int64; an infinite one is missing."""
    import narwhals as nw

    frame, _ = _ticks(native, frame, name, "date")
    return frame.with_columns(nw.col(name).cast(nw.Int64))


def moments(native: Native, frame: Any, name: str) -> Any:
    """The frame with a column of dates or times as numbers that differ where they do, or as it is.

    Polars panics at the text of a time beyond its calendar, and Spark's is that of a clock, which goes back once a
    year. DuckDB writes all of them, and apart.
    """
    import narwhals as nw

    if native.name == "Polars":
        return frame.with_columns(nw.col(name).cast(nw.Int64))
    if native.name == "Spark" and held_as(frame.collect_schema()[name]) == "zoned":
        return _spark(frame, name, "zoned")[0]
    return frame


def _ticks(native: Native, frame: Any, name: str, kind: Kind) -> tuple[Any, int]:
    """The frame with a column of time as whole numbers, and how many of them make a day."""
    by: dict[str, Callable[[Any, str, Kind], tuple[Any, int]]] = {
        "Polars": _polars,
        "DuckDB": _duckdb,
        "Spark": _spark,
    }
    return by[native.name](frame, name, kind)


def _polars(frame: Any, name: str, kind: Kind) -> tuple[Any, int]:
    import narwhals as nw

    per_day, ticks = DAILY[unit_of(str(frame.collect_schema()[name]).lower())], nw.col(name).cast(nw.Int64)
    if kind == "date":
        return frame.with_columns((ticks // per_day).alias(name)), 1
    if per_day == DAILY["ns"]:
        return frame.with_columns((ticks // 1000).alias(name)), DAILY["us"]
    return frame.with_columns(ticks.alias(name)), per_day


def _duckdb(frame: Any, name: str, kind: Kind) -> tuple[Any, int]:
    import narwhals as nw

    relation, quoted = frame.to_native(), '"' + name.replace('"', '""') + '"'
    declared = str(relation.types[relation.columns.index(name)])
    in_days, moment = kind == "date", quoted
    micros = NANOSECONDS if declared == "TIMESTAMP_NS" else "epoch_us({0})"
    if in_days and declared == "TIMESTAMP_NS":
        moment = f"make_timestamp({micros.format(quoted)})"
    ticks = DAYS.format(moment) if in_days else micros.format(quoted)
    replaced = relation.project(f"* REPLACE ({ticks} AS {quoted})")
    return nw.from_native(replaced), 1 if in_days else DAILY["us"]


def _spark(frame: Any, name: str, kind: Kind) -> tuple[Any, int]:
    import narwhals as nw

    native, quoted = frame.to_native(), "`" + name.replace("`", "``") + "`"
    ticks = {
        "date": f"unix_date(CAST({quoted} AS DATE))",
        "zoned": f"unix_micros({quoted})",
    }.get(kind, f"timestampdiff(MICROSECOND, TIMESTAMP_NTZ '1970-01-01 00:00:00', {quoted})")
    others = ["`" + other.replace("`", "``") + "`" for other in native.columns if other != name]
    return nw.from_native(native.selectExpr(*others, f"{ticks} AS {quoted}")), 1 if kind == "date" else DAILY[
        "us"
    ]
