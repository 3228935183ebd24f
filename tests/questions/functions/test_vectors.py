"""The questions whose answer is several numbers: they reach their releases with every keyword."""

import inspect

import numpy as np
import pytest

from noisewise import ParameterError, ParameterTypeError, PureDP
from noisewise.questions.functions.categories import histogram
from noisewise.questions.functions.vectors import vector_mean


def test_vector_mean_takes_the_keywords_of_all_and_its_own():
    assert list(inspect.signature(vector_mean).parameters) == [
        "data",
        "bounds",
        "epsilon",
        "rho",
        "granularity",
        "neighbors",
        "contributions",
        "mechanism",
        "smooth",
        "ledger",
        "interval",
        "with_count",
        "norm",
        "radius",
    ]
    release = vector_mean(
        np.tile([0.25, 0.5], (900, 1)),
        bounds=(0, 1),
        epsilon=4,
        granularity=0.125,
        neighbors="swap",
        norm="l1",
        radius=1,
    )
    assert release.privacy == PureDP(4)
    assert release.granularity == 0.125
    assert np.allclose(release.value, (0.25, 0.5), atol=0.5)


def test_histogram_takes_what_a_count_of_bins_needs():
    assert list(inspect.signature(histogram).parameters) == [
        "data",
        "bins",
        "bounds",
        "epsilon",
        "rho",
        "neighbors",
        "contributions",
        "signed",
        "ledger",
        "interval",
        "with_count",
        "categories",
    ]
    release = histogram(["a", "b"] * 500, ["b", "a", "c"], epsilon=2, contributions=2)
    assert np.allclose(release.value, (500, 500, 0), atol=40)
    assert release.contributions == 2


def test_a_wrong_call_is_explained():
    with pytest.raises(ParameterTypeError, match="missing a required argument: 'bounds'"):
        vector_mean(np.zeros((2, 2)), epsilon=1)
    with pytest.raises(ParameterTypeError, match="unexpected keyword argument 'bin'; did you mean 'bins'"):
        histogram([1], bin=[1, 2], epsilon=1)
    with pytest.raises(ParameterError, match='norm must be "l1" or "linf"'):
        vector_mean(np.zeros((2, 2)), bounds=(0, 1), epsilon=1, norm="l2")
