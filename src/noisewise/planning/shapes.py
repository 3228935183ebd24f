"""Shapes: a public guess of what the records are like. It is made into any number of records, without randomness.

A shape is ("normal", mean, deviation), ("uniform", low, high), or ("lognormal", mean, deviation) with the mean and the
deviation of the logarithms. It may be text such as "normal:40,12", or a public sample: a list or array of numbers. If
bounds are dates, a mean is a date and a deviation is a duration. The n records are the quantiles of the shape at
(i - 1/2)/n for i = 1..n, so a shape and a size give the same records every time.
"""

from dataclasses import dataclass
from datetime import timedelta
from statistics import NormalDist
from typing import Any, TypeAlias

import numpy as np

from noisewise.errors import ParameterError, ParameterTypeError
from noisewise.kernel.numbers.arrays import Floats
from noisewise.kernel.numbers.exact import describe, exact
from noisewise.planning.distances import holds_time, micros_of_column
from noisewise.tables.time.clock import kind_of, micros_of, spoken, without_library

NAMES = ("normal", "lognormal", "uniform")
FORM = 'must be ("normal", mean, deviation), ("lognormal", mean, deviation), ("uniform", low, high) or a public sample'

MOST = 10**6
"""The most records that are made up."""

Shape: TypeAlias = str | tuple[str, Any, Any] | list[Any] | Any
"""The types that the parameter ``shape`` takes."""


@dataclass(frozen=True, slots=True)
class Shaped:
    """A shape that was checked: a name and two numbers, or a sorted sample."""

    name: str
    numbers: tuple[float, ...] = ()
    sample: Floats | None = None
    in_time: bool = False
    """Whether the shape is one of dates, times or durations, in microseconds."""
    shown: tuple[str, ...] = ()

    @classmethod
    def of(cls, shape: object) -> "Shaped":
        """Check a shape as it was typed."""
        if isinstance(shape, str):
            name, _, numbers = shape.partition(":")
            shape = (name, *map(_number, numbers.split(",")))
        if isinstance(shape, tuple) and shape and isinstance(shape[0], str):
            return cls._named(shape)
        given = micros_of_column(shape)
        try:
            values = np.asarray(given)
        except Exception:  # an object of the caller may raise anything
            values = np.asarray(None)
        if values.ndim != 1 or values.dtype.kind not in "biuf":
            raise ParameterTypeError("shape", FORM, got=describe(shape)) from None
        known = np.sort(values.astype(np.float64))
        known = known[~np.isnan(known)]
        if not known.size:
            raise ParameterError("shape", "must hold a number at least", got="an empty sample") from None
        return cls("the sample", sample=known, in_time=holds_time(shape))

    @classmethod
    def _named(cls, shape: tuple[Any, ...]) -> "Shaped":
        name, *numbers = shape
        if name not in NAMES or len(numbers) != 2 or None in numbers:
            raise ParameterError("shape", FORM, got=":".join([name, ",".join(map(str, numbers))])) from None
        values = list(map(without_library, numbers))
        if in_time := any(map(kind_of, values)):
            numbers = [micros_of(each) if kind_of(each) else each for each in values]
        first, second = map(_float, numbers)
        if name == "uniform" and not first < second:
            raise ParameterError(
                "shape", "must have a lowest value below its highest", got=f"uniform({first:g}, {second:g})"
            ) from None
        if name != "uniform" and second <= 0:
            raise ParameterError("shape", "must have a deviation above 0", got=f"{second:g}") from None
        return cls(
            name, (first, second), in_time=in_time, shown=tuple(map(_spoken, values)) if in_time else ()
        )

    def __str__(self) -> str:
        if self.sample is not None:
            return f"{self.name} of {self.sample.size:,}"
        return f"{self.name}({', '.join(self.shown or (f'{number:g}' for number in self.numbers))})"

    def records(self, size: int | None) -> Floats:
        """Return ``size`` records of this shape. If ``size`` is None, the sample as it is."""
        if size is None and self.sample is not None:
            return self.sample
        if size is None or size > MOST:
            got = "None" if size is None else f"{size:,}"
            raise ParameterError(
                "size", f"must be how many records there are, at most {MOST:,}, for a shape", got=got
            ) from None
        if self.sample is not None:
            return self.sample[(np.arange(size) * 2 + 1) * self.sample.size // (2 * max(size, 1))]
        shares = (np.arange(size) + 0.5) / max(size, 1)
        first, second = self.numbers
        if self.name == "uniform":
            return first + shares * (second - first)
        inverse = NormalDist(first, second).inv_cdf
        values = np.array([inverse(share) for share in shares.tolist()], np.float64)
        with np.errstate(all="ignore"):
            return values if self.name == "normal" else np.exp(values)


def _spoken(given: object) -> str:
    return spoken(given) if isinstance(given, timedelta) else str(given)


def _float(number: object) -> float:
    try:
        return float(exact("shape", number))
    except OverflowError:
        pass
    raise ParameterError("shape", "must hold numbers below 1e308", got=describe(number)) from None


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
