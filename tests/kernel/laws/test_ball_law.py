"""Ball laws: exact costs, exact draws, at most e tries, clamped boxes, and one dimension as the law of lines."""

import importlib
import math
from fractions import Fraction
from itertools import product
from unittest.mock import patch

import numpy as np
import pytest
from flint import ctx

from noisewise.errors import ParameterError
from noisewise.hazmat import SeededBits
from noisewise.kernel.laws.ball_law import BallLaw
from noisewise.kernel.laws.law import Law
from noisewise.kernel.laws.radii import RadiusBounds
from noisewise.kernel.numbers.answers import UTMOST
from noisewise.kernel.sampling.radial_draw import KEEP_SLACK, Rings, keeps
from noisewise.planning.readings.read_law import read_law
from tests.kernel.sampling.goodness import LEVEL, Expansion, ball, dyadic, p_value, tilted

sampler = importlib.import_module("noisewise.kernel.sampling.radial_draw")
NORMS = ["l1", "linf"]
STEPS, STRIDE = [0, 1, 3, 0, 2], 3


def shells(dimension=2, norm="l1", rate="1/2", graded=True, steps=STEPS, stride=STRIDE, **more):
    centre = np.arange(dimension) * 5 - 3
    return BallLaw(centre, RadiusBounds.of(steps, stride), norm, Fraction(rate), graded, **more)


def naive_cost(law, radius):
    """inf { s : the first s radii sum to at least so much }, by walking."""
    reached, l = 0, 0
    while reached < radius:
        l += 1
        reached += law.radii.radius(l)
    if not l:
        return Fraction(0)
    width = law.radii.radius(l)
    return l - 1 + Fraction(radius - reached + width, width) if law.graded else Fraction(l)


def count(radius, dimension, norm):
    if radius < 0:
        return 0
    if norm == "linf":
        return (2 * radius + 1) ** dimension
    return sum(math.comb(dimension, k) * math.comb(radius, k) * 2**k for k in range(dimension + 1))


def by_radius(law, most=20_000):
    """The weight of each radius: its number of points times the weight of one."""
    found = []
    for r in range(most):
        points = count(r, law.dimension, law.norm) - count(r - 1, law.dimension, law.norm)
        found.append(points * math.exp(-float(law.rate * naive_cost(law, r))))
        if r > 60 and found[-1] < 1e-18 * max(found):
            break
    return np.array(found)


def size_of(points, norm):
    sizes = np.abs(points)
    return sizes.sum(axis=1) if norm == "l1" else sizes.max(axis=1)


# Costs.


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("graded", [True, False])
@pytest.mark.parametrize("dimension", [1, 2, 3])
def test_costs_are_the_definition(dimension, graded, norm):
    law = shells(dimension, norm, graded=graded)
    points = read_law(law).centre + np.array(list(product(range(-9, 10, 3), repeat=dimension)))
    radii = size_of(points - read_law(law).centre, norm).tolist()
    assert read_law(law).cost(points).tolist() == [naive_cost(law, r) for r in radii]
    assert all(isinstance(c, Fraction) for c in read_law(law).cost(points))
    assert read_law(law).cost(read_law(law).centre) == 0
    assert read_law(law).logweight(points).tolist() == [-0.5 * float(c) for c in read_law(law).cost(points)]


@pytest.mark.parametrize("graded", [True, False])
@pytest.mark.parametrize("steps", [STEPS, [], [2, 0, 1], [0, 0]])
def test_one_dimension_is_the_law_of_its_envelope(steps, graded):
    one = shells(1, steps=steps, graded=graded)
    line = Law(one.radii.envelope(int(one.centre[0]), (None, None)), one.rate, graded=graded)
    values = np.arange(-40, 40)
    assert read_law(one).cost(values[:, None]).tolist() == read_law(line).cost(values).tolist()
    assert read_law(one).pmf(values[:, None]) == pytest.approx(read_law(line).pmf(values), rel=1e-9)
    assert read_law(one).expected_error() == pytest.approx(read_law(line).expected_error(), rel=1e-9)


def test_without_any_sensitivity_only_the_centre_is_drawn():
    law = shells(3, steps=[0, 0], stride=0)
    assert law.draw(50, bits=SeededBits(1)).tolist() == [read_law(law).centre.tolist()] * 50
    assert read_law(law).cost(read_law(law).centre + np.array([0, 1, 0])) == math.inf
    assert read_law(law).pmf(read_law(law).centre) == pytest.approx(1)


# What is drawn.

CASES = [
    (dimension, norm, graded, rate)
    for dimension in (1, 2, 3)
    for norm in NORMS
    for graded in (True, False)
    for rate in ("1/9", "1/2", "17/10")
]


@pytest.mark.parametrize(("dimension", "norm", "graded", "rate"), CASES)
def test_draws_have_the_law_and_no_other(dimension, norm, graded, rate):
    law = shells(dimension, norm, rate, graded)
    weights = by_radius(law)
    exact = np.append(weights, 0) / weights.sum()
    drawn = law.draw(30_000, bits=SeededBits(11)) - read_law(law).centre
    found = np.bincount(np.minimum(size_of(drawn, norm), weights.size), minlength=weights.size + 1)
    assert found[-1] == 0
    assert p_value(found[:-1], exact[:-1]) > LEVEL
    if exact[0] < 0.8:
        assert p_value(found[:-1], tilted(exact[:-1]), least=3_000) < LEVEL


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize(("dimension", "rate"), [(2, "1"), (3, "3/2"), (2, "6")])
def test_every_point_has_its_probability(dimension, rate, norm):
    """Not only radii: each point near the centre, with the rest as one outcome. Rates above one split shells."""
    law = shells(dimension, norm, rate, steps=[4, 2], stride=6)
    weights = by_radius(law)
    near = np.array(list(product(range(-3, 4), repeat=dimension)))
    exact = np.array([math.exp(-float(law.rate * naive_cost(law, r))) for r in size_of(near, norm).tolist()])
    exact = np.append(exact / weights.sum(), 1 - exact.sum() / weights.sum())
    drawn = law.draw(60_000, bits=SeededBits(12)) - read_law(law).centre
    places = (drawn + 3) @ 7 ** np.arange(dimension)[::-1]
    places[np.abs(drawn).max(axis=1) > 3] = near.shape[0]
    found = np.bincount(places, minlength=near.shape[0] + 1)
    assert p_value(found, exact) > LEVEL
    assert read_law(law).pmf(read_law(law).centre + near) == pytest.approx(exact[:-1], rel=1e-9)


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("graded", [True, False])
def test_wide_shells_and_a_high_rate(graded, norm):
    """BallLaw of many points that are split in parts: radii in even bins of the exact distribution function."""
    law = shells(6, norm, "25", graded, steps=[500, 900], stride=1000)
    weights = by_radius(law, most=2_500)
    exact = weights / weights.sum()
    cuts = np.searchsorted(np.cumsum(exact), np.linspace(0.02, 0.98, 30))
    drawn = size_of(law.draw(40_000, bits=SeededBits(13)) - read_law(law).centre, norm)
    found = np.bincount(np.searchsorted(cuts, drawn), minlength=cuts.size + 1)
    shares = np.diff([0, *np.cumsum(exact)[cuts], 1])
    assert p_value(found, shares) > LEVEL
    assert p_value(found, tilted(shares), least=4_000) < LEVEL


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("dimension", [30, 100])
def test_many_dimensions(dimension, norm):
    """The radius of a law whose shells are all alike is close to dimension * stride / rate."""
    law = shells(dimension, norm, "1/2", steps=[], stride=50)
    drawn = size_of(law.draw(200, bits=SeededBits(14)) - read_law(law).centre, norm)
    assert read_law(law).expected_error() == pytest.approx(dimension * 100, rel=0.01)
    assert drawn.mean() == pytest.approx(read_law(law).expected_error(), rel=6 / math.sqrt(200 * dimension))


def test_the_mean_radius_is_read_as_drawn():
    for norm, graded in product(NORMS, (True, False)):
        law = shells(2, norm, "1/7", graded, steps=[900] * 3 + [2000], stride=5000)
        drawn = size_of(law.draw(8_000, bits=SeededBits(15)) - read_law(law).centre, norm)
        assert read_law(law).expected_error() == pytest.approx(drawn.mean(), rel=0.05)


@pytest.mark.parametrize("norm", NORMS)
def test_wide_lattices_are_read_without_a_warning(norm):
    law = shells(2, norm, "1/2", steps=[3] * 50, stride=2**55)
    assert read_law(law).expected_error() > 0
    assert 0 < read_law(law).pmf(read_law(law).centre) < 1
    assert read_law(law).logpmf(read_law(law).centre + 2**56) < -50


# Tries.


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("rate", ["1/100", "1/3", "31"])
@pytest.mark.parametrize("graded", [True, False])
@pytest.mark.parametrize("dimension", [1, 4, 50])
def test_a_few_tries_are_enough(dimension, graded, rate, norm):
    law = shells(dimension, norm, rate, graded, steps=[0, 0, 7, 300], stride=400)
    tries = 0

    def counted(rings, radii, bits):
        nonlocal tries
        tries += len(radii)
        return keeps(rings, radii, bits)

    with patch.object(sampler, "keeps", counted):
        law.draw(400, bits=SeededBits(16))
    assert 400 <= tries < 400 * math.e


def test_an_answer_that_is_all_but_sure_takes_one_try():
    for graded in (True, False):
        law = shells(3, "l1", "61/2", graded, steps=[1, 2], stride=5)
        assert read_law(law).pmf(read_law(law).centre) > 0.99
        assert law._rings().chance(0) == 0


@pytest.mark.parametrize("graded", [True, False])
def test_whole_rates_of_level_shells_are_kept_at_once(graded):
    rings = Rings([0, 2, 4], 3, Fraction(2), graded, 2, "l1")
    assert max(rings.chance(r) for r in range(60)) <= 1
    assert min(rings.chance(r) for r in range(60)) >= 0
    assert graded or {rings.chance(r) for r in range(60)} == {0}


@pytest.mark.parametrize("radius", [1, 2, 3, 7])
def test_coins_at_their_worst_bits(radius):
    rings = Rings([0, 2, 4], 3, Fraction(1, 3), True, 2, "l1")
    with ctx.workprec(1000):
        chance = dyadic((-ball(rings.chance(radius))).exp())
    near = Fraction(1, 2**300)
    assert keeps(rings, [radius], Expansion(chance - near)).tolist() == [True]
    assert keeps(rings, [radius], Expansion(chance + near)).tolist() == [False]
    assert keeps(rings, [0], Expansion(1 - near)).tolist() == [True], "the centre is always kept"
    assert KEEP_SLACK == 80


def test_the_largest_radius_of_a_part_costs_what_it_may():
    for graded, rate in product((True, False), ("1/3", "7/2", "22/7")):
        rings = Rings([0, 0, 2, 2, 7], 5, Fraction(rate), graded, 2, "l1")
        for j in range(60):
            radius = rings.radius(j)
            inner, outer = rings.cost(radius) * rings.rate, rings.cost(radius + 1) * rings.rate
            assert inner <= j + 1 < outer if graded else inner < j + 1 <= outer


# Boxes, values, and what is refused.


def test_a_box_clamps_coordinates():
    free, boxed = shells(2), shells(2, box=([-4, 0], [3, 3]))
    left, right = free.draw(300, bits=SeededBits(1)), boxed.draw(300, bits=SeededBits(1))
    assert np.array_equal(right, np.minimum(np.maximum(left, [-4, 0]), [3, 3]))
    half = shells(2, box=(None, np.array([0, 0])))
    assert np.array_equal(half.draw(300, bits=SeededBits(1)), np.minimum(left, 0))


def test_one_draw_is_indices_and_many_are_values():
    law = shells(3, granularity=Fraction(1, 4))
    one = law.draw_one(bits=SeededBits(2))
    assert (one.dtype, one.shape) == (np.int64, (3,))
    assert law.draw(1, bits=SeededBits(2)).tolist() == [(one / 4).tolist()]
    assert law.draw(0).shape == (0, 3)
    assert law.draw(2).shape == (2, 3)


@pytest.mark.parametrize("norm", NORMS)
def test_noise_beyond_64_bits_is_clamped(norm):
    law = shells(2, norm, Fraction(1, 2**30), steps=[2**59] * 40, stride=2**59)
    drawn = law.draw(20, bits=SeededBits(3))
    assert np.all(np.abs(drawn) <= UTMOST)
    assert (np.abs(drawn) == UTMOST).mean() > 0.9


def test_the_norm_is_one_of_two():
    with pytest.raises(ParameterError, match='norm must be "l1" or "linf", got'):
        shells(norm="l2")


def test_shells_say_nothing():
    assert repr(shells()) == "<BallLaw: withheld>"
