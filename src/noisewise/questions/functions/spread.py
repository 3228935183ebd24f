"""Questions about spread: how far apart the records are, and how unequal."""

from typing import Unpack

from noisewise.kernel.numbers.exact import Number
from noisewise.questions.keywords import BoundedOrPrivate
from noisewise.questions.question import Binding, Capabilities, question
from noisewise.questions.request import of_statistic
from noisewise.statistics.gini.gini import Gini
from noisewise.statistics.spread.mad import MAD
from noisewise.statistics.spread.quantile_range import IQR, Range, Spread
from noisewise.statistics.variance.variance import Std, Variance
from noisewise.tables.time.clock import TimeRule

APART = TimeRule("duration")
HALF_APART = TimeRule("duration", widest="half range")
SQUARED = TimeRule(None, why_not="it would be in squares of time; ask for std")
SHARED = TimeRule(
    "number",
    only_durations=True,
    why_not="it compares shares of a total, and points in time have none",
)


@question(Capabilities(streamed=True, batched=True, time=APART))
def iqr(**keywords: Unpack[BoundedOrPrivate]) -> Binding:
    """A private interquartile range of a column of numbers: the 3/4-quantile less the 1/4-quantile."""
    return of_statistic(IQR(), **keywords)


@question(Capabilities(streamed=True, batched=True, time=APART))
def range(**keywords: Unpack[BoundedOrPrivate]) -> Binding:
    """A private range of a column of numbers: the largest less the smallest. Outliers decide it; `iqr` is steadier."""
    return of_statistic(Range(), **keywords)


@question(Capabilities(streamed=True, batched=True, time=APART, distinguished_by=("low", "high")))
def spread(low: Number | str, high: Number | str, **keywords: Unpack[BoundedOrPrivate]) -> Binding:
    """A private distance between two quantiles of a column of numbers: the high one less the low one.

    Args:
        low: The lower quantile, between 0 and 1, such as 0.1 or ``"1/3"``.
        high: The higher quantile, above the lower one.

    Examples:
        >>> nws.spread(incomes, 0.1, 0.9, bounds=(0, 1_000_000), epsilon=1.0)
    """
    return of_statistic(Spread(low, high), **keywords)


@question(Capabilities(time=APART))
def mad(**keywords: Unpack[BoundedOrPrivate]) -> Binding:
    """A private median absolute deviation: the median distance of the records from their median.

    It is not scaled. For normal data, multiply it by 1.4826 to estimate the standard deviation.
    """
    return of_statistic(MAD(), **keywords)


@question(Capabilities(streamed=True, batched=True, time=SQUARED))
def variance(**keywords: Unpack[BoundedOrPrivate]) -> Binding:
    """A private population variance of a column of numbers, each clamped to the bounds: divided by n, not by n - 1."""
    return of_statistic(Variance(), **keywords)


@question(Capabilities(streamed=True, batched=True, time=HALF_APART))
def std(**keywords: Unpack[BoundedOrPrivate]) -> Binding:
    """A private population standard deviation of a column of numbers, each clamped to the bounds: divided by n."""
    return of_statistic(Std(), **keywords)


@question(Capabilities(time=SHARED))
def gini(**keywords: Unpack[BoundedOrPrivate]) -> Binding:
    """A private Gini coefficient of a column of numbers that are not negative: 0 if all are equal, at most 1.

    Args:
        bounds: The lowest and highest possible value, known without looking at the data; the lowest is at least 0.
    """
    return of_statistic(Gini(), **keywords)
