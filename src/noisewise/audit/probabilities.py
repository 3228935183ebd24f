"""The probabilities of a law: in float64 for the search, and in balls for the result, which must be certain.

A law is either the law of a question, read as the sampler reads it, or a user's table of probabilities. The weights are
summed here by formulas in ball arithmetic. These sums are independent of those in `planning.readings`.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Any, ClassVar, Protocol

import numpy as np
from flint import arb, arb_poly, ctx

from noisewise.errors import ParameterError, ParameterTypeError
from noisewise.kernel.laws.balance_law import BalanceLaw
from noisewise.kernel.laws.gaussian_law import GaussianLaw
from noisewise.kernel.laws.law import Law
from noisewise.kernel.laws.permute_and_flip_law import PermuteAndFlipLaw
from noisewise.kernel.numbers.arrays import Floats
from noisewise.kernel.numbers.balls import ball, precision
from noisewise.kernel.numbers.exact import describe
from noisewise.kernel.numbers.gaussian_sums import gaussian_sum
from noisewise.kernel.sampling.certified_pieces import CertifiedPieces
from noisewise.planning.readings.read_law import read_law
from noisewise.questions.composites.most_common import Lead

BITS = 256
"""The first precision, in bits, at which probabilities are enclosed."""

MOST_BITS = 1 << 14

FLOAT_ERROR = 2.0**-40
"""The relative error that a weight given as a float may have."""

EVERY = 5000
"""Up to this many outcomes are all looked at; of more, those next to the edges of levels."""


class Probabilities(Protocol):
    """One law, in the form that an audit reads."""

    accuracy: ClassVar[int]
    """The number of bits to which its probabilities can be computed."""

    def outcomes(self) -> list[Any]:
        """Return the outcomes for which the ratio to a neighbour's probability can be largest."""

    def logs(self, outcomes: list[Any]) -> Floats:
        """Return the log probability of each outcome, in float64. It is -inf for an outcome that is never drawn."""

    def ball(self, outcome: Any) -> arb:
        """Return the probability of one outcome as a ball, at the current precision."""

    def value(self, outcome: Any) -> Any:
        """Return an outcome in the form in which it is released."""


def log_ball(law: Probabilities, outcome: Any) -> arb:
    """Return the log probability of an outcome as a ball of about 40 digits. It is -inf if it is never drawn."""
    bits = BITS
    while True:
        with precision(bits):
            chance = law.ball(outcome)
            if chance == 0:
                return arb.neg_inf()
            if chance > 0 and chance.rel_accuracy_bits() > law.accuracy:
                return chance.log()
        bits *= 2
        if bits > MOST_BITS:
            raise ParameterError(
                "a law", f"must have probabilities that {MOST_BITS:,} bits can tell from 0"
            ) from None


class NumberLaw:
    """The common part of laws of a number. An outcome is the index of a lattice point."""

    accuracy: ClassVar[int] = BITS // 2

    law: Any

    @cached_property
    def in_steps(self) -> Any:
        """Return the law with steps of 1."""
        return replace(self.law, granularity=Fraction(1))

    def logs(self, outcomes: list[int]) -> Floats:
        logs: Floats = read_law(self.in_steps).logpmf(np.array(outcomes, np.int64))
        return logs

    def value(self, outcome: int) -> Any:
        return printed_number(outcome * self.law.granularity)


@dataclass(frozen=True, repr=False)
class OfLaw(NumberLaw):
    """The law of an envelope, for one group."""

    law: Law
    _sums: dict[Any, arb] = field(default_factory=dict)

    def outcomes(self) -> list[int]:
        low, high = self.law.ends
        of = self.law.envelope
        beyond = 3 * (of.stride or 0) + 1
        first = int(of.lower.min()) - beyond if low is None else low
        last = int(of.upper.max()) + beyond if high is None else high
        if last - first < EVERY:
            return list(range(first, last + 1))
        # between edges, log probabilities are straight lines, so their differences are largest next to edges
        edges = {first, last, *of.lower.tolist(), *of.upper.tolist()}
        edges |= {int(of.lower[-1]) - i * beyond // 3 for i in (1, 2, 3)}
        edges |= {int(of.upper[-1]) + i * beyond // 3 for i in (1, 2, 3)}
        near = {edge + step for edge in edges for step in (-1, 0, 1)}
        return sorted(k for k in near if first <= k <= last)

    def ball(self, outcome: int) -> arb:
        law, (low, high) = self.law, self.law.ends
        if (low is not None and outcome < low) or (high is not None and outcome > high):
            return arb(0)
        lowest, highest = int(law.envelope.lower[0]), int(law.envelope.upper[0])
        total = self._weight(1, 0) + self._weight(-1, 0) + (highest - lowest + 1)
        if law.clamp is not None and low == high:
            return arb(1)
        if law.clamp is not None and outcome == low:
            return self._at_or_beyond(-1, lowest - outcome, total) / total
        if law.clamp is not None and outcome == high:
            return self._at_or_beyond(1, outcome - highest, total) / total
        (cost,) = read_law(replace(self.in_steps, clamp=None)).cost([outcome])
        return arb(0) if cost == math.inf else ball(-law.rate * cost).exp() / total

    def _at_or_beyond(self, side: int, j: int, total: arb) -> arb:
        """Return the sum of all weights from point j of a side outwards. If j <= 0, it counts back into the plateau."""
        if j > 0:
            return self._weight(side, j - 1)
        plateau = int(self.law.envelope.upper[0] - self.law.envelope.lower[0]) + 1
        if 1 - j <= plateau:
            return self._weight(side, 0) + (1 - j)
        return total - self._weight(-side, 1 - j - plateau)

    def _weight(self, side: int, after: int) -> arb:
        """Return the sum of the weights of one side without its first ``after`` points."""
        with_bits = (side, after, ctx.prec)
        if with_bits not in self._sums:
            self._sums[with_bits] = self._summed(side, after)
        return self._sums[with_bits]

    def _summed(self, side: int, after: int) -> arb:
        of, rate, graded = self.law.envelope, self.law.rate, self.law.graded
        edge = of.upper if side > 0 else of.lower
        end = of.support[1] if side > 0 else of.support[0]
        reach = [side * (int(k) - int(edge[0])) for k in edge]
        if end is not None:
            reach.append(side * (end - int(edge[0])))
        total = arb(0)
        for l in range(1, len(reach)):
            width, gone = reach[l] - reach[l - 1], min(max(after - reach[l - 1], 0), reach[l] - reach[l - 1])
            if gone < width and graded:
                slope, start = rate / width, ball(-rate * (l - 1))
                ends = ball(-slope * (width - gone)).expm1() / ball(-slope).expm1()
                total += (start - ball(slope * (gone + 1))).exp() * ends
            elif gone < width:
                total += (width - gone) * ball(-rate * l).exp()
        if end is None and of.stride:
            level, gone, stride = len(reach) - 1, max(after - reach[-1], 0), of.stride
            if graded:
                slope = rate / stride
                total -= ball(-rate * level - slope * (gone + 1)).exp() / ball(-slope).expm1()
            else:
                turns, rest = divmod(gone, stride)
                first = ball(-rate * (level + turns + 1)).exp()
                total += first * (stride - rest) - stride * first * ball(-rate).exp() / ball(-rate).expm1()
        return total


@dataclass(frozen=True, repr=False)
class OfBalance(NumberLaw):
    """A law of balance, for one group."""

    law: BalanceLaw

    @cached_property
    def in_steps(self) -> BalanceLaw:
        """Return the law of all levels with steps of 1."""
        return replace(self.law._whole(), granularity=Fraction(1))

    @cached_property
    def _pieces(self) -> CertifiedPieces:
        return CertifiedPieces(self.in_steps.score.pieces(np.zeros(1, np.int64), self.law.kappa), 0)

    def outcomes(self) -> list[int]:
        low, high = self.law.ends
        if high - low < EVERY:
            return list(range(low, high + 1))
        score = self.in_steps.score
        edges = sorted({low, high, *(int(p) // score.unit for p in score.positions)})
        between = {a + (b - a) * i // 8 for a, b in pairwise(edges) for i in range(9)}
        near = {k + step for k in between for step in (-1, 0, 1)}
        return sorted(k for k in near if low <= k <= high)

    def ball(self, outcome: int) -> arb:
        low, high = self.law.ends
        if not low <= outcome <= high:
            return arb(0)
        below = arb(0) if outcome == low else self._share(outcome - 1)
        if outcome == high:
            return 1 - below
        return self._share(outcome) - below

    def _share(self, k: int) -> arb:
        """Return P(answer <= k), for k below the highest answer."""
        return self.law.noise.chance(*self._pieces.integrals(k, ctx.prec))


@dataclass(frozen=True, repr=False)
class OfGaussian(NumberLaw):
    """A law of Gaussian noise, for one group."""

    law: GaussianLaw

    @property
    def centre(self) -> int:
        return int(self.law.centres[0])

    def outcomes(self) -> list[int]:
        """Return outcomes around the centre. Of wide noise, they are some steps apart."""
        low, high = self.law.ends
        far = 8 * math.isqrt(math.ceil(self.law.variance)) + 8
        first = self.centre - far if low is None else max(self.centre - far, low)
        last = self.centre + far if high is None else min(self.centre + far, high)
        return list(range(first, last + 1, max(1, 2 * far // EVERY)))

    def ball(self, outcome: int) -> arb:
        variance, (low, high) = self.law.variance, self.law.ends
        if (low is not None and outcome < low) or (high is not None and outcome > high):
            return arb(0)
        if low is not None and low == high:
            return arb(1)
        total, apart = 1 + 2 * gaussian_sum(variance, 1), outcome - self.centre
        if outcome in (low, high):
            outwards = -apart if outcome == low else apart
            tail = gaussian_sum(variance, outwards if outwards > 0 else 1 - outwards)
            return tail / total if outwards > 0 else 1 - tail / total
        return ball(-(apart**2) / (2 * variance)).exp() / total


@dataclass(frozen=True, repr=False)
class OfCoins:
    """Permute-and-flip on a few outcomes. An outcome y is accepted with probability p(y) = exp(-exponent of y).

    P(y) = p(y) * integral over t from 0 to 1 of the product over z != y of (1 - p(z)*t), a polynomial in t.
    """

    accuracy: ClassVar[int] = BITS // 2

    exponents: dict[int, Fraction]
    log_chances: Callable[[list[int]], Floats]
    step: Fraction = Fraction(1)
    _products: dict[int, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, law: PermuteAndFlipLaw) -> "OfCoins":
        whole = replace(law, granularity=Fraction(1))
        low, high = law._ends()
        points = list(range(low, high + 1))
        costs = read_law(whole).cost(points)
        exponents = {k: law.rate * cost for k, cost in zip(points, costs, strict=True)}
        return cls(
            exponents, lambda outcomes: read_law(whole).logpmf(np.array(outcomes, np.int64)), law.granularity
        )

    @classmethod
    def of_lead(cls, lead: Lead) -> "OfCoins":
        behind = [int(each) for each in lead.behind]
        logs = lead.logpmf()
        return cls({k: lead.rate * each for k, each in enumerate(behind)}, lambda outcomes: logs[outcomes])

    def outcomes(self) -> list[int]:
        return list(self.exponents)

    def logs(self, outcomes: list[int]) -> Floats:
        return self.log_chances(outcomes)

    def value(self, outcome: int) -> Any:
        return printed_number(outcome * self.step)

    def ball(self, outcome: int) -> arb:
        with precision(ctx.prec + 3 * len(self.exponents)):
            product = self._product()
            own, integral, term = ball(-self.exponents[outcome]).exp(), arb(0), arb(0)
            for i in range(len(self.exponents)):  # divides the product by the factor of this outcome
                term = product[i] + own * term
                integral += term / (i + 1)
            return own * integral

    def _product(self) -> Any:
        """The product of the factors of all outcomes, at the current precision."""
        if ctx.prec in self._products:
            return self._products[ctx.prec]
        factors = [arb_poly([1, -ball(-each).exp()]) for each in self.exponents.values()]
        while len(factors) > 1:
            pairs = zip(factors[::2], factors[1::2], strict=False)
            factors = [a * b for a, b in pairs] + (factors[-1:] if len(factors) % 2 else [])
        self._products[ctx.prec] = factors[0]
        return factors[0]


@dataclass(frozen=True, repr=False)
class GivenLaw:
    """Given probabilities, or weights proportional to them: exact numbers, balls, or floats with 12 right digits."""

    accuracy: ClassVar[int] = 30

    weights: Mapping[Any, Any]

    def __post_init__(self) -> None:
        """Refuse weights that are not probabilities."""
        rule = "must be a dictionary with the probability of each outcome, or with weights"
        if not isinstance(self.weights, Mapping):
            raise ParameterTypeError("the mechanism's law", rule, got=describe(self.weights)) from None
        if wrong := [weight for weight in self.weights.values() if not _is_weight(weight)]:
            raise ParameterError(
                "the mechanism's law", f"{rule}, from 0 on and finite", got=describe(wrong[0])
            ) from None
        if not any(weight > 0 for weight in self.weights.values()):
            raise ParameterError("the mechanism's law", f"{rule}, one of them above 0") from None

    @cached_property
    def _exact(self) -> dict[Any, arb]:
        with precision(MOST_BITS):
            return {outcome: _as_ball(weight) for outcome, weight in self.weights.items()}

    def outcomes(self) -> list[Any]:
        return list(self.weights)

    def logs(self, outcomes: list[Any]) -> Floats:
        with precision(BITS):
            chances = [float(self.ball(outcome).mid()) for outcome in outcomes]
        with np.errstate(divide="ignore"):
            return np.log(np.array(chances, np.float64))

    def value(self, outcome: Any) -> Any:
        return outcome

    def ball(self, outcome: Any) -> arb:
        total = sum(self._exact.values(), arb(0))
        return self._exact.get(outcome, arb(0)) / total


def _is_weight(weight: Any) -> bool:
    """Whether a weight is a finite number of at least 0. A ball must not lie entirely below 0."""
    if isinstance(weight, (arb, Decimal)):
        return bool(weight.is_finite()) and not weight < 0
    if isinstance(weight, (float, np.floating)):
        return bool(np.isfinite(weight)) and bool(weight >= 0)
    return isinstance(weight, (int, np.integer, Fraction)) and bool(weight >= 0)


def _as_ball(weight: Any) -> arb:
    if isinstance(weight, (float, np.floating)):
        return ball(Fraction(float(weight))) * (1 + arb(0, FLOAT_ERROR))
    return weight if isinstance(weight, arb) else ball(Fraction(weight))


def printed_number(number: Fraction) -> int | float | Fraction:
    """Return a number to print: a whole number, a float if that is exact, or a fraction."""
    if number.denominator == 1:
        return int(number)
    return float(number) if Fraction(float(number)) == number else number
