"""Which group a row is in: the same on every library, in the column's own type, and total."""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from noisewise.errors import SchemaError
from noisewise.tables.groups.key_indices import key_indices, key_kinds, whole_number_indices
from noisewise.tables.groups.keys import Keys

BEGIN = datetime(2024, 1, 1)


class Unruly:
    """A record that cannot be hashed or compared."""

    def __hash__(self) -> int:
        raise RuntimeError("a secret")

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("a secret")


def places(frame: Any, **keys: Any) -> list[int]:
    seen = nw.from_native(frame, eager_only=True)
    declared = Keys.of(tuple(keys), list(next(iter(keys.values()))) if len(keys) == 1 else keys)
    return key_indices(seen, declared.fit(key_kinds(seen, declared.names))).tolist()


def libraries(frame: pl.DataFrame) -> dict[str, Any]:
    return {
        "polars": frame,
        "arrow": frame.to_arrow(),
        "pandas": frame.to_pandas(),
        "pandas of arrow": frame.to_pandas(use_pyarrow_extension_array=True),
    }


COLUMNS = {
    "text": (pl.Series(["b", None, "a", "", "ä", "b"]), ["a", "b", "ä", "zz"]),
    "whole": (pl.Series([3, -1, 7, 3, 10**15, 0]), [3, 0, 10**15, 99]),
    "narrow": (pl.Series([3, 100, 7, 3, 127, 0], dtype=pl.Int8), [3, 1000, 127, -129]),
    "unsigned": (pl.Series([2**64 - 1, 5, 2**63, 5, 0, 1], dtype=pl.UInt64), [5, 2**64 - 1, 2**63, -1]),
    "far apart": (pl.Series([2**62, 5, -(2**62), 5, 0, 1]), [-(2**62), 2**62, 5]),
    "number": (pl.Series([0.5, float("nan"), 2.0, -0.0, 1e300, float("inf")]), [2, 0.5, 0, 1e300]),
    "whole numbers as floats": (pl.Series([1.0, 2.5, float("nan"), -0.0, float("-inf"), 1e300]), [1, 0, 3]),
    "boolean": (pl.Series([True, False, True, True, False, False]), [True]),
    "date": (pl.Series([date(2024, 1, 1 + k) for k in range(6)]), [date(2024, 1, 2), date(1000, 1, 1)]),
    "time": (
        pl.Series([BEGIN + timedelta(hours=k % 3) for k in range(6)]),
        [BEGIN, BEGIN + timedelta(hours=1)],
    ),
}


@pytest.mark.parametrize("name", COLUMNS)
def test_every_library_finds_the_same_places(name: str) -> None:
    column, keys = COLUMNS[name]
    declared = Keys.of(("x",), keys).columns[0]
    expected = [declared.index(value) if value in declared else -1 for value in column.to_list()]
    for library, frame in libraries(pl.DataFrame({"x": column})).items():
        given = [BEGIN if key == date(2024, 1, 1) else key for key in keys]
        if name == "date" and library == "pandas":  # which has times only
            given = [datetime(key.year, key.month, key.day) for key in keys]
        assert places(frame, x=given) == expected, library


def test_one_missing_number_changes_no_other_row() -> None:
    """Libraries read such a column as floats, in which 2^53 and 2^53 + 1 are one number."""
    whole = [2**53, 2**53 + 1, 7]
    for values in (whole, [*whole, None]):
        frame = pl.DataFrame({"x": pl.Series(values, dtype=pl.Int64)})
        for seen in (frame, frame.to_arrow(), frame.to_pandas(use_pyarrow_extension_array=True)):
            assert places(seen, x=[2**53 + 1, 7, 0])[:3] == [-1, 0, 1]
    nullable = pd.DataFrame({"x": pd.array([*whole, None], dtype="Int64")})
    assert places(nullable, x=[2**53 + 1, 7, 0]) == [-1, 0, 1, -1]


def test_missing_booleans_dates_and_times_have_no_key() -> None:
    frame = pl.DataFrame({"b": [None, False, True], "d": [None, date(1970, 1, 1), date(2000, 1, 1)]})
    for seen in (frame, frame.to_arrow(), frame.to_pandas(use_pyarrow_extension_array=True)):
        assert places(seen, b=[False, True]) == [-1, 0, 1]
        assert places(seen, d=[date(1970, 1, 1)]) == [-1, 0, -1]
    times = pd.DataFrame({"t": pd.to_datetime([None, "1970-01-01"])})
    assert places(times, t=[datetime(1970, 1, 1)]) == [-1, 0]


@pytest.mark.parametrize("unit", ["ms", "us", "ns"])
def test_times_are_compared_to_the_tick(unit: str) -> None:
    moment = datetime(2024, 1, 1, 0, 0, 0, 1000)
    frame = pl.DataFrame({"t": pl.Series([BEGIN, moment], dtype=pl.Datetime(unit))})
    for seen in libraries(frame).values():
        assert places(seen, t=[moment, BEGIN + timedelta(microseconds=1)]) == [-1, 0]
    fine = pl.DataFrame({"t": pl.Series([1], dtype=pl.Int64).cast(pl.Datetime("ns"))})
    assert places(fine, t=[datetime(1970, 1, 1)]) == [-1]


def test_times_with_a_zone_are_one_moment_in_all_zones() -> None:
    berlin = pl.DataFrame({"t": [BEGIN]}).select(
        pl.col("t").dt.replace_time_zone("UTC").dt.convert_time_zone("Europe/Berlin")
    )
    for seen in (berlin, berlin.to_arrow(), berlin.to_pandas()):
        assert places(seen, t=[BEGIN.replace(tzinfo=UTC)]) == [0]


def test_categories_are_the_text_they_stand_for() -> None:
    frame = pl.DataFrame({"x": ["b", None, "a"]})
    categories = [
        frame.cast(pl.Categorical),
        frame.cast(pl.Enum(["a", "b"])),
        frame.to_pandas().astype("category"),
        pa.table({"x": pa.array(["b", None, "a"]).dictionary_encode()}),
    ]
    for seen in categories:
        assert places(seen, x=["a", "b"]) == [1, -1, 0]


def test_python_objects_are_looked_up_one_by_one_and_nothing_raises() -> None:
    records = [
        "a",
        1,
        True,
        2.0,
        None,
        [1],
        Unruly(),
        float("nan"),
        Decimal(3),
        Decimal("sNaN"),
        date(2024, 1, 1),
    ]
    frame = pd.DataFrame({"x": pd.Series(records, dtype=object)})
    assert places(frame, x=["a", 1, 2, 3, date(2024, 1, 1)]) == [0, 1, 1, 2, -1, -1, -1, -1, 3, -1, 4]


def test_text_in_a_wrong_encoding_has_no_key() -> None:
    wrong = pa.StringArray.from_buffers(2, *pa.array([b"\xff", b"a"]).buffers()[1:])
    assert places(pa.table({"x": wrong}), x=["a"]) == [-1, 0]
    encoded = pa.table({"x": pa.DictionaryArray.from_arrays(pa.array([0, 1]), wrong)})
    assert places(encoded, x=["a"]) == [-1, 0]


def test_a_key_that_no_text_column_can_hold_is_nobodys() -> None:
    for seen in libraries(pl.DataFrame({"x": ["a", "b"]})).values():
        assert places(seen, x=["\ud800", "b"]) == [-1, 1]


def test_several_columns_are_looked_up_together() -> None:
    frame = pl.DataFrame(
        {"x": ["a", "b", "a", "c", None], "y": [1, 1, 2, 1, 1], "z": [True, True, False, True, True]}
    )
    for seen in libraries(frame).values():
        assert places(seen, x=["b", "a"], y=[1, 2]) == [2, 0, 3, -1, -1]
        seen_by = nw.from_native(seen, eager_only=True)
        listed = Keys.of(("x", "y", "z"), [("a", 2, False), ("c", 9, True), ("b", 1, True)])
        assert key_indices(seen_by, listed.fit(key_kinds(seen_by, listed.names))).tolist() == [
            -1,
            2,
            0,
            -1,
            -1,
        ]


def test_many_columns_of_many_keys_stay_within_64_bits() -> None:
    rng = np.random.default_rng(0)
    rows = rng.integers(0, 2**40, (2000, 5))
    frame = pl.DataFrame({f"k{k}": rows[:, k] for k in range(5)})
    keys = Keys.of(tuple(frame.columns), [tuple(row) for row in rows[1:].tolist()])
    seen = nw.from_native(frame, eager_only=True)
    assert key_indices(seen, keys.fit(key_kinds(seen, keys.names))).tolist() == [-1, *range(1999)]


def test_an_empty_frame_has_no_places() -> None:
    for seen in libraries(
        pl.DataFrame({"x": pl.Series([], dtype=pl.Int64), "y": pl.Series([], dtype=pl.String)})
    ).values():
        assert places(seen, x=[1]) == places(seen, y=["a"]) == places(seen, x=[1], y=["a"]) == []


@pytest.mark.parametrize("dtype", [np.int8, np.int64, np.uint8, np.uint64, ">i8"])
def test_whole_numbers_are_looked_up_exactly_at_the_ends_of_their_type(dtype: Any) -> None:
    ends = np.iinfo(dtype)
    values = np.array([ends.min, ends.min + 1, ends.max, ends.max - 1, 5], dtype)
    for known in (
        [ends.max],
        [ends.min],
        [ends.min, ends.max, 5],
        [5, 6],
        [-1, 2**64],
        [2**64],
        [2**63 - 1, -(2**63)],
    ):
        expected = [known.index(int(value)) if int(value) in known else -1 for value in values]
        assert whole_number_indices(values, known).tolist() == expected


def test_decimals_make_no_groups_and_wide_numbers_only_by_keys_of_64_bits() -> None:
    """One rule in memory and behind engines."""
    decimals = pl.DataFrame({"k": pl.Series([Decimal("1.5")], dtype=pl.Decimal(5, 2))})
    for frame in (decimals, decimals.to_arrow(), decimals.to_pandas(use_pyarrow_extension_array=True)):
        with pytest.raises(SchemaError, match=r"group_by must be of text, .* got column 'k' of type Decimal"):
            key_kinds(nw.from_native(frame), ("k",))
    wide = nw.from_native(pl.DataFrame({"k": pl.Series([2**100, 3, None, 3], dtype=pl.Int128)}))
    assert key_kinds(wide, ("k",)) == ("whole",)
    assert key_indices(wide, Keys.of(("k",), [3, 4])).tolist() == [-1, 0, -1, 0]
