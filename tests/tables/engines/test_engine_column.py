"""A column behind an engine answers like the same column in memory."""

import numpy as np
import polars as pl
import pytest

from noisewise.kernel.numbers.lattice import Lattice
from noisewise.statistics.records import Sums
from noisewise.tables.columns.array_column import ArrayColumn
from noisewise.tables.engines import selection as selection_by_bins
from tests.tables.every_engine import ENGINES, LOCAL, EveryPass, table

LATTICES = [Lattice.between((-100, 100)), Lattice.between((0.1, 77.7), 0.1), Lattice.between((-1e9, 1e9))]
RNG = np.random.default_rng(3)
STRANGE = [np.nan, np.inf, -np.inf, -0.0, 5e-324, 1e300]
SAMPLES = {
    "mixed": np.concatenate([RNG.normal(0, 50, 300), STRANGE * 3, np.full(50, 7.3)]),
    "ties": np.full(40, 12.25),
    "missing": np.full(5, np.nan),
    "one": np.array([3.5]),
    "empty": np.array([]),
}


def both(engine, values, lattice, neighbors):
    """The column in memory and the column behind an engine."""
    declared = table(engine, pl.DataFrame({"x": values})).column("x", None, "median")
    return ArrayColumn(values, None, lattice, neighbors), declared.read(lattice, neighbors)


def same_tallies(column, ordered):
    """How many records each index has that a window meets, and how many are up to an index."""
    low, count = column.lattice.low, ordered.size
    for index in (low - 1, low, -3, column.lattice.high - 1, column.lattice.high):
        assert column.upto(index) == np.count_nonzero(ordered <= index)
    for start, stop in {(1, min(4, count + 1)), (count // 2, count // 2 + 3), (count, count + 1)}:
        if 1 <= start < stop <= count + 1:
            indices, tally = np.unique(ordered[start - 1 : stop - 1]), column.tally(start, stop)
            assert tally.indices.tolist() == indices.tolist()
            assert tally.counts.tolist() == [np.count_nonzero(ordered == index) for index in indices]
            assert tally.before == np.count_nonzero(ordered < indices[0])


@pytest.mark.parametrize("neighbors", ["add_remove", "swap"])
@pytest.mark.parametrize("lattice", LATTICES, ids=str)
@pytest.mark.parametrize("sample", SAMPLES)
@pytest.mark.parametrize("engine", LOCAL)
@pytest.mark.parametrize("fine", [False, True])
def test_counts_ranks_and_ends_are_those_in_memory(fine, engine, sample, lattice, neighbors, monkeypatch):
    if fine:
        monkeypatch.setattr(selection_by_bins, "HISTOGRAM", 0)
    monkeypatch.setattr(selection_by_bins, "FIRST_BITS", 5)
    monkeypatch.setattr(selection_by_bins, "BITS", 3)
    monkeypatch.setattr(selection_by_bins, "SPARE", 5)
    local, column = both(engine, SAMPLES[sample], lattice, neighbors)
    assert column.count == local.count
    count = local.count
    for start, stop in {(1, count + 1), (count // 2, count // 2 + 9), (count, count + 1), (1, 1)}:
        if 1 <= start <= stop <= count + 1:
            assert column.ranks(start, stop).tolist() == local.ranks(start, stop).tolist()
    for records in {0, 1, min(7, count), count}:
        if records <= count:
            found = [end.tolist() for end in column.extremes(records)]
            assert found == [end.tolist() for end in local.extremes(records)]
    _, fresh = both(engine, SAMPLES[sample], lattice, neighbors)
    same_tallies(fresh, local.ordered())
    assert column.ordered().tolist() == local.ordered().tolist()


@pytest.mark.parametrize("neighbors", ["add_remove", "swap"])
@pytest.mark.parametrize("lattice", LATTICES, ids=str)
@pytest.mark.parametrize("sample", SAMPLES)
@pytest.mark.parametrize("engine", LOCAL)
def test_sums_are_those_in_memory(engine, sample, lattice, neighbors):
    local, column = both(engine, SAMPLES[sample], lattice, neighbors)
    assert column.sums() == local.sums()
    assert column.sums(squares=True) == local.sums(squares=True)
    for index in (lattice.low - 1, lattice.low, 0, lattice.high - 1, lattice.high, lattice.high + 5):
        assert column.below(index, squares=True) == local.below(index, squares=True)
    assert column.below(lattice.low - 1) == Sums(0, 0, 0)


@pytest.mark.parametrize("engine", ENGINES)
def test_every_engine_finds_what_memory_finds(engine):
    lattice = LATTICES[1]
    for neighbors in ("add_remove", "swap"):
        local, column = both(engine, SAMPLES["mixed"], lattice, neighbors)
        assert column.count == local.count
        assert column.ranks(100, 140).tolist() == local.ranks(100, 140).tolist()
        assert [end.tolist() for end in column.extremes(3)] == [end.tolist() for end in local.extremes(3)]
        assert column.below(300, squares=True) == local.below(300, squares=True)
        same_tallies(column, local.ordered())
        local, column = both(engine, SAMPLES["empty"], lattice, neighbors)
        assert (column.count, column.sums(squares=True)) == (0, Sums(0, 0, 0))


def test_counting_and_the_first_bins_are_one_pass():
    passes = []
    values = RNG.uniform(0, 1, 1000)
    lazy = table(
        "polars", pl.DataFrame({"x": values}), progress=EveryPass(lambda doing, done: passes.append(done))
    )
    column = lazy.column("x", None, "median").read(Lattice.between((0.0, 1.0)), "add_remove")
    assert column.count == 1000
    column.ranks(500, 505)
    column.ranks(501, 504)
    column.ranks(100, 105)
    assert passes == [None, 1.0] * 3  # once in bins, then one window each that is not known yet


def test_a_column_is_withheld():
    _, column = both("polars", SAMPLES["one"], LATTICES[0], "add_remove")
    assert repr(column) == "<EngineColumn: withheld>"
