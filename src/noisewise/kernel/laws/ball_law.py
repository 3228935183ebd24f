"""Ball law: a probability on the lattice points of d dimensions, given by radii around a centre and one exact rate.

    cost(y) = inf { s >= 0 : R(s) >= |y - centre| }        P(y) proportional to exp(-rate * cost(y))

R(s) is the sum of the first s radii, interpolated between whole s (graded) or held (level), the norm L1 or L-infinity.
If radii of neighbours keep the laws of `radii`, the cost moves by at most one [Durfee25, Def. 5.1]. The law has all of
Z^d; a public box is reached by clamping coordinates of the draw. Proofs: docs/proofs/radii.md and
docs/proofs/radial_draw.md.

A ball law is secret. What it says of itself in floats is for reading; draws are exact.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from noisewise.kernel.errors import ParameterError
from noisewise.kernel.laws.radii import Radii
from noisewise.kernel.numbers.answers import UTMOST
from noisewise.kernel.numbers.arrays import Integers
from noisewise.kernel.numbers.exact import describe, whole
from noisewise.kernel.numbers.lattice import values_at
from noisewise.kernel.sampling import Bits, SystemBits, chosen
from noisewise.kernel.sampling.mixture import times_power, volumes
from noisewise.kernel.sampling.points import Norm
from noisewise.kernel.sampling.radial_draw import Rings, draw_points
from noisewise.kernel.secret import Secret

PIECES = 64
"""For reading, wide shells are summed in pieces, each at its middle: this many where weights fall by e."""


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class BallLaw(Secret):
    """One law. ``box`` holds the lowest and highest index of each coordinate, None where that side is open."""

    centre: Integers
    radii: Radii
    norm: Norm
    rate: Fraction
    graded: bool = True
    granularity: Fraction = Fraction(1)
    box: tuple[ArrayLike | None, ArrayLike | None] | None = None

    def __post_init__(self) -> None:
        if self.norm not in ("l1", "linf"):
            raise ParameterError("norm", 'must be "l1" or "linf"', got=describe(self.norm)) from None

    @property
    def dimension(self) -> int:
        return int(np.size(self.centre))

    # The draw: exact.

    def draw(self, size: int, *, bits: Bits | None = None) -> NDArray[Any]:
        """``size`` independent exact draws as values, one per row."""
        return values_at(self._indices(whole("size", size, least=0), bits or SystemBits()), self.granularity)

    def draw_one(self, *, bits: Bits | None = None) -> Integers:
        """One exact draw, as lattice indices."""
        if (choice := chosen(self, bits)) is not None:
            return choice
        one: Integers = self._indices(1, bits or SystemBits())[0]
        return one

    def _indices(self, count: int, bits: Bits) -> Integers:
        drawn = np.asarray(self.centre, np.int64) + draw_points(self._rings(), count, bits)
        low, high = self.box or (None, None)
        lowest = np.asarray(-UTMOST if low is None else low, np.int64)
        highest = np.asarray(UTMOST if high is None else high, np.int64)
        inside: Integers = np.minimum(np.maximum(drawn, lowest), highest)
        return inside

    def _rings(self) -> Rings:
        sums = list(accumulate(self.radii.steps.tolist(), initial=0))
        return Rings(sums, self.radii.stride, self.rate, self.graded, self.dimension, self.norm)

    # What the curator may read, before any box: exact costs, and float64 probabilities. Points are lattice indices.

    def cost(self, points: ArrayLike) -> Any:
        """The exact cost of one point, or of each row of points, as Fractions."""
        rings, at = self._rings(), self._radii_of(points)
        costs = [rings.cost(r) for r in at]
        return costs[0] if np.ndim(points) == 1 else np.array(costs, dtype=object)

    def logweight(self, points: ArrayLike) -> Any:
        """-rate * cost, float64: the logarithm of the probability up to a constant."""
        return -float(self.rate) * np.asarray(self.cost(points), np.float64)

    def pmf(self, points: ArrayLike) -> Any:
        """The probability of one point, or of each row of points, float64."""
        return np.exp(self.logpmf(points))

    def logpmf(self, points: ArrayLike) -> Any:
        """The logarithm of the probability, finite also where the probability underflows."""
        return self.logweight(points) - self._sums()[0]

    def expected_error(self) -> float:
        """The mean distance of a draw from the centre, in the norm and the unit of the answer."""
        return float(self.granularity) * self._sums()[1]

    def _radii_of(self, points: ArrayLike) -> list[int]:
        apart = np.atleast_2d(np.asarray(points)).astype(object) - np.asarray(self.centre).astype(object)
        sizes = np.abs(apart)
        return [int(r) for r in (sizes.sum(axis=1) if self.norm == "l1" else sizes.max(axis=1))]

    def _sums(self) -> tuple[float, float]:
        """The logarithm of the sum of all weights, and the mean radius."""
        rings = self._rings()
        edges = rings.pieces(PIECES)
        parts, exponents = volumes(edges[1:], self.dimension, self.norm)
        inside = np.concatenate([[0.0], times_power(parts[:-1], exponents[:-1] - exponents[1:])])
        middles = [Fraction(inner + 1 + outer, 2) for inner, outer in pairwise(edges)]
        costs = np.array([float(self.rate * rings.cost(middle)) for middle in middles])
        with np.errstate(divide="ignore"):
            logs = np.log(np.maximum(parts - inside, 0)) + exponents * math.log(2) - costs
        top = float(logs.max())
        mass = np.exp(logs - top)
        mean = mass @ np.array([float(middle) for middle in middles]) / mass.sum()
        return top + math.log(mass.sum()), float(mean)
