"""How far edits can move a variance, against every way of editing small columns and all windows of larger ones.

The bound by sums is the envelope of its own graph: every split of the edits, and pairs drawn at random, say so.
"""

from fractions import Fraction
from itertools import chain, combinations, combinations_with_replacement, islice, repeat

import numpy as np
import pytest

from noisewise.kernel.numbers.lattice import Lattice
from noisewise.statistics.variance.reach import (
    PowerSums,
    _diluted,
    best_added,
    exact_lower,
    exact_upper,
    highest,
    lower_bound,
    upper_bound,
)
from noisewise.tables.columns import declare

RELATIONS = ["add_remove", "swap"]


def lowest(x, width, relation, levels, low=0):
    column = declare([v + low for v in x]).read(Lattice(low, low + width, Fraction(1)), relation)
    found = chain(exact_lower(column, PowerSums.of(column), levels + 1), repeat((0, 1)))
    return [Fraction(*ratio) for ratio in islice(found, levels + 1)]


def spread(x):
    return sum(v * v for v in x) - Fraction(sum(x) ** 2, len(x)) if x else Fraction(0)


def splits(n, relation, l):
    return (
        [(l, l)] if relation == "swap" else [(d, m) for d in range(min(l, n) + 1) for m in range(l - d + 1)]
    )


def lowest_by_windows(x, relation, l):
    """Removed from the two ends, added at the mean of the rest."""
    x, n = sorted(x), len(x)
    return min(
        spread(x[i : n - d + i]) / max(n - d + m, 1) for d, m in splits(n, relation, l) for i in range(d + 1)
    )


def lowest_by_subsets(x, relation, l):
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
            for l, level in enumerate(lowest(x, 48, relation, min(2, n))):
                reached = (
                    spread((*kept, *new)) / max(n - d + m, 1)
                    for d, m in splits(n, relation, l)
                    for kept in set(combinations(x, n - d))
                    for new in added[m]
                )
                assert level == min(reached), (x, l)


@pytest.mark.parametrize("relation", RELATIONS)
def test_the_least_of_small_columns_against_all_subsets(relation):
    rng = np.random.default_rng(2)
    for _ in range(80):
        n, width = int(rng.integers(0, 8)), int(rng.choice([1, 4, 50]))
        x = [int(v) for v in rng.integers(0, width + 1, n)]
        last = n if relation == "swap" else n + 1
        assert lowest(x, width, relation, last) == [
            lowest_by_subsets(x, relation, l) for l in range(last + 1)
        ], x


def seven_shapes(rng, n):
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
def test_the_least_of_larger_columns_against_all_windows(relation, shape):
    """Ties, two clusters, outliers on either side: where the spread has many valleys, all are looked into."""
    for seed, n in enumerate((16, 30, 45)):
        x = [min(int(v), 1000) for v in seven_shapes(np.random.default_rng(seed), n)[shape]]
        levels = min(n, 22)
        found = lowest(x, 1000, relation, levels, low=-300)
        for l in range(0, levels + 1, 3):
            assert found[l] == lowest_by_windows(x, relation, l), (x, l)


def test_removing_beats_adding_only_later():
    """The best split moves from adding alone to removing alone, and not by one record at a time."""
    x = [500] * 40 + [0] * 3 + [1000] * 3
    found = lowest(x, 1000, "add_remove", 6)
    assert found == [lowest_by_windows(x, "add_remove", l) for l in range(7)]
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
        found = lowest(x, 2**50, "add_remove", 6)
        assert found == [lowest_by_windows(x, "add_remove", l) for l in range(7)]


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


def largest(x, width, relation, levels, low=0):
    column = declare([v + low for v in x]).read(Lattice(low, low + width, Fraction(1)), relation)
    return [Fraction(*ratio) for ratio in exact_upper(column, PowerSums.of(column), levels + 1)]


def with_bounds(kept, width, m):
    """The largest variance when m records at the bounds join those kept."""
    n, total, squares = len(kept) + m, sum(kept), sum(v * v for v in kept)
    return max(variance(n, total + t * width, squares + t * width**2) for t in range(m + 1))


def largest_by_subsets(x, width, relation, l):
    n = len(x)
    return max(
        with_bounds(kept, width, m) for d, m in splits(n, relation, l) for kept in combinations(x, n - d)
    )


def largest_by_windows(x, width, relation, l):
    x, n = sorted(x), len(x)
    return max(
        with_bounds(x[:i] + x[i + d :], width, m) for d, m in splits(n, relation, l) for i in range(n - d + 1)
    )


def some_column(rng, n):
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
def test_the_most_of_small_columns_against_all_subsets(relation):
    rng = np.random.default_rng(1)
    for _ in range(60):
        x, width = some_column(rng, int(rng.integers(0, 7)))
        last = len(x) if relation == "swap" else len(x) + 1
        assert largest(x, width, relation, last) == [
            largest_by_subsets(x, width, relation, l) for l in range(last + 1)
        ], x


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("seed", range(4))
def test_the_most_of_larger_columns_against_all_windows(relation, seed):
    rng = np.random.default_rng(seed + 10)
    for _ in range(6):
        x, width = some_column(rng, int(rng.integers(10, 17)))
        low = int(rng.integers(-50, 50))
        assert largest(x, width, relation, 5, low) == [
            largest_by_windows(x, width, relation, l) for l in range(6)
        ], x


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
    assert largest(x, 10**6, relation, 3) == [largest_by_windows(x, 10**6, relation, l) for l in range(4)]


def test_prefix_sums_may_run_over():
    """Their differences are right all the same: 2^15 records near 2^50 sum to more than 2^63."""
    n, width = 2**15, 2**50
    x = [width - 1 - (k % 7) for k in range(n)]
    total, squares = sum(x), sum(v * v for v in x)
    assert total > 2**63
    assert largest(x, width, "swap", 1) == [
        variance(n, total, squares),
        max(variance(n, total - v, squares - v * v) for v in set(x)),
    ]


def test_a_rank_window_around_the_mean_is_not_enough():
    """The best window to remove lies near the final mean in value; in ranks it may be far from the mean's."""
    x = [3000 + k for k in range(400)]
    found = largest(x, 10_000, "swap", 3)
    assert found[3] == largest_by_windows(x, 10_000, "swap", 3)
    n, mean = len(x), sum(x) / len(x)
    rank = sum(v < mean for v in x)
    near = [with_bounds(x[:i] + x[i + 3 :], 10_000, 3) for i in range(rank - 6, rank + 4) if 0 <= i <= n - 3]
    assert max(near) < found[3]


def moments(x, width):
    return PowerSums(len(x), sum(x), sum(v * v for v in x), width)


def columns(seed, count=60):
    rng = np.random.default_rng(seed)
    for _ in range(count):
        n, width = int(rng.integers(0, 14)), int(rng.choice([1, 2, 7, 1000, 2**33]))
        kinds = [rng.integers(0, width + 1, n), rng.integers(0, 2, n) * width, rng.random(n) ** 5 * width]
        x = [int(v) for v in kinds[rng.integers(3)]]
        yield ([width - v for v in x] if rng.random() < 0.5 else x), width


def levels(x, width, relation, last):
    """Both sides as Fractions, the upper one capped at the largest variance there is."""
    sums = moments(x, width)
    lower = chain(lower_bound(sums, last, relation), repeat((0, 1)))
    upper = chain(upper_bound(sums, last, relation), repeat(highest(sums, relation)))
    return [[Fraction(*ratio) for ratio in islice(side, last + 1)] for side in (lower, upper)]


def variance(n, total, squares):
    return (squares - Fraction(total) ** 2 / n) / n if n else Fraction(0)


def most(x, width, m):
    """The largest spread after m pairs on the chord are added, t of them in all at the top, t any real number."""
    n, S, Q, R = len(x), sum(x), sum(v * v for v in x), width
    best = min(max(Fraction(n + m, 2) - Fraction(S, R), 0), m)
    return Q + best * R * R - (S + best * R) ** 2 / Fraction(n + m) if n + m else Fraction(0)


def least(x, width, d):
    n, S, Q, R = len(x), sum(x), sum(v * v for v in x), width
    return max(0, min(Q - j * R * R - Fraction((S - j * R) ** 2, n - d) for j in (0, d)))


@pytest.mark.parametrize("seed", range(4))
def test_every_split_of_the_edits(seed):
    for x, width in columns(seed):
        n, top = len(x), Fraction(width**2, 4)
        lower, upper = levels(x, width, "add_remove", n + 1)
        highest_yet = Fraction(0)
        for l in range(n + 2):
            splits = [(l - m, m) for m in range(l + 1) if n - l + 2 * m > 0]
            found = [most(x, width, m) / (n + m - d) for d, m in splits]
            highest_yet = max([highest_yet, *found])
            assert upper[l] == min(highest_yet, top), (x, width, l)
            found = [least(x, width, d) / (n + m - d) for d, m in splits if d < n]
            assert lower[l] == (min(found) if l < n else 0), (x, width, l)
        lower, upper = levels(x, width, "swap", n)
        top = Fraction(*highest(moments(x, width), "swap"))
        for l in range(n):
            assert upper[l] == min(most(x, width, l) / n, top), (x, width, l)
            assert lower[l] == least(x, width, l) / n, (x, width, l)
        assert lower[n] == 0


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("seed", range(3))
def test_no_pairs_reach_further(seed, relation):
    """Pairs (v, w) with v^2 <= w <= R*v, on and off the edges, added and removed."""
    rng = np.random.default_rng(seed)
    for x, width in columns(seed + 10):
        n = len(x)
        lower, upper = levels(x, width, relation, n)
        for _ in range(30 if n else 0):
            d = m = int(rng.integers(0, n + 1))
            if relation == "add_remove":
                m = int(rng.integers(0, n - d + 1))
            state, mean = (n, sum(x), sum(v * v for v in x)), Fraction(sum(x), n)
            for sign in [1] * m + [-1] * d:
                v = [Fraction(0), Fraction(width), mean, Fraction(int(rng.integers(0, width + 1)))][
                    rng.integers(4)
                ]
                w = v * v + (width * v - v * v) * int(rng.integers(0, 3)) / 2
                state = (state[0] + sign, state[1] + sign * v, state[2] + sign * w)
            top = Fraction(*highest(moments(x, width), relation))
            found = min(max(variance(*state), 0), top)
            level = d if relation == "swap" else d + m
            assert lower[level] <= found <= upper[level], (x, width, d, m)


@pytest.mark.parametrize("relation", RELATIONS)
def test_neighbours_nest(relation):
    """In rationals, before any floor."""
    rng = np.random.default_rng(5)
    for x, width in columns(6, 200):
        if not x:
            continue
        y = list(x)
        y.pop(int(rng.integers(len(x))))
        if relation == "swap":
            y.append(int(rng.choice([0, width, rng.integers(0, width + 1)])))
        last = min(len(x), len(y))
        (low, high), (lower, higher) = levels(x, width, relation, last), levels(y, width, relation, last)
        for l in range(last):
            assert low[l] >= lower[l + 1] and lower[l] >= low[l + 1], (x, y, width, l)
            assert high[l] <= higher[l + 1] and higher[l] <= high[l + 1], (x, y, width, l)


def test_the_pointer_goes_up_and_then_down():
    """Adding is best until the mean is central; then it is removing, and of all edits the more the later."""
    added = list(best_added(70, moments([0] * 50 + [10] * 20, 10).leaning_low().most, 70))
    assert added[:16] == [0, 1, 2, 3, 4, 5, 4, 4, 3, 3, 2, 2, 1, 1, 0, 0]
    assert set(added[16:70]) == {0}
    assert added[70] == 1, "somebody must be left"


def test_secrets_are_withheld():
    assert repr(moments([1, 2, 3], 9)) == "<PowerSums: withheld>"
