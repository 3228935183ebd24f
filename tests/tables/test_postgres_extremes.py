"""No value that a type of PostgreSQL can hold decides whether a question fails, and nor does a table without rows."""

from functools import partial

import pytest

from noisewise import Dataset
from tests.tables.extremes import check_alike, questions
from tests.tables.postgres import connection, made

FAR_DAYS = ["infinity", "-infinity", "4713-01-01 BC", "5874897-12-31", "0001-01-01", "9999-12-31"]
FAR_TIMES = ["infinity", "-infinity", "4713-01-01 00:00 BC", "294276-12-31 23:59:59.999999"]
TYPES: dict[str, tuple[str, list[str]]] = {
    "boolean": ("true", ["false", "true"]),
    "int2": ("1", ["-32768", "32767"]),
    "int4": ("1", ["-2147483648", "2147483647"]),
    "int8": ("1", ["-9223372036854775808", "9223372036854775807"]),
    "oid": ("1", ["0", "4294967295"]),
    "float4": ("1", ["NaN", "Infinity", "-Infinity", "-0", "1e-45", "3.4028235e38", "-3.4028235e38"]),
    "float8": ("1", ["NaN", "Infinity", "-Infinity", "-0", "5e-324", "1.7976931348623157e308"]),
    "numeric": ("1", ["NaN", "Infinity", "-Infinity", "9e131071", "-9e131071", "1e-16383", "0." + "1" * 400]),
    "numeric(1000,1000)": ("0.1", ["0." + "9" * 999, "-1e-1000"]),
    "numeric(4,2)": ("1", ["99.99", "NaN"]),
    "money": ("1", ["-92233720368547758.08", "92233720368547758.07"]),
    "text": ("a", ["", "é" * 2**20, "a" * 2**21, "\U0010ffff", "NaN", "1e400"]),
    "varchar(9)": ("a", ["", "\U0010ffff" * 9]),
    "character(9)": ("a", ["", "\U0010ffff" * 9]),
    "name": ("a", ["", "é" * 31]),
    "uuid": ("00000000-0000-0000-0000-000000000001", ["ffffffff-ffff-ffff-ffff-ffffffffffff"]),
    "bytea": ("a", ["\\x00ff", "\\x"]),
    "date": ("2020-01-01", FAR_DAYS),
    "time": ("09:30", ["00:00", "24:00", "23:59:59.999999"]),
    "timetz": ("09:30+00", ["00:00+15:59:59", "24:00-15:59:59"]),
    "timestamp": ("2020-01-01", FAR_TIMES),
    "timestamptz": ("2020-01-01 00:00+00", FAR_TIMES),
    "interval": ("1 day", ["178000000 years", "-178000000 years", "2147483647 days", "-1 microsecond"]),
    "json": ("1", ["[" * 1000 + "]" * 1000, '"\\ud800"']),
    "jsonb": ("1", ["1e400", "null"]),
    "inet": ("127.0.0.1", ["::ffff:1.2.3.4/0", "255.255.255.255/0"]),
    "point": ("(1,2)", ["(NaN,Infinity)", "(-1e308,1e308)"]),
    "bit(3)": ("101", ["000"]),
    "pg_lsn": ("0/1", ["FFFFFFFF/FFFFFFFF"]),
    "tsvector": ("a", ["", "'" + "a" * 2000 + "'"]),
    "int4range": ("[1,2)", ["empty", "(,)"]),
    "tsrange": ("[2020-01-01,2021-01-01)", ["(-infinity,infinity)", "[,294276-12-31 23:59:59.999999]"]),
    "int8[]": ("{1}", ["{}", "{-9223372036854775808,NULL}"]),
    "timestamp[]": ("{2020-01-01}", ["{infinity,-infinity}"]),
}
OWN = {
    "weather": ("CREATE TYPE weather AS ENUM ('a', 'b', '')", "a", ["", "b"]),
    "small": ("CREATE DOMAIN small AS int2 CHECK (value < 32767)", "1", ["-32768"]),
    "pair": ("CREATE TYPE pair AS (a int8, b timestamp)", "(1,2020-01-01)", ["(,)", "(-1,infinity)"]),
}


def opened_for(kind: str, plain: str, extreme: list[str]) -> list[partial[Dataset]]:
    """Tables of a type: with ordinary values, with as many extreme ones, and without a row."""
    rows = [(each, float(index % 3)) for index, each in enumerate([*extreme, None])]
    values = [(None if each is None else plain, beside) for each, beside in rows], rows, []
    tables = [made({"t": kind, "x": "float8"}, each) for each in values]
    return [partial(Dataset, connection(), table=name) for name in tables]


@pytest.mark.parametrize("kind", TYPES)
def test_no_value_of_a_type_of_postgres_makes_a_question_fail(kind: str) -> None:
    check_alike(questions(), *opened_for(kind, *TYPES[kind]))


@pytest.mark.parametrize("kind", OWN)
def test_no_value_of_a_type_made_in_postgres_makes_a_question_fail(kind: str) -> None:
    create, plain, extreme = OWN[kind]
    connection().execute(create)
    try:
        check_alike(questions(), *opened_for(kind, plain, extreme))
    finally:
        connection().execute(f"DROP TYPE {kind} CASCADE")
