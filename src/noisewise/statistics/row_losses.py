"""Losses of predictions, row by row: their means, the share of hits, and the log loss of probabilities.

The record is the row (y_true, y_pred). One fixed map takes every row to a number. It uses only basic operations of
float64, which round in the same way at every place of an array. A loss is clamped to the bounds. The answer is the mean
of this column of numbers:

    mae       |y_true - y_pred|         mse       (y_true - y_pred)^2      rmse    the root of every level of mse
    accuracy  1 if y_true == y_pred     log_loss  -log q, q = y_pred if y_true is 1 and 1 - y_pred if it is 0

Equal numbers have no error, even if both are infinite. For the log loss y_true is read as 0 or 1, and y_pred is clamped
to [0, 1]. A library's logarithm may round differently in the middle of an array and at its end. Then the place of a row
would change its number. So the logarithm is computed here, by basic operations. With q = m*2^e and s = (m - 1)/(m + 1):

    log q = e*log 2 + 2*(s + s^3/3 + s^5/5 + ...),   √½ <= m < √2, |s| < 0.172

Proof: docs/proofs/row_losses.md.
"""

import math
from abc import abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import ClassVar

from noisewise.errors import ParameterError
from noisewise.kernel.laws.envelope import Envelope
from noisewise.kernel.laws.score import Score
from noisewise.kernel.losses import Neighbors
from noisewise.kernel.numbers.answers import Answers
from noisewise.kernel.numbers.exact import describe
from noisewise.kernel.numbers.lattice import Lattice, exact_bounds
from noisewise.statistics.mean import TRUE_OR_FALSE, Mean, Proportion
from noisewise.statistics.records import Rows
from noisewise.statistics.row_formulas import Arithmetic, Numbers, RowNumber
from noisewise.statistics.statistic import BOTH, Frame, Statistic, Weight, no_bounds
from noisewise.statistics.summands import Box, Summands, roots_outwards, share

LEAST_ROOT, MOST_ROOT = Fraction(1, 2**480), Fraction(2**480)
"""If an upper bound is between these, its square has a lattice of float64 numbers."""

ROOT_OF_HALF = 0.7071067811865476

LOG_2_HIGH, LOG_2_LOW = float.fromhex("0x1.62e42feep-1"), float.fromhex("0x1.a39ef35793c76p-33")
"""The logarithm of 2 in two parts. The first has 32 bits, so its product with an exponent is exact."""

TERMS = 12
"""The number of terms of the series. s^2 is below 0.0295, so the next term is below 2^-64 of the first term."""


class RowMean(Statistic):
    """The mean of one number for each row, such as a loss; the lower bound if there are no rows."""

    relations = BOTH

    __slots__ = ()

    columns: ClassVar[int] = 2

    @abstractmethod
    def of_row(self, by: Arithmetic, truth: Numbers, prediction: Numbers) -> Numbers:
        """The number of a row, never NaN. It depends on the row alone and not on the row's place."""

    @property
    def number(self) -> RowNumber:
        return RowNumber((0, 1), self.of_row)

    def frame(self, bounds: object, granularity: object) -> Frame:
        loss_bounds(self, bounds)
        return Mean().frame(bounds, granularity)

    def steady(self, neighbors: Neighbors) -> bool:
        return Mean().steady(neighbors)

    def sensitivity(self, frame: Frame, neighbors: Neighbors, size: Callable[[], int]) -> int:
        return Mean().sensitivity(frame, neighbors, size)

    def attained(self, levels: int) -> bool:
        return True

    def envelope(self, rows: Rows, answers: Answers, levels: int) -> Envelope:
        """Exact, not a bound, because each possible number is the number of some row."""
        return Mean().envelope(rows.numbers(self.number), answers, levels)

    def pull(self, neighbors: Neighbors, epsilon: Fraction) -> Fraction | None:
        return Mean().pull(neighbors, epsilon)

    def least_records(self, epsilon: Fraction) -> int | None:
        return Mean().least_records(epsilon)

    def distance_off(
        self, frame: Frame, size: int, epsilon: Fraction, miss: Fraction, normal: bool = False
    ) -> Fraction | None:
        return Mean().distance_off(frame, size, epsilon, miss, normal)

    def weight(self, frame: Frame) -> Weight | None:
        return Mean().weight(frame)

    def score(self, rows: Rows, answers: Answers, levels: int, epsilon: Fraction) -> Score:
        return Mean().score(rows.numbers(self.number), answers, levels, epsilon)

    def summands(self, frame: Frame) -> Summands | None:
        return Mean().summands(frame)

    def sums(self, rows: Rows) -> tuple[int, ...]:
        return Mean().sums(rows.numbers(self.number))


@dataclass(frozen=True, slots=True)
class MAE(RowMean):
    """The mean absolute error. The error of each row is clamped to the bounds."""

    def of_row(self, by: Arithmetic, truth: Numbers, prediction: Numbers) -> Numbers:
        return error(by, truth, prediction)


@dataclass(frozen=True, slots=True)
class MSE(RowMean):
    """The mean squared error. The square of each row is clamped to the bounds."""

    def of_row(self, by: Arithmetic, truth: Numbers, prediction: Numbers) -> Numbers:
        loss = by.once(error(by, truth, prediction))
        return loss * loss


@dataclass(frozen=True, slots=True)
class RMSE(MSE):
    """The root of the mean squared error. The absolute error of each row is clamped to the bounds."""

    def frame(self, bounds: object, granularity: object) -> Frame:
        low, high = loss_bounds(self, bounds)
        if not LEAST_ROOT <= high <= MOST_ROOT:
            raise ParameterError(
                "the upper bound", "must be between 2^-480 and 2^480 for rmse", got=f"{float(high):g}"
            ) from None
        return Frame(Lattice.fine((low * low, high * high)), Roots.between(low, high, granularity))

    def steady(self, neighbors: Neighbors) -> bool:
        return False

    def has_score_on(self, answers: Answers) -> bool:
        return False  # answers are roots, on a lattice of their own

    def sensitivity(self, frame: Frame, neighbors: Neighbors, size: Callable[[], int]) -> int:
        return Statistic.sensitivity(self, frame, neighbors, size)

    def summands(self, frame: Frame) -> Summands:
        width = frame.records.high - frame.records.low
        return Summands((width, width), share=True)

    def image(self, box: Box, frame: Frame) -> tuple[int, int]:
        records, width = frame.records, frame.records.high - frame.records.low
        square = records.granularity / frame.answers.granularity**2
        low, high = ((records.low + width * x) * square for x in share(box))
        return roots_outwards((low, high))


@dataclass(frozen=True, slots=True)
class Accuracy(RowMean):
    """The share of rows with y_true == y_pred; 0 if there are none."""

    fill: ClassVar[tuple[float, ...]] = (0.0, 1.0)
    """Under swap a missing row is read as a row whose prediction is wrong."""

    def frame(self, bounds: object, granularity: object) -> Frame:
        no_bounds(self, bounds)
        return Proportion().frame(None, granularity)

    def of_row(self, by: Arithmetic, truth: Numbers, prediction: Numbers) -> Numbers:
        return by.where(truth == prediction, 1.0, 0.0)


@dataclass(frozen=True, slots=True)
class LogLoss(RowMean):
    """The mean log loss of probabilities. The loss of each row is clamped to the bounds."""

    def __str__(self) -> str:
        return "log_loss"

    def of_row(self, by: Arithmetic, truth: Numbers, prediction: Numbers) -> Numbers:
        given = by.once(by.clip(prediction, 0.0, 1.0))
        return minus_log(by, by.where(by.nearest(truth, TRUE_OR_FALSE) == 1.0, given, 1.0 - given))


@dataclass(frozen=True, slots=True)
class Roots(Answers):
    """Answers that are square roots. A value v is floored to the index of its root: floor(√v) = isqrt(floor(v))."""

    def floors(self, ratios: Iterable[tuple[int, int]], unit: Fraction) -> list[int]:
        """The index at or below the root of each value unit*top/bottom, clipped to the range. No value is below 0."""
        low, high = self.support
        assert low is not None and high is not None, "a root of a mean lies between bounds"
        square = unit / self.granularity**2
        over, under = square.numerator, square.denominator
        return [min(max(isqrt(top * over // (bottom * under)), low), high) for top, bottom in ratios]


def error(by: Arithmetic, truth: Numbers, prediction: Numbers) -> Numbers:
    """The absolute error of a row. It is 0 if the numbers are equal, so that inf - inf never occurs."""
    return by.where(truth == prediction, 0.0, by.absolute(truth - prediction))


def loss_bounds(statistic: Statistic, bounds: object) -> tuple[Fraction, Fraction]:
    """The public range of one row's loss, which is never negative."""
    low, high = exact_bounds(bounds)
    if low < 0:
        raise ParameterError(
            "the lower bound", f"must be at least 0 for {statistic}", got=describe(float(low))
        ) from None
    return low, high


def minus_log(by: Arithmetic, share: Numbers) -> Numbers:
    """-log of numbers from 0 to 1, accurate to a few units in the last place. Equal numbers give equal bits."""
    share = by.once(share)
    mantissa, exponent = by.split(share)
    small = mantissa < ROOT_OF_HALF
    whole = by.once(exponent - by.where(small, 1.0, 0.0))
    mantissa = by.once(by.where(small, mantissa * 2.0, mantissa))
    s = by.once((mantissa - 1.0) / (mantissa + 1.0))
    square = by.once(s * s)
    series = square * 0.0
    for term in range(TERMS, 0, -1):
        series = by.once((series + 1.0 / (2 * term + 1)) * square)
    twice = by.once(s + s)
    log = whole * LOG_2_HIGH + (twice + (twice * series + whole * LOG_2_LOW))
    minus = by.once(log * -1.0)  # the oldest narwhals has no minus of one column
    return by.where(share > 0.0, by.where(minus > 0.0, minus, 0.0), math.inf)
