"""Questions about order: quantiles, several quantiles at once, and the bounds of a column."""

from collections.abc import Iterable, Sequence
from typing import Unpack, cast

import numpy as np

from noisewise.calls import check_call
from noisewise.kernel.numbers.exact import Number
from noisewise.questions.composites.private_bounds import PrivateBounds
from noisewise.questions.composites.quantile_interval import Interval
from noisewise.questions.composites.quantiles import ECDF, FiveNumberSummary, JointQuantiles, Quantiles
from noisewise.questions.functions.value_names import (
    CONFIDENCE,
    each_quantile,
    each_share,
    five_numbers,
    low_and_high,
)
from noisewise.questions.keywords import (
    BoundedColumn,
    BoundedOrPrivate,
    WithoutMechanism,
    without_defaults,
)
from noisewise.questions.question import KINDS, Binding, Capabilities, Question, of_release, question
from noisewise.questions.request import of_statistic
from noisewise.questions.search import BETA, LARGEST, SMALLEST
from noisewise.statistics.quantile import Quantile
from noisewise.tables.time.clock import SAME, TimeRule

PAIRS = TimeRule("same", pairs=True)
MINIMUM, MEDIAN, MAXIMUM = Quantile(0), Quantile("1/2"), Quantile(1)
POWERS = TimeRule(None, why_not="it searches among powers of two; give bounds that you know")


def as_quantiles(question: Question) -> Question | None:
    """The question about several quantiles, if ``q`` is a list of them."""
    q = question.parameter("q")
    if not isinstance(q, (list, tuple, np.ndarray)):
        return None
    kind, keywords = KINDS["quantiles"], {key: each for key, each in question.keywords.items() if key != "q"}
    given = (q, *question.arguments[1:])
    check_call("quantile", kind.parameters, given, without_defaults(keywords, kind.parameters))
    return Question(kind, question.columns, given, keywords)


@question(Capabilities(streamed=True, batched=True, time=SAME, distinguished_by=("q",), means=as_quantiles))
def quantile(q: Number | str | Sequence[Number | str], **keywords: Unpack[BoundedOrPrivate]) -> Binding:
    """A private q-quantile of a column of numbers: the record of rank max(1, ceil(q*n)).

    Args:
        q: The quantile, between 0 and 1, such as 0.5 or ``"1/3"``. A list of them is answered as `quantiles` does.

    Examples:
        >>> nws.quantile(incomes, 0.9, bounds=(0, 1_000_000), epsilon=1.0, granularity=100)
    """
    return of_statistic(Quantile(cast("Number | str", q)), **keywords)


@question(Capabilities(streamed=True, batched=True, time=SAME))
def median(**keywords: Unpack[BoundedOrPrivate]) -> Binding:
    """A private median of a column of numbers: the middle value, or the lower of two middle values."""
    return of_statistic(MEDIAN, **keywords)


@question(Capabilities(streamed=True, batched=True, time=SAME))
def min(**keywords: Unpack[BoundedOrPrivate]) -> Binding:
    """A private minimum of a column of numbers."""
    return of_statistic(MINIMUM, **keywords)


@question(Capabilities(streamed=True, batched=True, time=SAME))
def max(**keywords: Unpack[BoundedOrPrivate]) -> Binding:
    """A private maximum of a column of numbers."""
    return of_statistic(MAXIMUM, **keywords)


@question(Capabilities(streamed=True, batched=True, time=SAME, value_names=each_quantile))
def quantiles(qs: Iterable[Number | str], **keywords: Unpack[BoundedColumn]) -> Binding:
    """A private set of quantiles of a column of numbers, in one release.

    They are far more accurate than single quantiles that cost the same epsilon together, and they never cross.

    Args:
        qs: The quantiles, each between 0 and 1, such as 0.5 or ``"1/3"``.

    Returns:
        ``value`` is a tuple, in the order asked.

    Examples:
        >>> nws.quantiles(incomes, [0.25, 0.5, 0.75], bounds=(0, 1_000_000), epsilon=1.0)
    """
    return of_release(JointQuantiles.of, Quantiles(qs), **keywords)


@question(Capabilities(streamed=True, batched=True, time=SAME, value_names=five_numbers))
def five_number_summary(**keywords: Unpack[BoundedColumn]) -> Binding:
    """A private minimum, lower quartile, median, upper quartile and maximum of a column of numbers.

    Few people decide the minimum and the maximum, so these are the least accurate of the five numbers. The quantiles
    0.01 and 0.99 often say more.

    Returns:
        ``value`` is a tuple of the five numbers.
    """
    return of_release(JointQuantiles.of, FiveNumberSummary(), **keywords)


@question(Capabilities(streamed=True, batched=True, time=PAIRS, value_names=each_share))
def ecdf(steps: int, **keywords: Unpack[BoundedColumn]) -> Binding:
    """A private empirical distribution function of a column of numbers: pairs of a value and a share, values rising.

    The shares are i/(steps + 1) for i = 1..steps. About this share of the records is at or below the value.

    Args:
        steps: The number of pairs.

    Returns:
        ``value`` is a tuple of pairs (value, share).

    Examples:
        >>> nws.ecdf(incomes, 9, bounds=(0, 1_000_000), epsilon=1.0)
    """
    return of_release(JointQuantiles.of, ECDF(steps), **keywords)


@question(Capabilities(streamed=True, batched=True, time=SAME, value_names=low_and_high))
def median_interval(*, confidence: Number = CONFIDENCE, **keywords: Unpack[BoundedColumn]) -> Binding:
    """A private confidence interval for the median of the population that the records are a sample of.

    The interval allows for the luck of the sample and for the noise of the release.

    Args:
        confidence: The probability that the interval holds the population's median, whatever its distribution.

    Returns:
        ``value`` is the pair (low, high).
    """
    return of_release(Interval.of, "1/2", confidence=confidence, **keywords)


@question(
    Capabilities(streamed=True, batched=True, time=SAME, value_names=low_and_high, distinguished_by=("q",))
)
def quantile_interval(
    q: Number | str, *, confidence: Number = CONFIDENCE, **keywords: Unpack[BoundedColumn]
) -> Binding:
    """A private confidence interval for a quantile of the population that the records are a sample of.

    The interval allows for the luck of the sample and for the noise of the release.

    Args:
        q: The quantile, between 0 and 1, such as 0.5 or ``"1/3"``.
        confidence: The probability that the interval holds the population's quantile, whatever its distribution.

    Returns:
        ``value`` is the pair (low, high).

    Examples:
        >>> nws.quantile_interval(incomes, 0.9, bounds=(0, 1_000_000), epsilon=1.0)
    """
    return of_release(Interval.of, q, confidence=confidence, **keywords)


@question(Capabilities(streamed=True, batched=True, time=POWERS, value_names=low_and_high))
def private_bounds(
    *,
    base: int = 2,
    smallest: Number = SMALLEST,
    largest: Number = LARGEST,
    beta: Number = BETA,
    **keywords: Unpack[WithoutMechanism],
) -> Binding:
    """A private pair of bounds that hold nearly all of a column of numbers; none if there is too little data.

    Other releases of the same column can use them as ``bounds``. Each bound is zero or a signed power of the base. A
    range of positive numbers starts at zero, unless all numbers are of one order of magnitude.

    Args:
        base: The bounds are powers of this whole number. A larger base needs less data and gives wider bounds.
        smallest: The smallest magnitude that matters, by default 2^-32. Never read it off the data.
        largest: The largest magnitude that matters, by default 2^64. Larger records are clamped. A generous value costs
            little.
        beta: The chance that the bounds are wrong: too wide by more than a power, or without many of the records.

    Returns:
        ``value`` is the pair (low, high), or None.

    Examples:
        >>> bounds = nws.private_bounds(incomes, epsilon=0.5).value
        >>> nws.mean(incomes, bounds=bounds, epsilon=0.5)
    """
    return of_release(PrivateBounds.of, base=base, smallest=smallest, largest=largest, beta=beta, **keywords)
