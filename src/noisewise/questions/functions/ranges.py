"""Questions about spread: how far apart the records are."""

from typing import Any, Unpack

from noisewise.numbers.exact import Number
from noisewise.questions.asking import release
from noisewise.questions.keywords import Bounded, question
from noisewise.results.release import Release
from noisewise.statistics import IQR, MAD, Range, Spread


@question
def iqr(data: Any, **asked: Unpack[Bounded]) -> Release:
    """A private interquartile range of a column of numbers: the 3/4-quantile less the 1/4-quantile.

    Examples:
        >>> nws.iqr(incomes, bounds=(0, 1_000_000), epsilon=1.0)
    """
    return release(IQR(), data, **asked)


@question
def range(data: Any, **asked: Unpack[Bounded]) -> Release:
    """A private range of a column of numbers: the largest less the smallest. Outliers decide it; `iqr` is steadier.

    Examples:
        >>> nws.range(incomes, bounds=(0, 1_000_000), epsilon=1.0)
    """
    return release(Range(), data, **asked)


@question
def spread(data: Any, low: Number | str, high: Number | str, **asked: Unpack[Bounded]) -> Release:
    """A private distance between two quantiles of a column of numbers: the high one less the low one.

    Args:
        low: The lower quantile, between 0 and 1: a number, or text such as ``"1/3"``.
        high: The higher quantile, above the lower one.

    Examples:
        >>> nws.spread(incomes, 0.1, 0.9, bounds=(0, 1_000_000), epsilon=1.0)
    """
    return release(Spread(low, high), data, **asked)


@question
def mad(data: Any, **asked: Unpack[Bounded]) -> Release:
    """A private median absolute deviation: the median distance of the records from their median. Not scaled.

    For normal data, multiply by 1.4826 to estimate the standard deviation.

    Examples:
        >>> nws.mad(incomes, bounds=(0, 1_000_000), epsilon=1.0)
    """
    return release(MAD(), data, **asked)
