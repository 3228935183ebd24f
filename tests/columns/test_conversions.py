"""What errors tell users to write is code that runs, and makes columns that are accepted."""

from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction

import narwhals.stable.v2 as nw
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import noisewise as nws
from noisewise.columns.conversions import numbers_of_text, of_objects, typed

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


@pytest.mark.parametrize("library", TEXTS)
def test_text_becomes_numbers_in_the_words_of_its_library(library):
    frame = TEXTS[library](["1", "2", "none", None, "2"] * 50)
    for data, name in ((frame["x"], "data"), (nw.from_native(frame), "column 'x'")):
        way = numbers_of_text(nw.from_native(frame)["x"], name)
        with pytest.raises(nws.SchemaError) as caught:
            if name == "data":
                nws.median(data, bounds=(0, 10), epsilon=1)
            else:
                nws.Dataset(frame).median("x", bounds=(0, 10), epsilon=1)
        assert str(caught.value).endswith(f"of type String; make numbers of text first, as in {way}")
        assert asked(run(way, frame), "number") == 2


def test_decimals_and_fractions_become_floats():
    exact = pd.Series([Decimal("1.5"), Decimal(2), None, Fraction(2)] * 50, dtype=object)
    assert asked(exact.astype(float), "number") == 2


def test_which_types_are_of_objects():
    assert of_objects(str(pd.Series([1], dtype=object).dtype)) and of_objects(str(pl.Object))
    others = [pd.Series(["a"]).dtype, pd.Series([1]).dtype, pl.Null, pl.String, pa.null(), pa.decimal128(5)]
    assert not any(of_objects(str(each)) for each in [*others, pd.CategoricalDtype()])
