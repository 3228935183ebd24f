"""Plans, goals, sweeps and simulations at prices in rho. What they promise is what a release at that price keeps."""

import copy
import pickle
from fractions import Fraction
from itertools import product
from math import isqrt

import pytest

import noisewise as nws
from noisewise import ParameterError, ask
from noisewise.kernel.mechanisms import Gaussian
from noisewise.kernel.prices import Rho, range_epsilon

MISS = Fraction(5, 100)
MEDIAN = {"bounds": (0, 1000)}


def noise(rho, squares=1):
    """How far noise on a count goes, except with probability 5%."""
    return Gaussian(rho=Fraction(rho), squared_sensitivity=squares).farthest(MISS / 2)


def test_a_plan_says_its_rho():
    planned = nws.plan("count", rho=0.5)
    assert (planned.epsilon, planned.rho, planned.mechanism) == (None, Fraction(1, 2), "gaussian")
    assert planned.error == noise("1/2") == 2
    assert str(planned) == "count by gaussian at rho 0.5: with probability 95% at most 2 from the true answer"
    assert nws.plan("count", epsilon=0.5).rho is None
    assert nws.plan(ask.count(epsilon=1), rho=0.5) == planned  # what the plan is given counts
    for twin in (pickle.loads(pickle.dumps(planned)), copy.copy(planned)):
        assert twin == planned and str(twin) == str(planned)
    assert "at each rho" in planned.plot().svg and "rho" in planned._repr_html_()


def test_laws_of_people_are_those_of_their_epsilon():
    epsilon = range_epsilon(Rho(Fraction(1, 2)))
    planned = nws.plan("median", rho=0.5, **MEDIAN)
    same = nws.plan("median", epsilon=epsilon, mechanism="piecewise_laplace", **MEDIAN)
    assert planned.people == same.people and planned.mechanism == same.mechanism


@pytest.mark.parametrize(
    ("owned", "most", "several"),
    [(1, None, None), (4, None, None), (4, 1, None), (4, 3, 1), (7, 3, None), (7, 3, 2), (2, 5, 9)],
)
def test_groups_cost_the_squares_of_what_a_person_has_in_each(owned, most, several):
    spreads = (each for each in product(range((most or owned) + 1), repeat=3) if sum(each) <= owned)
    kept = (each for each in spreads if sum(number > 0 for number in each) <= (several or 3))
    squares = max(sum(number**2 for number in each) for each in kept)
    planned = nws.plan("count", rho=0.5, contributions=owned, groups=3, per_group=most, max_groups=several)
    assert planned.error == noise("1/2", squares) and planned.rho == Fraction(1, 2)
    assert planned.error_of_all >= planned.error


def test_a_plan_says_what_one_record_per_group_would_save():
    planned = nws.plan("count", rho=0.5, contributions=20, groups=200)
    says = "with per_group=1 the noise would be about 4.5 times smaller at the same price"
    assert planned.saving == says and str(planned).endswith(says)
    assert "about 1.4 times" in nws.plan("count", rho=0.5, contributions=20, groups=200, per_group=2).saving
    assert "about 3.2 times" in nws.plan("count", rho=0.5, contributions=10, groups=200, max_groups=10).saving
    median = nws.plan("median", rho=0.5, contributions=5, groups=5, **MEDIAN)
    alone = nws.plan("median", rho=0.5, contributions=5, groups=5, per_group=1, **MEDIAN)
    assert "about 2.2 times smaller" in median.saving
    assert 2 <= median.people / alone.people <= 2.4
    nothing_to_save = [
        {"rho": 0.5, "contributions": 20, "groups": 30, "per_group": 1},
        {"rho": 0.5, "contributions": 1, "groups": 9},
        {"rho": 0.5, "contributions": 20},
        {"rho": 0.5, "contributions": 20, "groups": 30, "mechanism": "laplace"},
        {"epsilon": 0.5, "contributions": 20, "groups": 30},
    ]
    assert not any(nws.plan("count", **each).saving for each in nothing_to_save)


def test_per_group_is_of_groups_alone():
    with pytest.raises(ParameterError, match="max_groups must be left out where there are no groups"):
        nws.rho_for("count", error=1, max_groups=1)
    for ask_with in (nws.plan, nws.sweep):
        with pytest.raises(ParameterError, match="per_group must be left out where there are no groups"):
            ask_with("count", per_group=1, **({"rho": 1} if ask_with is nws.plan else {}))
    with pytest.raises(ParameterError, match="per_group must be left out where there are no groups"):
        nws.simulate("count", [1, 2], rho=1, per_group=1)
    with pytest.raises(ParameterError, match="per_group must be at least 1"):
        nws.plan("count", rho=1, groups=2, per_group=0)
    same = nws.plan("count", epsilon=1, contributions=3, groups=2)
    assert nws.plan("count", epsilon=1, contributions=3, groups=2, per_group=1) == same


def test_one_price_is_needed():
    for wrong, got in (({}, "neither"), ({"epsilon": 1, "rho": 1}, "both")):
        for each in (
            lambda wrong: nws.plan("count", **wrong),
            lambda wrong: nws.simulate("count", [1], **wrong),
            lambda wrong: nws.hazmat.law(nws.Quantile("1/2"), [1], bounds=(0, 9), **wrong),
        ):
            with pytest.raises(ParameterError, match=f"epsilon or rho must be given.*got {got}"):
                each(wrong)
    with pytest.raises(ParameterError, match="got both"):
        nws.plan({"n": ask.count()}, epsilon=1, rho=1)


def test_one_rho_is_shared_as_agg_shares_it():
    questions = {"n": ask.count(), "pay": ask.median("pay", **MEDIAN)}
    plans = nws.plan(questions, rho=1, shares={"n": 1, "pay": 3})
    assert [each.rho for each in plans] == [Fraction(1, 4), Fraction(3, 4)]
    assert (plans.rho, plans.epsilon) == (1, None)
    assert plans["n"] == nws.plan("count", rho=0.25) and str(plans).splitlines()[-1].split() == [
        "together",
        "1",
    ]
    mixed = nws.plan({"n": ask.count(rho=0.5), "pay": ask.median("pay", epsilon=1, **MEDIAN)})
    assert (mixed.rho, mixed.epsilon) == (Fraction(1, 2), 1)
    assert [list(row)[3:5] for row in mixed.rows] == [["epsilon", "rho"]] * 2
    assert nws.plan({}, epsilon=1).epsilon == 0


def test_rho_for_is_the_least_that_keeps_the_promise():
    for question, goal, asked in (
        ("count", {"error": 10}, {"contributions": 20, "groups": 30, "per_group": 1}),
        ("median", {"people": 20}, MEDIAN),
        ("mean", {"error": 5}, {**MEDIAN, "size": 1000}),
    ):
        found = nws.rho_for(question, **goal, **asked)
        (name, most), less = next(iter(goal.items())), found * (1 - 2e-3)
        assert getattr(nws.plan(question, rho=found, **asked), name) <= most
        assert getattr(nws.plan(question, rho=less, **asked), name) > most
    capped = nws.rho_for("count", error=10, contributions=20, groups=30, per_group=1)
    assert nws.rho_for("count", error=10, contributions=20, groups=30) == pytest.approx(20 * capped, rel=2e-3)


def test_rho_for_several_questions():
    questions = {"n": ask.count(rho=0.1), "pay": ask.sum("pay", bounds=(0, 5), rho=0.4)}
    found = nws.rho_for(questions, error=10)
    unpriced = {name: each.with_keywords(rho=None) for name, each in questions.items()}
    assert found == nws.rho_for(unpriced, error=10, shares={"n": 1, "pay": 4})
    assert nws.plan("sum", bounds=(0, 5), rho=found * 4 / 5).error <= 10


def test_goals_that_rho_cannot_reach():
    with pytest.raises(ParameterError, match="people must be left out for count by gaussian"):
        nws.rho_for("count", people=1)
    with pytest.raises(ParameterError, match="even at rho 64"):
        nws.rho_for("sum", error=2, bounds=(0, 10**6))
    with pytest.raises(ParameterError, match="size must be given for sum under swap"):
        nws.plan("sum", bounds=(0, 10), neighbors="swap", rho=1)


def test_a_sweep_of_rhos():
    swept = nws.sweep("count", rhos=[0.1, 0.5], contributions=[1, 3])
    assert [row["error"] for row in swept.rows] == [
        noise(rho, owned**2) for rho in ("1/10", "1/2") for owned in (1, 3)
    ]
    assert list(swept.varied[0]) == ["rho", "contributions"] and "at each rho" in swept.svg()
    assert [float(row["epsilon"]) for row in nws.sweep("count").rows] == [0.1, 0.2, 0.5, 1, 2, 5]
    with pytest.raises(ParameterError, match="rhos must be left out where there are epsilons"):
        nws.sweep("count", epsilons=[1], rhos=[1])
    with pytest.raises(ParameterError, match="rho must be above 0"):
        nws.sweep("count", rhos=[0])


def test_a_simulation_says_its_rho():
    median = nws.simulate("median", range(1000), rho=0.5, **MEDIAN)
    assert (median.epsilon, median.rho, median.draws) == (None, Fraction(1, 2), None)
    assert str(median).startswith("not private: median = 499 at rho 0.5")
    epsilon = range_epsilon(Rho(Fraction(1, 2)))
    same = nws.simulate("median", range(1000), epsilon=epsilon, mechanism="piecewise_laplace", **MEDIAN)
    assert median.expected_error == same.expected_error and same.rho is None
    groups = nws.simulate("count", range(6), groups=list("abaaba"), contributions=2, rho=0.5)
    capped = nws.simulate("count", range(6), groups=list("abaaba"), contributions=2, rho=0.5, per_group=1)
    assert groups["a"].rho == Fraction(1, 2) and "rho  mean error" in str(groups)
    law = nws.hazmat.law(nws.Count(), range(4), rho=Fraction(1, 4))  # Q = 4 at 1/2 is as good as 2 at 1/4
    assert capped["a"].expected_error == law.expected_error() < groups["a"].expected_error
    mean = nws.simulate("mean", range(1000), bounds=(0, 500), rho=0.5)
    assert mean.draws == 200 and mean.clamping == pytest.approx(-125, abs=1)


def test_gaussian_noise_is_compared_at_equal_rho():
    compared = nws.compare("count", range(100), rhos=[0.5])
    by_name = {each.mechanism: each for each in compared}
    gaussian = by_name["gaussian (auto)"]
    assert (gaussian.epsilon, gaussian.rho, gaussian.guarantee) == (None, Fraction(1, 2), "zCDP")
    assert gaussian.mean_error == nws.hazmat.law(nws.Count(), range(100), rho=0.5).expected_error()
    assert by_name["laplace"].guarantee == "pure" and "gaussian" in str(compared)
    assert by_name["inverse_sensitivity"].epsilon == range_epsilon(Rho(Fraction(1, 2)))
    assert all(each.rho == Fraction(1, 2) for each in compared)
    mean = nws.compare("mean", range(1000), rhos=[0.5], **MEDIAN)
    assert next(iter(mean)).mechanism == "auto (sums by gaussian)"
    assert "gaussian" not in str(nws.compare("count", range(9), [1]))


def test_secret_laws_and_replays_in_rho():
    asked = {"bounds": (0, 10), "rho": Fraction(1, 2)}
    law = nws.hazmat.law(nws.Sum(), [3, 4], **asked)
    assert law.centre == 7 and law.variance == 100 and isqrt(int(law.variance)) == 10
    first, again = (nws.hazmat.replay(nws.Sum(), [3, 4], seed=7, **asked) for _ in range(2))
    assert first.value == again.value and not first.private and first.privacy == nws.ZCDP(Fraction(1, 2))
    assert "NOT PRIVATE" in nws.hazmat.plot({"gaussian": law}).svg
