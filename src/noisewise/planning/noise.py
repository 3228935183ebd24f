"""How far public noise goes: quantiles of discrete Laplace noise, of one number and of several at once."""

import math
from collections.abc import Callable
from fractions import Fraction

from noisewise.kernel.mechanisms import Laplace
from noisewise.questions.wide import ROUNDED_UP


def laplace_steps(noise: Laplace, miss: Fraction, numbers: int = 1) -> tuple[int, int]:
    """The least t with P(|noise| > t) <= miss, in steps: for one number, and for several with independent noise."""
    return noise.farthest(miss / 2), noise.farthest(of_any(miss, numbers) / 2)


def of_any(miss: Fraction, numbers: int) -> Fraction:
    """The chance that each of several independent draws may miss by, for all of them: 1 - (1 - miss)^(1/numbers)."""
    if numbers == 1:
        return miss
    return Fraction(-math.expm1(math.log1p(-float(miss)) / numbers) / ROUNDED_UP)


def radial_steps(decay: float, miss: float, numbers: int) -> tuple[int, int]:
    """How far noise of weight e^(-decay*|z|), |z| the largest coordinate, goes: in one of them, and in the largest.

    A cube around each lattice point makes a density of it, of which the radius is a sum of ``numbers`` waiting times.
    """

    def beyond(u: float, waits: int) -> float:
        """The probability that so many waiting times of mean 1/decay take longer than u."""
        terms = [k * math.log(decay * u) - math.lgamma(k + 1) - decay * u for k in range(waits)]
        return sum(map(math.exp, terms))

    def largest(t: int) -> float:
        return math.exp(decay) * beyond(t + 0.5, numbers)

    def one(t: int) -> float:
        u = t + 0.5
        return math.exp(decay) * (beyond(u, numbers) - decay * u / numbers * beyond(u, numbers - 1))

    def least(chance: Callable[[int], float]) -> int:
        low, high = 0, 1
        while chance(high) > miss:
            high *= 2
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if chance(middle) <= miss else (middle + 1, high)
        return low

    return least(one), least(largest)
