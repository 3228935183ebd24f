"""Groups behind an engine: every key finds its rows, as in memory, and only windows come back."""

from datetime import UTC, date, datetime, timedelta
from fractions import Fraction

import duckdb
import narwhals.stable.v2 as nw
import numpy as np
import polars as pl
import pytest

from noisewise.kernel.numbers.lattice import Lattice
from noisewise.tables.engines import selection
from noisewise.tables.engines.engine_table import EngineTable
from noisewise.tables.groups.keys import Keys
from noisewise.tables.local import LocalTable
from tests.tables.every_engine import ENGINES, LOCAL, EveryPass, lazily, table

LATTICE = Lattice.between((0, 30))
DAY = date(2024, 2, 29)
NOON = datetime(2024, 2, 29, 12, 0, 0, 5)
DAY_UTC = datetime(2024, 2, 29, tzinfo=UTC)
KINDS = {
    "text": (["a", "b|", "", None, "ü"] * 6, ["ü", "zz", "\ud800", "a", ""]),
    "category": (pl.Series(["a", "b", None] * 10, dtype=pl.Categorical), ["b", "a"]),
    "whole": (pl.Series([1, -2, 127, None, 0, 1] * 5, dtype=pl.Int8), [127, 300, 1, -2]),
    "large": (pl.Series([2**53 + 1, 2**53, None] * 10, dtype=pl.Int64), [2**53, 2**53 + 1]),
    "number": ([0.1, -0.0, float("nan"), None, 1e300, 2.0] * 5, [1e300, 0, 2, 0.1, 0.3]),
    "boolean": ([True, False, None] * 10, [False, True]),
    "date": ([DAY, DAY + timedelta(1), None] * 10, [DAY + timedelta(1), DAY, DAY + timedelta(9)]),
    "time": (
        [NOON, NOON + timedelta(microseconds=1), None] * 10,
        [NOON + timedelta(microseconds=1), NOON, DAY],
    ),
}


def frame(column):
    return pl.DataFrame({"x": [float(i) for i in range(29)] + [None], "key": column}, strict=False)


def told(table, keys, name="x", brief=False):
    """All that groups can be asked, of all their records and of those from the second to the third.

    In brief only what shows which rows each key has found, where another test asks a slow engine for the rest.
    """
    groups = table.grouped(name, keys, None).read(LATTICE, "add_remove")
    counts = groups.counts
    if brief:
        return len(groups), counts.tolist(), groups.ranks(np.ones_like(counts), counts + 1).tolist()
    starts, stops = np.minimum(2, counts + 1), np.minimum(4, counts + 1)
    windows = [groups.ranks(np.ones_like(counts), counts + 1), groups.ranks(starts, stops)]
    ends = LATTICE.high - np.arange(len(groups)), np.full(len(groups), LATTICE.low - 1)
    below = [groups.below(end, squares=squares) for end in ends for squares in (False, True)]
    return len(groups), counts.tolist(), [window.tolist() for window in windows], groups.sums(), below


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("engine", ENGINES)
def test_keys_of_every_kind_find_their_rows(engine, kind):
    column, keys = KINDS[kind]
    if (engine, kind) == ("spark", "time"):
        pytest.skip("Spark reads times from elsewhere as times with a zone; they are tested below")
    data, brief = frame(column), engine not in LOCAL and kind != "text"
    found = told(table(engine, data), Keys.of(("key",), keys), brief=brief)
    local = LocalTable(nw.from_native(data.cast({pl.Categorical: pl.String})))
    assert found == told(local, Keys.of(("key",), keys), brief=brief)
    assert sum(found[1]) > 0


@pytest.mark.parametrize("engine", LOCAL)
def test_keys_that_are_no_unicode_have_no_rows(engine):
    """No query can hold them, and nothing fails after the debit."""
    data = frame(["a", None, ""] * 10)
    assert told(table(engine, data), Keys.of(("key",), ["\ud800", "a\udfff"]))[1] == [0, 0]


@pytest.mark.parametrize("engine", LOCAL)
def test_keys_beyond_a_signed_integer_find_their_rows(engine):
    data = frame(pl.Series([2**64 - 1, 2**63, 5] * 10, dtype=pl.UInt64))
    _, counts, _, sums, _ = told(table(engine, data), Keys.of(("key",), [2**64 - 1, 2**63, -5]))
    assert counts == [10, 10, 0]
    assert sums == [sum(range(0, 30, 3)), sum(range(1, 30, 3)), 0]


@pytest.mark.parametrize("engine", LOCAL)
def test_times_with_a_zone_find_their_rows(engine):
    moments = pl.Series([NOON.replace(tzinfo=UTC), None] * 15).dt.convert_time_zone("Europe/Berlin")
    _, counts, *_ = told(table(engine, frame(moments)), Keys.of(("key",), [NOON.replace(tzinfo=UTC)]))
    assert counts == [15]


@pytest.mark.parametrize("engine", [ENGINES[-1]])
def test_times_of_spark_find_their_rows_with_and_without_a_zone(engine):
    lazy = lazily(engine, frame([NOON, NOON + timedelta(microseconds=1), None] * 10))
    keys = Keys.of(("key",), [NOON.replace(tzinfo=UTC), DAY_UTC])
    assert told(EngineTable(lazy), keys, brief=True) == (2, [10, 0], list(range(0, 30, 3)))
    plain = lazy.to_native().selectExpr("x", "CAST(key AS TIMESTAMP_NTZ) AS key")
    found = told(EngineTable(nw.from_native(plain)), Keys.of(("key",), [NOON, DAY]), brief=True)
    assert found == (2, [10, 0], list(range(0, 30, 3)))


@pytest.mark.parametrize("engine", ENGINES)
def test_several_columns_make_one_key_and_rows_can_be_counted(engine):
    data = pl.DataFrame({"a": ["x", "y", "x", None] * 6, "b": [1, 2, 2, 1] * 6, "x": [0.5, None] * 12})
    keys = Keys.of(("b", "a"), [(2, "x"), (1, "x"), (9, "x"), (2, "y")])
    for name, brief in (("x", engine not in LOCAL), (None, False)):
        found = told(table(engine, data), keys, name, brief)
        assert found == told(LocalTable(nw.from_native(data)), keys, name, brief)


@pytest.mark.parametrize("bins", [0, 4, 8, 20])
@pytest.mark.parametrize("engine", LOCAL)
def test_every_window_is_found_however_many_bins_there_are(engine, bins, monkeypatch):
    monkeypatch.setattr(selection, "HISTOGRAM", 0 if bins < 20 else 1 << bins)
    monkeypatch.setattr(selection, "MOST_BITS", bins)
    rng = np.random.default_rng(bins)
    data = pl.DataFrame({"x": rng.integers(0, 31, 300), "key": rng.integers(0, 5, 300)})
    keys = Keys.of(("key",), [9, 0, 3, 1])
    local, lazy = (
        each.grouped("x", keys, None).read(LATTICE, "add_remove")
        for each in (LocalTable(nw.from_native(data)), table(engine, data))
    )
    assert lazy.counts.tolist() == local.counts.tolist()
    for _ in range(4):
        starts, stops = np.sort(rng.integers(1, local.counts + 2, (2, 4)), axis=0)
        assert lazy.ranks(starts, stops).tolist() == local.ranks(starts, stops).tolist()
    assert repr(lazy.bins) == "<GroupBins: withheld>"


@pytest.mark.parametrize("engine", ENGINES)
def test_one_group_by_itself_is_a_column(engine):
    groups = table(engine, frame(KINDS["text"][0])).grouped("x", Keys.of(("key",), ["a", "zz"]), None)
    found = groups.read(LATTICE, "add_remove")
    one, none = found.group(0), found.group(1)
    assert one.ranks(1, one.count + 1).tolist() == [0, 5, 10, 15, 20, 25]
    assert (one.sums().total, one.below(10).count, none.count) == (75, 3, 0)


def test_sums_up_to_the_last_record_of_a_wide_lattice_are_exact():
    wide = Lattice(-(2**51), 2**51, Fraction(1))
    data = pl.DataFrame({"x": [2.0**51, 2.0**51, -(2.0**51), 1.0], "key": ["a", "a", "a", "b"]})
    for engine in LOCAL:
        found = table(engine, data).grouped("x", Keys.of(("key",), ["a", "b"]), None).read(wide, "add_remove")
        all_of_a, all_of_b = found.below(np.full(2, wide.high), squares=True)
        assert (all_of_a.count, all_of_a.total, all_of_a.squares) == (3, 2**53, 2**105)
        assert all_of_b.squares == (2**51 + 1) ** 2
        assert [each.count for each in found.below(np.array([0, 0]))] == [1, 0]


@pytest.mark.parametrize(
    "change", ["delete from t where x > 3", "insert into t select x, key from t", "delete from t"]
)
def test_a_table_that_changes_between_passes_is_no_error(change, monkeypatch):
    """An error would depend on records: each window has as many as it has ranks, whatever they are then."""
    monkeypatch.setattr(selection, "HISTOGRAM", 0)
    monkeypatch.setattr(selection, "MOST_BITS", 4)
    connection = duckdb.connect()
    connection.execute("create table t as select range::double as x, range % 3 as key from range(30)")
    lazy = EngineTable(nw.from_native(connection.table("t")).lazy())
    groups = lazy.grouped("x", Keys.of(("key",), [0, 1, 7, 2]), None).read(LATTICE, "add_remove")
    counts = groups.counts
    assert counts.tolist() == [10, 10, 0, 10]
    connection.execute(change)
    starts, stops = np.minimum([3, 1, 1, 9], counts + 1), counts + 1
    records = groups.ranks(starts, stops)
    assert records.size == (stops - starts).sum()
    for window in np.split(records, np.cumsum(stops - starts)[:-1]):
        assert np.all(np.diff(window) >= 0)


def test_no_window_is_no_query():
    passes = []
    lazy = table(
        "polars", frame(KINDS["text"][0]), progress=EveryPass(lambda doing, done: passes.append(done))
    )
    groups = lazy.grouped("x", Keys.of(("key",), ["a", "zz"]), None).read(LATTICE, "add_remove")
    assert groups.ranks(np.array([1, 1]), np.array([1, 1])).tolist() == []
    assert passes == []


def test_groups_are_withheld():
    declared = table("polars", frame(KINDS["text"][0])).grouped("x", Keys.of(("key",), ["a"]), None)
    assert repr(declared) == "<QueriedGroups: withheld>"
    assert repr(declared.read(LATTICE, "add_remove")) == "<EngineGroups: withheld>"
