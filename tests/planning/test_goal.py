"""The smallest epsilon that is good enough, against the plans it is read off."""

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
