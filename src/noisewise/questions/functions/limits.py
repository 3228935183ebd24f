"""Questions about limits: between what values a column lies, where nobody knows."""

from typing import Any, Required, TypedDict, Unpack

import numpy as np

from noisewise.columns import Neighbors
from noisewise.numbers.exact import Number
from noisewise.questions.keywords import question
from noisewise.questions.request import Payer, settle
from noisewise.questions.search import BETA, LARGEST, SMALLEST
from noisewise.releases.private_bounds import PrivateBounds
from noisewise.results.release import Release


class Unbounded(TypedDict, total=False):
    """How to ask where there are neither bounds nor a choice of mechanism."""

    epsilon: Required[Number]
    neighbors: Neighbors
    contributions: int | np.integer[Any]
    ledger: Payer | None


@question
def private_bounds(
    data: Any,
    *,
    base: int = 2,
    smallest: Number = SMALLEST,
    largest: Number = LARGEST,
    beta: Number = BETA,
    **asked: Unpack[Unbounded],
) -> Release:
    """A private pair of bounds that hold nearly all of a column of numbers, or None if there is too little data.

    The value is ready to be the ``bounds`` of other releases of the same column. Its ends are zero or signed powers of
    the base; a range of positive numbers starts at zero unless all are of one order of magnitude.

    Args:
        base: The ends are powers of this whole number. A larger base finds bounds with less data, and wider ones.
        smallest: The smallest magnitude that matters, by default 2^-32. Never read off the data.
        largest: The largest magnitude that matters, by default 2^64: records beyond are clamped. Generous costs little.
        beta: The chance that the bounds are wrong: too wide by more than a power, or blind to many records.

    Examples:
        >>> found = nws.private_bounds(incomes, epsilon=0.5)
        >>> nws.mean(incomes, bounds=found.value, epsilon=0.5)
    """
    spend: dict[str, Any] = {**asked}
    ledger = spend.pop("ledger", None)
    return settle(
        lambda: PrivateBounds.of(data, base=base, smallest=smallest, largest=largest, beta=beta, **spend),
        ledger,
    )
