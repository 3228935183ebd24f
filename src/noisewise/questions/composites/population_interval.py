"""Intervals of a population: for its mean, for a proportion of it, and for the count that is to be expected.

The records are a sample. Noisy sums with public noise give bounds of the true sums of the records. These laws bound how
far the true sums are from the truth about the population, whatever the population is:

    mean         Chernoff's bound in Hoeffding's form: P(the sample's mean is at x or beyond) <= e^(-n KL(x, mean))
    proportion   the binomial law itself, as Clopper and Pearson do
    count        the Poisson law itself, of records that come independently of each other

All three are monotone in the sums, so the ends of the sums are enough. Proof: docs/proofs/population_interval.md.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple, Unpack

import numpy as np

from noisewise.errors import ParameterError
from noisewise.kernel.losses import Loss
from noisewise.kernel.mechanisms import Gaussian, Laplace
from noisewise.kernel.numbers.answers import UTMOST
from noisewise.kernel.numbers.arrays import Floats
from noisewise.kernel.numbers.balls import Ball, ball, precision
from noisewise.kernel.numbers.exact import describe, spell
from noisewise.kernel.prices import Rho
from noisewise.kernel.sampling import Bits
from noisewise.questions.choice import Noise
from noisewise.questions.keywords import Noised
from noisewise.questions.measured import Measured, centre_of
from noisewise.questions.payable import Payable
from noisewise.questions.promise import Promise, sure
from noisewise.questions.request import Request
from noisewise.questions.terms import exact_confidence
from noisewise.questions.two_sums import TwoSums
from noisewise.results.release import AnswerInterval, Release
from noisewise.statistics.count import Count
from noisewise.statistics.mean import Proportion
from noisewise.statistics.statistic import Statistic

LUCK = Fraction(4, 5)
"""The part of the probability to miss that is left to the luck of the sample. The rest is for the noise."""

TERMS = 100_000
"""At most this many terms of a tail are added one by one. A geometric series bounds the rest."""

VERSION = "population-interval/1"
BITS = 128

Tail = Callable[[Fraction, Fraction, Fraction, Fraction], bool]
"""A test whether a share is surely too low. It takes the least sum above, the most below, the share, and the chance
to be wrong."""


class Held(NamedTuple):
    """The least that one of two sums can be, and the most that the other sum can be. Both count records."""

    least: Fraction
    most: Fraction


@dataclass(frozen=True, slots=True, repr=False)
class PopulationInterval(Payable):
    """An interval of the population, checked and not yet paid for."""

    request: Request
    sums: TwoSums | None
    """None if one noisy number is enough: a count, or a mean of a public number of records."""
    confidence: Fraction

    @classmethod
    def of(
        cls, statistic: Statistic, data: object, *, confidence: object, **keywords: Unpack[Noised]
    ) -> "PopulationInterval":
        """Check every parameter and the declared type of the data. Errors are the same whatever the records say."""
        share = exact_confidence(confidence)
        if isinstance(bounds := keywords.get("bounds"), str):
            raise ParameterError("bounds", "must be a pair for an interval", got=describe(bounds)) from None
        noise = "gaussian" if isinstance(keywords.get("epsilon"), Rho) else "laplace"
        request = Request.of(statistic, data, mechanism=noise, **keywords)
        one_number = isinstance(statistic, Count) or request.neighbors == "swap"
        summands = None if one_number else statistic.summands(request.frame)
        sums = None if summands is None else TwoSums.of(request, summands, request.price)
        checked = cls(request, sums, share)
        checked.check_reach()
        return checked

    def check_reach(self) -> None:
        """Refuse a count if its noise reaches too far: a Poisson law of so large a mean cannot be computed."""
        statistic = self.request.statistic
        known = self.request.neighbors == "swap" and statistic.category is None
        if isinstance(statistic, Count) and not known and self.noise_of_count > UTMOST:
            raise ParameterError(
                "epsilon",
                f"must be larger for the {self}",
                why="the noise of the count alone would reach further than 2^61",
            ) from None

    @property
    def noise_of_count(self) -> int:
        """How far the noise of a count reaches to either side, in records."""
        steps = self.noise.farthest((1 - self.confidence) / 2 * (1 - LUCK))
        return steps * int(self.request.frame.answers.granularity)

    @property
    def inner(self) -> Request:
        return self.request

    @property
    def noise(self) -> Noise:
        noise = self.request.mechanism if self.sums is None else self.sums.noise
        assert isinstance(noise, (Gaussian, Laplace)), "the mechanism was named"
        return noise

    @property
    def loss(self) -> Loss:
        return self.noise.loss

    def loss_of(self, records: int) -> Loss:
        return self.noise.loss_of(records)

    @property
    def law(self) -> str:
        """The permanent name of the law, and the name of the law of its draws."""
        return f"{VERSION} by {self.noise.version if self.sums is None else self.sums.version}"

    @property
    def memo(self) -> str:
        return f"{self} by {self.law}"

    def promise(self, miss: Fraction, size: int | None = None) -> Promise:
        counts = isinstance(self.request.statistic, Count)
        what = "count that is to be expected" if counts else f"{self.request.statistic} of the population"
        return Promise(
            mechanism=self.noise.name, numbers=2, sentence=f"{sure(self.confidence)} it holds the {what}"
        )

    def measured(self) -> Measured:
        """The distance from the answer of the data itself to the farther end of the interval."""
        centre = centre_of(self.request.look(0))
        return Measured.of_draws(self, centre, lambda ends: [max(abs(end - centre) for end in ends)])

    def __str__(self) -> str:
        what = "expected count" if isinstance(self.request.statistic, Count) else str(self.request.statistic)
        return f"{spell(100 * self.confidence)}% interval of the {what}"

    def answer(self, receipt: object = None, *, bits: Bits | None = None) -> Release:
        miss, counts = (1 - self.confidence) / 2, isinstance(self.request.statistic, Count)
        low, high = self.counts(miss, bits) if counts else self.shares(miss, bits)
        interval = AnswerInterval(low, high, self.confidence, "population").paid(self.request.price)
        release = self.request.stamped((low, high), receipt, bits)
        return replace(
            release,
            privacy=self.loss,
            statistic=str(self),
            mechanism=self.noise.name,
            law=self.law,
            notes=(*self.request.statistic.notes, "about the population that the records are a sample of"),
            interval=interval,
        )

    # A count

    def counts(self, miss: Fraction, bits: Bits | None) -> tuple[int, int]:
        """The ends of the interval of the expected count."""
        law = self.request.look()
        _, index = self.request.drawn(law, bits=bits)
        step = int(self.request.frame.answers.granularity)
        reach, (least, most) = self.noise.farthest(miss * (1 - LUCK)), law.ends
        known = least == most and least is not None  # a public count has no noise
        low, high = (index, index) if known else (max(index - reach, 0), index + reach)
        return expected_counts(low * step, high * step + step - 1, miss * LUCK)

    # A share

    def shares(self, miss: Fraction, bits: Bits | None) -> tuple[int | float, int | float]:
        """The ends of the interval of the mean or the proportion of the population."""
        above, below = self.held(miss * (1 - LUCK), bits)
        surely_low = too_few if isinstance(self.request.statistic, Proportion) else too_unlikely
        low = self.end(above, miss * LUCK, surely_low, mirrored=False)
        return self.request.number(low), self.request.number(
            self.end(below, miss * LUCK, surely_low, mirrored=True)
        )

    def held(self, miss: Fraction, bits: Bits | None) -> tuple[Held, Held]:
        """The least and the most that the sums can be: first for the lower end, then mirrored for the upper end."""
        if self.sums is not None:
            up, down = self.sums.draw(bits)
            steps, reach, above = self.sums.steps, self.noise.farthest(miss / 2), int(self.sums.rounds)
            return (
                Held(Fraction(max(up - reach, 0), steps), Fraction(down + reach + above, steps)),
                Held(Fraction(max(down - reach, 0), steps), Fraction(up + reach + above, steps)),
            )
        _, index = self.request.drawn(self.request.look(), bits=bits)
        size, reach = self.request.data.size(), self.noise.farthest(miss)
        low, high = map(self.share_at, (index - reach, index + reach + 1))
        return Held(low * size, (1 - low) * size), Held((1 - high) * size, high * size)

    def share_at(self, index: int) -> Fraction:
        """The position of an answer between the bounds: 0 at the lower bound, 1 at the upper bound."""
        records, answers = self.request.frame
        place = index * answers.granularity / records.granularity - records.low
        return min(max(place / (records.high - records.low), Fraction(0)), Fraction(1))

    def end(self, held: Held, miss: Fraction, surely_low: Tail, *, mirrored: bool) -> int:
        """The index of an end: the highest index that is surely too low. If ``mirrored``, the lowest that is surely too
        high."""
        low, high = self.request.frame.answers.support
        assert low is not None and high is not None, "a share lies between bounds"
        sign, (first, last) = (-1, (-high, -low)) if mirrored else (1, (low, high))
        while first < last:
            middle = -((-first - last) // 2)
            share = self.share_at(sign * middle)
            if surely_low(*held, 1 - share if mirrored else share, miss):
                first = middle
            else:
                last = middle - 1
        return sign * first


def too_unlikely(above: Fraction, below: Fraction, share: Fraction, miss: Fraction) -> bool:
    """Whether n KL(above/n, share) >= ln(1/miss) and the share is below above/n. Here n is ``above + below``."""
    both = above + below
    if above == 0 or share * both >= above:
        return False
    if share == 0:
        return True
    with precision(BITS):
        far = ball(above) * ball(above / (both * share)).log()
        if below:
            far += ball(below) * ball(below / (both * (1 - share))).log()
        return bool(far >= -ball(miss).log())  # undecided is no


def too_few(above: Fraction, below: Fraction, share: Fraction, miss: Fraction) -> bool:
    """Whether P(at least ``above`` ones) <= ``miss``, if each of above + below records is a one with chance ``share``.

    P(Bin(k + z, p) >= k) is the mass at k, times a series whose ratios fall. Here k counts the ones and z the zeros.
    """
    ones, zeros = math.ceil(above), math.floor(below)
    if ones == 0 or share * (ones + zeros) >= ones:
        return False
    if share == 0:
        return True
    odds, further = float(share / (1 - share)), np.arange(_terms(ones))
    series = _series(np.maximum(zeros - further, 0) / (ones + 1 + further) * odds)
    with precision(BITS):
        ways = ball(ones + zeros + 1).lgamma() - ball(ones + 1).lgamma() - ball(zeros + 1).lgamma()
        mass = (ways + ones * ball(share).log() + zeros * ball(1 - share).log()).exp()
        return bool(mass * series <= ball(miss))  # undecided is no


def expected_counts(least: int, most: int, miss: Fraction) -> tuple[int, int]:
    """Two whole numbers that hold the mean of a Poisson law between them, for a count from ``least`` to ``most``."""
    low, high = 0, least
    while low < high:  # find the largest mean at which ``least`` or more is surely unlikely
        middle = -((-low - high) // 2)
        low, high = (middle, high) if _at_least(least, middle) <= ball(miss) else (low, middle - 1)
    first, last = most, 2 * most + math.ceil(-2 * math.log(miss)) + 2
    while first < last:  # find the smallest mean at which ``most`` or fewer is surely unlikely
        middle = (first + last) // 2
        first, last = (first, middle) if _at_most(most, middle) <= ball(miss) else (middle + 1, last)
    return low, first


def _at_least(count: int, mean: int) -> Ball:
    """An upper bound of P(Poisson >= count), for a mean that is at most the count."""
    return _mass(count, mean) * _series(mean / (count + 1 + np.arange(_terms(count))))


def _at_most(count: int, mean: int) -> Ball:
    """An upper bound of P(Poisson <= count), for a mean that is at least the count."""
    if mean == 0:
        return ball(1)
    return _mass(count, mean) * _series(np.maximum(float(count) - np.arange(_terms(count)), 0) / mean)


def _mass(count: int, mean: int) -> Ball:
    """P(Poisson = count)."""
    if mean == 0:
        return ball(int(count == 0))
    with precision(BITS):
        return (ball(count) * ball(mean).log() - mean - ball(count + 1).lgamma()).exp()


def _terms(count: int) -> int:
    """The number of terms that are added one by one. It changes only the speed and the last digits."""
    return min(64 * (math.isqrt(count) + 1), TERMS)


def _series(ratios: Floats) -> Ball:
    """An upper bound of 1 + r1 + r1*r2 + ... for falling ``ratios`` r1, r2, ... It allows for the errors of float64."""
    with np.errstate(under="ignore"):
        terms = np.cumprod(ratios)
    rest = terms[-1] * ratios[-1] / (1 - ratios[-1]) if ratios[-1] < 1 else math.inf
    return ball(float(1 + terms.sum() + rest)) * (1 + ball(2) ** -30)
