"""The judge: how far costs and probabilities move between neighbours, over a whole world."""

import math
from fractions import Fraction
from typing import Any

import numpy as np

from noisewise.laws.law import Law
from noisewise.testing.worlds import Dataset, World

FLOAT = 1e-9
"""What float64 probabilities may err; the costs themselves are compared in Fractions."""

Move = tuple[Fraction | float, Dataset, Dataset]


def outcomes(law: Law) -> list[Any]:
    """Every value of a bounded support; of an unbounded one, enough of it to hold three strides beyond the levels."""
    low, high = law.clamp or law.envelope.support
    beyond = 3 * (law.envelope.stride or 0)
    first = int(law.envelope.lower.min()) - beyond if low is None else low
    last = int(law.envelope.upper.max()) + beyond if high is None else high
    return [k * law.granularity for k in range(first, last + 1)]


def worst_move(laws: dict[Dataset, Law], world: World) -> Move:
    """The largest change of an outcome's cost between neighbours, and where. Infinite where a support changes."""
    values = sorted({v for law in laws.values() for v in outcomes(law)})
    return worst_gap({x: list(law.cost(values)) for x, law in laws.items()}, world)


def worst_gap(table: dict[Dataset, list[Fraction | float]], world: World) -> Move:
    """The same for costs written down by hand, one list per dataset over the same outcomes."""
    worst: Move = (Fraction(0), (), ())
    for x, y in world.pairs():
        move = max((_gap(a, b) for a, b in zip(table[x], table[y], strict=True)), default=Fraction(0))
        worst = max(worst, (move, x, y), key=lambda found: found[0])
    return worst


def _gap(a: Any, b: Any) -> Any:
    if math.inf in (a, b):
        return Fraction(0) if a == b else math.inf
    return abs(a - b)


def log_ratios(laws: dict[Dataset, Law], world: World) -> list[tuple[float, float, Dataset, Dataset]]:
    """For each two neighbours the least and the greatest log ratio of probabilities over all outcomes."""
    values = sorted({v for law in laws.values() for v in outcomes(law)})
    table = {x: law.logpmf(values) for x, law in laws.items()}
    found = []
    for x, y in world.pairs():
        with np.errstate(invalid="ignore"):  # what neither of them ever draws has no ratio
            ratio = np.where(table[x] == table[y], 0.0, table[x] - table[y])
        found.append((float(np.min(ratio)), float(np.max(ratio)), x, y))
    return found


def worst_range(laws: dict[Dataset, Law], world: World) -> float:
    """max - min of the log ratio: what bounded range bounds."""
    return max(high - low for low, high, _, _ in log_ratios(laws, world))


def worst_ratio(laws: dict[Dataset, Law], world: World) -> float:
    """max |log ratio|: what pure differential privacy bounds."""
    return max(max(-low, high) for low, high, _, _ in log_ratios(laws, world))
