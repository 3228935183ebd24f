"""Columns that an engine hands out: people and groups apart from what is asked, and nobody taken for somebody else."""

import duckdb
import narwhals.stable.v2 as nw
import numpy as np
import polars as pl
import pytest

from noisewise.tables.columns.labels import Labels
from noisewise.tables.engines.engine_table import EngineTable
from noisewise.tables.groups.keys import Keys
from noisewise.tables.people import Choice
from tests.tables.every_engine import LOCAL, table

FRAME = pl.DataFrame({"column1": ["a", "b", "a", "z"], "person": [1, 2, None, 4], "x": [0.5, None, 2.5, 3.5]})


@pytest.mark.parametrize("engine", LOCAL)
def test_columns_keep_their_names_and_rows_of_other_groups_stay_behind(engine):
    keys = Keys.of(("column1",), ["b", "a"])
    behind, choice = table(engine, FRAME), Choice("person", 1, None, "s")
    found = behind.fetcher(("x", "column1"), choice, "it", numeric=("x",), keys=keys)()
    assert found.table.names[:2] == ("x", "column1") and found.choice.unit == found.table.names[2]
    rows = zip(
        *(found.table.frame.get_column(name).to_list() for name in ("x", "column1")),
        found.row_groups,
        strict=True,
    )
    assert sorted(rows, key=str) == sorted([(0.5, "a", 1), (None, "b", 0), (2.5, "a", 1)], key=str)
    people = found.table.people(found.choice)()
    assert sorted(people.names(code) for code in people.codes.tolist() if code >= 0) == ["1", "2"]


@pytest.mark.parametrize("engine", LOCAL)
def test_a_column_may_be_asked_about_name_people_and_make_groups_at_once(engine):
    large = [2**60, 2**60 + 1, 2**60 + 1]
    behind, choice = table(engine, pl.DataFrame({"x": large})), Choice("x", 1, None, "s")
    found = behind.fetcher(("x",), choice, "it", numeric=("x",), keys=Keys.of(("x",), large[:2]))()
    assert (
        found.table.frame.get_column("x").to_list() == [2.0**60] * 3
    )  # one number, but two persons and two groups
    people, places = found.table.people(found.choice)(), found.row_groups
    assert len(set(people.codes.tolist())) == 2 and sorted(places.tolist()) == [0, 1, 1]


@pytest.mark.parametrize(
    "declared",
    ["HUGEINT", "UHUGEINT", "UUID", "DECIMAL(38,3)", "BOOLEAN", "DATE", "TIMESTAMP_NS", "VARCHAR", "DOUBLE"],
)
def test_every_type_that_may_name_people_names_them(declared):
    value = {
        "UUID": "UUID 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'",
        "DATE": "DATE '12000-01-01'",
        "TIMESTAMP_NS": "TIMESTAMP_NS '1969-01-01'",
    }
    one = value.get(declared, f"CAST(1 AS {declared})")
    relation = duckdb.sql(f"SELECT unnest([{one}, NULL]) AS p, unnest([7, 8]) AS x")
    behind, choice = EngineTable(nw.from_native(relation)), Choice("p", 1, None, "s")
    found = behind.fetcher(("x",), choice, "it", numeric=("x",))()
    assert sorted(found.table.people(found.choice)().codes.tolist()) == [-1, 0]
    (column,) = behind.columns(("x",), choice)
    assert np.asarray(column.fetch()[0]).tolist() == [7.0]


def test_numbers_beyond_64_bits_are_labels_like_others():
    relation = duckdb.sql("SELECT unnest([170141183460469231731687303715884105727, 1, NULL])::HUGEINT AS x")
    labels = EngineTable(nw.from_native(relation)).labels("x", None).labels()
    assert labels.counts(Labels.of([1, 2**127, 2**126])).tolist() == [1, 1, 0]


def test_what_is_fetched_is_withheld():
    assert repr(table("polars", FRAME).fetcher(("x",), None, "it")()) == "<Fetched: withheld>"
