"""Count distinct: how many of the declared categories occur at all.

A record belongs to one category or to none. So adding or removing it makes at most one category occur or vanish, and a
person with m records moves the number by at most m. A swapped record moves it by at most 1: it may make one category
vanish and another occur. The answer gets discrete Laplace noise of that size, and is clamped to the possible numbers.
Proof: docs/proofs/count_distinct.md.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Self, Unpack

import numpy as np

from noisewise.kernel.laws.envelope import Envelope
from noisewise.kernel.laws.gaussian_law import GaussianLaw
from noisewise.kernel.laws.law import Law
from noisewise.kernel.losses import Loss, Neighbors
from noisewise.kernel.numbers.answers import Answers
from noisewise.kernel.prices import Price
from noisewise.kernel.sampling import Bits
from noisewise.questions.choice import Noise, noise_at
from noisewise.questions.keywords import Protection
from noisewise.questions.measured import Measured
from noisewise.questions.payable import Payable
from noisewise.questions.promise import Promise
from noisewise.questions.terms import PrivacyTerms
from noisewise.questions.wide import ANYWHERE
from noisewise.results.release import AnswerInterval, Release
from noisewise.tables.columns.labels import DeclaredLabels, Labels, declare_categories


@dataclass(frozen=True, slots=True, repr=False)
class OfCategories(Payable):
    """A question about declared categories, checked and not yet paid for."""

    data: DeclaredLabels
    labels: Labels
    price: Price
    neighbors: Neighbors
    contributions: int

    @classmethod
    def of(cls, data: object, categories: object, **terms: Unpack[Protection]) -> Self:
        """Check every parameter and the data's declared type. Errors are the same whatever the records are."""
        declared, labels = declare_categories(data, categories)
        return cls(declared, labels, *PrivacyTerms.of(**terms))


@dataclass(frozen=True, slots=True, repr=False)
class CountDistinct(OfCategories):
    """How many of the declared categories occur, checked and not yet paid for."""

    confidence: Fraction | None = None

    @property
    def reach(self) -> int:
        """How far one person can move the answer."""
        return 1 if self.neighbors == "swap" else min(self.contributions, len(self.labels.names))

    @property
    def noise(self) -> Noise:
        return noise_at(self.price, self.reach)

    @property
    def loss(self) -> Loss:
        return self.noise.loss

    def loss_of(self, records: int) -> Loss:
        return self.noise.loss_of(records)

    @property
    def memo(self) -> str:
        return f"count distinct by {self.noise.version}"

    def with_interval(self, confidence: Fraction, at: Callable[[Price], Payable]) -> "CountDistinct":
        """The interval costs nothing, as the noise is public."""
        return replace(self, confidence=confidence)

    def promise(self, miss: Fraction, size: int | None = None) -> Promise:
        most = len(self.labels.names)  # the answer is clamped to what is possible
        steps = min(self.noise.farthest(miss / 2), most)
        wide = f"{ANYWHERE}: the noise is as wide as they are" if steps >= most else ""
        return Promise(mechanism=self.noise.name, error=float(steps), wide=wide)

    def measured(self) -> Measured:
        return Measured.of_law(self.look())

    def look(self) -> Law | GaussianLaw:
        """The secret law of the answer."""
        occur = int(np.count_nonzero(self.data.counts(self.labels)))
        envelope = Envelope.of([occur], [occur], (0, len(self.labels.names)))
        return self.noise.law(envelope, Answers(0, len(self.labels.names), Fraction(1)))

    def answer(self, receipt: object = None, *, bits: Bits | None = None) -> Release:
        with np.errstate(all="ignore"):
            value = int(self.look().draw_each(bits=bits)[0])
        most = len(self.labels.names)
        release = self.released(
            value,
            receipt,
            bits,
            statistic="count distinct",
            mechanism=self.noise.name,
            granularity=Fraction(1),
            law=self.noise.version,
            notes=(f"of {most:,} declared categories; other records are ignored",),
        )
        if self.confidence is None:
            return release
        steps = self.noise.farthest((1 - self.confidence) / 2)
        return replace(
            release,
            interval=AnswerInterval(max(0, value - steps), min(most, value + steps), self.confidence),
        )
