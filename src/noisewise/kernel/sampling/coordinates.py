"""The coordinates in which a score is made of straight lines, and the table of lines that draws of balance read.

Positions are whole numbers, and an answer k has position unit*k. A public coordinate z rises with the position. It is
computed in float64 for speed, with a bound on the error, and in fractions where balls decide. Proof:
docs/proofs/balance.md.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from noisewise.kernel.numbers.arrays import Booleans, Floats, LargeIntegers, either, floats
from noisewise.kernel.sampling.draw import ULP
from noisewise.kernel.secret import Secret


class Coordinate(ABC):
    """Gives each position a number z. Methods take one position or an array of positions."""

    __slots__ = ()
    error: ClassVar[float]

    @abstractmethod
    def at(self, p: Any) -> Any:
        """z at positions. Differences of z are the distances."""

    @abstractmethod
    def exact(self, p: int) -> Fraction:
        """z at one position."""

    @abstractmethod
    def beyond(self, p: Any, z: Any, distance: Any) -> tuple[Any, Any]:
        """Find the place at about z + distance, as a position and a float64 to add to it. ``z`` is ``at(p)``."""

    def between(self, p: Any, q: Any) -> Floats:
        """How far z at positions q is above z at positions p."""
        distances: Floats = floats(self.at(q) - self.at(p))
        return distances


@dataclass(frozen=True, slots=True)
class Odds(Coordinate):
    """With r = top*(p - low) / (bottom*(high - p)), z is r if r is at most 1, and 2 - 1/r if r is more.

    If ``high`` is None, the denominator is ``bottom`` alone.
    """

    low: int
    high: int | None
    top: int = 1
    bottom: int = 1

    error: ClassVar[float] = 16 * ULP
    """More than the error of a distance in float64 plus the errors at the ends of all pieces before it."""

    def parts(self, p: Any) -> tuple[Any, Any]:
        """The numerator and the denominator of r."""
        above = 1 if self.high is None else self.high - p
        return self.top * (p - self.low), self.bottom * above

    def at(self, p: Any) -> Any:
        n, d = map(floats, self.parts(wide_enough(p, (self.low, self.high or 0), max(self.top, self.bottom))))
        up_to_one = n <= d
        ratio = either(up_to_one, n, d) / either(up_to_one, d, n)  # the larger one is above 0
        return either(up_to_one, ratio, 2 - ratio)

    def exact(self, p: int) -> Fraction:
        n, d = self.parts(p)
        return Fraction(n, d) if n <= d else 2 - Fraction(d, n)

    def beyond(self, p: Any, z: Any, distance: Any) -> tuple[Any, Any]:
        z = z + distance
        with np.errstate(all="ignore"):
            r = either(z <= 1, z, 1 / (2 - z)) * (self.bottom / self.top)
            if self.high is None:
                return self.low, r
            return self.low, either(np.isinf(r), 1.0, r / (1 + r)) * float(self.high - self.low)

    def middle(self) -> int:
        """The position at which r is 1. Units are chosen so that this position is a whole number."""
        span, parts = (1, self.top) if self.high is None else (self.high - self.low, self.top + self.bottom)
        behind, rest = divmod(self.bottom * span, parts)
        assert not rest, "the unit must be such that the middle is a position"
        return self.low + behind


@dataclass(frozen=True, slots=True)
class Even(Coordinate):
    """z is the position itself. Positions lie between ``low`` and ``high``."""

    low: int
    high: int

    error: ClassVar[float] = 0.0
    """A distance is a difference of whole numbers, so its error is relative to the distance alone."""

    def at(self, p: Any) -> Any:
        return wide_enough(p, (self.low, self.high))

    def exact(self, p: int) -> Fraction:
        return Fraction(p)

    def beyond(self, p: Any, z: Any, distance: Any) -> tuple[Any, Any]:
        return p, distance


def wide_enough(p: Any, ends: tuple[int, int], times: int = 1) -> Any:
    """Positions as Python integers if ``times`` their distance from an end may not fit into 64 bits.

    A single position always becomes a Python integer.
    """
    if not isinstance(p, np.ndarray):
        return int(p)
    farthest = max(*map(abs, ends), int(np.abs(p).max(initial=0)))
    return p if 4 * farthest * times < 2**62 else p.astype(object)


def boundaries(k: Any, unit: int) -> Any:
    """The positions halfway between answers k and k + 1, as Python integers if 64 bits may be too few."""
    if not isinstance(k, np.ndarray):
        return unit * int(k) + unit // 2
    farthest = unit * (int(np.abs(k).max(initial=0)) + 1)
    return unit * (k if farthest < 2**62 else k.astype(object)) + unit // 2


@dataclass(frozen=True, slots=True, repr=False)
class Pieces(Secret):
    """A table of scores with a row for each group. Piece i of a row lies between positions edges[i] and edges[i+1].

    The score is ``first/bottom`` at the left end of a piece and ``last/bottom`` at its right end, and a straight line
    in z between them. Both are whole numbers, or Fractions if they have no common denominator. An answer k has position
    unit*k. If ``unit`` is 1, answers are places of width 1. Otherwise ``unit`` is even and answers are rounded.
    ``more`` says whether the lowest and the highest piece hold levels that were not read. The true score in the lowest
    piece may be lower than stated, and in the highest piece it may be higher.
    """

    edges: LargeIntegers
    first: LargeIntegers
    last: LargeIntegers
    more: Booleans
    bottom: int
    unit: int
    coordinate: Coordinate
    support: tuple[int, int]
    kappa: Fraction

    @property
    def places(self) -> bool:
        return self.unit == 1
