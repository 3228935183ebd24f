"""What the two correlations share: sums of products, the exact floor of a root, and intervals that nest."""

import math
from fractions import Fraction

import numpy as np
import pytest

from noisewise.audit.nesting import is_monotone, nests_in
from noisewise.kernel.numbers.answers import Answers
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.statistics.correlation import CoMoments, PairSums, correlated, running_reach
from noisewise.statistics.row_formulas import steps_of
from noisewise.tables.columns.array_rows import ArrayRows

LATTICE = Lattice(0, 2**40, Fraction(1))


def moments(x, y):
    rows = ArrayRows((x * 1.0, y * 1.0), LATTICE, "add_remove")
    return PairSums.of(rows, *(steps_of(column, LATTICE) for column in (0, 1))).moments


def test_moments_are_n_times_the_centred_sums():
    x, y = np.array([0, 1, 5, 2**33]), np.array([3, 3, 2**40, 1])
    mean_x, mean_y = Fraction(sum(x.tolist()), 4), Fraction(sum(y.tolist()), 4)
    rows = list(zip(x.tolist(), y.tolist(), strict=True))
    found = moments(x, y)
    assert found.both == 4 * sum((a - mean_x) * (b - mean_y) for a, b in rows)
    assert found.first == 4 * sum((a - mean_x) ** 2 for a, _ in rows)
    assert found.second == 4 * sum((b - mean_y) ** 2 for _, b in rows)


def root_floor(p, squared, granularity, answers):
    """The largest index k with k*granularity <= p/sqrt(squared), by trying; the lowest one if there is none."""

    def at_most(k):
        left, right = k * granularity, p
        square = left * left * squared
        return (left <= 0 <= right) or (
            (left > 0 < right and square <= right**2) or (left < 0 > right and square >= right**2)
        )

    return max([k for k in range(answers.low, answers.high + 1) if at_most(k)], default=answers.low)


@pytest.mark.parametrize("granularity", [Fraction(1, 2), Fraction(1, 10), Fraction(3, 10), Fraction(2, 7)])
def test_the_root_is_floored_once_and_exactly(granularity):
    answers = Answers.between(Fraction(-1), Fraction(1), granularity)
    for p in range(-12, 13):
        for squared in {
            max(p * p, 1),
            p * p + 1,
            2 * p * p + 1,
            4 * p * p + 4,
            9 * p * p or 1,
            100 * p * p + 100,
        }:
            found = CoMoments(p, squared, 1)
            envelope = correlated(found, [CoMoments(0, 0, 0)], answers)
            assert envelope.level(0) == (root_floor(p, squared, granularity, answers),) * 2, (p, squared)


def test_a_column_that_does_not_vary_has_correlation_zero():
    answers = Answers.between(Fraction(-1), Fraction(1), Fraction(1, 4))
    still = correlated(CoMoments(0, 0, 7), running_reach([CoMoments(1, 1, 1)]), answers)
    assert still.level(0) == (0, 0)
    assert still.level(1) == (-4, 4)


def test_levels_at_both_signs():
    """By hand: 3/sqrt(64) within 1 and 4, 4."""
    answers = Answers.between(Fraction(-1), Fraction(1), Fraction(1, 1000))
    found = correlated(
        CoMoments(3, 8, 8), [CoMoments(0, 0, 0), CoMoments(1, 4, 4), CoMoments(5, 4, 4)], answers
    )
    assert found.upper.tolist() == [375, 1000, 1000]
    assert found.lower.tolist() == [375, math.floor(1000 * 2 / 12), -500]


@pytest.mark.parametrize("seed", range(5))
def test_intervals_within_intervals_nest(seed):
    rng = np.random.default_rng(seed)
    answers = Answers.between(Fraction(-1), Fraction(1))
    for _ in range(200):
        x, y = rng.integers(0, 50, (2, int(rng.integers(1, 12))))
        found = moments(x, y)
        step = CoMoments(*map(int, rng.integers(0, 3_000, 3)))
        change = [int(rng.integers(-each, each + 1)) for each in step]
        other = CoMoments(*(a + b for a, b in zip(found, change, strict=True)))
        if min(other.first, other.second) < 0 or other.both**2 > other.first * other.second:
            continue
        reaches = [step] * 9
        here, there = (correlated(each, running_reach(reaches), answers) for each in (found, other))
        assert is_monotone(here) and is_monotone(there)
        assert nests_in(here, there) and nests_in(there, here)


def test_a_running_reach_adds_up():
    reaches = list(running_reach([CoMoments(1, 2, 3), CoMoments(10, 20, 30)], times=2))
    assert reaches == [(0, 0, 0), (2, 4, 6), (22, 44, 66)]
