"""Dates, times and durations: a question about them becomes one about microseconds, and its answer a date again.

    date, datetime    since the beginning of 2001, a Monday, so that steps of weeks, days and hours begin where ours do
    time              since midnight
    timedelta         as it is

float64 holds microseconds exactly for 285 years on either side. What is meant is told by the type of the bounds, and
whether a column can be read so by its declared type: never by a record. `translate` judges both before anything is
paid; the records are read after, by a total map.
"""

from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noisewise.errors import ParameterError, ParameterTypeError, SchemaError
from noisewise.numbers.exact import describe
from noisewise.numbers.lattice import FINEST
from noisewise.tables.names import is_column
from noisewise.tables.time.ticks import DAILY, Held, Kind, held_in_memory, ticks_of

SAID: dict[Held, str] = {
    "date": "dates, as date(2000, 1, 1)",
    "datetime": "datetimes without a time zone, as datetime(2000, 1, 1)",
    "zoned": "datetimes with a time zone, as datetime(2000, 1, 1, tzinfo=UTC)",
    "time": "times of day, as time(9, 30)",
    "duration": "timedeltas, as timedelta(hours=1)",
    None: "numbers",
}

ORIGIN, DAY, MICROSECOND = datetime(2001, 1, 1), timedelta(days=1), timedelta(microseconds=1)
SINCE_1970 = (ORIGIN - datetime(1970, 1, 1)) // MICROSECOND

ALIKE = {
    *("max", "mean", "median", "min", "quantile", "trimmed_mean", "winsorized_mean"),
    *("ecdf", "five_number_summary", "median_interval", "quantile_interval", "quantiles"),
}
"""Questions whose answers are of the kind that the records are."""

APART = {"iqr", "mad", "range", "spread", "std"}
"""Questions whose answers are durations, whatever the records are."""

WHY_NOT = {
    "gini": "it compares shares of a total, and points in time have none",
    "private_bounds": "it searches among powers of two; give bounds that you know",
    "proportion": "it wants True and False; make such a column first",
    "sum": "points in time do not add up; ask for the mean",
    "variance": "it would be in squares of time; ask for std",
}
DERIVE = "make a column of numbers first, such as the days since a date"


@dataclass(frozen=True, slots=True)
class Clock:
    """How a question about time is asked in numbers, and what its answer means. All public."""

    kind: Kind
    answers: Kind | None
    """What an answer is; None where it is a number."""
    question: str
    bounds: tuple[Any, Any] | None = None
    granularity: timedelta | None = None

    def value(self, answer: Any) -> Any:
        """An answer in microseconds, or several, as a date, a time or a duration."""
        if self.answers is None or answer is None:
            return answer
        if self.question == "ecdf":
            return tuple((self._one(value), share) for value, share in answer)
        return tuple(map(self._one, answer)) if isinstance(answer, tuple) else self._one(answer)

    def _one(self, micros: float) -> Any:
        """Total: beyond what Python's types hold, where only a noisy sum can be, stands the last that they hold."""
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

    def read(self, series: Any) -> NDArray[np.float64]:
        """A column in memory as microseconds, NaN where it is missing."""
        if held_in_memory(series) == "object":
            return np.fromiter(map(self.number, series.to_list()), np.float64, len(series))
        ticks, missing, unit = ticks_of(series)
        per_day = DAILY[unit]
        if self.kind == "date":
            ticks, per_day = ticks // per_day, 1  # the day that it falls on
        elif unit == "ns":
            ticks, per_day = ticks // 1000, DAILY["us"]
        micros = ticks.astype(np.float64) * (DAILY["us"] // per_day)
        if self.kind not in ("time", "duration"):
            micros -= SINCE_1970
        micros[missing] = np.nan
        return micros

    def number(self, record: object) -> float:
        """A Python object as microseconds: NaN where it is of another kind, or fails as what it pretends to be."""
        try:
            kind = kind_of(record)
            if self.kind == "date" and kind == "datetime":
                return float(micros_of(record.date()))  # type: ignore[attr-defined]
            return float(micros_of(record)) if kind == self.kind else np.nan
        except Exception:
            return np.nan


@dataclass(frozen=True, slots=True)
class Timed:
    """A question in numbers, the table to ask it of, and the clock that reads its answer: None where it is a number."""

    inquiry: Any
    table: Any
    clock: Clock | None = None


def translate(inquiry: Any, table: Any) -> Timed:
    """Judge a question by the types of its bounds and of its columns; one about time becomes one about numbers."""
    asked, columns = dict(inquiry.asked), _columns(inquiry, table)
    bounds = _plain_pair(asked.get("bounds"))
    if bounds is None:
        return _without_bounds(inquiry, table, columns)
    clock = _clock(inquiry, bounds, asked.get("granularity"))
    for name, held in columns.items():
        if held not in ("object", clock.kind) and (clock.kind, held) != ("date", "datetime"):
            raise SchemaError(
                f"bounds must be {SAID[held]}, for the column {name!r}, by its type, got {_named(clock.kind)}"
            ) from None
        table = table.timed(name, clock)
    asked["bounds"] = tuple(map(micros_of, bounds))
    if clock.granularity is not None:
        asked["granularity"] = clock.granularity // MICROSECOND
    return Timed(replace(inquiry, asked=asked), table, clock)


def _without_bounds(inquiry: Any, table: Any, columns: dict[str, Held]) -> Timed:
    """A question without bounds of time: about numbers, or a count of a column of time."""
    timed = {name: held for name, held in columns.items() if held not in ("object", None)}
    if isinstance(inquiry.asked.get("granularity"), (timedelta, np.timedelta64)):
        raise ParameterTypeError(
            "granularity must be a number where bounds are numbers, got a timedelta"
        ) from None
    for name, held in timed.items():
        if inquiry.name == "count":
            return Timed(inquiry, table.timed(name, Clock(held, None, "count")))  # type: ignore[arg-type]
        if inquiry.name in ALIKE | APART:
            raise SchemaError(f"bounds must be {SAID[held]}, for the column {name!r}, by its type") from None
        raise SchemaError(
            f"{inquiry.name} must be asked of numbers, got the column {name!r} of {_named(held)}: "
            f"{WHY_NOT.get(inquiry.name, DERIVE)}"
        ) from None
    return Timed(inquiry, table)


def _clock(inquiry: Any, bounds: tuple[Any, Any], granularity: Any) -> Clock:
    """What the question means, or the error that it means nothing, or that its numbers do not fit."""
    kind, other = kind_of(bounds[0]), kind_of(bounds[1])
    if kind is None or kind != other:
        raise ParameterTypeError(
            f"bounds must both be dates, datetimes with or without a time zone, times of day, or timedeltas, got "
            f"{_show(bounds[0])} and {_show(bounds[1])}"
        ) from None
    name = inquiry.name
    if inquiry.kinds != ("column",) or not (
        name in ALIKE | APART or (kind == "duration" and name in ("gini", "sum"))
    ):
        raise SchemaError(
            f"bounds must be numbers for {name}, got {_named(kind)}: {WHY_NOT.get(name, DERIVE)}"
        ) from None
    low, high = map(micros_of, bounds)
    if not low < high:
        raise ParameterError(
            f"bounds must have lowest < highest, got ({_show(bounds[0])}, {_show(bounds[1])})"
        ) from None
    if name == "gini":
        return Clock(kind, None, name, bounds)
    answers: Kind = "duration" if name in APART else kind
    step = _granularity(granularity, kind, answers)
    finest = -(-max(abs(low), abs(high)) // FINEST) * MICROSECOND
    reach = max(abs(low), abs(high)) if name == "sum" else (high - low) // (4 if name == "std" else 2)
    if not finest <= step <= reach * MICROSECOND:
        raise ParameterError(
            f"granularity must be from {finest} to {spoken(reach * MICROSECOND)} between these bounds, got {step}"
        ) from None
    return Clock(kind, answers, name, bounds, step)


def _granularity(given: Any, kind: Kind, answers: Kind) -> timedelta:
    """The spacing of answers: a day between dates and a second else, where nothing is said."""
    if given is None:
        return DAY if kind == "date" else timedelta(seconds=1)
    step = _plain(given)
    if not isinstance(step, timedelta):
        raise ParameterTypeError(
            f"granularity must be a timedelta where bounds are dates or times, got {describe(given)}"
        ) from None
    if answers == "date" and step % DAY:
        raise ParameterError(f"granularity must be whole days for dates, got {step}") from None
    return step


def _columns(inquiry: Any, table: Any) -> dict[str, Held]:
    """What the columns that are asked about are declared to hold; unknown ones are refused elsewhere."""
    if inquiry.kinds == ("edges",):
        return {}
    named = [
        name for given in inquiry.columns for name in (given if isinstance(given, (list, tuple)) else [given])
    ]
    return {
        name: table.holds(name) for name in named if isinstance(name, str) and is_column(name, table.names)
    }


def _plain_pair(bounds: Any) -> tuple[Any, Any] | None:
    """Bounds of which one is a date, a time or a duration; None where neither is, or there are none."""
    if not isinstance(bounds, (tuple, list, np.ndarray)) or len(bounds) != 2:
        return None
    low, high = map(_plain, bounds)
    return (low, high) if kind_of(low) or kind_of(high) else None


def _plain(given: Any) -> Any:
    """As Python's own types, where it is one of pandas or NumPy; they may be finer than a microsecond, or missing."""
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
    """What a Python object is; None where it is nothing about time, or a missing one."""
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
    """A moment of UTC in the time zone of the lower bound, unless that leaves the calendar."""
    try:
        return moment.replace(tzinfo=UTC).astimezone(bounds[0].tzinfo)
    except OverflowError:
        return moment.replace(tzinfo=UTC)


def _named(held: Held) -> str:
    return SAID[held].partition(",")[0]


def _show(bound: Any) -> str:
    return str(bound) if kind_of(bound) else describe(bound)


def iso(given: Any) -> Any:
    """Dates, times and durations as ISO 8601 writes them, in lists where there are several; the rest as it is."""
    if isinstance(given, (tuple, list)):
        return [iso(each) for each in given]
    if not isinstance(given, timedelta):
        return given.isoformat() if isinstance(given, (date, time)) else given
    sign, rest = ("-", -given) if given < timedelta(0) else ("", given)
    seconds = f"{rest.seconds}.{rest.microseconds:06}".rstrip("0").rstrip(".")
    days = f"{rest.days}D" if rest.days else ""
    return f"{sign}P{days}" + (f"T{seconds}S" if seconds != "0" or not days else "")


def spoken(given: timedelta) -> str:
    """A duration as Python prints it, but whole days without the midnight."""
    return str(given).removesuffix(", 0:00:00")
