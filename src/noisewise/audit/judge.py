"""How far costs and probabilities move between neighbours, over a whole world of small datasets."""

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
"""How far float64 probabilities may be off; the costs themselves are compared as Fractions."""

AT_ONCE = 1 << 20
"""How many outcomes of neighbours are compared in one array."""

AnyLaw = TypeVar("AnyLaw", Law, Law | BalanceLaw)
Move = tuple[Fraction | float, Dataset, Dataset]
Rows = tuple[list[tuple[Dataset, Dataset]], NDArray[np.intp], NDArray[np.intp]]


def outcomes(law: Law | BalanceLaw) -> list[Any]:
    """Every value of a bounded support; of an unbounded one, enough of it to hold three strides beyond the levels."""
    first, last, granularity = _span(law)
    return [k * granularity for k in range(first, last + 1)]


def numbers(values: list[Any]) -> Any:
    """The same values as a float64 array where it holds them exactly: many are then looked up at once."""
    floats = np.array(values, np.float64)
    return floats if all(Fraction(f) == v for f, v in zip(floats.tolist(), values, strict=True)) else values


def distinct(laws: Mapping[Dataset, AnyLaw]) -> dict[Hashable, AnyLaw]:
    """The laws without repetition: many datasets of a small world have the same one, which is read once."""
    return {_content(law): law for law in laws.values()}


def worst_move(laws: dict[Dataset, Law], world: World) -> Move:
    """The largest change of an outcome's cost between neighbours, and where. Infinite where a support changes."""
    values = _all_outcomes(laws)
    costs = {key: list(read_law(law).cost(values)) for key, law in distinct(laws).items()}
    return worst_gap({x: costs[_content(law)] for x, law in laws.items()}, world)


def worst_gap(table: dict[Dataset, list[Fraction | float]], world: World) -> Move:
    """The same for costs written down by hand, one list per dataset over the same outcomes."""
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
    """For each two neighbours the least and the greatest log ratio of probabilities over all outcomes."""
    values = _all_outcomes(laws)
    logs = {key: read_law(law).logpmf(values) for key, law in distinct(laws).items()}
    table = np.array([logs[_content(law)] for law in laws.values()])
    ratios: list[tuple[float, float, Dataset, Dataset]] = []
    for pairs, near, far in _rows_of_pairs(list(laws), world, table.shape[1]):
        with np.errstate(invalid="ignore"):  # what neither of them ever draws has no ratio
            ratio = np.where(table[near] == table[far], 0.0, table[near] - table[far])
        ends = zip(np.min(ratio, axis=1).tolist(), np.max(ratio, axis=1).tolist(), pairs, strict=True)
        ratios += [(low, high, *pair) for low, high, pair in ends]
    return ratios


def _content(law: Law | BalanceLaw) -> Hashable:
    """All that a law is made of, or which one it is."""
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
    """Every outcome of any of the laws, in order."""
    spans = {_span(law): law for law in laws.values()}
    return numbers(sorted({value for law in spans.values() for value in outcomes(law)}))


def _rows_of_pairs(datasets: list[Dataset], world: World, width: int) -> Iterator[Rows]:
    """Neighbours, and the rows of both in a table of so many columns, in parts that fit into memory."""
    rows, pairs = {x: row for row, x in enumerate(datasets)}, list(world.pairs())
    most = max(1, AT_ONCE // max(1, width))
    for start in range(0, len(pairs), most):
        part = pairs[start : start + most]
        near, far = np.array([(rows[x], rows[y]) for x, y in part], np.intp).T
        yield part, near, far


def worst_range(laws: Mapping[Dataset, Law | BalanceLaw], world: World) -> float:
    """max - min of the log ratio: what bounded range bounds."""
    return max(high - low for low, high, _, _ in log_ratios(laws, world))


def worst_ratio(laws: Mapping[Dataset, Law | BalanceLaw], world: World) -> float:
    """max |log ratio|: what pure differential privacy bounds."""
    return max(max(-low, high) for low, high, _, _ in log_ratios(laws, world))
