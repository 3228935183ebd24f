"""Names that an engine takes for something else are refused before anything is paid."""

import duckdb
import narwhals.stable.v2 as nw
import polars as pl
import pytest

from noisewise import Dataset, Ledger, PureDP, SchemaError
from noisewise.tables.engines.duckdb import DuckDBDialect
from noisewise.tables.engines.engine_table import EngineTable
from noisewise.tables.engines.polars import PolarsDialect
from noisewise.tables.engines.spark import SparkDialect
from tests.tables.every_engine import lazily

FRAME = pl.DataFrame({"x": [1.0, 2.0, 3.0], "g": ["a", "b", "a"], "other": [70.0, 80.0, 90.0]})
MISREAD = [
    ("polars", "*", "other than *"),
    ("polars", "^.*$", "that do not begin with ^ and end with $"),
    ("duckdb", "*", "other than *"),
]
ASKED = {"bounds": (0, 10), "epsilon": 1}
QUESTIONS = {
    "in queries": lambda held, name: held.median(name, **ASKED),
    "fetched": lambda held, name: held.mad(name, **ASKED),
    "several": lambda held, name: held.pearson(name, "other", **ASKED),
    "edges": lambda held, name: held.triangles([name, "other"], nodes=3, epsilon=1),
    "in groups": lambda held, name: held.group_by("g", keys=["a"]).median(name, **ASKED),
    "fetched in groups": lambda held, name: held.group_by("g", keys=["a"]).mad(name, **ASKED),
    "as a key": lambda held, name: held.group_by(name, keys=[1.0]).median("other", **ASKED),
    "one by one": lambda held, name: held.group_by(name, keys=[1.0]).covariance(["other"], **ASKED),
    "found": lambda held, name: held.group_by(name, epsilon=1, delta=0.1),
    "private": lambda held, name: held.group_by(name, keys=[1.0]).median(
        "other", bounds="private", granularity=1, epsilon=1
    ),
}


def check_names(dialect, used, names):
    """Judge a table of these columns, wherever it is."""
    frame = nw.from_native(pl.LazyFrame({name: [1] for name in names}))
    EngineTable(frame, dialect=dialect())._check_names(used)


@pytest.mark.parametrize("asked", QUESTIONS)
@pytest.mark.parametrize(("engine", "name", "rule"), MISREAD)
def test_no_question_is_asked_by_such_a_name(engine, name, rule, asked, tmp_path):
    frame = lazily(engine, FRAME.rename({"x": name})).to_native()
    with Ledger.open(tmp_path / "ledger", budget=PureDP(10)) as ledger:
        with pytest.raises(SchemaError) as refused:
            QUESTIONS[asked](Dataset(frame, ledger=ledger), name)
        assert len(ledger) == 0
    called = {"polars": "Polars", "duckdb": "DuckDB"}[engine]
    assert str(refused.value) == f"columns must have names {rule} for {called}, got {name!r}; rename it"


def test_people_are_not_named_so_either(tmp_path):
    frame = FRAME.rename({"g": "^g$"}).lazy()
    with pytest.raises(SchemaError, match="must have names that do not begin"):
        Dataset(frame, unit="^g$").median("x", **ASKED)


def test_names_that_nobody_asks_for_matter_where_queries_name_them():
    check_names(PolarsDialect, ("x",), ("x", "*", "^a$"))
    check_names(SparkDialect, ("x",), ("x", "*", "a.b"))
    with pytest.raises(SchemaError, match=r"names other than \* for DuckDB"):
        check_names(DuckDBDialect, ("x",), ("x", "*"))


@pytest.mark.parametrize("name", ["a.b", 'a"b', "frame.x", '"x"'])
def test_an_older_duckdb_takes_names_apart(name, monkeypatch):
    monkeypatch.setattr(duckdb, "__version__", "1.5.6")
    with pytest.raises(
        SchemaError, match=r'^columns must have names without \. and " before its version 2\.0'
    ):
        check_names(DuckDBDialect, ("x",), ("x", name))
    monkeypatch.setattr(duckdb, "__version__", "2.0.0")
    check_names(DuckDBDialect, ("x",), ("x", name))


@pytest.mark.parametrize("name", ["^a", "a$", "$^", "a*", "**", "a b", "", "x'"])
def test_other_names_are_names(name):
    for dialect in (PolarsDialect, DuckDBDialect, SparkDialect):
        check_names(dialect, (name,), (name,))


@pytest.mark.parametrize("name", ["a.b", "a`b", "*"])
def test_spark_has_signs_of_its_own(name):
    with pytest.raises(SchemaError, match=r"^columns must have names .* for Spark"):
        check_names(SparkDialect, (name,), (name,))


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_a_name_with_a_dot_is_read_or_refused_and_never_another_column(engine):
    """A relation called frame has a column x, and another by the name frame.x."""
    frame = pl.concat([FRAME.select("x", pl.col("other").alias("frame.x"))] * 20)
    asked = {"bounds": (0, 100), "granularity": 1, "epsilon": 60}
    held = Dataset(lazily(engine, frame).to_native())
    if engine == "duckdb" and duckdb.__version__.startswith("1."):
        with pytest.raises(SchemaError, match=r"before its version 2\.0"):
            held.median("frame.x", **asked)
    else:
        assert held.median("frame.x", **asked).value > 50


@pytest.mark.parametrize("engine", ["polars", "spark"])
def test_a_column_may_have_an_empty_name(engine):
    frame = pl.DataFrame({"": [1.0, 7.0, 3.0], "x": [5.0, 6.0, 9.0]})
    held = Dataset(lazily(engine, frame).to_native())
    asked = {"bounds": (0, 10), "granularity": 1, "epsilon": 60}
    assert held.max("", **asked).value == 7
    assert held.group_by("", keys=[3.0, 7.0]).max("x", **asked).value == (9, 6)
    assert held.count("", epsilon=60).value == 3
