"""Optimal composition: the exact delta of k equal losses that are fixed in advance, at an epsilon ``at``.

Only the extreme log ratios of a loss matter. They are epsilon and -epsilon for a pure loss, and t and t - epsilon for a
bounded range, with the worst t in [0, epsilon]. Let N be the number of releases with the lower log ratio. Then delta is
the largest P(N <= l) - e^at * Q(N <= l) over all l.

    pure_delta             holds if only the losses are fixed [Kairouz, Oh & Viswanath 2015]
    bounded_range_delta    holds only if the releases are fixed as well. Then all have the same t, and the worst t for
                           an l is (at + (l + 1)*epsilon)/(k + 1) [Dong, Durfee & Rogers 2020]

Both are computed in ball arithmetic and rounded up. Proofs: docs/proofs/composition.md.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from noisewise.kernel.losses import round_up
from noisewise.kernel.numbers.arrays import Floats
from noisewise.kernel.numbers.balls import Ball, ball

MOST_RELEASES, MOST_EPSILON = 100_000, 10**6

SLACK = 1e-7
"""A hundred times the relative error of a binomial tail in float64, within these limits."""

FEW, LEAST_EPSILON = 32, Fraction(1, 1000)
"""If there are more releases and their sum of epsilons is smaller, float64 excludes few l and balls take too long."""


def is_quick(epsilon: Fraction, count: int) -> bool:
    """Whether `bounded_range_delta` takes seconds instead of minutes, because float64 excludes most l."""
    return count <= FEW or count * epsilon >= LEAST_EPSILON


def pure_delta(epsilon: Fraction, count: int, at: Fraction) -> Fraction:
    """The delta at ``at`` of ``count`` pure losses with the same epsilon, rounded up."""
    if at >= count * epsilon:
        return Fraction(0)
    above = math.ceil((count - at / epsilon) / 2)  # with fewer lower ratios, the log ratio is above ``at``

    def delta() -> Ball:
        p, q = 1 / (1 + ball(-epsilon).exp()), 1 / (1 + ball(epsilon).exp())
        return _tail(count, above - 1, p) - ball(at).exp() * _tail(count, above - 1, q)

    return round_up(delta, Fraction(1), _bits(epsilon))


def bounded_range_delta(epsilon: Fraction, count: int, at: Fraction) -> Fraction:
    """The delta at ``at`` of ``count`` releases of the same bounded range, all fixed in advance, rounded up."""
    ways = (_worst(epsilon, count, at, l) for l in _contenders(epsilon, count, at))
    return max((round_up(way, Fraction(1), _bits(epsilon)) for way in ways), default=Fraction(0))


def _worst(epsilon: Fraction, count: int, at: Fraction, l: int) -> Callable[[], Ball]:
    """P(N <= l) - e^at * Q(N <= l) at the worst t for this l."""
    t = (at + (l + 1) * epsilon) / (count + 1)

    def delta() -> Ball:
        p = ball(t - epsilon).expm1() / ball(-epsilon).expm1()
        return _tail(count, l, p) - ball(at).exp() * _tail(count, l, p * ball(-t).exp())

    return delta


def _bits(epsilon: Fraction) -> int:
    """A precision that leaves 64 bits after P and Q are subtracted, although they differ only by about epsilon."""
    return 128 + max(0, epsilon.denominator.bit_length() - epsilon.numerator.bit_length())


def _tail(count: int, l: int, upper: Ball) -> Ball:
    """P(N <= l), if each of ``count`` releases has the upper log ratio with the chance ``upper``."""
    return upper.beta_lower(count - l, l + 1, 1)


def _contenders(epsilon: Fraction, count: int, at: Fraction) -> list[int]:
    """Every l that may be the worst. The error bound of float64 excludes the others."""
    levels = count - at / epsilon
    if (number := math.ceil(levels)) <= 0:  # the log ratio never exceeds ``at``
        return []
    if count * epsilon > MOST_EPSILON:
        return list(range(number))
    l, eta = np.arange(number), float(epsilon)
    with np.errstate(all="ignore"):  # an l that gives NaN is not excluded
        gap = (
            eta * (float(levels - number + 1) + (number - 1 - l)) / (count + 1)
        )  # epsilon - t, to all digits
        t = (float(at) + (l + 1) * eta) / (count + 1)
        upper, lower = np.log(np.expm1(-gap) / np.expm1(-eta)), np.log(np.expm1(-t) / np.expm1(-eta))
        log_p = _log_tails(count, l, upper, lower - gap)
        log_q = _log_tails(count, l, upper - t, lower)
        p, q = np.exp(log_p - log_p.max()), np.exp(log_q + float(at) - log_p.max())
        surely = np.fmax.reduce(p * (1 - SLACK) - q * (1 + SLACK))
        excluded = p * (1 + SLACK) - q * (1 - SLACK) < surely
    kept: list[int] = l[~excluded].tolist()
    return kept


def _log_tails(count: int, l: NDArray[np.int_], upper: Floats, lower: Floats) -> Floats:
    """ln P(N <= l) for many l at once, from the logarithms of the chances of both log ratios."""
    swap = l >= (count + 1) * np.exp(lower)  # then the other tail is the shorter one
    l = np.where(swap, count - 1 - l, l)
    upper, lower = np.where(swap, (lower, upper), (upper, lower))
    odds = np.exp(np.minimum(upper - lower, 700.0))  # above 700, l is 0 and the odds do not matter
    term = total = np.ones(len(l))
    for j in range(int(l.max())):  # ratios of neighbouring terms fall: a geometric series bounds the rest
        term = term * odds * np.maximum(l - j, 0) / (count - l + j + 1)
        total = total + term
        ratio = odds * np.maximum(l - j - 1, 0) / (count - l + j + 2)
        if (term * ratio <= 1e-11 * total * (1 - ratio)).all():
            break
    logs = _log_factorials(count)
    first = logs[count] - logs[l] - logs[count - l] + l * lower + (count - l) * upper
    log_sum = first + np.log(total)
    result: Floats = np.where(swap, np.log1p(-np.exp(np.minimum(log_sum, -1e-300))), log_sum)
    return result


@lru_cache(4)
def _log_factorials(count: int) -> Floats:
    return np.array([math.lgamma(i + 1) for i in range(count + 1)])
