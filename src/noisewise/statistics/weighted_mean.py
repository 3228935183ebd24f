"""Weighted mean: the sum of w*x over the sum of w, for rows (x, w) clamped to their bounds, with weights from 0 on.

A row pulls the answer upwards by w*(x - low) and downwards by w*(high - x). At the answer y, the odds
(y - low)/(high - y) equal the sum of the upward pulls divided by the sum of the downward pulls:

    phi(y) = sum of w*(y - x) / (the highest weight * max(y - low, high - y))

A row's own part rises with y and lies between -1 and 1. A row with weight 0 does not matter. If all weights are 0, the
answer is the lower bound. Proof: docs/proofs/weighted_mean.md.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from noisewise.kernel.laws.score import Score
from noisewise.kernel.numbers.answers import Answers
from noisewise.kernel.numbers.lattice import exact_bounds
from noisewise.statistics.mean import between_bounds
from noisewise.statistics.records import Rows
from noisewise.statistics.row_formulas import index_of, steps_of
from noisewise.statistics.statistic import Frame, ScoreStatistic, Weight
from noisewise.statistics.summands import Box, Summands, outwards, share
from noisewise.statistics.two_lattices import TwoLattices, bounds_by_column, not_negative

COLUMNS = ("data", "weights")


@dataclass(frozen=True, slots=True)
class WeightedMean(ScoreStatistic):
    """The mean of the first column, weighted by the second; the lower bound if no row has a weight.

    The bounds are a pair for both columns, or a pair of pairs, ``((low, high), (0, highest_weight))``.
    """

    columns: ClassVar[int] = 2

    def __str__(self) -> str:
        return "weighted_mean"

    def frame(self, bounds: object, granularity: object) -> Frame:
        lattices = TwoLattices.of(bounds, COLUMNS)
        not_negative(lattices.y, "weights")
        low, high = exact_bounds(bounds_by_column(bounds, COLUMNS)[0])
        return Frame(lattices, Answers.between(low, high, granularity))

    def weight(self, frame: Frame) -> Weight | None:
        assert isinstance(frame.records, TwoLattices)
        values, weights = frame.records, frame.records.y
        heaviest = weights.high * weights.granularity
        reach = (values.high - values.low) * values.granularity * heaviest
        return Weight(reach, heaviest, "the sum of all weights")

    def summands(self, frame: Frame) -> Summands:
        assert isinstance(frame.records, TwoLattices)
        most = frame.records.y.high * (frame.records.high - frame.records.low)
        return Summands((most, most), share=True)

    def sums(self, rows: Rows) -> tuple[int, ...]:
        """How strongly all rows pull upwards and downwards."""
        up, weights = _weighted_sums(rows)
        return up, weights * (rows.lattice.high - rows.lattice.low) - up

    def image(self, box: Box, frame: Frame) -> tuple[int, int]:
        records, width = frame.records, frame.records.high - frame.records.low
        unit = records.granularity / frame.answers.granularity
        low, high = ((records.low + width * x) * unit for x in share(box))
        return outwards((low, high))

    def score(self, rows: Rows, answers: Answers, levels: int, epsilon: Fraction) -> Score:
        assert isinstance(rows.lattice, TwoLattices)
        up, weights = _weighted_sums(rows)
        return between_bounds([up], [weights], rows.lattice, answers, most=rows.lattice.y.high)


def _weighted_sums(rows: Rows) -> tuple[int, int]:
    """The exact sums of w*(x - low) and of w, in steps of their lattices."""
    assert isinstance(rows.lattice, TwoLattices)
    up, weights = rows.sums([steps_of(0, rows.lattice), index_of(1, rows.lattice.y)], [(0, 1), (1,)])
    return up, weights
