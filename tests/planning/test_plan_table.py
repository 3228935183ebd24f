"""Tables of plans: of several questions at once, in groups, and as text."""

from fractions import Fraction

import pytest

import noisewise as nws
from noisewise import ParameterError, ask
from noisewise.planning.plan_table import aligned

QUESTIONS = {
    "n": ask.count(epsilon=0.1),
    "pay": ask.median("pay", bounds=(0, 1000), epsilon=0.4),
    "drink": ask.most_common("drink", ["tea", "coffee"], epsilon=0.5),
}


def test_what_agg_takes_is_a_table():
    plans = nws.plan(QUESTIONS, contributions=3)
    assert plans.epsilon == 1 and len(plans) == 3
    assert plans["pay"] == plans[1] == nws.plan("median", bounds=(0, 1000), epsilon=0.4, contributions=3)
    assert plans.rows[0] == {
        "name": "n",
        "question": "count",
        "mechanism": "laplace",
        "epsilon": plans[0].epsilon,
        "error": 90,
    }
    assert str(plans).splitlines() == [
        "with probability 95% at most so far from the true answer",
        "name      question     mechanism         epsilon  error  people  records behind",
        "n         count        laplace               0.1     90",
        "pay       median       balance               0.4             25",
        "drink     most common  permute_and_flip      0.5                             17",
        "together                                       1",
    ]
    listed = nws.plan(list(QUESTIONS.values()), contributions=3)
    assert list(listed) == list(plans) and "name" not in listed.rows[0]
    assert str(nws.plan([])) == "no questions"


def test_one_epsilon_is_shared_as_agg_shares_it():
    asked = {"n": ask.count(), "pay": ask.median("pay", bounds=(0, 1000))}
    plans = nws.plan(asked, epsilon=1, shares={"n": 1, "pay": 3})
    assert [each.epsilon for each in plans] == [Fraction(1, 4), Fraction(3, 4)] and plans.epsilon == 1
    assert plans["pay"] == nws.plan("median", bounds=(0, 1000), epsilon=0.75)
    assert nws.plan({"a": "count", "b": nws.count}, epsilon=1)["b"].epsilon == Fraction(1, 2)
    assert nws.plan([ask.count(), ask.count()], epsilon=1).epsilon == 1
    with pytest.raises(
        ParameterError, match="given to plan, for all questions together, or in each, and not"
    ):
        nws.plan(QUESTIONS, epsilon=1)
    with pytest.raises(ParameterError, match="got none for n"):
        nws.plan(asked)
    with pytest.raises(ParameterError, match="shares must be left out for a single question"):
        nws.plan("count", epsilon=1, shares={"n": 1})


@pytest.mark.parametrize("owned", [1, 4])
def test_groups_are_answered_by_laws_of_single_records(owned):
    """The release of all groups costs epsilon: a record costs a part of it."""
    planned = nws.plan("count", epsilon=2, contributions=owned, groups=["A", "B", "C"])
    assert planned.error == nws.plan("count", epsilon=2 / owned).error
    assert planned.error_of_all == nws.plan("histogram", [0, 1, 2, 3], epsilon=2 / owned).error_of_all
    assert planned.epsilon == 2 and planned.groups == 3
    median = nws.plan("median", bounds=(0, 1000), epsilon=2, contributions=owned, groups=5)
    assert median.people == nws.plan("median", bounds=(0, 1000), epsilon=2 / owned).people
    assert median.people_of_all > median.people
    assert "in each of 5 groups: with probability 95% at most" in str(median) and "records separate" in str(
        median
    )


def test_the_promise_of_groups_is_that_of_their_laws():
    frame = {"g": ["A"] * 500 + ["B"] * 500, "x": list(range(1000))}
    import pandas as pd

    data = nws.Dataset(pd.DataFrame(frame), contributions=2)
    planned = nws.plan("count", epsilon=1, contributions=2, groups=["A", "B"])
    off = [
        abs(n - 500) for _ in range(100) for n in data.group_by("g", keys=["A", "B"]).count(epsilon=1).value
    ]
    assert sum(each <= planned.error for each in off) / len(off) >= 0.8
    assert max(off) > planned.error / 4


def test_what_has_no_groups():
    with pytest.raises(ParameterError, match="must be left out for triangles"):
        nws.plan("triangles", nodes=9, epsilon=1, groups=3)
    with pytest.raises(ParameterError, match="for groups"):
        nws.plan("count", epsilon=1, groups=3, neighbors="swap")
    with pytest.raises(ParameterError, match="groups must be at least 1"):
        nws.plan("count", epsilon=1, groups=0)


def test_cells_stand_under_their_names():
    rows = [{"name": "a", "error": 1.23456}, {"name": "long", "people": 12345}]
    assert aligned(rows).splitlines() == ["name  error  people", "a      1.24", "long         12,345"]
