"""Intervals between bounds that are searched for: of the answer of records that are clamped to the bounds found.

A share of epsilon pays for the search, and the rest for an answer with its interval between the bounds, as if these had
been typed. Whatever bounds are found, the interval holds the answer between them as often as it says, so it does in
all. Nothing can be refused once bounds are found: what an interval takes is judged at the narrowest and the widest
ones. Proof: docs/proofs/answer_interval.md.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from noisewise.errors import ParameterError
from noisewise.kernel.losses import PureDP
from noisewise.kernel.sampling import Bits
from noisewise.kernel.settle import sum_of
from noisewise.questions.payable import Payable
from noisewise.questions.request import Request, Searched
from noisewise.results.release import Release

Bounds = tuple[float, float]

WithInterval = Callable[[Request, Callable[[Fraction], Payable]], Payable]
"""Gives a request an interval; the second argument is the same request at another epsilon."""

LEAST_EPSILON = Fraction(1, 10**100)
"""For less no interval is given: what it takes depends on the bounds."""

NOTE = "the interval holds the answer of the records as they are clamped to these bounds"


@dataclass(frozen=True, slots=True, repr=False)
class SearchedInterval(Payable):
    """One statistic between bounds that are searched for first, with an interval: one debit for all."""

    inner: Searched
    widest: Payable
    """The question with its interval, between the widest bounds that may be found."""
    with_interval_between: Callable[[Bounds], Payable]

    @classmethod
    def of(cls, searched: Searched, give: WithInterval) -> "SearchedInterval":
        """Judge the interval at the narrowest and the widest bounds."""
        if searched.widest.mechanism.epsilon < LEAST_EPSILON:
            raise ParameterError(
                "epsilon", "must be at least 1e-100 for an interval between bounds that are searched for"
            ) from None

        def between(bounds: Bounds) -> Payable:
            return give(
                searched.between_bounds(bounds),
                lambda epsilon: searched.between_bounds(bounds, epsilon=epsilon),
            )

        powers = searched.search.magnitudes.powers
        between((0.0, powers[0]))
        return cls(searched, between((0.0, powers[-1])), between)

    @property
    def loss(self) -> PureDP:
        """The sum of both; what noise costs in zCDP depends on the bounds, so its worst case counts."""
        return sum_of(self.inner.search.loss, PureDP(self.widest.loss.as_pure().epsilon))

    def loss_of(self, records: int) -> PureDP:
        rest = PureDP(self.widest.loss_of(records).as_pure().epsilon)
        return sum_of(self.inner.search.loss_of(records), rest)

    @property
    def memo(self) -> str:
        return f"{self.widest.memo}, bounds by {self.inner.search.version}"

    def answer(self, receipt: object = None, *, bits: Bits | None = None) -> Release:
        search = self.inner.search
        with np.errstate(all="ignore"):
            bounds = search.find(self.inner.widest.data, bits=bits)
        _, _, law = self.memo.partition(" by ")
        if bounds is None:
            return replace(self.inner.between(None, receipt, bits=bits), privacy=self.loss, law=law)
        release = self.with_interval_between(bounds).answer(receipt, bits=bits)
        notes = (*search.notes(bounds, rest=self.inner.widest.loss.epsilon), NOTE)
        return replace(release, bounds=bounds, privacy=self.loss, law=law, notes=notes)
