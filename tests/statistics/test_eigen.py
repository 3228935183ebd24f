"""Gaps and projectors against matrices whose eigenvalues and eigenvectors are known exactly."""

from fractions import Fraction
from math import isqrt

import numpy as np
import pytest

from noisewise.statistics import eigen
from noisewise.statistics.eigen import DIGITS, ERROR, gap, projector
from tests.over import over


def turned(values, seed):
    """An integer matrix with these eigenvalues times a square, and its exact projectors: H = I - 2wwᵀ/|w|²."""
    rng = np.random.default_rng(seed)
    w = [int(each) for each in rng.integers(-3, 4, len(values))]
    w[0] = w[0] or 1
    size, places = sum(each * each for each in w), range(len(values))
    basis = [[size * (i == j) - 2 * w[i] * w[j] for j in places] for i in places]  # |w|² times a rotation
    matrix = [[sum(values[k] * basis[i][k] * basis[j][k] for k in places) for j in places] for i in places]
    vectors = [[Fraction(basis[i][k], size) for i in places] for k in places]
    return matrix, size * size, vectors


VALUES = [
    (5, 3),
    (7, 7, 1),
    (0, 0, 0),
    (9, 0, 0, 0),
    (10**12 + 1, 10**12, 5),
    (10**18 + 3, 10**18, 10**18, 1),
    (10**30, 10**15, 10**15 - 1, 10**15 - 1, 0),
    (4, 3, 3, 3, 2, 2, 2, 1, 1),
]


@over(values=VALUES)
@over(parts=[1, 7, 1024])
@over(unit=[1, 3, 10**20])
def test_the_gap_is_known_from_below_to_less_than_two_parts(values, parts, unit):
    for seed in range(3):
        matrix, scale, _ = turned(values, seed)
        exactly = Fraction(parts * scale * (values[0] - values[1]), unit)
        assert exactly - 2 < gap(matrix, unit, parts) <= exactly


def test_the_gap_of_two_columns_is_a_square_root():
    rng = np.random.default_rng(0)
    for _ in range(200):
        a, b, c = (int(each) for each in rng.integers(-(10 ** rng.integers(1, 9)), 10**9, 3))
        matrix = [[a * a + b * b, a * c], [a * c, c * c]]
        square = (a * a + b * b - c * c) ** 2 + 4 * (a * c) ** 2
        found = gap(matrix, 1, 1024)
        assert isqrt(1024**2 * square) - 2 < found <= isqrt(1024**2 * square)


@pytest.mark.parametrize("values", [values for values in VALUES if values[0] > values[1]])
def test_the_projector_is_known_from_below_to_its_last_places(values):
    for seed in range(3):
        matrix, _, vectors = turned(values, seed)
        found, v = projector(matrix), vectors[0]
        short = [
            v[i] * v[j] * 2**DIGITS - found[i][j] for i in range(len(values)) for j in range(len(values))
        ]
        assert all(0 <= each < 2**ERROR for each in short)


@pytest.mark.parametrize("values", [(10**12 + 1, 10**12, 5), (10**30, 10**15, 3)])
def test_balls_that_are_too_wide_are_drawn_again(values, monkeypatch):
    matrix, unit, _ = turned(values, 1)
    well = projector(matrix)
    monkeypatch.setattr(eigen, "_rising", lambda bits: iter([2, 20, 64, 4 * bits]))
    exactly = 1024 * (values[0] - values[1])
    assert exactly - 2 < gap(matrix, unit, 1024) <= exactly
    assert np.abs(np.array(projector(matrix)) - np.array(well)).max() < 2**ERROR


def test_a_gap_that_no_short_ball_holds(monkeypatch):
    a, b, c = 10**30 + 7, 10**29, 3 * 10**28
    exactly = isqrt(1024**2 * ((a - c) ** 2 + 4 * b**2))
    monkeypatch.setattr(eigen, "_rising", lambda bits: iter([2, 20, 64, 4 * bits]))
    assert exactly - 2 < gap([[a, b], [b, c]], 1, 1024) <= exactly


def test_many_columns_against_floats():
    rng = np.random.default_rng(3)
    rows = rng.integers(-1000, 1000, (400, 30)) * np.array([3] + [1] * 29)
    matrix = rows.T @ rows
    values, vectors = np.linalg.eigh(matrix.astype(float))
    assert gap(matrix.tolist(), 10**6, 1024) == pytest.approx(1024e-6 * (values[-1] - values[-2]), abs=2)
    found = np.array(projector(matrix.tolist())).astype(float) / 2.0**DIGITS
    assert np.allclose(found, np.outer(vectors[:, -1], vectors[:, -1]), atol=1e-12)
