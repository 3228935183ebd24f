"""The same questions put to OpenDP and diffprivlib, whose errors are sampled. Each is optional.

OpenDP: sums and counts with Laplace noise; a mean is a sum over a count at half of epsilon each, or, where n is public,
its mean; a variance needs n and is told it; a quantile is a noisy choice among the points of our lattice, or 20,001 of
them, and is told n where it is public. What leaves a public range is moved into it.

diffprivlib: the function of that name. It takes n to be public throughout, so that what it promises holds between data
of the same size, and there is no count to ask for.
"""

import importlib
import time
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np
from columns import Floats
from reporting import installed

MEDIAN, NINTH = "median", "quantile(0.9)"
QUANTILES = {MEDIAN: 0.5, NINTH: 0.9}
PATIENCE = 1.0
"""Seconds after which no more is drawn than must be."""
CANDIDATES = 20_001
"""No quantile is chosen among more."""

Answer = Callable[[], float]


class Asked(NamedTuple):
    """A statistic of a column by its name, and what is public: bounds, the lattice, maybe n."""

    statistic: str
    values: Floats
    bounds: tuple[float, float]
    step: float
    epsilon: float
    swap: bool = False


def answers(asked: Asked, names: Iterable[str]) -> dict[str, Answer]:
    """How each of these rivals that is installed and knows the statistic answers."""
    known = {name: RIVALS[name](asked) for name in names if installed(name)}
    return {name: answer for name, answer in known.items() if answer is not None}


def sampled(answer: Answer, truth: float, least: int, most: int) -> tuple[float | None, int]:
    """The mean distance from the truth, and over how many draws; None and 0 if a draw fails."""
    found, start = list[float](), time.perf_counter()
    while len(found) < least or (len(found) < most and time.perf_counter() - start < PATIENCE):
        try:
            found.append(abs(float(answer()) - truth))
        except RuntimeError:
            return None, 0
    return float(np.mean(found)), len(found)


def opendp(asked: Asked) -> Answer | None:
    dp = importlib.import_module("opendp.prelude")
    dp.enable_features("contrib")
    values, (low, high), n = asked.values, map(float, asked.bounds), asked.values.size
    numbers, distance = dp.atom_domain(T=float, nan=False), dp.symmetric_distance()
    space = dp.vector_domain(numbers), distance
    clamped = space >> dp.t.then_clamp((low, high))
    sized = clamped >> dp.t.then_resize(n, constant=low)

    def noisy(query: Any, epsilon: float = asked.epsilon) -> Answer:
        return _spent(dp, lambda scale: query >> dp.m.then_laplace(scale), epsilon, values)

    def within(answer: Answer, least: float, greatest: float) -> Answer:
        return lambda: min(max(answer(), least), greatest)

    match asked.statistic:
        case "count":
            return noisy(space >> dp.t.then_count())
        case "sum":
            return noisy(clamped >> dp.t.then_sum())
        case "mean" | "proportion" if asked.swap:
            return within(noisy(sized >> dp.t.then_mean()), low, high)
        case "mean" | "proportion":
            total = noisy(clamped >> dp.t.then_sum(), asked.epsilon / 2)
            count = noisy(space >> dp.t.then_count(), asked.epsilon / 2)
            return within(lambda: total() / max(count(), 1), low, high)
        case "variance":
            return within(noisy(sized >> dp.t.then_variance(ddof=0)), 0, (high - low) ** 2 / 4)
        case name if name in QUANTILES:
            steps = round((high - low) / asked.step)
            points = np.linspace(low, high, min(steps + 1, CANDIDATES)).tolist()
            domain = dp.vector_domain(numbers, size=n) if asked.swap else space[0]
            return _spent(
                dp,
                lambda scale: dp.m.make_private_quantile(
                    domain, distance, dp.max_divergence(), points, QUANTILES[name], scale
                ),
                asked.epsilon,
                values,
                2 if asked.swap else 1,
            )
    return None


def _spent(dp: Any, make: Callable[[float], Any], epsilon: float, values: Floats, changes: int = 1) -> Answer:
    """The measurement whose scale costs so much when one record is added or removed; a swap is two such changes."""
    measurement = make(dp.binary_search_param(make, d_in=changes, d_out=epsilon))
    return lambda: float(measurement(values))


def diffprivlib(asked: Asked) -> Answer | None:
    tools = importlib.import_module("diffprivlib").tools
    functions = {"sum": "sum", "mean": "mean", "proportion": "mean", "variance": "var", "std": "std"}
    values, public = asked.values, {"epsilon": asked.epsilon, "bounds": asked.bounds}
    if asked.statistic in QUANTILES:
        return lambda: float(tools.quantile(values, QUANTILES[asked.statistic], **public))
    if asked.statistic not in functions:
        return None
    function = getattr(tools, functions[asked.statistic])
    return lambda: float(function(values, **public))


RIVALS = {"opendp": opendp, "diffprivlib": diffprivlib}
