"""Rényi divergences of what is drawn about two datasets: how a loss in zCDP is audited.

A loss of rho says that the divergence of every order a > 1 is at most a*rho, in both directions. A sum over some of the
outcomes is never above the whole sum, as no term is negative. So an audit that adds up fewer outcomes, or only the
first of several draws, shows no violation that is not there. Noise of Gaussian laws is compared before it is clamped:
its divergence of order 2 is exactly d^2/v, for centres d apart and noise of variance v.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
from flint import arb

from noisewise.audit.draws import Draws, Extreme, Laws, Path, log_ratios
from noisewise.audit.probabilities import BITS, OfGaussian, log_ball
from noisewise.kernel.numbers.balls import ball, precision

ORDERS = tuple(Fraction(order, 20) for order in (21, 30, 40, 80, 160, 320, 640, 1200))
"""The orders that are compared: 1.05 to 60."""

FEW = 64
"""Up to this many outcomes of a draw are followed by the next draw."""

Terms = list[tuple[Any, Any]]
"""Outcomes of a law, each with the logarithm of p^a * q^(1-a)."""


@dataclass(frozen=True)
class NumberSystem:
    """The numbers that divergences are computed in: floats for the search, balls for the result."""

    number: Callable[[Fraction], Any]
    terms: Callable[[Draws, Draws, Fraction, Path, int], Terms]
    log_sum: Callable[[list[Any]], Any]
    """The logarithm of a sum, from the logarithms of its terms."""


def diverging(near: Draws, far: Draws) -> Extreme:
    """Return the largest D_a/a of ``near`` from ``far`` in float64, with its order a."""
    found = [
        Extreme(_summed(FLOATS, near, far, order, ()) / float(order * (order - 1)), (), order)
        for order in ORDERS
    ]
    return max(found, key=lambda each: each.log_ratio)


def certain_rho(near: Draws, far: Draws, order: Fraction) -> arb:
    """Return D_a/a of one order as a ball."""
    with precision(BITS):
        whole: arb = _summed(BALLS, near, far, order, ()) / ball(order * (order - 1))
        return whole


def _summed(numbers: NumberSystem, near: Draws, far: Draws, order: Fraction, path: Path) -> Any:
    """Return (a - 1)*D_a of the draws after a path."""
    ours, theirs = near.laws(path), far.laws(path)
    if ours is None and theirs is None:
        return numbers.number(Fraction(0))
    if ours is None or theirs is None or len(ours) != len(theirs):
        return numbers.number(Fraction(0)) + math.inf
    if (apart := _apart(ours, theirs)) is not None:
        centres = tuple(law.centre for law in ours if isinstance(law, OfGaussian))
        further = _summed(numbers, near, far, order, (*path, centres))
        return numbers.number(order * (order - 1) * apart) + further
    terms = [numbers.terms(near, far, order, path, index) for index in range(len(ours))]
    after = near.laws((*path, tuple(each[0][0] for each in terms)))
    if after is None or math.prod(map(len, terms)) > FEW:
        return sum((numbers.log_sum([log for _, log in each]) for each in terms), numbers.number(Fraction(0)))
    return numbers.log_sum(
        [
            sum((log for _, log in chosen), numbers.number(Fraction(0)))
            + _summed(numbers, near, far, order, (*path, tuple(outcome for outcome, _ in chosen)))
            for chosen in product(*terms)
        ]
    )


def _apart(ours: Laws, theirs: Laws) -> Fraction | None:
    """Return D_a/a of Gaussian noise: the sum of d^2/(2v). None if a law is another one, or noises are not as wide."""
    total = Fraction(0)
    for one, other in zip(ours or (), theirs or (), strict=True):
        if not (isinstance(one, OfGaussian) and isinstance(other, OfGaussian)):
            return None
        if one.law.variance != other.law.variance:
            return None
        total += (one.centre - other.centre) ** 2 / (2 * one.law.variance)
    return total


def _float_terms(near: Draws, far: Draws, order: Fraction, path: Path, index: int) -> Terms:
    outcomes, ratio, here = log_ratios(near, far, path, index)
    drawn = np.flatnonzero(here > -np.inf)
    logs = here[drawn] + float(order - 1) * ratio[drawn]
    return [(outcomes[at], log) for at, log in zip(drawn.tolist(), logs.tolist(), strict=True)]


def _ball_terms(near: Draws, far: Draws, order: Fraction, path: Path, index: int) -> Terms:
    ours, theirs = (each.laws(path) or () for each in (near, far))
    outcomes, _, here = log_ratios(near, far, path, index)
    drawn = [outcomes[at] for at in np.flatnonzero(here > -np.inf)]
    more = ball(order - 1)
    return [
        (each, (1 + more) * log_ball(ours[index], each) - more * log_ball(theirs[index], each))
        for each in drawn
    ]


def _log_sum_of_balls(logs: list[arb]) -> arb:
    return sum((each.exp() for each in logs), arb(0)).log()


FLOATS = NumberSystem(float, _float_terms, lambda logs: float(np.logaddexp.reduce(logs)))
BALLS = NumberSystem(ball, _ball_terms, _log_sum_of_balls)
