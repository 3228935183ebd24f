"""Subjects of audits have datasets that fit the question, and the claim of its receipt."""

from fractions import Fraction

import pytest

import noisewise as nws
from noisewise import ask
from noisewise.audit.spaces import EdgeSpace, NodeSpace, Records
from noisewise.audit.subjects import default_keywords, every_kind, grid, subject_of_question
from noisewise.errors import NoisewiseError, ParameterError
from noisewise.questions.question import KINDS


def asked(question, *arguments, records=None, values=None, answers=None, **keywords):
    return subject_of_question(
        "audit",
        question,
        arguments,
        {"epsilon": 1, **keywords},
        records=records,
        values=values,
        answers=answers,
    )


def test_records_lie_between_the_bounds():
    assert asked("median", bounds=(0, 100)).space == Records(((0, 25, 50, 75, 100),), 4)
    assert asked(nws.pearson, bounds=((0, 2), (0, 6))).space.columns == ((0, 1, 2), (0, 1, 6))
    assert asked("most_common", categories=["tea", "milk"]).space == Records((("tea", "milk", None),), 4)
    assert asked("most_common", ["tea", "milk"]).space == Records((("tea", "milk", None),), 4)
    assert asked("count").space.columns == ((None, 0, 1),)
    assert asked("median", bounds=(0, 1), values=[0, 1]).space.columns == ((0, 1),)
    assert isinstance(asked("triangles").space, EdgeSpace)
    assert isinstance(asked("degree_quantile", q=Fraction(1, 2), max_degree=2).space, NodeSpace)
    assert grid((0, 1), 3) == (0, 0.5, 1)


def test_the_claim_is_that_of_the_receipt():
    question = ask.median("x", bounds=(0, 4), epsilon=2)
    subject = asked(question, epsilon=2, contributions=2, mechanism="piecewise_laplace")
    assert (subject.claimed, subject.ranged) == (2, True)
    assert subject.space.owned == 2
    assert asked("median", bounds=(0, 4), mechanism="balance").ranged is False
    with pytest.raises(ParameterError, match="answers must be left out"):
        asked("median", bounds=(0, 4), granularity=1, answers=5)


def test_a_number_of_answers_is_a_step_between_the_bounds():
    question = ask.median("x", bounds=(0, 100), epsilon=1)
    one = asked(question, answers=6).draws((0,)).laws(())
    assert one is not None and one[0].outcomes() == list(range(6))


def test_every_question_has_usual_parameters_without_being_told_any():
    assert [kind.name for kind in every_kind()] == sorted(KINDS)
    for kind in every_kind():
        assert default_keywords(kind, epsilon=1)["epsilon"] == 1
    with pytest.raises(NoisewiseError, match="neighbors"):
        default_keywords(KINDS["triangles"], epsilon=1, neighbors="swap")
