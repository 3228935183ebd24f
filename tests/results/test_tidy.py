"""Long tables have a row for each number."""

from datetime import date

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
    assert ecdf.frame["value"].to_list() == [value for value, _ in ecdf.value]
    assert ecdf.frame["share"].to_list() == [float(f"{share:.6g}") for _, share in ecdf.value]
    assert ecdf.frame.columns == ["value", "share"]
    one = nws.median(RECORDS, bounds=(0, 10), epsilon=1)
    assert one.frame.to_dict(as_series=False) == {"name": ["median"], "value": [one.value]}


def test_a_matrix_is_named_by_its_columns():
    matrix = nws.Dataset(pl.DataFrame({"a": [1.0] * 9, "b": [0.5] * 9})).covariance(
        ["a", "b"], bounds=(0, 2), epsilon=1
    )
    assert matrix.frame["name"].to_list() == ["a, a", "a, b", "b, a", "b, b"]
    numbers = [float(f"{number:.6g}") for row in matrix.value for number in row]
    assert matrix.frame["value"].to_list() == numbers
    line = nws.linear_regression(np.array([[0, 1]] * 9), [1] * 9, bounds=(0, 2), epsilon=1)
    assert columns_of(line)["name"] == ["slope 1", "slope 2", "intercept"]


def test_tables_have_the_digits_that_mean_something():
    """Tables round as receipts do, by public facts alone. Intervals never become narrower, and values stay exact."""
    data = nws.Dataset(FRAME)
    by = data.group_by("k", keys=["a", "b"])
    groups = by.mean("x", bounds=(0, 1000), epsilon=9, interval=0.9)
    several = by.agg(
        m=nws.ask.mean("x", bounds=(0, 1000), epsilon=9, interval=0.9), n=nws.ask.count(epsilon=1)
    )
    one = data.mean("x", bounds=(0, 1000), epsilon=9, interval=0.9)
    (release,) = groups.each.values()
    assert groups.frame["mean_x"].to_list() == groups.tidy["value"].to_list() != list(groups.value)
    assert [f"{number:,.12g}" for number in groups.frame["mean_x"]] == list(
        map(release.printed, groups.value)
    )
    shorter = [one.frame, groups.frame, groups.tidy, several.frame, several.tidy]
    shorter.append(data.agg(m=nws.ask.mean("x", bounds=(0, 1000), epsilon=9)).frame)
    for frame in shorter:
        numbers = [
            number for column in frame.iter_columns() if column.dtype == pl.Float64 for number in column
        ]
        assert numbers and all(len(str(number)) < 9 for number in numbers), frame
    for frame, interval in ((groups.frame, release.interval), (groups.tidy, release.interval)):
        assert all(a <= b for a, b in zip(frame["low"], interval.low, strict=True))
        assert all(a >= b for a, b in zip(frame["high"], interval.high, strict=True))
    (low,), (high,) = one.frame["low"], one.frame["high"]
    assert low <= one.interval.low and high >= one.interval.high
    assert max(len(str(value)) for value in groups.value) > 9 and groups.to_dict()["value"] == groups.value


def test_a_step_that_somebody_chose_is_kept_and_so_are_dates():
    prices = nws.median([0.1, 0.2, 0.3], bounds=(0, 1), epsilon=9, granularity=0.01)
    assert prices.frame["value"].to_list() == [prices.value]
    days = pl.DataFrame({"d": pl.Series([18_000] * 9).cast(pl.Date)})
    first = nws.Dataset(days).median("d", bounds=(date(2019, 1, 1), date(2020, 1, 1)), epsilon=9)
    assert first.frame["value"].to_list() == [first.value]


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


def crosstab(**more):
    data = nws.Dataset(pl.DataFrame({"a": ["x", "y"] * 20, "b": ["p"] * 40}))
    return data.crosstab(["a", "b"], {"a": ["x", "y"], "b": ["p", "q"]}, epsilon=1, **more)


def test_a_crosstab_has_a_column_for_each_dimension_and_no_totals():
    release = crosstab(interval=0.9)
    frame = release.frame
    assert frame.columns == ["a", "b", "value", "low", "high"]
    assert [*zip(frame["a"], frame["b"], strict=True)] == [("x", "p"), ("x", "q"), ("y", "p"), ("y", "q")]
    assert frame["value"].to_list() == [number for row in release.value[:2] for number in row[:2]]
    assert frame["low"].to_list() == [number for row in release.interval.low[:2] for number in row[:2]]
    listed = nws.crosstab((["x", "y"], ["p", "p"]), [["x", "y"], ["p"]], epsilon=1)
    assert listed.frame.columns == ["column 1", "column 2", "value"]


def test_a_wide_crosstab_has_totals_if_they_are_asked_for():
    release = crosstab()
    (xp, xq, x), (yp, yq, y), (p, q, n) = release.value
    assert release.wide().to_dict(as_series=False) == {"a": ["x", "y"], "p": [xp, yp], "q": [xq, yq]}
    assert release.wide(totals=True).to_dict(as_series=False) == {
        "a": ["x", "y", "total"],
        "p": [xp, yp, p],
        "q": [xq, yq, q],
        "total": [x, y, n],
    }
    with pytest.raises(ParameterError, match="wide must be asked of a crosstab, for count"):
        nws.count([1], epsilon=1).wide()


def test_a_crosstab_is_printed_as_a_table():
    release = crosstab(interval=0.9)
    lines = str(release).splitlines()
    assert [line.split() for line in lines[:5]] == [
        ["crosstab", "of", "a,", "b:"],
        ["a", "p", "q", "total"],
        *([name, *map(str, row)] for name, row in zip(("x", "y", "total"), release.value, strict=True)),
    ]
    assert "all true cells lie in their intervals at once with probability 90%: see .frame" in str(release)
    many = nws.crosstab((["0"],), [[str(n) for n in range(30)]], epsilon=1)
    assert "... (1 rows, 31 columns in all: see .wide())" in str(many)


@pytest.mark.parametrize(("name", "kind"), [("to_pandas", pd.DataFrame), ("to_polars", pl.DataFrame)])
def test_every_release_becomes_a_frame_of_either_library(name, kind):
    grouped = nws.Dataset(FRAME).group_by("k", keys=["a", "b"]).mean("x", bounds=(0, 100), epsilon=1)
    joint = nws.Dataset(FRAME).agg(epsilon=1, n=nws.ask.count(), m=nws.ask.median("x", bounds=(0, 100)))
    for release in (grouped, joint, crosstab(), nws.count(RECORDS, epsilon=1)):
        frame = getattr(release, name)()
        assert isinstance(frame, kind)
        assert list(frame.columns) == list(release.frame.columns)
        assert [list(map(str, frame[c])) for c in frame.columns] == [
            list(map(str, release.frame[c])) for c in release.frame.columns
        ]
