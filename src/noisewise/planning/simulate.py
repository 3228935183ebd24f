"""What would the error be? Computed from the law of data that is public or made up: nothing is sampled.

The result holds the answer without noise, so its name, its text and its field ``private`` say that it is not private.
"""

from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any, ClassVar, Literal, Unpack

import numpy as np

from noisewise.errors import ParameterError
from noisewise.laws.balance_law import BalanceLaw
from noisewise.laws.law import Law
from noisewise.mechanisms import Balance, Chosen
from noisewise.numbers.exact import spell
from noisewise.questions.keywords import Priced, with_full_signature
from noisewise.questions.request import Request
from noisewise.statistics import Statistic


@dataclass(frozen=True, slots=True, repr=False)
class NotPrivateSimulation:
    """Not private: the exact error of a release on data that is public or made up, and its answer without noise.

    Attributes:
        private: Always False: nothing here is noisy, and nothing was paid for it.
        answer: The true answer without noise, of records that are clamped and on the lattice.
        clamping: How far that is from the answer without the bounds: a bias that no epsilon removes. None where there
            are no bounds, or where the statistic has no answer without them.
        expected_error: The mean distance of a release from ``answer``.
        error_quantiles: How far a release is from ``answer`` at most, with probability 50%, 90%, 95% and 99%.
        epsilon: What such a release costs.
    """

    private: ClassVar[Literal[False]] = False
    statistic: str
    answer: float
    clamping: float | None
    expected_error: float
    error_quantiles: dict[str, float]
    epsilon: Fraction

    def __repr__(self) -> str:
        values = ", ".join(f"{each.name}={getattr(self, each.name)!r}" for each in fields(self))
        return f"not private: {type(self).__name__}({values})"

    def __str__(self) -> str:
        quantiles = ", ".join(f"{share} within {error:,.6g}" for share, error in self.error_quantiles.items())
        lines = [
            f"not private: {self.statistic} = {self.answer:,.10g} at epsilon {spell(self.epsilon)}",
            f"  mean error   {self.expected_error:,.6g} ({quantiles})",
        ]
        if self.clamping is not None:
            lines.append(f"  clamping     {self.clamping:+,.6g}, by the bounds, before any noise")
        return "\n".join(lines)


@with_full_signature
def simulate(statistic: Statistic, data: Any, **keywords: Unpack[Priced]) -> NotPrivateSimulation:
    """Not private: the error of a release of public or synthetic data, read off its law. Nothing is sampled.

    Never use it on private data: the result holds the answer without noise, and says of itself that it is not private.

    Args:
        statistic: What will be asked.
        data: Data of the same kind that anybody may see.

    Examples:
        >>> print(nws.simulate(nws.Mean(), range(1000), bounds=(0, 500), epsilon=1))
    """
    request = Request.of(statistic, data, **keywords)
    law = request.look()
    centre = _centre(law)
    unbounded = request.bounds is None or statistic.columns > 1 or statistic.reads != "records"
    free = None if unbounded else _without_bounds(request, data, keywords)
    return NotPrivateSimulation(
        statistic=str(statistic),
        answer=centre,
        clamping=None if free is None else centre - free,
        expected_error=law.expected_error(),
        error_quantiles={
            f"{share}%": _error_quantile(law, centre, share / 100) for share in (50, 90, 95, 99)
        },
        epsilon=request.mechanism.epsilon,
    )


def _centre(law: Law | BalanceLaw) -> float:
    return float(law.centre * law.granularity)


def _without_bounds(request: Request, data: Any, keywords: Priced) -> float | None:
    """The answer between bounds that hold every record; None where the question cannot be asked between such."""
    values, mask = request.data.fetch()
    known = np.asarray(values, np.float64)
    known = known[~np.isnan(known) if mask is None else ~np.isnan(known) & ~mask]
    records = request.frame.records
    low, high = (float(end * records.granularity) for end in (records.low, records.high))
    bounds = float(known.min(initial=low)), float(known.max(initial=high))
    try:
        scored = isinstance(request.mechanism, Balance)
        mechanism: Chosen = "balance" if scored else "piecewise_laplace"
        at_any_price: Priced = {**keywords, "bounds": bounds, "epsilon": 1, "mechanism": mechanism}
        return _centre(Request.of(request.statistic, data, **at_any_price).look(0))
    except ParameterError:
        return None


def _error_quantile(law: Law | BalanceLaw, centre: float, share: float) -> float:
    """The least distance that holds this share of the probability, by bisection on the lattice."""
    step = float(law.granularity)

    def held(steps: int) -> bool:
        return bool(law.cdf(centre + steps * step) - law.cdf(centre - (steps + 1) * step) >= share)

    high = 1
    while not held(high) and high < 2**60:
        high *= 2
    low = 0
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if held(middle) else (middle + 1, high)
    return low * step
