"""Questions about order: quantiles and what is told by a few of them."""

from typing import Any, Unpack

from noisewise.numbers.exact import Number
from noisewise.questions.asking import release
from noisewise.questions.keywords import Bounded, question
from noisewise.results.release import Release
from noisewise.statistics import Quantile


@question
def quantile(data: Any, q: Number | str, **asked: Unpack[Bounded]) -> Release:
    """A private q-quantile of a column of numbers: an order statistic, of rank max(1, ceil(q*n)).

    Args:
        q: The quantile, between 0 and 1: a number, or text such as ``"1/3"``.

    Examples:
        >>> nws.quantile(incomes, 0.9, bounds=(0, 1_000_000), epsilon=1.0, granularity=100)
    """
    return release(Quantile(q), data, **asked)


@question
def median(data: Any, **asked: Unpack[Bounded]) -> Release:
    """A private median of a column of numbers: the middle value; of two middle ones, the lower.

    Examples:
        >>> nws.median(incomes, bounds=(0, 1_000_000), epsilon=1.0)
    """
    return release(Quantile("1/2"), data, **asked)


@question
def min(data: Any, **asked: Unpack[Bounded]) -> Release:
    """A private minimum of a column of numbers.

    Examples:
        >>> nws.min(incomes, bounds=(0, 1_000_000), epsilon=1.0)
    """
    return release(Quantile(0), data, **asked)


@question
def max(data: Any, **asked: Unpack[Bounded]) -> Release:
    """A private maximum of a column of numbers.

    Examples:
        >>> nws.max(incomes, bounds=(0, 1_000_000), epsilon=1.0)
    """
    return release(Quantile(1), data, **asked)
