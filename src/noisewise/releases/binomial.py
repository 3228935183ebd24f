"""The binomial law's lower ranks, in float64: they decide how wide an interval is, never what is private."""

import math
from fractions import Fraction

import numpy as np

SPREAD = 12
"""Standard deviations within which the law is summed; beyond, it weighs less than 10^-30."""


def lower_rank(n: int, q: Fraction, miss: Fraction) -> int:
    """The largest L with P(Bin(n, q) < L) <= miss: but for that chance, the record of rank L is at most it."""
    share = float(q)
    if n <= 0 or share == 0:
        return 0
    if share == 1:
        return n
    reach = math.ceil(SPREAD * math.sqrt(n * share * (1 - share))) + SPREAD
    mode = min(math.floor((n + 1) * share), n)
    k = np.arange(max(0, mode - reach), mode + 1)
    falling = np.log(k[1:] * (1 - share)) - np.log((n - k[1:] + 1) * share)  # ln p(k-1) - ln p(k)
    at_mode = (
        math.lgamma(n + 1)
        - math.lgamma(mode + 1)
        - math.lgamma(n - mode + 1)
        + mode * math.log(share)
        + (n - mode) * math.log1p(-share)
    )
    logs = at_mode + np.append(np.cumsum(falling[::-1])[::-1], 0.0)
    below = np.cumsum(np.exp(logs))  # P(Bin <= k)
    enough = np.flatnonzero(below > float(miss))
    return int(k[enough[0]]) if enough.size else mode
