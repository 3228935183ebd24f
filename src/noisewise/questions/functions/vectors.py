"""Questions about several columns at once, whose answers are several numbers."""

from collections.abc import Callable, Sequence
from typing import Any, Literal, Unpack

from numpy.typing import NDArray

from noisewise.kernel.numbers.exact import Number
from noisewise.questions.composites.covariance_matrix import CovarianceRequest
from noisewise.questions.composites.linear_regression import ask_regression
from noisewise.questions.composites.noisy_moments import ask_component, ask_mean
from noisewise.questions.functions.value_names import coefficients, direction, each_column, each_pair
from noisewise.questions.keywords import Bounded, BoundedByColumn, Matrix
from noisewise.questions.question import (
    Binding,
    Capabilities,
    Question,
    of_release,
    question,
    question_of_two,
)
from noisewise.statistics.principal_component import PrincipalComponent
from noisewise.statistics.vector import Norm
from noisewise.statistics.vector_mean import VectorMean


def _only_with(name: str) -> Callable[[Question], str]:
    """Return a function that says why a question needs whole columns: because of this parameter. If the parameter is
    not given, the text is empty."""
    return lambda question: "" if question.parameter(name) is None else f"with a {name}"


@question(
    Capabilities(
        columns=("matrix",),
        value_names=each_column,
        streamed=True,
        batched=True,
        whole_columns=_only_with("radius"),
    )
)
def vector_mean(
    *, norm: Norm | None = None, radius: Number | None = None, **keywords: Unpack[Bounded]
) -> Binding:
    """A private mean of the rows of a matrix: one number for each column, all drawn at once.

    If there are no rows, the answer is zero, clamped to the bounds.

    Args:
        data: A two-dimensional array, a data frame, or a tuple of columns of numbers. A row without one of its numbers
            is left out under add/remove, and counts as a row of zeros under swap.
        bounds: The lowest and highest possible number of every column, known without looking at the data. Numbers
            outside are clamped.
        norm: The shape of the noise, ``"linf"`` or ``"l1"``. The default is the more accurate one: ``"l1"`` with a
            radius, ``"linf"`` without.
        radius: The largest sum of a row's absolute values. Larger rows are scaled down to it. The bounds must hold 0.

    Returns:
        ``value`` is a tuple.

    Examples:
        >>> nws.vector_mean(scores, bounds=(0, 10), epsilon=1.0)
    """
    return of_release(ask_mean, VectorMean(norm, radius), **keywords)


@question(
    Capabilities(columns=("matrix",), value_names=each_pair, streamed=True, batched=True, bounds_of_each=True)
)
def covariance(*, centred: bool = True, **keywords: Unpack[Matrix]) -> Binding:
    """A private covariance matrix of the columns of a table: symmetric, and without negative eigenvalues.

    All sums that it needs are released at once. With d columns and n rows, the error of an entry is about
    (d+1)*(d+2)/(4*epsilon*n) times h_i*h_j, where h_i and h_j are half the widths of its two columns' bounds. Under
    swap it is twice as large.

    Args:
        data: A two-dimensional array, a data frame, or a tuple of columns. A row without one of its numbers is missing.
        bounds: The lowest and highest possible value of a column, known without looking at the data: once for all, or
            once for each. Numbers outside are clamped.
        centred: Whether products are taken about the means; otherwise about the middle of the bounds.

    Returns:
        ``value`` is a tuple of rows.

    Examples:
        >>> nws.covariance(np.column_stack([heights, weights]), bounds=((120, 220), (30, 180)), epsilon=1.0)
    """
    return of_release(CovarianceRequest.of, centred=centred, **keywords)


@question_of_two(
    Capabilities(
        data=("X", "y"),
        columns=("matrix", "column"),
        bounds_of_each=True,
        value_names=coefficients,
        streamed=True,
        batched=True,
        whole_columns=lambda question: (
            "" if question.parameter("method") == "sums" else "by another method than sums"
        ),
    )
)
def linear_regression(*, method: Literal["sums", "robust"] = "sums", **keywords: Unpack[Matrix]) -> Binding:
    """A private linear regression of y on the columns of X: a coefficient per column, then the intercept.

    With p columns about 50*(p+2)^2.5/epsilon rows are nearly as good as least squares: 800 for one column and 25,000
    for ten, at an epsilon of 1. With far fewer the answer is of no use.

    Args:
        X: The regressors: a two-dimensional array, a data frame, a tuple of columns, or a single column.
        y: The column to explain. A row without one of its numbers is missing.
        bounds: The lowest and highest possible value of a column, known without looking at the data: once for all,
            or once for each column of X and then for y. Numbers outside are clamped, except by ``"robust"``.
        method: ``"sums"`` is least squares with a ridge as large as the noise. ``"robust"`` needs a single column in X.
            It is the Theil-Sen line, which outliers hardly move. Its slope is at most four times the width of the
            bounds of y, divided by the width of the bounds of X.

    Returns:
        ``value`` is a tuple.

    Examples:
        >>> nws.linear_regression(heights, weights, bounds=((120, 220), (30, 180)), epsilon=1.0)
    """
    return of_release(ask_regression, method=method, **keywords)


@question(
    Capabilities(
        columns=("matrix",),
        value_names=direction,
        bounds_of_each=True,
        streamed=True,
        batched=True,
        whole_columns=_only_with("length"),
    )
)
def principal_component(
    *,
    toward: Sequence[Number] | NDArray[Any] | None = None,
    length: Number | None = None,
    **keywords: Unpack[BoundedByColumn],
) -> Binding:
    """A private first principal component of a table: its direction v, if ``toward`` is given, or the matrix vvᵀ.

    The spread is taken about the middle of the bounds. If the two largest eigenvalues of the data are close, the answer
    is of no use.

    Args:
        data: A two-dimensional array, a data frame or a tuple of columns. A row without one of its numbers is missing.
        bounds: The lowest and highest possible value, known without looking at the data: once for all columns, or
            once for each. Values outside are clamped.
        granularity: The spacing of the numbers of the matrix, by default 2^-24.
        toward: A public direction, one number for each column, such as all ones. The answer is then v, with the sign
            that puts it at an angle below 90 degrees to ``toward``. If that angle is close to 90 degrees, v is lost in
            noise. By default the answer is the matrix vvᵀ, which is the same for v and -v. The matrix is much less
            accurate if there are many columns.
        length: Rows further than this from the middle of the bounds are moved in to this distance. The error grows with
            its square. By default it is the distance from the middle to a corner.

    Returns:
        ``value`` is a tuple: v, or the rows of the matrix.

    Examples:
        >>> nws.principal_component(table, toward=(1, 1, 1), bounds=(-4, 4), epsilon=1.0)
    """
    return of_release(ask_component, PrincipalComponent(length, toward), **keywords)
