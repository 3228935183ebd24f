"""Errors read off a law against drawing from it."""

import pickle
from datetime import date, timedelta

import numpy as np
import pandas as pd
import pytest

import noisewise as nws
from noisewise.planning.simulate import simulate

X = np.random.default_rng(2).normal(50, 20, 400)


@pytest.mark.parametrize("statistic", [nws.Quantile("1/2"), nws.Mean(), nws.Sum()], ids=str)
@pytest.mark.parametrize("mechanism", ["auto", "inverse_sensitivity"])
def test_it_agrees_with_drawing(statistic, mechanism):
    asked = {"bounds": (0, 100), "epsilon": 1, "granularity": 1, "mechanism": mechanism}
    told = simulate(statistic, X, **asked)
    drawn = nws.hazmat.law(statistic, X, **asked).draw(20_000, bits=nws.hazmat.SeededBits(1))
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


def test_several_columns_are_a_tuple():
    with pytest.raises(nws.ParameterError, match="data must be a tuple of 2 columns for pearson"):
        simulate("pearson", X, bounds=(0, 100), epsilon=1)


TABLE = {
    "x": X,
    "y": 2 * X + 1,
    "c": ["tea", "milk"] * 200,
    "day": [date(2020, 1, 1 + i % 30) for i in range(400)],
}
SEVERAL = {
    "n": nws.ask.count(),
    "m": nws.ask.mean("x", bounds=(0, 100)),
    "h": nws.ask.histogram("c", ["tea", "milk"]),
    "r": nws.ask.pearson("x", "y", bounds=(0, 300)),
    "d": nws.ask.median("day", bounds=(date(2019, 1, 1), date(2021, 1, 1))),
}


def test_several_questions_as_agg_asks_them():
    told = simulate(SEVERAL, TABLE, epsilon=3, shares={"n": 1, "m": 2, "h": 1, "r": 1, "d": 1})
    assert told.private is False and str(told).startswith("not private:")
    assert [each.epsilon for each in told] == [0.5, 1, 0.5, 0.5, 0.5]
    assert told["m"] == simulate("mean", X, bounds=(0, 100), epsilon=1) and len(told) == 5
    assert told["d"].answer == date(2020, 1, 15)
    assert simulate(SEVERAL, pd.DataFrame(TABLE), epsilon=3)["h"].answer == (200, 200)
    with pytest.raises(nws.ParameterError, match=r"data must have the columns .* got none named 'z'"):
        simulate({"z": nws.ask.mean("z", bounds=(0, 1))}, TABLE, epsilon=1)
    with pytest.raises(nws.ParameterTypeError, match="must be a question that names its columns"):
        simulate({"z": "count"}, TABLE, epsilon=1)
    with pytest.raises(nws.ParameterError, match="shares must be left out for a single question"):
        simulate("count", X, epsilon=1, shares={"n": 1})


def test_groups_are_simulated_one_by_one():
    """Each by the law of single records, at its part of epsilon."""
    told = simulate("mean", X, bounds=(0, 100), epsilon=1, contributions=2, groups=TABLE["c"])
    assert told.names == ("tea", "milk") and [each.epsilon for each in told] == [0.5, 0.5]
    assert told["tea"].expected_error == simulate("mean", X[::2], bounds=(0, 100), epsilon=0.5).expected_error
    counted = simulate("count", X, epsilon=1, groups=["a"] * 399 + ["b"])
    assert [each.answer for each in counted] == [399, 1]
    with pytest.raises(nws.ParameterError, match="groups must say of each record"):
        simulate("mean", X, bounds=(0, 100), epsilon=1, groups=["a"])
    with pytest.raises(nws.ParameterError, match="groups must be left out for covariance"):
        simulate("covariance", (X, X), bounds=(0, 100), epsilon=1, groups=["a"] * 400)


def test_dates_are_answered_by_dates():
    bounds = (date(2019, 1, 1), date(2021, 1, 1))
    told = simulate("median", TABLE["day"], bounds=bounds, epsilon=1)
    assert told.answer == date(2020, 1, 15) and told.clamping == timedelta(0)
    assert timedelta(0) < told.expected_error < timedelta(days=5)
    assert set(map(type, told.error_quantiles.values())) == {timedelta}
    days = np.array(TABLE["day"], "M8[D]")
    assert simulate("median", days, bounds=bounds, epsilon=1) == told
    hours = simulate("sum", [timedelta(hours=1)] * 20, bounds=(timedelta(0), timedelta(hours=9)), epsilon=4)
    assert hours.answer == timedelta(hours=20) and "hours" in str(hours)
