"""Sums of Gaussian weights in balls: both formulas against each other and against sums of terms."""

import math
from fractions import Fraction

import pytest
from flint import arb, ctx

from noisewise.kernel.numbers.balls import precision
from noisewise.kernel.numbers.gaussian_sums import _added, _integrated, gaussian_sum
from tests.kernel.sampling.goodness import ball

VARIANCES = [Fraction(1, 10**6), Fraction(1, 3), Fraction(1), Fraction(50), Fraction(4001, 3)]


def terms(variance, start):
    """A sum of terms down to 2^-700 of the first one."""
    many = math.isqrt(math.ceil(1400 * variance)) + 2
    return sum(((-ball(k**2 / (2 * variance))).exp() for k in range(start, start + many)), arb(0))


@pytest.mark.parametrize("variance", VARIANCES)
@pytest.mark.parametrize("start", [0, 1, 2, 40, 1000])
@pytest.mark.parametrize("bits", [64, 300])
def test_small_variances_add_terms(variance, start, bits):
    with precision(bits):
        found = gaussian_sum(variance, start)
    with ctx.workprec(800):
        assert found.overlaps(terms(variance, start))
    assert found.rel_accuracy_bits() > bits - 16


@pytest.mark.parametrize("variance", [Fraction(400), Fraction(4096), Fraction(12345, 2), Fraction(10**6)])
@pytest.mark.parametrize("start", [0, 1, 63, 700, 9000])
@pytest.mark.parametrize("bits", [64, 300])
def test_both_formulas_agree(variance, start, bits):
    with precision(bits):
        one, other = _added(variance, start), _integrated(variance, start)
        assert one.overlaps(other)
    if start**2 < 100 * variance:
        assert min(one.rel_accuracy_bits(), other.rel_accuracy_bits()) > bits - 40


@pytest.mark.parametrize("variance", [Fraction(4097), Fraction(10) ** 24, Fraction(2**116)])
def test_the_sum_over_all_whole_numbers_is_that_of_poisson(variance):
    with precision(256):
        whole = 1 + 2 * gaussian_sum(variance, 1)
        assert whole.overlaps((2 * arb.pi() * ball(variance)).sqrt())
        assert whole.rel_accuracy_bits() > 240


def test_far_out_the_rest_is_in_the_ball():
    """Corrections do not help where terms fall fast: the ball is wide, and still holds the sum."""
    with precision(128):
        wide, true = _integrated(Fraction(4000), 10**6), _added(Fraction(4000), 10**6)
    assert wide.contains(true) and wide.rel_accuracy_bits() < 0


def test_the_variance_decides_which_formula_is_used():
    with precision(128):
        for variance in (Fraction(4096), Fraction(4097)):
            expected = _added(variance, 5) if variance <= 4096 else _integrated(variance, 5)
            assert gaussian_sum(variance, 5).str(60) == expected.str(60)
