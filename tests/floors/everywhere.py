"""The table of `every_question`, with dates and times, in every place that data may live."""

import csv
import json
from datetime import UTC, date, datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
from pyarrow import ipc, parquet

from noisewise import Dataset
from tests.every_question import NODES, ROWS, SIZE, Call
from tests.tables.postgres import connection, made
from tests.tables.spark import session

TABLE: dict[str, list[Any]] = {
    **ROWS,
    "day": [date(2021, 1, 1) + timedelta(days=i) for i in range(SIZE)],
    "at": [datetime(2021, 1, 1, tzinfo=UTC) + timedelta(hours=i) for i in range(SIZE)],
}

LIBRARIES = ["pandas", "pandas of Arrow", "Polars", "lazy Polars", "PyArrow", "DuckDB", "PostgreSQL"]
SPARK = "Spark"
FILES = ["csv", "tsv", "jsonl", "parquet", "arrow"]
TEXT = ("csv", "tsv", "jsonl")


def dataset(
    place: str, folder: Path, table: dict[str, list[Any]] = TABLE, rows: int | None = None, **held: Any
) -> Dataset:
    """The table in one of these places, or its first rows, which have the types of all."""
    if place in FILES:
        return Dataset.scan(written(folder / f"table.{place}", table, rows), **held)
    if place == "PostgreSQL":
        return Dataset(connection(), table=in_postgres(table, rows), **held)
    return Dataset(frame(place, pa.table(table).slice(0, rows)), **held)


def asked_of(held: Dataset, call: Call, **more: Any) -> Any:
    """The answer in this place; in a text file nodes are text too."""
    if "nodes" in call.keywords and getattr(held._table, "is_text", False):
        more = {"nodes": list(map(str, NODES)), **more}
    return call.of(held, **more)


def in_postgres(table: dict[str, list[Any]], rows: int | None = None) -> str:
    """The name of a new table in PostgreSQL, of the types that Python's values have."""
    kinds = {float: "float8", int: "int8", str: "text", date: "date", datetime: "timestamptz"}
    first = {name: next(value for value in values if value is not None) for name, values in table.items()}
    columns = {name: kinds[type(value)] for name, value in first.items()}
    return str(made(columns, islice(zip(*table.values(), strict=True), rows)))


def frame(place: str, arrow: Any) -> Any:
    """A table of Arrow as a frame of a library."""
    if place == "Spark":
        return session().createDataFrame(arrow)
    made = {
        "pandas": lambda: arrow.to_pandas(date_as_object=False),  # a column of objects declares nothing
        "pandas of Arrow": lambda: arrow.to_pandas(types_mapper=pd.ArrowDtype),
        "Polars": lambda: pl.from_arrow(arrow),
        "lazy Polars": lambda: pl.from_arrow(arrow).lazy(),
        "PyArrow": lambda: arrow,
        "DuckDB": lambda: duckdb.connect().from_arrow(arrow),
    }
    return made[place]()


def written(path: Path, table: dict[str, list[Any]], rows: int | None = None) -> Path:
    """The table, or its first rows, as a file of the format that its ending names."""
    arrow = pa.table(table).slice(0, rows)
    listed = [dict(zip(table, row, strict=True)) for row in islice(zip(*table.values(), strict=True), rows)]
    if path.suffix == ".parquet":
        parquet.write_table(arrow, path)
    elif path.suffix == ".arrow":
        with pa.OSFile(str(path), "wb") as file, ipc.new_file(file, arrow.schema) as writer:
            writer.write_table(arrow)
    elif path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(row, default=str) + "\n" for row in listed))
    else:
        with path.open("w", newline="") as file:
            lines = csv.DictWriter(file, list(table), delimiter="\t" if path.suffix == ".tsv" else ",")
            lines.writeheader()
            lines.writerows(listed)
    return path
