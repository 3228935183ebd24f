"""Code for error messages: how to convert a column whose declared type is refused, by functions of its own library.

Text declares no numbers, and Python objects declare nothing at all. Only the declared type decides whether a column is
refused, and what is suggested. Nothing here looks at a record. The suggested code converts each record by itself. It
states the format of dates, since a library would otherwise guess it from the first record.
"""

from typing import Any

OBJECTS = "object"
"""The beginning of the names of the types of Python objects, in pandas and in Polars."""

POLARS_TYPES = {"date": "Date", "datetime": "Datetime", "time": "Time", "duration": "Duration"}
POLARS_TYPES |= {"number": "Float64", "zoned": "Datetime('us', 'UTC')"}

IN_PANDAS = {
    "number": 'pd.to_numeric({0}, errors="coerce")',
    "date": 'pd.to_datetime({0}, format="ISO8601", errors="coerce")',
    "datetime": 'pd.to_datetime({0}, format="ISO8601", errors="coerce")',
    "zoned": 'pd.to_datetime({0}, format="ISO8601", errors="coerce", utc=True)',
    "duration": 'pd.to_timedelta({0}, errors="coerce")',
}
CLOCK_IN_PANDAS = 'pd.to_datetime({0}, format="%H:%M:%S", errors="coerce").dt.time'
IN_POLARS = {
    "number": "{0}.cast(pl.Float64, strict=False)",
    "date": '{0}.str.to_date("%Y-%m-%d", strict=False)',
    "datetime": '{0}.str.to_datetime("%Y-%m-%dT%H:%M:%S", strict=False)',
    "zoned": '{0}.str.to_datetime("%Y-%m-%dT%H:%M:%S%z", strict=False)',
    "time": '{0}.str.to_time("%H:%M:%S", strict=False)',
}
OF_TEXT: dict[str, dict[str, str]] = {
    "pandas": IN_PANDAS | {"time": f'{CLOCK_IN_PANDAS}.astype(pd.ArrowDtype(pa.time64("us")))'},
    "polars": IN_POLARS,
    "pyarrow": {kind: f"pa.array({way.format('{0}.to_pandas()')})" for kind, way in IN_PANDAS.items()}
    | {"time": f"pa.array({CLOCK_IN_PANDAS.format('{0}.to_pandas()')})"},
    "Polars": IN_POLARS,
    "DuckDB": {
        "number": "TRY_CAST({0} AS DOUBLE)",
        "date": "TRY_CAST({0} AS DATE)",
        "datetime": "TRY_CAST({0} AS TIMESTAMP)",
        "zoned": "TRY_CAST({0} AS TIMESTAMPTZ)",
        "time": "TRY_CAST({0} AS TIME)",
    },
    "PostgreSQL": {
        kind: f"CASE WHEN pg_input_is_valid({{0}}, '{name}') THEN {{0}}::{name} END"
        for kind, name in (
            ("number", "float8"),
            ("date", "date"),
            ("datetime", "timestamp"),
            ("zoned", "timestamptz"),
            ("time", "time"),
        )
    },
    "Spark": {
        "number": '{0}.try_cast("double")',
        "date": '{0}.try_cast("date")',
        "datetime": '{0}.try_cast("timestamp_ntz")',
        "zoned": '{0}.try_cast("timestamp")',
    },
}
"""Code that converts text, by the name of the library or engine, and by what a question is about."""

AS_TEXT = {"pandas": "{0}.astype(str)", "polars": "{0}.cast(pl.String)", "pyarrow": "{0}.cast(pa.string())"}
AS_TEXT |= {
    "Polars": "{0}.cast(pl.String)",
    "DuckDB": "{0}::VARCHAR",
    "PostgreSQL": "{0}::text",
    "Spark": "{0}",
}
"""Code that turns categories into text."""

COLUMN = {"Polars": "pl.col({0!r})", "DuckDB": '"{0}"', "PostgreSQL": '"{0}"', "Spark": "F.col({0!r})"}
"""How a column is written for an engine."""


def of_objects(declared: str) -> bool:
    """Whether the type of this name is a type of Python objects."""
    return declared.lower().startswith(OBJECTS)


def from_text(series: Any, name: str, kind: str = "number", *, categories: bool = False) -> str:
    """Code that makes numbers or times of a narwhals series of text or of categories. Text that spells none becomes
    missing."""
    return _from_text(str(series.implementation.value), _written(name), kind, categories)


def from_text_by_engine(engine: str, name: str, kind: str = "number", *, categories: bool = False) -> str:
    """The same for a column behind an engine. ``engine`` is the name of its dialect."""
    return _from_text(engine, COLUMN[engine].format(name), kind, categories)


def _from_text(library: str, x: str, kind: str, categories: bool) -> str:
    ways = OF_TEXT.get(library, OF_TEXT["pandas"])
    if categories:
        x = AS_TEXT.get(library, AS_TEXT["pandas"]).format(x)
    return f", as in {ways[kind].format(x)}" if kind in ways else ""


def typed(series: Any, name: str, kind: str) -> str:
    """Code that gives a column of Python objects a type: one of numbers, or of the kind of time ``kind``."""
    x = _written(name)
    if series.implementation.is_polars():
        strict = ", strict=False" if kind == "number" else ""
        return f"pl.Series({x}.to_list(), dtype=pl.{POLARS_TYPES[kind]}{strict})"
    if kind == "time":
        return f'{x}.astype(pd.ArrowDtype(pa.time64("us")))'
    return IN_PANDAS[kind].format(x)


def _written(name: str) -> str:
    """Code for the data that errors call ``name``: for ``column 'x'`` it is ``frame['x']``."""
    column = name.removeprefix("column ")
    return name if column == name else f"frame[{column}]"
