"""Read a ball law: exact costs, and probabilities in float64. Points are lattice indices, before they are clamped."""

import math
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from noisewise.kernel.laws.ball_law import BallLaw
from noisewise.kernel.sampling.mixture import times_power, volumes
from noisewise.kernel.sampling.radial_draw import Rings

PIECES = 64
"""A wide shell is summed in this many pieces while its weights fall by a factor of e. Each is taken at its middle."""


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class BallReading(BallLaw):
    """A ball law with methods that read it."""

    def cost(self, points: ArrayLike) -> Any:
        """The exact cost of one point, or of each row of points, as Fractions."""
        rings, at = self._rings(), self._radii_of(points)
        costs = [rings.cost(r) for r in at]
        return costs[0] if np.ndim(points) == 1 else np.array(costs, dtype=object)

    def logweight(self, points: ArrayLike) -> Any:
        """-rate * cost in float64, which is the logarithm of the probability up to a constant."""
        return -float(self.rate) * np.asarray(self.cost(points), np.float64)

    def pmf(self, points: ArrayLike) -> Any:
        """The probability of one point, or of each row of points, float64."""
        return np.exp(self.logpmf(points))

    def logpmf(self, points: ArrayLike) -> Any:
        """The logarithm of the probability of each point. It is finite even if the probability underflows."""
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
        edges = _edges(rings, PIECES)
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


def _edges(rings: Rings, most: int) -> list[int]:
    """Rising radii that cut the rings into pieces, from -1 on: about ``most`` while weights fall by a factor of e."""
    parts = rings.mixture().weighted().radii
    inner = {outer for outer in rings.sums if outer <= parts[-1]}
    for low, high in pairwise([0, *parts]):
        count = min(most, high - low)
        inner.update(low + (high - low) * i // count for i in range(1, count + 1))
    return [-1, *sorted(inner)]
