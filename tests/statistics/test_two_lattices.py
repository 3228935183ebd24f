"""Bounds of two columns: one pair or two, and whose they are where they are wrong."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from noisewise import ParameterError, ParameterTypeError
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.statistics.two_lattices import TwoLattices, not_negative


@pytest.mark.parametrize("bounds", [(0, 4), [0, 4], np.array([0, 4])])
def test_one_pair_is_for_both(bounds: Any) -> None:
    lattices = TwoLattices.of(bounds)
    assert (lattices.low, lattices.high) == (lattices.y.low, lattices.y.high)


@pytest.mark.parametrize("bounds", [((0, 4), (1, 2)), [[0, 4], [1, 2]], np.array([[0, 4], [1, 2]])])
def test_two_pairs_are_one_for_each(bounds: Any) -> None:
    lattices = TwoLattices.of(bounds)
    assert lattices.high * lattices.granularity == 4
    assert lattices.y.low * lattices.y.granularity == 1


def test_an_error_says_whose_bounds_are_wrong() -> None:
    with pytest.raises(ParameterError, match=r"lowest < highest, got .* for weights"):
        TwoLattices.of(((0, 1), (2, 1)), ("data", "weights"))
    with pytest.raises(ParameterTypeError, match=r"two: \(\(data_low, data_high\), .*, got 3 of them"):
        TwoLattices.of(((0, 1), (0, 1), (0, 1)), ("data", "weights"))


def test_below_zero_is_refused_where_it_makes_no_sense() -> None:
    not_negative(Lattice(0, 3, Fraction(1)), "weights")
    with pytest.raises(ParameterError, match=r"the lower bound must be at least 0 for weights, got -1.5"):
        not_negative(Lattice(-3, 3, Fraction(1, 2)), "weights")
