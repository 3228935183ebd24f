"""No value that a declared type can hold decides whether a question fails, about it or about another column."""

import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from noisewise import Dataset, SchemaError
from tests.tables.extremes import COLUMNS, PANDAS, Values, check_alike, questions

PLACES: dict[str, Callable[[pa.Table], Any]] = {
    "PyArrow": lambda table: table,
    "pandas of Arrow": lambda table: table.to_pandas(types_mapper=pd.ArrowDtype),
    "Polars": pl.from_arrow,
    "lazy Polars": lambda table: pl.from_arrow(table).lazy(),  # type: ignore[union-attr]
    "DuckDB": lambda table: duckdb.connect().from_arrow(table),
    "DuckDB of pandas": lambda table: duckdb.connect().from_df(table.to_pandas(types_mapper=pd.ArrowDtype)),
}
RAISES = ("timestamp[s, tz=", "timestamp[ms, tz=")
"""What DuckDB itself fails to read of a frame, if it is asked about: see docs/trust/limits.md."""
SOON = [("DuckDB", "duration[s]"), ("DuckDB", "list of duration[s]"), ("DuckDB", "timestamp[s, tz=UTC]")]
SOON += [("lazy Polars", "duration[s]"), ("PyArrow", "date64[ms]")]
ALL = [
    (place, name) if (place, name) in SOON else pytest.param(place, name, marks=pytest.mark.rest)
    for place in PLACES
    for name in COLUMNS
]


def frames(make: Callable[[Any], Any], values: Values | tuple[Any, Any], beside: Callable[[int], Any]) -> Any:
    """Two frames with such a column in the first place; none where the library has no such type or values."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return [make(beside(each)) for each in values]
    except BaseException as error:  # a panic is no Exception
        if isinstance(error, KeyboardInterrupt):
            raise
        return pytest.skip("no such frame")


@pytest.mark.parametrize(("place", "name"), ALL)
def test_no_value_of_a_type_makes_a_question_fail(place: str, name: str) -> None:
    def table(values: Any) -> pa.Table:
        return pa.table({"t": values, "x": pa.array([float(i % 3) for i in range(len(values))])})

    plain, extreme = frames(PLACES[place], COLUMNS[name](), table)
    asked = questions()
    if place.startswith("DuckDB") and any(each in name for each in RAISES):
        asked = (each for each in asked if each[0] == "count" or each[0].endswith("of another"))
    check_alike(asked, partial(Dataset, plain), partial(Dataset, extreme))


@pytest.mark.parametrize("where", ["pandas", "duckdb"])
@pytest.mark.parametrize("name", PANDAS)
def test_no_value_of_a_type_of_pandas_makes_a_question_fail(where: str, name: str) -> None:
    def make(frame: pd.DataFrame) -> Any:
        return frame if where == "pandas" else duckdb.connect().from_df(frame)

    plain, extreme = frames(make, PANDAS[name], lambda each: pd.DataFrame({"t": each, "x": [0.0, 1.0]}))
    if where == "duckdb" and plain.types != extreme.types:  # DuckDB reads a type off Python's objects
        for frame in (plain, extreme):
            check_alike(questions(), partial(Dataset, frame), partial(Dataset, frame))
    else:
        check_alike(questions(), partial(Dataset, plain), partial(Dataset, extreme))


def test_rows_of_intervals_alone_are_not_counted() -> None:
    for sql in ("INTERVAL 1 MONTH AS t", "[INTERVAL 1 MONTH] AS t, {'a': INTERVAL 1 DAY} AS u"):
        with pytest.raises(SchemaError, match=r"^frame must have a column that holds no INTERVAL"):
            Dataset(duckdb.sql(f"SELECT {sql}")).count(epsilon=1)


def test_a_type_is_no_interval_by_a_word_in_its_name() -> None:
    relation = duckdb.sql("SELECT 'a'::ENUM('INTERVAL', 'a') AS \"INTERVAL\", {'INTERVAL': 1} AS s")
    assert Dataset(relation).count("INTERVAL", epsilon=64).value == 1
    assert Dataset(relation).count(epsilon=64).value == 1
