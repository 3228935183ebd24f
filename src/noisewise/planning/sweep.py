"""A question at several prices: what each epsilon or rho, number of contributions and granularity would buy."""

from collections.abc import Iterable, Sized
from fractions import Fraction
from itertools import product
from typing import Any, Literal, Unpack

from noisewise.errors import ParameterError, ParameterTypeError
from noisewise.kernel.numbers.exact import Number, describe, exact_epsilon, exact_rho
from noisewise.planning.asked import Asked, Said
from noisewise.planning.plan import CONFIDENCE, Assumed, planned
from noisewise.planning.plan_table import Sweep
from noisewise.planning.shapes import Shape
from noisewise.questions.keywords import Unpriced, with_open_signature

EPSILONS = (0.1, 0.2, 0.5, 1, 2, 5)

MOST = 1000
"""The most plans of one sweep."""


@with_open_signature
def sweep(
    statistic: Said,
    *arguments: Any,
    epsilons: Iterable[Number] | None = None,
    rhos: Iterable[Number] | None = None,
    confidence: Number = CONFIDENCE,
    size: int | None = None,
    shape: Shape | None = None,
    groups: int | Sized | None = None,
    per_group: int | None = None,
    max_groups: int | None = None,
    **keywords: Unpack[Unpriced],
) -> Sweep:
    """A table of plans, one for each combination of an epsilon or a rho, a number of contributions and a granularity.

    It looks at no data. ``print(sweep)`` prints the table, ``sweep.rows`` holds it, and ``sweep.plot()`` draws it.

    Args:
        statistic: What will be asked, in any of the ways that `plan` takes.
        arguments: The question's own arguments, such as the q of a quantile.
        epsilons: The privacy losses to compare. By default 0.1 to 5.
        rhos: Prices in zero-concentrated differential privacy to compare, instead of ``epsilons``.
        granularity: The spacing of possible answers, or a list of spacings to compare.
        contributions: The most records one person can have, or a list of such numbers to compare.
        confidence: The probability that each guarantee holds.
        size: How many records there are, as for `plan`.
        shape: What the records are like, as for `plan`.
        groups: The number of groups, or the groups, if it is asked in groups, as for `plan`.
        per_group: The most records of one person in one group, as for `plan`.
        max_groups: The most groups of one person, as for `plan`.

    Examples:
        >>> print(nws.sweep("median", bounds=(0, 1_000_000), granularity=[1, 100, 1000]))
    """
    given: dict[str, Any] = dict(keywords)
    price, prices = prices_in(epsilons, rhos)
    lists = {
        name: numbers_in(name, given[name])
        for name in ("contributions", "granularity")
        if _is_list(given.get(name))
    }
    rows = [dict(zip((price, *lists), values, strict=True)) for values in product(prices, *lists.values())]
    if len(rows) > MOST:
        raise ParameterError("a sweep", f"must have at most {MOST:,} plans", got=f"{len(rows):,}") from None
    assumed = Assumed.of(confidence, size, shape, groups, (per_group, max_groups))
    plans = [
        planned(Asked.of("sweep", statistic, arguments, {**given, **row}, confidence), assumed)
        for row in rows
    ]
    return Sweep(tuple(rows), tuple(plans))


def prices_in(epsilons: object, rhos: object) -> tuple[Literal["epsilon", "rho"], tuple[Fraction, ...]]:
    """Return which price is varied, and its values. Raises if both are given, or if one of them is no price."""
    if epsilons is not None and rhos is not None:
        raise ParameterError("rhos", "must be left out where there are epsilons") from None
    if rhos is None:
        given = numbers_in("epsilons", EPSILONS if epsilons is None else epsilons)
        return "epsilon", tuple(map(exact_epsilon, given))
    return "rho", tuple(map(exact_rho, numbers_in("rhos", rhos)))


def numbers_in(name: str, given: object) -> list[Any]:
    """The numbers in a list. Raises if the list is empty."""
    numbers = list(given) if isinstance(given, Iterable) and _is_list(given) else []
    if not numbers:
        raise ParameterTypeError(
            name, "must be a list of numbers such as [0.1, 1]", got=describe(given)
        ) from None
    return numbers


def _is_list(given: object) -> bool:
    return isinstance(given, Iterable) and not isinstance(given, (str, bytes))
