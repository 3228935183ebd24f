"""Probabilities in balls agree with those in float64, add up to one, and are far more precise."""

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from flint import arb

from noisewise import Count, Mean, Quantile, hazmat
from noisewise.audit.draws import probabilities
from noisewise.audit.probabilities import BITS, GivenLaw, log_ball, printed_number
from noisewise.errors import ParameterError, ParameterTypeError
from noisewise.kernel.laws.law import Law
from noisewise.kernel.numbers.balls import precision

RECORDS = [0, 1, 1, 3]


def law(mechanism: str, statistic: Any = None, **more: Any) -> Any:
    asked = {"bounds": (0, 4), "epsilon": 1, "granularity": 1} | more
    return hazmat.law(statistic or Quantile("1/2"), RECORDS, mechanism=mechanism, **asked)  # type: ignore[arg-type]


LAWS = {
    "graded": law("piecewise_laplace"),
    "level": law("inverse_sensitivity"),
    "coins": law("permute_and_flip"),
    "balance": law("balance"),
    "balance in lines": law("balance", Mean(), granularity=Fraction(1, 2)),
    "clamped": law("laplace", Mean()),
    "without end": law("laplace", Count(), bounds=None),
    "endless levels": law("inverse_sensitivity", Count(), bounds=None, granularity=1),
    "wide steps": law("piecewise_laplace", Count(), bounds=None, granularity=1, contributions=3),
}


@pytest.mark.parametrize("name", LAWS)
def test_balls_agree_with_floats_and_add_up(name):
    (one,) = probabilities(LAWS[name])
    outcomes = one.outcomes()
    logs = one.logs(outcomes)
    with precision(BITS):
        balls = [log_ball(one, outcome) for outcome in outcomes]
        total = sum((each.exp() for each in balls), arb(0))
    assert all(abs(float(each.mid()) - log) < 1e-9 for each, log in zip(balls, logs, strict=True))
    assert all(float(each.rad()) < 1e-30 for each in balls)
    endless = None in LAWS[name].ends
    assert (total > 0.5 and total < 1) if endless else total.contains(1)
    assert one.value(outcomes[0]) == outcomes[0] * LAWS[name].granularity


def test_an_endless_law_adds_up_far_out():
    one = probabilities(LAWS["without end"])[0]
    with precision(BITS):
        total = sum((one.ball(outcome) for outcome in range(400)), arb(0))
    assert abs(float(total.mid()) - 1) < 1e-30


def test_what_is_never_drawn_has_no_probability():
    for name in ("graded", "balance", "clamped"):
        (one,) = probabilities(LAWS[name])
        assert log_ball(one, 99) == arb.neg_inf()


def test_of_many_answers_those_next_to_edges_are_looked_at():
    for mechanism in ("piecewise_laplace", "balance"):
        wide = law(mechanism, bounds=(0, 100_000))
        (one,) = probabilities(wide)
        outcomes = one.outcomes()
        assert len(outcomes) < 5000 and {0, 1, 100_000} <= set(outcomes)
        assert isinstance(wide, Law) is (mechanism != "balance")


def test_written_weights_are_believed_as_far_as_they_are_known():
    exact = GivenLaw({"a": Fraction(1, 3), "b": Fraction(2, 3)})
    assert float(log_ball(exact, "a").rad()) < 1e-30
    rounded = GivenLaw({"a": 1 / 3, "b": 2 / 3})
    assert 1e-13 < float(log_ball(rounded, "a").rad()) < 1e-10
    assert math.isclose(rounded.logs(["a"])[0], math.log(1 / 3))
    assert log_ball(exact, "c") == arb.neg_inf()
    assert rounded.value("a") == "a"


@pytest.mark.parametrize(
    "weights",
    [
        {},
        {"a": 0},
        {"a": -0.5, "b": 1.5},
        {"a": math.nan, "b": 1},
        {"a": math.inf},
        {"a": Decimal("sNaN")},
        {"a": arb(-1)},
        {"a": "1"},
        [0.5, 0.5],
    ],
)
def test_what_is_no_law_is_refused(weights):
    """An audit of it would pass, since it could find nothing."""
    with pytest.raises(
        (ParameterError, ParameterTypeError), match="the mechanism's law must be a dictionary"
    ):
        GivenLaw(weights)


def test_numbers_are_printed_plainly():
    assert (
        printed_number(Fraction(4, 2)),
        printed_number(Fraction(1, 2)),
        printed_number(Fraction(1, 3)),
    ) == (2, 0.5, Fraction(1, 3))
