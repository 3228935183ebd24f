"""Ticks in DuckDB: the very numbers that a column is kept in, for every number that it could be kept in."""

import duckdb
import pyarrow as pa
import pytest

from noisewise.tables.engines.duckdb import divided, finite, floored, per_day, raw_ticks

LONG = [-(2**63), -(2**63) + 1, -(2**63) + 5, -(2**62), -86_400_001, -1001, -1, 0, 1, 999, 1000]
LONG += [9_300_000_000_000_000, 9_223_372_036_855, 2**62, 2**63 - 2, 2**63 - 1, None]
SHORT = [-(2**31), -(2**31) + 1, -1, 0, 1, 2**31 - 2, 2**31 - 1, None]
TYPES = {
    "DATE": (pa.date32(), SHORT),
    "TIMESTAMP_S": (pa.timestamp("s"), LONG),
    "TIMESTAMP_MS": (pa.timestamp("ms"), LONG),
    "TIMESTAMP": (pa.timestamp("us"), LONG),
    "TIMESTAMP_NS": (pa.timestamp("ns"), LONG),
    "TIMESTAMP WITH TIME ZONE": (pa.timestamp("us", "UTC"), LONG),
    "TIME": (pa.time64("us"), LONG),
}


def of(declared, *, stored=False):
    """A relation with a column of this type that holds every number, read from Arrow or kept by DuckDB itself."""
    kind, ticks = TYPES[declared]
    whole = pa.array(ticks, pa.int32() if declared == "DATE" else pa.int64())
    connection = duckdb.connect()
    relation = connection.from_arrow(pa.table({"t": whole.view(kind)}))
    assert [str(held) for held in relation.types] == [declared]
    if stored:
        relation.create("kept")
        relation = connection.table("kept")
    return relation


def column(relation, value):
    return [row[0] for row in relation.project(f"{value} AS found").fetchall()]


@pytest.mark.parametrize("declared", TYPES)
@pytest.mark.parametrize("stored", [False, True])
def test_every_number_is_read_as_it_is_kept(declared, stored):
    assert column(of(declared, stored=stored), raw_ticks(declared, '"t"')) == TYPES[declared][1]


@pytest.mark.parametrize("declared", TYPES)
def test_only_infinity_is_missing(declared):
    relation = of(declared).project(f"{raw_ticks(declared, 't')} AS t")
    endless = {"DATE": {2**31 - 1, -(2**31) + 1}, "TIME": set()}.get(declared, {2**63 - 1, -(2**63) + 1})
    assert column(relation, finite(declared, "t")) == [
        None if tick in endless else tick for tick in TYPES[declared][1]
    ]


@pytest.mark.parametrize("declared", [kind for kind in TYPES if kind != "TIME"])
def test_infinity_is_what_duckdb_calls_so(declared):
    relation = duckdb.sql(f"SELECT unnest(['infinity', '-infinity', '1970-01-01'])::{declared} AS t")
    relation = relation.project(f"{raw_ticks(declared, 't')} AS t")
    assert column(relation, finite(declared, "t")) == [None, None, 0]


@pytest.mark.parametrize("by", [1000, 86400, 86_400_000_000])
def test_division_cuts_downwards_or_says_that_something_remains(by):
    relation = duckdb.from_arrow(pa.table({"t": pa.array(LONG, pa.int64())}))
    assert column(relation, floored("t", by)) == [None if tick is None else tick // by for tick in LONG]
    whole = [None if tick is None or tick % by else tick // by for tick in LONG]
    assert column(relation, divided("t", by)) == whole


def test_a_day_has_so_many_ticks():
    assert [per_day(declared) for declared in TYPES] == [
        *(1, 86400, 86_400_000, 86_400_000_000, 86_400_000_000_000),
        *(86_400_000_000, 86_400_000_000),
    ]
    assert per_day("TIME_NS") == 86_400_000_000_000
