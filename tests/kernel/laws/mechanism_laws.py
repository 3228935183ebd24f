"""The laws of a mechanism, checked where an envelope is exact, loose, endless or tied. A new one inherits them:

class TestPiecewiseLaplace(MechanismLaws):
    make = staticmethod(lambda epsilon, sensitivity: PiecewiseLaplace(epsilon=epsilon))
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
import pytest

from noisewise import BoundedRange
from noisewise.audit.worlds import Dataset, World
from noisewise.kernel.laws.envelope import Envelope
from noisewise.kernel.laws.law import Law
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.planning.readings.read_law import read_law
from tests.kernel.laws.moves import FLOAT, worst_range, worst_ratio

LATTICE = Lattice(0, 6, Fraction(1))


def total(x: Dataset) -> int:
    return int(min(sum(x), 6))


def median(x: Dataset) -> int:
    return sorted(x)[(len(x) + 1) // 2 - 1] if x else 0


class MechanismLaws:
    """Inherited by the tests of every mechanism that turns an envelope into a law."""

    make: ClassVar[Callable[[Fraction, int], Any]]

    def laws(
        self, world: World, f: Callable[[Dataset], int], epsilon: Fraction, sensitivity: int
    ) -> dict[Dataset, Law]:
        mechanism = type(self).make(epsilon, sensitivity)
        return {
            x: mechanism.law(Envelope.of(*world.envelope(f, x, 5), (LATTICE.low, LATTICE.high)), LATTICE)
            for x in world.datasets()
        }

    @pytest.mark.parametrize("epsilon", [Fraction(1, 10), Fraction(1), Fraction(5)])
    @pytest.mark.parametrize(("f", "sensitivity"), [(total, 3), (median, 6)])
    @pytest.mark.parametrize("relation", ["add_remove", "swap"])
    def test_the_loss_is_kept(
        self, f: Callable[[Dataset], int], sensitivity: int, relation: str, epsilon: Fraction
    ) -> None:
        world = World((0, 1, 3), 4, relation) if f is total else World((0, 2, 3, 6), 4, relation)
        laws = self.laws(world, f, epsilon, sensitivity)
        assert worst_ratio(laws, world) <= float(epsilon) + FLOAT
        if isinstance(type(self).make(epsilon, sensitivity).loss, BoundedRange):
            assert worst_range(laws, world) <= float(epsilon) + FLOAT

    def test_the_support_is_public_and_every_outcome_is_possible(self) -> None:
        world = World((0, 2, 3, 6), 3)
        for law in self.laws(world, median, Fraction(1), 6).values():
            assert read_law(law).support == (0, 6)
            assert np.all(read_law(law).pmf(range(7)) > 0)
            assert np.isclose(read_law(law).pmf(range(7)).sum(), 1)
            assert np.array_equal(read_law(law).pmf([-1, 7, 0.5]), np.zeros(3))

    def test_more_budget_means_less_error(self) -> None:
        x = (0, 2, 3, 6)
        world = World((0, 2, 3, 6), 4)
        errors = [
            read_law(self.laws(world, median, e, 6)[x]).expected_error() for e in map(Fraction, (1, 4, 16))
        ]
        assert errors == sorted(errors, reverse=True)
        assert errors[0] > errors[-1]
