"""Text into values: what is typed on a command line, read exactly as it stands.

``0.1`` is a tenth, ``1/3`` a third, ``100`` a whole number. A list is separated by commas, with quotes around a part
that has a comma itself, or stands in a file, ``@keys.txt``. Text becomes what the column's declared type holds.
"""

import csv
import re
from collections.abc import Callable, Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction

import numpy as np

from noisewise.errors import ParameterError, SchemaError
from noisewise.kernel.numbers.exact import describe
from noisewise.questions.composites.histogram import may_be_codes
from noisewise.tables.time.clock import duration_of

Types = dict[str, str]
"""The kind of each column by its name, one of those in `noisewise.tables.groups.key_parts`; "words" where an option
declares text, "text" where nothing is declared."""

Number = int | float | Fraction | Decimal
Amount = Number | date | datetime | time | timedelta
Label = str | int | float | bool | date | datetime

KINDS = {
    "whole": "whole numbers",
    "single": "numbers",
    "number": "numbers",
    "boolean": "true or false",
    "date": "dates such as 2024-02-29",
    "time": "times such as 2024-02-29T12:30",
    "zoned": "times with a zone such as 2024-02-29T12:30+01:00",
}

MOST_NAMES = 2**22
"""The most nodes whose names are made up here."""


def number(name: str, text: str) -> Number:
    """The number that a text spells, with nothing lost; infinities and NaN are floats, to be judged by the library."""
    readers: list[Callable[[str], Number]] = [int, Decimal, *([Fraction] if "/" in text else [])]
    for read in readers:
        try:
            number = read(text)
        except (ValueError, ArithmeticError):
            continue
        return float(text) if isinstance(number, Decimal) and not number.is_finite() else number
    raise ParameterError(name, "must be a number such as 100, 0.5 or 1/3", got=describe(text)) from None


def amount(name: str, text: str) -> Amount:
    """A number, a date, a time, both, or a duration such as 7d, 12h, 30min or 15s."""
    if (duration := duration_of(text)) is not None:
        return duration
    shapes: dict[str, type[date] | type[time]] = {
        r"\d{4}-\d\d-\d\d": date,
        r"\d{4}-\d\d-\d\d[T ].+": datetime,
        r"\d\d:\d\d(:.+)?": time,
    }
    for shape, kind in shapes.items():
        if re.fullmatch(shape, text):
            try:
                return kind.fromisoformat(text)
            except ValueError:
                raise ParameterError(
                    name, f"must be a {kind.__name__} that exists", got=describe(text)
                ) from None
    return number(name, text)


def text(name: str, text: str) -> str:
    """A name, which the library judges."""
    return text


def whole(name: str, text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise ParameterError(name, "must be a whole number", got=describe(text)) from None


def numbers(name: str, text: str) -> list[Number]:
    """A list of numbers."""
    return [number(name, part) for part in parts(name, text)]


def bounds(
    name: str, texts: Sequence[str]
) -> str | tuple[Amount, Amount] | tuple[tuple[Amount, Amount], ...]:
    """A pair of numbers, one pair for each column, or the word "private"."""
    if list(texts) == ["private"]:
        return "private"
    pairs = []
    for text in texts:
        ends = [amount(name, part) for part in text.split(",") if part]
        if len(ends) != 2:
            raise ParameterError(
                name, f"must be two, as in --{name.replace('_', '-')} 0 100", got=describe(text)
            ) from None
        pairs.append((ends[0], ends[1]))
    return pairs[0] if len(pairs) == 1 else tuple(pairs)


def parts(name: str, text: str) -> list[str]:
    """The parts of a list, in the command line or in a file with one on each line."""
    rows = table(name, text)
    if not text.startswith("@"):
        return rows[0]
    if any(len(row) != 1 for row in rows):
        raise ParameterError(name, f"must be one on each line of {text[1:]}") from None
    return [row[0] for row in rows]


def table(name: str, text: str) -> list[list[str]]:
    """The lines of a file of public parameters, split at commas; without a file, the text itself is the only line."""
    if not text.startswith("@"):
        return [_split(name, text)]
    try:
        with open(text[1:], encoding="utf-8-sig", newline="") as file:
            lines = file.read().splitlines()
    except (OSError, ValueError):
        lines = None
    if lines is None:
        raise SchemaError(
            name, "must be in a file of UTF-8 text that can be read", got=describe(text)
        ) from None
    return [_split(name, each) for each in lines if each.strip()]


def keys(
    by: Sequence[str], texts: Sequence[str], types: Types
) -> list[Label] | list[tuple[Label, ...]] | dict[str, list[Label]]:
    """Declared groups: a list for one column; for several a list each, ``dept=A,B``, or a file of rows."""
    if len(by) == 1 and len(texts) == 1 and not texts[0].startswith(f"{by[0]}="):
        return [label("keys", part, types.get(by[0])) for part in parts("keys", texts[0])]
    if len(texts) == 1 and texts[0].startswith("@"):
        rows = table("keys", texts[0])
        if any(len(row) != len(by) for row in rows):
            raise ParameterError("keys", f"must be {','.join(by)} on each line of {texts[0][1:]}") from None
        return [
            tuple(label("keys", part, types.get(name)) for name, part in zip(by, row, strict=True))
            for row in rows
        ]
    by_column: dict[str, list[Label]] = {}
    for text in texts:
        name, equals, listed = text.partition("=")
        if not equals or name not in by or name in by_column:
            raise ParameterError(
                "keys", f"must be said once for each column, as in {_example(by)}", got=describe(text)
            ) from None
        by_column[name] = [label("keys", part, types.get(name)) for part in parts("keys", listed)]
    return by_column


def label(name: str, text: str, kind: str | None) -> Label:
    """A text as a column of this kind holds it."""
    readers: dict[str | None, Callable[[str], Label]] = {
        "whole": int,
        "single": _single,
        "number": float,
        "boolean": lambda word: {"true": True, "false": False}[word.lower()],
        "date": date.fromisoformat,
        "time": datetime.fromisoformat,
        "zoned": _zoned,
    }
    try:
        return readers.get(kind, str)(text)
    except (ValueError, KeyError, OverflowError):
        raise ParameterError(
            name, f"must be {KINDS[str(kind)]}, as the column holds", got=describe(text)
        ) from None


def _single(text: str) -> float:
    """The nearest number that a column of float32 can hold."""
    with np.errstate(over="ignore"):
        return float(np.float32(float(text)))


def _zoned(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError
    return moment


def labels(name: str, text: str, kind: str | None) -> list[Label]:
    return [label(name, part, kind) for part in parts(name, text)]


def cells(name: str, texts: Sequence[str], columns: Sequence[str], types: Types) -> dict[str, list[Label]]:
    """A list of categories for each column, ``dept=A,B``."""
    by_column: dict[str, list[Label]] = {}
    for text in texts:
        column, equals, listed = text.partition("=")
        if not equals or column not in columns or column in by_column:
            raise ParameterError(
                name,
                f"must be said once for each column, as in {' '.join(f'--{name} {each}=a,b' for each in columns)}",
                got=describe(text),
            ) from None
        by_column[column] = labels(name, listed, types.get(column))
    return by_column


def bins(name: str, text: str, kind: str | None) -> list[Number] | list[Label]:
    """Edges where every part is a number, unless the column is declared as text; else categories.

    Whole numbers that follow each other, 1,2,3, may be either where a file does not say what the column is, or that it
    is one of whole numbers.
    """
    listed = parts(name, text)
    try:
        edges = [] if kind == "words" else [number(name, part) for part in listed]
    except ParameterError:
        edges = []
    if kind in ("text", "whole") and may_be_codes(edges):
        raise ParameterError(
            name,
            "must be edges or categories",
            got=f"{text}, which may be both",
            fix=f"say --bins {','.join(f'{part}.0' for part in listed)} for edges, or --categories {text}",
        ) from None
    if may_be_codes(edges):
        edges = [Fraction(str(edge)) for edge in edges]  # no ints, which the library would ask about again
    return edges or labels(name, text, kind)


def nodes(name: str, text: str, kind: str | None) -> int | list[Label]:
    """How many nodes there are, named 0, 1, 2, ..., which in a text file are text; or a list of them."""
    if not text.isdecimal():
        return labels(name, text, kind)
    count = whole(name, text)
    if kind not in ("text", "words"):
        return count
    if count > MOST_NAMES:
        raise ParameterError(
            name, f"must be at most {MOST_NAMES:,} in a text file", got=f"{count:,}"
        ) from None
    return [str(index) for index in range(count)]


def _split(name: str, text: str) -> list[str]:
    try:
        (row,) = csv.reader([text], skipinitialspace=True, strict=True)
    except (ValueError, csv.Error):
        row = []
    if not row:
        raise ParameterError(name, "must be a list such as a,b,c", got=describe(text)) from None
    return row


def _example(by: Sequence[str]) -> str:
    return "--keys a,b" if len(by) == 1 else " ".join(f"--keys {name}=a,b" for name in by)
