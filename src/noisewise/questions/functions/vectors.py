"""Questions whose answer is several numbers drawn at once."""

from typing import Any, Unpack

from noisewise.numbers.exact import Number
from noisewise.questions.functions.categories import Categorical
from noisewise.questions.keywords import Fixed, question
from noisewise.releases import histogram as releases
from noisewise.releases.vectors import vector
from noisewise.results.release import Release
from noisewise.statistics.vector import Norm
from noisewise.statistics.vector_mean import VectorMean


@question
def vector_mean(
    data: Any, *, norm: Norm | None = None, radius: Number | None = None, **asked: Unpack[Fixed]
) -> Release:
    """A private mean of the rows of a matrix: one number for each column, all drawn at once.

    The value is a tuple. Without rows it is zero, clamped to the bounds.

    Args:
        data: A two-dimensional array, a data frame, or a tuple of columns, of numbers. A row that misses a number is
            left out under add/remove, and counts as a row of zeros under swap.
        bounds: The lowest and highest possible number of every column, known without looking at the data. Numbers
            outside are clamped.
        norm: The shape of the noise, ``"linf"`` or ``"l1"``. By default ``"l1"`` with a radius and ``"linf"`` without,
            which is the more accurate.
        radius: The largest sum of absolute values of a row. Rows beyond are scaled down to it; the bounds must hold 0.

    Examples:
        >>> nws.vector_mean(scores, bounds=(0, 10), epsilon=1.0)
    """
    return vector(VectorMean(norm, radius), data, **asked)


@question
def histogram(data: Any, bins: Any, **asked: Unpack[Categorical]) -> Release:
    """A private histogram: how many records each bin holds. The value is a tuple of counts.

    Args:
        data: A one-dimensional array, list or series of numbers, or for categories of text, numbers or booleans.
            What is missing or in none of the bins is ignored.
        bins: Known without looking at the data: the edges of intervals in rising order, each closed on the left and the
            last on both sides, where the outer edges may be infinite; or, with text or booleans, a list of categories.

    Examples:
        >>> nws.histogram(ages, [0, 18, 40, 65, 120], epsilon=1.0)
        >>> nws.histogram(["tea", "coffee", "tea"], ["coffee", "tea", "water"], epsilon=1.0)
    """
    return releases.histogram(data, bins, **asked)
