"""Several noisy sums that determine an answer: each sum lies between two numbers, and so does the answer.

Each sum is counted in steps, `STEPS` to a record, and rounded down. A person moves all sums together by a public
distance, so Laplace noise of one scale hides all of them. Each sum lies within a public number of steps of its noisy
sum, except with a small probability. That probability is divided evenly among the sums and their two sides. So the sums
lie in a box, and the statistic says which answers such a box has. Proof: docs/proofs/answer_interval.md.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, TypeAlias

import numpy as np

from noisewise.errors import ParameterError
from noisewise.kernel.laws.gaussian_law import GaussianLaw
from noisewise.kernel.laws.law import Law
from noisewise.kernel.mechanisms.laplace import WIDEST, Laplace
from noisewise.kernel.numbers.answers import UTMOST
from noisewise.kernel.prices import Price
from noisewise.kernel.sampling import Bits
from noisewise.kernel.secret import Secret
from noisewise.questions.choice import Noise, noise_at
from noisewise.questions.noisy_counts import law_of_counts
from noisewise.questions.promise import Promise, sums_off, sure
from noisewise.questions.request import Request
from noisewise.statistics.records import Groups
from noisewise.statistics.summands import Box, Summands

STEPS = 2**28
"""The number of steps of noise that one record counts as."""

Drawn: TypeAlias = Sequence[int]
"""The noisy sums, in steps. Safe to publish."""


@dataclass(frozen=True, slots=True, repr=False)
class SeveralSums(Secret):
    """The sums of a request, checked and not yet paid for. Only the data of the request is secret."""

    request: Request
    price: Price
    noise: Noise
    summands: Summands
    steps: int
    """The number of steps of noise that one record counts as."""
    moved: int
    """The most steps that one person moves all sums together."""

    layout: ClassVar[str] = "several-sums/1"
    """The permanent name of the sums with Laplace noise."""

    @property
    def version(self) -> str:
        """The permanent name of the law."""
        return self.layout if isinstance(self.noise, Laplace) else f"{self.layout} by {self.noise.version}"

    @classmethod
    def of(cls, request: Request, summands: Summands, price: Price) -> "SeveralSums":
        """Make the sums of a request at this price. Raises if one person could move them too far."""
        moved = int(STEPS * _records_moved(request, summands)) + len(summands.units) - 1
        if moved > WIDEST:
            raise ParameterError(
                "contributions",
                f"must be smaller for an interval of {request.statistic}",
                why=f"one person could move its sums by {moved:,} steps, above 2^59",
            ) from None
        return cls(request, price, noise_at(price, moved), summands, STEPS, moved)

    @property
    def answers_too(self) -> bool:
        """Whether the sums give the answer as accurately as another mechanism would."""
        return self.summands.share

    def look(self) -> Law | GaussianLaw:
        """The secret laws of the sums."""
        with np.errstate(all="ignore"):
            column = self.request.data.read(self.request.frame.records, self.request.neighbors)
            return self.law(self.request.statistic.sums(column), self.summands.units)

    def law(self, sums: Sequence[int], units: Sequence[int]) -> Law | GaussianLaw:
        """The secret laws of these sums, each rounded down to a step; ``units`` has the unit of each sum."""
        steps = [min(each * self.steps // unit, UTMOST) for each, unit in zip(sums, units, strict=True)]
        return law_of_counts(self.noise, steps)

    def draw(self, bits: Bits | None) -> Drawn:
        drawn: list[int] = self.look().draw_each(bits=bits).tolist()
        return drawn

    def draw_each(self, groups: Groups, bits: Bits | None) -> Sequence[Drawn]:
        """The noisy sums of each group."""
        each = self.request.statistic.sums_of_groups(groups)
        table = np.array(each, object).reshape(len(each), len(self.summands.units)).T
        units = [unit for unit in self.summands.units for _ in each]
        noisy = self.law(table.ravel().tolist(), units).draw_each(bits=bits)
        drawn: list[list[int]] = noisy.reshape(len(self.summands.units), -1).T.tolist()
        return drawn

    def reach(self, miss: Fraction) -> int:
        """How far each sum is from its noisy sum. At least one is further away with probability ``miss`` at most.

        If only the share of one sum counts, each side of the share gets half of ``miss``. The noise of a share is
        hardly ever larger than the noise of one sum.
        """
        if self.summands.share:
            return self.noise.farthest(miss / 2) + 1
        return self.noise.farthest(miss / (2 * len(self.summands.units)))

    def promise(self, miss: Fraction, size: int | None) -> Promise:
        """The error of the sums, in people. The error of the answer is unknown: it depends on the sums themselves."""
        many = len(self.summands.units)
        steps = self.noise.farthest(miss / (2 * many)) + 1  # one step more, as sums are rounded down
        people = math.ceil(Fraction(steps, self.moved))
        return Promise(mechanism=self.noise.name, sentence=sums_off(sure(1 - miss), many, people))

    def box(self, sums: Drawn, miss: Fraction) -> Box:
        """The least and the most steps of each true sum. One step is added above, as sums were rounded down."""
        reach = self.reach(miss)
        return [(max(each - reach, 0), each + reach + 1) for each in sums]

    def ends(self, sums: Drawn, miss: Fraction) -> tuple[int, int]:
        """The lowest and the highest index that the answer can have, except with probability ``miss``."""
        return self._clipped(self.box(sums, miss))

    def estimate(self, sums: Drawn) -> int:
        """The index of the answer that the noisy sums give."""
        return self._clipped([(each, each) for each in sums])[0]

    def _clipped(self, box: Box) -> tuple[int, int]:
        low, high = self.request.frame.answers.support
        assert low is not None and high is not None, "answers lie between bounds"
        first, last = self.request.statistic.image(box, self.request.frame)
        return min(max(first, low), high), min(max(last, low), high)


def _records_moved(request: Request, summands: Summands) -> Fraction:
    """How far a person moves all sums together, counted in records.

    A swap removes one record and adds another. It moves no sum by more than one record.
    """
    if request.neighbors == "swap":
        return min(2 * summands.together, Fraction(len(summands.units)))
    return request.contributions * summands.together
