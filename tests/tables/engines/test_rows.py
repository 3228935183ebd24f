"""Rows of several columns behind an engine: the same law as in memory, and no column leaves the engine."""

import narwhals.stable.v2 as nw
import numpy as np
import polars as pl
import pytest

from noisewise.errors import SchemaError
from noisewise.hazmat import SeededBits
from noisewise.questions.question import KINDS, Question
from noisewise.tables.local import LocalTable
from noisewise.tables.people import Choice
from tests.tables.every_engine import ENGINES, LOCAL, table

CHOICE = Choice("who", 2, None, "salt")
BOUNDS = {"bounds": (-2.0, 8.0)}
FROM_0 = {"bounds": ((0.0, 8.0), (0.0, 1.0))}
ASKED = {
    "accuracy": ("b", "c", {}),
    "auc": ("b", "x", {}),
    "f1": ("b", "p", {}),
    "log_loss": ("b", "p", {"bounds": (0, 700)}),
    "mae": ("x", "y", {"bounds": (0, 5)}),
    "mse": ("x", "y", {"bounds": (0, 25)}),
    "rmse": ("x", "y", {"bounds": (0, 5)}),
    "r2": ("x", "y", BOUNDS),
    "pearson": ("x", "y", {"bounds": ((-2, 8), (-1e9, 1e9))}),
    "weighted_mean": ("x", "p", FROM_0),
    "ratio": ("x", "p", FROM_0),
    "rate": ("x", "p", FROM_0),
    "covariance": (["x", "y", "x"], BOUNDS),
    "linear_regression": (["x", "p"], "y", BOUNDS),
    "principal_component": (["x", "y"], {"bounds": (0, 8)}),
    "vector_mean": (["x", "y"], BOUNDS),
}
"""Columns and parameters of every question about several columns that an engine answers."""
STRANGE = [None, float("nan"), float("inf"), -float("inf"), -0.0, 5e-324, 1e308, -1e308, 0.5, 1.0]


def frame(rows=90):
    rng = np.random.default_rng(8)

    def strange(values):
        some = [STRANGE[rng.integers(len(STRANGE))] if rng.random() < 0.4 else x for x in values.tolist()]
        return [*some, 1.0, 0.5]

    x = rng.normal(3, 2, rows)
    columns = {
        "x": strange(x),
        "y": strange(x + rng.normal(0, 1, rows)),
        "b": strange(rng.integers(0, 2, rows) * 1.0),
        "c": strange(rng.integers(0, 2, rows) * 1.0),
        "p": strange(rng.random(rows) ** 40),
    }
    floats = {name: pl.Series(values, dtype=pl.Float64) for name, values in columns.items()}
    return pl.DataFrame({**floats, "who": [*rng.integers(0, 12, rows).tolist(), None, None]})


def drawn(name, source, choice, neighbors="add_remove", **more):
    """Everything that a question releases, by the same random words, for so much epsilon that every row shows."""
    *columns, keywords = ASKED[name]
    names = [[each] if isinstance(each, str) else each for each in columns]
    declared = iter(
        source.columns(tuple(each for some in names for each in some), choice, name, streamed=True)
    )
    data = [
        tuple(next(declared) for _ in some) if isinstance(given, list) else next(declared)
        for given, some in zip(columns, names, strict=True)
    ]
    held = {"neighbors": neighbors, "contributions": 1 if choice is None else choice.contributions}
    asked = Question(KINDS[name], (), (), {**keywords, **more, "epsilon": 60})
    release = asked.bind(data, **held).answer(bits=SeededBits(3))
    return release.value, release.count, release.interval


@pytest.fixture
def nothing_fetched(monkeypatch):
    """No column may be fetched whole."""

    def refuse(*given):
        raise AssertionError("a column was fetched")

    for dialect in ("polars.PolarsDialect", "duckdb.DuckDBDialect"):
        monkeypatch.setattr(f"noisewise.tables.engines.{dialect}._collect", refuse)


@pytest.mark.parametrize("name", ASKED)
@pytest.mark.parametrize("engine", LOCAL)
def test_answers_are_those_of_memory(engine, name, nothing_fetched):
    data = frame()
    lazy, local = table(engine, data), LocalTable(nw.from_native(data))
    for choice, neighbors in ((None, "add_remove"), (None, "swap"), (CHOICE, "add_remove")):
        assert drawn(name, lazy, choice, neighbors) == drawn(name, local, choice, neighbors)
    more = {"with_count": True}
    more |= {"interval": 0.9} if "matrix" not in KINDS[name].capabilities.columns else {}
    assert drawn(name, lazy, None, **more) == drawn(name, local, None, **more)


@pytest.mark.parametrize("name", ["auc", "log_loss", "pearson", "principal_component"])
@pytest.mark.parametrize("engine", [ENGINES[-1]])
def test_answers_on_spark_are_those_of_memory_with_people(engine, name):
    data = frame()
    assert drawn(name, table(engine, data), CHOICE) == drawn(name, LocalTable(nw.from_native(data)), CHOICE)


@pytest.mark.parametrize("engine", LOCAL)
def test_a_table_without_rows_or_with_missing_ones_alone(engine):
    for data in (frame().clear(), frame(3).with_columns(pl.lit(None, pl.Float64).alias("x"))):
        lazy, local = table(engine, data), LocalTable(nw.from_native(data))
        for name in ("mae", "pearson", "weighted_mean", "vector_mean", "principal_component", "covariance"):
            assert drawn(name, lazy, None) == drawn(name, local, None)


def test_more_columns_than_a_query_takes_are_fetched_or_refused_beforehand(monkeypatch):
    monkeypatch.setattr("noisewise.tables.engines.engine_table.MOST_COLUMNS", 2)
    data = frame()
    lazy, local = table("polars", data), LocalTable(nw.from_native(data))
    assert drawn("covariance", lazy, CHOICE) == drawn("covariance", local, CHOICE)
    monkeypatch.setattr("noisewise.tables.engines.polars.PolarsDialect.local", False)
    with pytest.raises(
        SchemaError, match=r"^covariance of more than 2 columns must be asked of data on this"
    ):
        lazy.columns(("x", "y", "p"), None, "covariance", streamed=True)


def test_what_needs_whole_columns_is_said_by_the_question():
    def streams(name, **keywords):
        return Question(KINDS[name], (), (), keywords).streamed

    assert streams("vector_mean") and not streams("vector_mean", radius=3)
    assert streams("principal_component") and not streams("principal_component", length=3)
    assert streams("linear_regression") and not streams("linear_regression", method="robust")
    assert not any(map(streams, ("spearman", "theil_sen")))


def test_rows_are_withheld():
    source = table("polars", frame()).columns(("x", "y"), None, "mae", streamed=True)[0]
    assert "withheld" in repr(source) and "withheld" in repr(source.source)
