"""What would the error be? Read off the law of data that is public or made up: nothing is sampled."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from noisewise.columns import Neighbors
from noisewise.exact import Number, spell
from noisewise.lattice import Bounds
from noisewise.mechanisms import Chosen
from noisewise.request import Request
from noisewise.statistics import Statistic


@dataclass(frozen=True, slots=True)
class Simulation:
    """The exact error of a release on data that is public or made up.

    Attributes:
        answer: The true answer, of records that are clamped and on the lattice.
        clamping: How far that is from the answer without the bounds: a bias that no epsilon removes.
        expected_error: The mean distance of a release from ``answer``.
        error_quantiles: The distance that a release keeps within with probability 50%, 90%, 95% and 99%.
        epsilon: What such a release costs.
    """

    statistic: str
    answer: float
    clamping: float
    expected_error: float
    error_quantiles: dict[str, float]
    epsilon: Fraction

    def __str__(self) -> str:
        quantiles = ", ".join(f"{share} within {error:,.6g}" for share, error in self.error_quantiles.items())
        return (
            f"{self.statistic} = {self.answer:,.10g} at epsilon {spell(self.epsilon)}\n"
            f"  mean error   {self.expected_error:,.6g} ({quantiles})\n"
            f"  clamping     {self.clamping:+,.6g}, before any noise"
        )


def simulate(
    statistic: Statistic,
    data: Any,
    *,
    bounds: Bounds | None = None,
    epsilon: Number,
    granularity: Number | None = None,
    neighbors: Neighbors = "add_remove",
    contributions: int = 1,
    mechanism: Chosen = "auto",
) -> Simulation:
    """The error of a release of public or synthetic data, read off its law: nothing is sampled, nothing is private.

    Never use it on private data: what it prints is not noisy.

    Args:
        statistic: What will be asked.
        data: Data of the same kind that anybody may see.
        bounds: As in the release.
        epsilon: As in the release.
        granularity: As in the release.
        neighbors: As in the release.
        contributions: As in the release.
        mechanism: As in the release.

    Examples:
        >>> print(nws.simulate(nws.Mean(), range(1000), bounds=(0, 500), epsilon=1))
    """
    asked: dict[str, Any] = {"neighbors": neighbors, "contributions": contributions}
    request = Request.of(
        statistic, data, bounds=bounds, epsilon=epsilon, granularity=granularity, mechanism=mechanism, **asked
    )
    law = request.look()
    centre = sum(law.envelope.level(0)) / 2 * float(law.granularity)
    wide = centre
    if bounds is not None and statistic.columns == 1:
        asked |= {"bounds": _everything(request), "mechanism": "piecewise_laplace"}
        free = Request.of(statistic, data, epsilon=1, **asked).look(0)
        wide = sum(free.envelope.level(0)) / 2 * float(free.granularity)
    return Simulation(
        statistic=str(statistic),
        answer=centre,
        clamping=centre - wide,
        expected_error=law.expected_error(),
        error_quantiles={
            f"{share}%": _error_quantile(law, centre, share / 100) for share in (50, 90, 95, 99)
        },
        epsilon=request.mechanism.epsilon,
    )


def _everything(request: Request) -> tuple[float, float]:
    """Bounds that hold every record as well as the bounds asked for."""
    values, mask = request.data.fetch()
    known = np.asarray(values, np.float64)
    known = known[np.isfinite(known) if mask is None else np.isfinite(known) & ~mask]
    records = request.frame.records
    ends = [float(end * records.granularity) for end in (records.low, records.high)]
    return float(known.min(initial=ends[0])), float(known.max(initial=ends[1]))


def _error_quantile(law: Any, centre: float, share: float) -> float:
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
