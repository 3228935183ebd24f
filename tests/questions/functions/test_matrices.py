"""The questions about tables: each the release it says it is, with its keywords."""

import inspect

import numpy as np
import pytest

from noisewise import ParameterTypeError, PureDP
from noisewise.questions.functions.vectors import covariance, linear_regression

COMMON = [
    "bounds",
    "epsilon",
    "rho",
    "neighbors",
    "contributions",
    "mechanism",
    "ledger",
    "interval",
    "with_count",
]
X = np.random.default_rng(0).normal(size=(3_000, 2))
Y = X @ [1.0, -1.0] + 3


@pytest.mark.parametrize(
    ("function", "keywords"),
    [
        (covariance, ["data", *COMMON, "centred"]),
        (linear_regression, ["X", "y", *COMMON, "method"]),
    ],
)
def test_keywords_and_their_help(function, keywords):
    parameters = inspect.signature(function).parameters
    assert list(parameters) == keywords
    text = inspect.getdoc(function)
    assert text.startswith("A private ")
    assert [name for name in parameters if f"{name}: " not in text] == []


def test_covariance():
    released = covariance(X, bounds=(-4, 4), epsilon=8)
    assert released.privacy == PureDP(8) and released.private
    assert np.allclose(released.value, np.cov(X.T), atol=0.15)
    about = covariance(X + 1, bounds=(-4, 4), epsilon=8, centred=False, neighbors="swap")
    assert about.statistic == "second moments"
    assert np.allclose(about.value, np.cov(X.T) + 1, atol=0.3)


def test_linear_regression():
    released = linear_regression(X, Y, bounds=((-4, 4), (-4, 4), (-3, 9)), epsilon=8)
    assert np.allclose(released.value, [1, -1, 3], atol=0.2)
    robust = linear_regression(X[:200, 0], 2 * X[:200, 0] + 1, bounds=(-4, 4), epsilon=8, method="robust")
    assert np.allclose(robust.value, [2, 1], atol=0.2)


def test_both_are_paid_for_before_the_data_is_read():
    class Broke:
        def debit(self, loss, **said):
            raise RuntimeError("broke")

    for ask in (
        lambda: covariance(X, bounds=(-4, 4), epsilon=1, ledger=Broke()),
        lambda: linear_regression(X, Y, bounds=(-4, 4), epsilon=1, ledger=Broke()),
    ):
        with pytest.raises(RuntimeError, match="broke"):
            ask()


def test_there_is_no_granularity_to_choose():
    with pytest.raises(ParameterTypeError, match="unexpected keyword argument 'granularity'"):
        covariance(X, bounds=(-4, 4), epsilon=1, granularity=1)
