"""Times on Spark: whatever the clock of the session, and at the ends of 64 bits, what is read is what memory reads."""

from datetime import UTC, date, datetime

import numpy as np
import pyarrow as pa
import pytest

from noisewise import Dataset
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.tables.frames import table_of
from noisewise.tables.people import Choice
from tests.tables.spark import session
from tests.tables.test_far_times import counted, envelope, far, keys_found

SCHEMAS = {"DATE": "t date", "TIMESTAMP": "t timestamp_ntz", "TIMESTAMPTZ": "t timestamp"}
HELD = {"DATE": pa.date32(), "TIMESTAMP": pa.timestamp("us"), "TIMESTAMPTZ": pa.timestamp("us", "UTC")}
EPOCH = {"DATE": date(1970, 1, 1), "TIMESTAMP": datetime(1970, 1, 1)}
EPOCH |= {"TIMESTAMPTZ": datetime(1970, 1, 1, tzinfo=UTC)}
LATTICE = Lattice.between((0, 100))
FORWARD, AFTER = 1_711_852_200_000_000, 1_711_855_800_000_000
"""Half past two and half past three, on the night of 2024 in which clocks in Berlin went from two to three."""


@pytest.fixture(params=["UTC", "Europe/Berlin"])
def clock(request):
    before = session().conf.get("spark.sql.session.timeZone")
    session().conf.set("spark.sql.session.timeZone", request.param)
    yield request.param
    session().conf.set("spark.sql.session.timeZone", before)


def both(declared, ticks):
    """A table here and there."""
    held = pa.array(ticks, pa.int32() if declared == "DATE" else pa.int64()).view(HELD[declared])
    table = pa.table({"t": held, "x": np.arange(len(ticks)), "p": np.arange(len(ticks))})
    return table, session().createDataFrame(table, schema=f"{SCHEMAS[declared]}, x long, p long")


@pytest.mark.parametrize("declared", SCHEMAS)
def test_every_number_is_read_as_in_memory_whatever_the_clock(declared, clock):
    ends = [2**31 - 1, -(2**31)] if declared == "DATE" else [2**63 - 1, -(2**63) + 1, FORWARD, AFTER]
    here, there = both(declared, [None, *far(declared), *ends, 0, 3, *far(declared)])
    assert envelope(there, declared) == envelope(here, declared)
    assert counted(there) == counted(here)
    assert counted(there, [EPOCH[declared]]) == counted(here, [EPOCH[declared]])
    assert keys_found(there) == keys_found(here)
    assert chosen_people(there) == chosen_people(here)
    if declared == "TIMESTAMP":
        assert envelope(there, declared, days=True) == envelope(here, declared, days=True)


def chosen_people(frame):
    column = table_of(frame).column("x", Choice("t", 1, None, "salt"), "median")
    found = column.read(LATTICE, "add_remove")
    return found.ranks(1, found.count + 1).tolist()


def test_an_hour_that_a_clock_leaves_out_is_one_of_its_own(clock):
    _, there = both("TIMESTAMP", [FORWARD, AFTER])
    moments = [datetime(2024, 3, 31, 2, 30), datetime(2024, 3, 31, 3, 30)]
    assert counted(there, moments) == (1, 1)
    assert Dataset(there, unit="t").count(epsilon=64).value == 2


@pytest.mark.parametrize("clock", ["Europe/Berlin"], indirect=True)
@pytest.mark.parametrize("declared", SCHEMAS)
def test_neighbours_with_and_without_the_farthest_record_are_both_answered(declared, clock):
    for far_away in (None, far(declared)[0], far(declared)[4]):
        here, there = both(declared, [0, 3, far_away])
        assert envelope(there, declared) == envelope(here, declared)
        assert Dataset(there, unit="t").count(epsilon=64).value == (2 if far_away is None else 3)
