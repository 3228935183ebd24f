"""The error of each kind of answer on public data, against releases of the same data."""

import numpy as np
import pytest

import noisewise as nws

X = np.random.default_rng(3).normal(50, 15, 500)
Y = 0.5 * X + np.random.default_rng(4).normal(0, 5, 500)
WHOLE = {"bounds": (0, 100), "epsilon": 2}
ANSWERS = {
    "mean with an interval": ("mean", X, {**WHOLE, "interval": 0.9}),
    "count distinct": ("count_distinct", list("aabbc"), {"categories": list("abcdefgh"), "epsilon": 1}),
    "covariance": ("covariance", (X, Y), WHOLE),
    "regression": ("linear_regression", ((X,), Y), WHOLE),
    "robust": (
        "theil_sen",
        (X[:40], Y[:40]),
        {**WHOLE, "bounds": (-2.0, 2.0), "intercept_bounds": (-50, 50)},
    ),
    "searched": ("median", X, {"bounds": "private", "epsilon": 2}),
    "projector": ("principal_component", (X, Y), {"bounds": (0, 100), "epsilon": 8}),
}


@pytest.mark.parametrize("case", ANSWERS)
def test_it_is_the_error_of_releases(case):
    """The mean error of 60 releases is about that of the simulation; seven standard errors apart at most."""
    name, data, asked = ANSWERS[case]
    told = nws.simulate(name, data, **asked)
    several = len(nws.questions.question.KINDS[name].capabilities.data) > 1
    ask = getattr(nws, name)
    drawn = [ask(*(data if several else (data,)), **asked).value for _ in range(60)]
    truth = np.array(told.answer, np.float64)
    errors = np.abs(np.array(drawn, np.float64) - truth).reshape(60, -1).mean(axis=1)
    spread = errors.std() / np.sqrt(60) + 1e-12
    assert abs(errors.mean() - told.expected_error) <= 7 * spread * (1 + (told.draws is not None))


def test_the_truth_of_what_is_computed_from_sums():
    covariance = nws.simulate("covariance", (X, Y), **WHOLE)
    clipped = np.clip(np.stack([X, Y]), 0, 100)
    assert np.allclose(covariance.answer, np.cov(clipped, bias=True), rtol=1e-3)
    slope, intercept = nws.simulate("linear_regression", ((X,), Y), **WHOLE).answer
    assert np.allclose((slope, intercept), np.polyfit(*clipped, 1), rtol=1e-2)
    name, data, asked = ANSWERS["robust"]
    assert np.allclose(nws.simulate(name, data, **asked).answer, (0.5, 0), atol=10)


def test_ends_of_intervals_are_as_far_as_the_farther():
    told = nws.simulate("mean_interval", X, **WHOLE)
    low, high = nws.mean_interval(X, **WHOLE).value
    assert told.answer == pytest.approx(np.clip(X, 0, 100).mean(), abs=0.01)
    assert max(told.answer - low, high - told.answer) == pytest.approx(told.expected_error, rel=0.2)
    median = nws.simulate("median_interval", X, bounds=(0.0, 100.0), epsilon=2)
    assert median.answer == pytest.approx(np.sort(X)[249], abs=1e-3) and 1 < median.expected_error < 10
    assert nws.simulate("count_interval", X, epsilon=2).answer == 500


def test_private_bounds_leave_records_outside():
    """All of them, where no bounds are found."""
    told = nws.simulate("private_bounds", [*[5.0] * 300, -3000.0], epsilon=1)
    assert told.answer == (-4096.0, 8.0) and told.error_quantiles["50%"] == 1
    assert nws.simulate("private_bounds", [5.0] * 3, epsilon=0.1).error_quantiles["50%"] == 3
    nothing = nws.simulate("median", [5.0] * 3, bounds="private", epsilon=0.1)
    assert nothing.expected_error == np.inf
    assert nws.simulate("median", [0.0] * 3, bounds="private", epsilon=0.1).answer == 0


def test_an_interval_between_bounds_that_are_found_takes_its_part_of_epsilon():
    alone = nws.simulate("median", X, bounds="private", epsilon=0.4)
    beside = nws.simulate("median", X, bounds="private", epsilon=0.4, interval=0.9)
    assert beside.answer == alone.answer and beside.expected_error > 1.2 * alone.expected_error
