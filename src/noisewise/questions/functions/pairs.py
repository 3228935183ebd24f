"""Questions about pairs: how two columns go together, row by row."""

from dataclasses import replace
from typing import Unpack

from noisewise.questions.composites.theil_sen_line import TheilSenLine
from noisewise.questions.functions.value_names import slope_and_intercept
from noisewise.questions.keywords import Bounded, BoundedByColumn, Unbounded
from noisewise.questions.keywords import Bounds as Pair
from noisewise.questions.question import Binding, Capabilities, of_release, question_of_two
from noisewise.questions.request import of_statistic
from noisewise.statistics.pearson import Pearson
from noisewise.statistics.spearman import Spearman
from noisewise.statistics.theil_sen.theil_sen import TheilSen

OF_TWO_COLUMNS = Capabilities(
    data=("x", "y"),
    columns=("column", "column"),
    meanings={
        "x": "The first column: a one-dimensional array, list or series of numbers. A row that misses x or y is "
        "missing.",
        "y": "The second column, of the same length.",
    },
)


@question_of_two(replace(OF_TWO_COLUMNS, value_names=slope_and_intercept))
def theil_sen(
    *, intercept_bounds: Pair | None = None, parts: int | None = None, **keywords: Unpack[Bounded]
) -> Binding:
    """A private Theil-Sen slope of y against x: the median slope over all pairs of rows, which outliers hardly move.

    At epsilon 1, 10,000 rows take half a second, 100,000 rows about one second, and a million rows half a minute or
    more. A smaller epsilon takes longer in proportion. If a single number is near the largest float64, the time grows
    with the square of the number of rows. Dividing the rows into ``parts`` saves time.

    Args:
        bounds: The lowest and highest possible slope, known without looking at the data.
        intercept_bounds: The lowest and highest possible intercept. If given, half of epsilon is spent on the slope and
            half on the median of y - slope*x, and both are the answer.
        parts: Divide the rows into this number of parts, by a fixed hash of their numbers, and compare only rows of the
            same part. About one part for every 500 rows you expect is fast and costs little accuracy. By default all
            rows are one part. Under swap their number is public, so more than 10,000 rows are divided that way.

    Returns:
        ``value`` is the slope, or the pair (slope, intercept).

    Examples:
        >>> nws.theil_sen(heights, weights, bounds=(-5, 5), epsilon=1.0)
    """
    statistic = TheilSen(parts)
    if intercept_bounds is None:
        return of_statistic(statistic, **keywords)
    line = of_release(TheilSenLine.of, statistic, intercept_bounds=intercept_bounds, **keywords)
    return lambda x, y: line((x, y))


@question_of_two(replace(OF_TWO_COLUMNS, streamed=True, batched=True, bounds_of_each=True))
def pearson(**keywords: Unpack[BoundedByColumn]) -> Binding:
    """A private Pearson correlation of two columns, each clamped to its bounds; 0 if one column does not vary.

    Args:
        bounds: The lowest and highest possible value, known without looking at the data: once for both columns, or
            once for each. Tighter bounds give more accurate answers.

    Examples:
        >>> nws.pearson(heights, weights, bounds=((120, 220), (30, 180)), epsilon=1.0)
    """
    return of_statistic(Pearson(), **keywords)


@question_of_two(OF_TWO_COLUMNS)
def spearman(**keywords: Unpack[Unbounded]) -> Binding:
    """A private Spearman rank correlation of two columns. It needs no bounds, and outliers count only by their rank.

    Examples:
        >>> nws.spearman(heights, weights, epsilon=1.0)
    """
    return of_statistic(Spearman(), **keywords)
