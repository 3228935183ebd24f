"""Questions about tables: how all columns go together, and how one follows from the others."""

from typing import Any, Literal, Required, TypedDict, Unpack

import numpy as np

from noisewise.columns import Neighbors
from noisewise.mechanisms import Chosen
from noisewise.numbers.exact import Number
from noisewise.numbers.lattice import Bounds
from noisewise.questions.keywords import question
from noisewise.questions.request import Payer, settle
from noisewise.releases.covariance import CovarianceRequest
from noisewise.releases.linear_regression import ask_regression
from noisewise.results.release import Release


class Tabled(TypedDict, total=False):
    """How to ask about a table: every column needs bounds, and answers are computed from sums of a fixed spacing."""

    bounds: Required[Bounds | tuple[Bounds, ...]]
    epsilon: Required[Number]
    neighbors: Neighbors
    contributions: int | np.integer[Any]
    mechanism: Chosen
    ledger: Payer | None


@question
def covariance(data: Any, *, centred: bool = True, **asked: Unpack[Tabled]) -> Release:
    """A private covariance matrix of the columns of a table: ``value`` is a tuple of rows, symmetric, and a matrix of
    covariances: without negative eigenvalues.

    All sums that it needs are released at once. The error of an entry, in units of the product of both columns'
    half-widths, is about (d+1)*(d+2)/(4*epsilon*n) for d columns and n rows, twice that under swap.

    Args:
        data: A two-dimensional array, a data frame, or a tuple of columns. A row that misses a number is missing.
        bounds: The lowest and highest possible value of a column, known without looking at the data: a pair for all,
            or one for each, ``((a_low, a_high), (b_low, b_high), ...)``. Numbers outside are clamped.
        centred: False for mean products about the middle of the bounds rather than about the means.

    Examples:
        >>> nws.covariance(np.column_stack([heights, weights]), bounds=((120, 220), (30, 180)), epsilon=1.0)
    """
    ledger = asked.pop("ledger", None)
    return settle(lambda: CovarianceRequest.of(data, centred=centred, **asked), ledger)


@question
def linear_regression(
    X: Any, y: Any, *, method: Literal["sums", "robust"] = "sums", **asked: Unpack[Tabled]
) -> Release:
    """A private linear regression of y on the columns of X: ``value`` is a coefficient per column, then the intercept.

    With p columns about 50*(p+2)**2.5/epsilon rows are nearly as good as least squares: 800 for one column and 25,000
    for ten, at an epsilon of 1. With far fewer the answer is of no use.

    Args:
        X: The regressors: a two-dimensional array, a data frame, a tuple of columns, or one column by itself.
        y: The column to explain. A row that misses a number is missing.
        bounds: The lowest and highest possible value of a column, known without looking at the data: a pair for all,
            or one for each column of X and then one for y. Numbers outside are clamped, but not by ``"robust"``.
        method: ``"sums"`` is least squares with a ridge as large as the noise. ``"robust"``, for a single column, is
            the Theil-Sen line, which outliers hardly move; slopes up to four times the height of the bounds over their
            width are possible.

    Examples:
        >>> nws.linear_regression(heights, weights, bounds=((120, 220), (30, 180)), epsilon=1.0)
    """
    ledger = asked.pop("ledger", None)
    return settle(lambda: ask_regression(X, y, method=method, **asked), ledger)
