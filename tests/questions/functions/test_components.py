"""The first principal component as a function: the statistic it says it is, settled once."""

import inspect

import numpy as np
import pytest

from noisewise import NoisewiseError
from noisewise.questions.functions.vectors import principal_component

ROWS = np.random.default_rng(0).normal(size=(5_000, 3)) @ np.array([[2, 1, 1], [0, 1, 0], [0, 0, 1]])
ASKED = {"bounds": (-8, 8), "epsilon": 1}


class Ledger:
    def debit(self, loss, *, neighbors, contributions, memo):
        return f"{loss.epsilon} {neighbors} {contributions} {memo}"


@pytest.mark.parametrize("own", [{}, {"length": 5}])
@pytest.mark.parametrize(
    "how", [{}, {"neighbors": "swap"}, {"granularity": 2**-10, "mechanism": "inverse_sensitivity"}]
)
def test_a_matrix_or_a_vector(own, how):
    matrix = principal_component(ROWS, **own, **how, **ASKED)
    assert np.array(matrix.value).shape == (3, 3) and matrix.private
    v = np.array(principal_component(ROWS, toward=(1, 1, 1), **own, **how, **ASKED).value)
    assert v.shape == (3,) and np.all(np.abs(v) <= 1)


def test_any_table_and_the_ledger():
    table = tuple(ROWS.T)
    released = principal_component(table, **ASKED, contributions=2, mechanism="laplace", ledger=Ledger())
    assert released.receipt.startswith("1 add_remove 2 principal_component by ")
    assert released.statistic == "principal_component"


def test_signature_and_help():
    parameters = list(inspect.signature(principal_component).parameters)
    assert parameters[:3] == ["data", "bounds", "epsilon"] and parameters[-2:] == ["toward", "length"]
    assert all(f"{name}: " in inspect.getdoc(principal_component) for name in parameters)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"bounds": "private"}, "bounds must be a pair"),
        ({"toward": (1, 1)}, "toward must have a number for each of 3 columns, got 2"),
        ({"length": -1}, "length must be above 0, got -1"),
        ({"granularity": 1}, "granularity must be between"),
        ({"ledger": 3}, "ledger must"),
    ],
)
def test_wrong_calls(wrong, message):
    with pytest.raises(NoisewiseError, match=f"^{message}"):
        principal_component(ROWS, **(ASKED | wrong))
