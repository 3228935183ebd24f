"""Columns of time behind an engine: the microseconds that `Clock.read` finds in memory.

The engine's dialect reads a column as whole numbers; what they mean is the same on every engine. What an engine cannot
turn into a number, as DuckDB's infinite dates, is missing; what it could only turn into one with an error is refused by
its type.
"""

from noisewise.tables.engines.dialect import Dialect, Frame
from noisewise.tables.time.clock import SINCE_1970, Clock
from noisewise.tables.time.ticks import DAILY, FARTHEST, Kind


def in_microseconds(dialect: Dialect, frame: Frame, name: str, clock: Clock) -> Frame:
    """The frame with a column of time as float64 microseconds; missing where it is missing."""
    import narwhals.stable.v2 as nw

    frame, daily = dialect.ticks(frame, name, clock.kind)
    micros = nw.col(name).cast(nw.Float64) * float(DAILY["us"] // daily)
    if clock.kind not in ("time", "duration"):
        micros = micros - float(SINCE_1970)
    return frame.with_columns(micros.alias(name))


def since_1970(dialect: Dialect, frame: Frame, name: str, kind: Kind) -> Frame:
    """The frame with a column of datetimes as int64 microseconds; missing where they are no whole microseconds,
    or more than int64 holds."""
    import narwhals.stable.v2 as nw

    frame, daily = dialect.ticks(frame, name, kind, exact=True)
    ticks, times = nw.col(name).cast(nw.Int64), DAILY["us"] // daily
    if times > 1:
        held = (ticks >= -FARTHEST // times) & (ticks <= FARTHEST // times)
        ticks = nw.when(held).then(ticks).otherwise(nw.lit(None, nw.Int64)) * times
    return frame.with_columns(ticks.alias(name))


def days_since_1970(dialect: Dialect, frame: Frame, name: str) -> Frame:
    """The frame with a column of dates as int64; an infinite one is missing."""
    import narwhals.stable.v2 as nw

    frame, _ = dialect.ticks(frame, name, "date")
    return frame.with_columns(nw.col(name).cast(nw.Int64))
