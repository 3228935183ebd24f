"""Long tables: a row for each number."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

import noisewise as nws
from noisewise.errors import ParameterError
from noisewise.results.tidy import columns_of, frame_of_columns

RECORDS = [1, 2, 2, 3, 5, 8, 9] * 40
FRAME = pl.DataFrame({"k": ["a", "b"] * 50, "x": range(100), "name": ["n"] * 100})


def test_each_number_is_a_row():
    release = nws.histogram(RECORDS, [0, 2, 10], epsilon=1, interval=0.9)
    low, high = release.interval
    assert release.frame.to_dict(as_series=False) == {
        "name": ["[0, 2)", "[2, 10]"],
        "value": list(release.value),
        "low": list(low),
        "high": list(high),
    }
    ecdf = nws.ecdf(RECORDS, 3, bounds=(0, 10), epsilon=1)
    assert list(ecdf.frame.iter_rows()) == list(ecdf.value) and ecdf.frame.columns == ["value", "share"]
    one = nws.median(RECORDS, bounds=(0, 10), epsilon=1)
    assert one.frame.to_dict(as_series=False) == {"name": ["median"], "value": [one.value]}


def test_a_matrix_is_named_by_its_columns():
    matrix = nws.Dataset(pl.DataFrame({"a": [1.0] * 9, "b": [0.5] * 9})).covariance(
        ["a", "b"], bounds=(0, 2), epsilon=1
    )
    assert matrix.frame["name"].to_list() == ["a, a", "a, b", "b, a", "b, b"]
    assert matrix.frame["value"].to_list() == [number for row in matrix.value for number in row]
    line = nws.linear_regression(np.array([[0, 1]] * 9), [1] * 9, bounds=(0, 2), epsilon=1)
    assert columns_of(line)["name"] == ["slope 1", "slope 2", "intercept"]


@pytest.mark.parametrize("library", ["polars", "pandas"])
def test_groups_keep_their_library(library):
    frame = FRAME if library == "polars" else FRAME.to_pandas()
    by = nws.Dataset(frame).group_by("name", "k", keys=[("n", "a"), ("n", "c")])
    release = by.agg(
        n=nws.ask.count(epsilon=1, interval=0.9),
        q=nws.ask.quantiles("x", [0.5, 1], bounds=(0, 99), epsilon=9),
    )
    tidy = release.tidy
    assert isinstance(tidy, pl.DataFrame if library == "polars" else pd.DataFrame)
    assert list(tidy.columns) == ["name", "k", "question", "name_", "value", "low", "high"]
    assert list(tidy["name_"]) == ["", "", "0.5", "1", "0.5", "1"]
    (first, second), interval = release.each["q"].value, release.each["n"].interval
    assert list(tidy["value"])[2:] == [*first, *second] and list(tidy["low"])[:2] == list(interval.low)
    alone = by.count(epsilon=1)
    assert list(alone.tidy.columns) == ["name", "k", "value"]


@pytest.mark.parametrize(
    ("libraries", "type_"), [(("absent", "pandas"), pd.DataFrame), (("polars",), pl.DataFrame)]
)
def test_the_first_library_that_is_there_is_taken(monkeypatch, libraries, type_):
    monkeypatch.setattr("noisewise.results.tidy.LIBRARIES", libraries)
    assert isinstance(frame_of_columns({"a": [1]}), type_)


def test_without_a_library_there_is_no_frame(monkeypatch):
    monkeypatch.setattr("noisewise.results.tidy.LIBRARIES", ("absent",))
    with pytest.raises(ParameterError, match="install polars, pandas or pyarrow"):
        frame_of_columns({"a": [1]})


def test_a_crosstab_is_named_by_its_categories():
    data = nws.Dataset(pl.DataFrame({"a": ["x", "y"] * 20, "b": ["p"] * 40}))
    release = data.crosstab(["a", "b"], {"a": ["x", "y"], "b": ["p"]}, epsilon=1, interval=0.9)
    frame = release.frame
    assert frame["name"].to_list() == ["x, p", "x, total", "y, p", "y, total", "total, p", "total, total"]
    assert frame["value"].to_list() == [number for row in release.value for number in row]
    assert frame["low"].to_list() == [number for row in release.interval.low for number in row]
    assert release.plot().svg.count('class="bar"') == 6
