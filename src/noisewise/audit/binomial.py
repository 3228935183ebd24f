"""Exact confidence bounds for a probability, from the number of times something happened [Clopper and Pearson 1934].

    P(at least k of n) = I_p(k, n - k + 1), the incomplete beta function, which rises with p

Bisection computes the bounds, and ball arithmetic makes sure that they lie on the safe side of the exact ones.
"""

import math
from fractions import Fraction

from flint import arb

from noisewise.kernel.numbers.balls import ball, precision

STEPS = 16
"""The number of bisections. The result is below the exact bound by at most 2^-16 of the observed share."""


def lower_bound(happened: int, of: int, miss: Fraction) -> Fraction:
    """A lower bound on the probability. It is wrong with a chance of at most ``miss``."""
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
    """An upper bound on the probability. It is wrong with a chance of at most ``miss``."""
    return 1 - lower_bound(of - happened, of, miss)


def _rarely(happened: int, of: int, chance: Fraction, miss: Fraction) -> bool:
    """Whether an event of this chance certainly happens this often or more with probability at most ``miss``."""
    with precision(192):
        return bool(arb.beta_lower(ball(chance), happened, of - happened + 1, 1) <= ball(miss))


def _start(happened: int, of: int, miss: Fraction) -> Fraction:
    """An estimate of the bound that is usually too low, by Wilson, at a distance from Chernoff's bound."""
    squared = -2 * math.log(float(miss))
    reach = math.sqrt(squared * (happened * (1 - happened / of) + squared / 4))
    return Fraction(max((happened + squared / 2 - reach) / (of + squared), 0.0))
