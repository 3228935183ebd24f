"""Trims of many groups side by side: the shortest mean distance is never set aside."""

from fractions import Fraction

import numpy as np

from noisewise.kernel.numbers.lattice import Lattice
from noisewise.statistics.trimmed.trimming import (
    BoundDistances,
    TrimmedGroups,
    Trims,
    _least_ratio,
    distances_from_bounds,
)
from noisewise.tables.columns import declare
from tests.statistics.test_envelopes import grouped

LATTICE = Lattice(0, 30, Fraction(1))
GROUPS = [[5, 7, 9, 20], [1, 2, 2, 30], [0, 0, 0, 0], [30, 30, 30, 30]]


def test_ratios_that_float64_cannot_tell_apart_are_told_apart() -> None:
    big = 2**30 - 1
    top, bottom = np.array([[big - 1, big - 2]]), np.array([[big, big - 1]])
    assert float(top[0, 0] / bottom[0, 0]) - float(top[0, 1] / bottom[0, 1]) < 2**-52
    assert _least_ratio(top, bottom).tolist() == [1]
    assert _least_ratio(top + big * 2**30, bottom).tolist() == [0]


def test_the_least_ratio_is_kept_where_float64_takes_another_for_less() -> None:
    rng, turned = np.random.default_rng(0), 0
    for _ in range(300):
        top, bottom, other = int(rng.integers(2**59, 2**60)), *rng.integers(50, 100, 2).tolist()
        tops, bottoms = [top, top * other // bottom + 1], [bottom, other]
        floats = [t / b for t, b in zip(np.array(tops, float), bottoms, strict=True)]
        exact = [Fraction(t, b) for t, b in zip(tops, bottoms, strict=True)]
        turned += (exact[0] < exact[1]) != (floats[0] < floats[1]) and floats[0] != floats[1]
        nothing = np.zeros((2, 1), np.int64)
        side = BoundDistances(np.zeros(1, np.int64), nothing, nothing, nothing, np.array(tops)[:, np.newaxis])
        trims = Trims(
            np.zeros((1, 2), np.int64), np.array([[0, 1]]), np.array([[bottoms]]).swapaxes(1, 2), nothing[:1]
        )
        found = side.shortest(trims)
        assert min(exact) in [Fraction(int(t), int(b)) for t, b in zip(found.gap, found.size, strict=True)]
    assert turned > 5


def test_sides_of_groups_are_those_of_their_columns() -> None:
    groups = grouped(GROUPS, LATTICE)
    many = TrimmedGroups.of(groups, np.array([1, 1, 1, 1]), np.array([2, 2, 2, 2]))
    together = many.distances(np.arange(4))
    for place, group in enumerate(GROUPS):
        alone = distances_from_bounds(declare(group).read(LATTICE, "add_remove"), 1, 2)
        for one, all_of_them in zip(alone, together, strict=True):
            assert one.between == all_of_them.between[place]
            for name in ("after_first", "at_second", "left_out", "taken_in"):
                assert getattr(one, name).tolist() == getattr(all_of_them, name)[:, place].tolist()


def test_groups_that_are_cut_alike_differ_by_how_much_they_keep() -> None:
    groups = grouped([[1] * 10, [1] * 30], LATTICE)
    many = TrimmedGroups.of(groups, np.array([1, 3]), np.array([2, 2]))
    kept, cut = many.more(np.array([0, 1]))
    assert (kept.tolist(), cut.tolist()) == ([0, 16], [0, 2])
