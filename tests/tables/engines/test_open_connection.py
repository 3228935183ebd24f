"""A connection that was closed is refused by an error of ours, before anything is paid."""

import duckdb
import narwhals.stable.v2 as nw
import polars as pl
import pytest

from noisewise import Dataset, SchemaError
from noisewise.tables.engines.open_connection import judge_open

ASKED = {
    "a median": lambda ds: ds.median("x", bounds=(0, 9), epsilon=1),
    "a count": lambda ds: ds.count(epsilon=1),
    "declared groups": lambda ds: ds.group_by("k", keys=[0]).count(epsilon=1),
    "groups to find": lambda ds: ds.group_by("k", epsilon=1, delta=1e-6).count(epsilon=1),
    "what is fetched": lambda ds: ds.quantiles("x", [0.5], bounds=(0, 9), epsilon=1),
}


class Purse:
    """A ledger that refuses nothing and remembers what it was asked to pay."""

    def __init__(self):
        self.paid = []

    def debit(self, loss, **said):
        self.paid.append((loss, said))
        return "entry"


def relation():
    connection = duckdb.connect()
    return connection, connection.sql("SELECT i AS x, i % 3 AS k FROM range(100) t(i)")


@pytest.mark.parametrize("unit", [None, "k"])
@pytest.mark.parametrize("asked", ASKED)
def test_a_closed_connection_costs_nothing(asked, unit):
    connection, found = relation()
    purse = Purse()
    dataset = Dataset(found, unit=unit, ledger=purse)
    connection.close()
    with pytest.raises(SchemaError, match="a relation of an open connection, got one that is closed"):
        ASKED[asked](dataset)
    assert purse.paid == []


def test_a_connection_may_be_closed_before_there_is_a_dataset():
    connection, found = relation()
    connection.close()
    with pytest.raises(SchemaError, match="a relation of an open connection, got one that is closed"):
        Dataset(found).count(epsilon=1)


def test_what_is_open_is_not_refused():
    _, found = relation()
    assert judge_open(nw.from_native(found)) is None
    assert judge_open(nw.from_native(pl.LazyFrame({"x": [1]}))) is None


def test_a_table_that_is_gone_is_not_called_closed():
    connection, found = relation()
    found.create("gone")
    frame = nw.from_native(connection.table("gone"))
    connection.execute("DROP TABLE gone")
    assert judge_open(frame) is None
