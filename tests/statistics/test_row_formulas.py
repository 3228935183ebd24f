"""What a formula may do with arrays: the edges of each operation. Engines are compared with it in tests/tables."""

from fractions import Fraction

import numpy as np

from noisewise.kernel.numbers.lattice import Lattice
from noisewise.statistics.row_formulas import IN_MEMORY, index_of, steps_of


def test_numbers_are_split_into_mantissas_and_exponents():
    numbers = np.array([0.0, 5e-324, 2.0**-1022, 0.4999, 0.5, 1.0])
    mantissas, exponents = IN_MEMORY.split(numbers)
    assert np.all(np.ldexp(mantissas, exponents.astype(int)) == numbers)
    assert np.all((mantissas[1:] >= 0.5) & (mantissas[1:] < 1)) and mantissas[0] == 0


def test_halves_are_rounded_to_even():
    assert IN_MEMORY.rounded(np.array([-1.5, -0.5, 0.5, 1.5, 2.5])).tolist() == [-2, 0, 0, 2, 2]


def test_a_column_as_indices_and_as_steps():
    lattice = Lattice(-2, 6, Fraction(1, 2))
    numbers = np.array([-np.inf, -0.3, 0.24, 9.0])
    for whole, expected in ((index_of(0, lattice), [-2, -1, 0, 6]), (steps_of(0, lattice), [0, 1, 2, 8])):
        assert whole.formula(IN_MEMORY, numbers).tolist() == expected
        assert (whole.low, whole.high) == (expected[0], expected[-1])
