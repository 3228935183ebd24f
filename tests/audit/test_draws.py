"""The tree of possible draws: several draws, several laws together, and answers without a draw."""

import math
from fractions import Fraction

import pytest
from flint import arb

import noisewise as nws
from noisewise import ask
from noisewise.audit.draws import Choices, Draws, NextDraw, certain, extreme, merged, probabilities
from noisewise.audit.exact_audit import exact
from noisewise.errors import ParameterTypeError
from noisewise.kernel.numbers.balls import precision

ASKED = {"bounds": (0, 4), "epsilon": 1, "granularity": 1}


def draws(question, data):
    return Draws.of(question.bind((data,)))


def test_a_question_of_several_draws_is_a_tree():
    question = ask.quantiles("x", [Fraction(1, 4), Fraction(3, 4)], **ASKED)
    near, far = draws(question, [0.0, 1.0]), draws(question, [0.0, 1.0, 4.0])
    found = extreme(near, far, modes=True)
    assert len(found.path) == 2
    assert near.laws(found.path) is None
    assert 0 < extreme(near, far).log_ratio <= found.log_ratio + 1e-9 <= 1
    with precision(128):
        assert abs(float(certain(near, far, found.path).mid()) - found.log_ratio) < 1e-9


def test_laws_drawn_from_at_once_are_added_up():
    question = ask.histogram("x", categories=["a", "b"], epsilon=1)
    found = extreme(draws(question, ["a"]), draws(question, ["a", "b"]))
    ((_, second),) = found.path
    assert math.isclose(found.log_ratio, 1) and second == 0


def test_a_different_number_of_draws_is_an_infinite_loss():
    once, twice = Draws(lambda bits: None), draws(ask.median("x", **ASKED), [1.0])
    assert extreme(once, twice).log_ratio == math.inf
    assert certain(once, twice, ((2,),)) == arb.pos_inf()


def test_what_one_never_draws_is_no_evidence_for_it():
    near, far = Draws.written({"a": 1}), Draws.written({"a": Fraction(1, 2), "b": Fraction(1, 2)})
    assert math.isclose(extreme(near, far).log_ratio, math.log(2))
    assert extreme(far, near).log_ratio == math.inf


def test_choices_stop_where_they_end_and_say_the_same_bits_to_all_records():
    choices = Choices(())
    assert len(set(choices.words(3).tolist())) == 1
    law = nws.hazmat.law(nws.Quantile("1/2"), [1.0], **ASKED)
    with pytest.raises(NextDraw):
        choices.choose(law)
    with pytest.raises(ParameterTypeError, match="a law must be one that an audit can read"):
        probabilities("no law")
    assert merged([1, "a"], ["b"]) == [1, "a", "b"]


def test_an_interval_is_audited_along_all_of_its_draws():
    """With enough records it draws a count, and then the two quantiles that follow from the count."""
    found = exact("median_interval", bounds=(0, 4), granularity=1, epsilon=16, records=60, tries=24)
    assert found.passed and len(found.outcome) == 3
