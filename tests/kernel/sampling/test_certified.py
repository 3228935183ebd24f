"""The slow path: every comparison is certain."""

import math
from fractions import Fraction

import numpy as np
import pytest
from flint import arb, ctx
from hypothesis import given, settings
from hypothesis import strategies as st

from noisewise.hazmat import SeededBits
from noisewise.kernel.numbers.balls import ball
from noisewise.kernel.sampling import Steps
from noisewise.kernel.sampling.bits import Uniform
from noisewise.kernel.sampling.certified import certain_geometric, certain_index
from noisewise.kernel.sampling.draw import CertifiedSteps
from tests.kernel.sampling.goodness import LEVEL, Expansion, dyadic, p_value

numbers = st.integers(0, 2**300 - 1).map(lambda n: Fraction(n, 2**300))
rates = st.fractions(Fraction(1, 10**9), 64, max_denominator=10**9)


def uniform_at(number):
    source = Expansion(number)
    return Uniform(int(source.words(1)[0]), source)


def steps_of(widths, levels, rate, graded):
    endless = np.zeros(len(levels), bool)
    return Steps(np.array(widths).reshape(-1, len(levels)), np.array(levels), endless, Fraction(rate), graded)


@settings(deadline=None)
@given(st.lists(st.integers(0, 9), min_size=1, max_size=12), rates, st.booleans(), numbers)
def test_the_step_is_the_one_that_holds_the_number(widths, rate, graded, number):
    """Against sums of one exponential per point, at more digits than the number has."""
    widths, levels = [2, *widths], range(len(widths) + 1)
    steps = steps_of(widths, list(levels), rate, graded)
    found = CertifiedSteps(steps, 0).pick(uniform_at(number))
    with ctx.workprec(1000):
        h = ball(rate)
        masses = [arb(2)]
        for level, width in list(zip(levels, widths, strict=True))[1:]:
            costs = [level - 1 + Fraction(j, width) if graded else level for j in range(1, width + 1)]
            masses.append(sum(((-h * ball(Fraction(c))).exp() for c in costs), arb(0)))
        total = sum(masses, arb(0)) * ball(number)
        assert widths[found] > 0
        assert sum(masses[:found], arb(0)) <= total or found == 0
        assert total < sum(masses[: found + 1], arb(0))


@settings(deadline=None)
@given(numbers, rates, st.integers(1, 2**60), st.booleans())
def test_the_point_is_the_one_that_holds_the_number(number, rate, width, endless):
    j = certain_geometric(uniform_at(number), rate, width, endless=endless)
    assert j >= 0
    assert endless or j < width
    with ctx.workprec(1000):
        h = ball(rate)
        share = arb(1) if endless else 1 - (-h).exp()
        below, above = ((1 - (-h * k / width).exp()) / share for k in (j, j + 1))
        assert j == 0 or below <= ball(number)
        assert (not endless and j == width - 1) or ball(number) < above


@settings(deadline=None)
@given(numbers, st.integers(1, 2**62))
def test_the_index_is_the_floor_of_the_product(number, points):
    assert certain_index(uniform_at(number), points) == number * points // 1


def test_a_group_is_picked_from_alone():
    widths, levels = [[1, 4, 2], [3, 5, 6]], [0, 1, 1]
    both, alone = steps_of(widths, levels, "1/2", True), steps_of(widths[1], levels, "1/2", True)
    for word in SeededBits(1).words(50):
        number = Fraction(int(word), 2**64)
        second = CertifiedSteps(both, 1).pick(uniform_at(number))
        assert second == CertifiedSteps(alone, 0).pick(uniform_at(number))


@pytest.mark.parametrize("depth", [100, 1000, 4000])
def test_more_bits_are_read_until_the_side_is_certain(depth):
    """A number that agrees with a boundary in so many bits costs about as many, never a guess."""
    steps = steps_of([1, 1], [0, 1], 1, True)
    with ctx.workprec(depth + 500):
        boundary = dyadic(1 / (1 + (-arb(1)).exp()), depth + 400)
    for offset, expected in ((-1, 0), (1, 1)):
        source = Expansion(boundary + Fraction(offset, 2**depth))
        uniform = Uniform(int(source.words(1)[0]), source)
        assert CertifiedSteps(steps, 0).pick(uniform) == expected
        assert depth <= uniform.bits <= 4 * depth
        assert uniform.bits == 64 * source.taken


def test_numbers_at_the_ends():
    nearly_one = 1 - Fraction(1, 2**1000)
    steps = steps_of([1, 0, 3, 0], [0, 1, 2, 3], "1/2", True)
    assert CertifiedSteps(steps, 0).pick(uniform_at(Fraction(0))) == 0
    assert CertifiedSteps(steps, 0).pick(uniform_at(nearly_one)) == 2  # the last step with points
    assert certain_index(uniform_at(nearly_one), 7) == 6
    for rate in (Fraction(1, 10**30), Fraction(5e-324), Fraction(64)):
        assert certain_geometric(uniform_at(Fraction(0)), rate, 9, endless=False) == 0
        assert certain_geometric(uniform_at(nearly_one), rate, 9, endless=False) == 8
        far = certain_geometric(uniform_at(nearly_one), rate, 9, endless=True)
        assert float(far * rate) <= 9000 * math.log(2) <= float((far + 1) * rate)


def test_a_law_without_sides_needs_no_more_bits():
    source = Expansion(Fraction(1, 3))
    uniform = Uniform(int(source.words(1)[0]), source)
    assert CertifiedSteps(steps_of([5, 0, 0], [0, 1, 1], "1/2", True), 0).pick(uniform) == 0
    assert source.taken == 1


@pytest.mark.parametrize("endless", [False, True], ids=["bounded", "endless"])
def test_points_have_their_law(endless):
    source, rate, width, most = SeededBits(2), Fraction(6), 12, 12
    words = source.words(20_000)
    points = [certain_geometric(Uniform(int(w), source), rate, width, endless=endless) for w in words]
    counts = np.bincount(np.minimum(points, most - 1), minlength=most)

    def pmf(rate):
        masses = np.exp(-rate * np.arange(400 if endless else width) / width)
        return np.append(masses[: most - 1], masses[most - 1 :].sum()) / masses.sum()

    assert p_value(counts, pmf(6.0)) > LEVEL
    assert p_value(counts, pmf(6.6)) < LEVEL


@pytest.mark.parametrize("precision", [20, 53, 128])
def test_the_precision_of_the_caller_is_left_as_it_was(precision):
    with ctx.workprec(precision):
        certain_geometric(uniform_at(Fraction(1, 3)), Fraction(1), 5, endless=False)
        CertifiedSteps(steps_of([1, 1], [0, 1], 1, True), 0).pick(uniform_at(Fraction(1, 3)))
        assert ctx.prec == precision


def test_balls_hold_their_fractions():
    for prec in (10, 53, 200):
        with ctx.workprec(prec):
            third = ball(Fraction(1, 3))
            assert (third * 3).contains(arb(1))
            assert third.rad() > 0
            assert ball(Fraction(5, 4)) == arb(5) / 4
