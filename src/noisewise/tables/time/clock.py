"""Dates, times and durations as microseconds, and back.

    date, datetime    since the beginning of 2001, a Monday, so that steps of weeks, days and hours begin as usual
    time              since midnight
    timedelta         its length

float64 holds microseconds exactly for 285 years before and after. The type of the bounds and the declared type of the
column say which kind of time a question is about, never a record. Every record can be read.
"""

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from noisewise.errors import Value
from noisewise.kernel.numbers.exact import describe
from noisewise.tables.time.ticks import DAILY, Held, Kind, ticks_of

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw

UNITS = {
    "w": timedelta(weeks=1),
    "d": timedelta(days=1),
    "h": timedelta(hours=1),
    "min": timedelta(minutes=1),
    "s": timedelta(seconds=1),
    "ms": timedelta(milliseconds=1),
    "us": timedelta(microseconds=1),
}
"""The units of durations on a command line and in a study: 7d, 12h, 30min."""

NAMED: dict[Held, str] = {
    "date": "dates",
    "datetime": "datetimes without a time zone",
    "zoned": "datetimes with a time zone",
    "time": "times of day",
    "duration": Value("timedeltas", "durations"),
    None: "numbers",
}
SAID: dict[Held, tuple[str, ...]] = {
    "date": (NAMED["date"], ", as ", Value("date(2000, 1, 1)", "2000-01-31")),
    "datetime": (NAMED["datetime"], ", as ", Value("datetime(2000, 1, 1)", "2000-01-31T12:00")),
    "zoned": (NAMED["zoned"], ", as ", Value("datetime(2000, 1, 1, tzinfo=UTC)", "2000-01-31T12:00+00:00")),
    "time": (NAMED["time"], ", as ", Value("time(9, 30)", "09:30")),
    "duration": (NAMED["duration"], ", as ", Value("timedelta(hours=1)", "12h")),
    None: (NAMED[None],),
}

ORIGIN, DAY, MICROSECOND = datetime(2001, 1, 1), timedelta(days=1), timedelta(microseconds=1)
SINCE_1970 = (ORIGIN - datetime(1970, 1, 1)) // MICROSECOND

DERIVE = "make a column of numbers first, such as the days since a date"


@dataclass(frozen=True, slots=True)
class TimeRule:
    """What a kind of question means for records that are points in time or durations. Public."""

    answer: Literal["same", "duration", "number"] | None
    """The kind of the answer: the same as the records, a duration, or a number. None if the question means nothing."""

    only_durations: bool = False
    """Whether the question only means something for durations."""

    widest: Literal["range", "half range", "magnitude"] = "range"
    """The range of the answers: the range of the bounds, half of it, or per record the magnitude of the larger
    bound."""

    pairs: bool = False
    """Whether an answer consists of pairs that begin with a point in time."""

    why_not: str = DERIVE
    """What to do instead if the question means nothing."""

    def allows(self, kind: Kind) -> bool:
        return self.answer is not None and (kind == "duration" or not self.only_durations)


SAME, NO_TIME = TimeRule("same"), TimeRule(None)


@dataclass(frozen=True, slots=True)
class Clock:
    """How a question about time becomes one about numbers, and what its answer means. Public."""

    kind: Kind
    answers: Kind | None
    """The kind of the answer. None if it is a number."""
    pairs: bool = False
    bounds: tuple[Any, Any] | None = None
    granularity: timedelta | None = None

    def value(self, answer: Any) -> Any:
        """One or several answers in microseconds, as dates, times or durations."""
        if self.answers is None or answer is None:
            return answer
        if self.pairs:
            return tuple((self._one(value), share) for value, share in answer)
        return tuple(map(self._one, answer)) if isinstance(answer, tuple) else self._one(answer)

    def _one(self, micros: float) -> Any:
        """A number of microseconds as a date, a time or a duration. If Python's types cannot hold it, as happens only
        for noisy sums, return the last value that they hold."""
        least, most = timedelta.min // MICROSECOND, timedelta.max // MICROSECOND
        span = min(max(int(micros), least), most) * MICROSECOND
        if self.answers == "duration":
            return span
        if self.answers == "time":
            return (ORIGIN + min(max(span, timedelta(0)), DAY - MICROSECOND)).time()
        moment = ORIGIN + min(max(span, datetime.min - ORIGIN), datetime.max - ORIGIN)
        if self.answers == "date":
            return moment.date()
        return moment if self.answers == "datetime" else _in_zone(moment, self.bounds)

    def read(self, series: "nw.Series[Any]") -> NDArray[np.float64]:
        """A column in memory as microseconds. Missing records are NaN."""
        ticks, missing, unit = ticks_of(series)
        per_day = DAILY[unit]
        if self.kind == "date":
            ticks, per_day = ticks // per_day, 1  # the day of a datetime
        elif unit == "ns":
            ticks, per_day = ticks // 1000, DAILY["us"]
        micros = ticks.astype(np.float64) * (DAILY["us"] // per_day)
        if self.kind not in ("time", "duration"):
            micros -= SINCE_1970
        micros[missing] = np.nan
        return micros


def pair_in_time(bounds: Any) -> tuple[Any, Any] | None:
    """Both bounds, if at least one is a date, a time or a duration. None for other bounds, or without bounds."""
    if not isinstance(bounds, (tuple, list, np.ndarray)) or len(bounds) != 2:
        return None
    low, high = map(without_library, bounds)
    return (low, high) if kind_of(low) or kind_of(high) else None


def without_library(given: Any) -> Any:
    """A value of pandas or NumPy as a value of Python. It may be finer than a microsecond, or missing."""
    if isinstance(given, (np.datetime64, np.timedelta64)):
        return (
            given.item()
            if given.dtype.str.endswith("[D]")
            else given.astype(f"{given.dtype.kind}8[us]").item()
        )
    for convert in ("to_pydatetime", "to_pytimedelta"):
        if hasattr(given, convert) and given == given:
            return getattr(given.floor("us"), convert)()
    return given


def kind_of(given: object) -> Kind | None:
    """The kind of time that a Python object is. None for other objects, and for missing ones."""
    if not isinstance(given, (date, time, timedelta)) or given != given:
        return None
    if isinstance(given, datetime):
        return "datetime" if given.utcoffset() is None else "zoned"
    if isinstance(given, date):
        return "date"
    if isinstance(given, time):
        return "time" if given.tzinfo is None else None
    return "duration"


def micros_of(given: Any) -> int:
    """A date, time or duration in microseconds."""
    if isinstance(given, timedelta):
        return given // MICROSECOND
    if isinstance(given, time):
        return (datetime.combine(ORIGIN, given) - ORIGIN) // MICROSECOND
    moment = given if isinstance(given, datetime) else datetime.combine(given, time())
    return (moment - ORIGIN.replace(tzinfo=None if moment.utcoffset() is None else UTC)) // MICROSECOND


def _in_zone(moment: datetime, bounds: Any) -> datetime:
    """A moment of UTC in the time zone of the lower bound, or in UTC if that leaves the calendar."""
    try:
        return moment.replace(tzinfo=UTC).astimezone(bounds[0].tzinfo)
    except OverflowError:
        return moment.replace(tzinfo=UTC)


def shown(bound: Any) -> str:
    return str(bound) if kind_of(bound) else describe(bound)


def iso(given: Any) -> Any:
    """Dates, times and durations as text of ISO 8601, several as a list. Other objects stay as they are."""
    if isinstance(given, (tuple, list)):
        return [iso(each) for each in given]
    if not isinstance(given, timedelta):
        return given.isoformat() if isinstance(given, (date, time)) else given
    sign, rest = ("-", -given) if given < timedelta(0) else ("", given)
    seconds = f"{rest.seconds}.{rest.microseconds:06}".rstrip("0").rstrip(".")
    days = f"{rest.days}D" if rest.days else ""
    return f"{sign}P{days}" + (f"T{seconds}S" if seconds != "0" or not days else "")


def spoken(given: timedelta) -> str:
    """A duration as Python prints it, except that whole days have no "0:00:00"."""
    return str(given).removesuffix(", 0:00:00")


def duration_of(text: str) -> timedelta | None:
    """The duration that a text such as 7d, 12h, 30min or 15s spells, or None."""
    typed = re.fullmatch(rf"(\d{{1,8}})({'|'.join(UNITS)})", text)
    return None if typed is None else int(typed[1]) * UNITS[typed[2]]
