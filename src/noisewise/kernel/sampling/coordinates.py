"""Scores over answers as draws of balance read them: straight lines in public coordinates.

Positions are whole numbers, an answer k stands at unit*k, and a coordinate z rises with the position. It is computed in
float64 for speed, with a bound on its error, and in fractions where balls decide.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from noisewise.kernel.numbers.arrays import Booleans, Floats, LargeIntegers, either
from noisewise.kernel.sampling.draw import ULP
from noisewise.kernel.secret import Secret


@dataclass(frozen=True, slots=True)
class Odds:
    """A public coordinate: with r = top*(p - low) / (bottom*(high - p)), z is r up to 1, and 2 - 1/r from there on.

    Without ``high`` the denominator is ``bottom`` alone. Positions p are whole numbers.
    """

    low: int
    high: int | None
    top: int = 1
    bottom: int = 1

    error: ClassVar[float] = 16 * ULP
    """More than what a distance errs in float64, and the ends of all pieces before it together."""

    def parts(self, p: Any) -> tuple[Any, Any]:
        """The two whole numbers whose ratio is r."""
        above = 1 if self.high is None else self.high - p
        return self.top * (p - self.low), self.bottom * above

    def floats(self, p: Any) -> Any:
        """z at positions, or at one."""
        whole = wide_enough(p, (self.low, self.high or 0), max(self.top, self.bottom))
        n, d = (  # NumPy 1 makes a number of an array of one, if np.float64 is given it
            part.astype(np.float64) if isinstance(part, np.ndarray) else np.float64(part)
            for part in self.parts(whole)
        )
        up_to_one = n <= d
        ratio = either(up_to_one, n, d) / either(up_to_one, d, n)  # the larger one is above 0
        return either(up_to_one, ratio, 2 - ratio)

    def exact(self, p: int) -> Fraction:
        n, d = self.parts(p)
        return Fraction(n, d) if n <= d else 2 - Fraction(d, n)

    def middle(self) -> int:
        """The position at which r is 1: a whole number by the choice of the unit."""
        span, parts = (1, self.top) if self.high is None else (self.high - self.low, self.top + self.bottom)
        behind, rest = divmod(self.bottom * span, parts)
        assert not rest, "the unit must be such that the middle is a position"
        return self.low + behind

    def between(self, p: Any, q: Any) -> Any:
        """How far z at positions q is above z at positions p."""
        return self.floats(q) - self.floats(p)

    def position(self, p: Any, further: Any) -> tuple[Any, Any]:
        """About where z is so much further than at p: a position, and how far above it."""
        return np.array(self.low, object), self.positions(self.floats(p) + further)

    def positions(self, z: Any) -> Any:
        """How far above ``low`` the position of a coordinate is."""
        with np.errstate(all="ignore"):
            r = either(z <= 1, z, 1 / (2 - z)) * (self.bottom / self.top)
            if self.high is None:
                return r
            return either(np.isinf(r), 1.0, r / (1 + r)) * float(self.high - self.low)


@dataclass(frozen=True, slots=True)
class Even:
    """The plain coordinate: z is the distance of a position from ``low``, at most that of ``high``."""

    low: int
    high: int

    error: ClassVar[float] = 0.0
    """Distances are differences of whole numbers: they err in parts of themselves alone."""

    def floats(self, p: LargeIntegers) -> Floats:
        return np.asarray(wide_enough(p, (self.low, self.high)) - self.low, np.float64)

    def exact(self, p: int) -> Fraction:
        return Fraction(p - self.low)

    def between(self, p: LargeIntegers, q: LargeIntegers) -> Floats:
        """How far positions q are above positions p."""
        ends = (self.low, self.high)
        return np.asarray(wide_enough(q, ends) - wide_enough(p, ends), np.float64)

    def position(self, p: LargeIntegers, further: Floats) -> tuple[LargeIntegers, Floats]:
        """About where z is so much further than at p: a position, and how far above it."""
        return p, further


def wide_enough(p: Any, ends: tuple[int, int], times: int = 1) -> Any:
    """Positions as Python integers where so many times their distance from an end may not fit into 64 bits.

    A single position always is one.
    """
    if not isinstance(p, np.ndarray):
        return int(p)
    farthest = max(*map(abs, ends), int(np.abs(p).max(initial=0)))
    return p if 4 * farthest * times < 2**62 else p.astype(object)


def boundaries(k: Any, unit: int) -> Any:
    """The positions halfway from answers k to k + 1, or from one; Python integers where 64 bits may be too few."""
    if not isinstance(k, np.ndarray):
        return unit * int(k) + unit // 2
    farthest = unit * (int(np.abs(k).max(initial=0)) + 1)
    return unit * (k if farthest < 2**62 else k.astype(object)) + unit // 2


@dataclass(frozen=True, slots=True, repr=False)
class Pieces(Secret):
    """A table of scores, a row per group. Piece i of a row spans positions ``edges[i]`` to ``edges[i+1]``.

    The score is ``first/bottom`` at its left end and ``last/bottom`` at its right end, a line in z between; these are
    whole numbers, or Fractions where there is no common denominator. An answer k has position unit*k: ``unit`` is 1
    where answers are places, and even where they are rounded. Where ``more`` says so, (below, above), the outermost
    piece holds further levels that are not known: phi is at most so high, or so low.
    """

    edges: LargeIntegers
    first: LargeIntegers
    last: LargeIntegers
    more: Booleans
    bottom: int
    unit: int
    coordinate: Odds | Even
    support: tuple[int, int]
    kappa: Fraction

    @property
    def places(self) -> bool:
        return self.unit == 1
