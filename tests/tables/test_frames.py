"""Which table a data frame is, told by its type; anything else is refused by the name of its type."""

from pathlib import Path

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from noisewise.errors import SchemaError
from noisewise.tables.engines.table import EngineTable
from noisewise.tables.frames import table_of
from noisewise.tables.local import LocalTable


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table])
def test_frames_in_memory(make):
    table = table_of(make({"a": [1], "b": ["x"]}))
    assert isinstance(table, LocalTable) and table.names == ("a", "b")


def test_lazy_frames_stay_where_they_are():
    table = table_of(pl.LazyFrame({"a": [1]}))
    assert isinstance(table, EngineTable) and table.names == ("a",)


@pytest.mark.parametrize("given", [[1, 2], {"a": [1]}, 3, None, "data.csv", pd.Series([1]), pl.Series([1])])
def test_what_is_no_data_frame_is_refused_by_type(given):
    kind = f"{type(given).__module__}.{type(given).__qualname__}"
    with pytest.raises(SchemaError, match=f"frame must be a data frame of .*, got {kind}"):
        table_of(given)


def test_columns_must_have_different_names():
    for twins in (pd.DataFrame([[1, 2]], columns=["a", "a"]), pa.table([[1], [2]], names=["a", "a"])):
        with pytest.raises(SchemaError, match=r"^columns must have different names, got 'a' twice$"):
            table_of(twins)


def test_columns_must_have_names_of_one_level():
    frame = pd.DataFrame([[1, 2]], columns=pd.MultiIndex.from_tuples([("a", "x"), ("a", "y")]))
    with pytest.raises(SchemaError, match="columns must have names of one level, got tuples; flatten them"):
        table_of(frame)


@pytest.mark.parametrize(
    ("given", "hint"),
    [
        ("data.csv", r"a file is opened by Dataset.scan\('data.csv'\)$"),
        (Path("data.csv"), r"a file is opened by Dataset.scan\('data.csv'\)$"),
        ("1,2\n" * 100, "builtins.str$"),
        ({"a": [1]}, r"as pd.DataFrame\(...\) does$"),
        ([[1]], r"as pd.DataFrame\(...\) does$"),
    ],
)
def test_what_was_probably_meant_is_said(given, hint):
    with pytest.raises(SchemaError, match=hint):
        table_of(given)
