"""Questions about totals and averages: counts, sums, means, shares and rates."""

from typing import Any, Unpack

from noisewise.kernel.numbers.exact import Number
from noisewise.questions.composites.population_interval import PopulationInterval
from noisewise.questions.functions.value_names import CONFIDENCE, low_and_high
from noisewise.questions.keywords import (
    BoundedByColumn,
    BoundedByNoise,
    BoundedOrPrivate,
    Counts,
    SignedSum,
    Unbounded,
    UnboundedCount,
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
def count(category: Any = None, **keywords: Unpack[UnboundedCount]) -> Binding:
    """A private number of records: those that are not missing in a column of any type, those that are of one category,
    or all rows of a table. It is a whole number. Under swap the number of all records is public, so missing records
    count too, and there is no noise. The number of records of one category stays secret.

    Args:
        data: A one-dimensional array or series of any type; its library says which records are missing. Or a list of
            numbers, in which anything else counts as missing.
        category: Count only the records that equal this: text, a number or a boolean.

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
def count_people(**keywords: Unpack[Counts]) -> Binding:
    """A private number of different people: those who have a row, or a record that is not missing in a column of any
    type. It is a whole number. Only the unit of a Dataset tells who the people are.

    Each person counts once, whatever ``contributions`` says. So one person changes the number by one.

    Args:
        data: A Dataset with a unit, because only a unit names people. Call the method of that Dataset.

    Examples:
        >>> nws.Dataset(frame, unit="person_id").count_people(epsilon=1.0)
    """
    return of_statistic(People(), **keywords)


@question(Capabilities(streamed=True, batched=True, time=SUMMED))
def sum(**keywords: Unpack[SignedSum]) -> Binding:
    """A private sum of a column of numbers, each clamped to the bounds."""
    return of_statistic(Sum(), **keywords)


@question(Capabilities(streamed=True, batched=True, time=SAME))
def mean(**keywords: Unpack[BoundedOrPrivate]) -> Binding:
    """A private mean of a column of numbers, each clamped to the bounds. Without numbers it is the lower bound."""
    return of_statistic(Mean(), **keywords)


@question(
    Capabilities(
        streamed=True, batched=True, time=TRUE_OR_FALSE, indicator=one_category, asks_whether_true=True
    )
)
def proportion(category: Any = None, **keywords: Unpack[Unbounded]) -> Binding:
    """A private share of the records that are true, in a column of booleans or of zeros and ones. With a category, the
    share of the records of that category, in a column of text, numbers or booleans.

    Args:
        data: A one-dimensional array, list or series of booleans or of zeros and ones. With a category, of text,
            numbers or booleans. Missing records are left out under add/remove; under swap they lower the share.
        category: Ask for the share of the records that equal this: text, a number or a boolean.

    Examples:
        >>> nws.proportion([True, False, True, True], epsilon=1.0)
        >>> nws.proportion(["tea", "coffee", "tea"], "tea", epsilon=1.0)
    """
    return of_statistic(Proportion(category), **keywords)


@question(Capabilities(streamed=True, batched=True, time=SAME, value_names=low_and_high))
def mean_interval(*, confidence: Number = CONFIDENCE, **keywords: Unpack[BoundedByNoise]) -> Binding:
    """A private confidence interval for the mean of the population that the records are a sample of.

    The interval allows for the luck of the sample and for the noise of the release. Numbers are clamped to the bounds.
    The interval holds for every population, however its numbers lie between the bounds. So it is wide if the bounds are
    much further apart than most numbers.

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

    The interval allows for the luck of the sample and for the noise of the release.

    Args:
        data: A one-dimensional array, list or series of booleans or of zeros and ones. With a category, of text,
            numbers or booleans. Missing records are left out under add/remove; under swap they lower the share.
        category: Ask for the share of the records that equal this: text, a number or a boolean.
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
    """A private confidence interval for the count that is to be expected, if records come independently of each
    other, such as accidents in a year: the mean of a Poisson law.

    The interval allows for chance, by which another year has another count, and for the noise of the release. For the
    count of the records themselves, ask for ``count`` with ``interval=0.95``.

    Args:
        data: A one-dimensional array or series of any type; its library says which records are missing. Or a list of
            numbers, in which anything else counts as missing.
        category: Count only the records that equal this: text, a number or a boolean.
        confidence: The probability that the interval holds the expected count, whatever it is.

    Returns:
        ``value`` is the pair (low, high), whole numbers.

    Examples:
        >>> nws.count_interval(incomes, epsilon=1.0)
    """
    return of_release(PopulationInterval.of, Count(category), confidence=confidence, **keywords)


@question(Capabilities(streamed=True, batched=True, time=SAME, distinguished_by=("alpha",)))
def trimmed_mean(alpha: Number | str, **keywords: Unpack[BoundedOrPrivate]) -> Binding:
    """A private mean of a column without the floor(alpha*n) smallest and largest of its n records.

    If there are no records, it is the lower bound.

    Args:
        alpha: The share of records cut off at each end, at least 0 and below 1/2, such as 0.1 or ``"1/3"``.

    Examples:
        >>> nws.trimmed_mean(incomes, 0.1, bounds=(0, 1_000_000), epsilon=1.0)
    """
    return of_statistic(TrimmedMean(alpha), **keywords)


@question(Capabilities(streamed=True, batched=True, time=SAME, distinguished_by=("alpha",)))
def winsorized_mean(alpha: Number | str, **keywords: Unpack[BoundedOrPrivate]) -> Binding:
    """A private winsorized mean of a column: floor(alpha*n) records at each end are replaced by the next one inwards.

    Args:
        alpha: The share of records replaced at each end, at least 0 and below 1/2, such as 0.1 or ``"1/3"``.

    Examples:
        >>> nws.winsorized_mean(incomes, 0.1, bounds=(0, 1_000_000), epsilon=1.0)
    """
    return of_statistic(WinsorizedMean(alpha), **keywords)


@question(Capabilities(streamed=True, distinguished_by=("c",)))
def huber_mean(c: Number, **keywords: Unpack[BoundedOrPrivate]) -> Binding:
    """A private Huber mean of a column: a record further away than c counts as if it were at distance c.

    Take the distances y - x from an answer y to all records x, each cut off at -c and c. The Huber mean is the least y
    at which they add up to 0. If there are no records, it is the lower bound. Bounds may be loose: they cost accuracy
    only by the logarithm of their width. Only the mechanism balance answers this question.

    Args:
        c: The largest distance from the answer that counts in full, in the unit of the data. About 1.5 times the
            usual distance is a good choice. A small c gives an answer near the median, a large c one near the mean.

    Examples:
        >>> nws.huber_mean(incomes, 20_000, bounds=(0, 10_000_000), epsilon=1.0)
    """
    return of_statistic(HuberMean(c), **keywords)


@question_of_two(
    Capabilities(
        data=("data", "weights"),
        columns=("column", "column"),
        streamed=True,
        batched=True,
        bounds_of_each=True,
    )
)
def weighted_mean(**keywords: Unpack[BoundedByColumn]) -> Binding:
    """A private weighted mean of a column of numbers. Another column holds the weights.

    It is the sum of weight times number, divided by the sum of weights. Both columns are clamped to their bounds. If no
    row has a weight above 0, the answer is the lower bound. Only the mechanism balance answers this question.

    Args:
        data: A one-dimensional array, list or series of numbers. A row without a number or a weight is missing.
        weights: How much each number counts, at least 0: a column of the same length.
        bounds: The lowest and highest possible value, known without looking at the data: once for both columns, or
            once for each, numbers first. Weights must not be below 0. The answer is more accurate if the highest
            possible weight is close to the usual weight.

    Examples:
        >>> nws.weighted_mean(grades, credits, bounds=((0, 20), (0, 30)), epsilon=1.0)
    """
    return of_statistic(WeightedMean(), **keywords)


@question_of_two(
    Capabilities(
        data=("numerator", "denominator"),
        columns=("column", "column"),
        streamed=True,
        batched=True,
        bounds_of_each=True,
    )
)
def ratio(*, ceiling: Number | None = None, **keywords: Unpack[BoundedByColumn]) -> Binding:
    """A private ratio of two totals, such as spending per visit: the sum of one column over the sum of another.

    Numbers are clamped to the bounds, which begin at 0 or above. The answer is 0 if there are no rows or all numbers
    are 0. It is the ceiling if only the denominators are 0. Only the mechanism balance answers this question.

    Args:
        numerator: A one-dimensional array, list or series of numbers. A row without one of its numbers is missing.
        denominator: The column to divide by. Its total divides the total of the numerator. It has the same length.
        bounds: The lowest and highest possible value, known without looking at the data: once for both columns, or
            once for each, the numerator first. The lowest must not be below 0.
        ceiling: The largest possible answer; a larger ratio is replaced by it. By default 1,024 times the ratio of the
            upper bounds. A high ceiling hardly costs accuracy.

    Examples:
        >>> nws.ratio(spending, visits, bounds=((0, 5_000), (0, 50)), epsilon=1.0)
    """
    return of_statistic(Ratio(ceiling), **keywords)


@question_of_two(
    Capabilities(
        data=("events", "exposure"),
        columns=("column", "column"),
        streamed=True,
        batched=True,
        bounds_of_each=True,
    )
)
def rate(*, per: Number = 1, ceiling: Number | None = None, **keywords: Unpack[BoundedByColumn]) -> Binding:
    """A private rate, such as accidents per 1,000 years of driving: all events over all exposure.

    Each row has a number of events, and how long or how much it was exposed to them. Both are clamped to the bounds,
    which begin at 0 or above. The answer is 0 if there are no rows or no events. It is the ceiling if there are events
    but no exposure. Only the mechanism balance answers this question.

    Args:
        events: How many events each row had: an array, list or series of numbers. A row without one of its numbers is
            missing.
        exposure: How long each row was exposed, such as years under observation; a column of the same length.
        bounds: The lowest and highest possible value, known without looking at the data: once for both columns, or
            once for each, events first. The lowest must not be below 0.
        per: The amount of exposure that the rate is for, such as 1000 for events per 1,000 years.
        ceiling: The largest possible answer; a larger rate is replaced by it. By default 1,024 times the rate of a row
            at both upper bounds. A high ceiling hardly costs accuracy.

    Examples:
        >>> nws.rate(accidents, years, per=1000, bounds=((0, 3), (0, 10)), epsilon=1.0)
    """
    return of_statistic(Rate(per, ceiling), **keywords)
