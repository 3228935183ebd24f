"""Exact draws of lattice points in d dimensions from a law that depends only on their radius.

A point has weight exp(-h * cost), where the cost rises with the radius. Let r_j be the largest radius with
h * cost <= j + 1, or h * cost < j + 1 if costs are whole numbers. A trial has three steps:

    1. pick a ball j = 0, 1, ... with weight e^-j * V(r_j)   (`mixture`)
    2. draw a uniform point of that ball                     (`points`)
    3. keep the point with probability exp(i - h * cost), where i is the first ball that holds it

All balls from i on hold the point, so a trial proposes it with a weight proportional to e^-i. It is kept with a
probability of at least 1/e. So at most e = 2.72 trials are expected, in every dimension and for every rate. Proof:
docs/proofs/radial_draw.md.
"""

import math
from bisect import bisect_left
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from noisewise.kernel.numbers.arrays import Booleans, Integers
from noisewise.kernel.sampling.bits import Bits, Uniform
from noisewise.kernel.sampling.certified import certain_coin
from noisewise.kernel.sampling.draw import FARTHEST, ULP
from noisewise.kernel.sampling.mixture import Mixture
from noisewise.kernel.sampling.points import Norm, Points, ball_points, norms
from noisewise.kernel.secret import Secret

KEEP_SLACK = 16 * 5
WORDS = 2.0**64


@dataclass(frozen=True, slots=True, repr=False)
class Rings(Secret):
    """The shells around the centre. ``sums`` are their outer radii 0 = S_0 <= ... <= S_K; more are ``stride`` wide."""

    sums: list[int]
    stride: int
    rate: Fraction
    graded: bool
    dimension: int
    norm: Norm

    def cost(self, radius: int | Fraction) -> Fraction | float:
        """The least s >= 0 with S(s) >= radius; infinite if none has. Unless the law is graded, s is whole."""
        l, last = bisect_left(self.sums, radius), len(self.sums) - 1
        if l == 0:
            return Fraction(0)
        if l > last and not self.stride:
            return math.inf
        inner = self.sums[min(l, last + 1) - 1]
        width = self.sums[l] - inner if l <= last else self.stride
        part = Fraction(radius - inner) / width
        return l - 1 + (part if self.graded else Fraction(math.ceil(part)))

    def radius(self, j: int) -> int:
        """r_j: the largest radius with rate * cost <= j + 1, or < j + 1 if costs are whole."""
        reached = (j + 1) * self.rate.denominator
        level, rest = divmod(reached if self.graded else reached - 1, self.rate.numerator)
        last = len(self.sums) - 1
        if level < last:
            inner, width = self.sums[level], self.sums[level + 1] - self.sums[level]
        else:
            inner, width = self.sums[last] + (level - last) * self.stride, self.stride
        return inner + width * rest // self.rate.numerator if self.graded else inner

    def mixture(self) -> Mixture:
        climb = self.stride / self.rate
        return Mixture(self.radius, 1 if self.graded else self.stride, climb, self.dimension, self.norm)

    def chance(self, radius: int) -> Fraction:
        """Return x, between 0 and 1. A proposed point of this radius is kept with probability exp(-x)."""
        exponent = self.rate * Fraction(self.cost(radius))
        return exponent - (max(math.ceil(exponent) - 1, 0) if self.graded else math.floor(exponent))


def draw_points(rings: Rings, count: int, bits: Bits) -> Integers:
    """``count`` independent draws relative to the centre, one in each row, cut at +-FARTHEST."""
    balls, kept = rings.mixture().weighted(), np.zeros((count, rings.dimension), np.int64)
    waiting = np.arange(count)
    while waiting.size:
        picked = balls.pick(waiting.size, bits)
        keep = np.zeros(waiting.size, np.bool_)
        for radius, rows in _by_radius(rings, picked):
            points = ball_points(radius, rings.dimension, rings.norm, rows.size, bits)
            keep[rows] = keeps(rings, norms(points, rings.norm), bits)
            kept[waiting[rows]] = _cut(points)
        waiting = waiting[~keep]
    return kept


def keeps(rings: Rings, radii: list[int], bits: Bits) -> Booleans:
    """Throw a coin for each point to decide whether the point is kept."""
    exponents = {r: rings.chance(r) for r in set(radii)}
    words, x = bits.words(len(radii)), np.array([float(exponents[r]) for r in radii])
    chance = np.exp(-x)
    slack = (KEEP_SLACK * chance + 2) * ULP
    share = words / WORDS
    kept: Booleans = share <= chance - slack
    for i in np.flatnonzero(~kept & (share < chance + slack)):
        exponent = exponents[radii[i]]
        kept[i] = not exponent or certain_coin(Uniform(int(words[i]), bits), exponent)
    return kept


def _by_radius(rings: Rings, picked: Integers) -> list[tuple[int, Integers]]:
    """The radius of each ball that was drawn, and the rows that drew a ball of this radius."""
    balls, which = np.unique(picked, return_inverse=True)
    rows: dict[int, list[Integers]] = {}
    for i, j in enumerate(balls.tolist()):
        rows.setdefault(rings.radius(j), []).append(np.flatnonzero(which == i))
    return [(radius, np.concatenate(parts)) for radius, parts in rows.items()]


def _cut(points: Points) -> Integers:
    return np.clip(points, -FARTHEST, FARTHEST).astype(np.int64)
