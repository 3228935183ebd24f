"""Dates, times and durations: asked by the type of the bounds, answered in it, and refused before anything is paid."""

import json
from datetime import UTC, date, datetime, time, timedelta, timezone
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import noisewise as nws
from noisewise.dataset.dataset import Dataset
from noisewise.dataset.methods import data_of
from noisewise.dataset.timed import translate
from noisewise.questions.question import KINDS
from noisewise.tables.time.clock import Clock, iso, kind_of, micros_of, spoken
from tests.every_question import CALLS
from tests.payable import question_of

DAYS = [date(2015, 1, 5) + timedelta(days=i) for i in range(101)]
MOMENTS = [datetime(2015, 1, 5) + timedelta(hours=i) for i in range(101)]
ZONED = [moment.replace(tzinfo=UTC) for moment in MOMENTS]
HOURS = [time(8 + i // 60, i % 60) for i in range(101)]
SPANS = [timedelta(minutes=i) for i in range(101)]
COLUMNS = {
    "date": DAYS,
    "datetime": MOMENTS,
    "zoned": ZONED,
    "time": HOURS,
    "duration": SPANS,
    "x": list(range(101)),
}
BOUNDS = {
    "date": (date(2010, 1, 1), date(2020, 1, 1)),
    "datetime": (datetime(2014, 1, 1), datetime(2016, 1, 1)),
    "zoned": (datetime(2014, 1, 1, tzinfo=UTC), datetime(2016, 1, 1, tzinfo=UTC)),
    "time": (time(6), time(12)),
    "duration": (timedelta(0), timedelta(hours=4)),
}
STEPS = {"date": timedelta(days=1), "time": timedelta(minutes=1), "duration": timedelta(minutes=1)}
STEPS |= {"datetime": timedelta(hours=1), "zoned": timedelta(hours=1)}
ALIKE = {name for name, kind in KINDS.items() if kind.capabilities.time.answer == "same"} - {"sum"}
APART = {name for name, kind in KINDS.items() if kind.capabilities.time.answer == "duration"}
STAFF = Dataset(pl.DataFrame(COLUMNS))


def frames(kind):
    """The column of a kind in each library, the way its users have it."""
    polars = pl.DataFrame({"t": COLUMNS[kind]})
    yield from (polars, polars.to_arrow(), polars.to_arrow().to_pandas(types_mapper=pd.ArrowDtype))
    objects = pd.DataFrame({"t": pd.Series(COLUMNS[kind], dtype=object)})
    yield pd.DataFrame({"t": eval(WAYS[kind], globals(), {"frame": objects})})


def numbers(dataset, column, kind, question="median", **asked):
    """What a question is asked of, in microseconds."""
    timed = translate(_question(question, column, bounds=BOUNDS[kind], epsilon=1, **asked), dataset._table)
    (data,) = data_of(timed.question, timed.table, dataset.choice)
    return data.fetch()[0]


def _question(question, column, **asked):
    return question_of(getattr(nws, question), column, *CALLS[question].arguments, **asked)


@pytest.mark.parametrize("kind", BOUNDS)
def test_every_library_reads_the_same_microseconds(kind):
    expected = [micros_of(record) for record in COLUMNS[kind]]
    for frame in frames(kind):
        assert numbers(Dataset(frame), "t", kind).tolist() == expected, type(frame)


@pytest.mark.parametrize("kind", BOUNDS)
@pytest.mark.parametrize("question", sorted(ALIKE | APART))
def test_questions_about_time_are_answered_in_time(kind, question):
    asked = {"bounds": BOUNDS[kind], "epsilon": 60}
    answer = getattr(STAFF, question)(kind, *CALLS[question].arguments, **asked)
    values = [answer.value] if not isinstance(answer.value, tuple) else answer.value
    if question == "ecdf":
        assert [share for _, share in values] == [1 / 4, 1 / 2, 3 / 4]
        values = [value for value, _ in values]
    assert {kind_of(value) for value in values} == {"duration" if question in APART else kind}
    low, high = BOUNDS[kind] if question in ALIKE else (timedelta(0), timedelta(days=3653))
    assert all(low <= value <= high for value in values)
    assert answer.bounds == BOUNDS[kind]
    assert answer.granularity == (timedelta(days=1) if kind == "date" else timedelta(seconds=1))
    assert json.loads(json.dumps(answer.to_dict()))["granularity"] == ("P1D" if kind == "date" else "PT1S")


@pytest.mark.parametrize("kind", BOUNDS)
def test_a_median_is_the_middle_record(kind):
    answer = STAFF.median(kind, bounds=BOUNDS[kind], epsilon=60, granularity=STEPS[kind])
    assert answer.value == COLUMNS[kind][50]
    assert type(answer.value) is type(COLUMNS[kind][50])


def test_the_law_is_that_of_days_counted_by_hand():
    asked = {"epsilon": 1, "granularity": 1, "mechanism": "piecewise_laplace"}
    origin = date(2001, 1, 1)
    low, high = ((bound - origin).days for bound in BOUNDS["date"])
    by_hand = nws.hazmat.law(
        nws.Quantile("1/2"), [(day - origin).days for day in DAYS], bounds=(low, high), **asked
    )
    timed = translate(
        _question("median", "date", bounds=BOUNDS["date"], epsilon=1, mechanism="piecewise_laplace"),
        STAFF._table,
    )
    law = timed.question.bind(data_of(timed.question, timed.table, None)).look()
    assert law.envelope.upper.tolist() == by_hand.envelope.upper.tolist()
    assert law.envelope.lower.tolist() == by_hand.envelope.lower.tolist()
    assert law.envelope.support == by_hand.envelope.support


def test_a_datetime_column_between_dates_is_read_day_by_day():
    moments = [
        datetime(2015, 1, 5, 23, 59, 59, 999999),
        datetime(2015, 1, 5),
        None,
        datetime(1969, 12, 31, 1),
    ]
    for frame in (
        pl.DataFrame({"t": moments}),
        pd.DataFrame({"t": pd.Series(moments)}),
    ):
        found = numbers(Dataset(frame), "t", "date")
        days = [micros_of(date(2015, 1, 5))] * 2 + [micros_of(date(1969, 12, 31))]
        assert found[[0, 1, 3]].tolist() == days and np.isnan(found[2])


def test_nanoseconds_are_cut_to_microseconds_without_rounding_twice():
    stamps = pl.Series("t", [1_420_416_000_123_456_789, -1], dtype=pl.Int64).cast(pl.Datetime("ns"))
    found = numbers(Dataset(pl.DataFrame([stamps])), "t", "datetime")
    since = micros_of(datetime(1970, 1, 1))
    assert found.tolist() == [since + 1_420_416_000_123_456, since - 1]


def test_weeks_begin_on_mondays():
    weekly = STAFF.quantile(
        "date", 0.5, bounds=BOUNDS["date"], epsilon=60, granularity=timedelta(days=7)
    ).value
    assert weekly.weekday() == 0


def test_an_answer_is_in_the_time_zone_of_the_lower_bound():
    berlin = ZoneInfo("Europe/Berlin")
    bounds = (datetime(2014, 1, 1, tzinfo=berlin), datetime(2016, 1, 1, tzinfo=UTC))
    for frame in frames("zoned"):
        answer = Dataset(frame).median("t", bounds=bounds, epsilon=60, granularity=STEPS["zoned"]).value
        assert answer.tzinfo is berlin and answer == ZONED[50]


def test_bounds_of_pandas_and_numpy_are_taken_too():
    stamps = (pd.Timestamp(2014, 1, 1), np.datetime64("2016-01-01T00:00:00"))
    assert STAFF.median("datetime", bounds=stamps, epsilon=60).bounds == BOUNDS["datetime"]
    days = [np.datetime64("2010-01-01"), np.datetime64("2020-01-01")]
    week = {"granularity": np.timedelta64(7, "D")}
    assert STAFF.median("date", bounds=days, epsilon=60, **week).bounds == BOUNDS["date"]
    spans = (pd.Timedelta(0), pd.Timedelta(hours=4))
    minute = pd.Timedelta(minutes=1)
    assert STAFF.median("duration", bounds=spans, epsilon=60, granularity=minute).value == SPANS[50]


def test_durations_add_up_and_share_a_total():
    total = STAFF.sum("duration", bounds=BOUNDS["duration"], epsilon=60)
    assert abs(total.value - sum(SPANS, timedelta(0))) < timedelta(hours=4)
    gini = STAFF.gini("duration", bounds=BOUNDS["duration"], epsilon=60)
    assert 0.2 < gini.value < 0.5 and gini.bounds == BOUNDS["duration"]
    assert gini.to_dict()["bounds"] == ["PT0S", "PT14400S"]


def test_a_column_of_time_is_counted_without_bounds():
    for kind in BOUNDS:
        column = [*COLUMNS[kind][:50], None]
        for frame in (
            pl.DataFrame({"t": column}),
            pa.table({"t": column}),
            pd.DataFrame({"t": pd.Series(column)}),
        ):
            assert Dataset(frame).count("t", epsilon=60).value == 50


def test_missing_records_stand_at_the_lower_bound_under_swap():
    dataset = Dataset(pl.DataFrame({"t": [None] * 30 + DAYS[:10]}), neighbors="swap")
    assert dataset.median("t", bounds=BOUNDS["date"], epsilon=60).value == date(2010, 1, 1)


def test_people_and_dates_go_together():
    frame = pl.DataFrame({"id": [1] * 90 + list(range(2, 13)), "t": DAYS})
    answer = Dataset(frame, unit="id").median("t", bounds=BOUNDS["date"], epsilon=60)
    assert answer.value >= DAYS[88] and answer.people == "id"


def test_the_debit_says_what_any_other_says():
    class Purse:
        def debit(self, loss, **said):
            self.paid = (loss, said)
            return "entry"

    purse = Purse()
    dataset = Dataset(pl.DataFrame(COLUMNS), ledger=purse, name="staff")
    answer = dataset.median("date", bounds=BOUNDS["date"], epsilon=1)
    loss, said = purse.paid
    assert loss == answer.privacy == nws.PureDP(1) and said["name"] == "staff"
    assert answer.receipt == "entry" and said["memo"].startswith("median of date by")


def test_a_receipt_speaks_of_dates():
    shown = str(STAFF.median("date", bounds=BOUNDS["date"], epsilon=60))
    assert shown.splitlines()[0] == "median of date = 2015-02-24"
    assert "within 2010-01-01 .. 2020-01-01, in steps of 1 day" in shown
    card = STAFF.median_interval("date", bounds=BOUNDS["date"], epsilon=60).card()
    assert json.loads(json.dumps(card))["bounds"] == ["2010-01-01", "2020-01-01"]
    assert all(date.fromisoformat(end) for end in card["value"])


def test_every_group_is_answered_in_dates():
    frame = pl.DataFrame({"g": ["a", "b"] * 50, "t": DAYS[:100]})
    by = Dataset(frame).group_by("g", keys=["a", "b"]).median("t", bounds=BOUNDS["date"], epsilon=60)
    assert by.value == (DAYS[48], DAYS[49]) and by.frame["median_t"].to_list() == [DAYS[48], DAYS[49]]
    assert json.loads(json.dumps(by.to_dict()))["value"] == ["2015-02-22", "2015-02-23"]


WAYS = {
    "date": 'pd.to_datetime(frame["t"], format="ISO8601", errors="coerce")',
    "datetime": 'pd.to_datetime(frame["t"], format="ISO8601", errors="coerce")',
    "zoned": 'pd.to_datetime(frame["t"], format="ISO8601", errors="coerce", utc=True)',
    "time": 'frame["t"].astype(pd.ArrowDtype(pa.time64("us")))',
    "duration": 'pd.to_timedelta(frame["t"], errors="coerce")',
}


@pytest.mark.parametrize("question", ["median", "mean", "quantiles", "iqr", "max"])
@pytest.mark.parametrize("kind", BOUNDS)
def test_objects_are_refused_whatever_they_hold(kind, question):
    """Python objects declare nothing: dates among them, or their absence, would be told by an answer or an error."""
    paid = []

    class Purse:
        def debit(self, loss, **_said):
            paid.append(loss)

    told = set()
    for records in (COLUMNS[kind], [], [None], ["2015-01-05"], [7], [object()]):
        frame = pd.DataFrame(
            {"t": pd.Series(records, dtype=object), "g": pd.Series(["a"] * len(records), dtype="string")}
        )
        for asked in (
            Dataset(frame, ledger=Purse()),
            Dataset(frame, ledger=Purse()).group_by("g", keys=["a"]),
        ):
            with pytest.raises(nws.SchemaError) as caught:
                getattr(asked, question)("t", *CALLS[question].arguments, bounds=BOUNDS[kind], epsilon=1)
            told.add(str(caught.value))
    assert told == {
        "column 't' must have a type of dates, times or durations, got a series of type object, which declares "
        "nothing; give it one first, as in " + WAYS[kind].replace('["t"]', "['t']")
    }
    assert not paid


@given(st.datetimes() | st.datetimes(timezones=st.just(UTC)) | st.dates() | st.times() | st.timedeltas())
def test_microseconds_and_back(moment):
    kind = kind_of(moment)
    assert Clock(kind, kind, False, (moment, moment)).value(micros_of(moment)) == moment


@pytest.mark.parametrize("kind", BOUNDS)
@pytest.mark.parametrize("micros", [10**40, -(10**40), 1e300])
def test_an_answer_beyond_the_calendar_is_its_end(kind, micros):
    bounds = (datetime(2014, 1, 1, tzinfo=timezone(timedelta(hours=14))),) * 2
    value = Clock(kind, kind, False, bounds).value(micros)
    assert kind_of(value) == kind and (value > COLUMNS[kind][0]) == (micros > 0)


def test_iso_and_spoken_durations():
    assert iso(timedelta(days=1)) == "P1D" and iso(timedelta(0)) == "PT0S"
    assert iso(timedelta(days=-1, seconds=1, microseconds=500000)) == "-PT86398.5S"
    assert iso(timedelta(days=2, seconds=10)) == "P2DT10S"
    assert iso([DAYS[0], (time(9), 0.5), None]) == ["2015-01-05", ["09:00:00", 0.5], None]
    assert spoken(timedelta(days=2)) == "2 days" and spoken(timedelta(hours=25)) == "1 day, 1:00:00"
