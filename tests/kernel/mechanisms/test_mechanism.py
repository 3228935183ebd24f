"""The protocol: what a release relies on, and that law names never change their meaning."""

import pytest

from noisewise import InverseSensitivity, Laplace, PiecewiseLaplace
from noisewise.kernel.mechanisms import Mechanism


@pytest.mark.parametrize(
    ("mechanism", "name", "version"),
    [
        (PiecewiseLaplace(epsilon=1), "piecewise_laplace", "piecewise-laplace/1"),
        (InverseSensitivity(epsilon=1), "inverse_sensitivity", "inverse-sensitivity/1"),
        (Laplace(epsilon=1, sensitivity=2), "laplace", "discrete-laplace/1"),
    ],
)
def test_names(mechanism: Mechanism, name: str, version: str) -> None:
    assert isinstance(mechanism, Mechanism)
    assert (mechanism.name, mechanism.version) == (name, version)


def test_an_object_without_a_loss_is_no_mechanism() -> None:
    assert not isinstance(object(), Mechanism)
