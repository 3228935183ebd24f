"""Questions that are answered by an interval."""

from fractions import Fraction
from typing import Any, Unpack

from noisewise.numbers.exact import Number
from noisewise.questions.keywords import Fixed, question
from noisewise.questions.request import settle
from noisewise.releases.interval import Interval
from noisewise.results.release import Release

CONFIDENCE = Fraction(95, 100)


@question
def median_interval(data: Any, *, confidence: Number = CONFIDENCE, **asked: Unpack[Fixed]) -> Release:
    """A private confidence interval for the median of the population that the records are a sample of.

    ``value`` is the pair (low, high). Both the luck of the sample and the noise of the release are in it.

    Args:
        confidence: The probability that the interval holds the population's median, whatever its distribution.

    Examples:
        >>> nws.median_interval(incomes, bounds=(0, 1_000_000), epsilon=1.0)
    """
    return quantile_interval(data, "1/2", confidence=confidence, **asked)


@question
def quantile_interval(
    data: Any, q: Number | str, *, confidence: Number = CONFIDENCE, **asked: Unpack[Fixed]
) -> Release:
    """A private confidence interval for a quantile of the population that the records are a sample of.

    ``value`` is the pair (low, high). Both the luck of the sample and the noise of the release are in it.

    Args:
        q: The quantile, between 0 and 1: a number, or text such as ``"1/3"``.
        confidence: The probability that the interval holds the population's quantile, whatever its distribution.

    Examples:
        >>> nws.quantile_interval(incomes, 0.9, bounds=(0, 1_000_000), epsilon=1.0)
    """
    how: dict[str, Any] = dict(asked)
    ledger = how.pop("ledger", None)
    return settle(lambda: Interval.of(q, data, confidence=confidence, **how), ledger)
