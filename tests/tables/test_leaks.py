"""What a single record must not do: respell a key that others have, be in two groups, or make a release fail."""

from datetime import UTC, date, datetime, timedelta, timezone
from enum import IntEnum
from itertools import permutations
from zoneinfo import ZoneInfo

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from noisewise import Dataset, ParameterError, SchemaError
from noisewise.tables.engines.engine_table import dialect_of
from noisewise.tables.engines.groups import in_groups
from noisewise.tables.frames import table_of
from noisewise.tables.groups.key_counts import KeyCounts
from noisewise.tables.groups.keys import Keys
from noisewise.tables.local import LocalTable
from noisewise.tables.people import Choice
from tests.tables.every_engine import LOCAL, lazily, table

BERLIN = ZoneInfo("Europe/Berlin")
TWICE = datetime(2021, 10, 31, 2, 30, tzinfo=BERLIN)
"""An hour that Berlin had twice."""


class Grade(IntEnum):
    GOOD = 1


class Word(str):
    pass


class Moment(datetime):
    pass


def found(frame, most=1):
    behind, choice = table_of(frame), Choice("p", most, None, "salt")
    if not isinstance(behind, LocalTable):
        told = behind.count_keys(("k",), choice, most)()
    else:
        told = KeyCounts.of(behind.frame, ("k",), behind.people(choice)(), choice, most)
    keys = map(repr, told.keys.listed())
    return {key: n for key, n in zip(keys, told.persons.tolist(), strict=True) if n}


def counts(frame, keys, **how):
    """How many rows each group has, noise aside."""
    return Dataset(frame, **how).group_by("k", keys=keys).count(epsilon=64).value


SPELLINGS = {
    "signed zeros": [0.0, -0.0, 1.5],
    "numbers of several types": [1, True, Grade.GOOD, np.float32(1), -0.0, False],
    "texts": ["a", Word("a"), np.str_("a"), Word("b")],
    "moments of several zones": [
        datetime(2021, 5, 1, tzinfo=UTC),
        Moment(2021, 5, 1, 1, tzinfo=timezone(timedelta(hours=1))),
        pd.Timestamp(2021, 5, 1, 2, tz="Europe/Berlin"),
        TWICE,
        TWICE.replace(fold=1),
        TWICE.astimezone(UTC),
    ],
    "moments without a zone": [datetime(2021, 5, 1, fold=1), Moment(2021, 5, 1), datetime(2021, 5, 2)],
}


@pytest.mark.parametrize("kind", SPELLINGS)
def test_the_order_of_rows_changes_neither_keys_nor_counts(kind):
    """Everybody has every spelling, so whoever comes first could lend theirs to all."""
    told = set()
    for order in list(permutations(SPELLINGS[kind]))[::5]:
        rows = [(person, part) for person in range(9) for part in order]
        people, parts = zip(*rows, strict=True)
        frame = pd.DataFrame({"p": people, "k": pd.Series(parts, dtype=object)})
        told.add(tuple(sorted(found(frame).items())))
    assert len(told) == 1


@pytest.mark.parametrize("library", ["pandas", "polars", "lazy", "duckdb"])
def test_the_sign_of_somebodys_zero_moves_nobody_else(library):
    others = [(person, part) for person in range(1, 41) for part in (0.0, 1.5)]

    def told(rows):
        frame = pl.DataFrame(rows, schema=["p", "k"], orient="row")
        by = {"pandas": frame.to_pandas, "polars": frame.clone, "lazy": frame.lazy}
        return found(by[library]() if library in by else duckdb.connect().from_arrow(frame.to_arrow()))

    less, more = told(others), told([(0, -0.0), *others])
    assert more == {"0.0": less["0.0"] + 1, "1.5": less["1.5"]}


def test_the_two_hours_of_a_clock_that_goes_back_are_two_keys():
    moments = [TWICE, TWICE.replace(fold=1), TWICE.astimezone(UTC)]
    frame = pd.DataFrame({"p": range(3), "k": pd.Series(moments, dtype=object)})
    assert found(frame) == {repr(TWICE.astimezone(UTC)): 2, repr(moments[1].astimezone(UTC)): 1}
    assert counts(frame, moments[:2]) == (2, 1)
    typed = pl.DataFrame({"k": pl.Series([moment.astimezone(UTC) for moment in moments])})
    assert counts(typed, moments[:2]) == counts(typed.lazy(), moments[:2]) == (2, 1)


def test_one_moment_in_two_zones_is_declared_once():
    frame = pl.DataFrame({"k": pl.Series([TWICE.astimezone(UTC)])})
    for data in (frame, frame.lazy(), frame.to_pandas().astype(object)):
        with pytest.raises(ParameterError, match="keys must differ from each other"):
            Dataset(data).group_by("k", keys=[TWICE, TWICE.astimezone(UTC)])
    with pytest.raises(ParameterError, match="within the calendar of UTC"):
        Dataset(frame).group_by("k", keys=[datetime.min.replace(tzinfo=timezone(timedelta(hours=1)))])


@pytest.mark.parametrize("far", [10**5000, 2**64, -(2**63) - 1, 1e300], ids=["huge", "high", "low", "float"])
def test_a_whole_number_beyond_64_bits_is_no_key(far):
    frame = pd.DataFrame({"p": [1, 1, 2, 2, 2], "k": pd.Series(["a", far, "a", far, "b"], dtype=object)})
    assert set(found(frame, most=2)) == {"'a'", "'b'"}


NOCASE = {
    "by default": ("SET default_collation='NOCASE'", "k VARCHAR, p VARCHAR, x INTEGER"),
    "by a column": ("SELECT 1", "k VARCHAR COLLATE NOCASE, p VARCHAR COLLATE NOCASE, x INTEGER"),
}


def without_case(how):
    connection = duckdb.connect()
    connection.execute(NOCASE[how][0])
    connection.execute(f"CREATE TABLE t ({NOCASE[how][1]})")
    connection.execute("INSERT INTO t VALUES ('a', 'u', 1), ('A', 'U', 2), ('a', 'v', 3)")
    return connection.table("t")


@pytest.mark.parametrize("how", NOCASE)
def test_text_is_compared_byte_by_byte_where_duckdb_would_not(how):
    relation = without_case(how)
    assert counts(relation, ["A", "a"]) == (1, 2)
    assert counts(relation, ["A", "a"], unit="p") == (1, 2)
    assert found(relation) == {"'a'": 2, "'A'": 1}
    assert Dataset(relation, unit="p").count(epsilon=64).value == 3


@pytest.mark.parametrize("engine", LOCAL)
def test_a_row_is_never_joined_with_two_keys(engine):
    lazy = lazily(engine, pl.DataFrame({"key0": ["a"]}))
    alike = Keys(("k",), (("a", "a"),))
    with pytest.raises(ParameterError, match="keys must differ from each other as their columns hold them"):
        in_groups(dialect_of(lazy), lazy, alike, ("text",))


FAR = {
    "datetime": (pl.Int64, pl.Datetime("us")),
    "zoned": (pl.Int64, pl.Datetime("ms", "Europe/Berlin")),
    "date": (pl.Int32, pl.Date),
}


@pytest.mark.parametrize("kind", FAR)
@pytest.mark.parametrize("lazy", [False, True])
def test_a_time_beyond_the_calendar_makes_no_release_fail(kind, lazy):
    held, shown = FAR[kind]
    farthest = 2**31 if held is pl.Int32 else 2**63
    times = pl.Series([farthest - 1, -farthest, 0], dtype=held).cast(shown)
    frame = pl.DataFrame({"k": times, "p": [1, 2, 3]})
    data = frame.lazy() if lazy else frame
    epoch = {pl.Date: date(1970, 1, 1)}.get(times.dtype, datetime(1970, 1, 1))
    epoch = epoch.replace(tzinfo=UTC) if getattr(times.dtype, "time_zone", None) else epoch
    assert counts(data, [epoch]) == (1,)
    assert found(data) == {repr(epoch): 1}
    assert Dataset(data, unit="k").count(epsilon=64).value == 3


def test_nanoseconds_tell_people_apart_on_every_engine():
    moments = pl.Series([0, 1, 999, 1000]).cast(pl.Datetime("ns"))
    for engine in LOCAL:
        behind = lazily(engine, pl.DataFrame({"p": moments, "x": [1] * 4})).to_native()
        assert Dataset(behind, unit="p").count(epsilon=64).value == 4


def in_a_wrong_encoding(library):
    """A frame whose text is not what it says it is; Polars and DuckDB take it from Arrow unseen."""
    ends = pa.array([0, 1, 2, 3, 4], pa.int32()).buffers()[1]
    wrong = pa.StringArray.from_buffers(4, ends, pa.py_buffer(b"a\xffba"))
    coded = pa.DictionaryArray.from_arrays(pa.array([0, 1, 2, 0]), wrong.slice(0, 3))
    table = pa.table({"k": wrong, "p": wrong, "c": coded, "x": [1, 2, 3, 4]})
    match library:
        case "pandas":
            return table.to_pandas(types_mapper=pd.ArrowDtype)
        case "duckdb":
            return duckdb.connect().from_arrow(table)
        case "polars":
            return pl.from_arrow(table)
        case "lazy":
            return pl.from_arrow(table).lazy()
    return table


@pytest.mark.parametrize("library", ["arrow", "pandas", "polars", "lazy", "duckdb"])
def test_text_in_a_wrong_encoding_is_missing_and_fails_nothing(library):
    data = in_a_wrong_encoding(library)
    assert counts(data, ["a", "b"]) == (2, 1)
    assert found(data) == {"'a'": 1, "'b'": 1}
    named = Dataset(data, unit="p")
    assert named.count(epsilon=64).value == 2
    assert named.quantiles("x", [0.5], bounds=(0, 5), epsilon=1).value is not None
    assert Dataset(data, unit="c").count(epsilon=64).value == 2
    for column in ("k", "c"):
        assert Dataset(data).histogram(column, ["a", "b", "c"], epsilon=64).value == (2, 1, 0)
        assert Dataset(data).group_by(column, keys=["a", "b"]).most_common(
            "k", ["a", "b"], epsilon=64
        ).value == ("a", "b")
    assert Dataset(data).triangles(("k", "c"), nodes=["a", "b", "c"], epsilon=64).value >= 0


def test_an_error_of_the_users_own_query_shows_no_record_before_the_debit():
    connection = duckdb.connect()
    connection.execute("CREATE TABLE s AS SELECT * FROM (VALUES ('1'), ('SECRET')) t(s)")
    queries = [
        connection.sql("SELECT 1 AS x FROM s WHERE CAST(s AS INTEGER) > 0"),
        pl.LazyFrame({"s": ["1", "SECRET"]})
        .filter(pl.col("s").cast(pl.Int64) > 0)
        .select(x=pl.col("s").len()),
    ]
    for query in queries:
        with pytest.raises(SchemaError, match="must be a query that does not fail") as error:
            Dataset(query, neighbors="swap").mean("x", bounds=(0, 5), epsilon=1)
        assert error.value.__context__ is None and error.value.__cause__ is None


@pytest.mark.parametrize("library", ["pandas", "polars", "arrow", "lazy", "duckdb"])
def test_no_frame_that_a_library_cannot_hold_costs_a_paid_answer(library):
    frame = pl.DataFrame({"k": ["a", "a", "b", "b"], "x": ["u", "u", "1", "1"]})
    by = {"pandas": frame.to_pandas, "polars": frame.clone, "arrow": frame.to_arrow, "lazy": frame.lazy}
    data = by[library]() if library in by else duckdb.connect().from_arrow(frame.to_arrow())
    grouped = Dataset(data).group_by("k", keys=["a", "b"])
    told = {grouped.most_common("x", ["u", 1], epsilon=0.1).value for _ in range(20)}
    assert told <= {("u", "u"), ("u", 1), (1, "u"), (1, 1)} and len(told) > 1
    assert set(grouped.most_common("x", ["u", 2**70, "1"], epsilon=64).value) == {"u", "1"}


def test_keys_that_no_column_holds_are_written_as_text():
    frame = pl.DataFrame({"k": pl.Series([10**50, 1], dtype=pl.Object)})
    told = Dataset(frame).group_by("k", keys=[1, 10**50]).count(epsilon=64)
    assert told.value == (1, 1)
    assert told.frame["k"].to_list() == ["1", str(10**50)]


def test_a_delta_far_below_the_first_bits_fails_no_selection():
    frame = pd.DataFrame({"p": range(2000), "k": ["a"] * 2000})
    assert Dataset(frame, unit="p").group_by("k", epsilon=1, delta=1e-300).keys.listed() == ["a"]


@pytest.mark.parametrize("engine", LOCAL)
def test_ids_that_are_asked_about_still_tell_people_apart(engine):
    frame = pl.DataFrame({"p": [2**53, 2**53 + 1] * 2})
    ids = table(engine, frame).column("p", Choice("p", 1, None, "s"), "quantiles", streamed=False)
    assert len(ids.fetch()[0]) == 2
