"""Inverse sensitivity (M.2): inherited laws, and its relation to the graded cost."""

import math
from fractions import Fraction

import numpy as np

from noisewise import BoundedRange, InverseSensitivity, PiecewiseLaplace
from noisewise.kernel.laws.envelope import Envelope
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.planning.readings.read_law import read_law
from tests.kernel.laws.mechanism_laws import MechanismLaws


class TestInverseSensitivity(MechanismLaws):
    make = staticmethod(lambda epsilon, sensitivity: InverseSensitivity(epsilon=epsilon))


class TestSmooth(MechanismLaws):
    make = staticmethod(lambda epsilon, sensitivity: InverseSensitivity(epsilon=epsilon, smooth=1))


def test_the_cost_is_that_of_piecewise_laplace_rounded_up() -> None:
    envelope, lattice = Envelope.of([5, 5, 1], [5, 8, 8], (0, 10)), Lattice(0, 10, Fraction(1))
    graded = read_law(PiecewiseLaplace(epsilon=1).law(envelope, lattice)).cost(range(11))
    level = read_law(InverseSensitivity(epsilon=1).law(envelope, lattice)).cost(range(11))
    assert list(level) == [math.ceil(c) for c in graded]


def test_the_loss_is_bounded_range() -> None:
    assert InverseSensitivity(epsilon=2).loss == BoundedRange(2)


def test_piecewise_laplace_is_more_accurate_on_fine_lattices() -> None:
    edges = np.arange(50) * 1000
    envelope = Envelope.of(50_000 - edges, 50_000 + edges, (0, 100_000))
    lattice = Lattice(0, 100_000, Fraction(1))
    for epsilon in (0.5, 1, 5):
        graded = read_law(PiecewiseLaplace(epsilon=epsilon).law(envelope, lattice)).expected_error()
        assert graded < read_law(InverseSensitivity(epsilon=epsilon).law(envelope, lattice)).expected_error()
