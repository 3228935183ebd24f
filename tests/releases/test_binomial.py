"""Ranks of the binomial law against sums of exact Fractions."""

from fractions import Fraction
from math import comb

import pytest

from noisewise.releases.binomial import lower_rank


def naive(n: int, q: Fraction, miss: Fraction) -> int:
    total = Fraction(0)
    for k in range(n + 1):
        total += comb(n, k) * q**k * (1 - q) ** (n - k)
        if total > miss:
            return k
    return n


@pytest.mark.parametrize("n", [1, 2, 7, 30, 200])
@pytest.mark.parametrize("q", ["1/1000", "1/10", "1/2", "0.9"])
@pytest.mark.parametrize("miss", ["0.3", "0.02", "1e-6"])
def test_it_is_the_largest_rank_within_the_chance(n, q, miss):
    assert lower_rank(n, Fraction(q), Fraction(miss)) == naive(n, Fraction(q), Fraction(miss))


def test_odd_ones():
    assert (
        lower_rank(0, Fraction(1, 2), Fraction(1, 20)) == lower_rank(-5, Fraction(1, 2), Fraction(1, 20)) == 0
    )
    assert lower_rank(9, Fraction(0), Fraction(1, 20)) == 0
    assert lower_rank(9, Fraction(1), Fraction(1, 20)) == 9
    assert 498_960 < lower_rank(10**6, Fraction(1, 2), Fraction(2, 100)) < 498_990
