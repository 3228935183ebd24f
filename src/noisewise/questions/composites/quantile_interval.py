"""A private confidence interval for a quantile of the population that the records are drawn from.

The ends are two private order statistics. Their ranks are so far out that they cover the sampling error and the noise:

    count     under add/remove the number of records n is secret. It is released first, for a tenth of epsilon. The
              ranks are computed from the released number. Ranks from n itself would make another statistic, whose cost
              moves by two
    ranks     the binomial law gives a rank L whose record is at or below the quantile. A draw can be off by some ranks,
              whose number `plan` bounds for all data. The end is drawn that many ranks further out

Proof: docs/proofs/interval.md.
"""

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeAlias, Unpack

import numpy as np

from noisewise.errors import ParameterError, Words
from noisewise.kernel.losses import Loss
from noisewise.kernel.mechanisms import (
    ByScore,
    Gaussian,
    Laplace,
    PermuteAndFlip,
    ShiftedInverse,
    WholePermuteAndFlip,
)
from noisewise.kernel.mechanisms.scored import Scored
from noisewise.kernel.numbers.exact import Number, describe, exact, spell
from noisewise.kernel.prices import Rho
from noisewise.kernel.sampling import Bits
from noisewise.kernel.settle import sum_of_losses
from noisewise.questions.choice import Auto, width_of
from noisewise.questions.keywords import Unpriced
from noisewise.questions.measured import Measured, centre_of
from noisewise.questions.payable import Payable
from noisewise.questions.promise import Promise, sure
from noisewise.questions.request import Request
from noisewise.questions.terms import exact_confidence
from noisewise.questions.wide import as_laplace
from noisewise.results.release import Release
from noisewise.statistics.count import Count
from noisewise.statistics.quantile import Quantile

COUNT_SHARE = Fraction(1, 10)
"""The part of epsilon that pays for the number of records, if that is secret."""

MANY = 2**40
"""More records than this count as this many."""

LEAST_EPSILON = 1e-280
"""A smaller epsilon counts as this. Draws are then off by more than `MANY` records, so the bounds become the ends."""

Shares: TypeAlias = tuple[Fraction | None, Fraction | None]

HALF = Fraction(1, 2)
FARTHEST_FROM_THE_ENDS = Fraction(50001, 100000)
"""Stands for the quantile that will be drawn, not known yet. Draws next to the median are off by the most edits."""
SAMPLING, NOISE, NUMBER = Fraction(80, 100), Fraction(15, 100), Fraction(5, 100)
"""The parts of the probability to miss: for the luck of the sample, the noise of both ends, the noise of the count."""

SPREAD = 12
"""The binomial law is summed within this many standard deviations. Less than 10^-30 of it lies beyond."""


@dataclass(frozen=True, slots=True, repr=False)
class Interval(Payable):
    """A confidence interval for a quantile, checked and not yet paid for."""

    q: Fraction
    confidence: Fraction
    count: Request | None
    end: Request
    loss: Loss

    @classmethod
    def of(
        cls,
        q: Number | str,
        data: object,
        *,
        epsilon: Number | Rho,
        confidence: object = Fraction(95, 100),
        **keywords: Unpack[Unpriced],
    ) -> "Interval":
        """Check every parameter and the declared type of the data. Errors are the same whatever the records say."""
        share = exact_confidence(confidence)
        if isinstance(bounds := keywords.get("bounds"), str):
            raise ParameterError("bounds", "must be a pair for an interval", got=describe(bounds)) from None
        whole = Request.of(Quantile(q), data, epsilon=epsilon, **keywords)
        by_name = isinstance(keywords.get("mechanism", "auto"), (str, Auto))
        fits = isinstance(whole.mechanism, (Scored, ByScore, PermuteAndFlip)) and not isinstance(
            whole.mechanism, ShiftedInverse
        )
        if width := width_of(whole.mechanism):
            raise ParameterError("smooth", "must be 0 for an interval", got=spell(width)) from None
        if not fits or not by_name:
            raise ParameterError(
                "mechanism",
                (
                    "must be the name ",
                    Words(
                        *("auto", "balance", "gaussian_balance", "piecewise_laplace", "inverse_sensitivity"),
                        "permute_and_flip",
                    ),
                    " for an interval",
                ),
                got=describe(keywords["mechanism"]),
            ) from None
        spend, count = whole.price, None
        if whole.neighbors == "add_remove":
            count = Request.of(
                Count(),
                data,
                epsilon=spend * COUNT_SHARE,
                contributions=whole.contributions,
                mechanism="gaussian" if isinstance(spend, Rho) else "laplace",
            )
            spend = spend * (1 - COUNT_SHARE)
        end = Request.of(Quantile(q), data, epsilon=spend / 2, **keywords)
        loss = sum_of_losses(end.loss, end.loss, *([] if count is None else [count.loss]))
        return cls(Quantile(q).q, share, count, end, loss)

    @property
    def inner(self) -> Request:
        return self.end

    def loss_of(self, records: int) -> Loss:
        draws = [self.end, self.end, *([] if self.count is None else [self.count])]
        return sum_of_losses(*(draw.loss_of(records) for draw in draws))

    @property
    def law(self) -> str:
        """The permanent name of the law, and the name of the law of its draws."""
        in_rho = self.count is not None and isinstance(self.count.mechanism, Gaussian)
        count = f", count by {Gaussian.version}" if in_rho else ""
        return f"quantile-interval/1 by {self.end.mechanism.version}{count}"

    @property
    def memo(self) -> str:
        return f"{self} by {self.law}"

    def promise(self, miss: Fraction, size: int | None = None) -> Promise:
        held = f"{sure(self.confidence)} it holds the {Quantile(self.q)} of the population"
        return Promise(mechanism=self.end.mechanism.name, numbers=2, sentence=held)

    def measured(self) -> Measured:
        """The distance from the quantile of the data itself to the farther end of the interval."""
        centre = centre_of(self.end.about(Quantile(self.q)).look(0))
        return Measured.of_draws(self, centre, lambda ends: [max(abs(end - centre) for end in ends)])

    def __str__(self) -> str:
        return f"{spell(100 * self.confidence)}% interval of the {Quantile(self.q)}"

    def answer(self, receipt: object = None, *, bits: Bits | None = None) -> Release:
        count = self.end.data.size() if self.count is None else self.count.answer(bits=bits).value
        count = min(count, MANY)
        shares = self.shares(count)
        records, step = self.end.frame.records, self.end.frame.answers.granularity
        bounds = records.low * step, records.high * step
        ends = [
            bound if share is None else exact("end", self._at(share).answer(bits=bits).value)
            for bound, share in zip(bounds, shares, strict=True)
        ]
        number = int if step.denominator == 1 else float
        release = self.end.stamped(tuple(map(number, sorted(ends))), receipt, bits)
        return replace(
            release,
            privacy=self.loss,
            statistic=str(self),
            law=self.law,
            notes=(self._note(count, shares),),
            names=("low", "high"),
        )

    def _note(self, count: int, shares: Shares) -> str:
        number = "the public" if self.count is None else "a released"
        drawn = " and ".join("the bound" if share is None else f"{float(share):.4g}" for share in shares)
        return f"drawn at the quantiles {drawn}, chosen from {number} count of {count:,}"

    def shares(self, count: int) -> Shares:
        """The two quantiles to draw, computed from a public or released count. None if only the bound is far enough."""
        miss = 1 - self.confidence
        noise = 0 if self.count is None else noise_reach(self.count, miss * NUMBER)
        least, most = count - noise, count + noise
        stray = self.stray(miss * NOISE / 2)
        luck = miss * SAMPLING / 2
        below = self._share(lower_rank(least, self.q, luck), least, most, stray)
        above = self._share(lower_rank(least, 1 - self.q, luck) - HALF, least, most, stray)
        return below, None if above is None else 1 - above

    def stray(self, miss: Fraction) -> int:
        """A draw is off by at most this many edits of a record, except with probability ``miss``.

        With M answers and the rate h, P(cost > s) <= M e^-hs.
        """
        mechanism = self.end.mechanism
        assert isinstance(mechanism, (Scored, ByScore, PermuteAndFlip)), "no other mechanism is accepted"
        exponent = math.log(self.end.frame.answers.points) - as_laplace(mechanism, math.log(miss))
        paid = mechanism.reach if isinstance(mechanism, ByScore) else mechanism.epsilon
        epsilon = max(paid, Fraction(LEAST_EPSILON))
        if isinstance(mechanism, ByScore):
            quantile, each = Quantile(FARTHEST_FROM_THE_ENDS), epsilon / self.contributions
            return math.ceil(quantile.edits_off(self.neighbors, each, exponent) * (1 + 1e-12))
        answers = self.end.frame.answers
        rate = mechanism.rate(answers) if isinstance(mechanism, WholePermuteAndFlip) else epsilon / 2
        return math.ceil(exponent / float(rate)) * self.contributions

    def _share(self, rank: Fraction | int, least: int, most: int, stray: int) -> Fraction | None:
        """The largest quantile with all draws at or below ``rank``, if there are ``least`` to ``most`` records."""
        if self.neighbors == "swap":
            share = Fraction(rank - stray) / max(least, 1)
        elif (share := Fraction(rank - stray) / max(most - stray, 1)) > HALF:
            share = max(HALF, Fraction(rank) / (most + stray))
        return share if share > 0 else None

    def _at(self, share: Fraction) -> Request:
        return self.end.about(Quantile(share))


def noise_reach(count: Request, miss: Fraction) -> int:
    """How far a count drawn with noise may be off, except with probability ``miss``."""
    if isinstance(count.mechanism, Gaussian):
        return count.mechanism.farthest(miss / 2)
    assert isinstance(count.mechanism, Laplace), "the mechanism was named"
    decay = max(float(count.mechanism.epsilon), LEAST_EPSILON) / count.contributions
    return math.ceil((math.log(2) - math.log(miss)) / decay)


def lower_rank(n: int, q: Fraction, miss: Fraction) -> int:
    """The largest rank L with P(Bin(n, q) < L) <= miss, in float64. It decides how wide an interval is, never privacy.

    The record of rank L is at most the q-quantile of the population, except with probability ``miss``.
    """
    share = float(q)
    if n <= 0 or share == 0:
        return 0
    if share == 1:
        return n
    reach = math.ceil(SPREAD * math.sqrt(n * share * (1 - share))) + SPREAD
    mode = min(math.floor((n + 1) * share), n)
    k = np.arange(max(0, mode - reach), mode + 1)
    log_ratios = np.log(k[1:] * (1 - share)) - np.log((n - k[1:] + 1) * share)  # ln p(k-1) - ln p(k)
    at_mode = (
        math.lgamma(n + 1)
        - math.lgamma(mode + 1)
        - math.lgamma(n - mode + 1)
        + mode * math.log(share)
        + (n - mode) * math.log1p(-share)
    )
    logs = at_mode + np.append(np.cumsum(log_ratios[::-1])[::-1], 0.0)
    below = np.cumsum(np.exp(logs))  # P(Bin <= k)
    enough = np.flatnonzero(below > float(miss))
    return int(k[enough[0]]) if enough.size else mode
