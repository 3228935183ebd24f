"""Permute-and-flip: answers tried in random order until a coin accepts one [McKenna & Sheldon 2020].

A coin accepts y with probability exp(-rate * cost(y)). With the cost of piecewise Laplace the rate is epsilon/2. If
costs are whole numbers and one answer alone costs 0, the rate can be larger: for few answers and a large epsilon, it is
nearly epsilon - log(2).

At the same epsilon and with its cost, answers cost no more on average than those of piecewise Laplace. But the range is
not bounded by epsilon, so a ledger in zCDP charges about four times as much. Every possible answer needs a coin, so
there must not be too many. Proof: docs/proofs/permute_and_flip.md.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import ClassVar

from noisewise.kernel.errors import ParameterError, Words
from noisewise.kernel.laws.envelope import Envelope, level_rule
from noisewise.kernel.laws.permute_and_flip_law import PermuteAndFlipLaw
from noisewise.kernel.losses import PureDP
from noisewise.kernel.numbers.answers import Answers
from noisewise.kernel.numbers.balls import Ball, ball, precision
from noisewise.kernel.numbers.exact import Number, exact_epsilon

MOST_ANSWERS = 2**20

LEAST_GAIN = Fraction(8, 5)
"""Below this epsilon the rate of whole costs is never so large that they are worth it, and no ball is needed."""

PARTS = 2**32
"""The rate of whole costs is a multiple of epsilon divided by this number."""


@dataclass(frozen=True, slots=True, init=False)
class PermuteAndFlip:
    """The permute-and-flip mechanism, for at most 2^20 possible answers."""

    epsilon: Fraction

    name: ClassVar[str] = "permute_and_flip"
    version: ClassVar[str] = "permute-and-flip/1"

    def __init__(self, *, epsilon: Number) -> None:
        object.__setattr__(self, "epsilon", exact_epsilon(epsilon))

    @property
    def loss(self) -> PureDP:
        return PureDP(self.epsilon)

    def check_answers(self, answers: Answers) -> None:
        """Refuse answers that are too many for coins, before anything is paid."""
        if None in answers.support:
            raise ParameterError(
                "mechanism",
                ("must be another one where answers have no public ends, such as ", Words("auto")),
                got=Words("permute_and_flip"),
            ) from None
        if answers.points > MOST_ANSWERS:
            raise ParameterError(
                "granularity",
                f"must leave at most {MOST_ANSWERS:,} answers for permute_and_flip",
                got=f"{answers.points:,}",
                fix="choose a coarser one",
            ) from None

    def rate(self, answers: Answers) -> Fraction:
        return self.epsilon / 2

    def levels(self, answers: Answers) -> int:
        return level_rule(answers.points, self.rate(answers))

    def law(self, envelope: Envelope, answers: Answers) -> PermuteAndFlipLaw:
        return PermuteAndFlipLaw(envelope, self.rate(answers), graded=True, granularity=answers.granularity)


@dataclass(frozen=True, slots=True, init=False)
class WholePermuteAndFlip(PermuteAndFlip):
    """Permute-and-flip on whole costs, of which exactly one is 0, at the largest rate that is epsilon-DP."""

    version: ClassVar[str] = "permute-and-flip/2"

    def rate(self, answers: Answers) -> Fraction:
        return true_rate(self.epsilon, answers.points)

    def gains(self, answers: Answers) -> bool:
        """Whether the rate is so large that ``"auto"`` prefers this law to others. Public."""
        if self.epsilon < LEAST_GAIN or answers.points > MOST_ANSWERS:
            return False
        return self.rate(answers) >= self.epsilon / 2 + max(Fraction(3, 10), self.epsilon / 10)

    def law(self, envelope: Envelope, answers: Answers) -> PermuteAndFlipLaw:
        return PermuteAndFlipLaw(
            envelope.centred(), self.rate(answers), graded=False, granularity=answers.granularity
        )


@lru_cache(1024)
def true_rate(epsilon: Fraction, points: int) -> Fraction:
    """The largest rate that is epsilon-DP for whole costs with one 0, among this many answers. Rounded down."""
    if points == 1:
        return epsilon
    low, high = PARTS // 2, PARTS
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if is_private(epsilon * middle / PARTS, epsilon, points) else (low, middle)
    return epsilon * low / PARTS


def is_private(rate: Fraction, epsilon: Fraction, points: int) -> bool:
    """Whether whole costs with one 0 are epsilon-DP at this rate. Balls decide, so no rounding error does."""
    bits = 128
    while True:
        with precision(bits):
            accepted = (-ball(rate)).exp()
            share = _integral(accepted, accepted, points) / _integral(accepted, ball(1), points)
            excess = share / accepted**2 - ball(epsilon).exp()
            if excess < 0 or excess > 0:
                return bool(excess < 0)
        bits *= 2


def _integral(accepted: Ball, end: Ball, points: int) -> Ball:
    """The integral from 0 to ``end`` of (1 - v) * (1 - accepted*v)^(points - 2)."""

    def power(exponent: int) -> Ball:
        """The integral of (1 - accepted*v)^(exponent - 1)."""
        return -(exponent * (-accepted * end).log1p()).expm1() / (accepted * exponent)

    return power(points - 1) - (power(points - 1) - power(points)) / accepted
