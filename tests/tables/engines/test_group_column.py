"""One group behind an engine is a column: what it says is what it says in memory, however the others are guessed."""

import duckdb
import narwhals.stable.v2 as nw
import numpy as np
import polars as pl
import pytest

from noisewise.kernel.numbers.lattice import Lattice
from noisewise.tables.engines import group_column
from noisewise.tables.engines import groups as engine_groups
from noisewise.tables.engines.dialect import Dialect
from noisewise.tables.engines.engine_table import EngineTable
from noisewise.tables.engines.polars import PolarsDialect
from noisewise.tables.groups.keys import Keys
from noisewise.tables.local import LocalTable
from tests.tables.every_engine import table

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


@pytest.mark.parametrize(
    ("engine", "bins", "room", "most"),
    [("polars", 20, 9, 9), ("polars", 6, 0, 1 << 22), ("polars", 6, 40, 0), ("duckdb", 6, 1 << 18, 1 << 22)],
)
def test_a_group_says_what_it_says_in_memory(engine, bins, room, most, monkeypatch):
    monkeypatch.setattr(PolarsDialect, "local", room == 0)  # else as Spark is
    monkeypatch.setattr(engine_groups, "MOST_BINS", bins)
    monkeypatch.setattr(group_column, "ROOM", room)
    monkeypatch.setattr(group_column, "MOST", most)
    rng = np.random.default_rng(room)
    local, lazy = both(engine, frame())
    for group in range(len(KEYS)):
        known, found = local.group(group), lazy.streamed(group)
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


@pytest.mark.parametrize("exact", [True, False])
def test_groups_that_are_asked_alike_share_their_queries(exact, queries, monkeypatch):
    monkeypatch.setattr(engine_groups, "MOST_BINS", 20 if exact else 8)
    _, lazy = both("polars", frame())
    for window in (lambda n: (1, 4), lambda n: (n - 2, n + 1), lambda n: (n // 2 - 1, n // 2 + 2)):
        queries.clear()
        for group in range(len(KEYS)):
            column = lazy.streamed(group)
            if column.count > 4:
                assert column.ranks(*window(column.count)).size == 3
        assert (
            len(queries) <= (0 if exact else 1) + 1
        )  # where the first window is, everything is counted first
    queries.clear()
    assert {lazy.streamed(group).sums().count for group in range(len(KEYS))} == set(lazy.counts.tolist())
    assert len(queries) == 1


def test_a_table_that_changes_between_passes_is_no_error(monkeypatch):
    """An error would depend on records."""
    monkeypatch.setattr(engine_groups, "MOST_BINS", 0)
    connection = duckdb.connect()
    connection.execute("create table t as select range::double as x, range % 3 as key from range(300)")
    lazy = EngineTable(nw.from_native(connection.table("t")).lazy())
    groups = lazy.grouped("x", KEYS, None).read(LATTICE, "add_remove")
    assert groups.counts.tolist() == [0, 100, 0, 100, 100]
    connection.execute("delete from t where x > 50")
    for group in (1, 3, 4):
        column = groups.streamed(group)
        assert column.ranks(40, 60).size == 20 and column.ordered().size == column.count == 100


def test_what_was_read_is_withheld():
    _, lazy = both("polars", frame())
    assert repr(lazy.streamed(0)) == "<EngineGroup: withheld>"
    assert repr(lazy._reads) == "<GroupReads: withheld>"
