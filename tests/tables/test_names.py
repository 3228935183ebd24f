"""Names of columns: those that are declared, and any text where none are."""

from fractions import Fraction

import polars as pl
import pytest

import noisewise as nws
from noisewise.errors import ParameterError, SchemaError
from noisewise.tables.names import is_column, unknown_column


def test_declared_names_are_told_apart_and_the_nearest_is_offered():
    names = tuple(f"c{place}" for place in range(20))
    assert is_column("c3", names) and not is_column("C3", names)
    assert not is_column(pl.Series(["c3"]), names)
    assert is_column(0, (0, 1)) and not is_column("0", (0, 1))
    assert str(unknown_column("unit", "zzz", names)).count("'c") == 12
    assert (
        str(unknown_column("column", "age", ()))
        == "column must be in the table, which has no columns, got 'age'"
    )
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


def test_an_empty_name_of_a_file_is_refused_before_anything_is_paid(tmp_path):
    (tmp_path / "x.csv").write_text("a,,b\n1,x,2\n")
    ledger = nws.Ledger.open(tmp_path / "l", budget=nws.PureDP(1))
    data = nws.Dataset.scan(tmp_path / "x.csv", ledger=ledger)
    for ask in (
        lambda: data.group_by("", keys=["x"]).count(epsilon=1),
        lambda: data.group_by("a", "", keys={"a": [1], "": ["x"]}).count(epsilon=1),
        lambda: data.group_by("", epsilon=0.5, delta=0.1).count(epsilon=0.5),
    ):
        with pytest.raises(SchemaError, match=r"^group_by must be one of 'a', 'column2', 'b', got ''"):
            ask()
    with pytest.raises(SchemaError, match=r"^column must be one of 'a', 'column2', 'b', got ''"):
        data.median("", bounds=(0, 1), epsilon=1)
    with pytest.raises(ParameterError, match="keys must have a list for each of a, got one for ''"):
        data.group_by("a", keys={"": ["x"]})
    assert len(ledger) == 0


def test_a_search_at_next_to_no_price_is_refused(tmp_path):
    data = nws.Dataset(
        pl.DataFrame({"a": [1]}), ledger=nws.Ledger.open(tmp_path / "l", budget=nws.ApproxDP(1, 0.5))
    )
    with pytest.raises(ParameterError, match="epsilon must be larger, or delta"):
        data.group_by("a", epsilon=Fraction(1, 10**400), delta=0.1)
