"""Columns of which little is known answer what was read, and read no more than there is."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from noisewise.kernel.numbers.lattice import Lattice
from noisewise.statistics.records import Sums
from noisewise.statistics.variance.known_column import KnownColumns
from tests.statistics.test_envelopes import grouped

LATTICE = Lattice(0, 30, Fraction(1))
SUMS = [Sums(3, 21, 155), Sums(0, 0, 0), Sums(5, 15, 55)]


@pytest.fixture
def groups() -> Any:
    return grouped([[5, 7, 9], [], [1, 2, 3, 4, 5]], LATTICE)


def test_each_group_knows_its_own_stretches(groups: Any) -> None:
    ends = (np.array([1, 1, 1]), np.array([2, 1, 3])), (np.array([3, 1, 5]), np.array([4, 1, 6]))
    first, none, last = KnownColumns.of(groups, SUMS, list(ends), [([5, 5, 5], [1, 0, 5])])
    assert (first.ranks(1, 2).tolist(), first.ranks(3, 4).tolist()) == ([5], [9])
    assert (last.ranks(1, 3).tolist(), last.ranks(2, 3).tolist(), last.ranks(5, 6).tolist()) == (
        [1, 2],
        [2],
        [5],
    )
    assert none.ranks(1, 1).tolist() == [] and (none.count, first.count) == (0, 3)
    assert first.sums(squares=True) == SUMS[0] and last.below(5).count == 5
    assert repr(first) == "<KnownColumn: withheld>"


def test_stretches_that_hold_everything_are_read_once(groups: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    asked, plain = [], type(groups).ranks
    monkeypatch.setattr(type(groups), "ranks", lambda self, *ends: asked.append(ends) or plain(self, *ends))
    everything = np.array([1, 1, 1]), groups.counts + 1
    columns = list(KnownColumns.of(groups, SUMS, [everything, everything], []))
    assert len(asked) == 1
    assert [column.ranks(1, column.count + 1).tolist() for column in columns] == [
        [5, 7, 9],
        [],
        [1, 2, 3, 4, 5],
    ]


def test_nothing_is_read_where_nothing_is_needed(groups: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(groups), "ranks", lambda *asked: pytest.fail("was read"))
    assert [column.count for column in KnownColumns.of(groups, SUMS, [], [])] == [3, 0, 5]
