"""A release as an OpenDP measurement, so that it can be composed with OpenDP's own measurements.

The privacy map gives the loss for data that differ in d records. Such data differ in at most
k = ceil(d/contributions) people. Log ratios add up along a chain of neighbours, so the loss of k people is k*epsilon,
for a pure loss and for a loss of bounded range. If a rho is known besides epsilon, it becomes k^2*rho
[Bun & Steinke 2016, group privacy]. Numbers are rounded up to floats.

OpenDP accounts for the release when the measurement is composed. No ledger of noisewise is debited, because OpenDP
needs functions without side effects and calls them as often as its own budget allows.
"""

from collections.abc import Callable
from typing import Any, Literal, TypeAlias, Unpack

from noisewise.bridges.outside import borrow, float_up
from noisewise.errors import ParameterError, ParameterTypeError, ReleaseFailed, SchemaError
from noisewise.kernel.losses import Loss, group_loss
from noisewise.kernel.numbers.exact import describe
from noisewise.kernel.settle import settle
from noisewise.questions.choice import Auto
from noisewise.questions.keywords import PricedOrPrivate, with_full_signature
from noisewise.questions.request import Request, Searched, request
from noisewise.questions.terms import with_one_price
from noisewise.statistics import Statistic

Measurement: TypeAlias = Any
"""An ``opendp.mod.Measurement``, of a package that may not be installed."""

Domain: TypeAlias = Any
"""An ``opendp.mod.VectorDomain``."""

Question = Callable[[Any], Request | Searched]


@with_full_signature
def make_measurement(
    statistic: Statistic,
    *,
    domain: Domain | None = None,
    as_: Literal["pure", "zcdp"] = "pure",
    **keywords: Unpack[PricedOrPrivate],
) -> Measurement:
    """An OpenDP measurement that takes a list of numbers and releases a statistic of them.

    OpenDP requires ``dp.enable_features("contrib", "honest-but-curious")`` first, as it cannot check the privacy map.

    Args:
        statistic: The statistic, such as ``Quantile("1/2")``.
        epsilon: The loss of one person.
        rho: The same in zCDP, in place of epsilon; then ``as_`` must be ``"zcdp"``.
        neighbors: ``"add_remove"`` measures data by OpenDP's SymmetricDistance, ``"swap"`` by its ChangeOneDistance.
        contributions: The most records that one person can have. Up to this distance the privacy map gives ``epsilon``.
        domain: The vectors that it takes, by default all of float64 with missing values. Under swap it needs a size.
        as_: The currency: ``"pure"`` for OpenDP's MaxDivergence, ``"zcdp"`` for its ZeroConcentratedDivergence.

    Examples:
        >>> nws.bridges.opendp.make_measurement(nws.Quantile("1/2"), bounds=(0, 100), epsilon=1)
    """
    if as_ not in ("pure", "zcdp"):
        raise ParameterError("as_", 'must be "pure" or "zcdp"', got=describe(as_)) from None
    if getattr(statistic, "columns", 1) > 1 or getattr(statistic, "reads", "records") == "graph":
        raise ParameterError("statistic", "must read one column of numbers", got=str(statistic)) from None
    dp = borrow("opendp.prelude", extra="opendp")
    space = dp.vector_domain(dp.atom_domain(T=float)) if domain is None else domain
    if not isinstance(space, dp.VectorDomain):
        raise ParameterTypeError("domain", "must be a vector domain of OpenDP", got=describe(space)) from None
    if (held := str(space.element_domain.carrier_type)) == "String":
        raise ParameterTypeError("domain", "must hold numbers", got=f"a vector domain of {held}") from None
    size = space.size
    if as_ == "zcdp" and keywords.get("mechanism", "auto") == "auto":
        keywords["mechanism"] = Auto(pure=False)
    if as_ == "pure" and keywords.get("rho") is not None:
        raise ParameterError("as_", 'must be "zcdp" where rho is given', got=describe(as_)) from None
    terms = with_one_price(keywords)

    def question(data: object) -> Request | Searched:
        return request(statistic, data, **terms)

    of_nothing = question(range(size or 0))
    swap = of_nothing.neighbors == "swap"
    if swap and size is None:
        raise ParameterError(
            "domain", "must have a size under swap, where n is public", got="one without"
        ) from None
    return dp.m.make_user_measurement(
        input_domain=space,
        input_metric=dp.change_one_distance() if swap else dp.symmetric_distance(),
        output_measure=dp.max_divergence() if as_ == "pure" else dp.zero_concentrated_divergence(),
        function=_function(question, size if swap else None),
        privacy_map=_privacy_map(of_nothing.loss, of_nothing.contributions, as_),
    )


def _function(question: Question, size: int | None) -> Callable[[list[Any]], Any]:
    """Return a function that answers or raises an Exception. Other errors in a callback would end the process."""

    def function(records: list[Any]) -> Any:
        # under swap the size is public, and the loss was computed for it
        if size is not None and len(records) != size:
            raise SchemaError("data", f"must have the {size} records of its domain") from None
        try:
            return settle(question(records), None).value
        except (KeyboardInterrupt, SystemExit):
            pass
        raise ReleaseFailed(
            "the release was interrupted: no value was drawn, and it counts as spent"
        ) from None

    return function


def _privacy_map(loss: Loss, contributions: int, as_: str) -> Callable[[int], float]:
    def privacy_map(distance: int) -> float:
        people = -(-distance // contributions)
        group = group_loss(loss, people)
        return float_up(group.as_pure().epsilon if as_ == "pure" else group.as_zcdp().rho)

    return privacy_map
