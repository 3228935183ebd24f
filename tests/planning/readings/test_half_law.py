"""One side of a law: exact costs, and float sums against sums over every point and against balls."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from flint import ctx
from hypothesis import given, settings
from hypothesis import strategies as st

from noisewise.planning.readings.half_law import HalfLaw
from noisewise.planning.readings.read_law import read_law
from tests.each_value import each_value
from tests.kernel.sampling.goodness import ReferenceSide

RATES = [Fraction(r) for r in ("5e-7", "1/20", "1/2", "2", "32", "64")]
REACHES = [[0, 4], [0, 0, 0, 3], [0, 2, 2, 9, 10, 10], [0, 1, 2, 3, 4, 5], [0, 17, 18, 40, 40, 41]]
both = each_value(graded=[True, False])
every_rate = each_value(rate=RATES)
every_reach = each_value(reach=REACHES)


def side(reach, rate, graded, endless=0):
    return HalfLaw(np.array(reach), endless, Fraction(rate), graded)


def naive_cost(reach, endless, graded, j):
    """Walk the steps one by one."""
    for l in range(1, 10_000):
        if l < len(reach):
            inner, outer = reach[l - 1], reach[l]
        elif endless:
            inner = reach[-1] + (l - len(reach)) * endless
            outer = inner + endless
        else:
            return math.inf
        if inner < j <= outer:
            return l - 1 + Fraction(j - inner, outer - inner) if graded else Fraction(l)
    raise AssertionError("too far to walk")


def weights(s, most):
    return np.array([math.exp(-float(s.rate * read_law(s).cost(j))) for j in range(1, most + 1)])


reaches = st.lists(st.integers(0, 20), min_size=1, max_size=8).map(lambda w: [0, *np.cumsum(w).tolist()])


@settings(deadline=None)
@given(reaches, st.integers(0, 5), st.booleans(), st.integers(1, 300))
def test_cost_is_found_by_walking(reach, endless, graded, j):
    assert read_law(side(reach, "1/2", graded, endless)).cost(j) == naive_cost(reach, endless, graded, j)


@settings(deadline=None)
@given(reaches, st.integers(1, 5), st.booleans())
def test_float_cost_is_the_cost(reach, endless, graded):
    s, j = side(reach, "1/2", graded, endless), np.arange(1, reach[-1] + 30)
    assert s.float_cost(j) == pytest.approx([float(read_law(s).cost(int(k))) for k in j], rel=1e-15)


def test_cost_is_exact_where_floats_are_not():
    wide = 2**60 - 1
    s = side([0, wide], "1/2", True, wide)
    assert read_law(s).cost(2**59 + 1) == Fraction(2**59 + 1, wide)
    assert read_law(s).cost(wide + 1) == 1 + Fraction(1, wide)
    level = side([0, wide], "1/2", False, wide)
    assert level.float_cost(np.array([wide, wide + 1, 3 * wide, 3 * wide + 1])).tolist() == [1, 2, 3, 4]


@both
@every_rate
@every_reach
def test_sums_are_sums_over_points(reach, rate, graded):
    s = side(reach, rate, graded)
    w = weights(s, reach[-1])
    sums = np.append(0, np.cumsum(w))
    assert s.mass_to(np.arange(reach[-1] + 1)) == pytest.approx(sums, rel=1e-13)
    assert s.mass == pytest.approx(math.fsum(w), rel=1e-13)
    assert s.moment() == pytest.approx(math.fsum(w * np.arange(1, w.size + 1)), rel=1e-13)
    assert s.mass_to(np.array([reach[-1] + 5])) == pytest.approx(sums[-1:], rel=1e-13)


@both
@every_rate
@pytest.mark.parametrize("endless", [0, 1, 7])
@every_reach
def test_moments_with_a_limit_are_sums_over_points(reach, endless, rate, graded):
    s = side(reach, rate, graded, endless)
    most = reach[-1] + 20 * endless
    w, j = weights(s, most), np.arange(1, most + 1)
    for limit in {0, 1, 2, reach[-1] // 2, reach[-1], most // 2, most}:
        beyond = math.exp(s.log_mass_after(np.array([limit]))[0])
        expected = math.fsum(w[:limit] * j[:limit]) + limit * beyond
        assert s.moment(limit) == pytest.approx(expected, rel=1e-12)
    if not endless:
        assert s.moment(most + 10) == pytest.approx(math.fsum(w * j), rel=1e-12)


@both
@pytest.mark.parametrize("rate", ["1/2", "2", "32"])
@pytest.mark.parametrize("endless", [1, 7])
@every_reach
def test_an_endless_side_sums_to_its_limit(reach, endless, rate, graded):
    s = side(reach, rate, graded, endless)
    w = weights(s, reach[-1] + math.ceil(60 / float(s.rate)) * endless)
    assert s.mass == pytest.approx(math.fsum(w), rel=1e-12)
    assert s.moment() == pytest.approx(math.fsum(w * np.arange(1, w.size + 1)), rel=1e-12)


@both
@every_rate
@pytest.mark.parametrize("endless", [0, 3])
@pytest.mark.parametrize("reach", [[0, 9], [0, 0, 5, 5, 6], [0, 2**30, 2**50, 2**50 + 1, 2**60]], ids=str)
def test_sums_agree_with_balls(reach, endless, rate, graded):
    """Widths up to 2^60, every rate, near the edge and far out."""
    s, points = side(reach, rate, graded, endless), {0, 1, 2, *reach, *(r + 1 for r in reach), reach[-1] // 3}
    with ctx.workprec(4000):  # enough to subtract what is left beyond 30 steps of rate 64
        exact = ReferenceSide(reach, endless or None, Fraction(rate), graded)
        for j in sorted(points | ({reach[-1] + 100} if endless else set())):
            place = np.array([j])
            assert s.mass_to(place)[0] == pytest.approx(float(exact.first(j)), rel=1e-12)
            left = exact.total - exact.first(j)
            if j < reach[-1] or endless:
                assert s.log_mass_after(place)[0] == pytest.approx(float(left.log()), rel=1e-12, abs=1e-11)
            else:
                assert s.log_mass_after(place)[0] == -math.inf
        assert s.mass == pytest.approx(float(exact.total), rel=1e-12)


def test_what_is_left_far_out_is_no_difference_of_sums():
    """exp(-2^50) underflows, and 1 - (1 - 1e-300) cancels: the logarithm is right all the same."""
    s = side([0], 1, True, 1)
    for j in (100, 10_000, 2**50):
        assert s.log_mass_after(np.array([j]))[0] == pytest.approx(-j - math.log(math.expm1(1)), rel=1e-14)
    assert s.moment(2**50) == pytest.approx(s.moment(), rel=1e-14)


def test_the_smallest_rates_are_read():
    for rate in (Fraction(5e-324), Fraction(1, 10**400)):
        for graded in (True, False):
            s = side([0, 4, 10], rate, graded)
            assert s.mass == pytest.approx(10, rel=1e-14)
            assert s.mass_to(np.array([7]))[0] == pytest.approx(7, rel=1e-14)
            assert s.moment() == pytest.approx(55, rel=1e-14)
            assert math.isfinite(side([0, 4], rate, graded, 3).mass)


def test_many_levels():
    reach = np.arange(200_001) * 3
    s = side(reach, "1/1000", True)
    assert s.mass == pytest.approx(1 / math.expm1(1 / 3000), rel=1e-11)
    deep = s.log_mass_after(np.array([3 * 199_000]))[0]
    assert deep == pytest.approx(-199 + math.log(-math.expm1(-1) / math.expm1(1 / 3000)), rel=1e-12)


def test_a_side_is_cut_off_at_a_level():
    s = replace(side([0, 3, 5, 9], "1/2", True, 4), reach=np.array([0, 3, 5]), endless=0)
    assert (s.endless, read_law(s).cost(5), read_law(s).cost(6)) == (0, 2, math.inf)
