"""Ticks: every library's dates, times and durations are read exactly, and told apart by declared type alone."""

from datetime import UTC, date, datetime, time, timedelta

import narwhals.stable.v2 as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from noisewise.tables.time.ticks import DAILY, held_as, held_in_memory, ticks_of, whole_numbers

UNITS = ("s", "ms", "us", "ns")
DAYS = [date(2020, 1, 2), None, date(1900, 3, 4)]
MOMENTS = [datetime(2020, 1, 2, 3, 4, 5), None, datetime(1900, 1, 1)]
HOURS = [time(1, 2, 3), None, time(23, 59, 59)]
SPANS = [timedelta(days=1, seconds=5), None, timedelta(days=-3)]


def series(kind):
    """The same records in every type that holds that kind."""
    zone = "Europe/Berlin"
    if kind == "date":
        yield pl.Series(DAYS)
        for dtype in (pa.date32(), pa.date64()):
            yield pa.chunked_array([pa.array(DAYS, dtype)])
            yield pd.Series(DAYS, dtype=pd.ArrowDtype(dtype))
    if kind == "time":
        yield pl.Series(HOURS)
        for dtype in (pa.time32("s"), pa.time32("ms"), pa.time64("us"), pa.time64("ns")):
            array = pa.array(HOURS, dtype)
            yield pa.chunked_array([array])
            yield pd.Series(array, dtype=pd.ArrowDtype(dtype))
    for unit in UNITS if kind in ("datetime", "zoned", "duration") else ():
        records, letter = (SPANS, "m") if kind == "duration" else (MOMENTS, "M")
        plain = pd.Series(np.array(records, f"{letter}8[us]").astype(f"{letter}8[{unit}]"))
        if kind == "zoned":
            plain = plain.dt.tz_localize("UTC").dt.tz_convert(zone)
        yield plain
        dtype = (
            pa.duration(unit) if kind == "duration" else pa.timestamp(unit, zone if kind == "zoned" else None)
        )
        array = pa.array(np.array(records, f"{letter}8[us]")).cast(
            pa.duration(unit) if letter == "m" else pa.timestamp(unit)
        )
        array = array.cast(dtype)
        yield pa.chunked_array([array])
        yield pd.Series(array, dtype=pd.ArrowDtype(dtype))
        if unit != "s":
            yield pl.Series(array)


EXPECTED = {
    "date": [(day - date(1970, 1, 1)) / timedelta(days=1) for day in (DAYS[0], DAYS[2])],
    "datetime": [(moment - datetime(1970, 1, 1)) / timedelta(days=1) for moment in (MOMENTS[0], MOMENTS[2])],
    "time": [(3723) / 86400, 86399 / 86400],
    "duration": [span / timedelta(days=1) for span in (SPANS[0], SPANS[2])],
}
EXPECTED["zoned"] = EXPECTED["datetime"]


@pytest.mark.parametrize("kind", EXPECTED)
def test_every_type_of_a_kind_is_read_alike(kind):
    for native in series(kind):
        found = nw.from_native(native, series_only=True)
        assert held_in_memory(found) == kind, native
        ticks, missing, unit = ticks_of(found)
        assert missing.tolist() == [False, True, False]
        assert ticks.dtype == np.int64
        days = [int(tick) / DAILY[unit] for tick in ticks[~missing]]
        assert days == pytest.approx(EXPECTED[kind], rel=1e-15), native


@pytest.mark.parametrize("dtype", [pl.Date, pl.Datetime("ms"), pl.Datetime("us", "UTC"), pl.Duration("ms")])
def test_what_is_beyond_the_calendar_is_a_number_like_any_other(dtype):
    width, tick = (pl.Int32, 2**30) if dtype == pl.Date else (pl.Int64, 2**62)
    found = nw.from_native(pl.Series([tick, -tick, None], dtype=width).cast(dtype), series_only=True)
    ticks, missing, _ = ticks_of(found)
    assert ticks[:2].tolist() == [tick, -tick] and missing.tolist() == [False, False, True]


@pytest.mark.parametrize(
    "records", [["a"], [1, None], [1.5], [True], pd.Categorical(["a"]), pd.period_range("2020", periods=1)]
)
def test_other_columns_hold_nothing_about_time(records):
    assert held_in_memory(nw.from_native(pd.Series(records), series_only=True)) is None


def test_a_column_of_objects_is_not_looked_at():
    class Shy:
        """narwhals tells the dtype of objects by looking at them."""

        dtype = property(lambda self: pytest.fail("looked"))

        def to_native(self):
            return pd.Series(DAYS, dtype=object)

    assert held_in_memory(Shy()) == "object"
    assert held_in_memory(nw.from_native(pa.chunked_array([pa.nulls(1)]), series_only=True)) is None


def test_types_as_engines_declare_them():
    assert [
        held_as(dtype) for dtype in (nw.Date(), nw.Time(), nw.Duration("us"), nw.Int64(), nw.String())
    ] == [
        "date",
        "time",
        "duration",
        None,
        None,
    ]
    assert held_as(nw.Datetime("us")) == "datetime" and held_as(nw.Datetime("us", UTC)) == "zoned"


@pytest.mark.parametrize(
    "make", [pl.Series, lambda x: pa.chunked_array([pa.array(x)]), lambda x: pd.Series(x, dtype="Int64")]
)
def test_whole_numbers_stay_exact_beside_a_missing_one(make):
    found, missing = whole_numbers(nw.from_native(make([2**53 + 1, None, -(2**63)]), series_only=True))
    assert found.tolist() == [2**53 + 1, 0, -(2**63)] and missing.tolist() == [False, True, False]


def test_whole_numbers_without_a_sign_stay_exact_too():
    for made in (pd.Series([2**64 - 1, None], dtype="UInt64"), pl.Series([2**64 - 1, None], dtype=pl.UInt64)):
        assert whole_numbers(nw.from_native(made, series_only=True))[0].tolist() == [2**64 - 1, 0]
