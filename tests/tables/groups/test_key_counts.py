"""Persons per key: counted once each, for so many keys, by a choice of their own."""

from datetime import UTC, date, datetime
from itertools import islice, permutations, product
from typing import Any

import narwhals.stable.v2 as nw
import pandas as pd
import polars as pl
import pytest

from noisewise import Dataset
from noisewise.tables.groups.key_counts import KeyCounts
from noisewise.tables.local import LocalTable
from noisewise.tables.people import Choice


def persons(
    frame: Any, *names: str, most: int = 1, unit: str | None = "p", salt: str = "salt"
) -> dict[Any, int]:
    table = LocalTable(nw.from_native(frame, eager_only=True))
    choice = None if unit is None else Choice(unit, most, None, salt)
    found = KeyCounts.of(table.frame, names, None if choice is None else table.people(choice)(), choice, most)
    return dict(zip(found.keys.listed(), found.persons.tolist(), strict=True))


@pytest.mark.parametrize("library", ["polars", "pandas", "arrow"])
def test_a_person_counts_once_for_a_key(library: str) -> None:
    frame = pl.DataFrame({"p": [1, 1, 1, 2, 3, None], "k": ["a", "a", "a", "a", "b", "b"]})
    seen = {"polars": frame, "pandas": frame.to_pandas(), "arrow": frame.to_arrow()}[library]
    assert persons(seen, "k", most=3) == {"a": 2, "b": 1}


def test_without_people_every_row_is_one() -> None:
    frame = pl.DataFrame({"k": ["a", "a", None, "b"]})
    assert persons(frame, "k", unit=None) == {"a": 2, "b": 1}


def test_rows_without_a_key_count_for_none() -> None:
    moment = datetime(2024, 1, 1)
    frame = pd.DataFrame(
        {
            "p": range(6),
            "k": pd.Series([None, float("nan"), [1], float("inf"), 1, True], dtype=object),
            "t": pd.to_datetime([moment, None, moment, moment, moment, pd.Timestamp(1)]),
        }
    )
    assert persons(frame, "k") == {1: 2}
    assert persons(frame, "t") == {moment: 4}
    assert persons(frame, "k", "t") == {(1, moment): 1}
    assert persons(pl.DataFrame({"p": [1], "k": [date(2024, 1, 1)]}), "k") == {date(2024, 1, 1): 1}
    assert persons(pl.DataFrame({"p": [], "k": []}, schema={"p": pl.Int64, "k": pl.String}), "k") == {}


@pytest.mark.parametrize("most", [1, 2])
@pytest.mark.parametrize("salt", ["s1", "s2", "s3"])
def test_one_person_more_moves_so_many_counts_by_one(most: int, salt: str) -> None:
    """Whoever else is there, and however many rows the person has."""
    keys = ("a", "b", "c")
    for others in product(keys, repeat=3):
        rest = [(person, key) for person, key in zip((1, 1, 2), others, strict=True)]
        for own in product(keys, repeat=3):
            without = persons(pl.DataFrame(rest, schema=["p", "k"], orient="row"), "k", most=most, salt=salt)
            everybody = pl.DataFrame(rest + [(3, key) for key in own], schema=["p", "k"], orient="row")
            moved = persons(everybody, "k", most=most, salt=salt)
            moves = [moved.get(key, 0) - without.get(key, 0) for key in keys]
            assert set(moves) <= {0, 1} and sum(moves) == min(most, len(set(own)))


def test_the_order_of_rows_does_not_matter() -> None:
    """Nor who comes first in the table, where a number and its text, or a day and its midnight, are two keys."""
    day, midnight = date(1970, 1, 1), datetime(1970, 1, 1)
    for keys in (
        ["a", "b", "c"],
        [1, "1", 2],
        [day, midnight, midnight.replace(tzinfo=UTC)],
        [0.5, 1, "0.5"],
    ):
        rows = [(1, keys[0]), (1, keys[1]), (2, keys[1]), (1, keys[2]), (2, keys[0])]
        for salt in ("salt", "pepper", "s1"):
            found = []
            for order in islice(permutations(rows), 0, None, 13):
                people, held = zip(*order, strict=True)
                frame = pd.DataFrame({"p": people, "k": pd.Series(held, dtype=object)})
                counted = persons(frame, "k", most=1, salt=salt)
                found.append({key: n for key, n in counted.items() if n})
            assert all(each == found[0] for each in found)


def test_equal_numbers_of_several_types_are_one_key_whoever_comes_first() -> None:
    for records in ([1, 1.0, True], [True, 1.0, 1]):
        assert persons(pd.DataFrame({"p": range(3), "k": pd.Series(records, dtype=object)}), "k") == {1: 3}


def test_what_is_found_is_withheld() -> None:
    table = LocalTable(nw.from_native(pl.DataFrame({"k": [1]}), eager_only=True))
    assert repr(KeyCounts.of(table.frame, ("k",), None, None, 1)) == "<KeyCounts: withheld>"


def test_numbers_found_among_objects_can_be_asked_about() -> None:
    frame = pd.DataFrame({"k": pd.Series([0.5, 1.0] * 300, dtype=object), "v": range(600)})
    groups = Dataset(frame).group_by("k", epsilon=9, delta=1e-3)
    assert groups.keys.columns == ((0.5, 1.0),)
    assert groups.count(epsilon=60).frame["k"].tolist() == [0.5, 1.0]
