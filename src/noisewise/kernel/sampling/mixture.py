"""A mixture of balls: ball j = 0, 1, 2, ... has weight e^-j * V(r_j).

The radii r_j rise, and V(r) is the number of lattice points in a ball of radius r. For both norms it follows from a
recurrence over dimensions with positive terms, where t = 2r + 1:

    linf    V_{k+1} = t * V_k                    l1    (k+1) * V_{k+1} = t * V_k + k * V_{k-1}

So V_d(r) / t^d falls with r, which bounds the weight of all balls after any ball. Weights become integers of 61 bits,
as in `draw`. Their slack is 16 times what `draw` assumes about float64. If the integers do not decide a draw, ball
arithmetic decides it, with more balls and a precision that doubles. Proof: docs/proofs/radial_draw.md.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from noisewise.kernel.numbers.arrays import Floats, Integers, Unsigned
from noisewise.kernel.numbers.balls import Ball, ball
from noisewise.kernel.sampling.bits import Bits, Uniform
from noisewise.kernel.sampling.certified import certain, share_of
from noisewise.kernel.sampling.draw import ULP, high_product
from noisewise.kernel.sampling.points import Norm
from noisewise.kernel.secret import Secret

LN2_HIGH, LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10
"""The logarithm of 2 in two parts. The first has 32 bits, so its multiples by up to 2^21 are exact."""
EXACT_BALLS = 2**20
"""If there are at most this many balls, e^-j needs no larger multiple than 2^21."""
DIMENSION_SLACK, WEIGHT_SLACK = 16 * 2, 16 * 10
NEGLIGIBLE = -70
"""The fast path leaves out balls that together weigh less than 2^-70 of the heaviest ball."""


@dataclass(frozen=True, slots=True, repr=False)
class Mixture(Secret):
    """``radius(j)`` is r_j. Over any m balls in a row, the radius rises by at most ``jump + m*climb``."""

    radius: Callable[[int], int]
    jump: int
    climb: Fraction
    dimension: int
    norm: Norm

    def weighted(self) -> "WeightedBalls":
        """The first balls with their weights: enough of them to make the weight of the rest negligible."""
        size = 2 * self.dimension + 128
        while self.log_rest(size - 1) == math.inf:
            size += size // 4
        while True:
            balls = WeightedBalls.of(self, size)
            if balls.rest < NEGLIGIBLE:
                return balls
            size += size // 2

    def log_rest(self, j: int) -> float:
        """A bound on ln(weight of all balls after j / weight of ball j); infinite if no bound is known."""
        t = 2 * self.radius(j) + 1
        if 4 * self.dimension * self.climb > t:
            return math.inf
        return 0.5 + float(Fraction(2 * self.dimension * self.jump, t)) * (1 + 2.0**-40)


@dataclass(frozen=True, slots=True, repr=False)
class WeightedBalls(Secret):
    """The first balls with integer sums of their weights.

    2^rest bounds the weight of all further balls, on a scale where the heaviest ball weighs about 1.
    """

    mixture: Mixture
    radii: list[int]
    sums: Unsigned
    slack: np.uint64
    rest: float

    @classmethod
    def of(cls, mixture: Mixture, size: int) -> "WeightedBalls":
        radii = [mixture.radius(j) for j in range(size)]
        parts, exponents = weights(radii, mixture.dimension, mixture.norm)
        top = int(exponents.max())
        rest = mixture.log_rest(size - 1) / math.log(2) + float(exponents[-1]) - top + 1
        scaled = times_power(parts, exponents - top)
        shift = 61 - int(np.frexp(scaled.sum())[1])
        fixed = np.ldexp(scaled, shift).astype(np.uint64)
        sums = np.cumsum(fixed, dtype=np.uint64)
        units = DIMENSION_SLACK * mixture.dimension + WEIGHT_SLACK + 16 * size * (size > EXACT_BALLS)
        beyond = math.ceil(2.0 ** min(rest + shift, 60.0))
        err = math.ceil(float(sums[-1]) * units * ULP) + size + 1 + beyond
        return cls(mixture, radii, sums, np.uint64(2 * err + 2), rest)

    def pick(self, count: int, bits: Bits) -> Integers:
        """Draw ``count`` balls independently, and return their indices j."""
        words = bits.words(count)
        target = high_product(words, np.full(count, self.sums[-1]))
        picked: Integers = np.minimum(np.searchsorted(self.sums, target, side="right"), self.sums.size - 1)
        before = np.where(picked > 0, self.sums[picked - 1], np.uint64(0))
        sure = ((picked == 0) | (before + self.slack <= target)) & (target + self.slack <= self.sums[picked])
        for i in np.flatnonzero(~sure):
            picked[i] = certain_ball(self.mixture, len(self.radii), Uniform(int(words[i]), bits))
        return picked


def weights(radii: list[int], dimension: int, norm: Norm) -> tuple[Floats, Integers]:
    """e^-j * V(r_j) as float64 times a power of two, within 2*dimension + 10 units in the last place."""
    tops, rows = np.unique(np.array(radii, object), return_inverse=True)
    parts, exponents = volumes([int(r) for r in tops], dimension, norm)
    j = np.arange(len(radii), dtype=np.float64)
    halvings = np.floor(j / math.log(2))
    decay = np.exp(-((j - halvings * LN2_HIGH) - halvings * LN2_LOW))
    return parts[rows] * decay, exponents[rows] - halvings.astype(np.int64)


def volumes(radii: list[int], dimension: int, norm: Norm) -> tuple[Floats, Integers]:
    """V(r) of each radius as float64 times a power of two, within 2*dimension units in the last place."""
    t = np.array([float(2 * r + 1) for r in radii])
    return _power(t, dimension) if norm == "linf" else _delannoy(t, dimension)


def times_power(parts: Floats, exponents: Integers) -> Floats:
    """parts * 2^exponents for exponents of at most zero; an underflow gives zero."""
    scaled: Floats = np.ldexp(parts, np.maximum(exponents, -5000).astype(np.intc))
    return scaled


def _power(t: Floats, dimension: int) -> tuple[Floats, Integers]:
    """t^d by squaring. A square doubles the error and adds a half; a product adds one."""
    (base, step), value, exponents = np.frexp(t), np.ones_like(t), np.zeros(t.size, np.int64)
    for bit in f"{dimension:b}":
        value, exponents = value * value, 2 * exponents
        if bit == "1":
            value, exponents = value * base, exponents + step
        value, halvings = np.frexp(value)
        exponents = exponents + halvings
    return value, exponents


def _delannoy(t: Floats, dimension: int) -> tuple[Floats, Integers]:
    """The recurrence for l1. Powers of two are moved to the exponents before they overflow."""
    often = max(1, 900 // (math.frexp(t.max())[1] + 1))
    value, before, exponents = np.ones_like(t), np.zeros_like(t), np.zeros(t.size, np.int64)
    for k in range(dimension):
        value, before = (t * value + k * before) / (k + 1), value
        if k % often == often - 1 or k == dimension - 1:
            value, halvings = np.frexp(value)
            before = np.ldexp(before, -halvings)
            exponents += halvings
    return value, exponents


def certain_ball(mixture: Mixture, size: int, uniform: Uniform) -> int:
    """The ball whose share of [0, 1) holds the uniform number. All comparisons are certain."""

    def decide(bits: int) -> int | None:
        sums, total = _certain_sums(mixture, size + 2 * bits)
        picked = share_of(sums, *(total * ball(end) for end in uniform.ends))
        return None if picked == len(sums) else picked

    return certain(decide, uniform)


def _certain_sums(mixture: Mixture, size: int) -> tuple[list[Ball], Ball]:
    """Sums of the first weights, and a ball that holds the infinite sum."""
    sums, total, counted, last = [], ball(0), ball(0), -1
    for j in range(size):
        radius = mixture.radius(j)
        if radius != last:
            counted, last = certain_volume(radius, mixture.dimension, mixture.norm), radius
        weight = counted * ball(-j).exp()
        total = total + weight
        sums.append(total)
    rest = (ball(mixture.log_rest(size - 1)).exp() * weight).upper() / 2
    return sums, total + rest + ball(0, rest)


def certain_volume(radius: int, dimension: int, norm: Norm) -> Ball:
    """V(radius), in ball arithmetic."""
    t, value, before = ball(2 * radius + 1), ball(1), ball(0)
    if norm == "linf":
        power: Ball = t**dimension
        return power
    for k in range(dimension):
        before, value = value, (t * value + k * before) / (k + 1)
    return value
