"""A single record at the end of the calendar: whatever it is, every question about it is answered, as in memory."""

from datetime import UTC, date, datetime, time, timedelta

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import noisewise as nws
from noisewise import Dataset, SchemaError
from noisewise.dataset.methods import data_of
from noisewise.dataset.timed import translate
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.tables.frames import table_of
from noisewise.tables.groups.key_counts import KeyCounts
from noisewise.tables.local import LocalTable
from noisewise.tables.people import Choice
from tests.payable import question_of
from tests.tables.every_engine import LOCAL

HELD = {
    "DATE": pa.date32(),
    "TIMESTAMP_S": pa.timestamp("s"),
    "TIMESTAMP_MS": pa.timestamp("ms"),
    "TIMESTAMP": pa.timestamp("us"),
    "TIMESTAMP_NS": pa.timestamp("ns"),
    "TIMESTAMPTZ": pa.timestamp("us", "UTC"),
    "TIME": pa.time64("us"),
    "DURATION": pa.duration("us"),
    "DURATION_NS": pa.duration("ns"),
}
ON = [(engine, held) for engine in LOCAL for held in HELD if (engine, held[:8]) != ("duckdb", "DURATION")]
DAILY = {"DATE": 1, "TIMESTAMP_S": 86400, "TIMESTAMP_MS": 86400 * 10**3, "TIMESTAMP_NS": 86400 * 10**9}
BOUNDS = {
    "DATE": (date(1960, 1, 1), date(2030, 1, 1)),
    "TIMESTAMPTZ": (datetime(1960, 1, 1, tzinfo=UTC), datetime(2030, 1, 1, tzinfo=UTC)),
    "TIME": (time(0), time(12)),
    "DURATION": (timedelta(0), timedelta(12)),
    "DURATION_NS": (timedelta(0), timedelta(12)),
}
KEYLESS = ("TIME", "DURATION", "DURATION_NS")
NAIVE = (datetime(1960, 1, 1), datetime(2030, 1, 1))
EPOCH = {"DATE": date(1970, 1, 1), "TIMESTAMPTZ": datetime(1970, 1, 1, tzinfo=UTC)}
LATTICE = Lattice.between((0, 100))
FIRST, LAST = (
    date.min.toordinal() - date(1970, 1, 1).toordinal(),
    date.max.toordinal() - date(1970, 1, 1).toordinal(),
)


def far(declared):
    """Numbers at the ends of 64 bits (32 for dates), of Python's calendar, and around 0."""
    bits, daily = (31 if declared == "DATE" else 63), DAILY.get(declared, 86400 * 10**6)
    edges = [FIRST * daily, FIRST * daily - 1, (LAST + 1) * daily - 1, (LAST + 1) * daily]
    found = [-(2**bits), -(2**bits) + 2, -(2**bits) + 5, 2**bits - 3, 2**bits - 2, -1, 0, 1, *edges]
    found += [9_300_000_000_000_000, -9_300_000_000_000_000, 9_223_372_036_855, 999, -999]
    return [tick for tick in found if -(2**bits) <= tick < 2**bits]


def endless(declared):
    """Infinity: in DuckDB it is missing."""
    most = 2**31 - 1 if declared == "DATE" else 2**63 - 1
    return [] if declared == "TIME" else [most, -most]


def arrow(declared, ticks):
    held = pa.array(ticks, pa.int32() if declared == "DATE" else pa.int64()).view(HELD[declared])
    return pa.table({"t": held, "x": list(range(len(ticks))), "p": list(range(len(ticks)))})


def behind(engine, table):
    return pl.from_arrow(table).lazy() if engine == "polars" else duckdb.connect().from_arrow(table)


def envelope(frame, declared, days=False):
    """The law of the median of the times."""
    bounds = BOUNDS.get(declared, NAIVE)
    if days:
        bounds = tuple(bound.date() for bound in bounds)
    timed = translate(
        question_of(nws.median, "t", bounds=bounds, epsilon=1, mechanism="piecewise_laplace"),
        Dataset(frame)._table,
    )
    found = timed.question.bind(data_of(timed.question, timed.table, None)).look().envelope
    return found.lower.tolist(), found.upper.tolist(), found.support


def keys_found(frame):
    choice, table = Choice("p", 1, None, "salt"), table_of(frame)
    if isinstance(table, LocalTable):
        told = KeyCounts.of(table.frame, ("t",), table.people(choice)(), choice, 1)
    else:
        told = table.count_keys(("t",), choice, 1)()
    return sorted(zip(told.keys.listed(), told.persons.tolist(), strict=True))


def chosen(frame):
    """The records that take part where the times name people: the choice is that of their names."""
    column = table_of(frame).column("x", Choice("t", 1, None, "salt"), "median")
    return column.read(LATTICE, "add_remove").ordered().tolist()


def check_alike(engine, declared, ticks):
    """Every question is answered as in memory; what is infinite is missing there, but names a person."""
    here, there = arrow(declared, ticks), behind(engine, arrow(declared, ticks))
    if engine == "polars":
        here = there.collect()
    seen = here
    if engine == "duckdb":
        seen = arrow(declared, [None if tick in endless(declared) else tick for tick in ticks])
    assert envelope(there, declared) == envelope(seen, declared)
    if declared.startswith("TIMESTAMP") and declared != "TIMESTAMPTZ":
        assert envelope(there, declared, days=True) == envelope(seen, declared, days=True)
    assert counted(there) == counted(seen)
    if declared not in KEYLESS:
        keys = [EPOCH.get(declared, datetime(1970, 1, 1))]
        assert counted(there, keys) == counted(seen, keys)
        assert keys_found(there) == keys_found(seen)
        assert chosen(there) == chosen(here)


@pytest.mark.rest
@pytest.mark.parametrize(("engine", "declared"), ON)
def test_all_numbers_that_a_type_can_hold_are_read_as_in_memory(engine, declared):
    check_alike(engine, declared, [None, *far(declared), *endless(declared), 0, 3, *far(declared)])


@pytest.mark.parametrize(("engine", "declared"), ON)
def test_neighbours_with_and_without_the_farthest_record_are_both_answered(engine, declared):
    for tick in [None, *far(declared)[:2], far(declared)[4]]:
        check_alike(engine, declared, [0, 3, 3, tick])


def counted(frame, keys=None):
    dataset = Dataset(frame)
    asked = (
        dataset.count("t", epsilon=64) if keys is None else dataset.group_by("t", keys=keys).count(epsilon=64)
    )
    return asked.value


@pytest.mark.parametrize("engine", LOCAL)
def test_only_whole_microseconds_are_keys(engine):
    there = behind(engine, arrow("TIMESTAMP_NS", [0, 1, 999, 1000]))
    assert counted(there, [datetime(1970, 1, 1)]) == (1,)
    assert keys_found(there) == [(datetime(1970, 1, 1), 1), (datetime(1970, 1, 1, 0, 0, 0, 1), 1)]


@pytest.mark.parametrize("declared", ["TIMESTAMP", "TIMESTAMP_MS", "TIMESTAMP_S"])
def test_the_database_survives_people_at_the_end_of_the_calendar(declared):
    connection = duckdb.connect()
    relation = connection.from_arrow(arrow(declared, [0, -(2**63) + 5, 2**62, 2**62 + 1]))
    assert Dataset(relation, unit="t").count(epsilon=64).value == 4
    assert connection.sql("SELECT 1").fetchall() == [(1,)]


def test_intervals_are_refused_before_anything_is_paid():
    relation = duckdb.sql("SELECT INTERVAL 1 MONTH AS t")
    for ask in (
        lambda: Dataset(relation).median("t", bounds=(timedelta(0), timedelta(1)), epsilon=1),
        lambda: Dataset(relation).count("t", epsilon=1),
        lambda: Dataset(relation).group_by("t", keys=[1]),
        lambda: Dataset(relation, unit="t").count(epsilon=1),
    ):
        with pytest.raises(SchemaError):
            ask()


@pytest.mark.parametrize("where", ["pandas", "polars", "arrow", *(f"lazy {engine}" for engine in LOCAL)])
def test_times_of_day_and_durations_name_nobody(where):
    held = [[time(1), time(2)], [timedelta(1), timedelta(2)]]
    for people in held:
        frame = pl.DataFrame({"p": people, "x": [1, 2]})
        if where.startswith("lazy"):
            given = behind(where.split()[1], frame.to_arrow())
        else:
            arrow_backed = frame.to_pandas(use_pyarrow_extension_array=True)
            given = {"polars": frame, "arrow": frame.to_arrow(), "pandas": arrow_backed}[where]
        message = "^unit must be a column of text, numbers, booleans or dates, got column 'p' of type"
        with pytest.raises(SchemaError, match=message):
            Dataset(given, unit="p").count(epsilon=1)


@pytest.mark.parametrize("unit", ["s", "ms"])
@pytest.mark.parametrize("library", ["PyArrow", "pandas of Arrow"])
def test_far_times_with_a_zone_are_answered_from_the_frame_itself(library, unit):
    """A relation of DuckDB over such a frame fails while it reads, before any expression of ours sees a record."""
    bounds = (datetime(2000, 1, 1, tzinfo=UTC), datetime(2030, 1, 1, tzinfo=UTC))
    for far in ([], [2**62], [-(2**62)]):
        moments = pa.array([10**9 * (1000 if unit == "ms" else 1)] * 50 + far, pa.int64())
        frame = pa.table({"t": moments.cast(pa.timestamp(unit, "UTC"))})
        given = frame if library == "PyArrow" else frame.to_pandas(types_mapper=pd.ArrowDtype)
        found = Dataset(given).median("t", bounds=bounds, granularity=timedelta(days=1), epsilon=60)
        assert abs(found.value - datetime(2001, 9, 9, tzinfo=UTC)) < timedelta(days=9)
