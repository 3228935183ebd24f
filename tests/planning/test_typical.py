"""The error on records of a guessed shape, against their law and against draws."""

import numpy as np
import pytest

import noisewise as nws
from noisewise import hazmat
from noisewise.planning.plan import plan
from noisewise.planning.shapes import Shaped
from noisewise.results.pictures.digits import up_to_three


@pytest.mark.parametrize("mechanism", ["auto", "piecewise_laplace"])
@pytest.mark.parametrize("name", ["median", "mean"])
def test_with_a_shape_the_error_is_that_of_the_law(name, mechanism):
    asked = {"bounds": (0, 100), "epsilon": 0.5, "mechanism": mechanism}
    asked["granularity"] = 0.125
    planned = plan(name, size=500, shape=("normal", 40, 12), **asked)
    records = Shaped.of(("normal", 40, 12)).records(500)
    statistic = nws.Quantile("1/2") if name == "median" else nws.Mean()
    told = nws.simulate(statistic, records, **asked)
    rounding = abs(told.answer - (np.sort(records)[249] if name == "median" else records.mean()))
    assert planned.shape_error == pytest.approx(told.error_quantiles["95%"] + rounding, abs=1e-6)
    assert planned.shape_mean_error == pytest.approx(told.expected_error + rounding, abs=1e-6)
    drawn = np.abs(hazmat.law(statistic, records, **asked).draw(4_000) - told.answer)
    assert np.mean(drawn <= planned.shape_error) >= 0.95 - 0.015
    assert np.mean(drawn <= planned.shape_error - 0.25) <= 0.95 + 0.015
    promised = f"with probability 95% at most {up_to_three(planned.shape_error)} off"
    assert f"on 500 records like normal(40, 12) {promised}" in str(planned)


def test_a_sample_on_the_lattice_is_off_by_nothing_but_noise():
    planned = plan("median", shape=[0.545] * 2000, bounds=(0, 0.9), granularity=0.001, epsilon=1)
    assert planned.shape_error == 0, "0.545 is no multiple of the power of two that a fine lattice has"


def test_numbers_that_depend_on_each_other_are_drawn():
    planned = plan("quantiles", [0.25, 0.75], bounds=(0, 100), epsilon=1, size=300, shape="uniform:0,100")
    assert 0.05 < planned.shape_mean_error < 3 and planned.people > 5
    surer = plan(
        "quantiles", [0.25, 0.75], bounds=(0, 100), epsilon=1, size=300, shape="uniform:0,100", confidence=0.8
    )
    assert 0 < surer.shape_error <= planned.shape_error
