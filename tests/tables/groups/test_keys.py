"""Declared keys: their forms, their types, and what is refused in words that show them."""

from datetime import UTC, date, datetime

import duckdb
import narwhals.stable.v2 as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from noisewise import Dataset, ParameterError, ParameterTypeError, SchemaError
from noisewise.tables.groups.keys import MOST_KEYS, Keys, kind_of

DAY, NOON = date(2024, 2, 29), datetime(2024, 2, 29, 12)


def test_a_list_is_the_keys_of_one_column_in_its_order() -> None:
    assert Keys.of(("dept",), ["B", "A"]) == Keys(("dept",), (("B", "A"),))
    assert Keys.of(("year",), range(2020, 2022)).columns == ((2020, 2021),)
    assert len(Keys.of(("dept",), ("B", "A", "C"))) == 3


def test_tuples_list_the_keys_of_several_columns() -> None:
    found = Keys.of(("dept", "year"), [("B", 2021), ("A", 2020)])
    assert found.columns == (("B", "A"), (2021, 2020))
    assert found.listed() == [("B", 2021), ("A", 2020)]


def test_a_dictionary_of_lists_is_every_combination_whatever_its_order() -> None:
    found = Keys.of(("dept", "year"), {"year": [2020, 2021], "dept": ["A", "B"]})
    assert found.listed() == [("A", 2020), ("A", 2021), ("B", 2020), ("B", 2021)]


@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame, pa.table])
def test_a_frame_has_a_row_for_each_key(library: type) -> None:
    frame = library({"year": [2021, 2020], "dept": ["B", "A"]})
    assert Keys.of(("dept", "year"), frame).listed() == [("B", 2021), ("A", 2020)]


def test_the_data_frame_itself_is_no_list_of_keys() -> None:
    frame = pl.DataFrame({"dept": ["B", "A"]})
    with pytest.raises(ParameterError, match="known without looking at the data, got the data frame itself"):
        Keys.of(("dept",), frame, frame)


@pytest.mark.parametrize(
    "keys",
    [pl.Series(["A"]), pd.Series(["A"]), np.array(["A"]), {"A"}, "A", 3, None, pd.Series(["A"]).unique()],
)
def test_what_comes_off_a_column_is_refused(keys: object) -> None:
    with pytest.raises(
        ParameterTypeError, match="a list, or a data frame, that you know without looking at the data"
    ):
        Keys.of(("dept",), keys)


@pytest.mark.parametrize("missing", [None, float("nan"), pd.NA, pd.NaT, np.float64("nan")])
def test_missing_keys_are_refused(missing: object) -> None:
    with pytest.raises(ParameterError, match="must not be missing"):
        Keys.of(("x",), [1, missing])


def test_no_keys_and_too_many_keys_are_refused() -> None:
    with pytest.raises(ParameterError, match="from 1 to 1,048,576 in number, got 0"):
        Keys.of(("x",), [])
    with pytest.raises(ParameterError, match="got 1,048,577"):
        Keys.of(("x",), range(MOST_KEYS + 1))
    with pytest.raises(ParameterError, match="got 1,050,625"):
        Keys.of(("x", "y"), {"x": range(1025), "y": range(1025)})


@pytest.mark.parametrize("same", [[1, True], [1, 1.0], ["a", "b", "a"], [0, False], [np.int64(2), 2]])
def test_equal_keys_are_refused(same: list[object]) -> None:
    with pytest.raises(ParameterError, match="keys must differ from each other, got"):
        Keys.of(("x",), same)


def test_keys_that_a_type_makes_equal_are_refused() -> None:
    with pytest.raises(ParameterError, match="differ from each other, got"):
        Keys.of(("x",), [2**53, 2**53 + 1]).fit(("number",))
    with pytest.raises(ParameterError, match="differ from each other, got"):
        Keys.of(("x",), [DAY, datetime(2024, 2, 29)]).fit(("time",))
    assert Keys.of(("x",), [2**53, 2**53 + 1]).fit(("whole",)).columns == ((2**53, 2**53 + 1),)


@pytest.mark.parametrize(
    ("kind", "given", "fitted"),
    [
        ("text", "1", "1"),
        ("whole", 2.0, 2),
        ("whole", True, 1),
        ("number", 3, 3.0),
        ("boolean", 1, True),
        ("boolean", 0.0, False),
        ("date", DAY, DAY),
        ("time", DAY, datetime(2024, 2, 29)),
        ("time", NOON, NOON),
        ("zoned", NOON.replace(tzinfo=UTC), NOON.replace(tzinfo=UTC)),
        ("any", DAY, DAY),
    ],
)
def test_a_key_becomes_what_its_column_holds(kind: str, given: object, fitted: object) -> None:
    (found,) = Keys.of(("x",), [given]).fit((kind,)).columns[0]
    assert found == fitted and type(found) is type(fitted)


@pytest.mark.parametrize(
    ("kind", "given"),
    [
        ("text", 1),
        ("whole", "1"),
        ("whole", 1.5),
        ("whole", 2**64),
        ("whole", -(2**63) - 1),
        ("number", "1"),
        ("number", 10**400),
        ("boolean", 2),
        ("boolean", "True"),
        ("date", NOON),
        ("date", "2024-02-29"),
        ("time", NOON.replace(tzinfo=UTC)),
        ("zoned", NOON),
    ],
)
def test_a_key_of_another_type_is_refused_by_name(kind: str, given: object) -> None:
    with pytest.raises(ParameterTypeError, match="for the column 'x', got"):
        Keys.of(("x",), [given]).fit((kind,))


def test_odd_keys_are_refused_by_what_they_are() -> None:
    with pytest.raises(
        ParameterTypeError, match="keys must be text, numbers, booleans, dates or times, got a list"
    ):
        Keys.of(("x",), [["a"]])
    with pytest.raises(ParameterError, match="keys must be finite, got inf"):
        Keys.of(("x",), [float("inf")])
    with pytest.raises(ParameterError, match="whole microseconds"):
        Keys.of(("x",), [pd.Timestamp("2024-02-29 00:00:00.000000001")])
    with pytest.raises(ParameterTypeError, match=r"tuples \(x, y\), or a dictionary of lists, got 'a'"):
        Keys.of(("x", "y"), ["a"])
    with pytest.raises(ParameterTypeError, match="tuples"):
        Keys.of(("x", "y"), [("a", 1), ("b",)])
    with pytest.raises(ParameterError, match="a list for each of x, y, got one for x"):
        Keys.of(("x", "y"), {"x": [1]})
    with pytest.raises(ParameterError, match="must have the columns x, got y"):
        Keys.of(("x",), pl.DataFrame({"y": [1]}))


def test_scalars_of_other_libraries_are_plain_keys() -> None:
    found = Keys.of(("x",), [np.int64(3), np.str_("a"), pd.Timestamp(NOON)]).columns[0]
    assert found == (3, "a", NOON)
    assert [type(part) for part in found] == [int, str, datetime]


def test_keys_are_ordered_from_the_lowest_to_the_highest() -> None:
    assert Keys.of(("x",), ["b", "a", "c"]).sorted().columns == (("a", "b", "c"),)
    several = Keys.of(("x", "y"), [("b", 1), ("a", 2), ("a", 1)])
    assert several.sorted().columns == (("a", "a", "b"), (1, 2, 1))
    in_order = several.sorted()
    assert in_order.sorted() is in_order
    mixed = Keys.of(("x",), ["b", 2, DAY, 1, "a", NOON, NOON.replace(tzinfo=UTC), 1.5])
    assert mixed.sorted().columns[0][:4] == (DAY, 1, 1.5, 2)
    both = Keys.of(("x", "y"), [("b", 1), (2, 2), ("a", 1)])
    assert both.sorted().listed() == [(2, 2), ("a", 1), ("b", 1)]


def test_only_some_keys_keep_their_columns() -> None:
    assert Keys.of(("x", "y"), [("b", 1), ("a", 2)]).only([1]) == Keys(("x", "y"), (("a",), (2,)))


def test_the_kind_of_a_column_is_told_by_its_type() -> None:
    kinds = {
        "text": nw.String(),
        "whole": nw.UInt8(),
        "number": nw.Float64(),
        "boolean": nw.Boolean(),
        "date": nw.Date(),
        "time": nw.Datetime("ms"),
        "zoned": nw.Datetime("us", "UTC"),
        "any": nw.Object(),
    }
    assert {kind: kind_of(dtype, "x") for kind, dtype in kinds.items()} == {kind: kind for kind in kinds}
    with pytest.raises(SchemaError, match="got column 'x' of type List"):
        kind_of(nw.List(nw.Int64()), "x")


def test_a_lazy_frame_of_keys_is_read() -> None:
    frame = pl.DataFrame({"x": ["a", "b"], "y": [1, 2]})
    for keys in (frame.lazy(), duckdb.connect().from_arrow(frame.to_arrow())):
        assert Keys.of(("x", "y"), keys).listed() == [("a", 1), ("b", 2)]


def test_numbers_of_a_float32_are_the_nearest_it_has() -> None:
    assert kind_of(nw.Float32(), "x") == "single"
    found = Keys.of(("x",), [0.1, 2, True]).fit(["single"]).columns[0]
    assert found == (float(np.float32(0.1)), 2.0, 1.0) and {type(part) for part in found} == {float}
    with pytest.raises(ParameterError, match="differ from each other"):
        Keys.of(("x",), [0.1, float(np.float32(0.1))]).fit(["single"])
    top = float(np.finfo(np.float32).max)
    assert Keys.of(("x",), [top, -top]).fit(["single"]).columns[0] == (top, -top)
    for large in (1e39, 10**60, "1"):
        with pytest.raises(ParameterTypeError, match="numbers of a float32 for the column 'x'"):
            Keys.of(("x",), [large]).fit(["single"])


def test_times_with_and_without_a_zone_have_an_order_and_no_common_column() -> None:
    both = Keys.of(("x",), [NOON.replace(tzinfo=UTC), NOON])
    assert both.sorted().listed() == [NOON, NOON.replace(tzinfo=UTC)]
    with pytest.raises(ParameterTypeError, match="one type for the column 'x', got time and time zone"):
        both.alike()
    assert Keys.of(("x",), [NOON]).alike().listed() == [NOON]


def test_whole_and_other_numbers_are_floats_where_that_is_exact() -> None:
    keys = Keys.of(("x", "y"), [(1, "a"), (0.5, "b")])
    found = keys.even().columns
    assert found == ((1.0, 0.5), ("a", "b")) and {type(part) for part in found[0]} == {float}
    for whole in (
        Keys.of(("x",), [1, 2]),
        Keys.of(("x",), [2**60 + 1, 0.5]),
        Keys.of(("x",), [10**400, 0.5]),
    ):
        assert whole.even() is whole


def test_a_key_that_the_type_of_a_column_cannot_hold_is_refused_and_no_other() -> None:
    """A Polars Enum lists its categories; those of other types are collected from records."""
    texts = ["male", "female", None]
    listed = pl.DataFrame({"sex": pl.Series(texts, dtype=pl.Enum(["male", "female", "other"]))})
    for frame in (listed, listed.lazy()):
        with pytest.raises(
            ParameterError, match=r"^keys must be categories of the column 'sex', .*, got 'M'$"
        ):
            Dataset(frame).group_by("sex", keys=["male", "M", "F"])
        assert Dataset(frame).group_by("sex", keys=["male", "other"]).count(epsilon=64).value == (1, 0)
    collected = [
        pl.DataFrame({"sex": pl.Series(texts, dtype=pl.Categorical)}),
        pd.DataFrame({"sex": pd.Categorical(texts, ordered=True)}),
        pd.DataFrame({"sex": pd.Series(texts, dtype=object)}),
        pa.table({"sex": pa.array(texts).dictionary_encode()}),
    ]
    for frame in collected:
        assert Dataset(frame).group_by("sex", keys=["M", "male"]).count(epsilon=64).value == (0, 1)
