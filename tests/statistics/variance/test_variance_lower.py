"""The smallest variance against every way of editing small columns, added records anywhere, and against all windows."""

from fractions import Fraction
from itertools import chain, combinations, combinations_with_replacement, islice, repeat

import numpy as np
import pytest

from noisewise.kernel.numbers.lattice import Lattice
from noisewise.statistics.variance.variance_bound import PowerSums
from noisewise.statistics.variance.variance_lower import _diluted, exact_lower
from noisewise.tables.columns import declare

RELATIONS = ["add_remove", "swap"]


def ours(x, width, relation, levels, low=0):
    column = declare([v + low for v in x]).read(Lattice(low, low + width, Fraction(1)), relation)
    found = chain(exact_lower(column, PowerSums.of(column), levels + 1), repeat((0, 1)))
    return [Fraction(*ratio) for ratio in islice(found, levels + 1)]


def spread(x):
    return sum(v * v for v in x) - Fraction(sum(x) ** 2, len(x)) if x else Fraction(0)


def splits(n, relation, l):
    return (
        [(l, l)] if relation == "swap" else [(d, m) for d in range(min(l, n) + 1) for m in range(l - d + 1)]
    )


def by_windows(x, relation, l):
    """Removed from the two ends, added at the mean of the rest."""
    x, n = sorted(x), len(x)
    return min(
        spread(x[i : n - d + i]) / max(n - d + m, 1) for d, m in splits(n, relation, l) for i in range(d + 1)
    )


def by_subsets(x, relation, l):
    """Any records removed."""
    n = len(x)
    return min(
        spread(kept) / max(n - d + m, 1) for d, m in splits(n, relation, l) for kept in combinations(x, n - d)
    )


@pytest.mark.parametrize("relation", RELATIONS)
def test_records_added_anywhere(relation):
    """Means of up to four multiples of 12 are integers, so that records added at integers include the best ones."""
    added = {m: list(combinations_with_replacement(range(49), m)) for m in range(3)}
    for n in range(5):
        for x in list(combinations_with_replacement(range(0, 49, 12), n))[::3]:
            for l, level in enumerate(ours(x, 48, relation, min(2, n))):
                reached = (
                    spread((*kept, *new)) / max(n - d + m, 1)
                    for d, m in splits(n, relation, l)
                    for kept in set(combinations(x, n - d))
                    for new in added[m]
                )
                assert level == min(reached), (x, l)


@pytest.mark.parametrize("relation", RELATIONS)
def test_small_columns_against_all_subsets(relation):
    rng = np.random.default_rng(2)
    for _ in range(80):
        n, width = int(rng.integers(0, 8)), int(rng.choice([1, 4, 50]))
        x = [int(v) for v in rng.integers(0, width + 1, n)]
        last = n if relation == "swap" else n + 1
        assert ours(x, width, relation, last) == [by_subsets(x, relation, l) for l in range(last + 1)], x


def shapes(rng, n):
    return [
        rng.integers(0, 1001, n),
        rng.integers(0, 3, n) * 500,
        rng.random(n) ** 6 * 1000,
        1000 - rng.random(n) ** 6 * 1000,
        np.concatenate([np.zeros(n // 3), np.full(n // 3, 1000), rng.integers(400, 600, n - n // 3 * 2)]),
        np.where(rng.random(n) < 0.5, 0, 1000) + rng.integers(-5, 6, n).clip(0),
        np.linspace(0, 1000, n),
    ]


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("shape", range(7))
def test_larger_columns_against_all_windows(relation, shape):
    """Ties, two clusters, outliers on either side: where the spread has many valleys, all are looked into."""
    for seed, n in enumerate((16, 30, 45)):
        x = [min(int(v), 1000) for v in shapes(np.random.default_rng(seed), n)[shape]]
        levels = min(n, 22)
        found = ours(x, 1000, relation, levels, low=-300)
        for l in range(0, levels + 1, 3):
            assert found[l] == by_windows(x, relation, l), (x, l)


def test_removing_beats_adding_only_later():
    """The best split moves from adding alone to removing alone, and not by one record at a time."""
    x = [500] * 40 + [0] * 3 + [1000] * 3
    found = ours(x, 1000, "add_remove", 6)
    assert found == [by_windows(x, "add_remove", l) for l in range(7)]
    assert found[6] == 0 < found[5]


@pytest.mark.parametrize("seed", range(6))
def test_spreads_that_float64_takes_for_another_are_told_apart(seed):
    """Mirrored records, one of them moved by a step: what to remove from either end is next to a tie."""
    rng = np.random.default_rng(seed)
    for _ in range(20):
        half = rng.integers(0, 2**49, 6).tolist()
        x = [*half, *(2**50 - v for v in half)]
        x[int(rng.integers(0, 12))] += int(rng.choice([-1, 1, 2]))
        x = [min(max(v, 0), 2**50) for v in x]
        found = ours(x, 2**50, "add_remove", 6)
        assert found == [by_windows(x, "add_remove", l) for l in range(7)]


def test_ratios_that_float64_takes_for_another_are_told_apart():
    rng, turned = np.random.default_rng(1), 0
    for _ in range(300):
        count, top = int(rng.integers(3, 90)), int(rng.integers(2**60, 2**61))
        spreads = [(top, 1), (top * (count - 1) // (count + 1) + int(rng.integers(0, 2)), 1)]
        first, last = (Fraction(spread, count + 1 - 2 * d) for d, (spread, _) in enumerate(spreads))
        floats = float(spreads[0][0]) / (count + 1), float(spreads[1][0]) / (count - 1)
        turned += (first < last) != (floats[0] < floats[1]) and floats[0] != floats[1]
        assert Fraction(*list(_diluted(spreads, count))[1]) == min(first, last)
    assert turned > 5
