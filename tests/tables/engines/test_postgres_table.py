"""What is taken for a table of a database, and what is refused before a connection is made."""

import pytest

import noisewise as nws
from noisewise.errors import ParameterError, ParameterTypeError, SchemaError
from tests.postgres import running
from tests.tables.postgres import connection

URL = "postgresql://nobody@nowhere/none"


@pytest.mark.parametrize(
    ("keywords", "error", "message"),
    [
        ({}, ParameterError, r"^a database must be given a table or a query, got neither; as Dataset\("),
        ({"table": "a", "query": "b"}, ParameterError, r"a table or a query, got both"),
        (
            {"table": "a.b.c"},
            ParameterTypeError,
            r"^table must be the name of a table, such as \"visits\" or",
        ),
        ({"table": 7}, ParameterTypeError, r"^table must be the name of a table"),
        ({"query": 7}, ParameterTypeError, r"^query must be text, got "),
    ],
)
def test_a_database_needs_a_table_or_a_query(keywords, error, message):
    with pytest.raises(error, match=message):
        nws.Dataset(URL, **keywords)


def test_other_data_has_neither():
    with pytest.raises(
        ParameterTypeError, match=r"^table must be left out where the data is no database, got "
    ):
        nws.Dataset({"x": [1]}, table="x")
    with pytest.raises(SchemaError, match=r"^frame must be a data frame"):
        nws.Dataset("mysql://nobody@nowhere/none")


def test_a_table_of_ibis_may_be_in_any_database_and_is_refused():
    import ibis

    with pytest.raises(
        SchemaError, match=r"^data must be a frame of Polars, DuckDB or Spark, got one of ibis$"
    ):
        nws.Dataset(ibis.table({"x": "float64"}, name="t"))


def test_tables_are_found_by_schemas_and_queries_may_end_in_a_comment():
    connection().execute('CREATE SCHEMA IF NOT EXISTS "a.b"; CREATE TABLE IF NOT EXISTS "a.b"."V" (x int)')
    assert nws.Dataset(connection(), table=("a.b", "V")).columns == ("x",)
    assert nws.Dataset(connection(), table="pg_catalog.pg_class").columns[:2] == ("oid", "relname")
    assert nws.Dataset(running(), query="SELECT 1 AS y -- one ;").columns == ("y",)
    assert nws.Dataset(running(), query="SELECT 1 AS y; ").columns == ("y",)
    with pytest.raises(
        SchemaError, match=r'^the table must be one that can be read: relation "none" does not exist$'
    ):
        nws.Dataset(connection(), table="none")
    with pytest.raises(
        SchemaError, match=r"^the table must be one that can be read: syntax error at or near"
    ):
        nws.Dataset(connection(), query="SELECT 1 AS y; SELECT 2")
