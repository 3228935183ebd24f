"""Columns of any type as ones and zeros: the same from every container, total, and each record by itself."""

from datetime import date
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from numpy import ma

from noisewise import Count, ParameterError, ParameterTypeError, Proportion, SchemaError, hazmat
from noisewise.planning.readings.read_law import read_law
from noisewise.tables.columns.indicators import Indicator

TEXTS = ["tea", None, "coffee", "tea", ""]
DAYS = [date(2020, 1, 1), None, date(2021, 1, 1)]
SERIES = {
    "pandas": pd.Series,
    "pandas objects": lambda records: pd.Series(records, dtype=object),
    "polars": pl.Series,
    "arrow": pa.array,
}


def ones(indicator: Indicator, data: object) -> list[float | None]:
    return [None if np.isnan(each) else each for each in indicator.declare(data).numbers().tolist()]


@pytest.mark.parametrize("make", SERIES.values(), ids=SERIES)
def test_whatever_is_there_counts(make):
    assert ones(Indicator(), make(TEXTS)) == [1, None, 1, 1, 1]
    assert ones(Indicator(), make(DAYS)) == [1, None, 1]
    assert Indicator().declare(make(TEXTS)).size() == 5


def test_numbers_count_where_they_are_not_missing():
    for data in (
        np.array([1.5, np.nan, 0]),
        pl.Series([1.5, float("nan"), None]),
        pd.Series([7, None, None]),
    ):
        law = hazmat.law(Count(), data, epsilon=1)
        assert law.envelope.level(0)[0] == (np.array(pd.Series(data).notna()) & True).sum()
    strange = pd.Series(
        [pd.NaT, pd.NA, np.datetime64("NaT"), None, float("nan"), object(), "x"], dtype=object
    )
    assert ones(Indicator(), strange) == [None] * 5 + [1, 1]


@pytest.mark.parametrize(
    ("data", "there"),
    [
        (np.array(["a", ""]), [1, 1]),
        (np.array(["2020-01-01", "NaT"], "M8[D]"), [1, None]),
        (np.array([1j, complex("nan")]), [1, None]),
        (ma.masked_array(["a", "b"], [False, True]), [1, None]),
    ],
    ids=["text", "dates", "complex", "masked"],
)
def test_arrays_of_any_type_count(data, there):
    assert ones(Indicator(), data) == there


@pytest.mark.parametrize("make", [list, np.array, *SERIES.values()], ids=["list", "array", *SERIES])
def test_a_category_is_one_and_others_are_zero_or_missing(make):
    assert ones(Indicator("tea"), make(TEXTS)) == [1, None, 0, 1, 0]
    assert ones(Indicator("tea", others=False), make(TEXTS)) == [1, None, None, 1, None]


def test_numbers_and_booleans_are_compared_as_float64():
    assert ones(Indicator(1), [True, 1.0, "1", 2, None, -0.0]) == [1, 1, 0, 0, None, 0]
    assert ones(Indicator(0), np.array([-0.0, 0.0, np.nan])) == [1, 1, None]
    assert ones(Indicator(True), pl.Series([True, False, None])) == [1, 0, None]


def test_a_masked_record_keeps_its_place_where_records_are_swapped():
    """Their number is public, and what is missing must not change it."""
    data = ma.masked_array(["a", "b", "a"], [False, False, True])
    law = hazmat.law(Count("a"), data, epsilon=1, neighbors="swap", mechanism="piecewise_laplace")
    assert read_law(law).support == (0, 3) and law.envelope.level(0) == (1, 1)
    law = hazmat.law(
        Proportion("a"), data, epsilon=1, neighbors="swap", granularity=Fraction(1, 3), mechanism="laplace"
    )
    assert law.envelope.level(0) == (1, 1)


def test_what_can_be_no_category_is_refused():
    with pytest.raises(ParameterTypeError, match=r"^category must be text, numbers or booleans, got a list$"):
        Indicator(["tea"])
    with pytest.raises(ParameterError, match=r"^category must be finite"):
        Indicator(float("nan"))
    with pytest.raises(ParameterError, match=r"^category must be text for such a column, got 1$"):
        Indicator(1).declare(np.array(["a"]))
    with pytest.raises(SchemaError, match="must be a one-dimensional array, list or series"):
        Indicator().declare(7)
