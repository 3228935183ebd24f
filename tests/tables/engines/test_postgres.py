"""PostgreSQL as an engine: hostile records of its own types are what memory would read, and no query fails."""

from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction

import narwhals.stable.v2 as nw
import numpy as np
import polars as pl
import pytest

import noisewise as nws
from noisewise.errors import SchemaError
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.tables.columns.array_column import declare
from noisewise.tables.engines.engine_records import distances
from noisewise.tables.engines.engine_table import EngineTable
from noisewise.tables.engines.people import names_of_people
from noisewise.tables.engines.postgres import LONGEST_TEXT, Source
from noisewise.tables.engines.postgres_database import Database
from tests.tables.postgres import connection, made

LARGEST, LEAST = 1.7976931348623157e308, 5e-324
EDGE = 2**1024 - 2**970
"""The least number that is rounded to infinity."""
FLOATS = [
    0.0,
    -0.0,
    0.5,
    -0.5,
    1.5,
    LEAST,
    -LEAST,
    2.3e-308,
    1e-300,
    LARGEST,
    -LARGEST,
    1e308,
    2.0**53 + 2,
    0.1,
]
FLOATS += [float("inf"), -float("inf"), float("nan"), None]
DECIMALS = [
    "0",
    "-0.5",
    "9" * 1000,
    "-" + "9" * 1000,
    "1e-2000",
    "-1e-16000",
    str(EDGE),
    str(EDGE - 1),
    str(-EDGE),
]
DECIMALS += ["5e-324", "2.5e-324", "2.4e-324", "-2.4e-324", f"{5**1075}e-1075", "0.1" + "0" * 500 + "1"]
DECIMALS += ["9007199254740993", "Infinity", "-Infinity", "NaN", None]
WHOLE = {"int2": 2**15, "int4": 2**31, "int8": 2**63}


def source(select):
    return Source(Database(connection()), select).frame


def table(columns, rows):
    return EngineTable(source(f"SELECT * FROM {made(columns, rows)}"))


def one(kind, values):
    """A table with a column ``x`` of a type, and numbers of rows to put results in order."""
    return table({"x": kind, "row": "int4"}, [(value, row) for row, value in enumerate(values)])


def in_order(table, frame, *names):
    """Columns of a frame with ``row``, in its order, None where missing."""
    rows = table.dialect.collect(frame.select("row", *names)).sort("row")
    return [rows.get_column(name).to_list() for name in names]


def floats(table):
    """Column x as float64, in order."""
    frame = table._numbers(table.frame, {"x": "x"})
    return in_order(table, frame, "x")[0]


def same(left, right):
    return [left is None, left and np.float64(left).tobytes()] == [
        right is None,
        right and np.float64(right).tobytes(),
    ]


def nearest(text):
    """The float64 nearest to a decimal; what is no number is missing."""
    if text in (None, "NaN"):
        return None
    number = Decimal(text)
    if number.is_infinite() or abs(Fraction(number)) >= EDGE:
        return float("inf") if number > 0 else -float("inf")
    return float(number)


def test_decimals_of_any_size_are_rounded_once():
    found = floats(one("numeric", DECIMALS))
    for text, number in zip(DECIMALS, found, strict=True):
        assert same(number, nearest(text)), text


@pytest.mark.parametrize(
    "granularity", [Fraction(1, 1024), Fraction(3), Fraction(10) ** 300, Fraction(1, 10**290)]
)
@pytest.mark.parametrize("neighbors", ["add_remove", "swap"])
def test_distances_of_hostile_floats_are_those_in_memory(granularity, neighbors):
    lattice = Lattice(-40, 2**20, granularity)
    lazy = one("float8", FLOATS)
    frame = distances(lazy.frame, "x", lattice, neighbors)
    found = np.sort(np.array(in_order(lazy, frame, "x")[0]))
    column = declare(np.array([np.nan if x is None else x for x in FLOATS])).read(lattice, neighbors)
    expected = column.ordered() - lattice.low
    assert (found[found >= 0] == expected).all() and (found >= 0).sum() == expected.size


def test_ends_of_whole_numbers_and_single_floats():
    for kind, end in WHOLE.items():
        assert floats(one(kind, [-end, end - 1, None])) == [float(-end), float(end - 1), None]
    singles = [1e-45, 3.4e38, 0.1, float("inf")]
    assert floats(one("float4", singles)) == [float(np.float32(x)) for x in singles]
    assert floats(one("bool", [True, False, None])) == [1.0, 0.0, None]


TIMES = {
    "date": ["infinity", "-infinity", "5874897-12-31", "4714-11-24 BC", "1969-12-31", "2024-02-29", None],
    "timestamp": [
        "infinity",
        "-infinity",
        "294276-12-31 23:59:59.999999",
        "4714-11-24 BC",
        "1969-12-31 23:59:59.999999",
        None,
    ],
    "timestamptz": [
        "infinity",
        "-infinity",
        "294276-12-31 23:59:59.999999+00",
        "2024-03-31 03:00:00+02",
        None,
    ],
    "time": ["00:00", "24:00:00", "12:00:00.000001", None],
}
KINDS = {"date": "date", "timestamp": "datetime", "timestamptz": "zoned", "time": "time"}
DAY = timedelta(days=1)


@pytest.mark.parametrize("kind", TIMES)
def test_times_are_read_to_their_ends(kind):
    lazy = one(kind, TIMES[kind])
    assert lazy.holds("x") == KINDS[kind]
    frame, daily = lazy.dialect.ticks(lazy.frame, "x", KINDS[kind])
    (ticks,) = in_order(lazy, frame, "x")
    assert ticks[-1] is None and daily == (1 if kind == "date" else DAY // timedelta(microseconds=1))
    if kind == "date":
        assert ticks[:2] == [None, None] and ticks[2:6] == [
            2145042905,
            -2440588,
            -1,
            (date(2024, 2, 29) - date(1970, 1, 1)).days,
        ]
    elif kind == "timestamp":
        assert ticks[:5] == [None, None, 2**63 - 1, -210866803200000000, -1]
        days, _ = lazy.dialect.ticks(lazy.frame, "x", "date")
        assert in_order(lazy, days, "x")[0] == [None, None, 106762939, -2440588, -1, None]
    elif kind == "timestamptz":
        moment = (datetime(2024, 3, 31, 1) - datetime(1970, 1, 1)) // timedelta(microseconds=1)
        assert ticks[:4] == [None, None, 2**63 - 1, moment]
    else:
        assert ticks == [0, 86_400_000_000, 43_200_000_001, None]


def named(kind, values):
    lazy = one(kind, values)
    frame = names_of_people(lazy.dialect, lazy.frame.rename({"x": "person"}), "person")
    return in_order(lazy, frame, "person")[0]


def test_people_who_differ_have_different_names():
    assert named("numeric", ["1e400", "2e400", "1.50", "1.5", "100", "NaN", None, "-Infinity"]) == [
        *("1" + "0" * 400, "2" + "0" * 400),
        *("1.5", "1.5", "100", None, None, "-Infinity"),
    ]
    times = named("timestamptz", TIMES["timestamptz"])
    assert len(set(times)) == len(times) and times[3] == "1711846800000000"
    close = named("float8", [0.1, np.nextafter(0.1, 1), 1e300, LEAST, 3.0, -0.0, float("nan")])
    assert len(set(close)) == 7 and close[4:] == ["3", "0", None]
    assert named("int8", [-(2**63), 2**63 - 1]) == [-(2**63), 2**63 - 1]
    assert named("bool", [True, None]) == ["1", None]
    assert named("char(4)", ["a", "a  ", "b"]) == ["a", "a", "b"]
    assert named("uuid", ["A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11"]) == ["a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"]


def test_fewer_digits_of_the_session_confuse_nobody():
    connection().execute("SET extra_float_digits = -5")
    try:
        assert len(set(named("float8", [0.1, np.nextafter(0.1, 1)]))) == 2
        assert connection().execute("SHOW extra_float_digits").fetchone() == ("-5",)
    finally:
        connection().execute("RESET extra_float_digits")


def test_text_that_is_too_long_is_missing_and_fails_no_query():
    """PostgreSQL's patterns fail at a text of 2^28 letters, and its rows at two texts of half a gibibyte."""
    longest = "a" * LONGEST_TEXT
    rows = [
        ("b", "x"),
        (longest, longest),
        (longest + "a", "x"),
        ("x", longest + "a"),
        ("é" * (LONGEST_TEXT // 2 + 1), "x"),
    ]
    name = made({"person": "text", "key": "text"}, rows)
    assert nws.Dataset(connection(), "person", table=name).count(epsilon=64).value == 3
    keys = nws.Dataset(connection(), table=name).group_by("key", keys=["x", longest, longest + "a"])
    assert keys.count(epsilon=64).value == (3, 1, 0)


def test_text_is_compared_byte_by_byte_whatever_its_collation():
    texts = ["a", "A", "é", "e\u0301", "b'\\%\n", '"', "", None]
    name = made({"x": 'text COLLATE "POSIX"'}, [(text,) for text in texts])
    assert nws.Dataset(connection(), "x", table=name).count(epsilon=64).value == 7
    data = nws.Dataset(connection(), table=name)
    grouped = data.group_by("x", keys=[*texts[:-1], "\ud800", "a\0"]).count(epsilon=64)
    for key, answer in zip(*grouped.frame.to_pydict().values(), strict=True):
        assert int(answer) == (key in texts)
    assert data.where("x in ('A', 'b''\\%\n', 'a\0')").count(epsilon=64).value == 2


def test_enumerations_and_domains_are_what_they_are_made_of_and_other_types_are_only_counted():
    execute = connection().execute
    execute("DROP TYPE IF EXISTS mood CASCADE; DROP DOMAIN IF EXISTS years CASCADE")
    execute("CREATE TYPE mood AS ENUM ('sad', 'ok'); CREATE DOMAIN years AS int4 CHECK (VALUE > 0)")
    lazy = table(
        {"m": "mood", "y": "years", "j": "json", "i": "interval"},
        [("ok", 7, "{}", "1 month"), (None, None, None, None)],
    )
    assert lazy.types["m"] == nw.String and lazy.types["y"] == nw.Int32
    with pytest.raises(SchemaError, match=r"^data must be numbers, got column 'j' of type Binary"):
        lazy.column("j", None)
    asked = nws.Dataset(
        connection(), query="SELECT '{}'::json AS j, '1 month'::interval AS i UNION ALL SELECT NULL, NULL"
    )
    assert asked.count("j", epsilon=64).value == 1 == asked.count("i", epsilon=64).value


def test_a_text_that_spells_no_number_is_refused_with_what_to_write():
    with pytest.raises(SchemaError, match=r"pg_input_is_valid\(\"s\", 'float8'\) THEN \"s\"::float8 END"):
        nws.Dataset(connection(), query="SELECT 'x'::text AS s").median("s", bounds=(0, 1), epsilon=1)


def test_names_of_columns_are_quoted_and_long_ones_are_not_cut():
    names = ['a"b', "one_", "Ä" * 31 + "b", "%s", "d", "person"]
    name = made(dict.fromkeys(names, "float8"), [(1.0,) * 6, (None,) * 6])
    data = nws.Dataset(connection(), table=name)
    assert data.columns == tuple(names)
    for each in names:
        assert data.count(each, epsilon=64).value == 1
    with pytest.raises(SchemaError, match=r"^columns must have different names, got 'x' twice$"):
        nws.Dataset(connection(), query="SELECT 1 AS x, 2 AS x")


def test_products_and_quotients_of_hostile_columns_fail_nothing():
    rows = [
        (LEAST, LARGEST),
        (LARGEST, LARGEST),
        (float("inf"), -float("inf")),
        (-LEAST, LEAST),
        (1e-300, 2.0),
    ]
    data = nws.Dataset(connection(), table=made({"x": "float8", "y": "float8"}, rows))
    for bounds in ((0, 1), (0, 3)):
        assert 0 <= data.mse("x", "y", bounds=bounds, epsilon=1).value <= 9
        assert -1 <= data.pearson("x", "y", bounds=(bounds, bounds), epsilon=1).value <= 1


def test_results_are_arrow_tables_and_several_columns_are_fetched():
    frame = pl.DataFrame({"x": [1.0, 2.0, 3.0, None], "y": [2.0, 4.0, 6.0, 1.0], "g": ["a", "a", "b", "b"]})
    name = made({"x": "float8", "y": "numeric", "g": "text"}, frame.rows())
    data = nws.Dataset(connection(), table=name)
    answer = data.group_by("g", keys=["a", "b", "c"]).median("x", bounds=(0, 10), granularity=1, epsilon=64)
    assert answer.frame.column_names == ["g", "median_x"]
    assert data.pearson("x", "y", bounds=((0, 10), (0, 10)), epsilon=64).value <= 1
