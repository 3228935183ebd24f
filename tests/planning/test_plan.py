"""Guarantees against the exact laws of real and of nasty data."""

import math
from fractions import Fraction

import numpy as np
import pytest

import noisewise as nws
from noisewise import ParameterError, hazmat
from noisewise.planning.plan import Plan, plan
from noisewise.planning.readings.read_law import read_law

MEDIAN = nws.Quantile("1/2")
COLUMNS = {
    "incomes": np.floor(np.random.default_rng(0).lognormal(10.5, 0.6, 2_000)),
    "nobody": [],
    "one": [500_000],
    "two clumps": [0] * 500 + [1_000_000] * 500,
    "the same": [7] * 1_000,
}


def envelope(statistic, column, asked):
    """What so many people can make of a column."""
    return hazmat.law(
        statistic, COLUMNS[column], epsilon=1, mechanism="piecewise_laplace", levels=10**4, **asked
    ).envelope


def beyond(law, reached, people: int) -> float:
    """The probability that more than so many people separate a draw from the true answer."""
    low, high = reached.level(people)
    g = law.granularity
    return 1 - float(read_law(law).cdf(high * g)) + float(read_law(law).cdf((low - 1) * g))


@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.parametrize("contributions", [1, 3])
@pytest.mark.parametrize("mechanism", ["balance", "piecewise_laplace", "inverse_sensitivity"])
@pytest.mark.parametrize("confidence", [0.5, 0.95])
def test_the_guarantee_holds_whatever_the_data(column, contributions, mechanism, confidence):
    asked = {"bounds": (0, 1_000_000), "contributions": contributions}
    for statistic in (MEDIAN, nws.Quantile("1/10"), nws.Quantile(1)):
        for epsilon in (1, 5):
            promised = plan(statistic, confidence=confidence, epsilon=epsilon, mechanism=mechanism, **asked)
            law = hazmat.law(statistic, COLUMNS[column], epsilon=epsilon, mechanism=mechanism, **asked)
            assert beyond(law, envelope(statistic, column, asked), promised.people) <= 1 - confidence


def test_it_holds_by_drawing():
    promised = plan(MEDIAN, bounds=(0, 1_000_000), epsilon=2)
    law = hazmat.law(MEDIAN, COLUMNS["two clumps"], bounds=(0, 1_000_000), epsilon=2)
    low, high = envelope(MEDIAN, "two clumps", {"bounds": (0, 1_000_000)}).level(promised.people)
    drawn = law.draw(4_000)
    assert np.mean((drawn < low) | (drawn > high)) <= 0.05


def test_it_is_the_formula():
    """P(cost > l) <= M e^(-epsilon l / 2), and M e^(-epsilon l) by balance."""
    asked = {"bounds": (0, 1000), "epsilon": 0.5, "confidence": 0.9}
    promised = plan(MEDIAN, mechanism="piecewise_laplace", **asked)
    assert promised.people == math.ceil(math.log(1001 / 0.1) / 0.25)
    assert plan(MEDIAN, **asked).people == math.ceil(math.log(1001 / 0.1) / 0.5)
    assert (
        plan(MEDIAN, bounds=(0, 1000), epsilon=0.5, confidence=0.9, granularity=100).people < promised.people
    )


@pytest.mark.parametrize("epsilon", [0.1, 1, 5])
@pytest.mark.parametrize("owned", [1, 4])
def test_the_tail_of_laplace_noise_is_exact(epsilon, owned):
    asked = {"bounds": (-50, 100), "epsilon": epsilon, "contributions": owned}
    promised = plan(nws.Sum(), **asked)
    law = hazmat.law(nws.Sum(), [0] * 10, **asked)
    t = int(promised.error) - 1  # one step is the floor's
    assert 1 - (read_law(law).cdf(t) - read_law(law).cdf(-t - 1)) <= 0.05
    assert t == 0 or 1 - (read_law(law).cdf(t - 1) - read_law(law).cdf(-t)) > 0.05, (
        "no smaller number would do"
    )
    assert promised.people is None


@pytest.mark.parametrize(("granularity", "n"), [(1, 1999), (1000, 1999), (7, 20)])
def test_the_error_is_from_the_answer_before_it_is_floored(granularity, n):
    promised = plan(nws.Count(), epsilon=5, granularity=granularity)
    drawn = hazmat.law(nws.Count(), [0] * n, epsilon=5, granularity=granularity).draw(2_000)
    assert np.mean(np.abs(drawn - n) <= promised.error) >= 0.95 - 0.02
    assert promised.error == 0 or granularity > 1


def test_noise_that_depends_on_a_public_size_wants_it():
    asked = {"bounds": (0.0, 1.0), "epsilon": 1, "neighbors": "swap"}
    with pytest.raises(ParameterError, match="size must be given for mean under swap"):
        plan(nws.Mean(), **asked)
    small, large = (plan(nws.Mean(), size=n, **asked).error for n in (100, 10_000))
    assert 80 < small / large < 120


def test_what_it_says():
    exact = plan(MEDIAN, bounds=(0, 1000), epsilon=1)
    assert str(exact) == (
        "median by balance at epsilon 1: with probability 95% at most 10 people separate the released "
        "value from the true one; an answer from 8 records or fewer could be anywhere within its bounds"
    )
    total = plan(nws.Count(), epsilon=1)
    assert str(total) == (
        "count by laplace at epsilon 1: with probability 95% at most 3 from the true answer"
    )
    bound = Plan("mad", "piecewise_laplace", Fraction(1), Fraction(1, 2), 1, None, False)
    assert str(bound).endswith("the released value is within what 1 person could at most do by our bound")
