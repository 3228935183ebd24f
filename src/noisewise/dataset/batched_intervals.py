"""Answers with intervals in groups: the answers of all groups and both their ends, each drawn at once like a `Batch`.

An interval holds the true answer of its group with the stated probability, whatever the groups are: each is that of the
question about the group by itself. Proof: docs/proofs/answer_interval.md.
"""

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from noisewise.dataset.batches import Batch, OfGroups, SpreadOverGroups
from noisewise.kernel.numbers.answers import UTMOST
from noisewise.kernel.sampling import Bits
from noisewise.questions.noise_interval import AroundAnswer, BetweenEnds, FromSums
from noisewise.questions.request import Request
from noisewise.results.answer_interval import AnswerInterval
from noisewise.results.release import Release
from noisewise.statistics.records import Groups
from noisewise.tables.table import DeclaredGroups

WithInterval: TypeAlias = AroundAnswer | BetweenEnds | FromSums

Indices: TypeAlias = NDArray[np.int64]


def drawn_by(question: Request | WithInterval) -> list[Request]:
    """What is drawn by a mechanism: the answer, unless it is read off noisy sums, and the ends of its interval."""
    match question:
        case FromSums():
            return [] if question.answered is None else [question.answered]
        case BetweenEnds():
            return [question.inner, *question.drawn]
        case AroundAnswer():
            return [question.inner]
        case _:
            return [question]


@dataclass(frozen=True, slots=True, repr=False)
class IntervalBatch(OfGroups):
    """One statistic of one column with its interval, in groups."""

    inner: WithInterval
    """About one record."""
    groups: DeclaredGroups
    spread: SpreadOverGroups

    @classmethod
    def of(cls, question: WithInterval, groups: DeclaredGroups, spread: SpreadOverGroups) -> "IntervalBatch":
        """Refuse what would take too much room."""
        for request in drawn_by(question):
            Batch.of(request, groups, spread)
        return cls(question, groups, spread)

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
        paid = Fraction(0)
        if isinstance(self.inner, FromSums):
            one = replace(one, mechanism=self.inner.answered_by)
        if not isinstance(self.inner, AroundAnswer):
            paid, one = self.inner.paid, replace(one, law=self.inner.law)
        interval = AnswerInterval(
            lows, highs, self.inner.confidence, epsilon=self.spread.records * paid, scope="each"
        )
        return self.spread.stamped(replace(one, interval=interval), self.inner)

    def _indices(self, bits: Bits | None) -> tuple[Indices, Indices, Indices]:
        """The answer and both ends of each group, as indices."""
        if isinstance(self.inner, FromSums):
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
            np.full_like(drawn, bound)
            if end is None
            else np.clip(self._batch(end).draw(bits) + way * end.statistic.steps_out, least, most)
            for end, bound, way in ((self.inner.low, least, -1), (self.inner.high, most, 1))
        )
        return drawn, low, high

    def _from_sums(self, question: FromSums, bits: Bits | None) -> tuple[Indices, Indices, Indices]:
        answered = None if question.answered is None else self._batch(question.answered).draw(bits)
        sums = question.sums
        drawn: Any = sums.draw_each(self.read(), bits)  # what each kind of sums draws, it reads
        ends = np.array([sums.ends(each, 1 - question.confidence) for each in drawn], np.int64).reshape(-1, 2)
        estimates = [sums.estimate(each) for each in drawn] if answered is None else answered
        return np.asarray(estimates, np.int64), ends[:, 0], ends[:, 1]

    def _batch(self, request: Request) -> Batch:
        return Batch(request, self.groups, self.spread)
