"""DuckDB: our columns as a relation on the user's connection, whatever they call their tables and how they set it; a
closed connection is refused before anything is paid."""

import duckdb
import narwhals.stable.v2 as nw
import numpy as np
import polars as pl
import pytest

from noisewise import Dataset, SchemaError
from noisewise.tables.engines import duckdb as native_code
from noisewise.tables.engines.duckdb import DuckDBDialect, readable, relation_of
from noisewise.tables.engines.engine_table import dialect_of


def test_columns_become_a_relation_of_the_same_connection():
    relation = duckdb.connect().sql("SELECT 1 AS a")
    found = relation_of(relation, {"k": ["a", "b"], "n": np.arange(2), "l": [[1.0], [2.0, 3.0]]})
    assert found.fetchall() == found.fetchall() == [("a", 0, [1.0]), ("b", 1, [2.0, 3.0])]
    assert found.set_alias("ours").join(relation.set_alias("theirs"), "n = a").fetchall() == [
        ("b", 1, [2.0, 3.0], 1)
    ]


@pytest.mark.parametrize("name", ["columns", "given", "name", "_"])
def test_a_table_of_the_users_is_never_taken_for_ours(name):
    connection = duckdb.connect()
    connection.execute(
        f"""CREATE TABLE {name} AS SELECT * FROM (VALUES ('a', 0), ('b', 0)) t(key0, "group")"""
    )
    connection.execute("CREATE TABLE t AS SELECT * FROM (VALUES ('a'), ('b'), ('b')) v(k)")
    assert Dataset(connection.table("t")).group_by("k", keys=["a", "b"]).count(epsilon=64).value == (1, 2)


@pytest.mark.parametrize("allowed", ["true", "false"])
def test_the_users_setting_stays_and_no_name_is_left(allowed):
    connection = duckdb.connect()
    connection.execute(f"SET python_enable_replacements = {allowed}")
    found = relation_of(connection.sql("SELECT 1 AS a"), {"n": [1, 2]})
    said = connection.sql("SELECT current_setting('python_enable_replacements')").fetchall()
    assert (found.fetchall(), said) == ([(1,), (2,)], [(allowed == "true",)])
    assert not [name for name in vars(native_code) if name.startswith("noisewise")]
    assert connection.sql("SELECT view_name FROM duckdb_views() WHERE NOT internal").fetchall() == []


FORBIDDEN = {
    "external access": ["SET enable_external_access = false"],
    "names": ["SET python_enable_replacements = false", "SET lock_configuration = true"],
    "both": ["SET enable_external_access = false", "SET lock_configuration = true"],
}


def locked(settings, sql="SELECT i % 3 AS k, 'p' || i % 50 AS p, i AS x FROM range(100) t(i)"):
    connection = duckdb.connect()
    connection.execute(f"CREATE TABLE t AS {sql}")
    for setting in settings:
        connection.execute(setting)
    return connection.table("t")


@pytest.mark.parametrize("forbidden", FORBIDDEN)
def test_questions_are_answered_where_nothing_may_be_read_from_outside(forbidden):
    relation = locked(FORBIDDEN[forbidden])
    groups = Dataset(relation).group_by("k", keys=[0, 1, 7])
    assert groups.count(epsilon=64).value == (34, 33, 0)
    assert groups.count(epsilon=64).frame.fetchall() == [(0, 34), (1, 33), (7, 0)]
    assert groups.median("x", bounds=(0, 100), epsilon=1).value is not None
    people = Dataset(relation, unit="p", contributions=1)
    assert people.count(epsilon=64).value == 50
    assert people.median("x", bounds=(0, 100), epsilon=1).value is not None
    assert people.group_by("p", keys=["p'2", "p,3", "p1"]).count(epsilon=64).value == (0, 0, 1)
    assert Dataset(relation).most_common("p", ["p1", "p2"], epsilon=1).value in ("p1", "p2")


def test_a_relation_is_the_same_in_words_as_by_a_name():
    given = {"k": ["a", "b,'\x00ü", ""], "n": [1, -(2**63), 2**63 - 1], 'f"': [0.1, np.inf, 5e-324]}
    named = relation_of(locked([]), given)
    for settings in FORBIDDEN.values():
        written = relation_of(locked(settings), given)
        assert (written.columns, written.types) == (named.columns, named.types)
        assert written.fetchall() == named.fetchall()
        assert relation_of(locked(settings), {"n": np.arange(0)}).fetchall() == []


def test_only_settings_say_whether_names_may_be_read():
    assert [readable(locked(settings)) for settings in FORBIDDEN.values()] == [False, False, False]
    for settings in ([], ["SET python_enable_replacements = false"], ["SET lock_configuration = true"]):
        assert readable(locked(settings))


# A connection that was closed


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
    for frame in (nw.from_native(found), nw.from_native(pl.LazyFrame({"x": [1]}))):
        assert dialect_of(frame).check_open(frame) is None


def test_a_table_that_is_gone_is_not_called_closed():
    connection, found = relation()
    found.create("gone")
    frame = nw.from_native(connection.table("gone"))
    connection.execute("DROP TABLE gone")
    assert DuckDBDialect().check_open(frame) is None
