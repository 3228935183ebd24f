"""Questions about totals: how many, how much, and what that is on average."""

from typing import Any, Unpack

from noisewise.questions.asking import release
from noisewise.questions.keywords import Asked, Bounded, question
from noisewise.results.release import Release
from noisewise.statistics import Count, Mean, Proportion, Sum


@question
def count(data: Any, **asked: Unpack[Asked]) -> Release:
    """A private number of records that are not missing, in a column of numbers. Under swap all records count, missing
    ones too, and their number is public and told as it is.

    To count those that have a property, ask for the sum of a column of zeros and ones between the bounds (0, 1).

    Examples:
        >>> nws.count(incomes, epsilon=1.0)
    """
    return release(Count(), data, **asked)


@question
def sum(data: Any, **asked: Unpack[Bounded]) -> Release:
    """A private sum of a column of numbers, each clamped to the bounds.

    Examples:
        >>> nws.sum(incomes, bounds=(0, 1_000_000), epsilon=1.0)
    """
    return release(Sum(), data, **asked)


@question
def mean(data: Any, **asked: Unpack[Bounded]) -> Release:
    """A private mean of a column of numbers, each clamped to the bounds; the lower bound if there are none.

    Examples:
        >>> nws.mean(incomes, bounds=(0, 1_000_000), epsilon=1.0)
    """
    return release(Mean(), data, **asked)


@question
def proportion(data: Any, **asked: Unpack[Asked]) -> Release:
    """A private share of the records that are true, in a column of booleans or of zeros and ones.

    Examples:
        >>> nws.proportion([True, False, True, True], epsilon=1.0)
    """
    return release(Proportion(), data, **asked)
