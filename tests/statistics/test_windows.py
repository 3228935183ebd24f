"""Windows of many groups: records where there are any, the bounds beyond them."""

from fractions import Fraction

import numpy as np

from noisewise.kernel.numbers.lattice import Lattice
from noisewise.statistics.windows import Windows, alike
from tests.statistics.test_envelopes import grouped

LATTICE = Lattice(-3, 30, Fraction(1))


def test_ranks_beyond_the_records_are_the_bounds() -> None:
    groups = grouped([[5, 7, 9], [], [1, 2, 3, 4, 5, 6]], LATTICE)
    windows = Windows.of(groups, groups.counts, np.array([-1, 0, 3]), np.array([6, 3, 5]))
    assert windows.at(np.array([0, 1]), np.array([-1, 0]), 3).T.tolist() == [[-3, -3, 5], [-3, 30, 30]]
    assert windows.at(np.array([0]), np.array([2]), 4).T.tolist() == [[7, 9, 30, 30]]
    assert windows.at(np.array([2, 2]), np.array([3, 4]), 1).tolist() == [[3, 4]]


def test_no_records_at_all_are_bounds_alone() -> None:
    groups = grouped([[], []], LATTICE)
    windows = Windows.of(groups, groups.counts, np.array([0, 1]), np.array([2, 2]))
    assert windows.at(np.array([0, 1]), np.array([0, 0]), 2).T.tolist() == [[-3, 30], [-3, 30]]


def test_groups_of_one_key_come_together_and_not_too_many_at_a_time() -> None:
    found = [same.tolist() for same in alike(np.array([7, -1, 7, 7, -1]), 2)]
    assert found == [[1, 4], [0, 2], [3]]


def test_windows_are_withheld() -> None:
    groups = grouped([[1]], LATTICE)
    assert repr(Windows.of(groups, groups.counts, np.array([1]), np.array([2]))) == "<Windows: withheld>"
