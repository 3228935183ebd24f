"""Distances as numbers and as durations."""

from datetime import date, datetime, timedelta

import numpy as np
import pytest

from noisewise.planning.distances import about, distance, in_unit, micros_of_column, unit_of, up
from noisewise.tables.time.clock import Clock, micros_of

DAYS = Clock("date", "date")


def test_microseconds_become_durations_rounded_up():
    assert distance(1.2, DAYS) == timedelta(microseconds=2)
    assert distance(1.2, None) == 1.2 and distance(None, DAYS) is None
    assert distance(1.2, Clock("date", None)) == 1.2
    assert distance(float("inf"), DAYS) == timedelta.max // timedelta(microseconds=1) * timedelta(
        microseconds=1
    )


@pytest.mark.parametrize(
    ("far", "said"),
    [
        (2.4567, "2.46"),
        (timedelta(days=26, hours=21), "26.9 days"),
        (timedelta(days=1), "1 day"),
        (timedelta(hours=30), "1.25 days"),
        (timedelta(minutes=90), "1.5 hours"),
        (timedelta(microseconds=500), "0.5 milliseconds"),
        (timedelta(0), "0"),
    ],
)
def test_a_distance_in_the_largest_unit(far, said):
    assert up(far) == said


def test_signs_and_units():
    assert about(-2.5, signed=True) == "-2.5" and about(timedelta(hours=-5), signed=True) == "-5 hours"
    unit = unit_of([timedelta(hours=1), timedelta(days=3), None])
    assert unit is not None and unit[0] == "day" and in_unit(timedelta(hours=12), unit) == 0.5
    assert unit_of([1.0, None]) is None and in_unit(3, None) == 3


def test_public_columns_in_time():
    first = date(2020, 1, 1)
    found = micros_of_column([first, None, datetime(2020, 1, 2)])
    assert found[0] == micros_of(first) and np.isnan(found[1]) and found[2] - found[0] == 86_400_000_000
    assert np.array_equal(
        micros_of_column(np.array(["2020-01-01", "NaT"], "M8[ns]")),
        [micros_of(first), np.nan],
        equal_nan=True,
    )
    assert micros_of_column(np.array([3], "m8[s]")).tolist() == [3_000_000]
    numbers = [1, 2]
    assert micros_of_column(numbers) is numbers and micros_of_column(range(3)) == range(3)
