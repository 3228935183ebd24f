"""Keys behind an engine are found as in memory: the same keys, the same persons, the same choice."""

from datetime import UTC, date, datetime

import duckdb
import narwhals.stable.v2 as nw
import numpy as np
import polars as pl
import pytest

from noisewise.tables.engines.engine_table import EngineTable
from noisewise.tables.groups.key_counts import KeyCounts
from noisewise.tables.local import LocalTable
from noisewise.tables.people import Choice
from tests.tables.every_engine import ENGINES, table

RNG = np.random.default_rng(11)
ROWS = 400
FRAME = pl.DataFrame(
    {
        "p": [None if n == 0 else int(n) for n in RNG.integers(0, 60, ROWS)],
        "text": [None if n == 0 else f"k|{n}'\"ü" for n in RNG.integers(0, 9, ROWS)],
        "whole": RNG.integers(-4, 4, ROWS),
        "wide": pl.Series([2**64 - 1 - int(n) for n in RNG.integers(0, 5, ROWS)], dtype=pl.UInt64),
        "flag": RNG.random(ROWS) < 0.5,
        "day": [date(1969, 12, 30 + int(n)) for n in RNG.integers(0, 2, ROWS)],
        "zoned": [datetime(1969, 12, 31, 23, int(n), 0, 1, tzinfo=UTC) for n in RNG.integers(0, 6, ROWS)],
    }
)


def counted(found):
    return {key: n for key, n in zip(found.keys.listed(), found.persons.tolist(), strict=True) if n}


def in_memory(names, choice, most, frame=FRAME):
    local = LocalTable(nw.from_native(frame, eager_only=True))
    people = None if choice is None else local.people(choice)()
    return counted(KeyCounts.of(local.frame, names, people, choice, most))


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    "names", [("text",), ("whole",), ("wide",), ("flag",), ("day",), ("zoned",), ("text", "flag", "zoned")]
)
def test_the_same_keys_of_the_same_persons_as_in_memory(engine, names):
    behind = table(
        engine, FRAME.with_columns(pl.col("wide").cast(pl.Decimal(38, 0))) if engine == "spark" else FRAME
    )
    if engine == "spark" and names == ("wide",):
        pytest.skip("Spark has no integers above 2^63")
    few = engine == "spark" and names != ("text",)  # who is chosen does not depend on what is counted
    for most, salt in ((2, "t"),) if few else ((1, "s"), (2, "t"), (50, "u")):
        choice = Choice("p", most, None, salt)
        assert counted(behind.count_keys(names, choice, most)()) == in_memory(names, choice, most)
    assert counted(behind.count_keys(names, None, 1)()) == in_memory(names, None, 1)


@pytest.mark.parametrize("engine", ENGINES)
def test_fractions_that_are_no_keys_count_for_none(engine):
    numbers = [0.0, -0.0, float("nan"), float("inf"), -float("inf"), None, 0.5, 0.5, 1e308]
    frame = pl.DataFrame({"k": numbers, "p": range(9)})
    behind, choice = table(engine, frame), Choice("p", 1, None, "s")
    assert counted(behind.count_keys(("k",), None, 1)()) == {0.0: 2, 0.5: 2, 1e308: 1}
    assert counted(behind.count_keys(("k",), choice, 1)()) == {0.0: 2, 0.5: 2, 1e308: 1}


@pytest.mark.parametrize("engine", ENGINES)
def test_one_person_counts_for_so_many_keys_and_once_for_each(engine):
    frame = pl.DataFrame({"k": ["a", "a", "b", "c", "d"], "p": [1] * 5})
    for most in (1, 2, 3):
        found = counted(table(engine, frame).count_keys(("k",), Choice("p", 9, None, "s"), most)())
        assert len(found) == most and set(found.values()) == {1}


@pytest.mark.parametrize("engine", ENGINES)
def test_no_rows_have_no_keys(engine):
    empty = pl.DataFrame({"k": ["a"], "j": [1], "p": [1]}).clear()
    found = table(engine, empty).count_keys(("k", "j"), Choice("p", 1, None, "s"), 1)()
    assert (found.keys.columns, found.persons.tolist()) == (((), ()), [])


def test_days_and_times_that_python_does_not_have_are_no_keys():
    relation = duckdb.sql(
        "SELECT unnest([DATE '12000-01-01', 'infinity'::DATE, DATE '2024-01-01']) AS d, "
        "unnest([TIMESTAMP '12000-01-01', 'infinity'::TIMESTAMP, TIMESTAMP '2024-01-01']) AS t"
    )
    behind = EngineTable(nw.from_native(relation))
    assert counted(behind.count_keys(("d",), None, 1)()) == {date(2024, 1, 1): 1}
    assert counted(behind.count_keys(("t",), None, 1)()) == {datetime(2024, 1, 1): 1}


def test_whole_keys_beyond_64_bits_are_not_told():
    numbers = [2**100, -(2**100), 2**64, 2**64 - 1, -(2**63), 5, 5]
    lazy = pl.DataFrame({"k": pl.Series(numbers, dtype=pl.Int128), "p": range(7)}).lazy()
    listed = ", ".join(f"({number}::HUGEINT, {place})" for place, number in enumerate(numbers))
    relation = duckdb.connect().sql(f"SELECT * FROM (VALUES {listed}) AS t(k, p)")
    for frame in (lazy, relation):
        found = EngineTable(nw.from_native(frame)).count_keys(("k",), Choice("p", 1, None, "s"), 1)()
        assert counted(found) == {2**64 - 1: 1, -(2**63): 1, 5: 2}
