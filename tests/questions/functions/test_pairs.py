"""The questions about pairs: each the statistic it says it is, with its keywords."""

import inspect

import numpy as np
import pytest

from noisewise import BoundedRange, PureDP, SchemaError
from noisewise.hazmat import SeededBits, replay
from noisewise.questions.functions.pairs import pearson, spearman, theil_sen
from noisewise.statistics.pearson import Pearson
from noisewise.statistics.spearman import Spearman
from noisewise.statistics.theil_sen.theil_sen import TheilSen

X = np.arange(40.0)
Y = X + 5 * np.sin(X)
COMMON = [
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
]


@pytest.fixture
def seeded(monkeypatch):
    """The system's bits replaced by a seed, so that two equal questions have equal answers."""
    monkeypatch.setattr("noisewise.kernel.laws.law.SystemBits", lambda: SeededBits(7))


@pytest.mark.parametrize(
    ("function", "keywords"),
    [
        (theil_sen, ["bounds", *COMMON, "intercept_bounds", "parts"]),
        (pearson, ["bounds", *COMMON]),
        (spearman, COMMON),
    ],
)
def test_keywords_and_their_help(function, keywords):
    parameters = inspect.signature(function).parameters
    assert list(parameters) == ["x", "y", *keywords]
    text = inspect.getdoc(function)
    assert text.startswith("A private ")
    assert [name for name in parameters if f"{name}: " not in text] == []


@pytest.mark.usefixtures("seeded")
@pytest.mark.parametrize("neighbors", ["add_remove", "swap"])
def test_each_is_its_statistic(neighbors):
    asked = {"epsilon": 2, "neighbors": neighbors}
    for released, statistic, bounds in (
        (theil_sen(X, Y, bounds=(-9, 9), parts=2, **asked), TheilSen(2), (-9, 9)),
        (pearson(X, Y, bounds=((0, 40), (-9, 50)), **asked), Pearson(), ((0, 40), (-9, 50))),
        (spearman(X, Y, **asked), Spearman(), None),
    ):
        assert released.value == replay(statistic, (X, Y), seed=7, bounds=bounds, **asked).value
        assert released.statistic == str(statistic)
        assert released.privacy == BoundedRange(2)


def test_an_intercept_makes_it_two():
    released = theil_sen(X, Y, bounds=(-9, 9), intercept_bounds=(-50, 50), epsilon=1, ledger=None)
    assert len(released.value) == 2
    assert released.privacy == PureDP(1)


def test_columns_are_judged_by_their_types():
    with pytest.raises(SchemaError, match="same number of rows"):
        spearman([1, 2], [1], epsilon=1)
    with pytest.raises(SchemaError, match="data must be"):
        spearman(["a"], np.array(["b"]), epsilon=1)
