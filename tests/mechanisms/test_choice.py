"""Which mechanism a name or an object means, and what is refused."""

from fractions import Fraction

import pytest

from noisewise import InverseSensitivity, Laplace, ParameterError, ParameterTypeError, PiecewiseLaplace
from noisewise.mechanisms import Mechanism, choose

ONE = Fraction(1)


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        ("auto", PiecewiseLaplace(epsilon=1)),
        ("piecewise_laplace", PiecewiseLaplace(epsilon=1)),
        ("inverse_sensitivity", InverseSensitivity(epsilon=1)),
        ("laplace", Laplace(epsilon=1, sensitivity=7)),
        (PiecewiseLaplace(epsilon=1, rho=3), PiecewiseLaplace(epsilon=1, rho=3)),
        (Laplace(epsilon=1, sensitivity=8), Laplace(epsilon=1, sensitivity=8)),
    ],
)
def test_names_and_objects(asked: object, meant: object) -> None:
    chosen = choose(asked, epsilon=ONE, sensitivity=7)
    assert chosen == meant
    assert isinstance(chosen, Mechanism)


@pytest.mark.parametrize("asked", ["gauss", "", "Laplace"])
def test_an_unknown_name_is_told_the_known_ones(asked: str) -> None:
    with pytest.raises(ParameterError, match="mechanism must be one of auto, inverse_sensitivity, laplace"):
        choose(asked, epsilon=ONE, sensitivity=7)


@pytest.mark.parametrize("asked", [None, 3, PiecewiseLaplace])
def test_what_is_no_mechanism_is_refused(asked: object) -> None:
    with pytest.raises(ParameterTypeError, match="mechanism must be one of"):
        choose(asked, epsilon=ONE, sensitivity=7)


def test_a_mechanism_has_one_epsilon() -> None:
    with pytest.raises(ParameterError, match=r"epsilon must agree with the mechanism's own 2, got 1"):
        choose(PiecewiseLaplace(epsilon=2), epsilon=ONE, sensitivity=7)


def test_laplace_noise_below_the_sensitivity_is_refused() -> None:
    with pytest.raises(ParameterError, match="at least the statistic's 7 lattice steps"):
        choose(Laplace(epsilon=1, sensitivity=6), epsilon=ONE, sensitivity=7)
