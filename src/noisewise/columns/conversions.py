"""What to write where a column's declared type is not what a question wants, in the words of its own library.

Text declares no numbers, and Python objects declare nothing at all. Whether a column is refused goes by that alone, and
so does the way out: nothing here looks at a record.
"""

from typing import Any

OBJECTS = "object"
"""How the types of Python objects are called, that of pandas and that of Polars."""

POLARS_TYPES = {"date": "Date", "datetime": "Datetime", "time": "Time", "duration": "Duration"}
POLARS_TYPES |= {"number": "Float64", "zoned": "Datetime('us', 'UTC')"}


def of_objects(declared: str) -> bool:
    """Whether a type, by its name, is one of Python objects."""
    return declared.lower().startswith(OBJECTS)


def numbers_of_text(series: Any, name: str) -> str:
    """How numbers are made of a column of text, as a narwhals series has it; what spells none becomes missing."""
    x = _written(name)
    if series.implementation.is_polars():
        return f"{x}.cast(pl.Float64, strict=False)"
    if series.implementation.is_pyarrow():
        return f'pa.array(pd.to_numeric({x}.to_pandas(), errors="coerce"))'
    return f'pd.to_numeric({x}, errors="coerce")'


def typed(series: Any, name: str, kind: str) -> str:
    """How a column of Python objects gets a type: of numbers, or of the kind of time that a question is about."""
    x = _written(name)
    if series.implementation.is_polars():
        strict = ", strict=False" if kind == "number" else ""
        return f"pl.Series({x}.to_list(), dtype=pl.{POLARS_TYPES[kind]}{strict})"
    return {
        "number": f'pd.to_numeric({x}, errors="coerce")',
        "zoned": f'pd.to_datetime({x}, errors="coerce", utc=True)',
        "time": f'{x}.astype(pd.ArrowDtype(pa.time64("us")))',
        "duration": f'pd.to_timedelta({x}, errors="coerce")',
    }.get(kind, f'pd.to_datetime({x}, errors="coerce")')


def _written(name: str) -> str:
    """The data as code: what errors call ``column 'x'`` is ``frame['x']``."""
    column = name.removeprefix("column ")
    return name if column == name else f"frame[{column}]"
