"""AUC against its naive definition, on every small dataset of rows, and its bound against a slow one."""

import math
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest

from noisewise import ParameterTypeError
from noisewise.audit.nesting import nests_in
from noisewise.audit.worlds import Dataset, World
from noisewise.statistics import auc
from noisewise.statistics.auc import AUC
from noisewise.tables.columns.array_rows import twice_the_right_pairs
from tests.statistics.rows import RowLaws, assert_random_neighbours_nest, envelope

PAIRS: dict[int, tuple[Any, Any]] = {
    0: (0, 1),
    1: (0, 2),
    2: (0, 3),
    3: (1, 1),
    4: (1, 2),
    5: (1, 3),
    6: (0.8, math.inf),
    7: (-math.inf, -0.0),
    -1: (None, 2),
    -2: (1, None),
}


def naive(x: Dataset) -> Fraction:
    """P(score of a positive > score of a negative) + P(=)/2, pair by pair."""
    rows = [PAIRS[int(code)] for code in x]
    pairs = [(s, t) for y, s in rows for z, t in rows if y == 1 and z == 0]
    if not pairs:
        return Fraction(1, 2)
    return Fraction(sum(2 * (s > t) + (s == t) for s, t in pairs), 2 * len(pairs))


class TestAUC(RowLaws):
    statistic = AUC()
    exact = False
    pairs = PAIRS
    bounds = None
    domain = (0, 1, 3, 4)
    records = (-2, 0, 3, 6, 7)
    granularities = (Fraction(1, 2), Fraction(1, 12), Fraction(1, 3))
    answer = staticmethod(naive)


class TestAUCOfThreeScores(TestAUC):
    domain = (0, 1, 2, 3, 4, 5)
    records = (-1, 1, 3, 5)
    most = 3
    levels = 3


@pytest.mark.parametrize("relation", ["add_remove", "swap"])
def test_more_rows_against_brute_force(relation: str) -> None:
    """Classes large enough that no level up to 2 empties one; all neighbours nest at every level."""
    world, fine = World((0, 1, 3, 4), 7, relation, least=4), Fraction(1, 10**6)
    ours = {
        x: envelope(AUC(), *zip(*(PAIRS[int(code)] for code in x), strict=True), relation, granularity=fine)
        for x in world.datasets()
    }
    for x, y in world.pairs():
        assert nests_in(ours[x], ours[y]) and nests_in(ours[y], ours[x]), (x, y)
    for x in world.datasets():
        least, most = world.envelope(naive, x, 2)
        for l in range(3):
            low, high = ours[x].level(l)
            assert low <= least[l] * 10**6 // 1 and most[l] * 10**6 // 1 <= high, (x, l)


def least_share(n1: int, n0: int, wrong: int, l: int, swap: bool) -> Fraction:
    """The least share of wrong pairs over all numbers of rows added and removed, by exhaustion."""
    shares = []
    for m1, m0, d1, d0 in product(range(l + 1), repeat=4):
        fits = m1 + m0 == l == d1 + d0 if swap else m1 + m0 + d1 + d0 <= l
        a, b = n1 + m1, n0 + m0
        if fits and d1 < a and d0 < b:
            left = (a - d1) * (b - d0)
            shares.append(Fraction(wrong - 2 * (a * b - left), 2 * left))
    return max(min(shares), Fraction(0))


@pytest.mark.parametrize("swap", [False, True])
def test_the_best_edits_are_found(swap: bool) -> None:
    shares = auc._swapped if swap else auc._added_or_removed
    rng = np.random.default_rng(0)
    for _ in range(400):
        n1, n0 = (int(n) for n in rng.integers(1, 40, 2))
        l = int(rng.integers(0, min(n1, n0, 6)))
        wrong = int(rng.integers(0, 2 * n1 * n0 + 1) if rng.random() < 0.7 else rng.choice([0, 2 * n1 * n0]))
        found = max(min(Fraction(*share) for share in shares(n1, n0, wrong, l)), Fraction(0))
        assert found == least_share(n1, n0, wrong, l, swap), (n1, n0, wrong, l)


@pytest.mark.parametrize("swap", [False, True])
def test_the_best_number_is_found_among_many(swap: bool) -> None:
    """At levels too high for exhaustion: every split between one class removed and the other added."""
    shares = auc._swapped if swap else auc._added_or_removed
    rng = np.random.default_rng(1)
    for _ in range(200):
        n1, n0 = (int(n) for n in rng.integers(2, 900, 2))
        l, wrong = int(rng.integers(1, min(n1, n0))), int(rng.integers(0, 2 * n1 * n0 + 1))
        slow = [(wrong, 2 * a * (n1 + n0 + l - a)) for a in range(n1, n1 + l + 1)] if not swap else []
        for mine, others in ((n1, n0), (n0, n1)):
            for there in range(others, others + l + 1):
                gone = l if swap else others + l - there
                kept = mine + others - there if swap else mine - gone
                slow.append((wrong - 2 * gone * there, 2 * kept * there))
        found = max(min(Fraction(*share) for share in shares(n1, n0, wrong, l)), Fraction(0))
        assert found == max(min(Fraction(*share) for share in slow), Fraction(0)), (n1, n0, wrong, l)


@pytest.mark.parametrize("positives", [0.02, 0.5, 0.9])
def test_larger_data_nest(positives: float) -> None:
    def rows(rng: np.random.Generator, n: int) -> Any:
        y = rng.random(n) < positives
        return np.stack([y, np.round(rng.normal(size=n) + y, 1)], axis=1)

    assert_random_neighbours_nest(AUC(), rows, (1, 2, 9, 60, 250))


@pytest.mark.parametrize("better", [1, -1])
def test_the_best_and_the_worst_scores_nest(better: int) -> None:
    def rows(rng: np.random.Generator, n: int) -> Any:
        y = rng.random(n) < 0.4
        return np.stack([y, better * y], axis=1)

    assert_random_neighbours_nest(AUC(), rows, (1, 3, 10, 90))


@pytest.mark.parametrize("relation", ["add_remove", "swap"])
@pytest.mark.parametrize("y", [[], [0], [1], [0, 0, 0], [1, 1, 1, 1]])
def test_without_a_class_the_answer_is_a_half(y: list[int], relation: str) -> None:
    ours = envelope(AUC(), y, y, relation, granularity=Fraction(1, 10))
    assert ours.level(0) == (5, 5)
    assert ours.level(1) == (0, 10)


def test_pairs_are_counted_exactly() -> None:
    rng = np.random.default_rng(2)
    for size in (0, 1, 5, 300):
        ones, zeros = rng.integers(0, 9, size) / 4, rng.integers(0, 9, 2 * size) / 4 - 0.25
        expected = 2 * np.sum(ones[:, None] > zeros) + np.sum(ones[:, None] == zeros)
        assert twice_the_right_pairs(ones, zeros) == expected
    odd = np.array([-np.inf, -0.0, 0.0, np.inf])
    assert twice_the_right_pairs(odd, odd) == 4 * 4
    many = np.arange(1_000_000.0)
    assert twice_the_right_pairs(many, many) == 10**12


def test_scores_count_by_their_order_alone() -> None:
    rng = np.random.default_rng(3)
    y, s = rng.random(500) < 0.3, np.round(rng.normal(size=500), 1)
    one, two = (envelope(AUC(), y, scores, "add_remove") for scores in (s, np.arctan(s) * 1e-300))
    assert np.array_equal(one.lower, two.lower) and np.array_equal(one.upper, two.upper)


def test_right_and_wrong_are_mirror_images() -> None:
    rng = np.random.default_rng(4)
    y, s = rng.random(300) < 0.4, rng.normal(size=300)
    one, two = (envelope(AUC(), y, scores, "swap") for scores in (s, -s))
    assert np.all(np.abs(one.upper + two.lower - 2**32) <= 1)  # both are floored


def test_bounds_are_refused() -> None:
    with pytest.raises(ParameterTypeError, match="bounds must be left out for auc"):
        AUC().frame((0, 1), None)
