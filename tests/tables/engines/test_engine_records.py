"""Records on engines: the very distances that NumPy finds, for every type and every strange number, and exact sums."""

from decimal import Decimal
from fractions import Fraction

import duckdb
import narwhals.stable.v2 as nw
import numpy as np
import polars as pl
import pytest

from noisewise.errors import SchemaError
from noisewise.kernel.numbers.lattice import FINEST, Lattice
from noisewise.tables.columns.array_column import declare, nearest_float64
from noisewise.tables.engines.engine_records import Spelling, check_numbers, distances, numbers
from noisewise.tables.engines.engine_table import dialect_of
from tests.tables.every_engine import ENGINES, LOCAL, lazily

LATTICES = [
    Lattice.between((0, 100)),
    Lattice.between((-3.7, 1e9), 0.1),
    Lattice.between((-1, 1)),
    Lattice.between((-FINEST, FINEST), 1),
    Lattice.between((1e-300, 1e300)),
    Lattice.between((Fraction(1, 3), 40), Fraction(1, 7)),
    Lattice(-FINEST, FINEST, Fraction(567, 1138)),  # where only the last clip keeps an index within
]
FLOATS = [
    *(0.0, -0.0, 0.05, 0.15, 0.25, 0.5, 1.5, 2.5, -0.5, 49.99999999999999, 99.5, 100.0, 100.49, 1e22, -1e22),
    *(5e-324, -5e-324, 2.2e-308, 1e-310, 1.7e308, -1.7e308, 2.0**53, 2.0**51 + 0.5, 2.0**52 - 0.5),
    *(float("inf"), float("-inf"), float("nan"), None),
]
WHOLE = {
    pl.Int8: [-128, 127, 0, None],
    pl.Int16: [-(2**15), 2**15 - 1, None],
    pl.Int32: [-(2**31), 2**31 - 1, None],
    pl.Int64: [-(2**63), 2**63 - 1, 2**53 + 1, 2**53 + 3, 2**62 + 1, None],
    pl.UInt8: [0, 255, None],
    pl.UInt16: [0, 2**16 - 1, None],
    pl.UInt32: [0, 2**32 - 1, None],
    pl.UInt64: [0, 2**64 - 1, 2**63 + 1025, 2**53 + 1, None],
}
DECIMALS = ["0.05", "-0.15", "99.99", "12345678901234567890.12", "9007199254740993.00", "0.25", None]
NO_UNSIGNED = ("UInt",)


def columns():
    """A column of every type: its name and its records."""
    yield pl.Series("Float64", FLOATS, pl.Float64, strict=False)
    yield pl.Series("Float32", [0.1, 1.5, float("nan"), float("inf"), 1e-45, 16777217.0, None], pl.Float32)
    for dtype, values in WHOLE.items():
        yield pl.Series(str(dtype), values, dtype)
    yield pl.Series("Boolean", [True, False, None])
    yield pl.Series("Decimal", [d and Decimal(d) for d in DECIMALS], pl.Decimal(30, 2))
    yield pl.Series("empty", [], pl.Float64)


def expected(series, lattice, neighbors):
    """What NumPy finds for the same series in memory, as distances; missing ones are -1, or 0 under swap."""
    values, _ = declare(series).fetch()
    found = lattice.nearest(nearest_float64(values)) - lattice.low
    return np.where(np.isnan(found), -1.0 if neighbors == "add_remove" else 0.0, found)


def placed(frame, lattice, neighbors):
    dialect = dialect_of(frame)
    (found,) = dialect.arrays(distances(numbers(dialect, frame, ["d"]), "d", lattice, neighbors).select("d"))
    return found


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("series", list(columns()), ids=lambda series: series.name)
def test_every_type_is_placed_bit_for_bit_as_in_memory(engine, series):
    if engine == "spark" and series.name.startswith(NO_UNSIGNED):
        pytest.skip("Spark has no unsigned integers")
    frame = lazily(engine, pl.DataFrame({"d": series}))
    lattices = LATTICES if engine != "spark" else LATTICES[1:6:2]
    for lattice in lattices:
        for neighbors in ("add_remove", "swap"):
            found = placed(frame, lattice, neighbors)
            assert found.dtype == np.float64
            assert np.sort(found).tobytes() == np.sort(expected(series, lattice, neighbors) + 0.0).tobytes()


@pytest.mark.parametrize("dtype", [pl.Int128, pl.Float16, pl.Null], ids=str)
def test_types_of_polars_alone_are_placed_too(dtype):
    values = {pl.Int128: [2**100 + 1, -(2**80), 2**53 + 1, None], pl.Float16: [0.5, 65504.0, None]}.get(
        dtype, [None]
    )
    frame = lazily("polars", pl.DataFrame({"d": pl.Series(values, dtype=dtype)}))
    check_numbers(dialect_of(frame), frame, "d")
    for lattice in LATTICES:
        exact = np.array([np.nan if value is None else float(value) for value in values])
        found = lattice.nearest(exact) - lattice.low
        assert placed(frame, lattice, "add_remove").tolist() == np.where(np.isnan(found), -1, found).tolist()


def test_hugeint_of_duckdb_is_rounded_once():
    value = 21107323958421276743  # its halves, rounded one by one, add up to another float64
    frame = nw.from_native(duckdb.sql(f"SELECT {value}::HUGEINT AS d UNION ALL SELECT NULL"))
    found = numbers(dialect_of(frame), frame, ["d"]).to_native().fetchall()
    assert set(found) == {(float(value),), (None,)}


@pytest.mark.parametrize("engine", LOCAL)
@pytest.mark.parametrize(
    ("text", "number"),
    [
        *(
            ("1e3", 1000.0),
            (" 12 ", 12.0),
            ("+5", 5.0),
            ("-.5", -0.5),
            ("5.", 5.0),
            ("1E-2", 0.01),
            ("007", 7.0),
        ),
        *(("inf", np.inf), ("-Infinity", -np.inf), ("1e999", np.inf), ("1e-999", 0.0), ("\t4\r", 4.0)),
        *(
            (text, None)
            for text in ("", " ", "nan", "NaN", "1,000", "0x10", "1_000", "abc", "1d", "--3", ".", "1e")
        ),
        *((text, None) for text in ("٣", "1 2", "infinit", "1\n2", "true", "NULL", "1\x00", "１")),
        ("9007199254740993", 9007199254740992.0),
        ("0.1000000000000000055511151231257827021181583404541015625", 0.1),
    ],
)
def test_text_is_a_number_alike_on_every_engine(engine, text, number):
    frame = lazily(engine, pl.DataFrame({"d": [text, "1"]}))
    dialect = dialect_of(frame)
    parsed = numbers(dialect, frame, ["d"], Spelling()).filter(nw.col("d").is_null() | (nw.col("d") != 1.0))
    found = nw.to_native(parsed)
    (row,) = found.collect().rows() if engine == "polars" else found.fetchall()
    assert row == (number,)


@pytest.mark.parametrize("engine", ENGINES)
def test_what_holds_no_numbers_is_refused_by_its_type(engine):
    frame = lazily(engine, pl.DataFrame({"name": ["secret"], "list": [[1]]}))
    for name, said in (("name", "String; make numbers of text first, as in .*"), ("list", "List")):
        with pytest.raises(SchemaError, match=f"^data must be numbers, got column '{name}' of type {said}$"):
            check_numbers(dialect_of(frame), frame, name)
