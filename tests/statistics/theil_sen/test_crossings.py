"""Crossings against a comparison of every left thing with every right one."""

import numpy as np
import pytest

from noisewise.statistics.theil_sen import crossings as room
from noisewise.statistics.theil_sen.crossings import Crossings, listed


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 16, 33])
@pytest.mark.parametrize("lot", [1, 7, 1 << 16])
def test_each_crossing_is_counted_and_listed_once(n, lot, monkeypatch):
    monkeypatch.setattr(room, "LOT", lot)
    rng = np.random.default_rng(n)
    for _ in range(10):
        first, second = rng.permutation(2 * n), rng.permutation(2 * n)
        place, other = np.argsort(first), np.argsort(second)
        known = {
            (left, right)
            for left in range(n)
            for right in range(n)
            if place[left] < place[n + right] and other[left] > other[n + right]
        }
        crossings = Crossings(first, second)
        found = [
            pair for lot in crossings.pairs() for pair in zip(lot[0].tolist(), lot[1].tolist(), strict=True)
        ]
        assert crossings.count() == len(found) == len(known) and set(found) == known


def test_equal_orders_have_no_crossing_and_opposite_ones_all():
    rows = np.arange(2000)
    assert Crossings(rows, rows).count() == 0
    assert Crossings(rows, rows[::-1]).count() == 1000 * 1000


def test_ranges_are_listed_in_lots(monkeypatch):
    monkeypatch.setattr(room, "LOT", 5)
    starts, stops = np.array([3, 0, 7]), np.array([5, 9, 8])
    lots = list(listed(starts, stops))
    assert len(lots) == 3
    some, numbers = (np.concatenate(each).tolist() for each in zip(*lots, strict=True))
    assert some == [0] * 2 + [1] * 9 + [2]
    assert numbers == [3, 4, *range(9), 7]
