"""Made-up records: they are what their shape says, the same every time."""

import numpy as np
import pytest

import noisewise as nws
from noisewise import ParameterError, ParameterTypeError
from noisewise.planning.shapes import Shaped


def test_records_have_the_moments_of_their_shape():
    normal = Shaped.of(("normal", 40, 12)).records(10_000)
    assert np.mean(normal) == pytest.approx(40) and np.std(normal) == pytest.approx(12, rel=0.01)
    lognormal = Shaped.of("lognormal:10.5,0.6").records(1001)
    assert np.median(lognormal) == pytest.approx(np.exp(10.5))
    uniform = Shaped.of(("uniform", -1, 3)).records(4)
    assert uniform.tolist() == [-0.5, 0.5, 1.5, 2.5]


def test_a_sample_is_kept_or_stretched():
    sample = Shaped.of([3, 1, float("nan"), 2])
    assert sample.records(None).tolist() == [1, 2, 3]
    assert sample.records(6).tolist() == [1, 1, 2, 2, 3, 3]
    assert sample.records(1).tolist() == [2] and sample.records(0).size == 0
    assert str(sample) == "the sample of 3" and str(Shaped.of("normal:40,12")) == "normal(40, 12)"


@pytest.mark.parametrize(
    ("shape", "words"),
    [
        ("norml:1,2", "must be .*got norml:1.0,2.0"),
        ("normal", "got normal:None"),
        (("normal", 1), "got normal:1"),
        (("normal", 1, 0), "deviation above 0"),
        (("uniform", 2, 2), "lowest value below its highest"),
        (("normal", float("inf"), 1), "finite"),
        (("normal", 10**400, 1), "numbers below 1e308"),
        ([], "an empty sample"),
    ],
)
def test_wrong_shapes(shape, words):
    with pytest.raises(ParameterError, match=words):
        Shaped.of(shape)


@pytest.mark.parametrize("shape", [7, ["a"], [[1, 2]], None, object()])
def test_what_is_no_shape(shape):
    with pytest.raises(ParameterTypeError, match="or a public sample"):
        Shaped.of(shape)


def test_a_shape_needs_a_size():
    for size in (None, 10**7):
        with pytest.raises(ParameterError, match="size must be how many records there are"):
            nws.plan("median", bounds=(0, 100), epsilon=1, shape="normal:40,12", size=size)
    with pytest.raises(ParameterError, match="reads more than a column"):
        nws.plan("pearson", bounds=(0, 100), epsilon=1, shape="normal:40,12", size=100)
