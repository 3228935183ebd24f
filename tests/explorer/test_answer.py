"""What the page says is what the library says: laws, errors, epsilon for a goal, clamping and the sweep."""

import numpy as np
import pytest

import noisewise as nws
from noisewise.explorer.answer import CONTRIBUTIONS, DOTS, EPSILONS, PageAnswer
from noisewise.planning.readings.read_law import read_law
from tests.explorer.public_state import checked


def test_every_mechanism_has_the_exact_law_of_its_release():
    inputs = checked()
    answer = PageAnswer.of(inputs)
    assert [each.name for each in answer.seen if each.law is None] == [
        "shifted_inverse",
        "shifted_piecewise_laplace",
    ]
    for each in answer.seen[:-2]:
        law = nws.hazmat.law(
            nws.Quantile("1/2"),
            inputs.records,
            bounds=(0, 100),
            epsilon=1,
            granularity=1,
            mechanism=each.name,
        )
        at = np.arange(0, 101)
        assert read_law(each.law).pmf(at) == pytest.approx(read_law(law).pmf(at))
        assert (each.mean_error, each.loss) == (read_law(law).expected_error(), each.loss)
        assert len(each.dots) == DOTS and set(each.dots) <= set(range(101))
    assert answer.chosen.name == answer.plan.mechanism == "balance"


def test_the_dots_are_those_of_the_seed():
    first, again, other = (PageAnswer.of(checked(seed=seed)).chosen.dots for seed in ("1", "1", "2"))
    assert first == again != other


def test_the_plan_is_that_of_the_library():
    answer = PageAnswer.of(checked(contributions="2", confidence="0.9"))
    plan = nws.plan(
        "median", bounds=(0, 100), granularity=1, epsilon=1, contributions=2, confidence=0.9, size=40,
        shape=("lognormal", 3.5, 0.6),
    )  # fmt: skip
    assert (answer.plan.people, answer.plan.shape_error) == (plan.people, plan.shape_error)
    assert answer.chosen.error == pytest.approx(plan.shape_error, abs=0.5)


def test_an_error_that_is_wanted_gives_the_epsilon_and_back():
    answer = PageAnswer.of(checked(goal="5", granularity="0.25"))
    assert answer.errors == {}
    assert PageAnswer.of(checked(epsilon=f"{answer.needed}", granularity="0.25")).plan.shape_error <= 5
    assert PageAnswer.of(checked(epsilon=f"{0.9 * answer.needed}", granularity="0.25")).plan.shape_error > 5
    assert "at least 0" in PageAnswer.of(checked(goal="-1")).errors["goal"]


def test_clamping_is_counted_and_its_bias_said():
    clamped = PageAnswer.of(checked(question="mean", granularity="0.5", high="40")).clamped
    records = checked().records
    assert (clamped.below, clamped.above) == (0, np.count_nonzero(records > 40))
    assert clamped.bias == pytest.approx(np.minimum(records, 40).mean() - records.mean(), abs=0.5)
    assert PageAnswer.of(checked(question="count", granularity="")).clamped is None


def test_sweeps_hold_what_is_shown_and_its_neighbours():
    answer = PageAnswer.of(checked(contributions="3", epsilon="0.7"))
    assert [count for count, _ in answer.by_contributions] == sorted({*CONTRIBUTIONS, 3})
    errors = [error for _, error in answer.by_contributions]
    assert errors == sorted(errors) and errors[0] < errors[-1]
    assert len(answer.by_price) == len(EPSILONS) + 1
    assert dict(answer.by_price)[0.7] == dict(answer.by_contributions)[3] == answer.chosen.error
    swapped = PageAnswer.of(checked(neighbors="swap"))
    assert swapped.by_contributions == () and "contributions" in swapped.not_by_contributions


def test_a_mechanism_that_does_not_fit_says_why():
    seen = {each.name: each.reason for each in PageAnswer.of(checked(question="count", granularity="")).seen}
    assert "no score" in seen["balance"]
    assert seen["laplace"] == ""
    many = {each.name: each.reason for each in PageAnswer.of(checked(granularity="0.01")).seen}
    assert "coarser granularity" in many["permute_and_flip"]


def test_a_price_in_rho_is_shown_with_gaussian_noise():
    answer = PageAnswer.of(checked(question="count", price="rho", rho="0.5", goal="5", n="40"))
    assert answer.plan.mechanism == "gaussian" == answer.chosen.name and answer.chosen.law is not None
    assert [price for price, _ in answer.by_price] == [0.005, 0.02, 0.1, 0.5, 2]
    errors = [error for _, error in answer.by_price]
    assert errors == sorted(errors, reverse=True)
    assert answer.needed == nws.rho_for("count", error=5, shape=answer.inputs.records)
    assert all(each.loss == nws.ZCDP(0.5) for each in answer.seen if each.law is not None)
    assert "gaussian" not in [each.name for each in PageAnswer.of(checked(question="count")).seen]
