"""Smooth sensitivity [Nissim, Raskhodnikova & Smith 2007]: noise by the local sensitivity, smoothed over all datasets.

    S = max over k of e^(-b*k) * LS(k)      LS(k): the most that one record moves the answer, k swaps away from the data

For the order statistic of rank m among n records that are swapped, between bounds, LS(k) is exact:

    LS(k) = max over t = 0 .. k+1 of  x[m+t] - x[m+t-k-1],       x[i] the lower bound for i < 1, the upper for i > n

Two kinds of noise. Student's t of 3 degrees is purely epsilon-DP: moving it by s scales costs at most 2*s/sqrt(3),
and stretching it by e^t at most 3*t, so b = epsilon/6 and a scale of 4*S/(sqrt(3)*epsilon) share epsilon in halves.
Laplace noise of scale 2*S/epsilon is (epsilon, delta)-DP with b = epsilon/(2 ln(2/delta)).
"""

import math

import numpy as np

from noisewise.family.comparison_law import NoiseLaw, judged, laplace_noise
from noisewise.numbers.arrays import Integers
from noisewise.questions.request import Request
from noisewise.statistics import Quantile

DELTA = 1e-6
"""The delta of Laplace noise."""

ROOT = math.sqrt(3)


def smooth_sensitivity(request: Request) -> NoiseLaw:
    """The purely private variant, by Student's t of 3 degrees."""
    epsilon = float(request.mechanism.epsilon)
    centre, ends, smooth = _of_quantile(request, epsilon / 6)
    scale = 4 * smooth / (ROOT * epsilon)
    return NoiseLaw(centre, scale, ends, student_tail, student_mean_up_to, "pure")


def smooth_sensitivity_laplace(request: Request) -> NoiseLaw:
    """The (epsilon, delta) variant, by Laplace noise."""
    epsilon = float(request.mechanism.epsilon)
    centre, ends, smooth = _of_quantile(request, epsilon / (2 * math.log(2 / DELTA)))
    return laplace_noise(centre, 2 * smooth / epsilon, ends, f"approximate, δ = {DELTA:g}")


def student_tail(far: float) -> float:
    """The chance that Student's t of 3 degrees is above a distance."""
    u = far / ROOT
    return math.atan2(1, u) / math.pi - u / (1 + u * u) / math.pi


def student_mean_up_to(far: float) -> float:
    """The integral of its tail from 0 up to a distance."""
    u = far / ROOT
    return far * student_tail(far) + ROOT / math.pi * (u * u / (1 + u * u))


def _of_quantile(request: Request, decay: float) -> tuple[float, tuple[float, float], float]:
    """The answer, its ends and the smooth sensitivity, in the unit of the answer."""
    records, rank, bounds, step = ordered_quantile("smooth sensitivity", request)
    smooth = smoothed(records, rank, bounds, decay)
    centre = int(records[rank - 1]) if records.size else bounds[0]
    return centre * step, (bounds[0] * step, bounds[1] * step), smooth * step


def ordered_quantile(name: str, request: Request) -> tuple[Integers, int, tuple[int, int], float]:
    """Sorted records, the rank of a quantile among them, the bounds and the step between answers; or a refusal."""
    judged(name, type(request.statistic) is Quantile, "a median, a quantile, a minimum or a maximum")
    judged(
        name, request.neighbors == "swap" and request.contributions == 1, "about swapped records, one each"
    )
    assert isinstance(request.statistic, Quantile)
    column = request.data.read(request.frame.records, request.neighbors)
    records, lattice = column.ordered(), column.lattice
    rank = max(1, math.ceil(request.statistic.q * records.size))
    return records, rank, (lattice.low, lattice.high), float(lattice.granularity)


def local_sensitivity(records: Integers, rank: int, bounds: tuple[int, int], distance: int) -> int:
    """The most that one swap moves the order statistic of a rank in a dataset so many swaps away. Exact."""
    ranks = rank + np.arange(distance + 2)
    return int(np.max(_at(records, ranks, bounds) - _at(records, ranks - distance - 1, bounds)))


def smoothed(records: Integers, rank: int, bounds: tuple[int, int], decay: float) -> float:
    """The smooth sensitivity; it ends where no more distant dataset could count."""
    most, widest = 0.0, bounds[1] - bounds[0]
    for distance in range(records.size + 1):
        factor = math.exp(-decay * distance)
        if factor * widest <= most:
            break
        most = max(most, factor * local_sensitivity(records, rank, bounds, distance))
    return most


def _at(records: Integers, ranks: Integers, bounds: tuple[int, int]) -> Integers:
    """The records of ranks from 1 on, the bounds beyond."""
    framed: Integers = np.concatenate([[bounds[0]], records, [bounds[1]]]).astype(np.int64)
    return framed[np.clip(ranks, 0, records.size + 1)]
