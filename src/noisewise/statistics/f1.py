"""F1: the harmonic mean of precision and recall, 2*TP / (2*TP + FP + FN).

Both labels of a row (y_true, y_pred) are read as 0 or 1. With e = FP + FN errors, the best l edits are all of one kind:

    swap         upper[l]: errors, then true negatives, become TP           lower[l]: TP become errors
    add/remove   upper[l]: add l TP, or remove errors and add TP at last    lower[l]: add l errors, or remove TP

Without TP and errors the answer is 0. Proof: docs/proofs/f1.md.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from noisewise.kernel.laws.envelope import Envelope
from noisewise.kernel.laws.score import Odds, Score
from noisewise.kernel.losses import Neighbors
from noisewise.kernel.numbers.answers import Answers
from noisewise.statistics.mean import TRUE_OR_FALSE, common_step
from noisewise.statistics.records import Rows
from noisewise.statistics.row_formulas import index_of
from noisewise.statistics.statistic import BOTH, Frame, Statistic, Weight, no_bounds
from noisewise.statistics.summands import Box, Summands, outwards, share


@dataclass(frozen=True, slots=True)
class F1(Statistic):
    """The F1 score of the class 1; 0 if it is neither predicted nor there."""

    relations = BOTH

    columns: ClassVar[int] = 2

    def frame(self, bounds: object, granularity: object) -> Frame:
        no_bounds(self, bounds)
        return Frame(TRUE_OR_FALSE, Answers.between(Fraction(0), Fraction(1), granularity))

    def attained(self, levels: int) -> bool:
        return True

    def pull(self, neighbors: Neighbors, epsilon: Fraction) -> Fraction | None:
        return Fraction(1) if neighbors == "add_remove" else None

    def weight(self, frame: Frame) -> Weight | None:
        """F1 is 2s/(1 + s) for the share s of true positives. So it rises at most twice as fast as s."""
        return Weight(Fraction(2), Fraction(1), "the number of rows that are 1 or predicted to be 1")

    def score(self, rows: Rows, answers: Answers, levels: int, epsilon: Fraction) -> Score:
        """A true positive pulls upwards, an error downwards: the odds y/(2 - 2y) of F1 are TP to FP + FN."""
        assert answers.low is not None and answers.high is not None, "F1 lies between 0 and 1"
        step = common_step(answers.granularity / 2, Fraction(1, 3))
        unit, one = int(answers.granularity / step), int(1 / step)
        hits, misses = _counts(rows)
        return Score.fraction(hits, misses, (answers.low, answers.high), odds=Odds(0, one, 1, 2), unit=unit)

    def summands(self, frame: Frame) -> Summands:
        return Summands((1, 1), share=True)

    def sums(self, rows: Rows) -> tuple[int, ...]:
        return _counts(rows)

    def image(self, box: Box, frame: Frame) -> tuple[int, int]:
        """F1 is 2x/(1 + x), where x is the share of true positives among true positives and errors."""
        low, high = (2 * x / (1 + x) / frame.answers.granularity for x in share(box))
        return outwards((low, high))

    def envelope(self, rows: Rows, answers: Answers, levels: int) -> Envelope:
        """Exact, not a bound."""
        hits, misses = _counts(rows)

        def score(hits: int, misses: int) -> int:
            return answers.floor(2 * hits, 2 * hits + misses) if hits > 0 else answers.floor(0)

        def swapped(l: int) -> tuple[int, int]:
            return score(hits - l, misses + l), score(hits + l, max(misses - l, 0))

        def added_or_removed(l: int) -> tuple[int, int]:
            mended = min(l, misses)
            return (
                min(score(hits, misses + l), score(hits - l, misses)),
                max(score(hits + l, misses), score(hits + l - mended, misses - mended)),
            )

        level = swapped if rows.neighbors == "swap" else added_or_removed
        lower, upper = zip(*map(level, range(min(levels, rows.count) + 1)), strict=True)
        return Envelope.of(lower, upper, answers.support)


def _counts(rows: Rows) -> tuple[int, int]:
    """How many rows are true positives, and how many are errors."""
    labels = [index_of(0, TRUE_OR_FALSE), index_of(1, TRUE_OR_FALSE)]
    hits, truth, prediction = rows.sums(labels, [(0, 1), (0,), (1,)])
    return hits, truth + prediction - 2 * hits
