"""What may be typed as bounds: numbers, dates, times, durations, and a pair of bounds for two columns."""

from datetime import date, time, timedelta
from typing import Any, TypeAlias

from numpy.typing import NDArray

from noisewise.kernel.numbers.exact import Number

Bounds: TypeAlias = (
    tuple[Number, Number]
    | tuple[date, date]
    | tuple[time, time]
    | tuple[timedelta, timedelta]
    | list[Any]
    | NDArray[Any]
)
"""A public range, lowest and highest; of dates, times and durations where a Dataset's column holds such."""


SomeBounds: TypeAlias = Bounds | tuple[Bounds, Bounds]
"""A public range, or one for each of two columns."""
