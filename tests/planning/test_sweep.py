"""Sweeps: each row is a plan, and the picture shows what the table says."""

import pytest

import noisewise as nws
from noisewise import ParameterError, ParameterTypeError


def test_each_row_is_a_plan():
    swept = nws.sweep(
        "median", bounds=(0, 1000), epsilons=[0.5, 2], contributions=[1, 3], granularity=[1, 10]
    )
    assert len(swept) == len(swept.rows) == 8
    for varied, planned in zip(swept.varied, swept, strict=True):
        assert planned == nws.plan("median", bounds=(0, 1000), **varied)
    assert swept[0].epsilon == swept.rows[0]["epsilon"] == 0.5
    plain = nws.sweep(nws.count, contributions=2)
    assert [float(row["epsilon"]) for row in plain.rows] == [0.1, 0.2, 0.5, 1, 2, 5]
    assert plain.rows[3]["error"] == nws.plan("count", epsilon=1, contributions=2).error


def test_a_shape_is_swept_too():
    swept = nws.sweep("mean", bounds=(0, 100), size=100, shape=("normal", 40, 12), epsilons=[0.5, 1, 2])
    errors = [row["error on shape"] for row in swept.rows]
    assert errors == sorted(errors, reverse=True)
    assert "on shape: 100 records like normal(40, 12)" in str(swept)


@pytest.mark.parametrize(
    "wrong", [{"epsilons": 1}, {"epsilons": []}, {"epsilons": "1"}, {"contributions": []}]
)
def test_lists_are_lists(wrong):
    with pytest.raises(ParameterTypeError, match="must be a list of numbers"):
        nws.sweep("count", **wrong)


def test_mistakes():
    with pytest.raises(ParameterError, match="at most 1,000 plans"):
        nws.sweep("count", epsilons=range(1, 50), contributions=range(1, 50))
    with pytest.raises(ParameterError, match="epsilon must be above 0"):
        nws.sweep("count", epsilons=[0])
    with pytest.raises(ParameterTypeError, match=r"sweep\(\) missing a required argument: 'bounds'"):
        nws.sweep("median")
