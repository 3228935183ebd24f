"""Events: what an answer may be asked, to tell two datasets apart. None of them knows how the answer is made.

    tails       whether it is at or below a threshold
    repeats     whether it is one of the values that come up most
    lattice     how many binary digits it has behind the point: whether it is a multiple of 2^-k
    low bits    the last three bits of its significand

A draw may be a number, a text, or a tuple of them, such as an answer and how many random words it took.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from noisewise.kernel.numbers.arrays import Booleans, Integers

THRESHOLDS = 128
REPEATED = 32
"""How many thresholds, and how many of the most frequent values, are tried."""

LOW_BITS = 3

Draws = list[Any]
Feature = Callable[[Any], Any]
"""Of an array of draws, a number for each."""

Readings = dict[str, NDArray[Any]]
"""What is looked at of each draw, by its name."""


@dataclass(frozen=True)
class Event:
    """Something that happens to a draw or does not: one of its readings is a value, at most one, or above one."""

    reading: str
    test: Literal["is", "<=", ">"]
    limit: Any

    def __str__(self) -> str:
        limit = f"{self.limit:.6g}" if isinstance(self.limit, float) and self.test != "is" else self.limit
        return f"{self.reading} {self.test} {limit}"

    def happens(self, readings: Readings) -> Booleans:
        values = readings[self.reading]
        if self.test == "is":
            return np.asarray(values == self.limit, np.bool_)
        return np.asarray(values <= self.limit if self.test == "<=" else values > self.limit, np.bool_)


def read(draws: Draws, features: Mapping[str, Feature] | None = None) -> Readings:
    """All that is looked at of some draws."""
    readings: Readings = {}
    width = len(draws[0]) if isinstance(draws[0], tuple) else None
    for at in range(width or 1):
        part = "" if width is None else f"[{at}]"
        values = as_array(draws if width is None else [draw[at] for draw in draws])
        readings[f"answer{part}"] = values
        if values.dtype.kind == "f":
            readings[f"binary places{part}"] = binary_places(values)
            readings[f"low bits{part}"] = low_bits(values)
    for name, feature in (features or {}).items():
        readings[name] = np.asarray(feature(as_array(draws) if width is None else draws))
    return readings


def events(readings: Readings) -> Iterator[Event]:
    """All events worth a try, from the draws of both datasets."""
    for name, values in readings.items():
        found, counts = np.unique(values, return_counts=True)
        for at in np.argsort(-counts, kind="stable")[:REPEATED]:
            if counts[at] > 1:
                yield Event(name, "is", found[at].item() if values.dtype.kind in "iufb" else found[at])
        if values.dtype.kind in "iuf":
            ordered = np.sort(values[~np.isnan(values)])
            places = np.linspace(0, max(ordered.size - 1, 0), min(THRESHOLDS, ordered.size)).astype(np.int64)
            for limit in np.unique(ordered[places]).tolist():
                yield Event(name, "<=", limit)
                yield Event(name, ">", limit)


def binary_places(values: Any) -> Integers:
    """The least k >= 0 with which a number is a multiple of 2^-k."""
    significand, exponent = np.frexp(np.asarray(values, np.float64))
    whole = np.where(np.isfinite(significand), np.ldexp(significand, 53), 0).astype(np.int64)
    lowest = np.where(whole == 0, 1, whole & -whole)
    zeros = np.frexp(lowest.astype(np.float64))[1] - 1
    found: Integers = np.where(whole == 0, 0, np.maximum(53 - zeros - exponent, 0)).astype(np.int64)
    return found


def low_bits(values: Any) -> Integers:
    """The last three bits of the significand of 53 bits."""
    bits: Integers = np.asarray(values, np.float64).view(np.int64) & ((1 << LOW_BITS) - 1)
    return bits


def as_array(draws: Any) -> NDArray[Any]:
    """Draws as an array: of numbers where all are numbers, else of their texts."""
    found = np.asarray(draws) if not isinstance(draws[0], (tuple, list)) else np.zeros((1, 1))
    if found.dtype.kind in "iufb" and found.ndim == 1:
        return found
    return np.array([str(draw) for draw in draws])
