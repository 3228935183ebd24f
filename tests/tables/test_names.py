"""Names of columns: those that are declared, and any text where none are."""

import polars as pl
import pytest

from noisewise.errors import SchemaError
from noisewise.tables.names import is_column, unknown_column


def test_declared_names_are_told_apart_and_the_nearest_is_offered():
    names = tuple(f"c{place}" for place in range(20))
    assert is_column("c3", names) and not is_column("C3", names)
    assert not is_column(pl.Series(["c3"]), names)
    assert is_column(0, (0, 1)) and not is_column("0", (0, 1))
    assert str(unknown_column("unit", "zzz", names)).count("'c") == 12
    assert (
        str(unknown_column("column", "0", (0, 1))) == "column must be one of 0, 1, got '0'; did you mean 0?"
    )


@pytest.mark.parametrize("name", ["x", "a.b", 'a"b', "a'b", "é", "*", "/", "~1", "a\0b", " "])
def test_every_text_is_a_name_where_none_are_declared(name):
    assert is_column(name, None)


@pytest.mark.parametrize("name", ["", "\ud800", "a\udfff", 3, None, ["x"]])
def test_what_could_be_nobodys_key_is_refused_all_the_same(name):
    assert not is_column(name, None)
    error = unknown_column("column", name, None)
    assert isinstance(error, SchemaError)
    assert str(error).startswith("column must be the name of a column, as text, got ")
