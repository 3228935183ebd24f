"""Reals to integers and back: index k stands for the value k*g.

One fixed map takes every number, of whatever type, to an index:

    nearest float64 (overflow: ±inf)  ->  clamp to the bounds  ->  floor(x*r + 1/2)  ->  clip to [low, high]

Here r is the float64 nearest to 1/g, and the bounds are moved inwards to the nearest lattice points. The map is
monotone, so the order statistics of the indices are the indices of the order statistics. Bounds and granularity come
from the user or from a public rule. They never come from the data or its dtype: a spacing that changed with one null
would itself be a release.
"""

import math
import sys
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from noisewise.kernel.errors import Pair, ParameterError, ParameterTypeError
from noisewise.kernel.numbers.arrays import Floats, Integers
from noisewise.kernel.numbers.exact import describe, exact, spell

FINEST = 2**51
"""A lattice reaches at most this many steps from zero. Then x*r + 1/2 is exact enough to give the nearest index."""

DEFAULT_STEPS = 2**32
"""If the answer has no natural unit, its public range is divided into about this many steps."""

LARGEST = int(sys.float_info.max)

LEAST_EXPONENT = -1023
LEAST_GRANULARITY, MOST_GRANULARITY = Fraction(1, 2**-LEAST_EXPONENT), Fraction(2**1022)
"""If a granularity g is not between these, 1/g is not a finite normal float64."""


@dataclass(frozen=True, slots=True)
class Lattice:
    """The values that a record or an answer can have: the multiples low..high of ``granularity``."""

    low: int
    high: int
    granularity: Fraction

    @classmethod
    def between(cls, bounds: object, granularity: object = None) -> "Lattice":
        """The lattice of a public range, with the user's granularity or the default one."""
        low, high = exact_bounds(bounds)
        if granularity is None:
            step = default_granularity(bounds, low, high)
        else:
            step = _checked_granularity(low, high, granularity)
        return cls._snapped(low, high, step)

    @classmethod
    def _snapped(cls, low: Fraction, high: Fraction, step: Fraction) -> "Lattice":
        """The lattice inside two bounds. It must have at least two points."""
        lattice = cls(-_steps(-low, step), _steps(high, step), step)
        if lattice.high <= lattice.low:
            raise ParameterError(
                "bounds",
                f"must hold two points {float(step):g} apart, the finest spacing there",
                got=_show(low, high),
                fix="widen them",
            ) from None
        return lattice

    @property
    def points(self) -> int:
        return self.high - self.low + 1

    @classmethod
    def fine(cls, bounds: object) -> "Lattice":
        """The lattice for records that are summed: about 2^32 steps of a power of two, not the answer's granularity."""
        low, high = exact_bounds(bounds)
        return cls._snapped(low, high, default_granularity((low, high), low, high))

    def index(self, values: Floats) -> Integers:
        """The index of each number. There must be no NaN among them."""
        return self.nearest(values).astype(np.int64)

    def nearest(self, values: Floats, out: Floats | None = None) -> Floats:
        """The same indices as float64, which holds them exactly; NaN stays NaN. Written to ``out`` if it is given."""
        with np.errstate(all="ignore"):
            return self.rounding()(values, out)

    def rounding(self) -> "Rounding":
        """The map that `nearest` uses, made once for many blocks of numbers."""
        top, bottom = self.granularity.as_integer_ratio()
        rate, floor, ceiling = bottom / top, self.low * top / bottom, self.high * top / bottom
        inside = math.floor(floor * rate + 0.5) >= self.low and math.floor(ceiling * rate + 0.5) <= self.high
        return Rounding((floor, ceiling), rate, None if inside else (self.low, self.high))


class Rounding(NamedTuple):
    """The map from numbers to indices in float64. ``ends`` are the bounds, and ``rate`` is the number of steps per 1.

    Indices are clipped to ``clip``. It is None if both ends have indices inside, since then all numbers do.
    """

    ends: tuple[float, float]
    rate: float
    clip: tuple[int, int] | None

    def __call__(self, values: Floats, out: Floats | None = None) -> Floats:
        """The index of each number; NaN stays NaN. The caller has switched NumPy's warnings off."""
        scaled = values.clip(*self.ends, out=out)
        if self.rate != 1:
            scaled *= self.rate
        scaled += 0.5
        np.floor(scaled, out=scaled)
        return scaled if self.clip is None else scaled.clip(*self.clip, out=scaled)


def _steps(value: Fraction, step: Fraction) -> int:
    """The number of whole steps from 0 up to a value, in integers, which are faster than Fractions."""
    return value.numerator * step.denominator // (value.denominator * step.numerator)


def exact_bounds(bounds: object) -> tuple[Fraction, Fraction]:
    """A public range as two Fractions with low < high."""
    pair = list(bounds) if isinstance(bounds, np.ndarray) and bounds.ndim == 1 else bounds
    if not isinstance(pair, (tuple, list)) or len(pair) != 2:
        raise ParameterTypeError(
            "bounds",
            "must be a pair (lowest, highest) that you know without looking at the data",
            **_no_pair(bounds),
        ) from None
    low, high = exact("the lower bound", pair[0]), exact("the upper bound", pair[1])
    (left, under), (right, below) = low.as_integer_ratio(), high.as_integer_ratio()
    bottom, least, most = under * below, left * below, right * under
    if max(abs(least), abs(most), most - least) > LARGEST * bottom:
        raise ParameterError(
            "bounds",
            "must span at most the largest float64, about 1.8e308",
            got=Pair(describe(pair[0]), describe(pair[1])),
            fix="narrow them",
        ) from None
    if not least < most:
        raise ParameterError("bounds", "must have lowest < highest", got=_show(low, high)) from None
    return low, high


def _no_pair(bounds: object) -> dict[str, str]:
    """The fields of the error for something that is not a pair of bounds: what was given, and what to do."""
    if isinstance(bounds, str) and bounds.lower() == "private":
        advice = "find them first by private_bounds, and give its value"
        return {"got": repr(bounds), "why": advice, "kind": "bounds to find"}
    if isinstance(bounds, (tuple, list)):
        return {"got": f"a {type(bounds).__name__} of {len(bounds)}", "kind": "no pair"}
    return {
        "got": describe(bounds),
        "why": "give its value" if hasattr(bounds, "value") else "",
        "kind": "no pair",
    }


def values_at(indices: Integers, granularity: Fraction) -> Integers | Floats:
    """The values of indices: int64 if the granularity is a whole number and they fit, else the nearest float64."""
    top, bottom = granularity.numerator, granularity.denominator
    reach = int(np.abs(indices).max(initial=1)) * top
    if bottom == 1 and reach < 2**63:
        return indices * top
    if reach < 2**53 and bottom < 2**53:
        return (indices * top) / np.float64(bottom)
    return np.array([float(int(k) * granularity) for k in indices.ravel()]).reshape(indices.shape)


def default_granularity(bounds: Any, low: Fraction, high: Fraction) -> Fraction:
    """1 if the bounds were typed as whole numbers at least 2 apart; otherwise about 2^32 steps from low to high."""
    whole = all(isinstance(end, (int, np.integer)) for end in bounds) and bounds[1] - bounds[0] >= 2
    if whole and low >= -FINEST and high <= FINEST:
        return Fraction(1)
    step = 0 if whole else _nearest_exponent((high - low) / DEFAULT_STEPS)
    finest = _exponent(max(-low, high) / FINEST)
    return _power_of_two(max(step, finest, LEAST_EXPONENT))


def _checked_granularity(low: Fraction, high: Fraction, granularity: object) -> Fraction:
    step = exact("granularity", granularity)
    if step <= 0:
        raise ParameterError("granularity", "must be above 0", got=describe(granularity)) from None
    if step > (high - low) / 2:
        raise ParameterError(
            "granularity", ("must be at most half the range ", _show(low, high)), got=describe(granularity)
        ) from None
    finest = max(max(abs(low), abs(high)) / FINEST, LEAST_GRANULARITY)
    if not finest <= step <= MOST_GRANULARITY:
        raise ParameterError(
            "granularity",
            (
                f"must be between {float(finest):g} and {float(min(MOST_GRANULARITY, (high - low) / 2)):g} "
                "for the range ",
                _show(low, high),
            ),
            got=describe(granularity),
        ) from None
    return step


def nearest_power_of_two(value: Fraction) -> Fraction:
    """The power of two closest to a number, and the larger one if two are equally close. For 0 it is 0."""
    return _power_of_two(_nearest_exponent(value)) if value else value


def _power_of_two(exponent: int) -> Fraction:
    return Fraction(1 << exponent) if exponent >= 0 else Fraction(1, 1 << -exponent)


def _nearest_exponent(value: Fraction) -> int:
    """The exponent of the power of two closest to a positive number, and the larger one if two are equally close."""
    exponent = _exponent(value)
    top, bottom = value.as_integer_ratio()
    nearer = (4 * top) << max(-exponent, 0) >= (3 * bottom) << max(exponent, 0)
    return exponent if nearer else exponent - 1


def _exponent(value: Fraction) -> int:
    """The exponent of the least power of two that is at least a positive number, in integers."""
    top, bottom = value.as_integer_ratio()
    exponent = top.bit_length() - bottom.bit_length()  # right, or one too small
    above = bottom << max(exponent, 0) >= top << max(-exponent, 0)
    return exponent if above else exponent + 1


def _show(low: Fraction, high: Fraction) -> Pair:
    return Pair(_brief(low), _brief(high))


def _brief(value: Fraction) -> str:
    text = spell(value)
    return text if len(text) <= 24 else f"{float(value):g}"
