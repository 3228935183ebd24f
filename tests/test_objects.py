"""Columns of Python objects declare no type, so questions about numbers refuse them, whatever they hold.

A text column of pandas used to be such a column. All its records would be missing numbers, and the user would pay for
an answer about nothing. Records must not decide the refusal, so a column of objects that are numbers is refused, too.
"""

from collections.abc import Callable
from datetime import date
from decimal import Decimal
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest

import noisewise as nws
from noisewise.errors import SchemaError
from tests.every_question import CALLS

ONE = {"bounds": (0, 10), "epsilon": 1}
HELD: list[list[Any]] = [
    [],
    [None, None],
    ["4", "x"],
    [4, 5.5],
    [True, False],
    [Decimal(1), None],
    [date(2020, 1, 1)],
    [object(), [1]],
]
LIBRARIES = {
    "pandas": lambda records: pd.Series(records, dtype=object, name="x"),
    "polars": lambda records: pl.Series("x", records, dtype=pl.Object),
}
COLUMNS = LIBRARIES | {"numpy": lambda records: np.array(records, object)}
SINGLE = {name: (call.arguments, call.needed) for name, call in CALLS.items() if call.of_numbers} | {
    "histogram": ((), CALLS["histogram"].keywords)
}
PAIRS = {
    name: call.keywords
    for name, call in CALLS.items()
    if call.kind.capabilities.columns == ("column", "column")
} | {"theil_sen": {"bounds": (-5, 5), "intercept_bounds": (-5, 5)}}
WIDE = [name for name, call in CALLS.items() if call.kind.capabilities.columns == ("matrix",)]


class Book:
    def __init__(self) -> None:
        self.debits: list[Any] = []

    def debit(self, loss: Any, **_said: Any) -> str:
        self.debits.append(loss)
        return "paid"


def refused(ask: Callable[[Any, Book], Any], library: str) -> str:
    """The error for a column of objects. It is the same whatever the column holds, and nothing is paid."""
    book, told = Book(), set()
    for records in HELD:
        with pytest.raises(SchemaError) as caught:
            ask(COLUMNS[library](records), book)
        assert caught.value.__cause__ is None and caught.value.__suppress_context__
        told.add(str(caught.value))
    assert not book.debits
    (words,) = told
    declared = "an array of objects" if library == "numpy" else "a series of type object"
    assert (
        f"must be numbers, got {declared}, which declares nothing; make numbers of it first, as in " in words
    )
    return words


def frame(series: Any) -> Any:
    """A table whose other columns have types."""
    rows = range(len(series))
    if isinstance(series, pl.Series):
        return pl.DataFrame(
            {"x": series, "n": pl.Series(rows, dtype=pl.Int64), "k": pl.Series(["a"] * len(rows))}
        )
    return pd.DataFrame(
        {"x": series, "n": np.array(rows, int), "k": pd.Series(["a"] * len(rows), dtype="string")}
    )


@pytest.mark.parametrize("library", COLUMNS)
@pytest.mark.parametrize("name", SINGLE)
def test_no_function_of_a_column_takes_objects_for_numbers(name: str, library: str) -> None:
    extra, asked = SINGLE[name]
    words = refused(
        lambda data, book: getattr(nws, name)(data, *extra, **asked, epsilon=1, ledger=book), library
    )
    assert words.startswith("data must ")


@pytest.mark.parametrize("library", LIBRARIES)
def test_objects_are_counted_where_they_are_not_missing(library: str) -> None:
    """A count needs no numbers: any record is present or missing."""
    for records, there in (
        (["4", "x", None], 2),
        ([4, float("nan"), Decimal(1)], 2),
        ([date(2020, 1, 1)], 1),
    ):
        series = LIBRARIES[library](records)
        assert nws.count(series, epsilon=60).value == there
        assert nws.Dataset(frame(series)).count("x", epsilon=60).value == there


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("unit", [None, "k"])
@pytest.mark.parametrize("name", SINGLE)
def test_no_question_of_a_table_takes_objects_for_numbers(name: str, unit: str | None, library: str) -> None:
    extra, asked = SINGLE[name]
    words = refused(
        lambda data, book: getattr(nws.Dataset(frame(data), unit, ledger=book), name)(
            "x", *extra, **asked, epsilon=1
        ),
        library,
    )
    assert words.startswith("column 'x' must ") and "frame['x']" in words


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("name", ["median", "mean", "sum", "quantiles", "gini"])
def test_no_question_of_groups_takes_objects_for_numbers(name: str, library: str) -> None:
    extra, asked = SINGLE[name]

    def ask(data: Any, book: Book) -> Any:
        by = nws.Dataset(frame(data), ledger=book).group_by("k", keys=["a", "b"])
        return getattr(by, name)("x", *extra, **asked, epsilon=1)

    refused(ask, library)


@pytest.mark.parametrize("library", LIBRARIES)
def test_no_search_for_bounds_takes_objects_for_numbers(library: str) -> None:
    asked = {"bounds": "private", "epsilon": 1}
    refused(lambda data, book: nws.mean(data, **asked, ledger=book), library)
    refused(lambda data, book: nws.Dataset(frame(data), ledger=book).mean("x", **asked), library)
    refused(
        lambda data, book: nws.Dataset(frame(data), ledger=book).group_by("k", keys=["a"]).mean("x", **asked),
        library,
    )


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("place", [0, 1])
@pytest.mark.parametrize("name", PAIRS)
def test_no_question_of_two_columns_takes_objects_for_numbers(name: str, place: int, library: str) -> None:
    def columns(data: Any) -> tuple[Any, Any]:
        both = (data, np.zeros(len(data)))
        return both if place == 0 else both[::-1]

    refused(
        lambda data, book: getattr(nws, name)(*columns(data), **PAIRS[name], epsilon=1, ledger=book), library
    )
    names = ("x", "n") if place == 0 else ("n", "x")
    refused(
        lambda data, book: getattr(nws.Dataset(frame(data), ledger=book), name)(
            *names, **PAIRS[name], epsilon=1
        ),
        library,
    )


@pytest.mark.parametrize("library", LIBRARIES)
def test_no_question_of_several_columns_takes_objects_for_numbers(library: str) -> None:
    asked = {"bounds": (0, 10), "epsilon": 1}

    def table(data: Any) -> Any:
        both = frame(data)
        return both[["n", "x"]] if library == "pandas" else both.select("n", "x")

    for name in WIDE:
        words = refused(
            lambda data, book, name=name: getattr(nws, name)(table(data), **asked, ledger=book), library
        )
        assert words.startswith("column 'x' must ")
        refused(
            lambda data, book, name=name: getattr(nws.Dataset(frame(data), ledger=book), name)(
                ["n", "x"], **asked
            ),
            library,
        )
    for method in ("sums", "robust"):
        refused(
            lambda data, book, method=method: nws.linear_regression(
                table(data), np.zeros(len(data)), method=method, **asked, ledger=book
            ),
            library,
        )


@pytest.mark.parametrize("library", LIBRARIES)
def test_no_plan_and_no_law_takes_objects_for_numbers(library: str) -> None:
    refused(lambda data, _: nws.hazmat.law(nws.Quantile("1/2"), data, **ONE), library)
    refused(lambda data, _: nws.simulate(nws.Quantile("1/2"), data, **ONE), library)


# What objects are good for: names, of people, of groups, of categories and of nodes


@pytest.mark.parametrize("library", LIBRARIES)
def test_objects_are_text_where_labels_are_asked_for(library: str) -> None:
    data = LIBRARIES[library](["a"] * 60 + ["b"] * 30 + [None, 7, object(), date(2020, 1, 1)])
    assert nws.most_common(data, ["a", "b"], epsilon=64).value == "a"
    ds = nws.Dataset(frame(data))
    assert ds.most_common("x", ["a", "b"], epsilon=64).value == "a"
    assert ds.histogram("x", ["a", "b", 7], epsilon=64).value == (60, 30, 1)
    assert ds.group_by("x", keys=["a", "b"]).count(epsilon=64).value == (60, 30)
    assert nws.Dataset(frame(data), unit="x").count(epsilon=64).value == 5


def test_a_list_is_still_numbers_where_it_can_be() -> None:
    records = [3, Decimal(3), 3.0, True, "3", None, object()] * 99
    for data in (records, tuple(records)):
        assert nws.count(data, epsilon=64).value == 4 * 99
        assert nws.median(data, bounds=(0, 10), epsilon=64).value == 3


def test_a_numpy_array_of_objects_is_what_a_series_of_objects_is() -> None:
    """Objects can be labels, and counts count those present. The conversion that errors advise works."""
    data = np.array(["a"] * 60 + ["b"] * 30 + [None, 7, object()], object)
    assert nws.most_common(data, ["a", "b"], epsilon=64).value == "a"
    assert nws.histogram(data, ["a", "b", 7], epsilon=64).value == (60, 30, 1)
    assert nws.proportion(data, category="a", epsilon=64, granularity=0.125).value == 0.625
    assert nws.count(data, epsilon=64).value == 92
    numbers = np.array([3, "3", None, Decimal(3), True] * 99, object)
    assert nws.median(numbers.astype(float), bounds=(0, 10), epsilon=64).value == 3


# Behind an engine, which hands columns out after the debit: their types are judged before it


def behind(engine: str) -> Any:
    rows = pl.DataFrame(
        {
            "k": ["a", "b", "a"],
            "text": ["x", "y", "3"],
            "list": [[1], [2], [3]],
            "raw": [b"a", b"b", b"c"],
            "day": [date(2020, 1, 1)] * 3,
            "n": [0, 1, 2],
            "m": [1, 2, 0],
        }
    )
    return rows.lazy() if engine == "polars" else duckdb.connect().from_arrow(rows.to_arrow())


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
@pytest.mark.parametrize("column", ["list", "raw", "day"])
def test_no_engine_is_paid_for_nodes_that_have_no_names(column: str, engine: str) -> None:
    book = Book()
    for names in (["n", column], [column, "n"]):
        with pytest.raises(
            SchemaError, match=f"^data must be text, numbers or booleans, got column '{column}'"
        ):
            nws.Dataset(behind(engine), ledger=book).triangles(names, nodes=3, epsilon=1)
    assert not book.debits
    asked = nws.Dataset(behind(engine), ledger=book).triangles
    assert asked(["n", "m"], nodes=3, epsilon=60).value == 1
    assert asked(["text", "k"], nodes=["x", "y", "a"], epsilon=60).value == 0 and len(book.debits) == 2


@pytest.mark.parametrize("column", ["text", "list", "day"])
@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_no_engine_is_paid_for_groups_of_what_are_no_numbers(engine: str, column: str) -> None:
    book = Book()
    by = nws.Dataset(behind(engine), ledger=book).group_by("k", keys=["a", "b"])
    for name, asked in (("mean", {"bounds": "private", "epsilon": 1}), ("gini", ONE), ("median", ONE)):
        with pytest.raises(SchemaError):
            getattr(by, name)(column, **asked)
    assert not book.debits


def test_nodes_may_be_uuids_of_duckdb() -> None:
    names = [f"00000000-0000-0000-0000-00000000000{i}" for i in range(3)]
    pairs = ", ".join(f"('{names[i]}'::UUID, '{names[i - 1]}'::UUID)" for i in range(3))
    edges = duckdb.connect().sql(f"SELECT * FROM (VALUES {pairs}) AS edges(a, b)")
    assert nws.Dataset(edges).triangles(["a", "b"], nodes=names, epsilon=60).value == 1
