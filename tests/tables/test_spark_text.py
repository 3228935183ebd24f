"""People and keys on Spark: moments and not clocks, bytes and not the rules of a language."""

from datetime import date

import pyspark
import pytest

from noisewise import Dataset, SchemaError
from noisewise.tables.frames import table_of
from noisewise.tables.people import Choice
from tests.tables.spark import session


def of(sql):
    return session().sql(sql)


def found(frame):
    told = table_of(frame).count_keys(("k",), Choice("p", 1, None, "salt"), 1)()
    return dict(zip(told.keys.listed(), told.persons.tolist(), strict=True))


def test_the_two_hours_of_a_clock_that_goes_back_are_two_people():
    frame = of("SELECT timestamp_micros(m) AS p FROM VALUES (1635640200000000), (1635643800000000) AS t(m)")
    before = session().conf.get("spark.sql.session.timeZone")
    session().conf.set("spark.sql.session.timeZone", "Europe/Berlin")
    try:
        assert Dataset(frame, unit="p").count(epsilon=64).value == 2
    finally:
        session().conf.set("spark.sql.session.timeZone", before)


@pytest.mark.parametrize("rules", ["UTF8_LCASE", "UTF8_BINARY_RTRIM", "UNICODE_CI"])
def test_text_with_rules_of_comparison_is_refused_before_anything_is_paid(rules):
    if rules.endswith("RTRIM") and pyspark.__version__.startswith("4.0."):
        pytest.skip("Spark has no such rules before 4.1")
    frame = of(f"SELECT k, k COLLATE {rules} AS c FROM VALUES ('a'), ('A') AS t(k)")
    for ask in (
        lambda: Dataset(frame).group_by("c", keys=["a"]),
        lambda: Dataset(frame, unit="k").group_by("c", epsilon=1, delta=1e-6),
        lambda: Dataset(frame, unit="c").count(epsilon=1),
    ):
        with pytest.raises(SchemaError, match="column 'c' must be compared byte by byte"):
            ask()
    assert Dataset(frame).group_by("k", keys=["A", "a"]).count(epsilon=64).value == (1, 1)


def test_text_in_a_wrong_encoding_is_missing_and_fails_nothing():
    frame = of("SELECT p, CAST(k AS STRING) AS k FROM VALUES (0, X'61'), (1, X'ff'), (2, X'61ff') AS t(p, k)")
    assert found(frame) == {"a": 1}
    assert Dataset(frame).group_by("k", keys=["a", "b"]).count(epsilon=64).value == (1, 0)
    assert Dataset(frame, unit="k").count(epsilon=64).value == 1


def test_a_day_beyond_the_calendar_makes_no_release_fail():
    days = "VALUES (0, 2147483647), (1, -2147483648), (2, 0) AS t(p, d)"
    frame = of(f"SELECT p, date_from_unix_date(d) AS k FROM {days}")
    assert found(frame) == {date(1970, 1, 1): 1}
    assert Dataset(frame).group_by("k", keys=[date(1970, 1, 1)]).count(epsilon=64).value == (1,)
    assert Dataset(frame, unit="k").count(epsilon=64).value == 3
