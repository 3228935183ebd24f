"""Any statistic, one of your own too, asked by itself."""

from functools import partial
from typing import Any, Unpack

from noisewise.kernel.numbers.exact import Number
from noisewise.kernel.settle import Payer, settle
from noisewise.ledger.refusals import Suggesting
from noisewise.questions.keywords import PricedOrPrivate, with_full_signature
from noisewise.questions.noise_interval import bound
from noisewise.questions.payable import Payable, WithNotes, judge_payer, mechanism_for
from noisewise.questions.question import notes_on
from noisewise.questions.request import indicator_of, request
from noisewise.questions.with_count import no_records
from noisewise.questions.with_count import with_count as counted
from noisewise.results.release import Release
from noisewise.statistics.statistic import Statistic
from noisewise.tables.columns.watched import Witness


@with_full_signature
def release(
    statistic: Statistic,
    data: Any,
    *,
    ledger: Payer | None = None,
    interval: Number | None = None,
    with_count: bool | Number | str = False,
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
        return counted(make, data, partial(_watched, statistic), with_count=with_count, **same)

    def make(data: object, **own: Any) -> Payable:
        return bound(partial(request, statistic, data), own)

    with Suggesting(keywords["epsilon"], at):
        return settle(WithNotes(at(keywords["epsilon"]), _notes_on(statistic, data)), ledger)


def _notes_on(statistic: Statistic, data: Any) -> tuple[str, ...]:
    """What the receipt says of data that declare no type."""
    if statistic.reads == "graph":
        return ()
    columns = (data,) if statistic.columns == 1 else data
    return notes_on(columns, ("column",) * statistic.columns, indicator_of(statistic))


def _watched(statistic: object, data: Any, witness: Witness) -> Any:
    """The data as a witness sees it read, where it has the shape that the statistic wants."""
    if not isinstance(statistic, Statistic):
        return data
    if statistic.reads == "graph":
        raise no_records(statistic) from None
    if statistic.columns == 1:
        return witness.data((data,), ("column",), indicator_of(statistic))[0]
    fits = isinstance(data, (tuple, list)) and len(data) == statistic.columns
    return witness.data(tuple(data), ("column",) * statistic.columns, None) if fits else data
