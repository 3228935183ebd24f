"""One group behind an engine is a column: it says what it says in memory, by whichever queries."""

import duckdb
import narwhals.stable.v2 as nw
import numpy as np
import polars as pl
import pytest

from noisewise.kernel.numbers.lattice import Lattice
from noisewise.tables.engines import selection
from noisewise.tables.engines.dialect import Dialect
from noisewise.tables.engines.duckdb import DuckDBDialect
from noisewise.tables.engines.engine_table import EngineTable
from noisewise.tables.engines.polars import PolarsDialect
from noisewise.tables.groups.keys import Keys
from noisewise.tables.local import LocalTable
from tests.tables.every_engine import LOCAL, table

LATTICE = Lattice.between((-10, 1000))
KEYS = Keys.of(("key",), [9, 0, 3, 1, 2])


def frame(rows=400):
    """Groups of very different sizes, one of them empty, in which many records are equal."""
    rng = np.random.default_rng(1)
    return pl.DataFrame(
        {"x": rng.integers(-4, 220, rows) * 5, "key": (rng.random(rows) ** 3 * 4).astype(np.int64)}
    )


def both(engine, data):
    tables = LocalTable(nw.from_native(data)), table(engine, data)
    return [each.grouped("x", KEYS, None).read(LATTICE, "add_remove") for each in tables]


@pytest.fixture
def queries(monkeypatch):
    seen, plain = [], Dialect._query
    monkeypatch.setattr(Dialect, "_query", lambda self, *given: seen.append(1) or plain(self, *given))
    return seen


WAYS = {
    "histogram": (selection.HISTOGRAM, True),
    "histogram beyond the public size": (0, True),
    "queries for each group": (0, False),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("engine", LOCAL)
def test_a_group_says_what_it_says_in_memory(engine, way, monkeypatch):
    size, local = WAYS[way]
    monkeypatch.setattr(type(table(engine, frame()).dialect), "local", local)
    monkeypatch.setattr(selection, "HISTOGRAM", size)
    monkeypatch.setattr(selection, "MOST_BITS", 8)
    monkeypatch.setattr(selection, "SPARE", 2)
    rng = np.random.default_rng(len(way))
    local, lazy = both(engine, frame())
    for group in range(len(KEYS)):
        known, found = local.group(group), lazy.group(group)
        assert found.count == known.count and found.lattice == LATTICE and found.neighbors == "add_remove"
        for _ in range(4):
            start, stop = np.sort(rng.integers(1, known.count + 2, 2)).tolist()
            assert found.ranks(start, stop).tolist() == known.ranks(start, stop).tolist()
            if start < stop:
                found.gather([(start, stop), (1, 2), (start, start)])
                indices, tally = np.unique(known.ranks(start, stop)), found.tally(start, stop)
                assert tally.indices.tolist() == indices.tolist()
                assert tally.counts.tolist() == [np.count_nonzero(known.indices == k) for k in indices]
                assert tally.before == np.count_nonzero(known.indices < indices[0])
        for stop in range(6, min(known.count, 8) + 1):  # one rank more each time
            assert found.ranks(5, stop).tolist() == known.ranks(5, stop).tolist()
        for records in (0, min(3, known.count), known.count):
            assert [end.tolist() for end in found.extremes(records)] == [
                end.tolist() for end in known.extremes(records)
            ]
        for squares in (False, True):
            assert found.sums(squares=squares) == known.sums(squares=squares)
            for index in (
                -11,
                -10,
                100,
                400,
                700,
                1000,
                1001,
                *known.ranks(1, known.count + 1)[::9].tolist(),
            ):
                assert found.below(index, squares=squares) == known.below(index, squares=squares)
        for index in (-11, -10, 3, 400, 405, 999, 1000):
            assert found.upto(index) == np.count_nonzero(known.indices <= index)
        assert found.ordered().tolist() == known.ordered().tolist()


@pytest.mark.parametrize("way", WAYS)
def test_public_facts_alone_say_how_many_queries_there_are(way, queries, monkeypatch):
    size, local = WAYS[way]
    monkeypatch.setattr(PolarsDialect, "local", local)
    monkeypatch.setattr(selection, "HISTOGRAM", size)
    monkeypatch.setattr(selection, "MOST_BITS", 8)
    for data in (frame(), frame(0), frame().with_columns(x=pl.lit(3.0))):
        _, lazy = both("polars", data)
        queries.clear()
        for group in range(len(KEYS)):
            column = lazy.group(group)
            column.ranks(1, column.count + 1)
            column.upto(3)
        assert len(queries) == 1 or not local
        queries.clear()
        assert {lazy.group(group).sums().count for group in range(len(KEYS))} == set(lazy.counts.tolist())
        assert local or size or "points" not in vars(lazy)  # not even for the cluster's driver to hold
        assert len(queries) <= 2  # the sums of all groups, and counts in bins where they are not known yet


def test_the_histogram_of_so_many_points_is_one_query(monkeypatch):
    monkeypatch.setattr(selection, "MOST_BITS", 8)
    points = LATTICE.high - LATTICE.low + 1
    for size, known in ((5 * points, True), (5 * points - 1, False)):
        monkeypatch.setattr(selection, "HISTOGRAM", size)
        _, lazy = both("polars", frame())
        assert lazy.is_counted_by_point is known
        assert (lazy.bins.shift == 0) is known


def test_a_table_that_changes_between_passes_is_no_error(monkeypatch):
    """An error would depend on records."""
    monkeypatch.setattr(selection, "HISTOGRAM", 0)
    monkeypatch.setattr(DuckDBDialect, "local", False)
    connection = duckdb.connect()
    connection.execute("create table t as select range::double as x, range % 3 as key from range(300)")
    lazy = EngineTable(nw.from_native(connection.table("t")).lazy())
    groups = lazy.grouped("x", KEYS, None).read(LATTICE, "add_remove")
    assert groups.counts.tolist() == [0, 100, 0, 100, 100]
    connection.execute("delete from t where x > 50")
    for group in (1, 3, 4):
        column = groups.group(group)
        assert column.ranks(40, 60).size == 20 and column.ordered().size == column.count == 100


def test_what_was_read_is_withheld():
    _, lazy = both("polars", frame())
    assert repr(lazy.group(0)) == "<EngineGroup: withheld>"
    assert repr(lazy.points) == "<GroupBins: withheld>"
