"""Which table a data frame is, told by its type; anything else is refused by the name of its type."""

from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from pyarrow import parquet

from noisewise.errors import SchemaError
from noisewise.tables.engines.engine_table import EngineTable
from noisewise.tables.frames import table_of, types_of
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


WIDE = pa.table({"d": pa.array([None], pa.decimal256(50, 2)), "x": [1.0]})


def test_decimals_that_are_too_wide_are_refused_by_their_type(tmp_path):
    """Polars knows them since some version, and panics at them before; narwhals has no type for them."""
    parquet.write_table(WIDE, tmp_path / "t.parquet")
    words = r"^(decimals must have at most 38 digits, got column 'd' of type |columns must be of types that Polars)"
    with pytest.raises(SchemaError, match=words):
        table_of(pl.scan_parquet(tmp_path / "t.parquet"))
    assert table_of(WIDE).names == ("d", "x")


@pytest.mark.parametrize(("precision", "refused"), [(38, False), (39, True), (None, False)])
def test_a_decimal_may_have_so_many_digits(precision, refused):
    class Frame:
        def collect_schema(self):
            return {"d": SimpleNamespace(precision=precision), "x": pl.Float64}

    if refused:
        with pytest.raises(SchemaError, match="decimals must have at most 38 digits"):
            types_of(Frame())
    else:
        assert list(types_of(Frame())) == ["d", "x"]


def test_a_panic_about_a_type_is_an_error_of_ours_and_nothing_else_is():
    class PanicException(BaseException):
        pass

    class Frame:
        def __init__(self, error):
            self.error = error

        def collect_schema(self):
            raise self.error

    with pytest.raises(SchemaError, match=r"^columns must be of types that Polars knows"):
        types_of(Frame(PanicException("of a type")))
    with pytest.raises(KeyboardInterrupt):
        types_of(Frame(KeyboardInterrupt()))
