"""Any statistic, one of your own too, asked by itself."""

from datetime import timedelta
from functools import partial
from typing import Any, Literal

import numpy as np

from noisewise.columns import Neighbors
from noisewise.mechanisms import Chosen
from noisewise.numbers.exact import Number
from noisewise.numbers.lattice import SomeBounds
from noisewise.privacy.refusals import suggesting
from noisewise.questions.request import request
from noisewise.questions.settle import Payer, judge_payer, settle
from noisewise.results.release import Release
from noisewise.statistics import Statistic


def release(
    statistic: Statistic,
    data: Any,
    *,
    bounds: SomeBounds | Literal["private"] | None = None,
    epsilon: Number,
    granularity: Number | timedelta | None = None,
    neighbors: Neighbors = "add_remove",
    contributions: int | np.integer[Any] = 1,
    mechanism: Chosen = "auto",
    ledger: Payer | None = None,
    bounds_share: Number | str | None = None,
) -> Release:
    """A private answer of any statistic, one of your own too: what `median` and the other functions call.

    Args:
        statistic: What is asked, such as ``Quantile("1/2")``, or a statistic of your own.
        data: A column, or a tuple of columns where the statistic reads several.
        bounds: The lowest and highest possible value; None where the statistic needs none.
        epsilon: The privacy loss of this release.
        granularity: The spacing of possible answers.
        neighbors: ``"add_remove"`` or ``"swap"``.
        contributions: The most records one person can have; you guarantee this.
        mechanism: ``"auto"``, a mechanism's name, or a mechanism.
        ledger: Where the loss is paid from, before the data is read.
        bounds_share: The part of epsilon that finds bounds where they are ``"private"``, by default a quarter.

    Examples:
        >>> nws.release(nws.Variance(exact=False), incomes, bounds=(0, 1_000_000), epsilon=1.0)
    """
    judge_payer(ledger)
    at = partial(
        request,
        statistic,
        data,
        bounds=bounds,
        granularity=granularity,
        neighbors=neighbors,
        contributions=contributions,
        mechanism=mechanism,
        bounds_share=bounds_share,
    )
    with suggesting(epsilon, lambda other: at(epsilon=other)):
        return settle(at(epsilon=epsilon), ledger)
