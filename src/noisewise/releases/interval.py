"""Interval: a private confidence interval for a quantile of the population the records are drawn from.

Two private order statistics, the ranks of which lie so far out that the sampling error and the noise are both covered:

    count     under add/remove n is secret: it is released first, for a tenth of epsilon, and what follows is worked out
              from the released number. Ranks worked out from n would be another statistic, whose cost moves by two
    ranks     L of the binomial law, so that the record of rank L is at or below the quantile; then as many ranks
              further out as the draw can stray, which `plan` bounds whatever the data

Proof: docs/proofs/interval.md.
"""

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from noisewise.errors import ParameterError, Words
from noisewise.mechanisms.scored import Scored
from noisewise.numbers.exact import describe, exact, exact_confidence, spell
from noisewise.privacy import PureDP
from noisewise.questions.request import Request
from noisewise.questions.settle import Payable
from noisewise.releases.binomial import lower_rank
from noisewise.results.release import Release
from noisewise.sampling import Bits
from noisewise.statistics import Count, Quantile

COUNT_SHARE = Fraction(1, 10)
"""Of epsilon, spent on the number of records where it is secret."""

MANY = 2**40
"""More records than this are counted as so many."""

HALF = Fraction(1, 2)
SAMPLING, NOISE, NUMBER = Fraction(80, 100), Fraction(15, 100), Fraction(5, 100)
"""How the chance to miss is divided: the luck of the sample, the noise of both ends, that of the count."""


@dataclass(frozen=True, slots=True, repr=False)
class Interval(Payable):
    """A confidence interval for a quantile, judged and not yet paid for."""

    q: Fraction
    confidence: Fraction
    count: Request | None
    end: Request
    loss: PureDP

    @classmethod
    def of(
        cls, q: Any, data: object, *, epsilon: Any, confidence: Any = Fraction(95, 100), **asked: Any
    ) -> "Interval":
        """Judge every parameter and the data's declared type; raise what is wrong, the same whatever the records."""
        share = exact_confidence(confidence)
        if isinstance(asked.get("bounds"), str):
            raise ParameterError(
                "bounds", "must be a pair for an interval", got=describe(asked["bounds"])
            ) from None
        whole = Request.of(Quantile(q), data, epsilon=epsilon, **asked)
        if not isinstance(whole.mechanism, Scored) or not isinstance(asked.get("mechanism", "auto"), str):
            raise ParameterError(
                "mechanism",
                (
                    "must be the name ",
                    Words("auto", "piecewise_laplace", "inverse_sensitivity"),
                    " for an interval",
                ),
                got=describe(asked["mechanism"]),
            ) from None
        spend, count = whole.mechanism.epsilon, None
        if whole.neighbors == "add_remove":
            count = Request.of(
                Count(),
                data,
                epsilon=spend * COUNT_SHARE,
                contributions=whole.contributions,
                mechanism="laplace",
            )
            spend -= spend * COUNT_SHARE
        end = Request.of(Quantile(q), data, epsilon=spend / 2, **asked)
        parts = [end.loss, end.loss, *([] if count is None else [count.loss])]
        loss = PureDP(sum(part.epsilon for part in parts), rho=sum(part.as_zcdp().rho for part in parts))
        return cls(Quantile(q).q, share, count, end, loss)

    @property
    def inner(self) -> Request:
        return self.end

    @property
    def law(self) -> str:
        """The name of the law for ever, with that of its draws."""
        return f"quantile-interval/1 by {self.end.mechanism.version}"

    @property
    def memo(self) -> str:
        return f"{self} by {self.law}"

    def __str__(self) -> str:
        return f"{spell(100 * self.confidence)}% interval of the {Quantile(self.q)}"

    def answer(self, receipt: Any = None, *, bits: Bits | None = None) -> Release:
        known = self.end.data.size() if self.count is None else self.count.answer(bits=bits).value
        known = min(known, MANY)
        shares = self.shares(known)
        records, step = self.end.frame.records, self.end.frame.answers.granularity
        ends = [records.low * step, records.high * step]
        for place, share in enumerate(shares):
            if share is not None:
                ends[place] = exact("end", self._at(share).answer(bits=bits).value)
        low, high = sorted(ends)
        number = int if step.denominator == 1 else float
        told = self.end.stamped((number(low), number(high)), receipt, bits)
        return _told(told, self, known, shares)

    def shares(self, known: int) -> tuple[Fraction | None, Fraction | None]:
        """The public quantiles to draw, from a public or released count; None where only the bound is far enough."""
        miss = 1 - self.confidence
        noise = 0 if self.count is None else laplace_reach(self.count, miss * NUMBER)
        least, most = known - noise, known + noise
        stray = self.stray(miss * NOISE / 2)
        luck = miss * SAMPLING / 2
        below = self._share(lower_rank(least, self.q, luck), least, most, stray)
        above = self._share(lower_rank(least, 1 - self.q, luck) - HALF, least, most, stray)
        return below, None if above is None else 1 - above

    def stray(self, miss: Fraction) -> int:
        """How many edits of a record a draw strays, but for a chance of ``miss``: P(cost > s) <= M e^-hs."""
        points, rate = self.end.frame.answers.points, float(self.end.mechanism.epsilon) / 2
        return math.ceil((math.log(points) - math.log(miss)) / rate) * self.contributions

    def _share(self, rank: Fraction | int, least: int, most: int, stray: int) -> Fraction | None:
        """The largest share that a draw from ``least`` to ``most`` records keeps at or below a rank."""
        if self.neighbors == "swap":
            share = Fraction(rank - stray) / max(least, 1)
        elif (share := Fraction(rank - stray) / max(most - stray, 1)) > HALF:
            share = max(HALF, Fraction(rank) / (most + stray))
        return share if share > 0 else None

    def _at(self, share: Fraction) -> Request:
        return replace(self.end, statistic=Quantile(share))


def laplace_reach(count: Request, miss: Fraction) -> int:
    """How far a count drawn by discrete Laplace noise may be off, but for a chance of ``miss``."""
    decay = float(count.mechanism.epsilon) / count.contributions
    return math.ceil((math.log(2) - math.log(miss)) / decay)


def _told(
    told: Release, interval: Interval, known: int, shares: tuple[Fraction | None, Fraction | None]
) -> Release:
    number = "the public" if interval.count is None else "a released"
    drawn = " and ".join("the bound" if share is None else f"{float(share):.4g}" for share in shares)
    return replace(
        told,
        privacy=interval.loss,
        statistic=str(interval),
        law=interval.law,
        notes=(f"drawn at the quantiles {drawn}, chosen from {number} count of {known:,}",),
    )
