"""Answers with intervals in groups: the answers of all groups and both their ends, each drawn at once like a `Batch`.

An interval holds the true answer of its group with the stated probability, whatever the groups are: each is that of the
question about the group by itself. Proof: docs/proofs/answer_interval.md.
"""

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from noisewise.columns.column import Groups
from noisewise.dataset.batches import Batch, Spread
from noisewise.numbers.answers import UTMOST
from noisewise.privacy import Loss
from noisewise.questions.answer_interval import AroundAnswer, BetweenEnds, FromTwoSums
from noisewise.questions.request import Request
from noisewise.questions.settle import Payable
from noisewise.questions.two_sums import NoisySums
from noisewise.results.answer_interval import AnswerInterval
from noisewise.results.release import Release
from noisewise.sampling import Bits
from noisewise.tables.table import DeclaredGroups

WithInterval: TypeAlias = AroundAnswer | BetweenEnds | FromTwoSums

Indices: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True, slots=True, repr=False)
class IntervalBatch(Payable):
    """One statistic of one column with its interval, in groups."""

    inner: WithInterval
    """About one record."""
    groups: DeclaredGroups
    spread: Spread

    @classmethod
    def of(cls, question: WithInterval, groups: DeclaredGroups, spread: Spread) -> "IntervalBatch":
        """Refuse what would take too much room."""
        Batch.of(question.inner, groups, spread)
        return cls(question, groups, spread)

    @property
    def loss(self) -> Loss:
        return self.spread.loss(self.inner)

    @property
    def contributions(self) -> int:
        return self.spread.records

    @property
    def memo(self) -> str:
        return f"{self.inner.memo}, in {self.spread.groups:,} groups"

    def read(self) -> Groups:
        return self._batch(self.inner.inner).read()

    def answer(self, receipt: Any = None, *, bits: Bits | None = None) -> Release:
        """The answers in the order in which keys were declared."""
        with np.errstate(all="ignore"):
            drawn, low, high = self._indices(bits)
        low, high = np.minimum(np.minimum(low, high), drawn), np.maximum(np.maximum(low, high), drawn)
        request, number = self.inner.inner, self.inner.inner.number
        values, lows, highs = (tuple(number(int(k)) for k in side) for side in (drawn, low, high))
        one = request.stamped(values, receipt, bits)
        paid = sum((each.mechanism.epsilon for each in self._ends()), Fraction(0))
        if isinstance(self.inner, FromTwoSums):
            paid = Fraction(0) if self.inner.answered is None else self.inner.sums.noise.epsilon
            one = replace(one, mechanism=self.inner.answered_by)
        if not isinstance(self.inner, AroundAnswer):
            one = replace(one, law=self.inner.law)
        interval = AnswerInterval(
            lows, highs, self.inner.confidence, epsilon=self.spread.records * paid, scope="each"
        )
        return self.spread.stamped(replace(one, interval=interval), self.inner)

    def _indices(self, bits: Bits | None) -> tuple[Indices, Indices, Indices]:
        """The answer and both ends of each group, as indices."""
        if isinstance(self.inner, FromTwoSums):
            return self._from_sums(self.inner, bits)
        least, most = (
            np.int64(open_end if end is None else end)
            for end, open_end in zip(self.inner.inner.frame.answers.support, (-UTMOST, UTMOST), strict=True)
        )
        drawn = self._batch(self.inner.inner).draw(bits)
        if isinstance(self.inner, AroundAnswer):
            above = int(self.inner.inner.statistic.floored(self.inner.inner.frame))
            steps = min(self.inner.steps, 2 * UTMOST)  # further than any two answers are apart
            return drawn, np.maximum(drawn - steps, least), np.minimum(drawn + steps + above, most)
        low, high = (
            np.full_like(drawn, bound) if end is None else self._batch(end).draw(bits)
            for end, bound in ((self.inner.low, least), (self.inner.high, most))
        )
        return drawn, low, high

    def _from_sums(self, question: FromTwoSums, bits: Bits | None) -> tuple[Indices, Indices, Indices]:
        answered = None if question.answered is None else self._batch(question.answered).draw(bits)
        sums, groups = question.sums, self.read()
        width = sums.width(sums.request)
        ups = groups.sums()
        downs = [count * width - up for count, up in zip(groups.counts.tolist(), ups, strict=True)]
        noisy = sums.law([*ups, *downs]).draw_each(bits=bits).tolist()
        pairs = [NoisySums(*pair) for pair in zip(noisy[: len(ups)], noisy[len(ups) :], strict=True)]
        ends = np.array([sums.ends(pair, 1 - question.confidence) for pair in pairs], np.int64).reshape(-1, 2)
        means = np.array([sums.mean(pair) for pair in pairs], np.int64) if answered is None else answered
        return means, ends[:, 0], ends[:, 1]

    def _ends(self) -> list[Request]:
        return self.inner.drawn if isinstance(self.inner, BetweenEnds) else []

    def _batch(self, request: Request) -> Batch:
        return Batch(request, self.groups, self.spread)
