"""Distances in the unit of the answer: numbers, or durations if answers are dates, times or durations."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Any, TypeAlias, overload

import numpy as np

from noisewise.results.pictures.digits import to_three, up_to_three
from noisewise.tables.time.clock import MICROSECOND, SINCE_1970, Clock, kind_of, micros_of, without_library

Distance: TypeAlias = float | timedelta

Unit: TypeAlias = tuple[str, timedelta]

UNITS: tuple[Unit, ...] = tuple(
    (name, timedelta(**{f"{name}s": 1})) for name in ("day", "hour", "minute", "second", "millisecond")
)


@overload
def distance(number: Distance, clock: Clock | None) -> Distance: ...
@overload
def distance(number: Distance | None, clock: Clock | None) -> Distance | None: ...
def distance(number: Distance | None, clock: Clock | None) -> Distance | None:
    """The distance as a duration, rounded up, if answers are read by a clock; otherwise the number itself."""
    if number is None or isinstance(number, timedelta) or clock is None or clock.answers is None:
        return number
    most = timedelta.max // MICROSECOND
    return int(min(max(np.ceil(number), -most), most)) * MICROSECOND


def up(far: Distance) -> str:
    """The distance rounded up to three digits, so that a promise is never smaller than the true distance."""
    return _in_a_unit(far, up_to_three)


def about(far: Distance, *, signed: bool = False) -> str:
    """The distance rounded to three digits."""
    if not signed:
        return _in_a_unit(far, to_three)
    if not isinstance(far, timedelta):
        return f"{far:+,.3g}"
    return f"{'-' if far < timedelta(0) else '+'}{_in_a_unit(abs(far), to_three)}"


def _in_a_unit(far: Distance, rounded: Any) -> str:
    """A duration in the largest unit that is not longer than the duration."""
    if not isinstance(far, timedelta):
        return str(rounded(far))
    if not far:
        return "0"
    name, unit = next(((name, unit) for name, unit in UNITS if unit <= far), UNITS[-1])
    number = rounded(far / unit)
    return f"{number} {name}" if number == "1" else f"{number} {name}s"


def unit_of(distances: Iterable[Distance | None]) -> Unit | None:
    """One unit for all durations: the unit of the longest. None for numbers."""
    spans = [each for each in distances if isinstance(each, timedelta)]
    if not spans:
        return None
    return next((each for each in UNITS if each[1] <= max(spans)), UNITS[-1])


def in_unit(far: Distance, unit: Unit | None) -> float:
    """A distance as a number. If it is a duration, the number of these units."""
    if isinstance(far, timedelta):
        return far / (UNITS[0] if unit is None else unit)[1]
    return float(far)


def holds_time(values: Any) -> bool:
    """Whether a public column holds dates, times or durations."""
    kept = values.to_numpy() if hasattr(values, "to_numpy") else values
    if isinstance(kept, np.ndarray) and kept.dtype.kind in "mM":
        return True
    return isinstance(kept, (list, tuple, np.ndarray)) and any(
        kind_of(without_library(each)) for each in kept
    )


def micros_of_column(values: Any) -> Any:
    """A public column of dates, times or durations in microseconds, NaN if missing. Other columns stay as they are."""
    if not holds_time(values):
        return values
    kept = values.to_numpy() if hasattr(values, "to_numpy") else values
    if isinstance(kept, np.ndarray) and kept.dtype.kind in "mM":
        ticks = kept.astype(f"{kept.dtype.kind}8[us]")
        micros = ticks.astype(np.int64).astype(np.float64) - (SINCE_1970 if kept.dtype.kind == "M" else 0)
        return np.where(np.isnat(ticks), np.nan, micros)
    values = [without_library(each) for each in kept]
    return np.array([micros_of(each) if kind_of(each) else np.nan for each in values], np.float64)
