"""Questions of several quantiles at once, paid for together."""

from collections.abc import Iterable
from typing import Any, Unpack

from noisewise.numbers.exact import Number
from noisewise.questions.keywords import Fixed, question
from noisewise.questions.request import Payer, settle
from noisewise.releases.quantiles import ECDF, FiveNumberSummary, JointQuantiles, Quantiles
from noisewise.results.release import Release


@question
def quantiles(data: Any, qs: Iterable[Number | str], **asked: Unpack[Fixed]) -> Release:
    """A private set of quantiles of a column of numbers, in one release: ``value`` is a tuple in the order asked.

    They are far more accurate than as many single quantiles at the same epsilon in all, and they never cross.

    Args:
        qs: The quantiles, each between 0 and 1: numbers, or text such as ``"1/3"``.

    Examples:
        >>> nws.quantiles(incomes, [0.25, 0.5, 0.75], bounds=(0, 1_000_000), epsilon=1.0)
    """
    return _settle(Quantiles(qs), data, **asked)


@question
def five_number_summary(data: Any, **asked: Unpack[Fixed]) -> Release:
    """A private minimum, lower quartile, median, upper quartile and maximum of a column of numbers.

    The minimum and the maximum are those of few people, so they are the least accurate of the five: the quantiles
    0.01 and 0.99 often say more.

    Examples:
        >>> nws.five_number_summary(incomes, bounds=(0, 1_000_000), epsilon=1.0)
    """
    return _settle(FiveNumberSummary(), data, **asked)


@question
def ecdf(data: Any, steps: int, **asked: Unpack[Fixed]) -> Release:
    """A private empirical distribution function of a column of numbers, as pairs (value, share), the values rising.

    About a share of the records, i/(steps + 1) for i = 1..steps, is at or below the value beside it.

    Args:
        steps: How many pairs.

    Examples:
        >>> nws.ecdf(incomes, 9, bounds=(0, 1_000_000), epsilon=1.0)
    """
    return _settle(ECDF(steps), data, **asked)


def _settle(asked_for: Quantiles, data: Any, *, ledger: Payer | None = None, **asked: Any) -> Release:
    return settle(lambda: JointQuantiles.of(asked_for, data, **asked), ledger)
