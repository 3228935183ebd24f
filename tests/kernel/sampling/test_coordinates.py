"""Coordinates of answers: the same in floats and in fractions, there and back."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

from noisewise.kernel.sampling.coordinates import Even, Odds, boundaries


def test_a_coordinate_is_the_same_in_floats_and_fractions() -> None:
    for odds in (Odds(3, 203), Odds(-6, 30, 1, 2), Odds(0, None, 1, 7)):
        positions = np.arange(3, 30)
        exact = [odds.exact(int(p)) for p in positions]
        assert np.allclose(odds.at(positions), [float(z) for z in exact], rtol=1e-15)
        low, further = odds.beyond(positions, odds.at(positions) - 0.25, 0.25)
        assert low == odds.low and np.allclose(further, positions - low, rtol=1e-12)
        assert all(a < b for a, b in pairwise(exact))
    assert Odds(0, 30, 1, 2).middle() == 20 and Odds(0, 30, 1, 2).exact(20) == 1
    assert Odds(0, None, 1, 7).middle() == 7
    with pytest.raises(AssertionError):
        Odds(0, 31, 1, 2).middle()


def test_the_plain_coordinate_counts_from_its_origin() -> None:
    even = Even(-5, 5)
    assert even.at(np.array([-5, 0, 7])).tolist() == [-5, 0, 7] and even.beyond(3, 3, 0.5) == (3, 0.5)
    assert even.exact(7) - even.exact(-5) == 12 and even.between(np.array([-5]), np.array([7])) == 12


def test_distances_err_by_no_more_than_is_granted() -> None:
    """Those of odds by a constant, which is more than what is seen; those of whole numbers in parts of themselves."""
    dice = np.random.default_rng(1)
    coordinates: list[Odds | Even] = [
        Odds(0, 3 * 10**12, 1, 2),
        Odds(-(10**20), 10**20),
        Odds(0, None, 1, 7),
        Even(-(2**60), 2**60),
    ]
    for coordinate in coordinates:
        first, second = np.sort(dice.integers(0, 3 * 10**12, (500, 2))).T
        if isinstance(coordinate, Even):
            second = 2**59 + first + second % 1000
            first = first + 2**59
        floats = coordinate.between(first, second).tolist()
        true = [
            coordinate.exact(q) - coordinate.exact(p)
            for p, q in zip(first.tolist(), second.tolist(), strict=True)
        ]
        errors = [abs(Fraction(z) - exact) for z, exact in zip(floats, true, strict=True)]
        if isinstance(coordinate, Even):
            assert max(errors) == 0
        else:
            assert 0 < max(errors) <= coordinate.error / 2


def test_positions_near_the_middle_of_long_coordinates_are_exact() -> None:
    """Positions that fit into 64 bits, of a coordinate whose ends do not."""
    near = np.array([-3, 0, 5])
    assert Even(-(2**70), 2**70).between(-(2**70), near).tolist() == [2.0**70] * 3
    assert Odds(-(2**70), 2**70).at(near).tolist() == [1.0] * 3


def test_boundaries_are_exact_where_64_bits_are_too_few() -> None:
    for unit in (2, 2**40):
        k = np.array([-(2**30), 0, 2**30], np.int64)
        assert boundaries(k, unit).tolist() == [unit * int(each) + unit // 2 for each in k]


def test_distances_on_a_long_lattice_are_differences_of_whole_numbers():
    """Rounded each, positions this far out would be no distance apart."""
    long = Even(0, 2**62)
    p = np.array([2**61, 2**61 + 1])
    assert long.between(p, p + 1).tolist() == [1.0, 1.0] == long.between(p.astype(object), p + 1).tolist()
