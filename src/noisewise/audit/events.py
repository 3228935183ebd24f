"""Events whose probabilities may differ between two datasets. They need no knowledge of the mechanism.

    tails       the answer is at or below a threshold
    repeats     the answer is one of the most frequent values
    lattice     the answer is a multiple of 2^-k, and of no larger power of two
    low bits    the last three bits of its significand have a certain value

A draw is a number, a text, or a tuple of them, such as an answer and the number of random words that it took.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from noisewise.kernel.numbers.arrays import Booleans, Integers

THRESHOLDS = 128
REPEATED = 32
"""The number of thresholds, and of most frequent values, that are tried."""

LOW_BITS = 3

Draws = list[Any]
Feature = Callable[[Any], Any]
"""A function of an array of draws that returns a number for each draw."""

Readings = dict[str, NDArray[Any]]
"""The numbers or texts that are read from each draw, by name."""


@dataclass(frozen=True)
class Event:
    """An event: a number read from a draw equals the limit, is at most the limit, or is above the limit."""

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
    """Return the readings of some draws: arrays by name, with an entry for each draw."""
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
    """Yield the events to try. They are chosen by the draws from both datasets."""
    for name, values in readings.items():
        different, counts = np.unique(values, return_counts=True)
        for at in np.argsort(-counts, kind="stable")[:REPEATED]:
            if counts[at] > 1:
                yield Event(
                    name, "is", different[at].item() if values.dtype.kind in "iufb" else different[at]
                )
        if values.dtype.kind in "iuf":
            ordered = np.sort(values[~np.isnan(values)])
            places = np.linspace(0, max(ordered.size - 1, 0), min(THRESHOLDS, ordered.size)).astype(np.int64)
            for limit in np.unique(ordered[places]).tolist():
                yield Event(name, "<=", limit)
                yield Event(name, ">", limit)


def binary_places(values: Any) -> Integers:
    """Return for each number the smallest k >= 0 for which the number is a multiple of 2^-k."""
    significand, exponent = np.frexp(np.asarray(values, np.float64))
    whole = np.where(np.isfinite(significand), np.ldexp(significand, 53), 0).astype(np.int64)
    lowest = np.where(whole == 0, 1, whole & -whole)
    zeros = np.frexp(lowest.astype(np.float64))[1] - 1
    places: Integers = np.where(whole == 0, 0, np.maximum(53 - zeros - exponent, 0)).astype(np.int64)
    return places


def low_bits(values: Any) -> Integers:
    """Return for each number the last three of the 53 bits of its significand."""
    bits: Integers = np.asarray(values, np.float64).view(np.int64) & ((1 << LOW_BITS) - 1)
    return bits


def as_array(draws: Any) -> NDArray[Any]:
    """Return draws as an array of numbers, or as an array of texts if some draws are not numbers."""
    array = np.asarray(draws) if not isinstance(draws[0], (tuple, list)) else np.zeros((1, 1))
    if array.dtype.kind in "iufb" and array.ndim == 1:
        return array
    return np.array([str(draw) for draw in draws])
