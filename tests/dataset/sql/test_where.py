"""WHERE means in every place what it means in DuckDB, whatever is NULL: NOT, AND, OR and all comparisons."""

from itertools import product

import duckdb
import pyarrow as pa
import pytest

import noisewise as nws
from noisewise.dataset.sql.statement import Statement
from noisewise.tables.conditions import Condition
from tests.floors.everywhere import LIBRARIES, SPARK, frame, in_postgres

X, Y, S = (None, 1.0, 2.0), (None, 1.0), (None, "a", "b")
TABLE = {name: [row[place] for row in product(X, Y, S)] for place, name in enumerate(("x", "y", "s"))} | {
    "id": [float(i) for i in range(len(X) * len(Y) * len(S))]
}
ATOMS = [
    "x = 1",
    "1 <> x",
    "x < 2",
    "2 <= x",
    "x > 1",
    "x IS NULL",
    "x IS NOT NULL",
    "x IN (1, 3)",
    "x NOT IN (1, 3)",
    "y BETWEEN 1 AND 2",
    "NOT (y BETWEEN 2 AND 3)",
    "s = 'a'",
    "s <> 'a'",
    "s NOT IN ('a', 'c')",
]
FORMULAS = [
    *ATOMS,
    *(f"NOT {atom}" for atom in ATOMS),
    *(f"NOT ({a} {joint} {b})" for a in ATOMS for b in ATOMS[::3] for joint in ("AND", "OR")),
    *(f"{a} OR NOT ({b} AND NOT (NOT {c}))" for a, b, c in product(ATOMS[::4], ATOMS[1::4], ATOMS[2::4])),
    "NOT (x = 1 OR y = 1) AND NOT (NOT (s = 'a') OR x IS NULL)",
]


def condition(formula):
    names = ("x", "y", "s", "id")
    return Statement.read(f"SELECT COUNT(*) AS n FROM t WHERE {formula}", names=names).condition


@pytest.fixture(scope="module")
def truth():
    """The rows for which DuckDB says that a formula is true."""
    connection = duckdb.connect()
    connection.register("t", pa.table(TABLE))

    def rows(formula):
        found = connection.execute(f"SELECT id FROM t WHERE {formula}").fetchall()
        return sorted(int(number) for (number,) in found)

    return rows


def test_every_formula_leaves_the_rows_that_duckdb_leaves(truth):
    data = nws.Dataset(frame("pandas", pa.table(TABLE)))
    for formula in FORMULAS:
        kept = data.where(condition(formula))._table._rows.get_column("id").to_list()
        assert [int(number) for number in kept] == truth(formula), formula


FEW = FORMULAS[:: len(FORMULAS) // 24]


@pytest.mark.parametrize(
    "place",
    [
        *(place for place in LIBRARIES if place in ("Polars", "lazy Polars", "DuckDB")),
        *(
            pytest.param(place, marks=pytest.mark.rest)
            for place in (*LIBRARIES, SPARK)
            if place not in ("Polars", "lazy Polars", "DuckDB")
        ),
    ],
)
def test_every_place_leaves_the_same_rows(place, truth):
    if place == "PostgreSQL":
        from tests.tables.postgres import connection

        data = nws.Dataset(connection(), table=in_postgres(TABLE))
    else:
        data = nws.Dataset(frame(place, pa.table(TABLE)))
    formulas = FEW if place != SPARK else FEW[::4]
    for formula in formulas:
        n = data.sql(f"SELECT COUNT(*) AS n FROM t WHERE {formula}", epsilon=60).columns["n"]
        assert n == [len(truth(formula))], (place, formula)


def test_nan_is_missing_where_sql_has_a_large_number():
    rows = pa.table({"x": pa.array([1.0, float("nan"), None])})
    data = nws.Dataset(rows)
    assert data.sql("SELECT COUNT(*) AS n FROM t WHERE x > 5", epsilon=60).columns["n"] == [0]
    assert data.sql("SELECT COUNT(*) AS n FROM t WHERE x IS NULL", epsilon=60).columns["n"] == [2]
    connection = duckdb.connect()
    connection.register("t", rows)
    assert connection.execute("SELECT COUNT(*) FROM t WHERE x > 5").fetchall() == [(1,)]


def test_conditions_are_those_that_a_user_would_write():
    for formula, written in {
        "NOT (x < 1 AND s = 'a')": "x >= 1 or s != 'a'",
        "x = 1 AND (y = 1 OR s IS NULL)": "x = 1 and (y = 1 or s is missing)",
        "s = 'it''s' AND x >= -1.5e1": "s = 'it''s' and x >= -15",
        "s > DATE '2020-01-31'": "s > '2020-01-31'",
    }.items():
        read = condition(formula)
        assert str(Condition.read(read)) == str(Condition.read(written)) or "-1.5" in read, formula
