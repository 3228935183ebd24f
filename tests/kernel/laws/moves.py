"""How far costs and probabilities move between neighbours, for all datasets of a small world."""

import math
from collections.abc import Hashable, Iterator, Mapping
from fractions import Fraction
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from noisewise.audit.worlds import Dataset, World
from noisewise.kernel.laws.balance_law import BalanceLaw
from noisewise.kernel.laws.law import Law
from noisewise.planning.readings.read_law import read_law

FLOAT = 1e-9
"""The largest error of a float64 log ratio. Costs have none: they are compared as Fractions."""

AT_ONCE = 1 << 20
"""The most outcomes that are compared in one array."""

AnyLaw = TypeVar("AnyLaw", Law, Law | BalanceLaw)
Move = tuple[Fraction | float, Dataset, Dataset]
Rows = tuple[list[tuple[Dataset, Dataset]], NDArray[np.intp], NDArray[np.intp]]


def outcomes(law: Law | BalanceLaw) -> list[Any]:
    """All values of a bounded support; of an unbounded one, those up to three strides beyond the levels."""
    first, last, granularity = _span(law)
    return [k * granularity for k in range(first, last + 1)]


def numbers(values: list[Any]) -> Any:
    """The values as a float64 array if it holds them exactly, since a law reads an array faster."""
    floats = np.array(values, np.float64)
    return floats if all(Fraction(f) == v for f, v in zip(floats.tolist(), values, strict=True)) else values


def distinct(laws: Mapping[Dataset, AnyLaw]) -> dict[Hashable, AnyLaw]:
    """Each different law once: many datasets of a small world have the same one."""
    return {_content(law): law for law in laws.values()}


def worst_move(laws: dict[Dataset, Law], world: World) -> Move:
    """The largest change of an outcome's cost between neighbours, and these two. Infinite if their supports differ."""
    values = _all_outcomes(laws)
    costs = {key: list(read_law(law).cost(values)) for key, law in distinct(laws).items()}
    return worst_gap({x: costs[_content(law)] for x, law in laws.items()}, world)


def worst_gap(table: dict[Dataset, list[Fraction | float]], world: World) -> Move:
    """`worst_move` of costs in a table: a list of costs for each dataset, over the same outcomes."""
    finite = {x: [Fraction(0 if cost == math.inf else cost) for cost in costs] for x, costs in table.items()}
    common = math.lcm(*(cost.denominator for costs in finite.values() for cost in costs))
    small = all(abs(cost) * common < 2**62 for costs in finite.values() for cost in costs)
    steps = np.array(
        [[int(cost * common) for cost in costs] for costs in finite.values()], np.int64 if small else object
    )
    endless = np.array([[cost == math.inf for cost in costs] for costs in table.values()], np.bool_)
    worst: Move = (Fraction(0), (), ())
    width = len(next(iter(table.values()), ()))
    for pairs, near, far in _rows_of_pairs(list(table), world, width):
        gaps = np.max(np.abs(steps[near] - steps[far]) * (endless[near] == endless[far]), axis=1, initial=0)
        moves = np.where(np.any(endless[near] != endless[far], axis=1), -1, gaps)
        at = int(np.argmin(moves)) if np.any(moves < 0) else int(np.argmax(moves))
        move = math.inf if moves[at] < 0 else Fraction(int(moves[at]), common)
        worst = max(worst, (move, *pairs[at]), key=lambda each: each[0])
    return worst


def log_ratios(
    laws: Mapping[Dataset, Law | BalanceLaw], world: World
) -> list[tuple[float, float, Dataset, Dataset]]:
    """For each pair of neighbours the smallest and the largest log ratio of probabilities."""
    values = _all_outcomes(laws)
    logs = {key: read_law(law).logpmf(values) for key, law in distinct(laws).items()}
    table = np.array([logs[_content(law)] for law in laws.values()])
    ratios: list[tuple[float, float, Dataset, Dataset]] = []
    for pairs, near, far in _rows_of_pairs(list(laws), world, table.shape[1]):
        with np.errstate(invalid="ignore"):  # an outcome that neither of them draws has no ratio
            ratio = np.where(table[near] == table[far], 0.0, table[near] - table[far])
        ends = zip(np.min(ratio, axis=1).tolist(), np.max(ratio, axis=1).tolist(), pairs, strict=True)
        ratios += [(low, high, *pair) for low, high, pair in ends]
    return ratios


def _content(law: Law | BalanceLaw) -> Hashable:
    """A key that equal laws share."""
    if isinstance(law, BalanceLaw):
        return id(law)
    of = law.envelope
    levels = of.lower.tobytes(), of.upper.tobytes(), of.offsets.tobytes(), of.support, of.stride
    return *levels, law.rate, law.graded, law.granularity, law.clamp, law.nearest


def _span(law: Law | BalanceLaw) -> tuple[int, int, Fraction]:
    if isinstance(law, BalanceLaw):
        return *law.ends, law.granularity
    low, high = law.ends
    beyond = 3 * (law.envelope.stride or 0)
    first = int(law.envelope.lower.min()) - beyond if low is None else low
    last = int(law.envelope.upper.max()) + beyond if high is None else high
    return first, last, law.granularity


def _all_outcomes(laws: Mapping[Dataset, Law | BalanceLaw]) -> Any:
    """The outcomes of all laws, sorted."""
    spans = {_span(law): law for law in laws.values()}
    return numbers(sorted({value for law in spans.values() for value in outcomes(law)}))


def _rows_of_pairs(datasets: list[Dataset], world: World, width: int) -> Iterator[Rows]:
    """Pairs of neighbours and their rows in a table of ``width`` columns, in parts that fit in memory."""
    rows, pairs = {x: row for row, x in enumerate(datasets)}, list(world.pairs())
    most = max(1, AT_ONCE // max(1, width))
    for start in range(0, len(pairs), most):
        part = pairs[start : start + most]
        near, far = np.array([(rows[x], rows[y]) for x, y in part], np.intp).T
        yield part, near, far


def worst_range(laws: Mapping[Dataset, Law | BalanceLaw], world: World) -> float:
    """The largest range of a log ratio, its maximum minus its minimum. A loss of bounded range bounds it."""
    return max(high - low for low, high, _, _ in log_ratios(laws, world))


def worst_ratio(laws: Mapping[Dataset, Law | BalanceLaw], world: World) -> float:
    """The largest absolute log ratio. Pure differential privacy bounds it."""
    return max(max(-low, high) for low, high, _, _ in log_ratios(laws, world))
