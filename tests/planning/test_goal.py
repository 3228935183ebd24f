"""The smallest epsilon that is good enough, against the plans it is read off."""

from datetime import date, timedelta

import pytest

import noisewise as nws
from noisewise import ParameterError, ParameterTypeError
from noisewise.planning.goal import epsilon_for
from noisewise.planning.plan import plan

MEDIAN = nws.Quantile("1/2")


@pytest.mark.parametrize("people", [1, 5, 40])
@pytest.mark.parametrize("mechanism", ["auto", "inverse_sensitivity"])
def test_epsilon_for_is_the_least_that_keeps_the_promise(people, mechanism):
    asked = {"bounds": (0, 1000), "mechanism": mechanism}
    epsilon = epsilon_for(MEDIAN, people=people, **asked)
    assert plan(MEDIAN, epsilon=epsilon, **asked).people <= people
    assert plan(MEDIAN, epsilon=epsilon * 0.998, **asked).people > people


@pytest.mark.parametrize("error", [10, 1000])
def test_epsilon_for_an_error(error):
    epsilon = epsilon_for(nws.Sum(), error=error, bounds=(0, 100))
    assert plan(nws.Sum(), epsilon=epsilon, bounds=(0, 100)).error <= error
    assert plan(nws.Sum(), epsilon=epsilon * 0.99, bounds=(0, 100)).error > error


def test_what_cannot_be_promised_is_refused():
    with pytest.raises(ParameterError, match="people or error must be given, and not both"):
        epsilon_for(MEDIAN, bounds=(0, 1))
    with pytest.raises(
        ParameterError, match="depends on the data; ask for people, or give a shape and a size"
    ):
        epsilon_for(MEDIAN, bounds=(0, 10), error=1)
    with pytest.raises(ParameterError, match="choose a coarser granularity"):
        epsilon_for(MEDIAN, bounds=(0.0, 1.0), people=1, confidence=1 - 1e-12, mechanism="piecewise_laplace")
    with pytest.raises(ParameterError, match="people must be left out for sum by laplace"):
        epsilon_for(nws.Sum(), bounds=(0, 10), people=1)
    with pytest.raises(ParameterError, match="error must be at least 0, got -1"):
        epsilon_for(nws.Sum(), bounds=(0, 10), error=-1)
    with pytest.raises(ParameterError, match="allow a larger error, or narrow the bounds"):
        epsilon_for(nws.Sum(), bounds=(0, 10**6), error=2)
    with pytest.raises(ParameterTypeError, match=r"write Quantile\(\.\.\.\)"):
        plan(nws.Quantile, bounds=(0, 10), epsilon=1)
    with pytest.raises(
        ParameterTypeError, match=r'must be a question: a name such as "median".* got the function len'
    ):
        plan(len, bounds=(0, 10), epsilon=1)
    with pytest.raises(ParameterError, match="confidence must be above 0 and at most 1 - 10"):
        plan(MEDIAN, bounds=(0, 10), epsilon=1, confidence=1)
    with pytest.raises(ParameterError, match="mechanism must be a name here"):
        epsilon_for(MEDIAN, bounds=(0, 10), people=1, mechanism=nws.PiecewiseLaplace(epsilon=1))
    with pytest.raises(ParameterError, match="epsilon must be above 0"):
        plan(MEDIAN, bounds=(0, 10), epsilon=0)


def test_where_nothing_is_promised_it_says_so() -> None:
    asked = {"bounds": (0, 10)}
    planned = nws.plan(nws.HuberMean(2), epsilon=1, **asked)
    assert (planned.people, planned.error) == (None, None)
    assert str(planned) == (
        "huber_mean(2) by balance at epsilon 1: how far it is off depends on the data: give a size and a shape that "
        "are public or a guess, or try it on public data by simulate"
    )
    with pytest.raises(
        ParameterError, match=r"people must be left out for huber_mean\(2\) by balance, whose"
    ):
        nws.epsilon_for(nws.HuberMean(2), people=3, **asked)


def test_epsilon_for_an_error_on_a_shape():
    asked = {"bounds": (0, 100), "size": 200, "shape": ("normal", 40, 12), "granularity": 0.01}
    epsilon = epsilon_for("median", error=2, **asked)
    assert plan("median", epsilon=epsilon, **asked).shape_error <= 2
    assert plan("median", epsilon=epsilon * 0.99, **asked).shape_error > 2
    epsilon = epsilon_for("mean", error=0.5, bounds=(0, 100), size=1000)
    assert plan("mean", epsilon=epsilon, bounds=(0, 100), size=1000).error <= 0.5
    assert plan("mean", epsilon=epsilon * 0.99, bounds=(0, 100), size=1000).error > 0.5


def test_a_goal_between_dates_is_a_duration():
    asked = {"bounds": (date(2000, 1, 1), date(2020, 1, 1)), "size": 1000}
    epsilon = epsilon_for("mean", error=timedelta(days=5, hours=12), **asked)
    assert plan("mean", epsilon=epsilon, **asked).error <= timedelta(days=5, hours=12)
    assert plan("mean", epsilon=epsilon * 0.99, **asked).error > timedelta(days=5, hours=12)
    with pytest.raises(
        ParameterTypeError, match="error must be a timedelta where answers are dates or times"
    ):
        epsilon_for("mean", error=5, **asked)
    with pytest.raises(ParameterError, match="error must be at least 0"):
        epsilon_for("mean", error=timedelta(days=-1), **asked)


def test_a_goal_in_groups_is_that_of_each():
    epsilon = epsilon_for("count", error=10, contributions=3, groups=["A", "B"])
    assert epsilon == epsilon_for("count", error=10, contributions=3) > epsilon_for("count", error=10)
    asked = {"bounds": (0, 1000), "contributions": 3, "groups": 5}
    epsilon = epsilon_for("median", people=20, **asked)
    assert (
        plan("median", epsilon=epsilon, **asked).people
        <= 20
        < plan("median", epsilon=0.99 * epsilon, **asked).people
    )


def test_a_goal_for_several_questions():
    """All of them together, each with its share; or as their own epsilons are to each other."""
    asked = {"n": nws.ask.count(), "pay": nws.ask.sum("pay", bounds=(0, 5))}
    epsilon = epsilon_for(asked, error=10)
    assert epsilon == pytest.approx(2 * epsilon_for("sum", error=10, bounds=(0, 5)), rel=1e-3)
    shared = epsilon_for(asked, error=10, shares={"n": 1, "pay": 4})
    assert max(each.error for each in plan(asked, epsilon=shared, shares={"n": 1, "pay": 4})) <= 10
    own = {"n": nws.ask.count(epsilon=1), "pay": nws.ask.sum("pay", bounds=(0, 5), epsilon=4)}
    assert epsilon_for(own, error=10) == shared < epsilon
    with pytest.raises(ParameterError, match="questions must be one at least"):
        epsilon_for({}, error=10)
    with pytest.raises(ParameterError, match="sum cannot be promised so closely"):
        epsilon_for({"n": nws.ask.count(), "pay": nws.ask.sum("pay", bounds=(0, 10**6))}, error=10)
