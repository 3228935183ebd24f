"""Every engine reads hostile records as memory does, and the check notices an engine that does not."""

import duckdb
import narwhals.stable.v2 as nw
import polars as pl
import pyarrow as pa
import pytest

import noisewise as nws
from noisewise.audit.checks import Violation
from noisewise.audit.engine_check import PARTS, TYPES
from noisewise.errors import ParameterError
from noisewise.tables.engines.polars import PolarsDialect
from noisewise.testing import check_engine
from tests.tables.postgres import connection, made
from tests.tables.spark import session

SOME = ("labels", "keys", "people")
IN_POSTGRES = {
    "float64": "float8",
    "float32": "float4",
    "int64": "int8",
    "int32": "int4",
    "decimal": "numeric",
}
IN_POSTGRES |= {"datetime": "timestamp", "zoned": "timestamptz"}
IN_ARROW = {"boolean": pa.bool_(), "text": pa.string(), "decimal": pa.decimal128(38, 9), "date": pa.date32()}
IN_ARROW |= {"datetime": pa.timestamp("us"), "zoned": pa.timestamp("us", "UTC"), "time": pa.time64("us")}


def as_arrow(values, types):
    declared = {kind: IN_ARROW[kind] if kind in IN_ARROW else getattr(pa, kind)() for kind in types.values()}
    return pa.table({name: pa.array(column, declared[types[name]]) for name, column in values.items()})


def in_polars(values, types):
    return pl.from_arrow(as_arrow(values, types)).lazy()


def in_duckdb(values, types):
    return duckdb.connect().from_arrow(as_arrow(values, types))


def in_postgres(values, types):
    columns = {name: IN_POSTGRES.get(kind, kind) for name, kind in types.items()}
    return nws.Dataset(connection(), table=made(columns, zip(*values.values(), strict=True)))


def in_spark(values, types):
    return session().createDataFrame(as_arrow(values, types))


@pytest.mark.parametrize(
    ("make", "engine", "types", "parts"),
    [
        pytest.param(in_polars, "Polars", TYPES, PARTS, id="polars"),
        pytest.param(in_duckdb, "DuckDB", TYPES, PARTS, id="duckdb"),
        pytest.param(in_postgres, "PostgreSQL", TYPES, PARTS, id="postgres"),
    ],
)
def test_engines_answer_as_memory_does(make, engine, types, parts):
    checked = check_engine(make, types=tuple(types), parts=parts)
    assert checked.engine == engine and checked.comparisons >= 7
    assert str(checked) == f"{engine} answers as memory does: {checked.comparisons} comparisons"


def test_spark_counts_labels_as_memory_does():
    assert check_engine(in_spark, types=["text"], parts=["labels"]).comparisons == 2


BREAKS = {
    "bytewise": (
        lambda self, frame, column: frame.with_columns(nw.col(column).str.to_lowercase()),
        "labels of text",
    ),
    "digest_numbers": (
        lambda self, frame, column: frame.with_columns(nw.lit(1).alias(column)),
        "labels of float64",
    ),
    "spells": (lambda self, text: True, "^counts of labels of text must not fail, got "),
    "castable_decimals": (
        lambda self, frame, column: frame.with_columns(nw.col(column) + 1),
        "numbers of decimal",
    ),
}


@pytest.mark.parametrize("method", BREAKS)
def test_an_engine_that_does_something_else_is_found_out(method, monkeypatch):
    broken, message = BREAKS[method]
    monkeypatch.setattr(PolarsDialect, method, broken)
    with pytest.raises(Violation, match=message):
        check_engine(in_polars, types=("float64", "decimal", "text"), parts=("numbers", "labels", "people"))


def test_times_that_are_read_otherwise_are_found_out(monkeypatch):
    ticks = PolarsDialect.ticks

    def later(self, frame, column, kind, *, exact=False):
        frame, daily = ticks(self, frame, column, kind, exact=exact)
        return frame.with_columns(nw.col(column) + 1), daily

    monkeypatch.setattr(PolarsDialect, "ticks", later)
    for part, message in (
        ("times", "^times of date must be as in memory, got "),
        ("groups", "in groups by date"),
    ):
        with pytest.raises(Violation, match=message):
            check_engine(in_polars, types=("float64", "date"), parts=(part,))


def test_what_is_not_there_is_refused():
    with pytest.raises(ParameterError, match=r"^types must be of float64, .*, time, got 'complex'$"):
        check_engine(in_polars, types=["complex"])
    with pytest.raises(ParameterError, match=f"^parts must be of {', '.join(PARTS)}, got 'graphs'$"):
        check_engine(in_polars, parts=["graphs"])
    assert check_engine(as_arrow, types=["int32"]).engine == "memory"
