"""Counts by an engine are those of NumPy: every cut, every label, whatever stands beside them."""

import math
from dataclasses import dataclass
from fractions import Fraction

import duckdb
import narwhals.stable.v2 as nw
import numpy as np
import polars as pl
import pytest

from noisewise.questions.composites.histogram import BinEdges
from noisewise.tables.columns.array_column import declare
from noisewise.tables.columns.labels import Labels, declare_labels
from noisewise.tables.columns.magnitudes import Magnitudes
from noisewise.tables.engines.bins import RADIX, in_bins, of_labels
from noisewise.tables.engines.engine_table import dialect_of
from tests.tables.every_engine import ENGINES, LOCAL, lazily

STRANGE = [None, math.nan, math.inf, -math.inf, 0.0, -0.0, 5e-324, -5e-324, 2.2e-308, 1.7976931348623157e308]
MAGNITUDES = [Magnitudes.of(2, Fraction(1, 2**32), 2**64), Magnitudes.of(2, 1, 4).part(0, 3, signed=False)]


@dataclass(frozen=True)
class Cut:
    """Bins as the protocol has them, and as NumPy counts in them."""

    thresholds: np.ndarray
    ends: tuple = (-math.inf, math.inf)

    def bins_of(self, values):
        return np.searchsorted(self.thresholds, values, side="right")


def counted(engine, values, bins):
    lazy = lazily(
        engine, pl.DataFrame({"d": pl.Series(values, dtype=pl.Float64), "group": [0] * len(values)})
    )
    return in_bins(dialect_of(lazy), lazy, bins).of(0).tolist()


def around(thresholds):
    """Each cut, and the numbers just below and above it."""
    return [f(cut) for cut in thresholds for f in (float, lambda x: math.nextafter(x, 9e9), _below)]


def _below(x):
    return math.nextafter(x, -9e9)


@pytest.mark.parametrize("size", [0, 1, RADIX - 2, RADIX - 1, RADIX, RADIX + 1, RADIX**2 - 1, RADIX**2, 700])
@pytest.mark.parametrize("engine", LOCAL)
def test_a_tree_of_any_depth_finds_every_bin(engine, size):
    bins = Cut(np.linspace(-3, 3, size))
    values = [*STRANGE, *around(bins.thresholds)]
    assert counted(engine, values, bins) == declare(values).counts(bins).tolist()
    assert sum(counted(engine, values, bins)) == len(values) - 2


@pytest.mark.parametrize("engine", ENGINES)
def test_every_engine_counts_in_bins_as_memory_does(engine):
    edges = [
        BinEdges((0.0, 1.0, 2.0)),
        BinEdges((-math.inf, -1.0, 5e-324, 1.0, math.inf)),
        BinEdges((0.5, 1.0)),
    ]
    every = [
        MAGNITUDES[0],
        Cut(np.linspace(-3, 3, RADIX**2 + 1)),
        edges[1],
        MAGNITUDES[1],
        edges[0],
        edges[2],
    ]
    for bins in every if engine in LOCAL else every[:3]:
        values = [
            *STRANGE,
            *around(bins.thresholds),
            *[end for end in bins.ends if math.isfinite(end)],
            -1.0,
            1.0,
        ]
        expected = declare(values).counts(bins).tolist()
        assert counted(engine, values, bins) == expected and sum(expected) >= 3


@pytest.mark.parametrize("engine", LOCAL)
def test_nothing_but_missing_records_fills_no_bin(engine):
    for values in ([], [None], [math.nan, None]):
        assert counted(engine, values, MAGNITUDES[0]) == [0] * 195
        assert counted(engine, values, BinEdges((0.0, 1.0))) == [0]


TEXTS = ["a", "A", "é", "e\u0301", "", "a\0b", "a ", " a", "none", None, "NULL", "nan", "ß", "ss", "a"]
NUMBERS = [*STRANGE, 1.0, 1.0, 2.0**53, math.nextafter(1, 2)]


def labelled(engine, records, names, kind):
    dtype = pl.Float64 if kind is float else pl.String
    lazy = lazily(engine, pl.DataFrame({"d": pl.Series(records, dtype=dtype), "group": [0] * len(records)}))
    return of_labels(dialect_of(lazy), lazy, Labels.of(names), kind).of(0).tolist()


@pytest.mark.parametrize("engine", ENGINES)
def test_labels_are_counted_as_in_memory(engine):
    for names, records, kind in (
        (["A", "a", "e\u0301", "é", "", "a\0b", "ss", "nobody", "\ud800", 3], TEXTS, str),
        ([-0.0, 1, 2**53 + 1, 5e-324, 7, True + 1, "1"], NUMBERS, float),
    ):
        expected = declare_labels(records).counts(Labels.of(names)).tolist()
        assert labelled(engine, records, names, kind) == expected and sum(expected) > 4


@pytest.mark.parametrize("engine", LOCAL)
def test_labels_of_another_kind_are_those_of_nobody(engine):
    assert labelled(engine, ["1", "a"], [1, 2.5, "\ud800"], str) == [0, 0, 0]
    assert labelled(engine, [1.0], ["1"], float) == [0]
    assert labelled(engine, [None], ["a", "b"], str) == [0, 0]
    assert labelled(engine, [], [1, 2], float) == [0, 0]


def test_many_labels_are_one_small_table():
    names = [f"label {place}" for place in range(3000)]
    assert labelled("polars", names[::3] * 2, names, str) == [2, 0, 0] * 1000


@pytest.mark.parametrize("setting", ["SELECT 1", "SET default_collation = 'nocase'"])
def test_a_collation_of_duckdb_merges_no_labels(setting):
    from noisewise.tables.engines.engine_table import EngineTable

    connection = duckdb.connect()
    connection.execute(setting)
    connection.execute("CREATE TABLE t (x VARCHAR COLLATE NOCASE, p VARCHAR COLLATE NOCASE)")
    connection.execute("INSERT INTO t VALUES ('a', 'q'), ('A', 'Q'), ('a', 'q')")
    lazy = EngineTable(nw.from_native(connection.table("t")))
    assert lazy.labels("x", None).labels().counts(Labels.of(["A", "a", "b"])).tolist() == [1, 2, 0]
