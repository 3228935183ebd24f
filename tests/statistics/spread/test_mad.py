"""The median absolute deviation against its naive definition, and its bound against a slow one."""

import math
import random
from typing import Any

import numpy as np
import pytest

from noisewise import hazmat
from noisewise.audit.nesting import is_monotone, nests_in
from noisewise.audit.worlds import Dataset, World
from noisewise.kernel.laws.envelope import Envelope
from noisewise.planning.readings.read_law import read_law
from noisewise.statistics.spread import mad as module
from noisewise.statistics.spread.mad import MAD
from tests.kernel.laws.statistic_laws import StatisticLaws
from tests.statistics.neighbourhood import neighbours

RELATIONS = ["add_remove", "swap"]


def naive(x: Dataset) -> Any:
    """The distance of rank ceil(n/2) from the record of rank ceil(n/2); 0 if there are none."""
    if not x:
        return 0
    middle = math.ceil(len(x) / 2) - 1
    centre = sorted(x)[middle]
    return sorted(abs(record - centre) for record in x)[middle]


class TestMAD(StatisticLaws):
    statistic = MAD()
    answer = staticmethod(naive)
    exact = False


def envelope(x: Any, neighbors: Any, levels: int, bounds: tuple[int, int] = (0, 7)) -> Envelope:
    return hazmat.law(
        MAD(), list(x), bounds=bounds, granularity=1, epsilon=1, neighbors=neighbors, levels=levels
    ).envelope


def every_centre(x: list[int], bounds: tuple[int, int], swap: bool, levels: int) -> list[tuple[int, int]]:
    """(lower, upper) of each level, by trying every centre on the lattice."""
    (low, high), count = bounds, len(x)

    def median(rank: int) -> int:
        return low if rank < 1 else high if rank > count else sorted(x)[rank - 1]

    def distance(centre: int, rank: int) -> int:
        if rank < 1:
            return 0
        if rank > count:
            return max(centre - low, high - centre)
        return sorted(abs(record - centre) for record in x)[rank - 1]

    found = []
    for l in range(min(levels, count) + 1):
        middle = math.ceil(count / 2)
        down, up = (middle - l, middle + l) if swap else (-((l - count) // 2), -(-(count + l) // 2))
        centres = range(median(down), median(up) + 1)
        widest = max(distance(c, up) for c in centres)
        found.append((min(distance(c, down) for c in centres), min(widest, (high - low) // 2)))
    return found


@pytest.mark.parametrize("neighbors", RELATIONS)
def test_the_bound_is_the_best_over_every_centre(neighbors: str) -> None:
    dice = random.Random(3)
    for _ in range(400):
        low = dice.randint(-9, 3)
        high = low + dice.randint(2, 40)
        x = [dice.randint(low, high) for _ in range(dice.randint(0, 14))]
        ours = envelope(x, neighbors, 8, (low, high))
        levels = list(zip(ours.lower.tolist(), ours.upper.tolist(), strict=True))
        assert levels == every_centre(x, (low, high), neighbors == "swap", 8), x


@pytest.mark.parametrize("neighbors", RELATIONS)
def test_the_bound_holds_brute_force(neighbors: str) -> None:
    world = World((0, 1, 5, 7), 8, neighbors)
    for x in world.datasets()[::3]:
        levels = 3 if neighbors == "add_remove" else min(3, len(x))
        least, most = world.envelope(naive, x, levels)
        ours = envelope(x, neighbors, 3)
        assert ours.level(0) == (least[0], most[0])
        for l in range(levels + 1):
            assert ours.level(l)[0] <= least[l] and most[l] <= ours.level(l)[1], (x, l)


def test_no_answer_is_above_half_the_range() -> None:
    datasets = World((0, 1, 2, 3, 4, 7), 6).datasets()
    assert max(map(naive, datasets)) == 3  # of 7
    assert hazmat.law(MAD(), [1, 2], bounds=(0, 7), epsilon=1).support == (0, 3)
    assert hazmat.law(MAD(), [1, 2], bounds=(0.5, 2.4), granularity=0.95, epsilon=1).support == (0, 0.95)


@pytest.mark.parametrize("near_levels", [1, 2, 5, 12, 512])
@pytest.mark.parametrize("neighbors", RELATIONS)
def test_neighbours_nest_across_the_joint(
    neighbors: str, near_levels: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "NEAR_LEVELS", near_levels)
    dice = random.Random(near_levels)
    for _ in range(150):
        size, top = dice.choice((1, 2, 3, 7, 40, 200)), dice.choice((3, 20, 1000))
        x, y = neighbours(dice, size, top, neighbors)
        one, other = (envelope(data, neighbors, 25, (0, top)) for data in (x, y))
        assert is_monotone(one) and is_monotone(other)
        assert nests_in(one, other) and nests_in(other, one), (x, y)


@pytest.mark.parametrize("neighbors", RELATIONS)
def test_the_looser_bound_holds_the_nearer_one(neighbors: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(20):
        x = np.random.default_rng(seed).integers(0, 500, 60)
        near = envelope(x, neighbors, 70, (0, 1000))
        monkeypatch.setattr(module, "NEAR_LEVELS", 9)
        joined = envelope(x, neighbors, 70, (0, 1000))
        monkeypatch.undo()
        assert [near.level(l) for l in range(9)] == [joined.level(l) for l in range(9)]
        for l in range(9, 75):
            assert joined.level(l)[0] <= near.level(l)[0] and near.level(l)[1] <= joined.level(l)[1]


@pytest.mark.parametrize("neighbors", RELATIONS)
@pytest.mark.parametrize("n", [1, 2, 3, 99, 100, 70_001])
def test_the_centre_is_the_answer(neighbors: Any, n: int) -> None:
    x = np.random.default_rng(n).integers(-(10**9), 10**9, n)
    law = hazmat.law(MAD(), x, bounds=(-(10**9), 10**9), epsilon=1, neighbors=neighbors)
    assert law.envelope.level(0) == (naive(tuple(x.tolist())),) * 2


def test_levels_of_a_long_even_column() -> None:
    """Any centre has its r nearest records within about r/2, and a step of rank is half a step of distance."""
    x = np.random.default_rng(1).permutation(100_001)
    ours = envelope(x, "add_remove", 40, (-(10**6), 10**6))
    assert ours.level(0) == (25_000, 25_000)
    assert all(abs(int(ours.upper[l]) - 25_000 - l / 4) <= 1 for l in range(41))
    assert all(abs(int(ours.lower[l]) - 25_000 + l / 4) <= 1 for l in range(41))


@pytest.mark.parametrize("neighbors", RELATIONS)
@pytest.mark.parametrize("data", [[], [3], [3, 3], [None, None], [math.nan, math.inf, -math.inf], [7] * 50])
def test_odd_data_keeps_the_public_support(data: list, neighbors: Any) -> None:
    law = hazmat.law(MAD(), data, bounds=(-4, 7), epsilon=1, neighbors=neighbors)
    assert read_law(law).support == (0, 5)
    assert is_monotone(law.envelope)
    assert law.envelope.level(10**6) == (0, 5)


@pytest.mark.parametrize("neighbors", RELATIONS)
def test_lattices_at_their_limits(neighbors: Any) -> None:
    edge = 2**51
    law = hazmat.law(
        MAD(), [-edge, 0, edge], bounds=(-edge, edge), granularity=1, epsilon=0.01, neighbors=neighbors
    )
    assert read_law(law).support == (0, edge)
    assert law.envelope.level(0) == (edge, edge)
    law = hazmat.law(MAD(), [0.0, 0.25, 0.75], bounds=(0.0, 1.0), epsilon=1, neighbors=neighbors)
    assert law.envelope.level(0) == (2**30, 2**30)


def test_name() -> None:
    assert str(MAD()) == "mad"
