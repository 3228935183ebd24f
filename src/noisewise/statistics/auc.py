"""AUC: how often a positive row has a higher score than a negative one, ties counting half.

There are n1 positive and n0 negative rows. Let D be the number of their n1*n0 pairs that are in the wrong order. At
best, all pairs of an added row are right and all pairs of a removed row were wrong. If rows are added first, each
removal removes the most pairs. So after m1 and m0 additions and d1 and d0 removals in the two classes

    1 - AUC >= (D - (N1*N0 - k1*k0)) / (k1*k0),   N = n + m,  k = N - d

and the bound at level l is the least right side over all choices of l edits. The best removals are all in one class.
Then one number remains to be chosen. It is next to the root of a quadratic. For the lower side, right and wrong pairs
change places. If a class is empty, the answer is 1/2. If l edits can empty a class, level l allows every answer. Pairs
are counted double, so that a half is an integer. Proof: docs/proofs/auc.md.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import ClassVar

from noisewise.kernel.laws.envelope import Envelope
from noisewise.kernel.numbers.answers import Answers
from noisewise.statistics.mean import TRUE_OR_FALSE
from noisewise.statistics.records import Rows
from noisewise.statistics.row_formulas import index_of
from noisewise.statistics.statistic import BOTH, Frame, Statistic, no_bounds

Share = tuple[int, int]
"""A share of wrong pairs, as a numerator and a denominator. The numerator can be below 0."""


@dataclass(frozen=True, slots=True)
class AUC(Statistic):
    """The area under the ROC curve of scores for the class 1; 1/2 if a class is empty."""

    relations = BOTH
    ends_by_levels = True

    columns: ClassVar[int] = 2

    def frame(self, bounds: object, granularity: object) -> Frame:
        no_bounds(self, bounds)
        return Frame(TRUE_OR_FALSE, Answers.between(Fraction(0), Fraction(1), granularity))

    def envelope(self, rows: Rows, answers: Answers, levels: int) -> Envelope:
        """A nested bound. Level 0 is the answer itself."""
        positives, negatives, right = rows.right_pairs(index_of(0, TRUE_OR_FALSE), 1)
        wrong = 2 * positives * negatives - right
        shares = _swapped if rows.neighbors == "swap" else _added_or_removed

        def level(l: int) -> tuple[int, int]:
            if l >= max(min(positives, negatives), 1):
                return answers.floor(0), answers.floor(1)
            if positives * negatives == 0:
                return (answers.floor(1, 2),) * 2
            below = min(answers.floor(*share) for share in shares(positives, negatives, right, l))
            at_best = shares(positives, negatives, wrong, l)
            above = max(answers.floor(pairs - bad, pairs) for bad, pairs in at_best)
            return below, above

        edits = min(levels, positives + negatives)
        lower, upper = zip(*map(level, range(edits + 1)), strict=True)
        return Envelope.of(lower, upper, answers.support)


def _added_or_removed(ones: int, zeros: int, wrong: int, l: int) -> Iterator[Share]:
    """Shares of wrong pairs, with the least share among them. Edits only add, or remove from one class and add to the
    other.

    ``wrong`` is twice the number of wrong pairs, and l < min(ones, zeros).
    """
    spread = min(max((ones + zeros + l) // 2, zeros), zeros + l)
    yield wrong, 2 * spread * (ones + zeros + l - spread)
    for mine, others in ((ones, zeros), (zeros, ones)):
        under = wrong * (wrong - 2 * mine * (others + l - mine))
        best = (wrong + isqrt(under)) // (2 * mine) if under > 0 else others
        for there in _around(best, others, others + l):
            removed = others + l - there
            yield wrong - 2 * removed * there, 2 * (mine - removed) * there


def _swapped(ones: int, zeros: int, wrong: int, l: int) -> Iterator[Share]:
    """Shares of wrong pairs, if l rows of one class are removed and l rows of any class are added."""
    for mine, others in ((ones, zeros), (zeros, ones)):
        under = wrong * (wrong - 2 * l * (mine + others))
        best = (wrong - isqrt(under)) // (2 * l) if under > 0 and l > 0 else others
        for there in _around(best, others, others + l):
            yield wrong - 2 * l * there, 2 * (mine + others - there) * there


def _around(place: int, low: int, high: int) -> set[int]:
    """The ends of a range, and the integers in it that are next to ``place``, a floored real optimum."""
    return {low, high} | {each for each in (place - 1, place, place + 1) if low < each < high}
