"""Ask for any statistic, which may be one of your own."""

from functools import partial
from typing import Any, Unpack

import numpy as np

from noisewise.errors import ParameterError, ParameterTypeError, Words
from noisewise.kernel.laws.envelope import Envelope
from noisewise.kernel.laws.radii import Balls, RadiusBounds
from noisewise.kernel.mechanisms import Gaussian, Laplace
from noisewise.kernel.numbers.exact import Number
from noisewise.kernel.prices import Price
from noisewise.kernel.settle import Payer, settle
from noisewise.ledger.refusals import Suggesting
from noisewise.questions.composites.vector_answers import VectorRequest
from noisewise.questions.keywords import PricedOrPrivate, with_full_signature
from noisewise.questions.noise_interval import bound
from noisewise.questions.payable import Payable, WithNotes, check_payer, mechanism_for
from noisewise.questions.question import notes_on
from noisewise.questions.request import Request, indicator_of, request
from noisewise.questions.terms import with_one_price
from noisewise.questions.with_count import no_records
from noisewise.questions.with_count import with_count as counted
from noisewise.results.release import Release
from noisewise.statistics.given_levels import GivenBalls, GivenLevels
from noisewise.statistics.statistic import Statistic
from noisewise.tables.columns.watched import Witness

NO_DATA: Any = ()
"""The default of ``data``: no data was given."""


@with_full_signature
def release(
    statistic: Statistic | Envelope | Balls,
    data: Any = NO_DATA,
    *,
    ledger: Payer | None = None,
    interval: Number | None = None,
    with_count: bool | Number | str = False,
    **keywords: Unpack[PricedOrPrivate],
) -> Release:
    """A private answer of any statistic, or by levels of your own: what `median` and the other functions call.

    If you give levels or balls, you guarantee that they nest for neighbouring data. `nws.testing.check_levels` checks
    this on small datasets. They are in steps of ``granularity``, by default 1, and their number must be public.

    Args:
        statistic: What is asked, such as ``Quantile("1/2")``, or a statistic of your own; or the levels of an answer,
            as ``Envelope.of(lower, upper, support)``, or its balls, as ``RadiusBounds.of(...).around(answer)``.
        data: A column, or a tuple of columns if the statistic reads several. Leave it out for levels and balls.
        bounds: The lowest and highest possible value; None if the statistic needs no bounds.

    Examples:
        >>> nws.release(nws.Variance(exact=False), incomes, bounds=(0, 1_000_000), epsilon=1.0)
        >>> nws.release(nws.Envelope.of([5, 3, 0], [5, 8, 10], (0, 10)), mechanism="piecewise_laplace", epsilon=1.0)
    """
    check_payer(ledger)
    keywords["mechanism"] = mechanism_for(keywords.get("mechanism", "auto"), ledger)
    if isinstance(statistic, (Envelope, Balls)):
        if data is not NO_DATA or with_count is not False:
            what = "with_count" if data is NO_DATA else "data"
            raise ParameterTypeError(what, "must be left out where levels are given") from None
        return settle(
            bound(partial(of_given, statistic), {**with_one_price(keywords), "interval": interval}), ledger
        )
    given: object = statistic
    if isinstance(given, RadiusBounds):
        raise ParameterTypeError(
            "radii", "must be around an answer: radii.around(answer), or radii.envelope(answer, support)"
        ) from None
    if data is NO_DATA:
        raise ParameterTypeError("release()", "missing a required argument: 'data'") from None

    paid = with_one_price(keywords)

    def at(price: Price) -> Payable:
        same = {**paid, "epsilon": price, "interval": interval}
        return counted(make, data, partial(_watched, statistic), with_count=with_count, **same)

    def make(data: object, **own: Any) -> Payable:
        return bound(partial(request, statistic, data), own)

    with Suggesting(paid["epsilon"], at):
        return settle(WithNotes(at(paid["epsilon"]), _notes_on(statistic, data)), ledger)


def of_given(given: Envelope | Balls, **keywords: Any) -> Payable:
    """The question that levels or balls answer. Public facts are checked, and the numbers are not looked at."""
    for name in ("bounds", "bounds_share"):
        if keywords.pop(name, None) is not None:
            raise ParameterError(name, "must be left out where levels are given") from None
    if isinstance(given, Balls):
        rows = np.zeros((0, max(np.size(given.centre), 1)))
        return VectorRequest.of(GivenBalls(given, given.norm), rows, **keywords)
    levels = GivenLevels(given)
    answers = levels.frame(None, keywords.get("granularity")).answers
    ends = [None if end is None else end * answers.granularity for end in answers.support]
    whole = answers.granularity.denominator == 1
    bounds = (
        None if None in ends else tuple(int(end) if whole else float(end) for end in ends if end is not None)
    )
    asked = Request.of(levels, (), bounds=bounds, **keywords)
    if isinstance(asked.mechanism, (Gaussian, Laplace)):
        raise ParameterError(
            "mechanism",
            ("must be another one for levels of one's own, such as ", Words("plm", "inverse")),
            got=Words(asked.mechanism.name),
            why="levels that nest do not bound how far one record moves the answer itself",
        ) from None
    return asked


def _notes_on(statistic: Statistic, data: Any) -> tuple[str, ...]:
    """The notes on the receipt about data that declares no type."""
    if statistic.reads == "graph":
        return ()
    columns = (data,) if statistic.columns == 1 else data
    return notes_on(columns, ("column",) * statistic.columns, indicator_of(statistic))


def _watched(statistic: object, data: Any, witness: Witness) -> Any:
    """The data with a witness that counts the records; the data as it is if the statistic cannot read it."""
    if not isinstance(statistic, Statistic):
        return data
    if statistic.reads == "graph":
        raise no_records(statistic) from None
    if statistic.columns == 1:
        return witness.data((data,), ("column",), indicator_of(statistic))[0]
    fits = isinstance(data, (tuple, list)) and len(data) == statistic.columns
    return witness.data(tuple(data), ("column",) * statistic.columns, None) if fits else data
