"""The two noisy sums of a mean: how far all records together are above the lower bound, and below the upper bound.

Whatever a record says, it adds the distance between the bounds to both sums together. So a person moves the pair by a
public distance, and Laplace noise at the whole of epsilon hides both sums. Their share gives the mean:

    mean = low + (high - low) * up / (up + down)

The noise is public, so the pair also gives an interval. Proof: docs/proofs/answer_interval.md.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from noisewise.kernel.mechanisms import Gaussian
from noisewise.kernel.prices import Price, pure_epsilon
from noisewise.questions.choice import noise_at, reach_of
from noisewise.questions.promise import ENOUGH, ErrorOverTotal, Promise, as_float, sure
from noisewise.questions.request import Request
from noisewise.questions.several_sums import Drawn, SeveralSums
from noisewise.questions.wide import ANYWHERE, TINIEST
from noisewise.statistics.summands import Summands

FINE, COARSE = 2**16, 2**28
"""A record counts as at least ``FINE`` steps of noise; as ``COARSE`` steps, if it is read in more steps than these."""


@dataclass(frozen=True, slots=True, repr=False)
class TwoSums(SeveralSums):
    """The two sums of a request for a mean, checked and not yet paid for. Only the data of the request is secret."""

    layout: ClassVar[str] = "two-sums/1"

    @classmethod
    def of(cls, request: Request, summands: Summands, price: Price) -> "TwoSums":
        """Make the sums of a request at this price. A swap removes one record and adds another.

        Records add whole steps to both sums together. So the squares of what a person adds to each are largest if all
        goes to one sum; where sums are rounded down, the other may still move by one. A swap moves both equally far.
        """
        width, _ = summands.units
        steps = COARSE if width > COARSE else width * -(-FINE // width)
        edits = 2 if request.neighbors == "swap" else request.contributions
        reach = edits * (steps + (steps < width))
        owned = request.contributions * steps
        squared = 2 * steps**2 if request.neighbors == "swap" else owned**2 + (steps < width)
        return cls(request, price, noise_at(price, reach, squared), summands, steps, reach)

    @property
    def width(self) -> int:
        """The distance between the bounds, in steps of the lattice of records."""
        return self.summands.units[0]

    @property
    def rounds(self) -> bool:
        """Whether sums are rounded down to a step."""
        return self.steps < self.width

    def reach(self, miss: Fraction) -> int:
        """How many steps the share of a sum is off to one side, except with probability ``miss``.

        The noise of a share is a mean of the noises of both sums. It is hardly ever larger than one of them.
        """
        return self.noise.farthest(miss) + 1

    def promise(self, miss: Fraction, size: int | None) -> Promise:
        """How far the mean is off. If the number of records is secret, the error is divided by that number."""
        name = self.noise.name
        if size is not None:
            few = f"{ANYWHERE}: that takes more than {size:,} records"
            if (error := self.error(miss, size)) is None:
                return Promise(mechanism=name, wide=few)
            return Promise(mechanism=name, error=as_float(error), wide=few if 2 * error >= self.range else "")
        weight = self.request.statistic.weight(self.request.frame)
        owned = self.request.contributions
        enough = math.ceil(ENOUGH * reach_of(self.price, owned))
        error = self.error(miss, enough)
        if weight is None or error is None or pure_epsilon(self.price) < TINIEST * owned:
            return Promise(mechanism=name)
        far = ErrorOverTotal(
            far=float(error * enough),
            total=weight.total,
            least=float(enough * weight.unit),
            coarse=False,
            sure=sure(1 - miss),
        )
        return Promise(mechanism=name, over_total=far)

    def error(self, miss: Fraction, size: int) -> Fraction | None:
        """How far the mean of ``size`` records is off, except with probability ``miss``; None if they are too few.

        Both noisy sums may be 0. Then the answer is the lower bound. Proof: docs/proofs/planning.md, Claim 8.
        """
        nothing = self._both_zero(size)
        if size == 0 or nothing >= miss:
            return None
        total = size * self.steps - int(self.rounds)
        reach = self.reach((miss - nothing) / 2) + int(self.rounds)
        return min(self.range * reach / total + self.request.frame.answers.granularity, self.range)

    def _both_zero(self, size: int) -> Fraction:
        """At least the probability that both noisy sums of ``size`` records are 0.

        It is e^(-epsilon*n)/(1 + p)^2 at most with Laplace noise. Gaussian noise is beyond x with probability
        e^(-x^2/(2*variance)) at most, and the squares of both sums add up to (n*steps)^2/2 or more.
        """
        total = self.steps * size
        if isinstance(self.noise, Gaussian):
            return Fraction(math.exp(-float(Fraction(total**2) / (4 * self.noise.variance))))
        rate = float(self.noise.epsilon) / self.noise.sensitivity
        return Fraction(math.exp(-rate * total) / 3)  # (1 + p)^2 is above 3, as p is near 1

    @property
    def range(self) -> Fraction:
        """The distance between the bounds."""
        return self.width * self.request.frame.records.granularity

    def shares(self, sums: Drawn, miss: Fraction) -> tuple[Fraction, Fraction]:
        """The least and the most that the share of the first sum can be, except with probability ``miss``."""
        (up, down), reach = sums, self.reach(miss / 2)
        both = up + down
        if both == 0:
            return Fraction(0), Fraction(1)
        kept = 1 - Fraction(self.rounds, self.steps)
        low, high = Fraction(max(up - reach, 0), both), Fraction(max(down - reach, 0), both)
        return low * kept, 1 - high * kept

    def position(self, share: Fraction) -> Fraction:
        """The mean that belongs to a share, counted in steps of the lattice of answers."""
        records, answers = self.request.frame
        return (records.low + self.width * share) * records.granularity / answers.granularity

    def estimate(self, sums: Drawn) -> int:
        """The index of the mean that is nearest to the noisy share; the lower bound if both sums are 0."""
        up, both = sums[0], sum(sums)
        return self.clipped(self.position(Fraction(up, both) if both else Fraction(0)) + Fraction(1, 2))

    def ends(self, sums: Drawn, miss: Fraction) -> tuple[int, int]:
        """The lowest and the highest index that the mean can have, except with probability ``miss``."""
        low, high = map(self.position, self.shares(sums, miss))
        return self.clipped(low), -self.clipped(-high, mirrored=True)

    def clipped(self, position: Fraction, *, mirrored: bool = False) -> int:
        """The index at or below a position, within the range of answers. If ``mirrored``, all answers are negated."""
        low, high = self.request.frame.answers.support
        assert low is not None and high is not None, "a mean lies between bounds"
        least, most = (-high, -low) if mirrored else (low, high)
        return min(max(position.__floor__(), least), most)
