"""Formulas that take one number as they take an array of them."""

import math

import numpy as np
import pytest

from noisewise.kernel.numbers.arrays import clamped, either, entries

VALUES = [-math.inf, -1.0, 0.0, 0.5, 3.0, math.inf, math.nan]


def test_a_number_is_clamped_as_in_an_array() -> None:
    many, each = clamped(np.array(VALUES), 0.0, 2.0), [clamped(value, 0.0, 2.0) for value in VALUES]
    assert many[:-1].tolist() == each[:-1] == [0.0, 0.0, 0.0, 0.5, 2.0, 2.0]
    assert math.isnan(many[-1]) and math.isnan(each[-1])


@pytest.mark.parametrize("holds", [False, True])
def test_either_takes_a_number_as_an_array(holds: bool) -> None:
    assert either(np.array([holds]), 1, 2).tolist() == [either(holds, 1, 2)] == [1 if holds else 2]


def test_entries_are_counted_row_after_row() -> None:
    table = np.arange(12).reshape(3, 4)[:, ::-1]
    assert entries(table, np.arange(12)).tolist() == [entries(table, i) for i in range(12)] == [*table.flat]
