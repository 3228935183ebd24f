"""The same records in any container are the same law, one record changes only itself, and nothing else shows.

An exception, a warning, a printed line or a law that depends on a record would be a second, unpaid release.
"""

import copy
import math
from collections import Counter
from datetime import date
from decimal import Decimal
from enum import IntEnum
from fractions import Fraction
from unittest import mock

import narwhals.stable.v2 as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noisewise import Quantile, hazmat
from noisewise.errors import SchemaError
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.planning.readings.read_law import read_law
from noisewise.tables.columns import array_column as arrays
from noisewise.tables.columns import declare
from tests.each_value import each_value


@pytest.fixture(autouse=True)
def silence(capfd):
    """Warnings are errors already; here NumPy's flags are too, and a printed word fails the test."""
    with np.errstate(all="raise"):
        yield
    assert capfd.readouterr() == ("", "")


def column(data, lattice, neighbors="swap"):
    return declare(data).read(lattice, neighbors)


def indices(data, lattice, neighbors="swap"):
    """Every index in order: a missing record is at the lower bound under swap, left out under add/remove."""
    read = column(data, lattice, neighbors)
    return read.ranks(1, read.count + 1).tolist()


def secrets(data, neighbors, **asked):
    """All there is to a law: its envelope, and the exact cost of every outcome."""
    asked = {"bounds": (-5, 20), "granularity": 1, "mechanism": "piecewise_laplace", **asked}
    law = hazmat.law(Quantile("1/3"), data, epsilon=1, neighbors=neighbors, **asked)
    low, high = law.envelope.support
    costs = read_law(law).cost([k * law.granularity for k in range(low, high + 1)])
    return law.envelope.lower.tolist(), law.envelope.upper.tolist(), law.envelope.support, costs.tolist()


def arrow(records, kind):
    if kind == pa.float16():
        records = [None if r is None else np.float16(r) for r in records]
    if pa.types.is_decimal(kind):
        records = [None if r is None else Decimal(r) for r in records]
    return pa.array(records, kind)


def decimals(records):
    return [None if r is None else Decimal(r) for r in records]


def unaligned(records):
    return np.frombuffer(b"x" + np.array(records, "<i8").tobytes(), "<i8", offset=1)


def read_only(records):
    values = np.array(records)
    values.flags.writeable = False
    return values


class Subclass(np.ndarray):
    pass


NUMPY = [
    "i1",
    "i2",
    "i4",
    "i8",
    "u1",
    "u2",
    "u4",
    "u8",
    "f2",
    "f4",
    "f8",
    "g",
    ">i2",
    ">i8",
    ">u4",
    ">f2",
    ">f4",
    ">f8",
]
PANDAS = [
    "Int8",
    "Int16",
    "Int32",
    "Int64",
    "UInt8",
    "UInt16",
    "UInt32",
    "UInt64",
    "Float32",
    "Float64",
]
ARROW = [pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64()]
ARROW += [pa.float16(), pa.float32(), pa.float64(), pa.decimal128(20, 3), pa.decimal256(50, 3)]
POLARS = [
    pl.Int8,
    pl.Int16,
    pl.Int32,
    pl.Int64,
    pl.UInt8,
    pl.UInt16,
    pl.UInt32,
    pl.UInt64,
    pl.Float32,
    pl.Float64,
]
POLARS += [getattr(pl, name) for name in ("Int128", "UInt128", "Float16") if hasattr(pl, name)]

WHOLE = {  # containers of whole numbers 0..20, none missing
    **{f"numpy {kind}": lambda r, kind=kind: np.array(r, kind) for kind in NUMPY},
    "numpy strided": lambda r: np.repeat(np.array(r), 3)[::3],
    "numpy reversed": lambda r: np.array(r[::-1])[::-1],
    "numpy column of a matrix": lambda r: np.array([r, r[::-1]]).T[:, 0],
    "numpy read-only": read_only,
    "numpy unaligned": unaligned,
    "numpy field": lambda r: np.array([(x, "a") for x in r], [("value", "i4"), ("text", "U1")])["value"],
    "numpy subclass": lambda r: np.array(r).view(Subclass),
    "numpy masked, nothing masked": lambda r: np.ma.array(r),
    "numpy masked, none of them": lambda r: np.ma.array(r, mask=np.zeros(len(r), bool)),
    "list of numpy": lambda r: [np.uint8(x) for x in r],
    "list of float32": lambda r: [np.float32(x) for x in r],
    "list of longdouble": lambda r: [np.longdouble(x) for x in r],
    "pandas longdouble": lambda r: pd.Series(np.array(r, "g")),
    "pandas big-endian": lambda r: pd.Series(np.array(r, ">i4")),
    "pandas float16": lambda r: pd.Series(np.array(r, "f2")),
    "pandas sparse": lambda r: pd.Series(r, dtype="Sparse[int64]"),
    "pandas int64": lambda r: pd.Series(r, dtype="int64"),
    "pandas uint8": lambda r: pd.Series(r, dtype="uint8"),
    "arrow slice": lambda r: pa.array([7, 8, *r, 9])[2:-1],
    "narwhals": lambda r: nw.from_native(pl.Series(r), series_only=True),
}

NULLABLE = {  # containers of whole numbers 0..20 and None
    "list": list,
    "tuple": tuple,
    "list of Fractions": lambda r: [None if x is None else Fraction(x) for x in r],
    "list of Decimals": decimals,
    "list of NaN": lambda r: [math.nan if x is None else x for x in r],
    "list of all sorts": lambda r: [
        x if x is None else (int, float, Fraction, np.int16)[i % 4](x) for i, x in enumerate(r)
    ],
    "numpy objects made numbers": lambda r: np.array(r, object).astype(float),
    "numpy NaN": lambda r: np.array(r, np.float64),
    "numpy masked": lambda r: np.ma.array([13 if x is None else x for x in r], mask=[x is None for x in r]),
    "numpy masked float": lambda r: np.ma.array(np.array(r, float), mask=[x is None for x in r]),
    "numpy masked NaN": lambda r: np.ma.array([13, *np.array(r, float)], mask=[True] + [False] * len(r))[1:],
    "numpy masked objects made numbers": lambda r: np.ma.array(
        np.array(r, object), mask=[x is None for x in r]
    ).astype(float),
    "pandas inferred": pd.Series,
    "pandas indexed": lambda r: pd.Series(r, index=[7] * len(r), name="secret"),
    "pandas labels": lambda r: pd.Series(
        r, index=["dtype", "type", "kind", *list(range(len(r) - 3))], dtype="Int64"
    ),
    "pandas sparse": lambda r: pd.Series(np.array(r, float), dtype="Sparse[float64]"),
    **{f"pandas {kind}": lambda r, kind=kind: pd.Series(r, dtype=kind) for kind in PANDAS},
    **{f"pandas arrow {k}": lambda r, k=k: pd.Series(arrow(r, k), dtype=pd.ArrowDtype(k)) for k in ARROW},
    **{f"arrow {k}": lambda r, k=k: arrow(r, k) for k in ARROW},
    **{
        f"arrow chunks {k}": lambda r, k=k: pa.chunked_array([arrow(r[:2], k), arrow([], k), arrow(r[2:], k)])
        for k in ARROW
    },
    **{f"polars {kind}": lambda r, kind=kind: pl.Series(r, dtype=kind) for kind in POLARS},
    "polars chunks": lambda r: pl.concat(
        [pl.Series(r[:2], dtype=pl.Int16), pl.Series(r[2:], dtype=pl.Int16)], rechunk=False
    ),
    "polars Decimal": lambda r: pl.Series(decimals(r), dtype=pl.Decimal(20, 3), strict=False),
    "narwhals": lambda r: nw.from_native(pd.Series(r, dtype="Int32"), series_only=True),
}

RECORDS = [3, 0, 12, 7, 7, 20, 1, 3, 19, 4, 11]
WITH_NULLS = [3, None, 12, None, 7, 20, 1, 3, None, 4, 11]


@each_value(neighbors=["add_remove", "swap"])
@each_value(name=WHOLE)
def test_whole_numbers_have_one_law(name, neighbors):
    assert secrets(WHOLE[name](RECORDS), neighbors) == secrets(RECORDS, neighbors)


@each_value(neighbors=["add_remove", "swap"])
@each_value(name=NULLABLE)
def test_missing_or_not_there_is_one_law(name, neighbors):
    for records in (RECORDS, WITH_NULLS, [None, 4, None, 0]):
        assert secrets(NULLABLE[name](records), neighbors) == secrets(records, neighbors)


@pytest.mark.parametrize("neighbors", ["add_remove", "swap"])
@pytest.mark.parametrize(
    "empty",
    [
        [],
        (),
        range(0),
        np.array([]),
        np.array([], bool),
        np.array([], object).astype(float),
        np.ma.array([]),
        pd.Series([], dtype="Int64"),
        pd.Series([], dtype="float64"),
        pl.Series([]),
        pl.Series([], dtype=pl.Boolean),
        pa.array([]),
        pa.chunked_array([], pa.int64()),
        pa.chunked_array([pa.array([], pa.float32())]),
    ],
    ids=lambda data: f"{type(data).__module__}.{type(data).__name__}",
)
def test_empty_data_has_one_law(empty, neighbors):
    assert secrets(empty, neighbors) == secrets([], neighbors)


NOTHING = {
    "list": [None] * 3,
    "text": ["4", "x", b"4"],
    "numpy": np.full(3, np.nan),
    "numpy objects made numbers": np.array([None] * 3, object).astype(float),
    "numpy masked": np.ma.array([4, 5, 6], mask=True),
    "pandas": pd.Series([None] * 3, dtype="float64"),
    "pandas objects made numbers": pd.to_numeric(pd.Series(["a", None, "c"], dtype=object), errors="coerce"),
    "pandas Int64": pd.Series([None] * 3, dtype="Int64"),
    "pandas boolean": pd.Series([None] * 3, dtype="boolean"),
    "pandas null": pd.Series([None] * 3, dtype=pd.ArrowDtype(pa.null())),
    "polars null": pl.Series([None] * 3),
    "polars Int64": pl.Series([None] * 3, dtype=pl.Int64),
    "polars Boolean": pl.Series([None] * 3, dtype=pl.Boolean),
    "arrow null": pa.nulls(3),
    "arrow null chunks": pa.chunked_array([pa.nulls(1), pa.nulls(2)]),
    "arrow bool": pa.nulls(3, pa.bool_()),
}


@pytest.mark.parametrize("neighbors", ["add_remove", "swap"])
@pytest.mark.parametrize("name", NOTHING)
def test_nothing_but_missing_records_has_one_law(name, neighbors):
    expected = [] if neighbors == "add_remove" else [-5, -5, -5]
    assert secrets(NOTHING[name], neighbors) == secrets(expected, neighbors)


BOOLEANS = {
    "list": list,
    "list of numpy": lambda r: [None if x is None else np.bool_(x) for x in r],
    "numpy objects made numbers": lambda r: np.array(r, object).astype(float),
    "numpy masked": lambda r: np.ma.array([bool(x) for x in r], mask=[x is None for x in r]),
    "pandas objects made numbers": lambda r: pd.to_numeric(pd.Series(r, dtype=object), errors="coerce"),
    "pandas boolean": lambda r: pd.Series(r, dtype="boolean"),
    "pandas arrow": lambda r: pd.Series(r, dtype=pd.ArrowDtype(pa.bool_())),
    "polars": lambda r: pl.Series(r, dtype=pl.Boolean),
    "arrow": lambda r: pa.array(r, pa.bool_()),
    "arrow chunks": lambda r: pa.chunked_array([pa.array(r[:1], pa.bool_()), pa.array(r[1:], pa.bool_())]),
}


@pytest.mark.parametrize("neighbors", ["add_remove", "swap"])
@pytest.mark.parametrize("name", BOOLEANS)
def test_true_is_one_and_false_is_zero(name, neighbors):
    for records in ([True, False, True, True], [True, None, False, True], [False, None]):
        numbers = [None if r is None else int(r) for r in records]
        assert secrets(BOOLEANS[name](records), neighbors) == secrets(numbers, neighbors)


FRACTIONAL = {
    **{f"numpy {kind}": lambda r, kind=kind: np.array(r, kind) for kind in ("f2", "f4", "f8", "g", ">f4")},
    "Fractions": lambda r: [Fraction(x) for x in r],
    "Decimals": decimals,
    "objects made numbers": lambda r: np.array(decimals(r), object).astype(float),
    **{f"arrow {k}": lambda r, k=k: arrow(r, k) for k in ARROW[8:]},
    **{f"pandas arrow {k}": lambda r, k=k: pd.Series(arrow(r, k), dtype=pd.ArrowDtype(k)) for k in ARROW[8:]},
    "polars Float32": lambda r: pl.Series(r, dtype=pl.Float32),
    "polars Decimal": lambda r: pl.Series(decimals(r), dtype=pl.Decimal(20, 3), strict=False),
    "pandas Float32": lambda r: pd.Series(r, dtype="Float32"),
}


@pytest.mark.parametrize("name", FRACTIONAL)
def test_fractions_are_rounded_alike(name):
    records = [0.25, 0.75, -0.25, -0.75, 1.5, 1.25, 0.125, -1.0, 12.375]
    for granularity in (0.5, 1, 0.1):
        asked = {"bounds": (-2, 10), "granularity": granularity}
        assert secrets(FRACTIONAL[name](records), "swap", **asked) == secrets(records, "swap", **asked)


# Numbers beyond what 53 bits hold: every container rounds to the nearest float64 before anything else

WIDE = Lattice.between(
    (-(2**63), 2**64)
)  # steps of 8192, halves of which 53 bits tell apart only at even places
SIGNED = [
    2**62 + 4095,
    2**62 + 4096,
    2**63 - 1,
    2**53 + 1,
    -(2**62) - 4097,
    -(2**63),
    2**61 + 2047,
    2**62 + 3584,
    0,
]
UNSIGNED = [
    2**63 + 4095,
    2**63 + 4096,
    2**64 - 1,
    2**64 - 4097,
    2**63 + 3071,
    2**63 + 3072,
    2**63 + 3073,
    2**53 + 1,
    0,
]

LONG_SIGNED = {
    "list": list,
    "objects made numbers": lambda r: np.array(r, object).astype(float),
    "Fractions": lambda r: [None if x is None else Fraction(x) for x in r],
    "Decimals": decimals,
    "numpy masked": lambda r: np.ma.array([x or 0 for x in r], mask=[x is None for x in r]),
    "pandas inferred": lambda r: made_numbers(r),
    "pandas Int64": lambda r: pd.Series(r, dtype="Int64"),
    "pandas arrow": lambda r: pd.Series(pa.array(r, pa.int64()), dtype=pd.ArrowDtype(pa.int64())),
    "arrow": lambda r: pa.array(r, pa.int64()),
    "arrow decimal": lambda r: arrow(r, pa.decimal128(25, 1)),
    "polars": lambda r: pl.Series(r, dtype=pl.Int64),
    "polars Decimal": lambda r: pl.Series(decimals(r), dtype=pl.Decimal(30, 1)),
    **({"polars Int128": lambda r: pl.Series(r, dtype=pl.Int128)} if hasattr(pl, "Int128") else {}),
}
LONG_UNSIGNED = {
    "list": list,
    "pandas UInt64": lambda r: pd.Series(r, dtype="UInt64"),
    "pandas arrow": lambda r: pd.Series(pa.array(r, pa.uint64()), dtype=pd.ArrowDtype(pa.uint64())),
    "numpy masked": lambda r: np.ma.array([x or 0 for x in r], "u8", mask=[x is None for x in r]),
    "arrow": lambda r: pa.chunked_array([pa.array(r, pa.uint64())]),
    "polars": lambda r: pl.Series(r, dtype=pl.UInt64),
}


def by_model(records, lattice):
    """The index of each number by its nearest float64, in Python."""
    return sorted(int(lattice.index(np.array([float(r)]))[0]) for r in records if r is not None)


@pytest.mark.parametrize("nulls", [[], [None]])
@pytest.mark.parametrize("name", LONG_SIGNED)
def test_signed_64_bits(name, nulls):
    assert indices(LONG_SIGNED[name](SIGNED + nulls), WIDE, "add_remove") == by_model(SIGNED, WIDE)


@pytest.mark.parametrize("nulls", [[], [None]])
@pytest.mark.parametrize("name", LONG_UNSIGNED)
def test_unsigned_64_bits(name, nulls):
    assert indices(LONG_UNSIGNED[name](UNSIGNED + nulls), WIDE, "add_remove") == by_model(UNSIGNED, WIDE)


@settings(max_examples=60)
@given(
    st.lists(st.integers(-(2**63), 2**63 - 1) | st.none(), max_size=8), st.sampled_from(sorted(LONG_SIGNED))
)
def test_any_64_bits(records, name):
    assert indices(LONG_SIGNED[name](records), WIDE, "add_remove") == by_model(records, WIDE)


def test_a_path_of_its_own_for_integers_would_show():
    record = 2**62 + 4095  # below the half, and its nearest float64 at it
    assert (record + 4096) // 8192 != by_model([record], WIDE)[0]


# A record alone: total, and the same number whatever stands beside it


class Proxy:
    @property
    def __class__(self):
        raise RuntimeError("secret")


class Unhashable(type):
    __hash__ = None


class Strange(metaclass=Unhashable):
    pass


class Broken(int):
    def __float__(self):
        raise ArithmeticError("secret")


class Loud(Fraction):
    def __float__(self):
        raise OverflowError("secret")

    def __gt__(self, other):
        raise ArithmeticError("secret")


class Level(IntEnum):
    HIGH = 3


NUMBERS = [
    (0, 0),
    (-0.0, 0),
    (5e-324, 0),
    (True, 1),
    (Level.HIGH, 3),
    (2.5, 3),
    (10**400, 8),
    (-(10**400), -8),
    (10**5000, 8),
    (2**1024 - 1, 8),
    (math.inf, 8),
    (-math.inf, -8),
    (Fraction(7, 2), 4),
    (Fraction(10**400), 8),
    (Fraction(-(10**400), 3), -8),
    (Fraction(1, 10**400), 0),
    (Fraction(10**400 + 1, 10**400), 1),
    (Decimal("1.5"), 2),
    (Decimal("1e400"), 8),
    (Decimal("-1e999999"), -8),
    (Decimal("1e-999999"), 0),
    (Decimal("Infinity"), 8),
    (Decimal("-Infinity"), -8),
    (np.float16(-2), -2),
    (np.float64("inf"), 8),
    (np.longdouble("1e4000"), 8),
    (np.longdouble("-1e4000"), -8),
    (np.longdouble("1e-4900"), 0),
    (np.uint64(2**64 - 1), 8),
    (np.int64(-(2**63)), -8),
    (np.bool_(True), 1),
]
MISSING = [
    None,
    math.nan,
    np.float32("nan"),
    np.longdouble("nan"),
    Decimal("NaN"),
    Decimal("sNaN"),
    pd.NA,
    pd.NaT,
]
MISSING += [
    "3",
    b"3",
    "",
    3j,
    np.complex64(3),
    object(),
    [3],
    (3,),
    {},
    np.array(3),
    np.array([3]),
    np.ma.masked,
]
MISSING += [
    np.timedelta64(3, "D"),
    np.timedelta64(3, "ns"),
    np.timedelta64("NaT", "D"),
    np.datetime64("NaT", "D"),
]
MISSING += [np.datetime64(3, "s"), pd.Timestamp(0), pd.Timedelta(3), int, Ellipsis, NotImplemented, len]
MISSING += [Proxy(), Strange(), Broken(3), Loud(3), mock.Mock(spec=int), mock.Mock(spec=Decimal)]
SMALL = Lattice.between((-8, 8))
COMPANY = [[], [1, 2], [1.0, 2.0], [None], [Fraction(1, 3)], ["x"], [10**400]]


@pytest.mark.parametrize(("record", "index"), NUMBERS, ids=range(len(NUMBERS)))
def test_every_number_has_its_index_whatever_stands_beside_it(record, index):
    for others in COMPANY:
        alone = indices(others, SMALL, "add_remove")
        for make in (list, tuple):
            assert indices(make([*others, record]), SMALL, "add_remove") == sorted([*alone, index])


@pytest.mark.parametrize("place", range(len(MISSING)), ids=lambda i: f"{i} {type(MISSING[i]).__name__}")
def test_anything_else_is_missing_whatever_stands_beside_it(place):
    record = MISSING[place]
    for others in COMPANY:
        for make in (list, tuple):
            data = make([record, *others])
            assert indices(data, SMALL, "add_remove") == indices(others, SMALL, "add_remove")
            assert indices(data, SMALL, "swap") == sorted([-8, *indices(others, SMALL, "swap")])


def made_numbers(records):
    """As errors tell users of pandas to, who get objects where nothing, or too much, is there to infer a type from."""
    return pd.to_numeric(pd.Series(records), errors="coerce")


@pytest.mark.parametrize("kind", ["f2", "f4", "f8", "g", ">f4", ">f8"])
def test_arrays_of_odd_floats(kind):
    tiny, most = 5e-324, 1e300
    with np.errstate(all="ignore"):
        odd = [math.nan, math.inf, -math.inf, -0.0, 0.0, 2.5, tiny, most, -most]
        data = np.array(odd, np.float64).astype(kind)
    assert indices(data, SMALL, "add_remove") == [-8, -8, 0, 0, 0, 3, 8, 8]
    assert indices(data, SMALL, "swap") == [-8, -8, -8, 0, 0, 0, 3, 8, 8]


def test_long_doubles_beyond_float64_are_clamped():
    data = np.array(["1e4000", "-1e4000", "nan", "2", "1e-4900"], np.longdouble)
    assert indices(data, SMALL, "add_remove") == [-8, 0, 2, 8]


def test_signalling_nans_are_missing():
    data = np.array([0x7FF0000000000001, 0xFFF4000000000000, 0x7FF8000000000000], "u8").view("f8")
    single = np.array([0x7F800001, 0x7FC00000], "u4").view("f4")
    assert column(data, SMALL).present == column(single, SMALL).present == 0
    assert indices(pl.Series([1.0, math.nan, None]), SMALL, "add_remove") == [1]


@pytest.mark.parametrize("kind", ["f8", ">f8", "i4", "?", "f2", "masked", "list"])
def test_long_columns_are_mapped_by_the_same_function(kind):
    """Beyond the size that is ordered outright another algorithm selects; the numbers must not notice."""
    size = 60_000
    noise = (np.arange(size) * 2_654_435_761 % 2**32) % 41 - 20
    short = noise != 13 if kind == "?" else noise
    data = {
        "masked": lambda: np.ma.array(np.where(noise == 7, np.nan, noise), mask=noise == 9),
        "list": lambda: [None if x in (7, 9) else x for x in noise.tolist()],
    }.get(kind, lambda: short.astype(kind))()
    kept = noise[(noise != 7) & (noise != 9)] if kind in ("masked", "list") else short
    expected = np.sort(np.clip(kept.astype(int), -8, 8))
    read = column(data, SMALL, "add_remove")
    assert read.count == expected.size
    for start in (1, size // 3, size // 2):
        assert read.ranks(start, start + 500).tolist() == expected[start - 1 : start + 499].tolist()


# Neighbours: one record more or less, and the others stay where they were

WHOLE_OR_NULL = st.integers(-20, 20) | st.sampled_from([2**53 + 1, -(2**63), 2**63 - 1]) | st.none()
ANY = st.one_of(
    WHOLE_OR_NULL,
    st.floats(),
    st.fractions(),
    st.decimals(),
    st.booleans(),
    st.integers(),
    st.sampled_from(
        [10**400, -(10**400), Fraction(10**400), Decimal("sNaN"), Decimal("1e500"), "7", pd.NA, pd.NaT]
    ),
    st.sampled_from(
        [np.float16(2), np.longdouble(3), np.timedelta64(4, "D"), np.uint64(2**63), np.ma.masked, 1j]
    ),
)
NEIGHBOURS = {
    "list": (list, ANY),
    "tuple": (tuple, ANY),
    "numpy inferred": (lambda r: np.array(r).astype(float), WHOLE_OR_NULL | st.integers(0, 2**64 - 1)),
    "numpy inferred floats": (
        lambda r: np.array(r).astype(float),
        st.floats() | st.integers(-(2**64), 2**64) | st.booleans(),
    ),
    "pandas inferred": (made_numbers, WHOLE_OR_NULL),
    "pandas inferred floats": (made_numbers, st.floats() | st.none() | st.integers(-(2**63), 2**63 - 1)),
    "pandas Int64": (LONG_SIGNED["pandas Int64"], WHOLE_OR_NULL),
    "pandas arrow": (LONG_SIGNED["pandas arrow"], WHOLE_OR_NULL),
    "polars": (LONG_SIGNED["polars"], WHOLE_OR_NULL),
    "polars inferred": (pl.Series, WHOLE_OR_NULL),
    "arrow inferred": (pa.array, WHOLE_OR_NULL),
    "arrow decimal": (LONG_SIGNED["arrow decimal"], WHOLE_OR_NULL),
}


@settings(max_examples=150)
@pytest.mark.parametrize("neighbors", ["add_remove", "swap"])
@pytest.mark.parametrize("name", NEIGHBOURS)
@given(data=st.data())
def test_one_record_changes_only_itself(name, neighbors, data):
    make, records = NEIGHBOURS[name]
    others, record = data.draw(st.lists(records, max_size=6)), data.draw(records)
    place = data.draw(st.integers(0, len(others)))
    lattice = data.draw(
        st.sampled_from([SMALL, WIDE, Lattice.between((0.0, 1.0)), Lattice.between((0, 9), 0.1)])
    )
    with_it = indices(make([*others[:place], record, *others[place:]]), lattice, neighbors)
    assert Counter(with_it) == Counter(indices(make(others), lattice, neighbors)) + Counter(
        indices([record], lattice, neighbors)
    )


@pytest.mark.parametrize("neighbors", ["add_remove", "swap"])
def test_any_window_of_ranks(neighbors):
    read = column(WITH_NULLS, SMALL, neighbors)
    every = indices(WITH_NULLS, SMALL, neighbors)
    for start in range(1, read.count + 2):
        for stop in range(start, read.count + 2):
            assert read.ranks(start, stop).tolist() == every[start - 1 : stop - 1]


FORMS = {
    "f8": lambda x: x,
    "f4": lambda x: x.astype(np.float32),
    "swapped bytes": lambda x: x.astype(">f8"),
    "list": lambda x: [None if np.isnan(v) else float(v) for v in x],
    "masked": lambda x: np.ma.array(np.nan_to_num(x), mask=np.isnan(x)),
    "strided": lambda x: np.repeat(x, 3)[::3],
}


@pytest.mark.parametrize("neighbors", ["add_remove", "swap"])
@pytest.mark.parametrize("bounds", [(0, 1000), (-7, 5), (0.25, 0.75), (-(2**50), 2**51)], ids=str)
@pytest.mark.parametrize("form", FORMS)
def test_sums_extremes_and_order_are_those_of_the_indices(form, bounds, neighbors):
    """Against plain Python on the same indices: whole, up to a value, at both ends; missing ones at the lower bound."""
    rng = np.random.default_rng(3)
    for n in (0, 1, 7, 3_000):
        x = np.round(rng.standard_cauchy(n) * 8) / 8
        x[rng.random(n) < 0.2] = np.nan
        lattice = Lattice.fine(bounds)
        kept = [] if not n else lattice.index(x[~np.isnan(x)]).tolist()
        kept += [lattice.low] * (n - len(kept)) * (neighbors == "swap")
        known = sorted(kept)
        col = column(FORMS[form](x), lattice, neighbors)
        from_low = [k - lattice.low for k in known]
        whole = col.sums(squares=True)
        assert (whole.count, whole.total) == (len(known), sum(from_low))
        assert whole.squares == sum(k * k for k in from_low)
        assert col.count == len(known)
        assert col.ordered().tolist() == known
        for cut in {lattice.low - 1, lattice.low, lattice.high, *known[:: max(1, len(known) // 5)]}:
            part, below = col.below(cut, squares=True), [k - lattice.low for k in known if k <= cut]
            assert (part.count, part.total) == (len(below), sum(below))
            assert part.squares == sum(k * k for k in below)
        for records in {0, min(1, len(known)), len(known) // 3, len(known)}:
            smallest, largest = col.extremes(records)
            assert smallest.tolist() == known[:records]
            assert largest.tolist() == known[len(known) - records :]


@settings(max_examples=50)
@given(st.permutations(WITH_NULLS))
def test_the_order_of_records_is_not_in_the_law(records):
    assert secrets(records, "add_remove") == secrets(WITH_NULLS, "add_remove")


# What is only read


@pytest.mark.parametrize(
    "data",
    [
        np.array([3.0, math.nan, 1.0]),
        np.array([3, 2, 1], ">i4"),
        (3, None, "x"),
        np.ma.array([3.0, 2.0, 1.0], mask=[True, False, False]),
        [3, None, 1.0],
        pd.Series([3, None, 1], index=[2, 1, 0], dtype="Int64"),
        pl.Series([3, None, 1]),
    ],
    ids=lambda data: type(data).__name__,
)
def test_the_input_is_left_as_it_was(data):
    before = copy.deepcopy(data)
    secrets(data, "add_remove")
    secrets(data, "swap")
    assert repr(data) == repr(before)
    if isinstance(data, np.ma.MaskedArray):
        assert data.data.tolist() == before.data.tolist()


def test_secret_objects_do_not_print_themselves():
    declared = declare([41.5])
    assert "41" not in repr(declared) + repr(declared.read(SMALL, "swap"))
    assert "withheld" in repr(declared) and "withheld" in repr(declared.read(SMALL, "swap"))


# What is refused: by the declared type, in the same words whatever the records

REFUSED = [
    (np.array(["a"]), np.array(["a much longer secret", "b"]), "str_"),
    (np.array([b"a"]), np.array([b"longer"]), "bytes_"),
    (np.array([1j]), np.array([5j, 7]), "complex128"),
    (np.array(["a", None], object), np.array([1, 2.5, Decimal(3)], object), "an array of objects"),
    (np.ma.array([1, 2], object, mask=[0, 1]), np.array([], object), "as in data.astype(float)"),
    (
        np.array(["a"], np.dtypes.StringDType()),
        np.array(["bbb"], np.dtypes.StringDType()),
        "data.astype(float)",
    ),
    (np.array(["2020-01-01"], "M8[D]"), np.array(["NaT", "2021-01-01"], "M8[D]"), "datetime64"),
    (np.array([1], "m8[s]"), np.array([2, 3], "m8[s]"), "timedelta64"),
    (np.zeros(2, [("a", "U3")]), np.zeros(3, [("a", "U9")]), "void"),
    (np.zeros((2, 3)), np.ones((7, 1)), "2 dimensions"),
    (np.array(3), np.array(4.5), "0 dimensions"),
    (None, None, "NoneType"),
    ("secret", "other", "builtins.str"),
    (b"secret", b"other", "builtins.bytes"),
    (5, 7, "builtins.int"),
    (np.float64(5), np.float64(7), "numpy.float64"),
    ({1: 2}, {3: 4}, "builtins.dict"),
    ({1}, {2, 3}, "builtins.set"),
    (iter([1]), iter([2]), "list_iterator"),
    (memoryview(b"ab"), memoryview(b"c"), "memoryview"),
    (pd.DataFrame({"a": [1]}), pd.DataFrame({"a": [2], "b": [3]}), "DataFrame"),
    (pd.Index([1]), pd.Index([2, 3]), "Index"),
    (pd.array([1, None]), pd.array([2]), "IntegerArray"),
    (pd.NaT, pd.NaT, "NaTType"),
    (pl.DataFrame({"a": [1]}), pl.DataFrame({"b": [2, 3]}), "DataFrame"),
    (pl.LazyFrame({"a": [1]}), pl.LazyFrame({"b": [2, 3]}), "LazyFrame"),
    (pa.table({"a": [1]}), pa.table({"b": [2, 3]}), "Table"),
    (pa.scalar(1), pa.scalar(2), "Scalar"),
    (pd.Series(["a"], dtype="string"), pd.Series(["bb", None], dtype="string"), "String"),
    (pd.Series([1j]), pd.Series([2j, 3]), "Complex128DType"),
    (pd.Series(pd.Categorical([3, 1])), pd.Series(pd.Categorical([7])), "Categorical"),
    (pd.Series(pd.Categorical([3, 1], ordered=True)), pd.Series(pd.Categorical(["x"], ordered=True)), ""),
    (pd.Series(pd.to_datetime(["2020-01-01"])), pd.Series(pd.to_datetime(["2021-05-05"] * 2)), "Datetime"),
    (pd.Series(pd.to_timedelta(["1D"])), pd.Series(pd.to_timedelta(["7D"])), "Duration"),
    (pd.Series(pd.interval_range(0, 3)), pd.Series(pd.interval_range(5, 9)), "IntervalDtype"),
    (pl.Series(["a"]), pl.Series(["bbb", None]), "String"),
    (pl.Series(["a"], dtype=pl.Enum(["a"])), pl.Series(["b"], dtype=pl.Enum(["b", "c"])), "Enum"),
    (pl.Series([[1]]), pl.Series([[2, 3], None]), "List"),
    (pl.Series([{"a": 1}]), pl.Series([{"b": 2.5}]), "Struct"),
    (pa.array(["a"]), pa.array(["bbb", None]), "String"),
    (pa.array([{"a": 1}]), pa.array([{"b": 2.5}]), "Struct"),
    (pa.array(["a"]).dictionary_encode(), pa.array([5, 6]).dictionary_encode(), "Categorical"),
    (pa.array([], pa.month_day_nano_interval()), pa.nulls(3, pa.month_day_nano_interval()), "DataType"),
]


@pytest.mark.parametrize(("one", "other", "named"), REFUSED, ids=range(len(REFUSED)))
def test_a_type_is_refused_in_the_same_words_whatever_the_records(one, other, named):
    with pytest.raises(SchemaError, match=r"^data must be .*, got ") as first:
        declare(one)
    with pytest.raises(SchemaError) as second:
        declare(other)
    assert str(first.value) == str(second.value)
    assert named in str(first.value)
    for error in (first.value, second.value):
        assert error.__cause__ is None and error.__suppress_context__


OBJECTS = [
    [],
    [None],
    ["a"],
    ["a", 1],
    [1, 2],
    [1.5, None],
    [Decimal(1)],
    [True],
    [date(2020, 1, 1)],
    [object()],
]


def test_a_column_of_objects_is_refused_without_looking(monkeypatch):
    """narwhals tells text from objects by looking at records; an error that depends on them would follow."""

    def look(*_args, **_kwargs):
        raise AssertionError("a record was looked at")

    made = [pd.Series(records, dtype=object) for records in OBJECTS]
    made += [series.rename("secret") for series in made] + [pd.Series(range(9)).astype(object)]
    polars = [pl.Series(records, dtype=pl.Object) for records in OBJECTS]
    monkeypatch.setattr(pd.api.types, "infer_dtype", look)
    for name in ("to_numpy", "to_list", "__iter__", "__getitem__", "__array__", "dtype"):
        monkeypatch.setattr(nw.Series, name, property(look) if name == "dtype" else look)
    for kind, way in (
        (made, 'pd.to_numeric(data, errors="coerce")'),
        (polars, "pl.Series(data.to_list(), dtype=pl.Float64, strict=False)"),
    ):
        told = set()
        for series in kind:
            with pytest.raises(SchemaError) as caught:
                declare(series)
            told.add(str(caught.value))
        assert told == {
            "data must be numbers, got a series of type object, which declares nothing; "
            f"make numbers of it first, as in {way}"
        }


def test_declaring_looks_at_no_record(monkeypatch):
    def look(*_args, **_kwargs):
        raise AssertionError("a record was looked at")

    for name in ("to_numpy", "to_list", "__iter__", "__getitem__", "__array__"):
        monkeypatch.setattr(nw.Series, name, look)
    for name in ("numbers_of", "count_present", "select", "_series_values", "_array_mask"):
        monkeypatch.setattr(arrays, name, look)
    for make in [*NULLABLE.values(), *WHOLE.values()]:
        assert isinstance(declare(make(RECORDS)), arrays.Declared)
