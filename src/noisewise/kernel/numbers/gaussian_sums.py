"""Sums of Gaussian weights over whole numbers, in balls.

    f(x) = exp(-x^2 / (2v))        gaussian_sum(v, m) = f(m) + f(m+1) + f(m+2) + ...

If the variance v is small, the terms are added up, and a geometric sum bounds the rest. If it is large, the sum is an
integral with corrections (Euler-Maclaurin). The derivatives of f are Hermite polynomials times f, and Cramér's
inequality bounds the rest. Proof: docs/proofs/discrete_gaussian.md.
"""

import math
from fractions import Fraction

from noisewise.kernel.numbers.balls import Ball, ball, load_flint

SMALL = 64**2
"""Up to this variance, terms are added up."""


def gaussian_sum(variance: Fraction, start: int) -> Ball:
    """The sum of exp(-k^2 / (2*variance)) over all whole numbers k >= start, for start >= 0."""
    return _added(variance, start) if variance <= SMALL else _integrated(variance, start)


def _added(variance: Fraction, start: int) -> Ball:
    """So many terms that the rest is below the precision. From k on, terms fall at least by the factor ``fall``."""
    term = (-ball(start**2 / (2 * variance))).exp()
    fall, square = (-ball((2 * start + 1) / (2 * variance))).exp(), (-ball(1 / variance)).exp()
    total = ball(0)
    for _ in range(math.isqrt(2 * load_flint().ctx.prec * math.ceil(variance)) + 1):
        total, term, fall = total + term, term * fall, fall * square
    half = (term / (1 - fall)).upper() / 2
    return total + half + ball(0, half)


def _integrated(variance: Fraction, start: int) -> Ball:
    """The integral, half of the first term, and corrections until a bound on the rest is below the precision."""
    flint, v, m = load_flint(), ball(variance), ball(start)
    first = (-ball(start**2 / (2 * variance))).exp()
    total: Ball = (v * flint.arb.pi() / 2).sqrt() * (m / (2 * v).sqrt()).erfc() + first / 2
    before, hermite = ball(0), ball(1)  # He_n(m / sqrt(v)) / v^(n/2) for n = -1 and 0
    rest, least = 8 * v.sqrt() * (-ball(start**2 / (4 * variance))).exp(), first / 2**flint.ctx.prec
    for n in range(0, flint.ctx.prec, 2):
        before, hermite = hermite, (m * hermite - n * before) / v
        total += first * hermite * ball(_bernoulli(n + 2)) / flint.arb(n + 2).fac()
        before, hermite = hermite, (m * hermite - (n + 1) * before) / v
        rest = rest * ball((n + 1) * (n + 2)).sqrt() / (4 * flint.arb.pi() ** 2 * v)
        if rest < least:
            break
    return total + ball(0, rest.upper())


def _bernoulli(n: int) -> Fraction:
    number = load_flint().fmpq.bernoulli(n)
    return Fraction(int(number.p), int(number.q))
