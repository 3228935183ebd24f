"""Questions about spread: how far records are from their mean."""

from typing import Any, Unpack

from noisewise.questions.asking import release
from noisewise.questions.keywords import Bounded, question
from noisewise.results.release import Release
from noisewise.statistics import Std, Variance


@question
def variance(data: Any, **asked: Unpack[Bounded]) -> Release:
    """A private population variance of a column of numbers, each clamped to the bounds: n, not n - 1, below the line.

    Examples:
        >>> nws.variance(incomes, bounds=(0, 1_000_000), epsilon=1.0)
    """
    return release(Variance(), data, **asked)


@question
def std(data: Any, **asked: Unpack[Bounded]) -> Release:
    """A private population standard deviation of a column of numbers, each clamped to the bounds: the variance's root.

    Examples:
        >>> nws.std(incomes, bounds=(0, 1_000_000), epsilon=1.0)
    """
    return release(Std(), data, **asked)
