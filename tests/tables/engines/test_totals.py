"""Totals of people by an engine: the very indices that memory computes."""

import math

import narwhals.stable.v2 as nw
import numpy as np
import polars as pl
import pytest

from noisewise.kernel.numbers.lattice import Lattice
from noisewise.tables.groups.keys import Keys
from noisewise.tables.local import LocalTable
from noisewise.tables.people import Choice
from noisewise.tables.totals import RULES, Total
from tests.tables.every_engine import ENGINES, LOCAL, table
from tests.tables.test_totals import HOSTILE, LATTICES

KEYS = Keys.of(("dept",), ["C", "A", "Z", "B"])


def frame(seed, rows=150):
    rng = np.random.default_rng(seed)
    some = [*HOSTILE, None, math.nan, *rng.normal(50, 30, 30), *np.arange(12) / 4]
    who = [None if i == 0 else f"p{i}é" for i in rng.integers(0, 40, rows).tolist()]
    who[:4] = ["crowd"] * 4  # people with few rows and with many
    return pl.DataFrame(
        {
            "x": pl.Series([some[i] for i in rng.integers(0, len(some), rows)], dtype=pl.Float64),
            "dept": rng.choice(["A", "B", "C", "D"], rows).tolist(),
            "id": [*who[: rows // 2], *["crowd" if i % 2 else "p1é" for i in range(rows - rows // 2)]],
            "whole": pl.Series(rng.integers(-(2**63), 2**63 - 1, rows), dtype=pl.Int64),
        }
    )


def found(asked, name, lattice, rule):
    """The totals of all people, and of people in groups, at most two of each."""
    column = asked.column(name, Choice("id", 1, None, "salt", total=Total(rule)), "median")
    whole = column.read(lattice, "add_remove")
    groups = asked.grouped(name, KEYS, Choice("id", 2, None, "salt", total=Total(rule)))
    read = groups.read(lattice, "add_remove")
    counts = read.counts
    return (
        whole.ranks(1, whole.count + 1).tolist(),
        read.ranks(np.ones_like(counts), counts + 1).tolist(),
        counts.tolist(),
    )


def alike(engine, data, lattices, names=("x", "whole")):
    for lattice in lattices:
        for rule in RULES:
            for name in names:
                here = found(LocalTable(nw.from_native(data)), name, lattice, rule)
                assert found(table(engine, data), name, lattice, rule) == here


@pytest.mark.parametrize("engine", LOCAL)
@pytest.mark.parametrize(
    "lattice", [LATTICES[0], *(pytest.param(each, marks=pytest.mark.rest) for each in LATTICES[1:])]
)
def test_totals_are_those_of_memory(engine, lattice):
    alike(engine, frame(LATTICES.index(lattice)), [lattice])


@pytest.mark.parametrize("engine", [*ENGINES, "postgres"])
def test_every_engine_has_the_same_totals(engine):
    alike(engine, frame(99), LATTICES[:1], ["x"])


@pytest.mark.parametrize("engine", ENGINES)
def test_a_table_without_totals_has_none(engine):
    data = frame(1).with_columns(id=pl.lit(None, pl.String))
    for nobody in (data, frame(1).clear(), frame(1).with_columns(x=pl.lit(None, pl.Float64))):
        for rule in RULES:
            assert found(table(engine, nobody), "x", LATTICES[0], rule) == ([], [], [0] * 4)


@pytest.mark.parametrize("engine", LOCAL)
def test_a_mean_of_any_number_of_rows_is_exact(engine):
    """A single person with n equal rows, for each n up to 200: a quotient that is off by one would show."""
    lattice = Lattice.between((0, 10), 1)
    choice = Choice("id", 1, None, "salt", total=Total("mean"))
    rows = [(f"p{n}", 3.0) for n in range(1, 120) for _ in range(n)]
    data = pl.DataFrame(rows, schema=["id", "x"], orient="row")
    read = table(engine, data).column("x", choice, "median").read(lattice, "add_remove")
    assert read.ranks(1, read.count + 1).tolist() == [3] * 119
    for n in (49, 98, 103, 107):
        one = table(engine, data.filter(pl.col("id") == f"p{n}")).column("x", choice, "median")
        assert one.read(lattice, "add_remove").ranks(1, 2).tolist() == [3]
