"""A newcomer's code about three public tables works unchanged wherever the table is."""

from datetime import date
from pathlib import Path

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import noisewise as nws
from noisewise import ask

HERE = Path(__file__).parent / "data"
EXACT = 60
"""An epsilon for which every answer is nearly exact, so that a table that is read wrongly shows."""


def frame(name):
    """The table with types, as a newcomer's own program would have it."""
    return pl.read_csv(HERE / f"{name}.csv", try_parse_dates=True)


def on_spark(name):
    from tests.tables.spark import session

    return nws.Dataset(session().createDataFrame(frame(name).to_arrow()))


def in_duckdb(name):
    connection = duckdb.connect()
    connection.register("people", frame(name).to_arrow())
    return nws.Dataset(connection.table("people"))


def as_parquet(name, folder):
    pq.write_table(frame(name).to_arrow(), folder / "table.parquet")
    return nws.Dataset.scan(folder / "table.parquet")


TYPES = {"bike_hour": {"season": "number"}}
"""A text file has no types, so it must be declared that a column's keys are numbers."""

PLACES = {
    "pandas": lambda name, folder: nws.Dataset(pd.read_csv(HERE / f"{name}.csv", parse_dates=dates(name))),
    "polars": lambda name, folder: nws.Dataset(frame(name)),
    "arrow": lambda name, folder: nws.Dataset(pa.table(frame(name).to_arrow())),
    "duckdb": lambda name, folder: in_duckdb(name),
    "csv": lambda name, folder: nws.Dataset.scan(HERE / f"{name}.csv", types=TYPES.get(name)),
    "parquet": as_parquet,
    "spark": lambda name, folder: on_spark(name),
}


def dates(name):
    return ["dteday"] if name == "bike_hour" else []


@pytest.fixture(params=PLACES)
def place(request, tmp_path):
    return lambda name: PLACES[request.param](name, tmp_path)


def test_adult(place):
    people, truth = place("adult"), frame("adult")
    age = people.median("age", bounds=(0, 120), epsilon=EXACT, interval=0.95, with_count=True)
    assert abs(age.value - truth["age"].quantile(0.5, "lower")) <= 1
    assert age.interval.low <= age.value <= age.interval.high and abs(age.count - 400) < 9
    assert people.mean("hours-per-week", bounds=(0, 100), epsilon=EXACT).value == pytest.approx(
        truth["hours-per-week"].mean(), abs=0.1
    )
    women = people.proportion("sex", "Female", epsilon=EXACT)
    assert women.value == pytest.approx((truth["sex"] == "Female").mean(), abs=0.005)
    by = people.group_by("sex", keys=["Female", "Male", "Unknown"])
    answers = by.agg(
        epsilon=EXACT,
        n=ask.count(),
        oldest=ask.quantile("age", 0.9, bounds=(0, 120)),
        shares={"n": 1, "oldest": 3},
    )
    counts = [n for n, oldest in answers.about.value]
    assert counts == [*truth["sex"].value_counts()["count"].sort(), 0]
    assert answers.privacy.as_pure().epsilon == EXACT


@pytest.mark.round_trip
def test_abalone(place):
    shells, truth = place("abalone"), frame("abalone")
    rings = shells.histogram("Rings", [0, 8, 11, 30], epsilon=EXACT)
    assert sum(rings.value) == 300 and rings.value[0] == (truth["Rings"] < 8).sum()
    spread = shells.iqr("Rings", bounds=(0, 30), epsilon=EXACT)
    assert spread.value == truth["Rings"].quantile(0.75, "lower") - truth["Rings"].quantile(0.25, "lower")
    kinds = shells.count_distinct("Sex", ["F", "I", "M", "X"], epsilon=EXACT)
    assert kinds.value == 3
    weights = shells.std("whole_weight", bounds=(0, 4), epsilon=EXACT)
    assert weights.value == pytest.approx(truth["whole_weight"].std(ddof=0), abs=0.1)


def test_bike_hour(place):
    hours, truth = place("bike_hour"), frame("bike_hour")
    day = hours.median("dteday", bounds=(date(2010, 1, 1), date(2014, 1, 1)), epsilon=EXACT)
    assert pd.Timestamp(day.value).date() == truth["dteday"].sort()[199]
    rentals = hours.group_by("season", keys=[1, 2, 3, 4]).sum("cnt", bounds=(0, 2000), epsilon=EXACT)
    totals = truth.group_by("season").agg(pl.col("cnt").sum()).sort("season")["cnt"].to_list()
    assert [round(value / total, 1) for value, total in zip(rentals.about.value, totals, strict=True)] == [
        1
    ] * 4
