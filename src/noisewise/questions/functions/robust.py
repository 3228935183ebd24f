"""Questions about the bulk of a column, and about how equal it is."""

from typing import Any, Unpack

from noisewise.numbers.exact import Number
from noisewise.questions.asking import release
from noisewise.questions.keywords import Bounded, question
from noisewise.results.release import Release
from noisewise.statistics import Gini, TrimmedMean, WinsorizedMean


@question
def trimmed_mean(data: Any, alpha: Number | str, **asked: Unpack[Bounded]) -> Release:
    """A private mean of a column without the floor(alpha*n) smallest and largest records; the lower bound if empty.

    Args:
        alpha: The share cut off at each end, at least 0 and below 1/2: a number, or text such as ``"1/3"``.

    Examples:
        >>> nws.trimmed_mean(incomes, 0.1, bounds=(0, 1_000_000), epsilon=1.0)
    """
    return release(TrimmedMean(alpha), data, **asked)


@question
def winsorized_mean(data: Any, alpha: Number | str, **asked: Unpack[Bounded]) -> Release:
    """A private mean of a column whose floor(alpha*n) records at each end are pulled in to the next one.

    Args:
        alpha: The share pulled in at each end, at least 0 and below 1/2: a number, or text such as ``"1/3"``.

    Examples:
        >>> nws.winsorized_mean(incomes, 0.1, bounds=(0, 1_000_000), epsilon=1.0)
    """
    return release(WinsorizedMean(alpha), data, **asked)


@question
def gini(data: Any, **asked: Unpack[Bounded]) -> Release:
    """A private Gini coefficient of a column of numbers that are not negative: 0 if all are equal, at most 1.

    Args:
        bounds: The lowest and highest possible value, known without looking at the data; the lowest is at least 0.

    Examples:
        >>> nws.gini(incomes, bounds=(0, 1_000_000), epsilon=1.0)
    """
    return release(Gini(), data, **asked)
