"""The exact audit finds wrong mechanisms, and passes every question of the library in small worlds."""

import sys
from fractions import Fraction
from typing import Any

import pytest

import noisewise as nws
from noisewise.audit.exact_audit import audited, default_subject, every, exact
from noisewise.audit.subjects import every_kind
from noisewise.errors import ParameterError, ParameterTypeError
from tests.audit import wrong

SMALL: dict[str, Any] = {"records": 3, **wrong.ASKED}
FEW = {
    "five_number_summary",
    "linear_regression",
    "covariance",
    "principal_component",
    "vector_mean",
    "quantiles",
}
"""Questions with more draws, or with slower laws."""


@pytest.mark.parametrize(
    ("question", "mechanism"),
    [("median", wrong.WholeRate(epsilon=1)), (wrong.LateByOne("1/2"), "piecewise_laplace")],
    ids=["epsilon for epsilon/2", "an envelope late by one"],
)
def test_a_wrong_envelope_and_a_wrong_rate_are_violations(question, mechanism):
    found = exact(question, mechanism=mechanism, **SMALL)
    assert not found.passed and found.loss.low > 1.2 and found.range.low > 1.9
    assert exact("median", mechanism="piecewise_laplace", **SMALL).passed


@pytest.mark.parametrize(
    ("law", "values", "epsilon", "least"),
    [
        (wrong.doubled_centre, range(5), 1, 1.3),
        (wrong.dropped_tails, range(5), 1, float("inf")),
        (wrong.bounds_from_the_data, range(5), 1, 10),
        (wrong.local_sensitivity, range(5), 1, 10),
        (wrong.truncated_balance, (0, 19, 20, 21, 40), Fraction(1, 2), 0.55),
    ],
    ids=lambda each: getattr(each, "__name__", ""),
)
def test_a_wrong_law_is_a_violation(law, values, epsilon, least):
    found = exact(law, values=values, epsilon=epsilon, records=4 if epsilon != 1 else 3)
    assert not found.passed and found.loss.low >= least
    assert str(found).startswith(f"VIOLATION: {law.__name__}")


def test_a_right_law_that_somebody_wrote_down_passes():
    assert exact(wrong.piecewise, values=range(5), epsilon=1, records=3, ranged=True).passed


def test_the_bounds_are_certain_and_tight():
    """The range of the median by piecewise Laplace is exactly epsilon, which float64 could not show."""
    found = exact("median", mechanism="piecewise_laplace", **SMALL)
    assert found.ranged and found.range.low <= 1 <= found.range.high
    assert found.range.high - found.range.low < 1e-14
    assert found.every and found.pairs == 105


@pytest.mark.parametrize(
    "kind", [each for each in every_kind() if each.name not in FEW], ids=lambda each: each.name
)
def test_every_question_passes(kind):
    for neighbors in ("add_remove", "swap"):
        subject = default_subject(kind, neighbors)
        if subject is not None:
            found = audited(subject, tries=150)
            assert found.passed, found
            assert 0 <= found.loss.high <= 1 + 1e-9


@pytest.mark.parametrize("name", sorted(FEW))
def test_every_question_that_takes_longer_passes(name):
    kind = next(each for each in every_kind() if each.name == name)
    subject = default_subject(kind, "add_remove", records=1)
    assert subject is not None and audited(subject, tries=20).passed


def test_a_search_on_a_large_world_finds_what_is_wrong_there():
    large: dict[str, Any] = {
        "bounds": (0, 999),
        "epsilon": 1,
        "granularity": 1,
        "records": 40,
        "values": 1000,
    }
    right = exact("median", mechanism="piecewise_laplace", tries=25, **large)
    assert right.passed and not right.every and right.loss.low > 0.5
    broken = exact("median", mechanism=wrong.WholeRate(epsilon=1), tries=25, **large)
    assert not broken.passed and broken.range.low > 1.5
    again = exact("median", mechanism=wrong.WholeRate(epsilon=1), tries=25, **large)
    assert again.pair == broken.pair and again.loss == broken.loss


def test_every_audits_all_questions(monkeypatch):
    kinds = [nws.median.kind, nws.triangles.kind]  # type: ignore[attr-defined]
    monkeypatch.setattr(sys.modules["noisewise.audit.exact_audit"], "every_kind", lambda: kinds)
    told: list[Any] = []
    found = every(progress=told.append)
    assert found.passed and [each.question for each in found] == ["median", "median", "triangles"]
    assert told == list(found.each)
    twice = every(records=1, mechanisms=("auto", "balance", "laplace"))
    assert [each.mechanism for each in twice[:4]] == ["balance/1", "discrete-laplace/1"] * 2


def test_what_is_wrong_with_a_call_is_said():
    with pytest.raises(ParameterTypeError, match="values must be a list"):
        exact(wrong.piecewise, epsilon=1)
    with pytest.raises(ParameterTypeError, match="bounds must be left out for your own mechanism"):
        exact(wrong.piecewise, epsilon=1, values=[0, 1], bounds=(0, 1))
    with pytest.raises(ParameterError, match="seconds must be above 0"):
        exact("median", seconds=0, **SMALL)
    with pytest.raises(ParameterError, match="must be the name of a question"):
        exact("medin", epsilon=1)
    with pytest.raises(ParameterError, match="answers must be left out if granularity is given"):
        exact("median", answers=4, **SMALL)
