"""Polars: what its dialect makes of a column, and of names that it takes for patterns."""

import struct
from hashlib import sha256

import narwhals.stable.v2 as nw
import polars as pl
import pytest

from noisewise.tables.engines.polars import PolarsDialect


def lazy(**columns):
    return nw.from_native(pl.LazyFrame(columns))


def test_fingerprints_are_bits_and_first_bytes():
    numbers, texts = [1.5, -0.0, 5e-324], ["a", "", "ü"]
    (found,) = PolarsDialect().arrays(PolarsDialect().fingerprints(lazy(d=numbers)).select("fingerprint"))
    assert found.tolist() == [struct.unpack("<q", struct.pack("<d", number))[0] for number in numbers]
    (found,) = PolarsDialect().arrays(PolarsDialect().fingerprints(lazy(d=texts)).select("fingerprint"))
    digests = [sha256(text.encode()).digest()[:8] for text in texts]
    assert found.tolist() == [int.from_bytes(digest, "big", signed=True) for digest in digests]


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
