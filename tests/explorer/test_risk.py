"""The risk in words: the bounds are those of the definition, and are rounded up."""

import math
from fractions import Fraction

from noisewise.explorer.risk import believed, sentences, table
from noisewise.kernel.losses import ZCDP
from noisewise.kernel.prices import Rho

DELTA = Fraction(1, 10**6)


def test_beliefs_move_by_the_factor_of_the_definition():
    for prior in (0.01, 0.5, 0.9):
        after = believed(prior, Fraction(1))
        assert math.isclose(after / (1 - after), math.e * prior / (1 - prior))
    assert believed(0.5, Fraction(64)) <= 1


def test_bounds_are_rounded_up():
    assert table(Fraction(1)) == [("1%", "2.7%"), ("10%", "23.2%"), ("50%", "73.2%")]
    assert table(Fraction(64))[-1] == ("50%", "100%")


def test_words_follow_the_relation_and_the_contributions():
    alone, several = (sentences(Fraction(1), "add_remove", owned, DELTA) for owned in (1, 3))
    assert "2.72 times" in alone[0] and "your record left out" in alone[0]
    assert "up to 3 of them" in several[0]
    assert "which of two records is yours" in sentences(Fraction(1), "swap", 1, DELTA)[1]
    assert len({sentences(Fraction(e), "add_remove", 1, DELTA)[2] for e in ("0.1", "1", "4", "9")}) == 4


def test_a_rho_is_told_by_the_epsilon_that_it_is_worth():
    said = sentences(Rho(Fraction(1, 10)), "add_remove", 1, DELTA)
    epsilon = ZCDP(Fraction(1, 10)).as_approx(DELTA).epsilon
    assert said[0].startswith("This ρ is worth ε = 2.142 at δ = 1e-06: ") and said[0].endswith("plus δ.")
    assert f"{math.exp(epsilon):,.3g} times" in said[0]
    assert "right at most 89.5% of the time" in said[1] and said[3].endswith("ten times this ρ.")
    assert "right at most 100% of" in sentences(Rho(Fraction(1, 10)), "swap", 1, 1 - DELTA)[1]
