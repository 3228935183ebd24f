"""Log loss: the mean of -log of the probability that was given to what happened.

A row (y_true, p) has y_true read as 0 or 1 and p clamped to [0, 1]; its loss is -log(p) if y_true is 1 and -log(1 - p)
if it is 0, clamped to the bounds, and what follows is the mean of a column of losses. A library's logarithm may round
differently in the body of an array and at its end, so that a row would not be one record; this one is made of basic
float64 operations, which never do. With q = m*2^e and s = (m - 1)/(m + 1):

    log q = e*log 2 + 2*(s + s^3/3 + s^5/5 + ...),   √½ <= m < √2, |s| < 0.172

Proof: docs/proofs/log_loss.md.
"""

import math
from dataclasses import dataclass

from noisewise.statistics.mean import TRUE_OR_FALSE
from noisewise.statistics.row_formulas import Arithmetic, Numbers
from noisewise.statistics.row_losses import RowMean

ROOT_OF_HALF = 0.7071067811865476
LOG_2_HIGH, LOG_2_LOW = float.fromhex("0x1.62e42feep-1"), float.fromhex("0x1.a39ef35793c76p-33")
"""log 2 in two parts; the first has 32 bits, so that its product with an exponent is exact."""

TERMS = 12
"""s^2 is below 0.0295: the first term left out is below 2^-64 of the first one."""


@dataclass(frozen=True, slots=True)
class LogLoss(RowMean):
    """The mean log loss of probabilities, each loss clamped to the bounds."""

    def __str__(self) -> str:
        return "log_loss"

    def of_row(self, by: Arithmetic, truth: Numbers, prediction: Numbers) -> Numbers:
        given = by.once(by.clip(prediction, 0.0, 1.0))
        return minus_log(by, by.where(by.nearest(truth, TRUE_OR_FALSE) == 1.0, given, 1.0 - given))


def minus_log(by: Arithmetic, share: Numbers) -> Numbers:
    """-log of numbers of [0, 1], to a few units in the last place, and the same bits wherever a number stands."""
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
