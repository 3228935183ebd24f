"""The table of `every_question`, with dates and times, in every place that data may live."""

import csv
import json
from datetime import UTC, date, datetime, timedelta
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


def dataset(place: str, folder: Path, table: dict[str, list[Any]] = TABLE, **held: Any) -> Dataset:
    """The table in one of these places."""
    if place in FILES:
        return Dataset.scan(written(folder / f"table.{place}", table), **held)
    if place == "PostgreSQL":
        return Dataset(connection(), table=in_postgres(table), **held)
    return Dataset(frame(place, pa.table(table)), **held)


def asked_of(held: Dataset, call: Call, **more: Any) -> Any:
    """The answer in this place; in a text file nodes are text too."""
    if "nodes" in call.keywords and getattr(held._table, "is_text", False):
        more = {"nodes": list(map(str, NODES)), **more}
    return call.of(held, **more)


def in_postgres(table: dict[str, list[Any]]) -> str:
    """The name of a new table in PostgreSQL, of the types that Python's values have."""
    kinds = {float: "float8", int: "int8", str: "text", date: "date", datetime: "timestamptz"}
    first = {name: next(value for value in values if value is not None) for name, values in table.items()}
    columns = {name: kinds[type(value)] for name, value in first.items()}
    return str(made(columns, zip(*table.values(), strict=True)))


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


def written(path: Path, table: dict[str, list[Any]]) -> Path:
    """The table as a file of the format that its ending names."""
    rows = [dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True)]
    if path.suffix == ".parquet":
        parquet.write_table(pa.table(table), path)
    elif path.suffix == ".arrow":
        with pa.OSFile(str(path), "wb") as file, ipc.new_file(file, pa.table(table).schema) as writer:
            writer.write_table(pa.table(table))
    elif path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(row, default=str) + "\n" for row in rows))
    else:
        with path.open("w", newline="") as file:
            lines = csv.DictWriter(file, list(table), delimiter="\t" if path.suffix == ".tsv" else ",")
            lines.writeheader()
            lines.writerows(rows)
    return path
