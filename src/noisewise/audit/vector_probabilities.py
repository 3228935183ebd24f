"""The probabilities of a vector's law, in ball arithmetic. They fall from shell to shell around a centre.

A shell holds the lattice points with radius a < r <= b. Its weight is the sum of n(r)*q^r, where n(r) is the number of
lattice points at radius r. As n is a polynomial, its differences give the sum in closed form:

    Q(r) = 1/(q-1) * sum over m of (q/(1-q))^m * (m-th difference of n at r)        n(r)*q^r = q^(r+1)*Q(r+1) - q^r*Q(r)

The law has all of Z^d as its support. Clamping the coordinates to a public box afterwards cannot increase a loss.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import pairwise, product
from typing import Any, ClassVar

import numpy as np
from flint import arb, ctx

from noisewise.audit.probabilities import BITS, printed_number
from noisewise.kernel.laws.ball_law import BallLaw
from noisewise.kernel.numbers.arrays import Floats
from noisewise.kernel.numbers.balls import ball, precision
from noisewise.kernel.sampling.radial_draw import Rings

EXTRA = 512
"""Additional bits for sums that nearly cancel, as they do if weights fall slowly."""


@dataclass(frozen=True, repr=False)
class OfBall:
    """The law of a vector. An outcome is a tuple of lattice indices."""

    accuracy: ClassVar[int] = BITS // 2

    law: BallLaw
    _sums: dict[int, arb] = field(default_factory=dict)

    @cached_property
    def _rings(self) -> Rings:
        return self.law._rings()

    @cached_property
    def _centre(self) -> tuple[int, ...]:
        return tuple(int(each) for each in np.asarray(self.law.centre))

    def outcomes(self) -> list[Any]:
        """Return points on the axes and diagonals through the centre: next to the edges of shells, and far outside."""
        rings, size = self._rings, len(self._centre)
        last = rings.sums[-1]
        edges = {0, 1, *rings.sums, *(last + i * max(rings.stride, 1) for i in (1, 2, 3))}
        radii = sorted({edge + step for edge in edges for step in (0, 1)})
        axes = [tuple(sign * (i == axis) for i in range(size)) for axis in range(size) for sign in (1, -1)]
        ways = {*axes, *(product((-1, 1), repeat=size) if size <= 6 else ())}
        return sorted(
            {
                tuple(c + r * step for c, step in zip(self._centre, way, strict=True))
                for way in ways
                for r in radii
            }
        )

    def logs(self, outcomes: list[Any]) -> Floats:
        with precision(BITS):
            total = float(self._total_now().log().mid())
        apart = np.abs(np.array(outcomes, np.int64) - np.array(self._centre, np.int64))
        radii = apart.sum(axis=1) if self.law.norm == "l1" else apart.max(axis=1)
        distinct, which = np.unique(radii, return_inverse=True)
        costs = np.array([float(self._rings.cost(int(r))) for r in distinct])
        return -float(self.law.rate) * costs[which] - total

    def value(self, outcome: Any) -> Any:
        return tuple(printed_number(each * self.law.granularity) for each in outcome)

    def ball(self, outcome: Any) -> arb:
        cost = self._cost(outcome)
        return arb(0) if cost == math.inf else ball(-self.law.rate * Fraction(cost)).exp() / self._total_now()

    def _cost(self, outcome: Any) -> Fraction | float:
        apart = [abs(a - b) for a, b in zip(outcome, self._centre, strict=True)]
        return self._rings.cost(sum(apart) if self.law.norm == "l1" else max(apart))

    def _total_now(self) -> arb:
        if ctx.prec not in self._sums:
            self._sums[ctx.prec] = self._total()
        return self._sums[ctx.prec]

    def _total(self) -> arb:
        """Return the sum of all weights, added shell by shell from the centre outwards."""
        rings, rate, size = self._rings, self.law.rate, len(self._centre)
        stride, last = rings.stride, rings.sums[-1]
        points, inside = points_at(size, self.law.norm), points_within(size, self.law.norm)

        def shell(turn: int) -> int:
            """Return the number of points in a shell beyond the last level."""
            return inside(last + turn * stride) - inside(last + (turn - 1) * stride)

        with precision(ctx.prec + EXTRA):
            total = arb(1)  # the centre
            edges = list(pairwise(rings.sums))
            for level, (inner, outer) in enumerate(edges):
                if inner < outer and self.law.graded:
                    q = ball(-rate / (outer - inner)).exp()
                    total += ball(-rate * level).exp() * _between(points, q, inner, outer, size)
                else:
                    total += ball(-rate * (level + 1)).exp() * (inside(outer) - inside(inner))
            if stride and self.law.graded:
                tail = _between(points, ball(-rate / stride).exp(), last, None, size)
            elif stride:
                tail = _between(shell, ball(-rate).exp(), 0, None, size)
            else:
                tail = arb(0)
            return total + ball(-rate * len(edges)).exp() * tail


def _between(points: Callable[[int], int], q: arb, inner: int, outer: int | None, degree: int) -> arb:
    """Return the sum of points(r) * q^(r - inner) over inner < r <= outer, or over all r > inner if outer is None."""

    def closed(r: int) -> arb:
        values, sum_, ratio = [points(r + i) for i in range(degree + 1)], arb(0), q / (1 - q)
        factor = arb(1)
        while values:
            sum_ += factor * values[0]
            values = [b - a for a, b in pairwise(values)]
            factor *= ratio
        return sum_ / (q - 1) * q ** (r - inner)

    first = closed(inner + 1)
    return -first if outer is None else closed(outer + 1) - first


def points_at(dimension: int, norm: str) -> Callable[[int], int]:
    """Return a function of r >= 1, a polynomial: the number of lattice points whose norm is r."""
    if norm == "linf":
        return lambda r: (2 * r + 1) ** dimension - (2 * r - 1) ** dimension
    return lambda r: sum(
        math.comb(dimension, k) * math.comb(r - 1, k - 1) * 2**k for k in range(1, dimension + 1)
    )


def points_within(dimension: int, norm: str) -> Callable[[int], int]:
    """Return a function of r, a polynomial: the number of lattice points whose norm is at most r."""
    if norm == "linf":
        return lambda r: int((2 * r + 1) ** dimension)
    return lambda r: sum(math.comb(dimension, k) * math.comb(r, k) * 2**k for k in range(dimension + 1))
