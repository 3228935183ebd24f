"""Discrete Laplace: inherited laws, its closed form, and why it clamps."""

import math
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

from noisewise import Laplace, ParameterError, ParameterTypeError, PureDP
from noisewise.kernel.laws.envelope import Envelope
from noisewise.kernel.laws.law import Law
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.planning.readings.read_law import read_law
from tests.kernel.laws.mechanism_laws import MechanismLaws

LATTICE = Lattice(0, 6, Fraction(1))


class TestLaplace(MechanismLaws):
    make = staticmethod(lambda epsilon, sensitivity: Laplace(epsilon=epsilon, sensitivity=sensitivity))


def centred(centre: int) -> Envelope:
    return Envelope.of([centre, 0], [centre, 6], (0, 6))


@pytest.mark.parametrize("centre", [0, 1, 3, 6])
@pytest.mark.parametrize("sensitivity", [1, 2, 5])
def test_inside_it_is_geometric_and_the_ends_gather_the_rest(centre: int, sensitivity: int) -> None:
    law = Laplace(epsilon=1, sensitivity=sensitivity).law(centred(centre), LATTICE)
    wide = np.exp(-np.abs(np.arange(-2000, 2000) - centre) / sensitivity)
    wide /= wide.sum()
    clamped = np.array([wide[np.clip(np.arange(-2000, 2000), 0, 6) == y].sum() for y in range(7)])
    assert np.allclose(read_law(law).pmf(range(7)), clamped, rtol=1e-9)
    assert np.allclose(read_law(law).cdf(range(7)), np.cumsum(clamped), rtol=1e-9)
    assert math.isclose(
        read_law(law).expected_error(), np.sum(clamped * np.abs(np.arange(7) - centre)), rel_tol=1e-9
    )


def test_truncating_the_density_instead_would_not_be_private() -> None:
    """The same scale on a truncated support: two neighbours at distance 1 exceed epsilon."""
    epsilon = Fraction(1)

    def truncated(centre: int) -> Law:
        edges = np.arange(7)
        return Law(Envelope.of(np.maximum(centre - edges, 0), np.minimum(centre + edges, 6), (0, 6)), epsilon)

    def worst(law: object) -> float:
        logs = [read_law(law(c)).logpmf(range(7)) for c in range(7)]  # type: ignore[operator]
        return max(float(np.max(np.abs(a - b))) for a, b in pairwise(logs))

    assert worst(lambda c: Laplace(epsilon=1, sensitivity=1).law(centred(c), LATTICE)) <= 1 + 1e-9
    assert worst(truncated) > 1.2


def test_the_loss_is_that_of_the_discrete_law() -> None:
    """The continuous formula e + exp(-e) - 1 = 0.368 undercharges a sensitivity of one step by a fifth."""
    loss = Laplace(epsilon=1, sensitivity=1).loss
    assert isinstance(loss, PureDP)
    assert loss.epsilon == 1
    assert math.isclose(loss.as_zcdp().rho, math.tanh(0.5), rel_tol=1e-12)
    assert math.isclose(Laplace(epsilon=1, sensitivity=5).loss.as_zcdp().rho, 0.372, abs_tol=5e-4)


def test_it_needs_no_levels() -> None:
    assert Laplace(epsilon=1, sensitivity=1).levels(LATTICE) == 0


@pytest.mark.parametrize(
    ("sensitivity", "error"),
    [(0, ParameterError), (-1, ParameterError), (2**59 + 1, ParameterError), (1.5, ParameterTypeError)],
)
def test_the_sensitivity_is_a_positive_whole_number(sensitivity: object, error: type[Exception]) -> None:
    with pytest.raises(error, match="sensitivity must"):
        Laplace(epsilon=1, sensitivity=sensitivity)  # type: ignore[arg-type]


@pytest.mark.parametrize("epsilon", ["1/1000", "1/3", "2", "40"])
@pytest.mark.parametrize("miss", ["0.4999", "1/40", "1e-9"])
def test_farthest_is_the_least_step_within_the_chance(epsilon, miss):
    """P(noise > t) = p^(t+1)/(1+p), in decimals of fifty digits."""
    laplace, chance = Laplace(epsilon=Fraction(epsilon), sensitivity=3), Fraction(miss)
    with localcontext(prec=50):
        p = (-Decimal(laplace.epsilon.numerator) / Decimal(3 * laplace.epsilon.denominator)).exp()
        most = Decimal(chance.numerator) / Decimal(chance.denominator)
        t = laplace.farthest(chance)
        assert p ** (t + 1) / (1 + p) <= most
        assert t == 0 or p**t / (1 + p) > most
