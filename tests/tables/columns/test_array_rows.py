"""Rows: the record is the row, and what misses one number is missing."""

import math
import re
from fractions import Fraction
from typing import Any

import numpy as np
import pandas
import polars
import pytest

from noisewise import SchemaError
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.tables.columns import declare_rows
from noisewise.tables.columns.array_rows import ArrayRows

LATTICE = Lattice(-2, 10, Fraction(1, 2))
FILL = (7.0, -7.0)


def read(*columns: Any, neighbors: Any = "add_remove") -> ArrayRows:
    fill = (*FILL, 0.5)[: len(columns)]
    return declare_rows(columns, len(columns), fill).read(LATTICE, neighbors)


def values(rows: ArrayRows) -> list[list[float]]:
    return [column.tolist() for column in rows.values]


def test_what_misses_a_number_is_left_out_where_rows_come_and_go() -> None:
    rows = read([1, None, 3, 4, math.nan], np.array([1.5, 2.5, np.nan, 4.5, np.nan]))
    assert values(rows) == [[1, 4], [1.5, 4.5]]
    assert rows.count == 2


def test_and_is_the_fill_row_where_they_are_swapped() -> None:
    """In every column of it, so that a half-missing row tells nothing of the other half."""
    rows = read([1, None, 3, 4, math.nan], np.array([1.5, 2.5, np.nan, 4.5, np.nan]), neighbors="swap")
    assert values(rows) == [[1, 7, 7, 4, 7], [1.5, -7, -7, 4.5, -7]]
    assert rows.count == 5


@pytest.mark.parametrize("neighbors", ["add_remove", "swap"])
def test_nothing_missing_and_nothing_there(neighbors: str) -> None:
    assert values(read([3, 1, 2], [True, False, True], neighbors=neighbors)) == [[3, 1, 2], [1, 0, 1]]
    assert values(read([], [], neighbors=neighbors)) == [[], []]
    assert values(read([None], [None], neighbors=neighbors)) == (
        [[7], [-7]] if neighbors == "swap" else [[], []]
    )


def test_every_kind_of_column_may_stand_beside_every_other() -> None:
    masked = np.ma.array([1, 2, 3, 4], mask=[0, 1, 0, 0])
    kinds = [
        masked,
        pandas.Series([1, 2, None, 4], dtype="Int64"),
        polars.Series([1, 2, 3, None]),
    ]
    rows = read(*kinds)
    assert values(rows) == [[1], [1], [1]]
    assert all(column.dtype == np.float64 for column in rows.values)
    assert read(*kinds, neighbors="swap").count == 4


def test_infinities_and_huge_numbers_are_numbers() -> None:
    rows = read([10**400, -math.inf, 0], [Fraction(1, 3), np.uint64(2**64 - 1), -0.0])
    assert values(rows) == [[math.inf, -math.inf, 0], [1 / 3, 2.0**64, 0]]


def test_the_data_is_left_alone() -> None:
    y, p = np.array([1.0, np.nan, 3.0]), np.array([1, 2, 3])
    y.flags.writeable = p.flags.writeable = False
    for neighbors in ("add_remove", "swap"):
        for column in read(y, p, neighbors=neighbors).values:
            assert not np.shares_memory(column, y) and not np.shares_memory(column, p)
    assert np.isnan(y[1])


@pytest.mark.parametrize(
    "columns", [([1, 2], [1]), ([], [1]), (np.zeros(3), [None] * 4), (range(2), polars.Series([1]))]
)
def test_columns_of_different_lengths_are_refused_without_telling_any(columns: Any) -> None:
    with pytest.raises(SchemaError) as caught:
        declare_rows(columns, 2, FILL)
    assert str(caught.value) == "columns must have the same number of rows"
    assert caught.value.__cause__ is None and caught.value.__suppress_context__
    assert not re.search(r"\d", str(caught.value))


@pytest.mark.parametrize("data", [None, 3, "ab", b"ab", {1: 2}, np.zeros((2, 3)), ([1], [2], [3]), ([1],)])
def test_the_number_of_columns_is_that_of_the_statistic(data: Any) -> None:
    with pytest.raises(SchemaError, match="data must be 2 columns as a tuple, got "):
        declare_rows(data, 2, FILL)


@pytest.mark.parametrize("column", [np.array(["a"]), np.array([1j]), np.zeros((1, 1)), object()])
def test_a_column_is_refused_by_its_type(column: Any) -> None:
    with pytest.raises(SchemaError, match="data must be"):
        declare_rows(([1], column), 2, FILL)


def test_one_number_per_row_is_a_column_of_its_own() -> None:
    rows = read([1, 2, None, 9], [3, 3, 3, 3], neighbors="swap")
    column = rows.column(np.array([0.26, -5.0, np.nan, 99.0]))
    assert (column.count, column.lattice, column.neighbors) == (4, LATTICE, "swap")
    assert column.ordered().tolist() == [-2, -2, 1, 10]
    fewer = read([1, 2, 4, 9], [3, 3, 3, 3]).column(np.array([0.26, -5.0, np.nan, 99.0]))
    assert fewer.count == 3 and fewer.ordered().tolist() == [-2, 1, 10]


def test_secrets_are_withheld() -> None:
    declared = declare_rows(([1], [2]), 2, FILL)
    assert repr(declared) == "<DeclaredRows: withheld>"
    assert repr(declared.read(LATTICE, "swap")) == "<ArrayRows: withheld>"
    assert declared.size() == 1
