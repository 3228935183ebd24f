"""Spearman's correlation against the correlation of mid-ranks, on every small dataset and on larger neighbours."""

import math
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from noisewise import ParameterTypeError, hazmat
from noisewise.audit.nesting import nests_in
from noisewise.planning.readings.read_law import read_law
from noisewise.questions.request import Request
from noisewise.statistics.spearman import Ranked, Spearman, _added_or_removed, _swapped
from tests.kernel.laws.statistic_laws import MISSING
from tests.statistics.correlations import CorrelationLaws, check_larger_neighbours, floor_of, signed_square

POINTS = [(0, 0), (0, 2), (1, 1), (2, 0), (2, 2)]
ODD = {MISSING: (1.0, None), 1.0: (-math.inf, 0.4), 2.0: (0.0, 0.4), 3.0: (-0.0, 0.1), 4.0: (7.0, math.inf)}


def mid_ranks(values):
    return [Fraction(sum(v < u for v in values) + sum(v <= u for v in values) + 1, 2) for u in values]


def spearman(rows):
    return signed_square(mid_ranks([a for a, _ in rows]), mid_ranks([b for _, b in rows]))


class TestSpearman(CorrelationLaws):
    statistic = Spearman()
    bounds = None
    points, odd = POINTS, ODD
    domain = tuple(range(len(POINTS)))
    records = tuple(ODD)
    answer = staticmethod(cache(lambda x: spearman([POINTS[code] for code in x])))


def envelope(x, y, neighbors, levels=12):
    return hazmat.law(Spearman(), (x, y), epsilon=1, neighbors=neighbors, levels=levels).envelope


def T(a, b):  # noqa: N802
    return sum(p * q for p, q in zip(a, b, strict=True))


def scores(values):
    return [sum(v < u for v in values) - sum(v > u for v in values) for u in values]


@pytest.mark.parametrize("seed", range(8))
def test_one_row_moves_the_sums_by_no_more_than_a_rung(seed):
    """And by all of it, where the row is at the ends of both columns or in the middle of a line."""
    rng, worst = np.random.default_rng(seed), Fraction(0)
    for _ in range(60):
        n = int(rng.integers(1, 14))
        domain = int(rng.integers(2, 12))
        x, y = rng.integers(0, domain, (2, n)).tolist()
        if rng.random() < 0.3:
            y = x if rng.random() < 0.5 else [-v for v in x]
        u, v = rng.integers(-1, domain + 1, 2).tolist()
        a, b, c, d = scores(x), scores(y), scores([*x, u]), scores([*y, v])
        assert abs(T(c, d) - T(a, b)) <= n * (n + 1)
        assert 0 <= T(c, c) - T(a, a) <= n * (n + 1)
        worst = max(worst, Fraction(abs(T(c, d) - T(a, b)), n * (n + 1)))
    assert worst == 1


def random_rows(rng, n):
    x = rng.normal(size=n) if rng.random() < 0.5 else rng.integers(0, 5, n).astype(float)
    noise = rng.normal(size=n) * rng.choice([0.0, 0.1, 1.0, 10.0])
    return x, x * rng.choice([-1.0, 1.0]) + noise


@pytest.mark.parametrize("seed", range(10))
def test_larger_neighbours_nest(seed):
    def random_row(rng):
        return rng.choice([-np.inf, np.inf, 0.0, 1.0], 2)

    check_larger_neighbours(np.random.default_rng(seed), envelope, random_rows, random_row)


@pytest.mark.parametrize("sign", [1, -1])
def test_rows_at_opposite_corners_nest_however_many_there_are(sign):
    """Each takes from the spread as well as from the sum of products: a bound that forgets the spread fails here."""
    x = np.arange(60.0)
    y = np.where(np.arange(60) % 3 > 0, x, 60 - x)
    for k in range(6):
        fewer = np.append(x, np.full(k, 99.0)), sign * np.append(y, np.full(k, -99.0))
        more = np.append(x, np.full(k + 1, 99.0)), sign * np.append(y, np.full(k + 1, -99.0))
        here, there = envelope(*fewer, "add_remove"), envelope(*more, "add_remove")
        assert nests_in(here, there) and nests_in(there, here)


@pytest.mark.parametrize("neighbors", ["add_remove", "swap"])
@pytest.mark.parametrize("n", [0, 1, 2, 3, 50])
def test_the_centre_is_the_correlation_of_mid_ranks(neighbors, n):
    rng = np.random.default_rng(n)
    x, y = rng.integers(0, 9, (2, n)).tolist()
    law = hazmat.law(Spearman(), (x, y), epsilon=1, neighbors=neighbors, granularity=0.001)
    exact = floor_of(spearman(list(zip(x, y, strict=True))), Fraction(1, 1000))
    assert law.envelope.level(0) == (exact, exact)


def test_scores_by_definition():
    values = np.array([3.0, -np.inf, 3.0, np.inf, -0.0, 0.0, np.inf, 3.0])
    assert Ranked.of(values).scores.tolist() == scores(values.tolist())
    assert [Ranked.of(values[:n]).most for n in range(9)] == [0, 1, 1, 2, 2, 2, 2, 2, 3]
    assert Ranked.of(values[:0]).scores.tolist() == []


def test_under_swap_the_spread_changes_by_ties_alone():
    """By t*(t + 1) for a record that joins t equal ones, less the same for the record that went."""
    rng = np.random.default_rng(8)
    for _ in range(300):
        x = rng.integers(0, int(rng.integers(1, 9)), int(rng.integers(2, 12))).tolist()
        other = [int(rng.integers(0, 9)), *x[1:]]
        joined, left = other[1:].count(other[0]), x[1:].count(x[0])
        before, after = scores(x), scores(other)
        assert T(after, after) - T(before, before) == left * (left + 1) - joined * (joined + 1)


def tied(sizes):
    """A column whose ties have these sizes."""
    return [value for value, size in enumerate(sizes) for _ in range(size)]


def partitions(n, most):
    """Every way to write n as a sum of numbers up to ``most``, the largest first."""
    if n == 0:
        yield ()
    for first in range(min(n, most), 0, -1):
        yield from ((first, *rest) for rest in partitions(n - first, first))


@pytest.mark.parametrize("n", range(2, 9))
def test_swap_rungs_of_the_spread_are_reached_and_never_passed(n):
    """For every largest tie t some record moves T(a, a) by the whole first rung: no smaller number would do."""
    farthest = dict.fromkeys(range(1, n + 1), 0)
    for sizes in partitions(n, n):
        x, t = tied(sizes), sizes[0]
        before = T(scores(x), scores(x))
        for at in range(n):
            for value in (*set(x), -1):
                other = scores([*x[:at], value, *x[at + 1 :]])
                farthest[t] = max(farthest[t], abs(T(other, other) - before))
    for t, moved in farthest.items():
        ((both, first, second),) = _swapped(n, 1, t, 1)
        assert (both, first, second) == (2 * n * (n - 1), moved, min(n * (n - 1), 2))


@pytest.mark.parametrize("t", [1, 2, 5])
def test_swap_rungs_are_reached_edit_after_edit(t):
    """Records that join the largest tie one by one take from T(a, a) what the reach says, at every level."""
    x = [0] * t + list(range(1, 9))
    fallen, start = 0, T(scores(x), scores(x))
    for k, rung in enumerate(_swapped(len(x), 8, t, 1)):
        fallen += rung.first
        x[t + k] = 0
        assert start - T(scores(x), scores(x)) == fallen


@pytest.mark.parametrize("n", [2, 3, 10])
def test_rungs_of_the_products_are_reached(n):
    """By a row that goes from one corner to the next one, or comes at a corner."""
    x, y = [*range(n - 1), n], [*range(n - 1), -1]
    swapped = [*y[:-1], n]
    ((both, _, _),) = _swapped(n, 1, 1, 1)
    assert T(scores(x), scores(swapped)) - T(scores(x), scores(y)) == both
    ((both, first, second),) = _added_or_removed(n - 1, 1)
    added, gained = T(scores(x), scores(swapped)), T(scores(x[:-1]), scores(y[:-1]))
    assert added - gained == both == first == second


@pytest.mark.parametrize("ties", [1, 5, 20, 39])
def test_rows_that_join_a_tie_one_by_one_nest(ties):
    x = np.append(np.arange(40.0 - ties), np.full(ties, 99.0))
    y = np.sin(np.arange(40.0))
    for k in range(40 - ties):
        more = x.copy()
        more[k] = 99.0
        here, there = envelope(x, y, "swap"), envelope(more, y, "swap")
        assert nests_in(here, there) and nests_in(there, here)
        x = more


def test_a_monotone_map_of_a_column_changes_nothing():
    rng = np.random.default_rng(5)
    x, y = rng.normal(size=(2, 500))
    one, other = envelope(x, y, "swap"), envelope(np.exp(x), y**3, "swap")
    assert one.lower.tolist() == other.lower.tolist() and one.upper.tolist() == other.upper.tolist()


def test_large_data_is_exact():
    """Sums of products beyond 64 bits: a line has correlation 1, reversed -1."""
    x = np.arange(3_000_000)
    assert envelope(x, x, "swap", levels=1).level(0) == (2**31, 2**31)
    assert envelope(x, -x, "add_remove", levels=1).level(0) == (-(2**31), -(2**31))


def test_it_is_accurate_where_data_is_plenty():
    rng = np.random.default_rng(6)
    x = rng.normal(size=10_000)
    y = x + rng.normal(size=10_000)
    assert read_law(hazmat.law(Spearman(), (x, y), epsilon=1)).expected_error() < 0.002


def test_bounds_are_refused():
    with pytest.raises(ParameterTypeError, match=r"^bounds must be left out for spearman"):
        Request.of(Spearman(), ([], []), bounds=(0, 1), epsilon=1)
