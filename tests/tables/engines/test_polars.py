"""Polars: what its dialect makes of a column, and of names that it takes for patterns."""

from hashlib import sha256

import narwhals.stable.v2 as nw
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
