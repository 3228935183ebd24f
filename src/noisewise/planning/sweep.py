"""A question at several prices: what each epsilon, number of contributions and granularity would buy."""

from collections.abc import Iterable, Sized
from itertools import product
from typing import Any, Unpack

from noisewise.errors import ParameterError, ParameterTypeError
from noisewise.kernel.numbers.exact import Number, describe, exact_epsilon
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
    epsilons: Iterable[Number] = EPSILONS,
    confidence: Number = CONFIDENCE,
    size: int | None = None,
    shape: Shape | None = None,
    groups: int | Sized | None = None,
    **keywords: Unpack[Unpriced],
) -> Sweep:
    """A table of plans, one for each combination of an epsilon, a number of contributions and a granularity.

    It looks at no data. ``print(sweep)`` prints the table, ``sweep.rows`` holds it, and ``sweep.plot()`` draws it.

    Args:
        statistic: What will be asked, in any of the ways that `plan` takes.
        arguments: The question's own arguments, such as the q of a quantile.
        epsilons: The privacy losses to compare.
        granularity: The spacing of possible answers, or a list of spacings to compare.
        contributions: The most records one person can have, or a list of such numbers to compare.
        confidence: The probability that each guarantee holds.
        size: How many records there are, as for `plan`.
        shape: What the records are like, as for `plan`.
        groups: The number of groups, or the groups, if it is asked in groups, as for `plan`.

    Examples:
        >>> print(nws.sweep("median", bounds=(0, 1_000_000), granularity=[1, 100, 1000]))
    """
    given: dict[str, Any] = dict(keywords)
    prices = numbers_in("epsilons", epsilons)
    lists = {
        name: numbers_in(name, given[name])
        for name in ("contributions", "granularity")
        if _is_list(given.get(name))
    }
    rows = [
        dict(zip(("epsilon", *lists), values, strict=True))
        for values in product(map(exact_epsilon, prices), *lists.values())
    ]
    if len(rows) > MOST:
        raise ParameterError("a sweep", f"must have at most {MOST:,} plans", got=f"{len(rows):,}") from None
    assumed = Assumed.of(confidence, size, shape, groups)
    plans = [
        planned(Asked.of("sweep", statistic, arguments, {**given, **row}, confidence), assumed)
        for row in rows
    ]
    return Sweep(tuple(rows), tuple(plans))


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
