"""The largest variance against every way of editing small columns, and against all windows of larger ones."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from noisewise.kernel.numbers.lattice import Lattice
from noisewise.statistics.variance.variance_bound import PowerSums
from noisewise.statistics.variance.variance_upper import exact_upper
from noisewise.tables.columns import declare

RELATIONS = ["add_remove", "swap"]


def ours(x, width, relation, levels, low=0):
    column = declare([v + low for v in x]).read(Lattice(low, low + width, Fraction(1)), relation)
    return [Fraction(*ratio) for ratio in exact_upper(column, PowerSums.of(column), levels + 1)]


def variance(n, total, squares):
    return Fraction(n * squares - total**2, n * n) if n else Fraction(0)


def splits(n, relation, l):
    return (
        [(l, l)] if relation == "swap" else [(d, m) for d in range(min(l, n) + 1) for m in range(l - d + 1)]
    )


def with_bounds(kept, width, m):
    """The largest variance when m records at the bounds join those kept."""
    n, total, squares = len(kept) + m, sum(kept), sum(v * v for v in kept)
    return max(variance(n, total + t * width, squares + t * width**2) for t in range(m + 1))


def by_subsets(x, width, relation, l):
    n = len(x)
    return max(
        with_bounds(kept, width, m) for d, m in splits(n, relation, l) for kept in combinations(x, n - d)
    )


def by_windows(x, width, relation, l):
    x, n = sorted(x), len(x)
    return max(
        with_bounds(x[:i] + x[i + d :], width, m) for d, m in splits(n, relation, l) for i in range(n - d + 1)
    )


def draw(rng, n):
    width = int(rng.choice([1, 3, 20, 1000]))
    kinds = [
        rng.integers(0, width + 1, n),
        rng.integers(0, 2, n) * width,
        rng.random(n) ** 5 * width,
        width * (0.45 + 0.1 * rng.random(n)),
        np.where(rng.random(n) < 0.5, 0.1, 0.85) * width,
    ]
    x = [int(v) for v in kinds[rng.integers(len(kinds))]]
    return ([width - v for v in x] if rng.random() < 0.5 else x), width


@pytest.mark.parametrize("relation", RELATIONS)
def test_small_columns_against_all_subsets(relation):
    rng = np.random.default_rng(1)
    for _ in range(60):
        x, width = draw(rng, int(rng.integers(0, 7)))
        last = len(x) if relation == "swap" else len(x) + 1
        assert ours(x, width, relation, last) == [
            by_subsets(x, width, relation, l) for l in range(last + 1)
        ], x


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("seed", range(4))
def test_larger_columns_against_all_windows(relation, seed):
    rng = np.random.default_rng(seed + 10)
    for _ in range(6):
        x, width = draw(rng, int(rng.integers(10, 17)))
        low = int(rng.integers(-50, 50))
        assert ours(x, width, relation, 5, low) == [by_windows(x, width, relation, l) for l in range(6)], x


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("seed", range(5))
def test_records_far_from_the_means_in_reach_are_not_needed(relation, seed):
    """Columns so large that only their middle is read."""
    rng = np.random.default_rng(seed)
    kinds = [
        rng.integers(0, 10**6 + 1, 90),
        (10**6 * rng.random(90) ** 6).astype(int),
        np.where(rng.random(90) < 0.5, 100_000, 900_000) + rng.integers(0, 1000, 90),
        rng.integers(300_000, 300_100, 90),
        rng.integers(0, 2, 90) * 10**6,
    ]
    x = [int(v) for v in kinds[seed]]
    assert ours(x, 10**6, relation, 3) == [by_windows(x, 10**6, relation, l) for l in range(4)]


def test_prefix_sums_may_run_over():
    """Their differences are right all the same: 2^15 records near 2^50 sum to more than 2^63."""
    n, width = 2**15, 2**50
    x = [width - 1 - (k % 7) for k in range(n)]
    total, squares = sum(x), sum(v * v for v in x)
    assert total > 2**63
    assert ours(x, width, "swap", 1) == [
        variance(n, total, squares),
        max(variance(n, total - v, squares - v * v) for v in set(x)),
    ]


def test_a_rank_window_around_the_mean_is_not_enough():
    """The best window to remove lies near the final mean in value; in ranks it may be far from the mean's."""
    x = [3000 + k for k in range(400)]
    found = ours(x, 10_000, "swap", 3)
    assert found[3] == by_windows(x, 10_000, "swap", 3)
    n, mean = len(x), sum(x) / len(x)
    rank = sum(v < mean for v in x)
    near = [with_bounds(x[:i] + x[i + 3 :], 10_000, 3) for i in range(rank - 6, rank + 4) if 0 <= i <= n - 3]
    assert max(near) < found[3]
