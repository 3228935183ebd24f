"""Parts of keys. Equal parts get one spelling in Python's own types, and a part is converted to a column's type."""

import math
from datetime import UTC, date, datetime
from typing import Any, Literal, TypeAlias

import numpy as np

from noisewise.errors import ParameterError, ParameterTypeError
from noisewise.kernel.numbers.exact import describe

Key: TypeAlias = str | int | float | date
"""One part of a key; a bool is an int, and a datetime is a date."""

Kind = Literal["text", "whole", "single", "number", "boolean", "date", "time", "zoned", "any"]
"""What the column of a key holds, by its declared type. "any" means Python objects."""

SINGLE = float(np.finfo(np.float32).max) * (1 + 2.0**-25)
"""Numbers below this are finite as float32."""

NAMES: dict[Kind, str] = {
    "text": "text",
    "whole": "whole numbers",
    "single": "numbers of a float32",
    "number": "numbers",
    "boolean": "True or False",
    "date": "dates",
    "time": "dates, or times without a zone,",
    "zoned": "times with a time zone",
    "any": "text, numbers, booleans, dates or times",
}


def plain_part(part: Any) -> Key:
    """A part of a key in Python's own types. Equal parts get one spelling, such as 0.0 for -0.0."""
    if isinstance(part, np.generic) and not isinstance(part, (np.datetime64, np.timedelta64)):
        part = part.item()
    if part is None or type(part).__name__ == "NAType" or (isinstance(part, (float, date)) and part != part):
        raise ParameterError(
            "keys", "must not be missing", got="None or NaN", why="rows without a key are in no group"
        ) from None
    if isinstance(part, float) and not math.isfinite(part):
        raise ParameterError("keys", "must be finite", got=describe(part)) from None
    if hasattr(part, "to_pydatetime"):  # a time of pandas
        if part.nanosecond:
            raise ParameterError("keys", "must be whole microseconds", got=str(part)) from None
        part = part.to_pydatetime()
    if not isinstance(part, (str, int, float, date)):
        raise ParameterTypeError("keys", f"must be {NAMES['any']}", got=describe(part)) from None
    return _one_spelling(part)


def _one_spelling(part: Key) -> Key:
    """The part in a plain type and without signed zeros. Times with a zone are in UTC, where no hour is ambiguous."""
    if isinstance(part, str):
        return str.__str__(part)
    if isinstance(part, float):
        return float.__float__(part) + 0.0
    if isinstance(part, int):
        return part if type(part) is bool else int.__int__(part)
    if not isinstance(part, datetime):
        return date(part.year, part.month, part.day)
    plain = datetime.combine(datetime.date(part), datetime.timetz(part))
    try:
        return plain.replace(tzinfo=None, fold=0) if plain.utcoffset() is None else plain.astimezone(UTC)
    except OverflowError:
        pass
    raise ParameterError("keys", "must be within the calendar of UTC", got=str(plain)) from None


def fitted(part: Key, kind: Kind) -> Key | None:
    """The part converted to the type of a column of this kind. None if the column cannot hold the part."""
    number = isinstance(part, (int, float))
    match kind:
        case "text" if isinstance(part, str):
            return part
        case "whole" if number and part == int(part) and -(2**63) <= part < 2**64:  # type: ignore[arg-type, operator]
            return int(part)  # type: ignore[arg-type]
        case "single" if number and abs(part) < SINGLE:  # type: ignore[arg-type]
            return float(np.float32(float(part))) + 0.0  # type: ignore[arg-type]
        case "number" if number and abs(part) < 2**1023:  # type: ignore[arg-type]
            return float(part)  # type: ignore[arg-type]
        case "boolean" if number and part in (0, 1):
            return bool(part)
        case "date" if isinstance(part, date) and not isinstance(part, datetime):
            return part
        case "time" | "zoned" if isinstance(part, date):
            moment = part if isinstance(part, datetime) else datetime(part.year, part.month, part.day)
            return moment if (moment.tzinfo is None) == (kind == "time") else None
    return None
