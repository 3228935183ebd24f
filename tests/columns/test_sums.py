"""Sums of a block, and of runs up to a record, are those of Python's integers, however large the indices."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from noisewise.columns.column import Sums
from noisewise.columns.sums import LARGEST_BLOCK, block_squares, block_sum, stops_below, sums_below


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


# Runs

RUNS = st.lists(
    st.lists(st.sampled_from([0, 1, 2, 5, 2**18, 2**36 - 1, 2**52]), max_size=6), min_size=1, max_size=6
)


def flat(runs: list[list[int]], low: int = 0) -> tuple[np.ndarray, np.ndarray]:
    records = [low + x for run in runs for x in sorted(run)]
    return np.array(records, np.int64), np.cumsum([0, *map(len, runs)])


@given(RUNS, st.data(), st.booleans())
def test_each_run_adds_up_to_its_limit(runs: list[list[int]], data: st.DataObject, squares: bool) -> None:
    low = data.draw(st.sampled_from([0, -7, 2**50]))
    limits = data.draw(
        st.lists(st.sampled_from([-9, 0, 1, 2**36, 2**53]), min_size=len(runs), max_size=len(runs))
    )
    found = sums_below(*flat(runs, low), np.array(limits) + low, low, squares=squares)
    taken = [[x for x in run if x <= limit] for run, limit in zip(runs, limits, strict=True)]
    square = [sum(x * x for x in run) if squares else 0 for run in taken]
    assert found == [Sums(len(run), sum(run), each) for run, each in zip(taken, square, strict=True)]


def test_a_long_run_of_the_largest_record_adds_up() -> None:
    size = 100_000
    indices = np.full(2 * size, 2**52)
    (first, second) = sums_below(
        indices, np.array([0, size, 2 * size]), np.array([2**52] * 2), 0, squares=True
    )
    assert first == second == Sums(size, size * 2**52, size * 2**104)


@pytest.mark.parametrize("size", [0, 1, 2, 3, 64, 65])
def test_places_are_those_of_a_bisection_of_each_run(size: int) -> None:
    rng = np.random.default_rng(size)
    runs = [sorted(rng.integers(0, 9, n).tolist()) for n in (size, 0, 5, size)]
    indices, offsets = flat(runs)
    limits = rng.integers(-1, 10, 4)
    known = [np.searchsorted(run, limit, side="right") for run, limit in zip(runs, limits, strict=True)]
    assert (stops_below(indices, offsets, limits) - offsets[:-1]).tolist() == known
