"""Polars: what its dialect makes of a column, and of names that it takes for patterns."""

from hashlib import sha256

import narwhals.stable.v2 as nw
import numpy as np
import polars as pl
import pytest

from noisewise.tables.engines import polars
from noisewise.tables.engines.polars import PolarsDialect


def lazy(**columns):
    return nw.from_native(pl.LazyFrame(columns))


def test_each_text_is_hashed_once(monkeypatch):
    hashed = []
    monkeypatch.setattr(polars, "sha256", lambda text: hashed.append(text) or sha256(text))
    numbers = polars._digest_numbers(pl.Series(["a", "", "ü", None, "a", "a"])).to_list()
    assert sorted(hashed) == [b"", b"a", "ü".encode()]
    assert numbers[0] == numbers[4] == int(sha256(b"a").hexdigest()[:15], 16) and numbers[3] is None
    assert polars._digest_numbers(pl.Series([None], dtype=pl.String)).to_list() == [None]


@pytest.mark.parametrize("rows", [0, 7, 50])
def test_bins_are_counted_in_batches_as_by_grouping(rows, monkeypatch):
    monkeypatch.setattr(polars, "TOGETHER", 8)  # so that a batch is counted in several parts
    distances = np.random.default_rng(rows).integers(-1, 41, rows).astype(np.float64)
    frame = nw.from_native(pl.LazyFrame({"d": distances}))
    for shift in (0, 3):
        inside = distances[distances >= 0].astype(np.int64) >> shift
        counts = PolarsDialect().bin_counts(frame, shift, 40 >> shift)
        assert counts.tolist() == np.bincount(inside, minlength=(40 >> shift) + 1).tolist()


def test_whatever_a_batch_holds_it_is_counted():
    frame = lazy(d=[None, float("nan"), -1e300, 1e300, float("inf"), float("-inf"), 2.0])
    assert PolarsDialect().bin_counts(frame, 0, 4).sum() <= 7


def test_batches_that_were_not_counted_once_are_grouped_instead(monkeypatch):
    """An engine is free to compute a column twice, or a part of it."""
    run = polars._run
    monkeypatch.setattr(polars, "_run", lambda frame: [run(frame), run(frame)][1])
    told = []
    dialect = PolarsDialect(progress=lambda *said: told.append(said))
    assert dialect.bin_counts(lazy(d=[0.0, 1.0, -1.0, 5.0, 5.0]), 1, 2).tolist() == [2, 0, 2]
    assert len(told) == 2  # one query, for whoever waits


def test_a_column_of_one_number_is_counted_in_full():
    frame = nw.from_native(pl.LazyFrame({"x": [3.0] * 5}).select("x", d=pl.lit(3.0)))
    assert PolarsDialect().bin_counts(frame, 1, 2).tolist() == [0, 5, 0]


def test_days_before_1970_are_rounded_down():
    frame = lazy(t=pl.Series([-1, 0, 86_400 * 10**9]).cast(pl.Datetime("ns")))
    days, per_day = PolarsDialect().ticks(frame, "t", "date")
    assert (PolarsDialect().arrays(days)[0].tolist(), per_day) == ([-1, 0, 1], 1)


def test_only_a_column_without_a_type_holds_nothing():
    frame = lazy(x=[None], y=[1.0])
    assert [PolarsDialect().holds_nothing(frame, name) for name in ("x", "y")] == [True, False]


@pytest.mark.parametrize(("name", "misread"), [("^a$", True), ("*", True), ("^a", False), ("a$", False)])
def test_patterns_are_no_names(name, misread):
    assert bool(PolarsDialect().misread_name(name)) is misread
