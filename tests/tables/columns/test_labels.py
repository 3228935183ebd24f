"""Labels: the same counts whatever holds the column, errors by declared type alone, and nothing that raises."""

import enum
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from noisewise.errors import ParameterError, ParameterTypeError, SchemaError
from noisewise.tables.columns.labels import MOST_LABELS, Labels, declare_labels, text_of_bytes

LABELS = Labels.of(["a", "b", 1, 2.5])


class Hostile:
    """Whatever is asked of it fails."""

    def __eq__(self, other):
        raise ValueError

    def __hash__(self):
        raise ValueError

    def __float__(self):
        raise ValueError

    @property
    def __class__(self):
        raise ValueError


class Shout(str):
    """Text that compares as something else: read as the text it is."""

    def __eq__(self, other):
        raise ValueError

    __hash__ = None

    def __str__(self):
        return "b"


class Drink(enum.StrEnum):
    TEA = "a"


def counted(data, labels=LABELS):
    return declare_labels(data).counts(labels).tolist()


BAD_TEXT = pa.Array.from_buffers(
    pa.string(), 3, [None, pa.py_buffer(np.array([0, 1, 3, 4], np.int32)), pa.py_buffer(b"a\xff\xfeb")]
)


@pytest.mark.parametrize(
    ("data", "counts"),
    [
        ([], [0, 0, 0, 0]),
        (["a", "b", "a", "c", None, ""], [2, 1, 0, 0]),
        (("a", 1, True, 1.0, np.int8(1), np.True_, Fraction(1), Decimal(1)), [1, 0, 7, 0]),
        ([2.5, Decimal("2.5"), "2.5", "1", float("nan"), float("inf"), 10**400], [0, 0, 0, 2]),
        ([[], {}, object(), Hostile(), Shout("a"), np.str_("a"), Drink.TEA, b"a"], [3, 0, 0, 0]),
        (range(3), [0, 0, 1, 0]),
        (np.array(["a", "b", "zz"]), [1, 1, 0, 0]),
        (np.array(["a", 1, None, 2.5, Hostile()], object), [1, 0, 1, 1]),
        (np.array([1, 1, 2], np.uint8), [0, 0, 2, 0]),
        (np.array([True, False]), [0, 0, 1, 0]),
        (np.array([1, 2.5, np.nan, np.inf], ">f4"), [0, 0, 1, 1]),
        (np.ma.array([1, 1, 2.5], mask=[0, 1, 0]), [0, 0, 1, 1]),
        (np.ma.array(["a", "b"], mask=[0, 1]), [1, 0, 0, 0]),
        (pd.Series(["a", "b", None]), [1, 1, 0, 0]),
        (pd.Series(["a", 1, None, Hostile()], dtype=object), [1, 0, 1, 0]),
        (pd.Series(["a", "b", None], dtype="category"), [1, 1, 0, 0]),
        (pd.Series([1, 2, None], dtype="category"), [0, 0, 1, 0]),
        (pd.Series(["a", None], dtype="string"), [1, 0, 0, 0]),
        (pd.Series([1, None], dtype="Int64"), [0, 0, 1, 0]),
        (pd.Series([True, None], dtype="boolean"), [0, 0, 1, 0]),
        (pd.Series([1, None, 2.5]), [0, 0, 1, 1]),
        (pl.Series(["a", None, "q"]), [1, 0, 0, 0]),
        (pl.Series(["a", "b"], dtype=pl.Enum(["a", "b"])), [1, 1, 0, 0]),
        (pl.Series(["a", "b"], dtype=pl.Categorical), [1, 1, 0, 0]),
        (pl.Series([1, 2, None]), [0, 0, 1, 0]),
        (pl.Series([None, None]), [0, 0, 0, 0]),
        (pl.Series([Decimal("2.5")], dtype=pl.Decimal(5, 2)), [0, 0, 0, 1]),
        (pa.array(["a", None]), [1, 0, 0, 0]),
        (pa.chunked_array([["a", "b"], ["a"]]), [2, 1, 0, 0]),
        (pa.array(["a", "b"]).dictionary_encode(), [1, 1, 0, 0]),
        (BAD_TEXT, [1, 1, 0, 0]),
    ],
)
def test_records_are_counted_by_their_label(data, counts):
    assert counted(data) == counts


def test_text_of_any_length_is_counted():
    assert counted(np.array(["a", "b", "a"], np.dtypes.StringDType())) == [2, 1, 0, 0]


@pytest.mark.parametrize("make", [list, np.array, pd.Series, pl.Series, pa.array])
def test_one_missing_record_changes_no_other(make):
    """A null turns a pandas column of integers into floats: the records that are there keep their label."""
    labels = Labels.of([2**53, 7, 2**60])
    numbers = [7, 2**53 + 1, 2**60 + 1]
    assert counted(make(numbers), labels) == [1, 1, 1]
    if make is not np.array:
        assert counted(make([*numbers, None]), labels) == [1, 1, 1]


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (np.zeros((2, 2)), "2 dimensions"),
        (np.array(1), "0 dimensions"),
        (np.array([1j]), "complex128"),
        (np.array([b"a"]), "bytes_"),
        (np.array(["2020"], "M8[D]"), "datetime64"),
        (pd.Series(pd.to_datetime(["2020-01-01"])), "Datetime"),
        (pd.DataFrame({"a": [1]}), "pandas.*DataFrame"),
        (pl.Series([["a"]]), "List"),
        (pl.Series([{"secret": 1}]), "Struct"),
        (pa.array([b"a"]), "Binary"),
        ("abc", "builtins.str"),
        ({"a": 1}, "builtins.dict"),
        (None, "NoneType"),
    ],
)
def test_other_types_are_refused_by_name(data, kind):
    with pytest.raises(SchemaError, match=kind) as error:
        declare_labels(data)
    assert "secret" not in str(error.value)
    assert error.value.__suppress_context__


@pytest.mark.parametrize(
    ("categories", "error", "rule"),
    [
        ("abc", ParameterTypeError, "must be a list that you know without looking at the data, got 'abc'"),
        ({"a": 1}, ParameterTypeError, "must be a list"),
        (pd.Series(["a"]), ParameterTypeError, "must be a list"),
        (None, ParameterTypeError, "must be a list"),
        ([], ParameterError, "must be from 1 to 1,048,576 in number, got 0"),
        (range(MOST_LABELS + 1), ParameterError, "got 1048577"),
        (["a", "b", "a"], ParameterError, "must differ from each other, got 'a' and 'a'"),
        ([1, True], ParameterError, "got 1 and True"),
        ([1, 1.0], ParameterError, "got 1 and 1.0"),
        ([0.0, -0.0], ParameterError, "must differ"),
        ([2**53, 2**53 + 1], ParameterError, "must differ"),
        (["a", Drink.TEA], ParameterError, "must differ"),
        ([None], ParameterTypeError, "must be text, numbers or booleans, got None"),
        ([("a",)], ParameterTypeError, "got a tuple"),
        ([Fraction(1, 2)], ParameterTypeError, "must be text, numbers or booleans"),
        (np.array([["a"]]), ParameterTypeError, "must be text, numbers or booleans"),
        (np.array(["2020"], "M8[ns]"), ParameterTypeError, "got a datetime64"),
        ([np.timedelta64(1, "ns")], ParameterTypeError, "got a timedelta64"),
        ([float("nan")], ParameterError, "must be finite, got nan"),
        ([10**400], ParameterError, "must be finite"),
    ],
)
def test_categories_are_judged(categories, error, rule):
    with pytest.raises(error, match=rule):
        Labels.of(categories)


def test_categories_are_kept_as_typed():
    assert Labels.of(["a", 1, 2.5, False]).names == ("a", 1, 2.5, False)
    names = Labels.of(np.array([3, 4])).names
    assert names == (3, 4)
    assert [type(name) for name in names] == [int, int]
    assert [type(name) for name in Labels.of(np.array(["a", "b"])).names] == [str, str]
    assert set(Labels.of({"x", "y"}).names) == {"x", "y"}


def test_what_was_declared_is_withheld():
    assert repr(declare_labels(["a"])) == "<DeclaredLabels: withheld>"


def test_bytes_that_are_no_utf8_are_missing_text():
    raw = [
        b"a",
        b"\xff",
        None,
        "\u00e9".encode(),
        b"\xed\xa0\x80",
        b"\xc0\x80",
        b"",
        b"\0",
        b"\xf4\x90\x80\x80",
    ]
    assert text_of_bytes(pl.Series("t", raw)).to_list() == [
        "a",
        None,
        None,
        "\u00e9",
        None,
        None,
        "",
        "\0",
        None,
    ]
    assert text_of_bytes(pl.Series("t", [b"a", None])).to_list() == ["a", None]


def one_by_one(records, labels):
    """Each record by itself, compared with each label."""
    keys = [name if isinstance(name, str) else float(name) for name in labels.names]
    counts = [0] * len(keys)
    for record in records:
        key = record if isinstance(record, str) else float(record)
        for index, label in enumerate(keys):
            counts[index] += type(key) is type(label) and key == label
    return counts


NUMBERS = [
    0.0,
    -0.0,
    0.5,
    1 + 2**-52,
    3,
    -3,
    3.5,
    7,
    2.0**53,
    -(2.0**53),
    1e300,
    np.inf,
    -np.inf,
    np.nan,
    5e-324,
]


@pytest.mark.parametrize(
    "categories",
    [
        [3, 1, 2, 0, -3],
        range(-5, 9),
        [7, 100],
        [0, 2**53, 5],
        [-(2**53), 7 - 2**53],
        [2**53 + 1, 2**53 - 1],
        [0.5, 3, -3.5, 1e300],
        [True, 0, 7.0],
        ["a", 3, "b", 0.5, 7],
        ["a", "b"],
        np.array([3, 0, 7], np.int8),
        np.array([3.5, 0.5], np.float32),
        np.array(["a", "b"]),
        {3, 7},
    ],
    ids=str,
)
@pytest.mark.parametrize("block", [4, 1 << 16])
def test_counts_are_those_of_one_record_after_the_other(categories, block, monkeypatch):
    """Labels in a table, in order, or as text, and records next to them, beyond them and far too many."""
    monkeypatch.setattr("noisewise.tables.columns.labels.BLOCK", block)
    labels = Labels.of(categories)
    assert all(type(name) in (int, float, bool, str) for name in labels.names)
    numbers = NUMBERS + [float(name) for name in labels.names if not isinstance(name, str)]
    assert counted(np.array(numbers), labels) == one_by_one(numbers, labels)
    mixed = [*numbers, "a", "a", "c", Drink.TEA]
    assert counted(mixed, labels) == one_by_one([*numbers, "a", "a", "c", "a"], labels)


@pytest.mark.parametrize("records", [0, 1, 30, 500])
def test_texts_are_counted_whether_labels_or_records_are_more(records):
    names = [f"item {k}" for k in range(100)]
    chosen = np.random.default_rng(records).integers(0, 130, records).tolist()
    texts = [f"item {k}" for k in chosen]
    known = np.bincount(chosen, minlength=130)[:100].tolist()
    labels = Labels.of(names)
    assert counted(texts, labels) == counted([*texts, None], labels) == known


@pytest.mark.parametrize(
    ("categories", "error"),
    [
        ([1, 2, 1.0], "differ"),
        (["a", "b", "a"], "differ"),
        ([0.0, -0.0], "differ"),
        ([2**53, 2**53 + 1], "differ"),
        ([1, 10**400], "finite"),
        ([1.0, float("nan")], "finite"),
        ([1, float("-inf")], "finite"),
    ],
    ids=str,
)
def test_plain_categories_are_judged_as_any(categories, error):
    with pytest.raises(ParameterError, match=error):
        Labels.of(categories)
