"""Which ball: counts of points, the bound on the endless rest, float errors, and the worst bits there are."""

import importlib
import math
from fractions import Fraction
from itertools import product
from unittest.mock import patch

import numpy as np
import pytest
from flint import arb, ctx

from noisewise.hazmat import SeededBits
from noisewise.kernel.sampling.bits import Uniform
from noisewise.kernel.sampling.draw import ULP
from noisewise.kernel.sampling.mixture import (
    DIMENSION_SLACK,
    NEGLIGIBLE,
    WEIGHT_SLACK,
    WeightedBalls,
    certain_ball,
    certain_volume,
    volumes,
    weights,
)
from noisewise.kernel.sampling.radial_draw import Rings
from tests.kernel.sampling.goodness import LEVEL, Expansion, First, dyadic, p_value, tilted

module = importlib.import_module("noisewise.kernel.sampling.mixture")
NORMS = ["l1", "linf"]


def rings(sums=(0, 0, 1, 4, 4, 6), stride=3, rate="1/3", graded=True, dimension=2, norm="l1"):
    return Rings(list(sums), stride, Fraction(rate), graded, dimension, norm)


MANY = [
    rings(),
    rings(graded=False),
    rings(norm="linf", rate="7/2"),
    rings(norm="linf", rate="7/2", graded=False, dimension=1),
    rings(sums=[0], stride=1000, rate="1/100", dimension=5),
    rings(sums=[0] * 40, stride=10**6, rate="20", dimension=3),
    rings(sums=[0] * 40, stride=10**6, rate="20", dimension=3, graded=False),
    rings(sums=range(0, 5000, 5), stride=100, rate="1/2", dimension=40),
    rings(stride=0, sums=[0, 0, 0]),
]


def count(radius, dimension, norm):
    """The points of a ball, in closed form."""
    if norm == "linf":
        return (2 * radius + 1) ** dimension
    return sum(math.comb(dimension, k) * math.comb(radius, k) * 2**k for k in range(dimension + 1))


@pytest.mark.parametrize("dimension", [1, 2, 3])
@pytest.mark.parametrize("radius", [0, 1, 2, 5])
def test_the_closed_form_counts_points(radius, dimension):
    cube = product(range(-radius, radius + 1), repeat=dimension)
    assert sum(sum(map(abs, point)) <= radius for point in cube) == count(radius, dimension, "l1")


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("dimension", [1, 2, 7, 100, 700])
def test_volumes_err_by_no_more_than_they_say(dimension, norm):
    radii = [0, 1, 3, 999, 2**53 + 3, 3**60]
    parts, exponents = volumes(radii, dimension, norm)
    for radius, part, exponent in zip(radii, parts, exponents, strict=True):
        exact = count(radius, dimension, norm)
        found = Fraction(float(part)) * Fraction(2) ** int(exponent)
        assert abs(found / exact - 1) <= 2 * dimension * Fraction(ULP)


@pytest.mark.parametrize("norm", NORMS)
def test_certain_volumes_hold_the_count(norm):
    for dimension, radius in [(1, 0), (3, 5), (50, 20), (50, 10**12)]:
        assert certain_volume(radius, dimension, norm).contains(arb(count(radius, dimension, norm)))


@pytest.mark.parametrize("dimension", [1, 60])
@pytest.mark.parametrize("step", [1, 1000])
def test_weights_err_by_a_sixteenth_of_the_slack(dimension, step):
    radii = [step * j for j in range(3000)]
    parts, exponents = weights(radii, dimension, "l1")
    with ctx.workprec(256):
        for j in (0, 1, 2, 17, 500, 2999):
            exact = arb(count(radii[j], dimension, "l1")) * arb(-j).exp()
            found = arb(float(parts[j])) * arb(2) ** int(exponents[j])
            error = abs(found / exact - 1) / arb(ULP)
            assert error < (DIMENSION_SLACK * dimension + WEIGHT_SLACK) / 16


@pytest.mark.parametrize("law", MANY)
def test_radii_climb_no_faster_than_promised(law):
    mixture = law.mixture()
    found = [mixture.radius(j) for j in range(300)]
    for j in (0, 1, 5, 40, 100):
        for m in (1, 2, 3, 50, 199):
            assert found[j + m] - found[j] <= mixture.jump + m * mixture.climb


@pytest.mark.parametrize("law", MANY)
def test_the_rest_is_bounded(law):
    mixture, size = law.mixture(), len(law.mixture().weighted().radii)
    ends = [j for j in (2, 10, 100, size - 1) if mixture.log_rest(j) < math.inf]
    assert ends
    for j in ends:
        beyond = [certain_weight(law, i) for i in range(j + 1, j + 1000)]
        assert sum(beyond, arb(0)) <= certain_weight(law, j) * arb(mixture.log_rest(j)).exp()


def certain_weight(law, j):
    return arb(count(law.radius(j), law.dimension, law.norm)) * arb(-j).exp()


def chances(law, size):
    found = [certain_weight(law, j) for j in range(size)]
    total = sum(found, arb(0))
    return np.array([float(weight / total) for weight in found])


@pytest.mark.parametrize("law", MANY)
def test_balls_are_picked_by_their_weights(law):
    looked = law.mixture().weighted()
    found = np.bincount(looked.pick(40_000, SeededBits(1)), minlength=len(looked.radii))
    exact = chances(law, len(looked.radii))
    assert p_value(found, exact) > LEVEL
    assert p_value(found, tilted(exact)) < LEVEL


@pytest.mark.parametrize("law", MANY)
def test_both_paths_agree_on_the_same_bits(law):
    looked, words = law.mixture().weighted(), SeededBits(2).words(20)
    fast = looked.pick(20, First(words))
    exact = [
        certain_ball(looked.mixture, len(looked.radii), Uniform(int(word), SeededBits(3))) for word in words
    ]
    assert fast.tolist() == exact


@pytest.mark.parametrize("law", MANY[:5])
def test_bits_next_to_a_boundary(law):
    looked = law.mixture().weighted()
    with ctx.workprec(2000):
        found = [certain_weight(law, j) for j in range(2 * len(looked.radii) + 2000)]
        total = sum(found, arb(0))
        shares = [dyadic(sum(found[: j + 1], arb(0)) / total) for j in range(0, 30, 7)]
    for j, share in zip(range(0, 30, 7), shares, strict=True):
        for number, ball in [(share - Fraction(1, 2**200), j), (share + Fraction(1, 2**200), j + 1)]:
            assert looked.pick(1, Expansion(number)).tolist() == [ball]


def first_of_each(looked, law):
    """Words just below and just above the true share of each of the first balls, as far as 64 bits tell."""
    with ctx.workprec(300):
        found = [certain_weight(law, j) for j in range(len(looked.radii) + 400)]
        total = sum(found, arb(0))
        shares = [int(dyadic(sum(found[: j + 1], arb(0)) / total) * 2**64) for j in range(len(looked.radii))]
    near = [share + step for share in shares for step in (-2, 2)]
    return np.array([word for word in near if 0 <= word < 2**64], np.uint64)


@pytest.mark.parametrize("size", [3, 8, 20, 35])
@pytest.mark.parametrize("law", MANY[:3])
def test_however_few_balls_are_looked_at_the_pick_is_right(law, size):
    """What was not looked at moves every share: next to a boundary the slack must hold all of it."""
    looked = WeightedBalls.of(law.mixture(), size)
    words = first_of_each(looked, law)
    exact = [certain_ball(looked.mixture, 400, Uniform(int(word), SeededBits(3))) for word in words]
    assert [int(looked.pick(1, First(words[i : i + 1]))[0]) for i in range(words.size)] == exact


@pytest.mark.parametrize("law", MANY)
def test_what_is_not_looked_at_is_less_than_a_unit(law):
    looked = law.mixture().weighted()
    assert looked.rest < NEGLIGIBLE
    size = len(looked.radii)
    beyond = sum((certain_weight(law, j) for j in range(size, size + 500)), arb(0))
    heaviest = max(float(certain_weight(law, j).log()) for j in range(size))
    assert beyond.log() < heaviest + NEGLIGIBLE * math.log(2) or law.stride == 0


def test_what_the_fast_path_never_looked_at_is_reached():
    """The support does not end: bits next to one pick balls that follow the last one looked at."""
    looked = rings().mixture().weighted()
    picked = int(looked.pick(1, Expansion(1 - Fraction(1, 2**600)))[0])
    assert picked > len(looked.radii)
    assert picked == pytest.approx(600 * math.log(2), abs=20)


def test_all_bits_may_need_balls():
    """With a slack as wide as everything, ball arithmetic decides every draw, and the law is the same."""
    law = MANY[0]
    with patch.object(module, "WEIGHT_SLACK", 2**52):
        looked = law.mixture().weighted()
        found = np.bincount(looked.pick(400, SeededBits(4)), minlength=len(looked.radii))
    assert p_value(found, chances(law, len(looked.radii)), least=20) > LEVEL


def test_balls_say_nothing():
    looked = rings().mixture().weighted()
    assert "withheld" in repr(rings()) + repr(rings().mixture())
    assert "withheld" in repr(looked)
