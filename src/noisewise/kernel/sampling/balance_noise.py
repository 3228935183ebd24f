"""The noise of balance: a uniform number u chooses omega, and the answer is the least k with D >= omega*U.

    Laplace(1)    omega = 2u for u <= 1/2, else 1/(2(1 - u))
    normal        omega = e^z for the u-quantile z of the standard normal distribution

Float64 encloses omega for all u that begin with the same 64 bits. If that does not decide a draw, balls compare u with
the probability of an answer up to k. Proofs: docs/proofs/balance.md, docs/proofs/gaussian_balance.md.
"""

import math
from fractions import Fraction
from functools import cache
from typing import Any, Protocol

import numpy as np

from noisewise.kernel.numbers.arrays import Floats, Unsigned, either
from noisewise.kernel.numbers.balls import Ball, ball, precision
from noisewise.kernel.sampling.bits import Uniform

HALF = Fraction(1, 2)
BITS, DEGREE = 6, 7
SPLIT = 1 << BITS
"""The normal quantile is a polynomial of this degree on each of so many parts of [2^e, 2^(e+1)]."""
NORMAL_ERROR = 2.0**-44
"""What is granted for the relative error of omega: 16 times what the error of a normal quantile can be."""
MILLS = 1.2534
"""Above P(Z <= z)/density(z) for all z <= 0. While 2^64*P(Z <= z) goes from w to w + 1, z rises by at most MILLS/w."""


class Noise(Protocol):
    """What a draw must know of the noise."""

    def omegas(self, words: Unsigned) -> tuple[Floats, Floats]:
        """Numbers below and above omega for all u with these first 64 bits."""

    def enough(self, down: Ball, least_down: Ball, up: Ball, least_up: Ball, uniform: Uniform) -> bool | None:
        """Whether D >= omega*U for all D and U between the given ends and all u; None if that depends on them."""

    def chance(self, down: Ball, up: Ball) -> Ball:
        """P(omega <= down/up)."""


class LaplaceNoise:
    """Laplace noise of scale 1."""

    __slots__ = ()

    def omegas(self, words: Unsigned) -> tuple[Floats, Floats]:
        half = words < np.uint64(2**63)
        tail = either(half, words, ~words).astype(np.float64)
        near, far = tail * 2.0**-63, (tail + 1) * 2.0**-63
        return either(half, near, 1 / far), either(half, far, 1 / near)

    def enough(self, down: Ball, least_down: Ball, up: Ball, least_up: Ball, uniform: Uniform) -> bool | None:
        low, high = uniform.ends
        if high <= HALF:  # D >= 2u*U
            if least_down >= 2 * ball(high) * up:
                return True
            return False if down < 2 * ball(low) * least_up else None
        if low < HALF:
            return None
        if 2 * (1 - ball(high)) * least_down >= up:
            return True
        return False if 2 * (1 - ball(low)) * down < least_up else None

    def chance(self, down: Ball, up: Ball) -> Ball:
        if down <= up:
            return down / up / 2
        if down > up:
            return 1 - up / down / 2
        return (down / up / 2).union(1 - up / down / 2)


class NormalNoise:
    """Normal noise of mean 0 and variance 1."""

    __slots__ = ()

    def omegas(self, words: Unsigned) -> tuple[Floats, Floats]:
        half = words < np.uint64(2**63)
        tail = either(half, words, ~words).astype(np.float64)
        least = np.maximum(tail, 1.0)
        omega = np.exp(_quantile(least))
        below = omega * either(tail == 0, 0.0, 1 - NORMAL_ERROR)
        above = omega * (1 + either(tail == 0, 0.0, 2 * MILLS / least) + NORMAL_ERROR)
        return either(half, below, 1 / above), either(half, above, 1 / below)

    def enough(self, down: Ball, least_down: Ball, up: Ball, least_up: Ball, uniform: Uniform) -> bool | None:
        low, high = uniform.ends
        if high <= HALF:
            if ball(high) <= self.chance(least_down, up):
                return True
            return False if ball(low) > self.chance(down, least_up) else None
        # the chance of a larger omega: no digits are lost if it is small
        if 1 - ball(high) >= self.chance(up, least_down):
            return True
        return False if 1 - ball(low) < self.chance(least_up, down) else None

    def chance(self, down: Ball, up: Ball) -> Ball:
        return ((up / down).log() / ball(2).sqrt()).erfc() / 2


def _quantile(tail: Any) -> Any:
    """The normal quantile of tail/2^64, for whole numbers from 1 to 2^63 in float64."""
    bits = tail.view(np.int64)
    piece = (bits >> (52 - BITS)) - (1023 << BITS)
    within = ((bits & ((1 << 52) - 1)) | (1023 << 52)).view(np.float64)
    y = (within - (1 + (piece % SPLIT + 0.5) / SPLIT)) * (2 * SPLIT)
    table = normal_table()
    z = table[DEGREE].take(piece)
    for coefficients in table[DEGREE - 1 :: -1]:
        z = z * y + coefficients.take(piece)
    return z


@cache
def normal_table() -> Floats:
    """Taylor coefficients of the normal quantile around the middle of each piece, one row for each degree.

    A piece is as wide as from y = -1 to 1. With the density f, the n-th derivative of the quantile z is p(z)/f(z)^n,
    where p is 1 for n = 1, and p' + n*z*p follows p.
    """
    count = 63 * SPLIT + 1
    with precision(96):
        doubled = (
            Fraction(2 * (SPLIT + i % SPLIT) + 1, 2 * SPLIT << (63 - i // SPLIT)) for i in range(count)
        )
        z = np.array([float(-(ball(each).erfcinv() * ball(2).sqrt()).mid()) for each in doubled])
    density = np.exp(-z * z / 2) / math.sqrt(2 * math.pi)
    part = 2.0 ** (np.arange(count) // SPLIT - 64) / (2 * SPLIT) / density
    rows, p, scale = [z], np.polynomial.Polynomial([1.0]), np.ones(count)
    for n in range(1, DEGREE + 1):
        scale = scale * part / n
        rows.append(p(z) * scale)
        p = p.deriv() + n * p * np.polynomial.Polynomial([0.0, 1.0])
    return np.stack(rows)


LAPLACE, NORMAL = LaplaceNoise(), NormalNoise()
