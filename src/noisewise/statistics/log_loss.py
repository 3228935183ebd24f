"""Log loss: the mean of -log of the probability that was given to what happened.

A row (y_true, p) has y_true read as 0 or 1 and p clamped to [0, 1]; its loss is -log(p) if y_true is 1 and -log(1 - p)
if it is 0, clamped to the bounds, and what follows is the mean of a column of losses. A library's logarithm may round
differently in the body of an array and at its end, so that a row would not be one record; this one is made of basic
float64 operations, which never do. With q = m*2^e and s = (m - 1)/(m + 1):

    log q = e*log 2 + 2*(s + s^3/3 + s^5/5 + ...),   √½ <= m < √2, |s| < 0.172

Proof: docs/proofs/log_loss.md.
"""

from dataclasses import dataclass

import numpy as np

from noisewise.numbers.arrays import Floats
from noisewise.statistics.proportion import TRUE_OR_FALSE
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

    def of_rows(self, truth: Floats, prediction: Floats) -> Floats:
        given = np.minimum(np.maximum(prediction, 0.0), 1.0)
        return minus_log(np.where(TRUE_OR_FALSE.nearest(truth) == 1, given, 1.0 - given))


def minus_log(share: Floats) -> Floats:
    """-log of numbers of [0, 1], to a few units in the last place, and the same bits wherever a number stands."""
    mantissa, exponent = np.frexp(share)
    small = mantissa < ROOT_OF_HALF
    mantissa = np.where(small, mantissa * 2.0, mantissa)
    whole = (exponent - small).astype(np.float64)
    s = (mantissa - 1.0) / (mantissa + 1.0)
    square, series = s * s, np.zeros_like(s)
    for term in range(TERMS, 0, -1):
        series = (series + 1.0 / (2 * term + 1)) * square
    twice = s + s
    found = whole * LOG_2_HIGH + (twice + (twice * series + whole * LOG_2_LOW))
    return np.where(share > 0, np.maximum(-found, 0.0), np.inf)
