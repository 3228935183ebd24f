"""Where answers lie: public ends, one floor, and errors that say the rule."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noisewise.errors import ParameterError, ParameterTypeError
from noisewise.kernel.numbers.answers import UTMOST, Answers
from noisewise.kernel.numbers.lattice import FINEST, Lattice


def test_answers_that_are_records_lie_on_their_lattice():
    lattice = Lattice.between((0, 100), 5)
    answers = Answers.on(lattice)
    assert answers.support == (0, 20)
    assert (answers.points, answers.granularity) == (21, 5)


@pytest.mark.parametrize(("low", "high"), [(0, 1), (-3, 5), (Fraction(1, 3), 10**9)])
def test_fractional_answers_have_about_2_to_the_32_steps_of_a_power_of_two(low, high):
    answers = Answers.between(Fraction(low), Fraction(high))
    step = answers.granularity
    assert step.numerator.bit_count() == step.denominator.bit_count() == 1
    assert 2**31 < (high - low) / step < 2**33
    assert low <= answers.low * step and answers.high * step <= high
    assert (answers.low - 1) * step < low and (answers.high + 1) * step > high


def test_counts_start_at_zero_and_have_no_end():
    assert Answers.counting() == Answers(0, None, Fraction(1))
    assert Answers.counting(10).granularity == 10
    assert Answers.counting().points == FINEST


@pytest.mark.parametrize("granularity", [0, -1, 0.5, Fraction(3, 2), 2**52])
def test_a_count_is_told_in_whole_steps(granularity):
    with pytest.raises(ParameterError, match="granularity must be a whole number from 1 to 2"):
        Answers.counting(granularity)
    with pytest.raises(ParameterTypeError, match="granularity must be a real number"):
        Answers.counting("1")


@given(
    st.integers(-(10**40), 10**40),
    st.integers(1, 10**20),
    st.fractions(min_value=Fraction(1, 10**9), max_value=10**9).filter(bool),
    st.fractions(min_value=Fraction(1, 10**9), max_value=10**9).filter(bool),
)
def test_the_floor_is_that_of_the_exact_value(top, bottom, unit, granularity):
    index = math.floor(unit * top / bottom / granularity)
    assert Answers(None, None, granularity).floor(top, bottom, unit) == max(-UTMOST, min(index, UTMOST))
    assert Answers(-7, 9, granularity).floor(top, bottom, unit) == max(-7, min(index, 9))


def test_steps_cover_a_distance_and_never_more_than_the_range():
    answers = Answers(0, 10, Fraction(1, 2))
    assert [answers.steps(Fraction(d)) for d in ("0", "0.5", "0.6", "1", "99")] == [1, 1, 2, 2, 10]
    assert Answers(0, None, Fraction(1, 2)).steps(Fraction(99)) == 198
