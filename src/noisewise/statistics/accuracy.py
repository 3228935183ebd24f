"""Accuracy: the share of rows whose prediction equals the truth.

A row (y_true, y_pred) is a hit if both are the same float64 number. The column of hits is one of zeros and ones, and
what follows is its proportion. Labels are numbers or booleans. Proof: docs/proofs/accuracy.md.
"""

from dataclasses import dataclass
from typing import ClassVar

from noisewise.statistics.mean import Proportion
from noisewise.statistics.row_formulas import Arithmetic, Numbers
from noisewise.statistics.row_losses import RowMean
from noisewise.statistics.statistic import Frame, no_bounds


@dataclass(frozen=True, slots=True)
class Accuracy(RowMean):
    """The share of rows with y_true == y_pred; 0 if there are none."""

    fill: ClassVar[tuple[float, ...]] = (0.0, 1.0)
    """A missing row is no hit when records are swapped."""

    def frame(self, bounds: object, granularity: object) -> Frame:
        no_bounds(self, bounds)
        return Proportion().frame(None, granularity)

    def of_row(self, by: Arithmetic, truth: Numbers, prediction: Numbers) -> Numbers:
        return by.where(truth == prediction, 1.0, 0.0)
