"""Columns of time behind an engine: the microseconds that `Clock.read` finds in memory, by expressions of the engine.

narwhals has no word for them on every engine, so each is asked in its own. What an engine cannot turn into a number, as
DuckDB's infinite dates, is missing; what it could only turn into one with an error is refused by its type.
"""

from typing import Any

from noisewise.errors import SchemaError
from noisewise.tables.engines.dialect import Native
from noisewise.tables.engines.duckdb_ticks import FARTHEST, divided, finite, floored, per_day, raw_ticks
from noisewise.tables.time.clock import SINCE_1970, Clock
from noisewise.tables.time.text import parts_of_text, ticks_of_parts
from noisewise.tables.time.ticks import DAILY, Held, Kind, held_as, unit_of

SPARK_MICROSECONDS = (
    "CAST(CAST({} - TIMESTAMP_NTZ '1970-01-01 00:00:00' AS DECIMAL(20, 6)) * 1000000 AS BIGINT)"
)
"""By an interval, whose seconds are exact. ``timestampdiff`` goes by the clock of the session: where that is not UTC,
it raises at the ends of 64 bits, and where the clock goes forward it takes two times for one."""


def held_by_engine(native: Native, frame: Any, name: str) -> Held:
    """What a column is declared to hold."""
    declared = native.declared(frame, name)
    if declared == "INTERVAL":
        raise SchemaError(
            f"column {name!r}",
            "must be a number of seconds or the like",
            got="an INTERVAL, whose months have no length",
        ) from None
    return "time" if declared == "TIME_NS" else held_as(frame.collect_schema()[name])


def in_microseconds(native: Native, frame: Any, name: str, clock: Clock) -> Any:
    """The frame with a column of time as float64 microseconds; missing where it is missing."""
    import narwhals.stable.v2 as nw

    frame, daily = _ticks(native, frame, name, clock.kind)
    micros = nw.col(name).cast(nw.Float64) * float(DAILY["us"] // daily)
    if clock.kind not in ("time", "duration"):
        micros = micros - float(SINCE_1970)
    return frame.with_columns(micros.alias(name))


def since_1970(native: Native, frame: Any, name: str, kind: Kind) -> Any:
    """The frame with a column of datetimes as int64 microseconds; missing where it is not so many, or more than fit."""
    import narwhals.stable.v2 as nw

    frame, daily = _ticks(native, frame, name, kind, exact=True)
    ticks, times = nw.col(name).cast(nw.Int64), DAILY["us"] // daily
    if times > 1:
        held = (ticks >= -FARTHEST // times) & (ticks <= FARTHEST // times)
        ticks = nw.when(held).then(ticks).otherwise(nw.lit(None, nw.Int64)) * times
    return frame.with_columns(ticks.alias(name))


def days_since_1970(native: Native, frame: Any, name: str) -> Any:
    """The frame with a column of dates as int64; an infinite one is missing."""
    import narwhals.stable.v2 as nw

    frame, _ = _ticks(native, frame, name, "date")
    return frame.with_columns(nw.col(name).cast(nw.Int64))


def moments(native: Native, frame: Any, name: str) -> Any:
    """The frame with a column of dates or times as the whole numbers that name them in memory, in a type's own unit.

    Their text is no name: Polars panics and DuckDB breaks at that of a time beyond its calendar, and Spark's is that of
    a clock, which goes back once a year.
    """
    import narwhals.stable.v2 as nw

    if native.name == "Polars":
        return frame.with_columns(nw.col(name).cast(nw.Int64))
    if native.name == "DuckDB":
        relation, quoted, declared = _relation(frame, name)
        return nw.from_native(_replaced(relation, quoted, raw_ticks(declared, quoted)))
    kind: Any = held_as(frame.collect_schema()[name])
    return _spark(frame, name, kind)[0]


def _ticks(native: Native, frame: Any, name: str, kind: Kind, *, exact: bool = False) -> tuple[Any, int]:
    """The frame with a column of time as whole numbers, and how many of them make a day.

    What is no whole microsecond is cut down to one, or missing where it must be ``exact``.
    """
    if native.name == "Spark":
        return _spark(frame, name, kind)
    return (_polars if native.name == "Polars" else _duckdb)(frame, name, kind, exact)


def _polars(frame: Any, name: str, kind: Kind, exact: bool) -> tuple[Any, int]:
    import narwhals.stable.v2 as nw

    daily, ticks = DAILY[unit_of(str(frame.collect_schema()[name]).lower())], nw.col(name).cast(nw.Int64)
    if kind == "date":
        return frame.with_columns((ticks // daily).alias(name)), 1
    if daily == DAILY["ns"]:
        found = ticks // 1000
        if exact:
            found = nw.when(ticks % 1000 == 0).then(found).otherwise(nw.lit(None, nw.Int64))
        return frame.with_columns(found.alias(name)), DAILY["us"]
    return frame.with_columns(ticks.alias(name)), daily


def _duckdb(frame: Any, name: str, kind: Kind, exact: bool) -> tuple[Any, int]:
    import narwhals.stable.v2 as nw

    relation, quoted, declared = _relation(frame, name)
    in_days, daily = kind == "date", per_day(declared)
    if declared == "VARCHAR":  # of a text file
        relation = _replaced(relation, quoted, parts_of_text(quoted, kind))
        relation = _replaced(relation, quoted, ticks_of_parts(quoted, kind))
        return nw.from_native(relation), 1 if in_days else DAILY["us"]
    relation = _replaced(relation, quoted, raw_ticks(declared, quoted))
    relation = _replaced(relation, quoted, finite(declared, quoted))
    if in_days and daily > 1:
        relation, daily = _replaced(relation, quoted, floored(quoted, daily)), 1
    elif daily == DAILY["ns"]:
        cut = divided if exact else floored
        relation, daily = _replaced(relation, quoted, cut(quoted, 1000)), DAILY["us"]
    return nw.from_native(relation), daily


def _relation(frame: Any, name: str) -> tuple[Any, str, str]:
    """A relation of DuckDB, one of its columns in quotes, and that column's declared type."""
    relation = frame.to_native()
    declared = str(relation.types[relation.columns.index(name)])
    return relation, '"' + name.replace('"', '""') + '"', declared


def _replaced(relation: Any, quoted: str, value: str) -> Any:
    return relation.project(f"* REPLACE ({value} AS {quoted})")


def _spark(frame: Any, name: str, kind: Kind) -> tuple[Any, int]:
    import narwhals.stable.v2 as nw

    native, quoted = frame.to_native(), "`" + name.replace("`", "``") + "`"
    ticks = {
        "date": f"unix_date(CAST({quoted} AS DATE))",
        "zoned": f"unix_micros({quoted})",
    }.get(kind, SPARK_MICROSECONDS.format(quoted))
    others = ["`" + other.replace("`", "``") + "`" for other in native.columns if other != name]
    return nw.from_native(native.selectExpr(*others, f"{ticks} AS {quoted}")), 1 if kind == "date" else DAILY[
        "us"
    ]
