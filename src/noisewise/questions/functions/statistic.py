"""Any statistic, one of your own too, asked by itself."""

from functools import partial
from typing import Any, Unpack

from noisewise.numbers.exact import Number
from noisewise.privacy.refusals import suggesting
from noisewise.questions.answer_interval import bound
from noisewise.questions.keywords import PricedOrPrivate, with_full_signature
from noisewise.questions.request import request
from noisewise.questions.settle import Payable, Payer, judge_payer, mechanism_for, settle
from noisewise.results.release import Release
from noisewise.statistics import Statistic


@with_full_signature
def release(
    statistic: Statistic,
    data: Any,
    *,
    ledger: Payer | None = None,
    interval: Number | None = None,
    **keywords: Unpack[PricedOrPrivate],
) -> Release:
    """A private answer of any statistic, one of your own too: what `median` and the other functions call.

    Args:
        statistic: What is asked, such as ``Quantile("1/2")``, or a statistic of your own.
        data: A column, or a tuple of columns where the statistic reads several.
        bounds: The lowest and highest possible value; None where the statistic needs none.

    Examples:
        >>> nws.release(nws.Variance(exact=False), incomes, bounds=(0, 1_000_000), epsilon=1.0)
    """
    judge_payer(ledger)
    keywords["mechanism"] = mechanism_for(keywords.get("mechanism", "auto"), ledger)

    def at(epsilon: object) -> Payable:
        same = {**keywords, "epsilon": epsilon, "interval": interval}
        return bound(partial(request, statistic, data), same)

    with suggesting(keywords["epsilon"], at):
        return settle(at(keywords["epsilon"]), ledger)
