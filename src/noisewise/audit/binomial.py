"""Exact confidence bounds for a probability from how often something happened: Clopper and Pearson 1934.

    P(at least k of n) = I_p(k, n - k + 1), the incomplete beta function, which rises with p

The bounds are found by bisection and certified by ball arithmetic: never on the wrong side of the exact ones.
"""

import math
from fractions import Fraction

from flint import arb

from noisewise.kernel.numbers.balls import ball, precision

STEPS = 16
"""Bisections: what is found is below the exact bound by at most 2^-16 of the way to the share that happened."""


def lower_bound(happened: int, of: int, miss: Fraction) -> Fraction:
    """A probability that the true one is below with a chance of at most ``miss``."""
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
    """A probability that the true one is above with a chance of at most ``miss``."""
    return 1 - lower_bound(of - happened, of, miss)


def _rarely(happened: int, of: int, chance: Fraction, miss: Fraction) -> bool:
    """Whether something of this chance certainly happens so often, or more often, with probability at most ``miss``."""
    with precision(192):
        return bool(arb.beta_lower(ball(chance), happened, of - happened + 1, 1) <= ball(miss))


def _start(happened: int, of: int, miss: Fraction) -> Fraction:
    """About where the bound lies, rather too low: Wilson's, at a distance that few exceed by Chernoff."""
    squared = -2 * math.log(float(miss))
    reach = math.sqrt(squared * (happened * (1 - happened / of) + squared / 4))
    return Fraction(max((happened + squared / 2 - reach) / (of + squared), 0.0))
