"""Questions about totals: how many, how much, and what that is on average."""

from typing import Any, Unpack

from noisewise.kernel.numbers.exact import Number
from noisewise.questions.composites.population_interval import PopulationInterval
from noisewise.questions.functions.value_names import CONFIDENCE, low_and_high
from noisewise.questions.keywords import (
    BoundedByColumn,
    BoundedByNoise,
    BoundedOrPrivate,
    Unbounded,
    WithoutMechanism,
)
from noisewise.questions.question import (
    Binding,
    Capabilities,
    Question,
    of_release,
    question,
    question_of_two,
)
from noisewise.questions.request import indicator_of, of_statistic
from noisewise.statistics.count import Count, People
from noisewise.statistics.huber_mean import HuberMean
from noisewise.statistics.mean import Mean, Proportion
from noisewise.statistics.ratio import Rate, Ratio
from noisewise.statistics.sum import Sum
from noisewise.statistics.trimmed_mean import TrimmedMean, WinsorizedMean
from noisewise.statistics.weighted_mean import WeightedMean
from noisewise.tables.columns.indicators import Indicator
from noisewise.tables.time.clock import SAME, TimeRule

COUNTED = TimeRule("number")
SUMMED = TimeRule(
    "same",
    only_durations=True,
    widest="magnitude",
    why_not="points in time do not add up; ask for the mean",
)
TRUE_OR_FALSE = TimeRule(None, why_not="it wants True and False; make such a column first")


def counted(question: Question) -> Indicator | None:
    return indicator_of(Count(question.parameter("category")))


def whatever_is_there(question: Question) -> Indicator | None:
    return Indicator()


def one_category(question: Question) -> Indicator | None:
    return indicator_of(Proportion(question.parameter("category")))


@question(
    Capabilities(
        streamed=True, batched=True, all_rows=True, counts_records=True, time=COUNTED, indicator=counted
    )
)
def count(category: Any = None, **keywords: Unpack[Unbounded]) -> Binding:
    """A private number of records: those that are not missing in a column of any type, those that are of one category,
    or all rows of a table. A whole number. Under swap all records count, missing ones too, and their number is public
    and given without noise; that of a category is secret.

    Args:
        data: A one-dimensional array or series of any type, whose missing records are those that its library calls so;
            or a list of numbers, in which anything else is missing.
        category: Count only the records that are this: text, a number or a boolean.

    Examples:
        >>> nws.count(incomes, epsilon=1.0)
        >>> nws.count(["tea", "coffee", "tea"], "tea", epsilon=1.0)
    """
    return of_statistic(Count(category), **keywords)


@question(
    Capabilities(
        streamed=True,
        all_rows=True,
        people=True,
        in_groups=False,
        counts_records=True,
        time=COUNTED,
        indicator=whatever_is_there,
    )
)
def count_people(**keywords: Unpack[WithoutMechanism]) -> Binding:
    """A private number of different people: those who have a row, or a record that is not missing in a column of any
    type. A whole number. Only the unit of a Dataset tells who they are.

    One record of each person takes part whatever ``contributions`` says, so that one person changes the number by one.

    Args:
        data: Only a Dataset with a unit names people: ask it by its method.

    Examples:
        >>> nws.Dataset(frame, unit="person_id").count_people(epsilon=1.0)
    """
    return of_statistic(People(), **keywords)


@question(Capabilities(streamed=True, batched=True, time=SUMMED))
def sum(**keywords: Unpack[BoundedOrPrivate]) -> Binding:
    """A private sum of a column of numbers, each clamped to the bounds."""
    return of_statistic(Sum(), **keywords)


@question(Capabilities(streamed=True, batched=True, time=SAME))
def mean(**keywords: Unpack[BoundedOrPrivate]) -> Binding:
    """A private mean of a column of numbers, each clamped to the bounds; the lower bound if there are none."""
    return of_statistic(Mean(), **keywords)


@question(
    Capabilities(
        streamed=True, batched=True, time=TRUE_OR_FALSE, indicator=one_category, asks_whether_true=True
    )
)
def proportion(category: Any = None, **keywords: Unpack[Unbounded]) -> Binding:
    """A private share of the records that are true, in a column of booleans or of zeros and ones; or of those that are
    of one category, in a column of text, numbers or booleans.

    Args:
        data: A one-dimensional array, list or series: booleans or zeros and ones, or for a category text, numbers or
            booleans. Missing records are left out under add/remove; under swap they are none of the share.
        category: The share of the records that are this: text, a number or a boolean.

    Examples:
        >>> nws.proportion([True, False, True, True], epsilon=1.0)
        >>> nws.proportion(["tea", "coffee", "tea"], "tea", epsilon=1.0)
    """
    return of_statistic(Proportion(category), **keywords)


@question(Capabilities(streamed=True, batched=True, time=SAME, value_names=low_and_high))
def mean_interval(*, confidence: Number = CONFIDENCE, **keywords: Unpack[BoundedByNoise]) -> Binding:
    """A private confidence interval for the mean of the population that the records are a sample of.

    Both the luck of the sample and the noise of the release are in it. The mean is that of numbers clamped to the
    bounds. It holds for every population, however its numbers lie between the bounds, which makes it wide where they
    are much further apart than most numbers.

    Args:
        confidence: The probability that the interval holds the population's mean, whatever its distribution.

    Returns:
        ``value`` is the pair (low, high).
    """
    return of_release(PopulationInterval.of, Mean(), confidence=confidence, **keywords)


@question(
    Capabilities(
        streamed=True,
        batched=True,
        time=TRUE_OR_FALSE,
        value_names=low_and_high,
        indicator=one_category,
        asks_whether_true=True,
    )
)
def proportion_interval(
    category: Any = None, *, confidence: Number = CONFIDENCE, **keywords: Unpack[WithoutMechanism]
) -> Binding:
    """A private confidence interval for the share that is true, or of one category, in the population that the records
    are a sample of.

    Both the luck of the sample and the noise of the release are in it.

    Args:
        data: A one-dimensional array, list or series: booleans or zeros and ones, or for a category text, numbers or
            booleans. Missing records are left out under add/remove; under swap they are none of the share.
        category: The share of those that are this: text, a number or a boolean.
        confidence: The probability that the interval holds the population's share, whatever it is.

    Returns:
        ``value`` is the pair (low, high).

    Examples:
        >>> nws.proportion_interval([True, False, True, True], epsilon=1.0)
    """
    return of_release(PopulationInterval.of, Proportion(category), confidence=confidence, **keywords)


@question(
    Capabilities(
        streamed=True, batched=True, all_rows=True, time=COUNTED, value_names=low_and_high, indicator=counted
    )
)
def count_interval(
    category: Any = None, *, confidence: Number = CONFIDENCE, **keywords: Unpack[WithoutMechanism]
) -> Binding:
    """A private confidence interval for the count that is to be expected, where records come independently of each
    other, such as accidents in a year: the mean of a Poisson law.

    Both chance, by which another year has another count, and the noise of the release are in it. For the count of the
    records themselves, ask for ``count`` with ``interval=0.95``.

    Args:
        data: A one-dimensional array or series of any type, whose missing records are those that its library calls so;
            or a list of numbers, in which anything else is missing.
        category: Count only the records that are this: text, a number or a boolean.
        confidence: The probability that the interval holds the expected count, whatever it is.

    Returns:
        ``value`` is the pair (low, high), whole numbers.

    Examples:
        >>> nws.count_interval(incomes, epsilon=1.0)
    """
    return of_release(PopulationInterval.of, Count(category), confidence=confidence, **keywords)


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


@question(Capabilities(streamed=True, distinguished_by=("c",)))
def huber_mean(c: Number, **keywords: Unpack[BoundedOrPrivate]) -> Binding:
    """A private Huber mean of a column, in which records further away than c pull no harder than at c.

    It is the answer y at which all distances y - x, each cut off at -c and c, add up to 0: the least one if there are
    several, and the lower bound if there are no records. Bounds may be loose: they cost a logarithm. Balance alone
    answers it.

    Args:
        c: How far from the answer a record still counts by its distance, in the unit of the data. About 1.5 times the
            usual distance is a good choice; small ones are nearer to the median, large ones to the mean.

    Examples:
        >>> nws.huber_mean(incomes, 20_000, bounds=(0, 10_000_000), epsilon=1.0)
    """
    return of_statistic(HuberMean(c), **keywords)


@question_of_two(
    Capabilities(data=("data", "weights"), columns=("column", "column"), streamed=True, batched=True)
)
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


@question_of_two(
    Capabilities(data=("numerator", "denominator"), columns=("column", "column"), streamed=True, batched=True)
)
def ratio(*, ceiling: Number | None = None, **keywords: Unpack[BoundedByColumn]) -> Binding:
    """A private ratio of two totals, such as spending per visit: the sum of one column over the sum of another.

    Numbers are clamped to the bounds, which begin at 0 or above. The answer is 0 where there are no rows or all numbers
    are 0, and the ceiling where the denominators alone are 0. Balance alone answers it.

    Args:
        numerator: A one-dimensional array, list or series of numbers. A row that misses one of its numbers is missing.
        denominator: What the total of it is divided by; a column of the same length.
        bounds: The lowest and highest possible value, known without looking at the data: once for both columns, or
            once for each, the numerator first. The lowest must not be below 0.
        ceiling: The largest answer that matters; a larger one is given as this. By default 1,024 times the ratio of the
            upper bounds. A high one hardly costs accuracy.

    Examples:
        >>> nws.ratio(spending, visits, bounds=((0, 5_000), (0, 50)), epsilon=1.0)
    """
    return of_statistic(Ratio(ceiling), **keywords)


@question_of_two(
    Capabilities(data=("events", "exposure"), columns=("column", "column"), streamed=True, batched=True)
)
def rate(*, per: Number = 1, ceiling: Number | None = None, **keywords: Unpack[BoundedByColumn]) -> Binding:
    """A private rate, such as accidents per 1,000 years of driving: all events over all exposure.

    Each row has a number of events and how long, or how much, it was exposed to them, both clamped to the bounds, which
    begin at 0 or above. The answer is 0 where there are no rows or no events, and the ceiling where there are events
    without exposure. Balance alone answers it.

    Args:
        events: How many events each row had: an array, list or series of numbers. A row that misses one of its numbers
            is missing.
        exposure: How long each was exposed, such as years under observation; a column of the same length.
        bounds: The lowest and highest possible value, known without looking at the data: once for both columns, or
            once for each, events first. The lowest must not be below 0.
        per: The exposure that events are counted for, such as 1000 for events per 1,000 years.
        ceiling: The largest rate that matters; a larger one is given as this. By default 1,024 times the rate of a row
            at both upper bounds. A high one hardly costs accuracy.

    Examples:
        >>> nws.rate(accidents, years, per=1000, bounds=((0, 3), (0, 10)), epsilon=1.0)
    """
    return of_statistic(Rate(per, ceiling), **keywords)
