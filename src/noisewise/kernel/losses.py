"""Losses: how much one release can reveal about one person, as an exact value.

Let P and Q be the laws of a release on two neighbouring datasets, and Z = ln(P/Q) their log ratio.

    PureDP(epsilon)            |Z| <= epsilon
    BoundedRange(epsilon)      max Z - min Z <= epsilon
    ZCDP(rho)                  Rényi divergences D_a(P, Q) <= a*rho, for every order a > 1
    ApproxDP(epsilon, delta)   P(S) <= e^epsilon * Q(S) + delta, for every set S

``as_pure()``, ``as_zcdp()`` and ``as_approx(delta)`` convert a loss to another kind:

    BoundedRange -> PureDP     the same epsilon
    BoundedRange -> ZCDP       rho = epsilon/(e^epsilon - 1) + ln((e^epsilon - 1)/epsilon) - 1  <= epsilon^2/8
    PureDP -> ZCDP             rho = epsilon * tanh(epsilon/2)  <= epsilon^2/2
    ZCDP -> ApproxDP           epsilon = min over a > 1 of  a*rho + ln(1/(a*delta))/(a - 1) + ln(1 - 1/a)

[Harrison & Manurangsi 2025; Steinke 2024; Canonne, Kamath & Steinke 2020]. These numbers are irrational. Balls enclose
them, and the upper end is rounded up, so that no conversion undercharges. Proofs: docs/proofs/losses.md.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from decimal import ROUND_CEILING, Context
from fractions import Fraction
from functools import lru_cache
from typing import Literal, TypeAlias

from noisewise.kernel.errors import ParameterError
from noisewise.kernel.numbers.balls import Ball, ball, precision
from noisewise.kernel.numbers.exact import Number, describe, exact, spell, whole

Loss: TypeAlias = "PureDP | BoundedRange | ZCDP | ApproxDP"

Neighbors = Literal["add_remove", "swap"]
"""Two datasets are neighbours if one record is added or removed ("add_remove"), or if one is replaced ("swap")."""

MOST = 10**300
"""All numbers of a loss are below this, so that floats can show them."""

LEAST = Fraction(1, 2**4000)
"""A smaller number above 0 is rounded up to this, so that it can be written down."""


def _to_dict(self: Loss) -> dict[str, str | float]:
    """The kind of loss, and each of its numbers as exact text and as a float to look at, ready for JSON."""
    record: dict[str, str | float] = {"loss": type(self).__name__}
    for each in fields(self):
        if (number := getattr(self, each.name)) is not None:
            record |= {each.name: spell(number), f"{each.name}_float": _float_up(number)}
    return record


def _repr(self: Loss) -> str:
    numbers = ((each.name, getattr(self, each.name)) for each in fields(self))
    return f"{type(self).__name__}({', '.join(f'{n}={spell(v)}' for n, v in numbers if v is not None)})"


@dataclass(frozen=True, slots=True, init=False, repr=False)
class PureDP:
    """Pure differential privacy. ``rho``, if given, is a zCDP parameter that was proved for the mechanism.

    Losses with the same epsilon are equal, with or without a ``rho``.
    """

    epsilon: Fraction
    rho: Fraction | None = field(compare=False)
    to_dict, __repr__ = _to_dict, _repr

    def __init__(self, epsilon: Number, rho: Number | None = None) -> None:
        object.__setattr__(self, "epsilon", parameter("epsilon", epsilon))
        object.__setattr__(self, "rho", None if rho is None else parameter("rho", rho))
        if self.rho == 0 < self.epsilon:
            raise ParameterError("rho", "must be above 0 where epsilon is", got=describe(rho)) from None

    def as_pure(self) -> "PureDP":
        """The loss as it is."""
        return self

    def as_zcdp(self) -> "ZCDP":
        """The zCDP parameter of any pure loss, rounded up, or the mechanism's own ``rho`` if it is smaller."""
        rho = discrete_laplace_rho(self.epsilon, 1)  # epsilon * tanh(epsilon/2), the worst case
        return ZCDP(rho if self.rho is None else min(rho, self.rho))

    def as_approx(self, delta: Number) -> "ApproxDP":
        """The smaller of epsilon and the epsilon that zCDP gives at this delta, rounded up."""
        chance = parameter("delta", delta)
        other = _epsilon_at(chance, self.as_zcdp().rho) if chance else self.epsilon
        return ApproxDP(min(self.epsilon, other), chance)

    def __str__(self) -> str:
        return f"ε {read(self.epsilon)}, pure differential privacy"


@dataclass(frozen=True, slots=True, init=False, repr=False)
class BoundedRange:
    """Bounded range, the loss of the exponential mechanism: epsilon-DP at about a quarter of its price in zCDP."""

    epsilon: Fraction
    to_dict, __repr__ = _to_dict, _repr

    def __init__(self, epsilon: Number) -> None:
        object.__setattr__(self, "epsilon", parameter("epsilon", epsilon))

    def as_pure(self) -> PureDP:
        """The same epsilon, as pure differential privacy."""
        return PureDP(self.epsilon)

    def as_zcdp(self) -> "ZCDP":
        """The zCDP parameter of bounded range, at most epsilon^2/8, rounded up."""
        return ZCDP(_bounded_range_rho(self.epsilon))

    def as_approx(self, delta: Number) -> "ApproxDP":
        """The smaller of epsilon and the epsilon that zCDP gives at this delta, rounded up."""
        return PureDP(self.epsilon, self.as_zcdp().rho).as_approx(delta)

    def __str__(self) -> str:
        return str(self.as_pure())


@dataclass(frozen=True, slots=True, init=False, repr=False)
class ZCDP:
    """Zero-concentrated differential privacy: the currency in which many releases add up most cheaply."""

    rho: Fraction
    to_dict, __repr__ = _to_dict, _repr

    def __init__(self, rho: Number) -> None:
        object.__setattr__(self, "rho", parameter("rho", rho))

    def as_pure(self) -> PureDP:
        """Raise an error, unless the loss is zero: rare answers may have log ratios of any size."""
        if self.rho > 0:
            raise ParameterError(
                "loss", "must bound the log ratio", got=str(self), fix="use as_approx(delta)"
            ) from None
        return PureDP(0)

    def as_zcdp(self) -> "ZCDP":
        """The loss as it is."""
        return self

    def as_approx(self, delta: Number) -> "ApproxDP":
        """The smallest epsilon over all Rényi orders at this delta, rounded up."""
        chance = parameter("delta", delta)
        if chance == 0 < self.rho:
            raise ParameterError("delta", f"must be above 0 to convert {self}", got=describe(delta)) from None
        return ApproxDP(_epsilon_at(chance, self.rho), chance)

    def __str__(self) -> str:
        return f"ρ {read(self.rho)}, zero-concentrated differential privacy"


@dataclass(frozen=True, slots=True, init=False, repr=False)
class ApproxDP:
    """Approximate differential privacy: a loss of epsilon, except with a probability of about delta."""

    epsilon: Fraction
    delta: Fraction
    to_dict, __repr__ = _to_dict, _repr

    def __init__(self, epsilon: Number, delta: Number) -> None:
        object.__setattr__(self, "epsilon", parameter("epsilon", epsilon))
        object.__setattr__(self, "delta", parameter("delta", delta))

    def as_pure(self) -> PureDP:
        """The same epsilon, as pure differential privacy. An error is raised unless delta is zero."""
        if self.delta > 0:
            raise ParameterError(
                "loss", "must have delta 0", got=str(self), fix="convert what it came from"
            ) from None
        return PureDP(self.epsilon)

    def as_zcdp(self) -> ZCDP:
        """The zCDP parameter of the pure loss. An error is raised unless delta is zero."""
        return self.as_pure().as_zcdp()

    def as_approx(self, delta: Number) -> "ApproxDP":
        """The same epsilon at a delta at least as large."""
        if parameter("delta", delta) < self.delta:
            raise ParameterError("delta", f"must not be below that of {self}", got=describe(delta)) from None
        return ApproxDP(self.epsilon, delta) if self.delta else self.as_pure().as_approx(delta)

    def __str__(self) -> str:
        return f"ε {read(self.epsilon)}, δ {read(self.delta)}, approximate differential privacy"


def group_loss(loss: Loss, records: int) -> Loss:
    """The loss of this many records together, in one group or in several, if one record has this ``loss``.

    Epsilons and ranges add up over the records. The rho of any mechanism grows with the square of their number.
    """
    if isinstance(loss, BoundedRange):
        return BoundedRange(records * loss.epsilon)
    if isinstance(loss, ZCDP):
        return ZCDP(records**2 * loss.rho)
    pure = loss.as_pure()
    return PureDP(records * pure.epsilon, None if pure.rho is None else records**2 * pure.rho)


@lru_cache(256)
def _bounded_range_rho(epsilon: Fraction) -> Fraction:
    def rho() -> Ball:
        x = ball(epsilon)
        mean = -(-x).expm1() / x  # the mean of e^-u over 0 <= u <= x, which is finite even if e^x is not
        return 1 / mean + mean.log() - 1

    return round_up(rho, at_most=min(epsilon, epsilon**2 / 8))


def discrete_laplace_rho(epsilon: Number, steps: int) -> Fraction:
    """The zCDP parameter of discrete Laplace noise of rate a = epsilon/steps, for shifts of up to ``steps``.

    It is the Kullback-Leibler divergence for the largest shift, a*(steps - 2r(1 - r^steps)/(1 - r^2)) with r = e^-a.
    The formula epsilon + e^-epsilon - 1 of the continuous law is its limit for many steps and would undercharge.
    """
    return _discrete_laplace_rho(parameter("epsilon", epsilon), whole("steps", steps, least=1))


@lru_cache(256)
def _discrete_laplace_rho(x: Fraction, count: int) -> Fraction:
    def rho() -> Ball:
        a = ball(x / count)
        return ball(x) - 2 * a * (-a).exp() * ball(-x).expm1() / (-2 * a).expm1()

    return round_up(rho, at_most=min(x, x**2 / 2))


def _epsilon_at(delta: Fraction, rho: Fraction) -> Fraction:
    """The epsilon of zCDP at a delta. Any s is valid. The best s solves rho*s^2 + ln(1 + s) = ln(1/delta)."""
    if rho == 0:
        return rho
    odds = (1 - delta) / delta  # ln(1/delta) = log1p(odds), which is exact even if delta is nearly 1
    with precision(128):
        goal, s = ball(odds).log1p().mid(), (ball(odds).log1p() / ball(rho)).sqrt().mid()
        for _ in range(64):  # Newton's method in ln s, down a convex curve
            square = ball(rho) * s**2
            s = (s * ((goal - s.log1p() - square) / (2 * square + s / (1 + s))).exp()).mid()
    return round_up(
        lambda: (1 + s) * ball(rho) + (ball(odds).log1p() - s.log1p()) / s - (1 / s).log1p(),
        at_most=2 * rho + odds,  # order 2 gives less
    )


def round_up(number: Callable[[], Ball], at_most: Fraction, bits: int = 256) -> Fraction:
    """The number rounded up to 64 bits, or the exact bound ``at_most`` if its digits cancel."""
    if at_most == 0:
        return at_most
    with precision(bits):
        exact_ball = number()
    if not exact_ball.is_finite():
        return at_most
    with precision(64):
        upper = exact_ball.upper()
        tiny = 0 < upper < ball(LEAST)
        rounded = ball(LEAST).fmpq() if tiny else upper.fmpq()
    return min(max(Fraction(int(rounded.p), int(rounded.q)), Fraction(0)), at_most)


def parameter(name: str, value: Number) -> Fraction:
    """Check a number of a loss and return it exactly. It must be at least 0 and below 1e300; a delta is below 1."""
    limit, rule = (1, "below 1") if name == "delta" else (MOST, "below 1e300")
    number = exact(name, value)
    if not 0 <= number.numerator < limit * number.denominator:
        raise ParameterError(name, f"must be at least 0 and {rule}", got=describe(value)) from None
    return number


def _float_up(value: Fraction) -> float:
    """The float64 nearest to a number, or the next one if the decimal that Python prints for it would be less."""
    nearest = float(value)
    return nearest if Fraction(repr(nearest)) >= value else math.nextafter(nearest, math.inf)


def read(value: Fraction) -> str:
    """``= 0.1``, or ``≤ 0.123302`` rounded up if the decimal is long."""
    above = Context(prec=6, rounding=ROUND_CEILING).divide(value.numerator, value.denominator)
    return f"= {text}" if len(text := spell(value)) <= 12 else f"≤ {above}"
