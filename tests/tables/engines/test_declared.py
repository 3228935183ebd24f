"""Searched bounds, histograms and labels behind an engine: the counts of memory, and a column that stays there."""

import math
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction

import duckdb
import narwhals.stable.v2 as nw
import numpy as np
import polars as pl
import pytest

import noisewise as nws
from noisewise.errors import SchemaError
from noisewise.questions.composites.histogram import BinEdges
from noisewise.tables.columns.conversions import from_text_by_engine
from noisewise.tables.columns.labels import Labels
from noisewise.tables.columns.magnitudes import Magnitudes
from noisewise.tables.engines.engine_table import EngineTable
from noisewise.tables.groups.keys import Keys
from noisewise.tables.local import LocalTable
from noisewise.tables.people import Choice
from tests.payable import payable_of
from tests.tables.every_engine import ENGINES, LOCAL, EveryPass, table
from tests.tables.spark import session

MAGNITUDES = Magnitudes.of(2, Fraction(1, 2**32), 2**64)
EDGES = BinEdges((-math.inf, -1.0, 0.0, 1.0, 2.0**64, math.inf))
CHOICES = [None, Choice("who", 1, None, "salt"), Choice("who", 5, 1, "pepper")]
NUMBERS = {
    "x": [MAGNITUDES, EDGES],
    "big": [MAGNITUDES],
    "exact": [BinEdges((0.0, 0.5, 2.0))],
    "flag": [MAGNITUDES],
}
LABELS = {
    "label": ["A", "a", "é", "nobody"],
    "x": [0, 1, math.nextafter(1, 2), 5e-324],
    "flag": [True, False],
    "big": [2**62, 3],
}
STRANGE = [
    None,
    math.nan,
    math.inf,
    -math.inf,
    0.0,
    -0.0,
    5e-324,
    -5e-324,
    1e308,
    1.0,
    math.nextafter(1, 2),
    -1.0,
]


def frame(rows=160):
    rng = np.random.default_rng(21)
    huge = [2**62, 2**62 + 1, -(2**63), 2**63 - 1, 0, 3, None]
    x = rng.normal(0, 1, rows) * 10.0 ** rng.integers(-12, 25, rows)
    x = [
        STRANGE[place] if place < len(STRANGE) else value
        for place, value in enumerate(rng.permuted(x).tolist())
    ]
    some = rng.integers(0, 7, (4, rows)).tolist()
    return pl.DataFrame(
        {
            "x": x[: rows // 2] * 2,
            "big": pl.Series([huge[place] for place in some[0]], dtype=pl.Int64),
            "exact": pl.Series(
                [Decimal(place) / 4 if place else None for place in some[1]], dtype=pl.Decimal(9, 2)
            ),
            "flag": [[True, False, None][place % 3] for place in some[2]],
            "label": [["a", "A", "é", "e\u0301", "b", None, ""][place] for place in some[3]],
            "who": [None if place == 0 else place for place in rng.integers(0, 50, rows).tolist()],
        }
    )


def counts(tables, choice, numbers=NUMBERS, labels=LABELS):
    """All that is counted in some columns, on each of some tables."""
    found = []
    for each in tables:
        told = [
            each.labels(name, choice).numbers().counts(bins).tolist()
            for name, every in numbers.items()
            for bins in every
        ]
        told += [each.column("x", choice, "private_bounds").counts(MAGNITUDES).tolist()]
        told += [
            each.labels(name, choice).labels().counts(Labels.of(names)).tolist()
            for name, names in labels.items()
        ]
        found.append(told)
    return found


def columns_with(choice):
    """Columns to count in: all, and with people a few, as whose rows count does not depend on what these hold."""
    return (NUMBERS, LABELS) if choice is None else ({"x": [EDGES]}, {"label": LABELS["label"]})


@pytest.mark.parametrize("choice", CHOICES)
@pytest.mark.parametrize("engine", ENGINES)
def test_counts_are_exactly_those_in_memory(engine, choice):
    data, columns = frame(), columns_with(choice) if engine == "spark" else (NUMBERS, LABELS)
    found, expected = counts((table(engine, data), LocalTable(nw.from_native(data))), choice, *columns)
    assert found == expected
    assert all(map(sum, expected))


@pytest.mark.parametrize("engine", LOCAL)
def test_an_empty_table_has_empty_bins(engine):
    for choice in CHOICES:
        (found,) = counts([table(engine, frame().clear())], choice, *columns_with(choice))
        assert not any(map(sum, found))


@pytest.mark.parametrize("engine", LOCAL)
def test_the_laws_are_those_in_memory(engine):
    data = frame()
    for unit, most in ((None, 1), ("who", 3)):
        asked = []
        for made in (data, table(engine, data)._frame.to_native()):
            held = nws.Dataset(made, unit=unit, contributions=most)
            held._salt = "ab" * 16
            bounds = held._bind(nws.ask.private_bounds("x", epsilon=1)).inner
            bins = held._bind(nws.ask.histogram("x", [-1, 0, 1], epsilon=1)).inner
            common = held._bind(nws.ask.most_common("label", ["a", "A", "b"], epsilon=1)).inner
            asked.append((bounds.search.law(bounds.data), bins.look(), common.look()))
        for here, there in zip(*asked, strict=True):
            for name in ("behind",) if hasattr(here, "behind") else ("lower", "upper"):
                one, other = (getattr(getattr(law, "envelope", law), name) for law in (here, there))
                assert one.tolist() == other.tolist()


@pytest.mark.parametrize("ansi", ["true", "false"])
def test_spark_answers_with_people_whatever_its_mode(ansi):
    spark = session().newSession()
    spark.conf.set("spark.sql.ansi.enabled", ansi)
    x = np.concatenate([np.linspace(33, 60, 400), [math.nan] * 4])
    data = pl.DataFrame({"x": x, "label": ["b"] * 300 + ["a"] * 104, "who": np.arange(404) // 2})
    held = nws.Dataset(spark.createDataFrame(data.to_arrow()), unit="who", contributions=2)
    assert held.private_bounds("x", epsilon=60, largest=2**12).value == (32.0, 64.0)
    assert 40 < held.median("x", bounds="private", epsilon=60).value < 53
    assert held.histogram("x", [0, 40, math.inf], epsilon=60).value == pytest.approx((104, 296), abs=3)
    assert held.histogram("label", ["a", "b", "c"], epsilon=60).value == pytest.approx((104, 300, 0), abs=3)
    assert held.most_common("label", ["a", "b", "c"], epsilon=60).value == "b"


@pytest.mark.parametrize("engine", LOCAL)
def test_a_column_stays_where_it_is(engine):
    lazy = table(engine, frame())
    for column in (
        lazy.column("x", None, "median"),
        lazy.rows(None),
        lazy.labels("x", None).numbers(),
        lazy.labels("label", None).labels(),
    ):
        with pytest.raises(SchemaError, match=r"^a column behind an engine must be asked by queries$"):
            column.fetch()
        assert "withheld" in repr(column)
    assert repr(lazy.grouped("x", Keys.of(("label",), ["a"]), None)).endswith("withheld>")


@pytest.mark.parametrize("sql", ["NULL", "NULL::VARCHAR"])
def test_a_column_of_nothing_has_no_labels(sql):
    lazy = EngineTable(nw.from_native(duckdb.sql(f"SELECT {sql} AS x, 1 AS who FROM range(3)")))
    polars = table("polars", pl.DataFrame({"x": [None] * 3, "who": [1, 1, 2]}))
    for each in (lazy, polars):
        for choice in CHOICES:
            assert each.labels("x", choice).labels().counts(Labels.of(["a", "None"])).tolist() == [0, 0]


def test_categories_are_labels_by_their_text():
    data = pl.DataFrame(
        {"x": pl.Series(["b", "a", "b", None], dtype=pl.Enum(["a", "b"])), "who": [1, 2, 3, 4]}
    )
    for choice in CHOICES:
        found = table("polars", data).labels("x", choice).labels().counts(Labels.of(["b", 1, "a"]))
        assert found.tolist() == [2, 0, 1]
    relation = duckdb.sql("SELECT unnest(['b', 'a', 'b'])::ENUM ('a', 'b') AS x")
    lazy = EngineTable(nw.from_native(relation))
    assert lazy.labels("x", None).labels().counts(Labels.of(["a", "b"])).tolist() == [1, 2]


def test_what_spark_could_mistake_is_refused_before_anything_is_paid():
    spark = session().sql("SELECT k COLLATE UTF8_LCASE AS c, k AS `a.b` FROM VALUES ('a'), ('A') AS t(k)")
    for name, why in (("c", "must be compared byte by byte"), ("a.b", "must have names without")):
        with pytest.raises(SchemaError, match=why):
            nws.Dataset(spark).most_common(name, ["a"], epsilon=1)
        with pytest.raises(SchemaError, match=why):
            nws.Dataset(spark).histogram(name, ["a"], epsilon=1)
    texts = session().sql(
        "SELECT * FROM VALUES ('3', '2024-05-01', '2024-05-01 12:30'), ('x', '', '?') AS t(n, d, t)"
    )
    kinds = {"n": ("number", (0, 9)), "d": ("date", (date(2024, 1, 1), date(2025, 1, 1)))}
    kinds["t"] = ("datetime", (datetime(2024, 1, 1), datetime(2025, 1, 1)))
    ways = {}
    for name, (kind, bounds) in kinds.items():
        with pytest.raises(SchemaError) as caught:
            nws.Dataset(texts).median(name, bounds=bounds, epsilon=1)
        ways[name] = from_text_by_engine("Spark", name, kind)
        assert str(caught.value).endswith(f"of text first{ways[name]}")
    from pyspark.sql import functions

    typed = [eval(way.removeprefix(", as in "), {"F": functions}).alias(name) for name, way in ways.items()]
    first, second = texts.select(*typed).collect()
    assert tuple(first) == (3.0, date(2024, 5, 1), datetime(2024, 5, 1, 12, 30)) and set(second) == {None}


def test_text_in_a_wrong_encoding_on_spark_is_no_label_and_uses_nothing_up():
    rows = "VALUES (0, X'61'), (1, X'ff'), (1, X'61'), (1, X'61ff') AS t(who, k)"
    lazy = EngineTable(nw.from_native(session().sql(f"SELECT who, CAST(k AS STRING) AS k FROM {rows}")))
    for choice in CHOICES:
        assert lazy.labels("k", choice).labels().counts(Labels.of(["a", "b"])).tolist() == [2, 0]


@pytest.mark.parametrize("engine", LOCAL)
def test_a_quote_runs_no_query(engine):
    told = []
    lazy = EngineTable(
        table(engine, frame())._frame, progress=EveryPass(lambda doing, done: told.append(done))
    )
    for choice in CHOICES:
        column = lazy.column("x", choice, "median")
        payable_of(nws.median, column, bounds="private", epsilon=1)
        payable_of(nws.histogram, lazy.labels("x", choice), [0, 1], epsilon=1)
        payable_of(nws.histogram, lazy.labels("label", choice), ["a"], epsilon=1)
        payable_of(nws.most_common, lazy.labels("label", choice), ["a"], epsilon=1)
    assert told == []
    nws.most_common(lazy.labels("label", None), ["a"], epsilon=1)
    assert told == [None, 1.0]
