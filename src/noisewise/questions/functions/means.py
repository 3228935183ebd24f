"""Questions about totals: how many, how much, and what that is on average."""

from typing import Unpack

from noisewise.numbers.exact import Number
from noisewise.questions.keywords import BoundedByColumn, BoundedOrPrivate, Unbounded
from noisewise.questions.question import Binding, Capabilities, question, question_of_two
from noisewise.questions.request import of_statistic
from noisewise.statistics import Count, Mean, Proportion, Sum, TrimmedMean, WeightedMean, WinsorizedMean
from noisewise.tables.time.clock import SAME, TimeRule

COUNTED = TimeRule("number")
SUMMED = TimeRule(
    "same",
    only_durations=True,
    widest="magnitude",
    why_not="points in time do not add up; ask for the mean",
)
TRUE_OR_FALSE = TimeRule(None, why_not="it wants True and False; make such a column first")


@question(Capabilities(streamed=True, batched=True, all_rows=True, time=COUNTED))
def count(**keywords: Unpack[Unbounded]) -> Binding:
    """A private number of records: those that are not missing in a column of numbers, or all rows of a table. Under
    swap all records count, missing ones too, and their number is public and given without noise.

    To count those that have a property, ask for the sum of a column of zeros and ones with the bounds 0 and 1.

    Examples:
        >>> nws.count(incomes, epsilon=1.0)
    """
    return of_statistic(Count(), **keywords)


@question(Capabilities(streamed=True, batched=True, time=SUMMED))
def sum(**keywords: Unpack[BoundedOrPrivate]) -> Binding:
    """A private sum of a column of numbers, each clamped to the bounds."""
    return of_statistic(Sum(), **keywords)


@question(Capabilities(streamed=True, batched=True, time=SAME))
def mean(**keywords: Unpack[BoundedOrPrivate]) -> Binding:
    """A private mean of a column of numbers, each clamped to the bounds; the lower bound if there are none."""
    return of_statistic(Mean(), **keywords)


@question(Capabilities(streamed=True, batched=True, time=TRUE_OR_FALSE))
def proportion(**keywords: Unpack[Unbounded]) -> Binding:
    """A private share of the records that are true, in a column of booleans or of zeros and ones.

    Examples:
        >>> nws.proportion([True, False, True, True], epsilon=1.0)
    """
    return of_statistic(Proportion(), **keywords)


@question(Capabilities(streamed=True, batched=True, time=SAME, distinguished_by=("alpha",)))
def trimmed_mean(alpha: Number | str, **keywords: Unpack[BoundedOrPrivate]) -> Binding:
    """A private mean of a column without the floor(alpha*n) smallest and largest records; the lower bound if empty.

    Args:
        alpha: The share cut off at each end, at least 0 and below 1/2, such as 0.1 or ``"1/3"``.

    Examples:
        >>> nws.trimmed_mean(incomes, 0.1, bounds=(0, 1_000_000), epsilon=1.0)
    """
    return of_statistic(TrimmedMean(alpha), **keywords)


@question(Capabilities(streamed=True, batched=True, time=SAME, distinguished_by=("alpha",)))
def winsorized_mean(alpha: Number | str, **keywords: Unpack[BoundedOrPrivate]) -> Binding:
    """A private mean of a column whose floor(alpha*n) records at each end are pulled in to the next one.

    Args:
        alpha: The share pulled in at each end, at least 0 and below 1/2, such as 0.1 or ``"1/3"``.

    Examples:
        >>> nws.winsorized_mean(incomes, 0.1, bounds=(0, 1_000_000), epsilon=1.0)
    """
    return of_statistic(WinsorizedMean(alpha), **keywords)


@question_of_two(Capabilities(data=("data", "weights"), columns=("column", "column")))
def weighted_mean(**keywords: Unpack[BoundedByColumn]) -> Binding:
    """A private mean of a column of numbers in which each counts by its weight, a number of another column.

    It is the sum of weight times number over the sum of weights, of rows that are clamped to the bounds; the lower
    bound where no row has a weight. Balance alone answers it.

    Args:
        data: A one-dimensional array, list or series of numbers. A row that misses its number or its weight is missing.
        weights: How much each of them counts, from 0 on; a column of the same length.
        bounds: The lowest and highest possible value, known without looking at the data: once for both columns, or
            once for each, numbers first. Weights must not be below 0. The nearer the highest possible weight is to the
            usual one, the more accurate the answer.

    Examples:
        >>> nws.weighted_mean(grades, credits, bounds=((0, 20), (0, 30)), epsilon=1.0)
    """
    return of_statistic(WeightedMean(), **keywords)
