"""What makes no sense about time is refused by public facts, in words about time, before anything is paid."""

import json
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import pandas as pd
import polars as pl
import pytest

from noisewise.dataset.dataset import Dataset
from noisewise.errors import ParameterError, ParameterTypeError, SchemaError
from noisewise.questions.question import KINDS
from tests.every_question import CALLS

BOUNDS = {
    "date": (date(2010, 1, 1), date(2020, 1, 1)),
    "datetime": (datetime(2014, 1, 1), datetime(2016, 1, 1)),
    "zoned": (datetime(2014, 1, 1, tzinfo=UTC), datetime(2016, 1, 1, tzinfo=UTC)),
    "time": (time(6), time(12)),
    "duration": (timedelta(0), timedelta(hours=4)),
}
COLUMNS = {kind: list(pair) for kind, pair in BOUNDS.items()} | {"x": [1, 2]}
ALIKE = {name for name, kind in KINDS.items() if kind.capabilities.time.answer == "same"} - {"sum"}
APART = {name for name, kind in KINDS.items() if kind.capabilities.time.answer == "duration"}
STAFF = Dataset(pl.DataFrame(COLUMNS))


class Purse:
    """A ledger that refuses nothing and remembers what it was asked to pay."""

    def __init__(self):
        self.paid = []

    def debit(self, loss, **said):
        self.paid.append((loss, said))
        return "entry"


REFUSED = [
    ("median", "x", {"bounds": BOUNDS["date"]}, SchemaError, "bounds must be numbers, for the column 'x'"),
    ("median", "date", {"bounds": (0, 9)}, SchemaError, r"bounds must be dates, as date\(2000, 1, 1\), for"),
    ("median", "date", {}, SchemaError, "bounds must be dates"),
    ("median", "date", {"bounds": "private"}, SchemaError, "bounds must be dates"),
    ("median", "date", {"bounds": BOUNDS["datetime"]}, SchemaError, "bounds must be dates"),
    (
        "median",
        "datetime",
        {"bounds": BOUNDS["zoned"]},
        SchemaError,
        "bounds must be datetimes without a time zone",
    ),
    (
        "median",
        "zoned",
        {"bounds": BOUNDS["datetime"]},
        SchemaError,
        "bounds must be datetimes with a time zone",
    ),
    ("median", "zoned", {"bounds": BOUNDS["date"]}, SchemaError, "bounds must be datetimes with a time zone"),
    ("median", "duration", {"bounds": BOUNDS["time"]}, SchemaError, "bounds must be timedeltas"),
    ("median", "date", {"bounds": (date(2010, 1, 1), 7)}, ParameterTypeError, "bounds must both be dates"),
    (
        "median",
        "date",
        {"bounds": (date(2010, 1, 1), pd.NaT)},
        ParameterTypeError,
        "bounds must both be dates",
    ),
    (
        "median",
        "date",
        {"bounds": BOUNDS["date"][::-1]},
        ParameterError,
        "lowest < highest, got .2020-01-01, 2010",
    ),
    (
        "median",
        "date",
        {"bounds": BOUNDS["date"], "granularity": 7},
        ParameterTypeError,
        "granularity must be a timed",
    ),
    (
        "median",
        "x",
        {"bounds": (0, 9), "granularity": timedelta(1)},
        ParameterTypeError,
        "granularity must be a numb",
    ),
    (
        "mean",
        "date",
        {"bounds": BOUNDS["date"], "granularity": timedelta(hours=1)},
        ParameterError,
        "whole days",
    ),
    (
        "median",
        "time",
        {"bounds": BOUNDS["time"], "granularity": timedelta(days=1)},
        ParameterError,
        "to 3:00:00",
    ),
    (
        "median",
        "time",
        {"bounds": BOUNDS["time"], "granularity": timedelta(0)},
        ParameterError,
        "from 0:00:00.000001",
    ),
    ("variance", "date", {"bounds": BOUNDS["date"]}, SchemaError, "squares of time; ask for std"),
    ("sum", "date", {"bounds": BOUNDS["date"]}, SchemaError, "do not add up; ask for the mean"),
    ("gini", "date", {"bounds": BOUNDS["date"]}, SchemaError, "points in time have none"),
    ("proportion", "date", {}, SchemaError, "it wants True and False"),
    ("private_bounds", "date", {}, SchemaError, "give bounds that you know"),
    ("histogram", "date", {"bins": [0, 1]}, SchemaError, "give bins whose edges are dates or times"),
]


@pytest.mark.parametrize(("question", "column", "asked", "error", "words"), REFUSED)
def test_what_makes_no_sense_is_refused_before_the_debit(question, column, asked, error, words):
    purse = Purse()
    with pytest.raises(error, match=words):
        getattr(Dataset(pl.DataFrame(COLUMNS), ledger=purse), question)(column, epsilon=1, **asked)
    assert purse.paid == []


def test_pairs_of_columns_want_numbers():
    with pytest.raises(SchemaError, match="pearson must be asked of numbers, got the column 'date' of dates"):
        STAFF.pearson("date", "x", bounds=((0, 1), (0, 1)), epsilon=1)
    with pytest.raises(SchemaError, match="bounds must be numbers for pearson, got dates"):
        STAFF.pearson("x", "x", bounds=BOUNDS["date"], epsilon=1)


@pytest.mark.parametrize("question", sorted(ALIKE | APART | {"sum"}))
@pytest.mark.parametrize(
    "bounds", [(timedelta(0), timedelta(hours=4)), (timedelta(hours=-9), timedelta(hours=-7))]
)
def test_the_coarsest_and_the_finest_granularity_are_those_that_the_error_names(question, bounds):
    """Whatever passes the clock passes the lattice, so no error speaks of microseconds."""
    with pytest.raises(ParameterError, match="granularity must be from") as caught:
        getattr(STAFF, question)(
            "duration", *CALLS[question].arguments, bounds=bounds, epsilon=60, granularity=timedelta.max
        )
    coarsest = str(caught.value).partition(" to ")[2].partition(" between")[0]
    hours, minutes, seconds = map(int, coarsest.split(":"))
    for step in (timedelta(hours=hours, minutes=minutes, seconds=seconds), timedelta(microseconds=1)):
        asked = {"bounds": bounds, "epsilon": 60, "granularity": step}
        assert getattr(STAFF, question)("duration", *CALLS[question].arguments, **asked).granularity == step


@pytest.mark.parametrize("lazy", [False, True])
def test_dates_are_counted_between_edges_that_are_dates(lazy):
    days = [date(2020, 1, 1) + timedelta(days=30 * month) for month in range(24)]
    frame = pl.DataFrame({"d": [*days, None], "at": [datetime(2020, 12, 31, 23)] * 25, "n": [1] * 25})
    data = Dataset(frame.lazy() if lazy else frame)
    edges = [date(2020, 1, 1), date(2021, 1, 1), date(2022, 1, 1)]
    release = data.histogram("d", edges, epsilon=60)
    assert (
        release.value
        == (13, 11)
        == data.group_by("n", keys=[1]).histogram("d", bins=edges, epsilon=60).value[0]
    )
    assert "bins [2020-01-01, 2021-01-01); [2021-01-01, 2022-01-01]" in str(release)
    assert data.histogram("at", edges, epsilon=60).value == (25, 0)
    for column, bins, says in (
        ("n", edges, "bins must be numbers, for the column 'n', got dates"),
        (
            "d",
            [0, 1],
            "histogram must be asked of numbers, got the column 'd' of dates: give bins whose edges are",
        ),
        ("d", edges[::-1], "bins must have edges that rise"),
        ("d", [edges[0], timedelta(1)], "bins must all be dates, datetimes, times of day or durations"),
    ):
        with pytest.raises((SchemaError, ParameterError, ParameterTypeError), match=says):
            data.histogram(column, bins, epsilon=1)


def test_an_interval_of_dates_has_dates_for_ends() -> None:
    """In Python, and as text in what JSON holds; in groups as well."""
    days = [date(2020, 1, 1) + timedelta(days=k) for k in range(400)]
    data = Dataset(pl.DataFrame({"at": days, "key": ["a", "b"] * 200}))
    asked: Any = {"bounds": (date(2019, 1, 1), date(2023, 1, 1)), "epsilon": 8, "interval": 0.9}
    for release in (data.median("at", **asked), data.mean("at", **asked)):
        assert release.interval is not None
        low, high = release.interval
        assert low < release.value < high and type(low) is date
        told = json.loads(json.dumps(release.to_dict()))["interval"]
        assert (told["low"], told["high"]) == (low.isoformat(), high.isoformat())
    ends = data.group_by("key", keys=["a", "b"]).mean("at", **asked).ends
    assert {type(end) for side in ends.values() for end in side} == {date}
