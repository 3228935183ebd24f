"""Sums of a block are those of Python's integers, however large the indices."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from noisewise.columns.sums import LARGEST_BLOCK, block_squares, block_sum


@given(st.integers(0, 2**52).flatmap(lambda most: st.tuples(st.just(most), st.lists(st.integers(0, most)))))
def test_a_block_adds_up(case):
    most, integers = case
    block = np.array(integers, np.float64)
    assert block_sum(block, most) == sum(integers)
    assert block_squares(block, most) == sum(k * k for k in integers)


@pytest.mark.parametrize("most", [1, 2**18 - 1, 2**18, 2**33, 2**36, 2**52])
def test_a_full_block_of_the_largest_index_adds_up(most):
    block = np.full(LARGEST_BLOCK, float(most))
    assert block_sum(block, most) == LARGEST_BLOCK * most
    assert block_squares(block, most) == LARGEST_BLOCK * most**2
    odd = np.full(LARGEST_BLOCK, float(most - 1))
    assert block_sum(odd, most) == LARGEST_BLOCK * (most - 1)
    assert block_squares(odd, most) == LARGEST_BLOCK * (most - 1) ** 2


@pytest.mark.parametrize("most", [4, 2**52])
def test_a_nan_is_told(most):
    assert block_sum(np.array([1.0, np.nan, 2.0]), most) is None
    assert block_sum(np.array([]), most) == 0
