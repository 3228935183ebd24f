"""Mechanisms that look private and are not: each costs more than the epsilon that it claims."""

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from noisewise import Count, Envelope, PiecewiseLaplace, Quantile, hazmat
from noisewise.kernel.laws.balance_law import BalanceLaw
from noisewise.kernel.laws.law import Law
from noisewise.planning.readings.read_law import read_law
from noisewise.questions.request import Request

HIGH = 4
MEDIAN = Quantile("1/2")
ASKED: dict[str, Any] = {"bounds": (0, HIGH), "epsilon": 1, "granularity": 1}


class WholeRate(PiecewiseLaplace):
    """The rate is epsilon, where epsilon/2 would be right."""

    def law(self, envelope: Envelope, answers: Any) -> Law:
        law = super().law(envelope, answers)
        return replace(law, rate=2 * law.rate)


class LateByOne(Quantile):
    """Level l of the envelope has the values of level l - 1."""

    def envelope(self, column: Any, answers: Any, levels: int) -> Envelope:
        right = super().envelope(column, answers, levels)
        lower, upper = (np.concatenate([side[:1], side[:-1]]) for side in (right.lower, right.upper))
        return Envelope.of(lower, upper, right.support)


def piecewise(x: list[Any]) -> dict[int, float]:
    """The right probabilities, in float64."""
    law = hazmat.law(MEDIAN, x, mechanism="piecewise_laplace", **ASKED)
    outcomes = list(range(HIGH + 1))
    return dict(zip(outcomes, read_law(law).pmf(outcomes).tolist(), strict=True))


def doubled_centre(x: list[Any]) -> dict[int, float]:
    """The answer itself is counted twice, once for each side."""
    chances = piecewise(x)
    centre = int(hazmat.law(MEDIAN, x, mechanism="piecewise_laplace", **ASKED).centre)
    return {**chances, centre: 2 * chances[centre]}


def dropped_tails(x: list[Any]) -> dict[int, float]:
    """Unlikely outcomes are never drawn."""
    return {outcome: chance if chance > 0.1 else 0.0 for outcome, chance in piecewise(x).items()}


def bounds_from_the_data(x: list[Any]) -> dict[int, float]:
    """Noise in proportion to the range of these records."""
    reach = max(max(x, default=1) - min(x, default=0), 1)
    return laplace(sum(x), reach)


def local_sensitivity(x: list[Any]) -> dict[int, float]:
    """Noise in proportion to the local sensitivity of the median."""
    ordered = sorted([0, HIGH, *x])
    middle = len(ordered) // 2
    reach = max(
        ordered[middle] - ordered[middle - 1], ordered[min(middle + 1, len(ordered) - 1)] - ordered[middle]
    )
    return laplace(ordered[middle], max(reach, 1) / 2)


def laplace(centre: int, scale: float) -> dict[int, float]:
    return {y: math.exp(-abs(y - centre) / scale) for y in range(-40, 60)}


def truncated_balance(x: list[Any]) -> dict[int, float]:
    """Balance with the nearest levels only: records beyond them have no pull. It claims an epsilon of 1/2."""
    law = hazmat.law(MEDIAN, x, mechanism="balance", levels=2, bounds=(0, 40), epsilon=Fraction(1, 2))
    assert isinstance(law, BalanceLaw)
    outcomes = list(range(41))
    return dict(zip(outcomes, read_law(replace(law, complete=None)).pmf(outcomes).tolist(), strict=True))


def groups_priced_once(rows: list[Any], bits: Any) -> None:
    """Every group's answer costs the whole epsilon, though a person is in several groups."""
    for key in ("a", "b"):
        Request.of(Count(), [float(value) for _, group, value in rows if group == key], epsilon=1).answer(
            bits=bits
        )


# Samplers: the numbers of a computer are not those of a proof.


def numpy_laplace(data: list[Any], n: int) -> Any:
    """A sum of records of at most 1, with noise of float64."""
    return sum(data) + np.random.default_rng(len(data)).laplace(scale=1.0, size=n)


def diffprivlib_laplace(data: list[Any], n: int) -> Any:
    """The same with the noise of diffprivlib 0.6: two products of a logarithm and a cosine."""
    u = np.random.default_rng(len(data)).random((4, n))
    noise = np.log(1 - u[0]) * np.cos(np.pi * u[1]) + np.log(1 - u[2]) * np.cos(np.pi * u[3])
    return float(sum(data)) - noise


def half_the_noise(data: list[Any], n: int) -> Any:
    """Two-sided geometric noise with twice the right rate."""
    dice, stop = np.random.default_rng(len(data)), 1 - math.exp(-2)
    return int(sum(data)) + dice.geometric(stop, n) - dice.geometric(stop, n)


def right_noise(data: list[Any], n: int) -> Any:
    dice, stop = np.random.default_rng(len(data)), 1 - math.exp(-1)
    return int(sum(data)) + dice.geometric(stop, n) - dice.geometric(stop, n)
