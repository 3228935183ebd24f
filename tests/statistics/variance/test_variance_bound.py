"""The bound by sums is the envelope of its own graph: every split of the edits, and pairs drawn at random, say so."""

from fractions import Fraction
from itertools import chain, islice, repeat

import numpy as np
import pytest

from noisewise.statistics.variance.variance_bound import (
    PowerSums,
    best_added,
    highest,
    lower_bound,
    upper_bound,
)

RELATIONS = ["add_remove", "swap"]


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
    return (squares - Fraction(total) ** 2 / n) / n


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
            found = min(max(variance(*state), 0), top) if state[0] else Fraction(0)
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
