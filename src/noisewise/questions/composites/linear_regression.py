"""Linear regression, by sums of products that are released once. For one regressor also by a robust line.

Sums.    From the released means and covariances, in columns scaled to -1 .. 1, the coefficients solve

             (C_xx + ridge) b = C_xy          ridge = p/2 * noise

         Here p is the number of regressors, and noise is the public standard deviation of a released number. The ridge
         is about as large as the noise in the eigenvalues of C_xx, so a singular matrix does no harm. Nothing secret is
         inverted: the equations hold released numbers only.
Robust.  A `TheilSenLine`. The bounds of its slope and its intercept follow from the bounds of the columns.

Proof: docs/proofs/linear_regression.md.
"""

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Unpack

import numpy as np

from noisewise.errors import ParameterError, SchemaError, Words
from noisewise.kernel.losses import Loss
from noisewise.kernel.numbers.arrays import Floats
from noisewise.kernel.numbers.exact import describe
from noisewise.kernel.numbers.lattice import exact_bounds
from noisewise.kernel.sampling import Bits
from noisewise.questions.composites.covariance_matrix import (
    CovarianceRequest,
    ReleasedMoments,
    joint_note,
    nearest_covariance,
)
from noisewise.questions.composites.theil_sen_line import TheilSenLine
from noisewise.questions.keywords import Drawn, Priced, SomeBounds
from noisewise.questions.measured import Measured
from noisewise.questions.payable import Payable, bounds_as_typed
from noisewise.questions.promise import Promise
from noisewise.results.release import Release
from noisewise.statistics.covariance import each_bounds
from noisewise.statistics.theil_sen.theil_sen import TheilSen
from noisewise.tables.columns.array_rows import columns_of

STEEPEST = 4
"""A robust slope is at most this many times the width of y's bounds, divided by the width of X's bounds."""


@dataclass(frozen=True, slots=True, repr=False)
class SumsRegression(Payable):
    """Coefficients and intercept, computed from one release of sums. They are checked and not yet paid for."""

    table: CovarianceRequest

    @classmethod
    def of(cls, X: object, y: object, **keywords: Unpack[Priced]) -> "SumsRegression":
        """Check every parameter; ``keywords`` are those of a `CovarianceRequest`."""
        return cls(CovarianceRequest.of((*regressors(X), y), response=True, **keywords))

    @property
    def inner(self) -> CovarianceRequest:
        return self.table

    @property
    def memo(self) -> str:
        return f"linear regression by {self.table.sums.version}"

    def answer(self, receipt: object = None, *, bits: Bits | None = None) -> Release:
        released = self.table.sums.answer(receipt, bits=bits)
        moments = self.table.moments(released.value)
        value = self.coefficients(moments)
        notes = (
            "coefficients in the order of the columns, then the intercept",
            joint_note(released),
            f"ridge {ridge(moments):.3g} on columns scaled to -1 .. 1, from the size of the noise",
        )
        return replace(
            released,
            value=value,
            statistic="linear regression",
            granularity=None,
            notes=notes,
            names=(*(f"slope {index}" for index in range(1, len(value))), "intercept"),
        )

    def promise(self, miss: Fraction, size: int | None = None) -> Promise:
        """The error of the sums, in people. The error of the coefficients is unknown: it depends on the regressors."""
        table = self.table.sums
        sums = table.sums_off(miss)
        return Promise(
            mechanism=table.mechanism.name,
            numbers=len(table.frame.records),
            sentence="" if sums is None else sums[1],
        )

    def measured(self) -> Measured:
        moments = self.table.moments(self.table.sums.without_noise())
        return Measured.of_numbers(
            self, self.coefficients(moments._replace(noise=0.0))
        )  # without noise the ridge is 0

    def coefficients(self, moments: ReleasedMoments) -> tuple[float, ...]:
        """The slopes and the intercept, in the units of the columns."""
        middles, halves = self.table.scales
        slopes = solve(moments) * halves[-1] / halves[:-1]
        means = middles + halves * moments.mean
        intercept = means[-1] - slopes @ means[:-1]
        return (*slopes.tolist(), float(intercept))


@dataclass(frozen=True, slots=True, repr=False)
class RobustRegression(Payable):
    """A Theil-Sen line with bounds that follow from the bounds of its columns. It is checked and not yet paid for."""

    line: TheilSenLine
    bounds: Any

    @classmethod
    def of(
        cls, X: object, y: object, *, bounds: SomeBounds | None = None, **keywords: Unpack[Drawn]
    ) -> "RobustRegression":
        """Check every parameter; ``keywords`` are those of a `TheilSenLine`."""
        columns = regressors(X)
        if len(columns) > 1:
            raise ParameterError(
                "method",
                ("must be ", Words("sums"), " for several columns"),
                got=(Words("robust"), f" for {len(columns)}"),
            ) from None
        (low, high), (bottom, top) = map(exact_bounds, each_bounds(bounds, 2))
        steepest = STEEPEST * (top - bottom) / (high - low)
        reach = steepest * max(abs(low), abs(high))
        line = TheilSenLine.of(
            TheilSen(),
            (columns[0], y),
            bounds=(-steepest, steepest),
            intercept_bounds=(bottom - reach, top + reach),
            **keywords,
        )
        return cls(line, bounds_as_typed(bounds))

    @property
    def inner(self) -> TheilSenLine:
        return self.line

    @property
    def alone(self) -> TheilSenLine:
        return self.line

    def loss_of(self, records: int) -> Loss:
        return self.line.loss_of(records)

    @property
    def memo(self) -> str:
        return f"linear regression by {self.line.memo}"

    def answer(self, receipt: object = None, *, bits: Bits | None = None) -> Release:
        released = self.line.answer(receipt, bits=bits)
        return replace(released, statistic="linear regression", bounds=self.bounds)


def ask_regression(
    X: object, y: object, *, method: object, **keywords: Unpack[Priced]
) -> SumsRegression | RobustRegression:
    """Check a regression by the given method, and return the question."""
    if not isinstance(method, str) or method not in ("sums", "robust"):
        raise ParameterError("method", ("must be ", Words("sums", "robust")), got=describe(method)) from None
    return (SumsRegression if method == "sums" else RobustRegression).of(X, y, **keywords)


def ridge(moments: ReleasedMoments) -> float:
    """About how far noise moves the eigenvalues of the regressors' covariances."""
    return (moments.mean.size - 1) / 2 * moments.noise


def solve(moments: ReleasedMoments) -> Floats:
    """The coefficients that express the last column by the others. Only released numbers are read here."""
    covariance = moments.covariance
    inner = nearest_covariance(covariance[:-1, :-1]) + ridge(moments) * np.eye(moments.mean.size - 1)
    try:
        return np.asarray(np.linalg.lstsq(inner, covariance[:-1, -1], rcond=None)[0], np.float64)
    except np.linalg.LinAlgError:
        return np.zeros(moments.mean.size - 1)


def regressors(X: object) -> tuple[Any, ...]:
    """The columns of X, which may be a single column. The number of columns is public."""
    columns = columns_of(X, "X", lone=True)
    if not columns:
        raise SchemaError("X", "must have at least one column", got="none") from None
    return columns
