"""Questions about all columns of a table at once: the direction in which they vary together."""

from collections.abc import Sequence
from typing import Any, Required, Unpack

from numpy.typing import NDArray

from noisewise.numbers.exact import Number
from noisewise.numbers.lattice import Bounds
from noisewise.questions.keywords import Asked, question
from noisewise.releases.vectors import vector
from noisewise.results.release import Release
from noisewise.statistics.principal_component import PrincipalComponent


class EachBounded(Asked, total=False):
    """How to ask where every column needs bounds, the same or each its own."""

    bounds: Required[Bounds | tuple[Bounds, ...] | list[Bounds]]


@question
def principal_component(
    data: Any,
    *,
    toward: Sequence[Number] | NDArray[Any] | None = None,
    length: Number | None = None,
    **asked: Unpack[EachBounded],
) -> Release:
    """A private first principal component of a table: its direction v toward a public one, or the matrix vvᵀ.

    The spread is taken about the middle of the bounds. Where the largest two eigenvalues of the data are close, the
    value is of no use.

    Args:
        data: A two-dimensional array, a data frame or a tuple of columns. A row that misses a number is missing.
        bounds: The lowest and highest possible value, of all columns or one pair for each, known without looking at the
            data. Values outside are clamped.
        granularity: The spacing of the numbers of the matrix, by default 2^-24.
        toward: A direction, one number for each column, to which v shall be at an angle below 90 degrees, such as
            (1, 1, 1). The value is then v, a tuple. v is lost in noise where the angle is close to 90 degrees. By
            default the value is the matrix vvᵀ, a tuple of rows, which is the same for v and -v and much less accurate
            if there are many columns.
        length: Rows further than this from the middle of the bounds are drawn in to it. The error goes with its
            square; by default it is the distance from the middle to a corner.

    Examples:
        >>> nws.principal_component(table, toward=(1, 1, 1), bounds=(-4, 4), epsilon=1.0)
    """
    return vector(PrincipalComponent(length, toward), data, **asked)
