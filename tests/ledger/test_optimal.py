"""Optimal composition against brute force: over answers, over laws of bounded range, over every threshold."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from noisewise.kernel.losses import BoundedRange, round_up
from noisewise.ledger.curves import epsilon_at
from noisewise.ledger.optimal import _contenders, _worst, bounded_range_delta, is_quick, pure_delta


def excess(pairs: list[tuple[np.ndarray, np.ndarray]], at: float) -> float:
    """The delta of independent releases at an epsilon, summed over all of their answers."""
    p, q = np.ones(1), np.ones(1)
    for one, other in pairs:
        p, q = np.outer(p, one).ravel(), np.outer(q, other).ravel()
    return float(np.maximum(p - math.exp(at) * q, 0).sum())


def response(epsilon: float) -> tuple[np.ndarray, np.ndarray]:
    truth = 1 / (1 + math.exp(-epsilon))
    return np.array([truth, 1 - truth]), np.array([1 - truth, truth])


def two_point(epsilon: float, t: float) -> tuple[np.ndarray, np.ndarray]:
    q = (math.exp(-t) - math.exp(-epsilon)) / (1 - math.exp(-epsilon))
    return np.array([q * math.exp(t), (1 - q) * math.exp(t - epsilon)]), np.array([q, 1 - q])


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0])
@pytest.mark.parametrize("count", [1, 2, 3, 8, 11])
def test_pure_is_randomised_response_composed(epsilon: float, count: int) -> None:
    for share in (0, 0.1, 0.33, 0.5, 0.75, 0.98):
        at = share * count * epsilon
        found = float(pure_delta(Fraction(epsilon), count, Fraction(at)))
        assert found == pytest.approx(excess([response(epsilon)] * count, at), rel=1e-9, abs=1e-15)
    assert pure_delta(Fraction(epsilon), count, count * Fraction(epsilon)) == 0


@pytest.mark.parametrize("epsilon", [Fraction(1, 100), Fraction(1), Fraction(5)])
def test_one_release_has_a_closed_form(epsilon: Fraction) -> None:
    for at in (Fraction(0), epsilon / 3, epsilon * Fraction(99, 100)):
        x, e = float(at), float(epsilon)
        assert float(pure_delta(epsilon, 1, at)) == pytest.approx(
            (math.exp(e) - math.exp(x)) / (1 + math.exp(e))
        )
        best = math.expm1((x - e) / 2) ** 2 / -math.expm1(-e)
        assert float(bounded_range_delta(epsilon, 1, at)) == pytest.approx(best)
    assert bounded_range_delta(epsilon, 1, epsilon) == 0


@pytest.mark.parametrize("epsilon", [0.3, 1.0, 4.0])
@pytest.mark.parametrize("count", [1, 2, 3])
def test_bounded_range_is_the_worst_over_all_places_of_the_window(epsilon: float, count: int) -> None:
    grid = np.linspace(0, epsilon, {1: 1001, 2: 81, 3: 31}[count])
    for share in (0, 0.2, 0.5, 0.8):
        at = share * count * epsilon
        found = float(bounded_range_delta(Fraction(epsilon), count, Fraction(at)))
        worst = max(
            excess([two_point(epsilon, t) for t in ts], at)
            for ts in itertools.combinations_with_replacement(grid, count)
        )
        assert worst <= found * (1 + 1e-9) and worst >= found * 0.96


def test_no_laws_of_bounded_range_are_worse() -> None:
    """Random laws with up to four answers, not only the extreme ones."""
    random, epsilon, closest = np.random.default_rng(3), 1.0, 0.0
    bounds = {at: float(bounded_range_delta(Fraction(1), 3, Fraction(str(at)))) for at in (0.0, 0.7, 1.5)}
    for _ in range(2000):
        pairs = []
        for _ in range(3):
            q = random.dirichlet([0.5] * 4)
            p = q * np.exp(epsilon * np.array([0, 1, *random.uniform(size=2)]))
            pairs.append((p / p.sum(), q))
        closest = max(closest, *(excess(pairs, at) / bound for at, bound in bounds.items()))
    assert 0.9 < closest <= 1 + 1e-9


@pytest.mark.parametrize(
    ("epsilon", "count", "at"),
    [
        (1, 100, 34),
        (1, 100, 0),
        (1, 100, 99),
        (0.1, 150, 3),
        (3, 7, 1),
        (5, 40, 150),
        (2000, 3, 1),
        (900, 5, 850),
    ],
)
def test_floats_leave_out_no_threshold_that_matters(epsilon: float, count: int, at: int) -> None:
    size, where = Fraction(str(epsilon)), Fraction(at)
    every = [
        round_up(_worst(size, count, where, l), Fraction(1), 160)
        for l in range(math.ceil(count - where / size))
    ]
    found = bounded_range_delta(size, count, where)
    assert max(every) <= found <= max(every) * (1 + Fraction(1, 2**60))
    assert len(_contenders(size, count, where)) <= 5 + count // 50


def test_the_worst_place_of_the_window_is_attained() -> None:
    """At the t of the best threshold, k equal two-point laws have exactly this delta: nothing smaller holds."""
    epsilon, count, at = Fraction(1), 10, Fraction(3)
    (l,) = _contenders(epsilon, count, at)
    t = float((at + (l + 1) * epsilon) / (count + 1))
    lower = [excess([two_point(1.0, t + nudge)] * count, 3.0) for nudge in (-0.05, 0, 0.05)]
    assert lower[1] == pytest.approx(float(bounded_range_delta(epsilon, count, at)), rel=1e-9)
    assert max(lower[0], lower[2]) < lower[1]


def test_numbers_of_the_paper() -> None:
    """100 releases of range 1 at delta 10^-6: epsilon 34.8; of pure 1: epsilon 83.5."""
    delta = Fraction(1, 10**6)
    ends = [Fraction("34.75"), Fraction("34.85")]
    assert (
        bounded_range_delta(Fraction(1), 100, ends[0])
        > delta
        > bounded_range_delta(Fraction(1), 100, ends[1])
    )
    ends = [Fraction("83.45"), Fraction("83.55")]
    assert pure_delta(Fraction(1), 100, ends[0]) > delta > pure_delta(Fraction(1), 100, ends[1])


def test_deltas_fall_with_epsilon_and_grow_with_the_number_of_releases() -> None:
    for delta in (pure_delta, bounded_range_delta):
        by_at = [delta(Fraction(1), 30, Fraction(n, 4)) for n in range(121)]
        assert by_at == sorted(by_at, reverse=True) and by_at[-1] == 0 < by_at[-2]
        by_count = [delta(Fraction(1), k, Fraction(2)) for k in range(2, 40)]
        assert by_count == sorted(by_count)
    assert all(
        bounded_range_delta(Fraction(1), k, Fraction(1)) < pure_delta(Fraction(1), k, Fraction(1))
        for k in (2, 10, 50)
    )


def test_tiny_and_huge_losses_keep_their_digits() -> None:
    assert bounded_range_delta(Fraction(1), 3, 3 - Fraction(1, 10**400)) > 0  # what floats take for nothing
    tiny = Fraction(1, 10**60)
    assert float(pure_delta(tiny, 1, Fraction(0)) / tiny) == pytest.approx(1 / 2)
    assert float(bounded_range_delta(tiny, 1, Fraction(0)) / tiny) == pytest.approx(1 / 4)
    assert (
        pure_delta(Fraction(10**6), 3, Fraction(1))
        == bounded_range_delta(Fraction(10**6), 3, Fraction(1))
        == 1
    )


def test_tiny_ranges_are_left_to_others_where_balls_would_take_minutes() -> None:
    assert is_quick(Fraction(1, 10**9), 32) and is_quick(Fraction(1, 10), 100_000)
    assert not is_quick(Fraction(1, 10**6), 300)
    tiny = [BoundedRange(1e-6)] * 300
    assert 0 < epsilon_at(tiny, 1e-9, fixed="releases") <= epsilon_at(tiny, 1e-9)
