"""Columns of time behind an engine are the same microseconds as in memory, also beyond the calendar."""

from datetime import UTC, date, datetime, time, timedelta

import duckdb
import narwhals.stable.v2 as nw
import polars as pl
import pytest

from noisewise import Dataset
from noisewise.errors import SchemaError
from noisewise.tables.engines.engine_records import in_microseconds, key_in_time
from noisewise.tables.engines.engine_table import dialect_of
from noisewise.tables.frames import table_of
from noisewise.tables.time.clock import Clock, micros_of
from tests.tables.every_engine import ENGINES, lazily

DAYS = [date(2015, 1, 5), None, date(1899, 12, 31)]
MOMENTS = [datetime(2015, 1, 5, 23, 59, 59, 999999), None, datetime(1969, 12, 31, 1)]
ZONED = [None if moment is None else moment.replace(tzinfo=UTC) for moment in MOMENTS]
HOURS = [time(23, 59, 59, 999999), None, time(0)]
SPANS = [timedelta(days=1, microseconds=5), None, timedelta(days=-3)]
ON_SPARK = pl.DataFrame({'the "day"': DAYS, "moment": MOMENTS, "zoned": ZONED})
ELSEWHERE = ON_SPARK.with_columns(pl.Series("hour", HOURS), pl.Series("span", SPANS))


def read(lazy, name, kind):
    """What an engine reads, None where it is missing."""
    dialect = dialect_of(lazy)
    frame = in_microseconds(dialect, lazy, name, Clock(kind, kind))
    assert frame.collect_schema()[name] == nw.Float64
    rows = frame.select(name).to_native()
    fetched = {"Spark": "collect", "DuckDB": "fetchall", "Polars": "collect"}[dialect.name]
    found = getattr(rows, fetched)()
    return [row[0] for row in (found.rows() if dialect.name == "Polars" else found)]


def expected(records):
    return [None if record is None else float(micros_of(record)) for record in records]


@pytest.mark.parametrize("engine", ENGINES)
def test_engines_read_the_microseconds_that_are_read_in_memory(engine):
    lazy = lazily(engine, ON_SPARK)
    if engine == "spark":
        lazy = nw.from_native(
            lazy.to_native().withColumn("moment", lazy.to_native()["moment"].cast("timestamp_ntz"))
        )
    held = [dialect_of(lazy).holds(lazy, name) for name in ON_SPARK.columns]
    assert held == ["date", "datetime", "zoned"]
    assert read(lazy, 'the "day"', "date") == expected(DAYS)
    assert read(lazy, "moment", "datetime") == expected(MOMENTS)
    assert read(lazy, "zoned", "zoned") == expected(ZONED)
    assert read(lazy, "moment", "date") == expected([moment and moment.date() for moment in MOMENTS])


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_times_of_day_too(engine):
    lazy = lazily(engine, ELSEWHERE.drop("span"))
    assert dialect_of(lazy).holds(lazy, "hour") == "time"
    assert read(lazy, "hour", "time") == expected(HOURS)


def test_durations_are_read_by_polars():
    lazy = lazily("polars", ELSEWHERE)
    assert dialect_of(lazy).holds(lazy, "span") == "duration"
    assert read(lazy, "span", "duration") == expected(SPANS)


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_every_unit_is_read_as_in_memory(engine, unit):
    ticks = pl.Series("t", [1_420_502_399_123, -1, None, 0, -86_401, -(2**51)])
    if unit == "s":
        seconds = "SELECT make_timestamp(t::BIGINT * 1000000)::TIMESTAMP_S AS t"
        lazy = nw.from_native(duckdb.sql(f"{seconds} FROM (VALUES (1420502399), (-1), (NULL)) v(t)"))
        frame = pl.DataFrame({"t": pl.Series([1420502399, -1, None]) * 1000}).cast(pl.Datetime("ms"))
    else:
        frame = pl.DataFrame([ticks.cast(pl.Datetime(unit))])
        lazy = lazily(engine, frame)
    for kind in ("datetime", "date"):
        clock = Clock(kind, kind)
        in_memory = clock.read(nw.from_native(frame["t"], series_only=True)).tolist()
        assert read(lazy, "t", kind) == [None if micros != micros else micros for micros in in_memory]


@pytest.mark.parametrize("kind", ["date", "datetime"])
def test_infinite_dates_are_missing(kind):
    dated = "DATE" if kind == "date" else "TIMESTAMP"
    relation = duckdb.sql(f"SELECT unnest(['infinity', '-infinity', '1970-01-01'])::{dated} AS t")
    since = float(micros_of(date(1970, 1, 1)))
    assert read(nw.from_native(relation), "t", kind) == [None, None, since]


def test_days_beyond_the_calendar_are_read():
    relation = duckdb.sql("SELECT DATE '5877642-06-25 (BC)' AS t")
    (found,) = read(nw.from_native(relation), "t", "date")
    assert found == -2147483646 * 86_400_000_000.0 - micros_of(date(1970, 1, 1)) * -1.0


def test_an_interval_has_no_length():
    relation = nw.from_native(duckdb.sql("SELECT INTERVAL 1 MONTH AS t"))
    with pytest.raises(
        SchemaError, match="column 't' must be a number of seconds or the like, got an INTERVAL"
    ):
        dialect_of(relation).holds(relation, "t")


def test_a_time_of_day_with_a_zone_is_refused_before_the_debit():
    relation, paid = duckdb.sql("SELECT TIMETZ '08:30:00+01' AS t"), []

    class Purse:
        def debit(self, loss, **said):
            paid.append(loss)

    for ask in (
        lambda data: data.count("t", epsilon=1),
        lambda data: data.median("t", bounds=(time(0), time(12)), epsilon=1),
    ):
        with pytest.raises(
            SchemaError, match="column 't' must be a time of day without a time zone, got a TIME WITH"
        ):
            ask(Dataset(relation, ledger=Purse()))
    assert paid == []


def test_other_columns_hold_nothing_about_time():
    lazy = lazily("duckdb", pl.DataFrame({"x": [1], "s": ["a"]}))
    assert [dialect_of(lazy).holds(lazy, name) for name in ("x", "s")] == [None, None]
    assert table_of(pl.DataFrame({"x": [1]})).holds("x") is None


@pytest.mark.parametrize("engine", ENGINES)
def test_keys_are_whole_microseconds_since_1970(engine):
    lazy = lazily(engine, pl.DataFrame({"a 't": ZONED}))
    dialect = dialect_of(lazy)
    (found,) = dialect.arrays(key_in_time(dialect, lazy, "a 't", "zoned").filter(~nw.col("a 't").is_null()))
    since = datetime(1970, 1, 1, tzinfo=UTC)
    wanted = [(moment - since) // timedelta(microseconds=1) for moment in ZONED if moment is not None]
    assert sorted(found.tolist()) == sorted(wanted)
    assert found.dtype == "int64"


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_what_is_no_whole_microsecond_is_no_key(engine):
    ticks = pl.Series([-1000, -1, 0, 1, 999, 1000]).cast(pl.Datetime("ns"))
    lazy = lazily(engine, pl.DataFrame({"t": ticks}))
    dialect = dialect_of(lazy)
    keys = key_in_time(dialect, lazy, "t", "time").filter(~nw.col("t").is_null())
    assert sorted(dialect.arrays(keys)[0].tolist()) == [-1, 0, 1]


def test_keys_that_64_bits_cannot_hold_are_missing():
    lazy = lazily("polars", pl.DataFrame({"t": pl.Series([2**60, 5]).cast(pl.Datetime("ms"))}))
    assert key_in_time(dialect_of(lazy), lazy, "t", "time").to_native().collect().rows() == [
        (None,),
        (5000,),
    ]
    endless = nw.from_native(duckdb.sql("SELECT 'infinity'::TIMESTAMP AS t"))
    assert key_in_time(dialect_of(endless), endless, "t", "time").to_native().fetchall() == [(None,)]
