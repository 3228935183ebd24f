"""Questions about pairs: how two columns go together, row by row."""

from typing import Any, Required, Unpack

from noisewise.numbers.lattice import Bounds
from noisewise.questions.asking import release
from noisewise.questions.keywords import Asked, Fixed, question
from noisewise.questions.request import settle
from noisewise.releases.theil_sen import TheilSenLine
from noisewise.results.release import Release
from noisewise.statistics import Pearson, Spearman, TheilSen


class BothBounded(Asked, total=False):
    """How to ask where both columns need bounds, the same or each its own."""

    bounds: Required[Bounds | tuple[Bounds, Bounds]]


@question
def theil_sen(
    x: Any,
    y: Any,
    *,
    intercept_bounds: Bounds | None = None,
    parts: int | None = None,
    **asked: Unpack[Fixed],
) -> Release:
    """A private Theil-Sen slope of y against x: the median slope over all pairs of rows, which outliers hardly move.

    The time grows with the square of the rows: 10,000 take a second or two, 100,000 some minutes, unless ``parts`` are
    given.

    Args:
        x: The first column: a one-dimensional array, list or series of numbers. A row that misses x or y is missing.
        y: The second column, of the same length.
        bounds: The lowest and highest possible slope, known without looking at the data.
        intercept_bounds: The lowest and highest possible intercept. If given, half of epsilon is spent on the slope and
            half on the median of y - slope*x, and the value is (slope, intercept).
        parts: Deal the rows into so many parts, by a fixed hash of their numbers, and compare rows within parts only.
            One part for about every 500 rows you expect is fast and costs little accuracy. By default all rows are one
            part; under swap, where their number is public, tables of more than 10,000 rows are dealt like that.

    Examples:
        >>> nws.theil_sen(heights, weights, bounds=(-5, 5), epsilon=1.0)
    """
    statistic, data = TheilSen(parts), (x, y)
    if intercept_bounds is None:
        return release(statistic, data, **asked)
    ledger = asked.pop("ledger", None)
    return settle(
        lambda: TheilSenLine.of(statistic, data, intercept_bounds=intercept_bounds, **asked), ledger
    )


@question
def pearson(x: Any, y: Any, **asked: Unpack[BothBounded]) -> Release:
    """A private Pearson correlation of two columns, each clamped to its bounds; 0 where one does not vary.

    Args:
        x: The first column: a one-dimensional array, list or series of numbers. A row that misses x or y is missing.
        y: The second column, of the same length.
        bounds: The lowest and highest possible value, known without looking at the data: a pair for both columns, or
            ``((x_low, x_high), (y_low, y_high))``. The tighter they fit, the more accurate the answer.

    Examples:
        >>> nws.pearson(heights, weights, bounds=((120, 220), (30, 180)), epsilon=1.0)
    """
    return release(Pearson(), (x, y), **asked)


@question
def spearman(x: Any, y: Any, **asked: Unpack[Asked]) -> Release:
    """A private Spearman rank correlation of two columns: no bounds needed, and outliers count by their rank alone.

    Args:
        x: The first column: a one-dimensional array, list or series of numbers. A row that misses x or y is missing.
        y: The second column, of the same length.

    Examples:
        >>> nws.spearman(heights, weights, epsilon=1.0)
    """
    return release(Spearman(), (x, y), **asked)
