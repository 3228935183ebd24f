"""Sums of a block, and of runs up to a record, are those of Python's integers, however large the indices."""

import math
import threading
from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from noisewise.kernel.numbers.lattice import Lattice
from noisewise.statistics.records import Sums
from noisewise.tables.columns import ArrayColumn, selection
from noisewise.tables.columns.parallel import from_both_ends
from noisewise.tables.columns.sums import (
    LARGEST_BLOCK,
    WholeNumbers,
    block_squares,
    block_sum,
    stops_below,
    sums_below,
)
from tests.each_value import each_value


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


# Whole numbers

LATTICES = [
    Lattice(-3, 7, Fraction(1)),
    Lattice(-300, 70_000, Fraction(1)),
    Lattice(-(2**40), 2**40, Fraction(1, 2**33)),
    Lattice(-30, 70, Fraction(1, 10)),
    Lattice(-31, 70, Fraction(1, 10)),
    Lattice(1000, 2000, Fraction(1)),
    Lattice(-(2**51), 2**51, Fraction(1)),
    Lattice(-5, 5, Fraction(3)),
]


@each_value(kind=["i1", "u1", "i2", "i4", "u4", "i8", "u8", ">i8", "f8", "f4"])
@each_value(neighbors=["add_remove", "swap"])
@pytest.mark.parametrize("lattice", LATTICES, ids=str)
def test_numbers_of_any_type_add_up_to_their_indices(lattice: Lattice, neighbors: Any, kind: str) -> None:
    """The one map of the lattice, one record after the other, is the reference; ends of the type are among them."""
    ends = np.iinfo(kind) if kind[-2] in "iu" else np.finfo(kind)
    near = [lattice.low * lattice.granularity, lattice.high * lattice.granularity, 0, 3, 57, 2**53 + 1]
    whole = [int(each) + shift for each in near for shift in (-1, 0, 1)] + [int(ends.min), int(ends.max)]
    values = np.array([each for each in whole if int(ends.min) <= each <= int(ends.max)], kind)
    if kind[-2] == "f":
        values = np.append(values, np.array([np.nan, np.inf, -np.inf, -0.0, 0.55], kind))
    for mask in (None, np.arange(values.size) % 3 == 0):
        column = ArrayColumn(values, mask, lattice, neighbors)
        present = values if mask is None else values[~mask]
        indices = [int(k) - lattice.low for k in lattice.nearest(present.astype(np.float64)) if k == k]
        count = values.size if neighbors == "swap" else len(indices)
        assert column.sums() == Sums(count, sum(indices), 0)


@pytest.mark.parametrize("granularity", [Fraction(1), Fraction(1, 2**11), Fraction(1, 10)])
def test_ties_add_up_as_python_rounds_them(granularity: Fraction) -> None:
    """Numbers halfway between two indices, and next to that, by the documented map in Fractions."""
    lattice = Lattice(-40, 60, granularity)
    halves = [float((k + Fraction(1, 2)) * granularity) for k in range(-45, 65)]
    values = [math.nextafter(x, x + side) for x in halves for side in (-1, 0, 1)]
    rate, low, high = (float(each) for each in (1 / granularity, -40 * granularity, 60 * granularity))
    indices = [math.floor(Fraction(min(max(x, low), high) * rate + 0.5)) for x in values]
    for repeated in (1, 3):
        column = ArrayColumn(np.array(values * repeated), None, lattice, "add_remove")
        assert column.sums() == Sums(
            len(values) * repeated, repeated * sum(min(max(k, -40), 60) + 40 for k in indices), 0
        )


@pytest.mark.parametrize("kind", ["f8", "i4"])
@pytest.mark.parametrize("masked", [False, True])
def test_two_threads_add_up_to_the_same(monkeypatch: pytest.MonkeyPatch, kind: str, masked: bool) -> None:
    values = np.random.default_rng(5).integers(-900, 900, 3000).astype(kind)
    if kind == "f8":
        values[::7] = np.nan
    mask = np.arange(3000) % 5 == 0 if masked else None
    column = [ArrayColumn(values, mask, LATTICES[1], "swap") for _ in range(4)]
    alone = column[0].sums(), column[1].sums(squares=True)
    threads = []
    monkeypatch.setattr(selection, "BLOCK", 256)
    monkeypatch.setattr(selection, "THREADED", 1000)
    monkeypatch.setattr(selection, "_cores", lambda: 2)

    def slowly(work: Any, parts: Any) -> Any:
        """Each thread has two blocks at least; the second begins with the last one, which is short."""
        meeting, taken = threading.Barrier(2, timeout=60), Counter[int]()

        def met(part: Any) -> Any:
            taken[threading.get_ident()] += 1
            if taken[threading.get_ident()] <= 2:
                meeting.wait()
            return work(part)

        threads.append(work)
        return from_both_ends(met, parts)

    monkeypatch.setattr(selection, "from_both_ends", slowly)
    assert (column[2].sums(), column[3].sums(squares=True)) == alone
    assert len(threads) >= 2


def test_which_integers_are_added_as_they_are() -> None:
    taken = [WholeNumbers.of(np.dtype(np.int16), lattice) is not None for lattice in LATTICES]
    assert taken == [True, True, True, True, False, True, False, False]
    assert WholeNumbers.of(np.dtype(np.uint8), LATTICES[5]) is None
    assert WholeNumbers.of(np.dtype(np.float64), LATTICES[0]) is None
