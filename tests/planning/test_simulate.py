"""Errors read off a law against drawing from it."""

import pickle

import numpy as np
import pytest

import noisewise as nws
from noisewise.planning.simulate import simulate

X = np.random.default_rng(2).normal(50, 20, 400)


@pytest.mark.parametrize("statistic", [nws.Quantile("1/2"), nws.Mean(), nws.Sum()], ids=str)
@pytest.mark.parametrize("mechanism", ["auto", "inverse_sensitivity"])
def test_it_agrees_with_drawing(statistic, mechanism):
    asked = {"bounds": (0, 100), "epsilon": 1, "granularity": 1, "mechanism": mechanism}
    told = simulate(statistic, X, **asked)
    drawn = nws.hazmat.law(statistic, X, **asked).draw(20_000)
    errors = np.abs(drawn - told.answer)
    assert np.isclose(errors.mean(), told.expected_error, rtol=0.05)
    for share, distance in told.error_quantiles.items():
        level = float(share.rstrip("%")) / 100
        assert np.mean(errors <= distance) >= level - 0.015
        assert distance == 0 or np.mean(errors <= distance - 1) < level + 0.015


def test_the_bias_of_clamping_is_shown_apart():
    x = [10.0] * 90 + [1000.0] * 10
    told = simulate(nws.Mean(), x, bounds=(0, 100), epsilon=1)
    assert told.answer == pytest.approx(19)
    assert told.clamping == pytest.approx(19 - 109)
    assert simulate(nws.Quantile("1/2"), x, bounds=(0, 100), epsilon=1).clamping == 0
    assert simulate(nws.Mean(), X, bounds=(-200, 300), epsilon=1).clamping == pytest.approx(0, abs=1e-6)


def test_odd_data_and_no_bounds():
    odd = simulate(nws.Mean(), [None, float("inf"), 3], bounds=(0, 10), epsilon=1)
    assert odd.answer == pytest.approx(6.5)
    assert odd.clamping is None, "without bounds there is no such mean"
    assert simulate(nws.Count(), [1, None], epsilon=1).clamping is None
    assert simulate(nws.Gini(), [-5, 1, 2], bounds=(0, 100), epsilon=1).clamping is None
    assert simulate(nws.MAE(), ([100.0], [0.0]), bounds=(0, 10), epsilon=1).clamping is None
    assert simulate(nws.Quantile(1), [], bounds=(0, 10), epsilon=1).answer == 0
    assert simulate(nws.Quantile(1), [14] * 9, bounds=(0, 100), granularity=10, epsilon=1).clamping == 0


def test_what_it_says():
    text = str(simulate(nws.Count(), [1] * 1000, epsilon=2))
    assert text.splitlines()[0] == "not private: count = 1,000 at epsilon 2"
    assert "50% within 0" in text and "clamping" not in text
    assert "before any noise" in str(simulate(nws.Mean(), [1.0], bounds=(0, 10), epsilon=2))


def test_the_result_says_in_every_way_that_it_is_not_private():
    """It holds the answer without noise, and may be printed, logged or pickled far from where it was asked."""
    told = simulate(nws.Mean(), X, bounds=(0, 100), epsilon=1)
    assert type(told).__name__ == "NotPrivateSimulation"
    assert not isinstance(told, nws.Release) and told.private is False
    for text in (repr(told), str(told), f"{told}", nws.simulate.__doc__, type(told).__doc__):
        assert text.lower().startswith("not private: ")
    assert f"answer={told.answer!r}" in repr(told)
    assert pickle.loads(pickle.dumps(told)) == told
    with pytest.raises((AttributeError, TypeError)):
        told.private = True


def test_several_numbers():
    told = simulate("histogram", X, [0, 40, 60, 100], epsilon=1)
    inside = X[(X >= 0) & (X <= 100)]
    assert told.answer == tuple(np.histogram(inside, [0, 40, 60, 100])[0])
    assert told.expected_error == pytest.approx(0.8509, abs=1e-3) and told.error_quantiles["95%"] == 3
    joint = simulate(nws.quantiles, X, [0.25, 0.5], bounds=(0, 100), epsilon=1, granularity=1)
    assert joint.answer == tuple(
        simulate(nws.Quantile(q), X, bounds=(0, 100), epsilon=1).answer for q in (0.25, 0.5)
    )
    assert joint.draws == 200 and 0 <= joint.expected_error < 5 and "in 200 draws" in str(joint)
    both = simulate("vector_mean", np.column_stack([X, X]), bounds=(0, 100), epsilon=1)
    assert both.answer == pytest.approx([np.clip(X, 0, 100).mean()] * 2, abs=1e-3)
    assert simulate(
        "vector_mean", np.column_stack([X, X]), bounds=(0, 100), epsilon=1, neighbors="swap"
    ).draws


def test_a_category_is_off_by_records():
    told = simulate("most_common", ["a"] * 5 + ["b"] * 3, ["a", "b"], epsilon=1)
    assert told.answer == "a"
    assert told.error_quantiles == {"50%": 0, "90%": 0, "95%": 2, "99%": 2}
    assert told.expected_error == pytest.approx(2 * np.exp(-2) / 2, rel=0.01)
    assert str(told).startswith("not private: most common = a at epsilon 1\n")


def test_what_has_no_law_of_its_own_is_refused():
    with pytest.raises(nws.ParameterError, match="must be asked of the public data itself"):
        simulate("median_interval", X, bounds=(0, 100), epsilon=1)
    with pytest.raises(nws.ParameterError, match="data must be a tuple of 2 columns for pearson"):
        simulate("pearson", X, bounds=(0, 100), epsilon=1)
