"""Dates, times and durations in text: DuckDB reads what Python reads by the declared patterns, and nothing else."""

import random
import re
from datetime import UTC, date, datetime, time, timedelta

import duckdb
import narwhals.stable.v2 as nw
import pyarrow as pa
import pytest

from noisewise import Dataset, SchemaError
from noisewise.tables.engines.engine_records import in_microseconds
from noisewise.tables.engines.engine_table import dialect_of
from noisewise.tables.time.clock import SINCE_1970, Clock
from tests.tables.files.test_scan import write

DAY = r"(?P<year>\d{4})(?P<hyphen>-?)(?P<month>\d\d)(?P=hyphen)(?P<day>\d\d)"
FRACTION = r"([.,](?P<fraction>\d+))?"
HOUR = rf"(?P<hour>\d\d):?(?P<minute>\d\d)(:?(?P<second>\d\d){FRACTION})?"
ZONE = r"([Zz]|(?P<sign>[+-])(?P<hours>\d\d)(:?(?P<minutes>\d\d))?)?"
MOMENT = f"{DAY}([Tt ]{HOUR}{ZONE})?"
LETTERS = (
    r"(?P<sign>[+-]?)P((?P<weeks>\d{1,7})W)?((?P<days>\d{1,7})D)?(T((?P<hour>\d{1,7})H)?"
    r"((?P<minute>\d{1,7})M)?((?P<second>\d{1,9})([.,](?P<fraction>\d+))?S)?)?(?<![PT])"
)
COLONS = rf"(?P<sign>[+-]?)(?P<hour>\d{{1,7}}):(?P<minute>[0-5]\d):(?P<second>[0-5]\d){FRACTION}"
PATTERNS = {
    "date": [MOMENT],
    "datetime": [MOMENT],
    "zoned": [MOMENT],
    "time": [f"[Tt]?{HOUR}{ZONE}"],
    "duration": [LETTERS, COLONS],
}
KINDS = list(PATTERNS)

NASTY = [
    *("2015-01-05", " 2015-01-05 ", "\t2015-01-05\n", "2015-1-5", "20150105", "2015-005", "2015-W01-1"),
    *("2015-02-29", "2016-02-29", "1900-02-29", "2000-02-29", "2015-04-31", "2015-13-01", "2015-00-10"),
    *("2015-01-00", "2015-01-32", "0000-01-01", "0001-01-01", "9999-12-31", "10000-01-01", "+12015-01-01"),
    *(
        "-2015-01-05",
        "2015-01-05 (BC)",
        "0044-03-15 BC",
        "infinity",
        "-infinity",
        "epoch",
        "today",
        "now",
        "NaT",
    ),
    *("", "   ", "null", "2015-01-05T08:30", "2015-01-05 08:30", "2015-01-05  08:30", "2015-01-05t08:30"),
    *("2015-01-05T08", "2015-01-05T08:30:00.123456", "2015-01-05T08:30:00.1234569", "2015-01-05T08:30:00."),
    *("2015-01-05T08:30:00,5", "2015-01-05T24:00", "2015-01-05T23:60", "2015-01-05T23:59:60"),
    *("9999-12-31T23:59:59.9999999", "2015-01-05T08:30Z", "2015-01-05T08:30z", "2015-01-05T08:30+02"),
    *("2015-01-05T08:30-0230", "2015-01-05 08:30:00.5+02:00", "2015-01-05 08:30:00 +02:00", "2015-01-05Z"),
    *("2015-01-05T08:30+24:00", "2015-01-05T08:30+02:60", "2015-01-05T08:30+2", "2015-01-05T08:30+02:"),
    *("2015-01-05 08:30:00 Europe/Berlin", "0001-01-01T00:00+23:59", "9999-12-31T23:59-23:59"),
    *("2015-01-05T23:30-02:00", "2015-01-05T00:30+02:00", "20150105T083000Z", "2015-01-05 0830", "2015-0105"),
    *(
        "20150105T08:30:00,25+0200",
        "2015-01-05t08:30z",
        "2015-01-05T08:30-00:00",
        "2015-02-29T08:30Z",
        "20150229",
    ),
    *(
        "2015-01-05T08:30:00.123456789Z",
        "T08:30",
        "0830",
        "T083000.5Z",
        "00:30+02:00",
        "23:30-02:00",
        "T",
        "T08",
    ),
    *("08:30", "8:30", "08:30:15", "08:30:15.5", "08:30:15.", "24:00", "23:59:59.9999999", "08:30Z", "08:60"),
    *("P1D", "-P1D", "+P1D", "P", "PT", "-", "P1DT", "P1DT2H3M4.5S", "PT0S", "P0D", "PT90M", "P1Y", "P1M"),
    *("P2W", "P1W1D", "P9999999D", "P99999999D", "PT1.5H", "PT.5S", "PT5.S", "-PT0.0000019S", "p1d", "P-1D"),
    *(
        "P999999999999999W",
        "P999999999999999D",
        "PT999999999999999H",
        "PT9999999999S",
        "999999999999999:00:00",
    ),
    *("36:05:00", "-1:00:00.5", "9999999:59:59", "99999999:00:00", "1:2:3", "1 days 00:00:05", "1:60:00"),
    "P9999999W9999999DT9999999H9999999M999999999.9999999S",
    *(
        "٢٠١٥-٠١-٠٥",
        "２０１５-01-05",
        "2015‐01‐05",
        "2015-01-05\0",
        "\0",
        "\u2028",
        "5",
        "1e5",
        "nan",
        "true",
    ),
    *(
        "x" * 5000,
        "2015-01-05T08:30:00." + "1" * 3000,
        "9" * 400,
        "P" + "9" * 400 + "D",
        "2015-01-05\n2015-01-06",
    ),
]


def reference(text, kind):
    """What a text means: microseconds since 2001, since midnight, or long; None where it means nothing."""
    bare = text.strip(" \t\r\n\f\v")
    found = next(filter(None, (re.fullmatch(each, bare, re.ASCII) for each in PATTERNS[kind])), None)
    if found is None:
        return None
    parts = found.groupdict()
    part = {
        name: int(digits or 0) for name, digits in parts.items() if name not in ("sign", "fraction", "hyphen")
    }
    micro = int((parts["fraction"] or "")[:6].ljust(6, "0"))
    sign = -1 if parts.get("sign") == "-" else 1
    clock = [part["hour"], part["minute"], part["second"], micro]
    tick = timedelta(microseconds=1)
    if kind == "duration":
        span = {f"{name}s": part[name] for name in ("hour", "minute", "second")}
        weeks, days = part.get("weeks", 0), part.get("days", 0)
        return sign * (timedelta(weeks=weeks, days=days, microseconds=micro, **span) // tick)
    if part.get("hours", 0) > 23 or part.get("minutes", 0) > 59:
        return None
    try:
        moment = datetime(
            *(part.get(name, given) for name, given in (("year", 2001), ("month", 1), ("day", 1))), *clock
        )
    except ValueError:
        return None
    ahead = sign * timedelta(hours=part.get("hours", 0), minutes=part.get("minutes", 0))
    since = moment - datetime(2001, 1, 1) - ahead  # in UTC
    if kind == "date":
        since = timedelta(days=since.days)
    return since % timedelta(days=1) // tick if kind == "time" else since // tick


def as_float(micros, kind):
    """Counted from 1970 and then moved, as every column of time is."""
    if micros is None or kind in ("time", "duration"):
        return None if micros is None else float(micros)
    return float(micros + SINCE_1970) - float(SINCE_1970)


def read(texts, kind):
    relation = duckdb.connect().from_arrow(pa.table({'a "t"': texts, "place": range(len(texts))}))
    frame = nw.from_native(relation)
    found = in_microseconds(dialect_of(frame), frame, 'a "t"', Clock(kind, kind))
    return [row[0] for row in found.to_native().order("place").fetchall()]


@pytest.mark.parametrize("kind", KINDS)
def test_nasty_texts_mean_what_the_reference_says(kind):
    for text, found in zip(NASTY, read(NASTY, kind), strict=True):
        assert found == as_float(reference(text, kind), kind), text[:80]
    assert sum(reference(text, kind) is not None for text in NASTY) >= 4


@pytest.mark.parametrize("kind", KINDS)
def test_texts_with_a_sign_too_much_or_too_few_mean_what_the_reference_says(kind):
    rng, signs, texts = random.Random(kind), "0123456789-:.TtZz+PDHMSW ,/", []
    for _ in range(20_000):
        text = list(rng.choice([each for each in NASTY if len(each) < 60]))
        for _ in range(rng.randint(1, 2)):
            place = rng.randint(0, len(text))
            text[place : place + rng.randint(0, 1)] = rng.choice([*signs, ""])
        texts.append("".join(text))
    wanted = [as_float(reference(text, kind), kind) for text in texts]
    assert read(texts, kind) == wanted
    assert sum(micros is not None for micros in wanted) > 50


def test_missing_text_is_missing():
    for kind in KINDS:
        assert read(pa.array([None, "x"], pa.string()), kind) == [None, None]


def line(row):
    hired, minute = f"2015-03-{1 + row % 9:02}", f"{row % 60:02}"
    times = f"2015-03-04T08:{minute}Z,2015-03-04T10:{minute}+02:00,09:{minute},PT{row % 60}M"
    return f"{hired},{times},{'AB'[row % 2]},{row}\nnever,soon,,25:00,long,A,{row}\n"


STAFF = "hired,at,seen,hour,wait,dept,id\n" + "".join(map(line, range(300)))


@pytest.mark.parametrize("unit", [None, "id"])
def test_bounds_of_time_are_answered_from_text_files(tmp_path, unit):
    data, exact = Dataset.scan(write(tmp_path / "staff.csv", STAFF), unit=unit), {"epsilon": 64}
    days = {"bounds": (date(2000, 1, 1), date(2030, 1, 1)), **exact}
    moments = {"bounds": (datetime(2015, 3, 1), datetime(2015, 4, 1)), **exact}
    zoned = {"bounds": (datetime(2015, 3, 1, tzinfo=UTC), datetime(2015, 4, 1, tzinfo=UTC)), **exact}
    moment, minute = datetime(2015, 3, 4, 8, 30), timedelta(minutes=2)
    assert abs(data.median("hired", **days).value - date(2015, 3, 5)) <= timedelta(days=1)
    assert abs(data.median("at", **moments).value - moment) <= minute
    for column in ("at", "seen"):
        assert abs(data.median(column, **zoned).value - moment.replace(tzinfo=UTC)) <= minute
    assert data.median("seen", **days).value == moment.date()
    hour = data.quantiles("hour", [0.5], bounds=(time(8), time(10)), **exact).value[0]
    assert time(9, 27) <= hour <= time(9, 33)
    wait = data.mean("wait", bounds=(timedelta(0), timedelta(hours=1)), **exact).value
    assert abs(wait - timedelta(minutes=29.5)) < minute
    grouped = data.group_by("dept", keys=["A", "B"]).median("hired", **days).value
    assert all(abs(each - date(2015, 3, 5)) <= timedelta(days=2) for each in grouped)
    if unit is None:
        assert data.group_by("hired", keys=["2015-03-01", "never"]).count(**exact).value == (34, 300)


def test_a_text_that_is_no_date_is_missing_and_no_number(tmp_path):
    path = write(tmp_path / "x.jsonl", '{"t": "2015-03-04"}\n{"t": "2015"}\n{"t": 5}\n{"t": null}\n')
    data = Dataset.scan(path)
    assert data.count("t", epsilon=64).value == 3  # whatever is there
    assert data.mean("t", bounds=(0, 10**9), epsilon=64).value > 0
    column = data.range("t", bounds=(date(2015, 1, 1), date(2015, 12, 31)), epsilon=64)
    assert column.value <= timedelta(days=40)


def test_what_cannot_be_asked_of_dates_cannot_be_asked_of_their_text(tmp_path):
    data = Dataset.scan(write(tmp_path / "staff.csv", STAFF))
    for ask in (data.sum, data.variance, data.gini):
        with pytest.raises(SchemaError, match=r"^bounds must be numbers for \w+, got dates"):
            ask("hired", bounds=(date(2000, 1, 1), date(2030, 1, 1)), epsilon=1)
