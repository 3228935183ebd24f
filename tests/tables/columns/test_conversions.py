"""What errors tell users to write is code that runs, and makes columns that are accepted."""

from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction

import duckdb
import narwhals.stable.v2 as nw
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import noisewise as nws
from noisewise.tables.columns.conversions import from_text, from_text_by_engine, of_objects, typed

HOLDS = {
    "number": [1.0, 2.0, None],
    "date": [date(2020, 1, 1), date(2020, 1, 3), None],
    "datetime": [datetime(2020, 1, 1, 8), datetime(2020, 1, 3), None],
    "zoned": [datetime(2020, 1, 1, 8, tzinfo=UTC), datetime(2020, 1, 3, tzinfo=UTC), None],
    "time": [time(8), time(9, 30), None],
    "duration": [timedelta(hours=1), timedelta(hours=2), None],
}
BOUNDS = {
    "number": (0, 10),
    "date": (date(2019, 1, 1), date(2021, 1, 1)),
    "datetime": (datetime(2019, 1, 1), datetime(2021, 1, 1)),
    "zoned": (datetime(2019, 1, 1, tzinfo=UTC), datetime(2021, 1, 1, tzinfo=UTC)),
    "time": (time(0), time(23)),
    "duration": (timedelta(0), timedelta(days=1)),
}
OBJECTS = {
    "pandas": lambda records: pd.DataFrame({"x": pd.Series(records, dtype=object)}),
    "polars": lambda records: pl.DataFrame({"x": pl.Series(records, dtype=pl.Object)}),
}
TEXTS = {
    "pandas": lambda records: pd.DataFrame({"x": pd.Series(records, dtype="string")}),
    "polars": lambda records: pl.DataFrame({"x": records}),
    "arrow": lambda records: pa.table({"x": records}),
}


def run(way, frame):
    return eval(way, {"pd": pd, "pl": pl, "pa": pa, "frame": frame, "data": frame["x"]})


def asked(column, kind):
    """The median of a column by itself, as a Dataset tells it: its second record, where most are that one."""
    frame = pa.table({"x": column}) if isinstance(column, pa.Array) else type_of(column)({"x": column})
    return nws.Dataset(frame).median("x", bounds=BOUNDS[kind], epsilon=64).value


def type_of(column):
    return pd.DataFrame if isinstance(column, pd.Series) else pl.DataFrame


@pytest.mark.parametrize("kind", HOLDS)
@pytest.mark.parametrize("library", OBJECTS)
def test_objects_get_the_type_that_a_question_is_about(library, kind):
    frame = OBJECTS[library]([*HOLDS[kind], HOLDS[kind][1]] * 50)
    series = nw.from_native(frame)["x"]
    with pytest.raises(nws.SchemaError, match="type object, which declares nothing") as caught:
        asked(frame["x"], kind)
    way = typed(series, "column 'x'", kind)
    assert str(caught.value).endswith(f"as in {way}")
    assert asked(run(way, frame), kind) == HOLDS[kind][1]


SPELLED = {
    "number": ["1", "2"],
    "date": ["2020-01-01", "2020-01-03"],
    "datetime": ["2020-01-01T08:00:00", "2020-01-03T00:00:00"],
    "zoned": ["2020-01-01T08:00:00+00:00", "2020-01-03T00:00:00+00:00"],
    "time": ["08:00:00", "09:30:00"],
    "duration": ["01:00:00", "02:00:00"],
}


@pytest.mark.parametrize("kind", SPELLED)
@pytest.mark.parametrize("library", TEXTS)
def test_text_becomes_what_a_question_is_about_in_the_words_of_its_library(library, kind):
    frame = TEXTS[library]([*SPELLED[kind], "none", None, SPELLED[kind][1]] * 50)
    way = from_text(nw.from_native(frame)["x"], "column 'x'", kind)
    with pytest.raises(nws.SchemaError) as caught:
        nws.Dataset(frame).median("x", bounds=BOUNDS[kind], epsilon=1)
    assert str(caught.value).endswith(
        f"of type String; make {'numbers' if kind == 'number' else 'one'} of text first{way}"
    )
    if library == "polars" and kind == "duration":
        assert way == ""
    else:
        assert asked(run(way.removeprefix(", as in "), frame), kind) == HOLDS[kind][1]
    if kind == "number":
        way = from_text(nw.from_native(frame)["x"], "data")
        with pytest.raises(nws.SchemaError) as caught:
            nws.median(frame["x"], bounds=(0, 10), epsilon=1)
        assert str(caught.value).endswith(f"make numbers of text first{way}")
        assert asked(run(way.removeprefix(", as in "), frame), kind) == 2


@pytest.mark.parametrize("kind", SPELLED)
@pytest.mark.parametrize("engine", ["Polars", "DuckDB"])
def test_text_behind_an_engine_becomes_what_a_question_is_about(engine, kind):
    frame = pl.DataFrame({"x": [*SPELLED[kind], "none", None, SPELLED[kind][1]] * 50})
    lazy = frame.lazy() if engine == "Polars" else duckdb.from_arrow(frame.to_arrow())
    with pytest.raises(nws.SchemaError) as caught:
        nws.Dataset(lazy).median("x", bounds=BOUNDS[kind], epsilon=1)
    way = from_text_by_engine(engine, "x", kind)
    assert str(caught.value).endswith(
        f"got column 'x' of type String; make {'numbers' if kind == 'number' else 'one'} of text first{way}"
    )
    if kind == "duration":
        assert way == ""
        return
    way = way.removeprefix(", as in ")
    made = frame.lazy().select(eval(way, {"pl": pl})) if engine == "Polars" else lazy.project(f"{way} AS x")
    assert nws.Dataset(made).median("x", bounds=BOUNDS[kind], epsilon=64).value == HOLDS[kind][1]


def test_categories_become_numbers_by_their_text():
    texts = ["1", "2", "none", None, "2"] * 50
    frames = [
        pd.DataFrame({"x": pd.Series(texts, dtype="category")}),
        pl.DataFrame({"x": pl.Series(texts, dtype=pl.Categorical)}),
        pa.table({"x": pa.array(texts).dictionary_encode()}),
    ]
    for frame in frames:
        way = from_text(nw.from_native(frame)["x"], "column 'x'", categories=True)
        with pytest.raises(
            nws.SchemaError, match="of type Categorical; make numbers of text first"
        ) as caught:
            nws.Dataset(frame).median("x", bounds=(0, 10), epsilon=1)
        assert str(caught.value).endswith(way)
        assert asked(run(way.removeprefix(", as in "), frame), "number") == 2
    assert from_text_by_engine("Spark", "x") == ", as in F.col('x').try_cast(\"double\")"


def test_decimals_and_fractions_become_floats():
    exact = pd.Series([Decimal("1.5"), Decimal(2), None, Fraction(2)] * 50, dtype=object)
    assert asked(exact.astype(float), "number") == 2


def test_which_types_are_of_objects():
    assert of_objects(str(pd.Series([1], dtype=object).dtype)) and of_objects(str(pl.Object))
    others = [pd.Series(["a"]).dtype, pd.Series([1]).dtype, pl.Null, pl.String, pa.null(), pa.decimal128(5)]
    assert not any(of_objects(str(each)) for each in [*others, pd.CategoricalDtype()])


@pytest.mark.parametrize("dtype", ["string", object])
def test_what_is_advised_reads_every_record_by_itself(dtype):
    """pandas, left to itself, reads the format off the first record, and then misses all that are written otherwise."""
    texts = ["2020-01-01T08:00:00.5", "2020-01-02", "2020-01-03T10:00", "x"]
    for first in texts:
        frame = pd.DataFrame({"x": pd.Series([first, *texts], dtype=dtype)})
        series = nw.from_native(frame)["x"]
        way = (
            typed(series, "column 'x'", "date")
            if dtype is object
            else from_text(series, "column 'x'", "date")
        )
        assert run(way.removeprefix(", as in "), frame).notna().tolist()[1:] == [True, True, True, False]
