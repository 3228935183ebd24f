"""People and keys on Spark: moments and not clocks, bytes and not the rules of a language."""

from datetime import date

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
    if rules.endswith("RTRIM") and session().version.startswith("4.0."):
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


HOSTILE = {
    "map": "map('a', 1)",
    "variant": "parse_json('1')",
    "months": "interval '1' month",
    "days": "interval '1' day",
    "calendar": "make_interval(1, 2, 3)",
    "binary": "cast('1' as binary)",
    "array": "array(1)",
    "struct": "struct(1)",
}


class NoPurse:
    def debit(self, loss, **said):
        raise AssertionError("paid")


def test_types_that_are_no_numbers_are_refused_before_anything_is_paid():
    from pyspark.ml.linalg import VectorUDT
    from pyspark.sql.types import StructField, StructType

    frame = of("SELECT " + ", ".join(f"{made} AS {name}" for name, made in HOSTILE.items()))
    frame = frame.crossJoin(session().createDataFrame([], StructType([StructField("vector", VectorUDT())])))
    held = Dataset(frame, ledger=NoPurse())
    for name in (*HOSTILE, "vector"):
        for ask in (
            lambda name=name: held.median(name, bounds=(0, 1), epsilon=1),
            lambda name=name: held.histogram(name, ["a", "b"], epsilon=1),
            lambda name=name: held.group_by(name, keys=["a"]),
            lambda name=name: Dataset(frame, unit=name, ledger=NoPurse()).count(epsilon=1),
        ):
            with pytest.raises(SchemaError, match=f"column '{name}' of type"):
                ask()


@pytest.mark.parametrize("ansi", ["true", "false"])
def test_the_widest_decimals_and_padded_text_are_answered_in_either_mode(ansi):
    spark = session().newSession()
    spark.conf.set("spark.sql.ansi.enabled", ansi)
    frame = spark.sql(
        "SELECT CAST(a AS DECIMAL(38, 0)) AS large, CAST(b AS DECIMAL(38, 38)) AS small, CAST(k AS VARCHAR(3)) AS k"
        f" FROM VALUES ('{'9' * 38}', '0.{'9' * 38}', 'a '), ('-{'9' * 38}', '-0.{'9' * 38}', 'a'),"
        f" ('7', '0.{'0' * 37}1', NULL) AS t(a, b, k)"
    )
    held = Dataset(frame)
    assert held.sum("large", bounds=(0, 1), granularity=1, epsilon=64).value == 2
    assert held.median("large", bounds=(0, 10), granularity=1, epsilon=64).value == 7
    assert held.count("small", epsilon=64).value == 3
    assert 0 <= held.median("small", bounds=(0, 1), epsilon=64).value <= 1
    assert held.group_by("k", keys=["a", "a "]).count(epsilon=64).value == (1, 1)


def test_padded_text_is_compared_with_its_spaces_as_in_memory(tmp_path):
    """Spark's own SQL takes 'a' for the 'a  ' that a column of CHAR(3) holds, where it sees the column itself."""
    of(f"CREATE TABLE padded (k CHAR(3)) USING parquet LOCATION '{tmp_path}/padded'")
    try:
        of("INSERT INTO padded VALUES ('a'), ('a '), ('b'), (NULL)")
        frame = session().table("padded")
        assert frame.filter(frame.k == "a").count() == 2
        held = Dataset(frame)
        assert held.group_by("k", keys=["a", "a  ", "b  "]).count(epsilon=64).value == (0, 2, 1)
        assert held.where("k in ('a', 'b  ')").count(epsilon=64).value == 1
        assert Dataset(frame, unit="k").count(epsilon=64).value == 2
    finally:
        of("DROP TABLE padded")
