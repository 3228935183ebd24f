"""R² against its naive definition, on every small dataset of rows, and its bounds of SSE and SST against slow ones."""

import math
from fractions import Fraction
from itertools import combinations, combinations_with_replacement
from typing import Any

import numpy as np
import pytest

from noisewise import ParameterError, ParameterTypeError
from noisewise.audit.worlds import Dataset
from noisewise.statistics import r2
from noisewise.statistics.r2 import R2
from tests.statistics.rows import RowLaws, assert_random_neighbours_nest, envelope

PAIRS: dict[int, tuple[Any, Any]] = {
    0: (0, 0),
    1: (4, 4),
    2: (0, 4),
    3: (2, 3),
    4: (4, 1),
    5: (1, 1),
    6: (0.4, 1.7),
    7: (math.inf, 3.1),
    -1: (None, 2),
    -2: (1, None),
}


def spread(y: Any) -> Fraction:
    """Squared distances from the mean."""
    centre = Fraction(sum(y), len(y)) if y else 0
    return sum(((v - centre) ** 2 for v in y), Fraction(0))


def naive(x: Dataset, floor: Any = -1) -> Fraction:
    rows = [PAIRS[int(code)] for code in x]
    sse, sst = sum((y - p) ** 2 for y, p in rows), spread([y for y, _ in rows])
    return max(1 - sse / sst, Fraction(floor)) if sst else Fraction(floor)


class TestR2(RowLaws):
    statistic = R2()
    exact = False
    pairs = PAIRS
    domain = (0, 1, 2, 3)
    records = (-2, 0, 1, 6, 7)
    granularities = (Fraction(1, 2), Fraction(1, 12), Fraction(1, 3))
    answer = staticmethod(naive)


class TestR2OfZeroToOne(TestR2):
    statistic = R2(0)
    domain = (1, 2, 4, 5)
    records = (-1, 2, 6, 7)
    most = 3
    answer = staticmethod(lambda x: naive(x, 0))


def truth_of(y: list[int], width: int) -> Any:
    return r2._Truth(len(y), sum(y), sum(v * v for v in y), width)


def test_the_bounds_of_the_spread_hold() -> None:
    for y in combinations_with_replacement((0, 1, 3, 5, 8), 4):
        truth = truth_of(list(y), 8)
        assert Fraction(*truth.with_added(0)) == Fraction(*truth.with_removed(0)) == spread(y)
        for l in range(1, 4):
            most = max(spread((*y, *more)) for more in combinations_with_replacement((0, 8), l))
            assert most <= Fraction(*truth.with_added(l)) <= most + 16  # a part of a record is no record
            least = min(spread(kept) for kept in combinations(y, 4 - l))
            assert Fraction(*truth.with_removed(l)) <= least
        assert truth.with_removed(4) == truth.with_removed(9) == (0, 1)


def test_the_bounds_of_the_spread_are_concave() -> None:
    """What lets the worst edits be of one kind, and the best ones be found by bisection."""
    rng = np.random.default_rng(0)
    for _ in range(50):
        y = (rng.beta(*rng.uniform(0.2, 3, 2), 60) * 1000).astype(int).tolist()
        truth = truth_of(y, 1000)
        for bound in (truth.with_added, truth.with_removed):
            values = [Fraction(*bound(l)) for l in range(40)]
            assert all(a + c <= 2 * b for a, b, c in zip(values, values[1:], values[2:], strict=False)), (
                bound.__name__
            )


def test_the_best_and_worst_edits_are_found() -> None:
    rng = np.random.default_rng(1)
    for _ in range(150):
        n, width = int(rng.integers(1, 60)), 1000
        y = (rng.beta(*rng.uniform(0.2, 3, 2), n) * width).astype(int).tolist()
        apart = np.sort(np.minimum(np.abs(rng.standard_cauchy(n)) * rng.choice([0, 1, 99]), width)).astype(
            int
        )
        total = int(np.sum(apart**2))
        without = [total - int(np.sum(apart[n - d :] ** 2)) for d in range(n + 1)]
        errors, truth = r2._Errors(total, without, []), truth_of(y, width)
        for l in range(n + 1):
            worst, best = r2._added_or_removed(errors, truth, l)
            every_worst = [score(total + (l - d) * width**2, truth.with_removed(d)) for d in range(l + 1)]
            assert min(score(*each) for each in worst) == min(every_worst)
            assert score(*best) == max(score(without[d], truth.with_added(l - d)) for d in range(l + 1))


def score(sse: int, sst: tuple[int, int]) -> Fraction:
    return max(1 - sse / Fraction(*sst), Fraction(-1)) if sst[0] > 0 else Fraction(-1)


@pytest.mark.parametrize("noise", [0.0, 0.1, 1.0, 50.0])
def test_larger_data_nest(noise: float) -> None:
    def rows(rng: np.random.Generator, n: int) -> Any:
        y = rng.gamma(2.0, size=n)
        return np.stack([y, y + noise * rng.standard_cauchy(n)], axis=1)

    assert_random_neighbours_nest(R2(), rows, (1, 2, 9, 60, 250), bounds=(0, 10))


def test_the_answer_is_that_of_the_formula() -> None:
    rng = np.random.default_rng(3)
    y = rng.normal(10, 2, 5000)
    p = y + rng.normal(size=5000)
    expected = 1 - np.sum((y - p) ** 2) / np.sum((y - np.mean(y)) ** 2)
    for relation in ("add_remove", "swap"):
        low, high = envelope(R2(), y, p, relation, bounds=(-100, 100)).level(0)
        assert low == high
        assert math.isclose(low * R2().frame((-100, 100), None).answers.granularity, expected, abs_tol=1e-6)


@pytest.mark.parametrize("relation", ["add_remove", "swap"])
@pytest.mark.parametrize(("y", "p"), [([], []), ([3], [3]), ([5, 5, 5], [5, 5, 5]), ([-9, -9], [1, 2])])
def test_what_does_not_vary_is_at_the_floor(y: list[int], p: list[int], relation: str) -> None:
    asked = {"bounds": (0, 9), "granularity": Fraction(1, 8)}
    assert envelope(R2(), y, p, relation, **asked).level(0) == (-8, -8)
    assert envelope(R2(-0.5), y, p, relation, **asked).level(0) == (-4, -4)


def test_far_and_fine_bounds_stay_exact() -> None:
    """Indices up to 2^51 from zero, squares of differences up to 2^66."""
    base = 1e9
    y, p = base + np.array([0.0, 0.25, 1.0]), base + np.array([0.0, 0.5, 1.0])
    sse, sst = Fraction(1, 16), spread([Fraction(0), Fraction(1, 4), Fraction(1)])
    ours = envelope(R2(), y, p, "swap", bounds=(base, base + 1), granularity=Fraction(1, 10**6))
    assert ours.level(0) == ((1 - sse / sst) * 10**6 // 1,) * 2


def test_the_floor_is_judged() -> None:
    assert [str(R2()), str(R2(0)), str(R2(-2.5))] == ["r2", "r2(floor=0)", "r2(floor=-2.5)"]
    for wrong in (0.1, 1, -1_000_001, math.nan, -math.inf):
        with pytest.raises(ParameterError, match="floor must be"):
            R2(wrong)
    for odd in (None, "0", True):
        with pytest.raises(ParameterTypeError, match="floor must be a real number"):
            R2(odd)  # type: ignore[arg-type]
