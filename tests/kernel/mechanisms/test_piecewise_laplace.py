"""Piecewise Laplace (M.1): inherited laws, and the shapes the paper promises."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

from noisewise import BoundedRange, PiecewiseLaplace, Quantile, hazmat
from noisewise.kernel.laws.envelope import Envelope
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.paper.density import InverseSensitivityDensity as ContinuousStairs
from noisewise.paper.density import PiecewiseLaplaceDensity as ContinuousLaw
from noisewise.planning.readings.read_law import read_law
from tests.kernel.laws.mechanism_laws import MechanismLaws


class TestPiecewiseLaplace(MechanismLaws):
    make = staticmethod(lambda epsilon, sensitivity: PiecewiseLaplace(epsilon=epsilon))


class TestSmooth(MechanismLaws):
    make = staticmethod(lambda epsilon, sensitivity: PiecewiseLaplace(epsilon=epsilon, smooth=Fraction(3, 2)))


def test_the_loss_is_bounded_range() -> None:
    assert PiecewiseLaplace(epsilon=0.1).loss == BoundedRange(Fraction(1, 10))


def test_the_cost_is_interpolated_inside_a_step() -> None:
    law = PiecewiseLaplace(epsilon=1).law(
        Envelope.of([5, 5, 1], [5, 8, 8], (0, 10)), Lattice(0, 10, Fraction(1))
    )
    third = Fraction(1, 3)
    assert list(read_law(law).cost(range(11))) == [
        *(3, 2, Fraction(7, 4), Fraction(3, 2), Fraction(5, 4)),
        *(0, third, 2 * third, 1),
        *(Fraction(5, 2), 3),
    ]


def test_rho_counts_in_the_unit_of_the_answer() -> None:
    lattice = Lattice(0, 40, Fraction(1, 4))
    envelope = Envelope.of([20], [20], (0, 40))
    law = PiecewiseLaplace(epsilon=1, smooth=0.8).law(envelope, lattice)
    assert law.envelope.level(0) == (17, 23)


@pytest.mark.parametrize("epsilon", [0.5, 2, 10])
def test_equal_steps_give_the_truncated_laplace_law_of_scale_two_sensitivities_over_epsilon(
    epsilon: float,
) -> None:
    centre, step, low, high = 40, 7, 0, 100
    edges = np.arange(0, 15) * step
    envelope = Envelope.of(np.maximum(centre - edges, low), np.minimum(centre + edges, high), (low, high))
    law = PiecewiseLaplace(epsilon=epsilon).law(envelope, Lattice(low, high, Fraction(1)))
    inside = np.arange(5, 97)  # the last, clipped step on each side is steeper
    laplace = np.exp(-np.abs(inside - centre) * epsilon / (2 * step))
    ours = read_law(law).pmf(inside)
    assert np.allclose(ours / ours.sum(), laplace / laplace.sum(), rtol=1e-12)


@pytest.mark.parametrize("graded", [True, False])
@pytest.mark.parametrize("epsilon", [0.3, 3])
def test_the_lattice_law_converges_to_the_density_of_the_paper(graded: bool, epsilon: float) -> None:
    """The error of the distribution function falls with the granularity, down to a small multiple of it."""
    data = np.array([0.12, 0.3, 0.31, 0.47, 0.5, 0.62, 0.9])
    name = "piecewise_laplace" if graded else "inverse_sensitivity"
    points = np.linspace(0.01, 0.99, 197) + 1e-5
    gaps = []
    for granularity in (2**-6, 2**-9, 2**-12, 2**-15):
        law = hazmat.law(
            Quantile("1/2"),
            data,
            bounds=(0.0, 1.0),
            epsilon=epsilon,
            granularity=granularity,
            neighbors="swap",
            mechanism=name,
        )
        levels = [law.envelope.level(l) for l in range(9)]
        exact = (ContinuousLaw if graded else ContinuousStairs)(
            [0.47, 0.31, 0.3, 0.12, 0.0],
            [0.47, 0.5, 0.62, 0.9, 1.0],
            epsilon,
        )
        assert levels[4] == (0, round(1 / granularity))
        gaps.append(float(np.max(np.abs(read_law(law).cdf(points) - read_law(exact).cdf(points)))))
    assert all(later < earlier / 3 for earlier, later in pairwise(gaps))
    assert gaps[-1] < 1e-3
