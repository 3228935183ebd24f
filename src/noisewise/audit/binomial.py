"""Exact confidence bounds for a probability, from the number of times something happened [Clopper and Pearson 1934].

    P(at least k of n) = I_p(k, n - k + 1), the incomplete beta function, which rises with p

The bounds are computed by bisection. Ball arithmetic makes sure that they lie on the safe side of the exact bounds.
"""

import math
from fractions import Fraction

from flint import arb

from noisewise.kernel.numbers.balls import ball, precision

STEPS = 16
"""The number of bisections. The result is below the exact bound by at most 2^-16 of the observed share."""


def lower_bound(happened: int, of: int, miss: Fraction) -> Fraction:
    """Return a lower bound on the probability of an event that happened ``happened`` times in ``of`` trials.

    The bound is wrong with probability at most ``miss``.
    """
    if happened == 0:
        return Fraction(0)
    low, high = Fraction(0), Fraction(happened, of)
    if _rarely(happened, of, start := _start(happened, of, miss), miss):
        low = start
    for _ in range(STEPS):
        middle = Fraction(float((low + high) / 2))
        low, high = (middle, high) if _rarely(happened, of, middle, miss) else (low, middle)
    return low


def upper_bound(happened: int, of: int, miss: Fraction) -> Fraction:
    """Return an upper bound on the same probability. It is wrong with probability at most ``miss``."""
    return 1 - lower_bound(of - happened, of, miss)


def _rarely(happened: int, of: int, chance: Fraction, miss: Fraction) -> bool:
    """Whether this is certain: if an event has probability ``chance``, then ``of`` trials show it ``happened`` times or
    more with probability at most ``miss``."""
    with precision(192):
        return bool(arb.beta_lower(ball(chance), happened, of - happened + 1, 1) <= ball(miss))


def _start(happened: int, of: int, miss: Fraction) -> Fraction:
    """Return an estimate that is usually below the lower bound, by the formula of Wilson with Chernoff's exponent."""
    squared = -2 * math.log(float(miss))
    reach = math.sqrt(squared * (happened * (1 - happened / of) + squared / 4))
    return Fraction(max((happened + squared / 2 - reach) / (of + squared), 0.0))
