"""Uniform points of lattice balls: every point, equally often, and no other; in integers at any size."""

import importlib
import math
from fractions import Fraction
from itertools import combinations, product
from unittest.mock import patch

import numpy as np
import pytest

from noisewise.hazmat import SeededBits
from noisewise.kernel.sampling.bits import Uniform
from noisewise.kernel.sampling.points import _inverted, ball_points, below, norms, subsets
from tests.kernel.sampling.goodness import LEVEL, Expansion, p_value, tilted

module = importlib.import_module("noisewise.kernel.sampling.points")
DRAWS = 45_000


def all_points(radius, dimension, norm):
    """Every point of a ball, by looking at a cube."""
    cube = product(range(-radius, radius + 1), repeat=dimension)
    return [p for p in cube if norm == "linf" or sum(map(abs, p)) <= radius]


def counts_of(rows, outcomes):
    places = {outcome: i for i, outcome in enumerate(outcomes)}
    return np.bincount([places[tuple(row)] for row in rows], minlength=len(outcomes))


def check(counts):
    even = np.full(counts.size, 1 / counts.size)
    assert p_value(counts, even) > LEVEL
    assert p_value(counts, tilted(even), least=counts.sum() / 8) < LEVEL


@pytest.mark.parametrize("norm", ["l1", "linf"])
@pytest.mark.parametrize(("dimension", "radius"), [(1, 1), (1, 9), (2, 1), (2, 4), (3, 2), (3, 3), (5, 1)])
def test_every_point_is_as_likely_as_every_other(dimension, radius, norm):
    points = ball_points(radius, dimension, norm, DRAWS, SeededBits(3))
    check(counts_of(points.tolist(), all_points(radius, dimension, norm)))


@pytest.mark.parametrize("norm", ["l1", "linf"])
def test_a_ball_of_radius_zero_is_its_centre(norm):
    assert ball_points(0, 3, norm, 4, SeededBits(0)).tolist() == [[0, 0, 0]] * 4


@pytest.mark.parametrize(("bound", "size", "few"), [(6, 1, 12), (6, 3, 12), (6, 5, 12), (5, 2, 1), (5, 4, 1)])
def test_every_set_is_as_likely_as_every_other(bound, size, few):
    with patch.object(module, "FEW", few):
        found = np.sort(subsets(bound, size, DRAWS, SeededBits(5)), axis=1)
    check(counts_of(found.tolist(), list(combinations(range(bound), size))))


@pytest.mark.parametrize("size", [3, 12, 13, 40])
def test_the_only_set_of_all(size):
    assert np.sort(subsets(size, size, 2, SeededBits(5))).tolist() == [list(range(size))] * 2


def test_large_sets_hold_every_number_equally_often():
    found = subsets(60, 20, 3_000, SeededBits(6))
    assert all(len(set(row)) == 20 for row in found.tolist())
    check(np.bincount(found.ravel(), minlength=60))
    pairs = found[:, [0, 1]] // 6
    assert p_value(np.bincount(pairs @ [10, 1], minlength=100), pair_chances(60, 6)) > LEVEL


def pair_chances(bound, wide):
    """Two different numbers, each told in tens of so many: a pair within one ten is a little rarer."""
    cells = bound // wide
    same = wide * (wide - 1) / (bound * (bound - 1))
    other = wide * wide / (bound * (bound - 1))
    return [same if i == j else other for i in range(cells) for j in range(cells)]


@pytest.mark.parametrize("norm", ["l1", "linf"])
@pytest.mark.parametrize("radius", [2**61 - 1, 2**61, 2**62 + 1, 2**70, 3**100])
def test_radii_beyond_64_bits(radius, norm):
    points = ball_points(radius, 3, norm, 300, SeededBits(7))
    assert {type(v) for v in points.ravel().tolist()} == {int}
    sizes = np.array([r / radius for r in norms(points, norm)])
    assert sizes.min() < 0.5
    assert sizes.max() <= 1
    assert 0.68 < sizes.mean() < 0.82, "the radius of a uniform point of three dimensions is 3/4 on average"
    assert (points > 0).mean() == pytest.approx(0.5, abs=0.1)


def test_many_dimensions():
    points = ball_points(2_000, 1_000, "l1", 40, SeededBits(8))
    radii = np.array(norms(points, "l1"))
    assert radii.max() <= 2_000
    assert radii.mean() > 1_990
    weights = [math.comb(1_000, k) * math.comb(2_000, k) * 2**k for k in range(1_001)]
    mean = float(Fraction(sum(k * w for k, w in enumerate(weights)), sum(weights)))
    assert np.count_nonzero(points, axis=1).mean() == pytest.approx(mean, abs=5)


@pytest.mark.parametrize("sums", [[1, 3, 7], [2**300, 2**301, 3**200], [1, 10**5000]])
def test_shares_of_integers_at_their_boundaries(sums):
    for place in range(len(sums) - 1):
        edge, near = Fraction(sums[place], sums[-1]), Fraction(1, 2**20_000)
        for number, found in [(edge - near, place), (edge + near, place + 1)]:
            source = Expansion(number)
            assert _inverted(sums, Uniform(int(source.words(1)[0]), source)) == found


@pytest.mark.parametrize("bound", [1, 2, 7, 2**62, 2**62 + 1, 10**30])
def test_numbers_below_a_bound(bound):
    found = below(bound, 500, SeededBits(9)).tolist()
    assert min(found) >= 0
    assert max(found) < bound
    assert bound == 1 or max(found) >= bound // 2
