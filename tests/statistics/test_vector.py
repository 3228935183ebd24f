"""What every vector statistic inherits, and the one rounding they share."""

from itertools import product

import numpy as np
import pytest

from noisewise.kernel.laws.radii import RadiusBounds
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.statistics.vector import VectorFrame, VectorStatistic, floored


class Corner(VectorStatistic):
    """Always the lowest corner."""

    def frame(self, columns, bounds, granularity):
        lattice = Lattice.between(bounds, granularity)
        ends = np.full(columns, lattice.low), np.full(columns, lattice.high)
        return VectorFrame((lattice,) * columns, lattice.granularity, *ends)

    def sensitivity(self, frame, neighbors, size):
        return 1

    def radii(self, rows, frame, levels):
        return frame.low, RadiusBounds.of(np.ones(levels, np.int64), 1)


def test_defaults():
    statistic = Corner()
    assert (statistic.norm, statistic.relations, str(statistic)) == ("l1", ("add_remove",), "corner")
    assert not statistic.steady("swap")
    assert statistic.as_answer((1, 2)) == (1, 2)


def test_what_is_missing_must_be_written():
    with pytest.raises(TypeError, match="abstract"):
        VectorStatistic()


@pytest.mark.parametrize("d", [1, 2, 3])
def test_floors_are_never_farther_apart_than_said_and_can_be_so_far(d):
    places = range(-5, 6)  # in quarters
    worst = {"l1": {}, "linf": {}}
    for a, b in product(product(places[::2], repeat=d), product(places, repeat=d)):
        moves = [abs(i - j) for i, j in zip(a, b, strict=True)]
        steps = [abs(i // 4 - j // 4) for i, j in zip(a, b, strict=True)]
        for norm, size in (("l1", sum), ("linf", max)):
            distance = -(-size(moves) // 4)
            worst[norm][distance] = max(worst[norm].get(distance, 0), size(steps))
    for norm, found in worst.items():
        assert all(steps <= floored(distance, norm, d) for distance, steps in found.items() if distance)
        assert found[1] == floored(1, norm, d)
    assert floored(np.array([1, 5]), "l1", 4).tolist() == [4, 8]
