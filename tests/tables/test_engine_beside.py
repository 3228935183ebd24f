"""A relation beside the user's own: of our columns, whatever their tables are called and their settings are."""

import duckdb
import numpy as np
import pytest

from noisewise import Dataset
from noisewise.tables import engine_beside
from noisewise.tables.engine_beside import relation_of


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
    assert not [name for name in vars(engine_beside) if name.startswith("noisewise")]
    assert connection.sql("SELECT view_name FROM duckdb_views() WHERE NOT internal").fetchall() == []
