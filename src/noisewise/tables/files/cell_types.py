"""Types of cells: how a column of a text file is read. The user declares the type, or the question implies it.

    number      a cell that spells a number, with the decimal mark of the file
    boolean     true, yes, t, y or 1; false, no, f, n or 0; capitals do not matter
    text        a cell as it stands
    date, datetime, time, duration      as ISO 8601 writes them (time/text.py)

Nothing is inferred from cells, since one record would then decide how all others are read. If no type is declared, the
bounds of a question imply numbers or times, and keys and categories imply their own type: text, numbers, booleans or
dates. Other questions imply numbers. A cell that is not of the type is missing. A question that contradicts a
declaration is refused before the debit.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time, timedelta
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from noisewise.errors import ColumnName, ParameterError, ParameterTypeError, SchemaError, any_of
from noisewise.kernel.numbers.exact import describe
from noisewise.tables.conditions import ColumnKind
from noisewise.tables.engines.dialect import Frame
from noisewise.tables.engines.duckdb import DuckDBDialect
from noisewise.tables.engines.engine_records import Spelling, booleans, numbers
from noisewise.tables.names import Names, is_column, unknown_column
from noisewise.tables.table import Reading
from noisewise.tables.time.clock import Clock
from noisewise.tables.time.ticks import Held

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw

CellType = Literal["number", "boolean", "text", "date", "datetime", "time", "duration"]

IN_PYTHON: dict[Any, CellType] = {
    int: "number",
    float: "number",
    bool: "boolean",
    str: "text",
    date: "date",
    datetime: "datetime",
    time: "time",
    timedelta: "duration",
}
IMPLIED: dict[Any, CellType] = {
    (bool, np.bool_): "boolean",
    (int, float, np.integer, np.floating): "number",
    datetime: "datetime",
    date: "date",
}
"""The types that keys and categories imply. The first type that fits is taken, because in Python a bool is also an int,
and a datetime is also a date."""

NUMBERED = re.compile(r"\d.*")
"""The width at the end of the names of types in other libraries, such as int64 and Float32."""

OTHER_WORDS: dict[str, CellType] = {
    **dict.fromkeys(("int", "uint", "integer", "float", "double", "numeric", "decimal"), "number"),
    **dict.fromkeys(("bool", "logical"), "boolean"),
    **dict.fromkeys(("str", "string", "utf", "category", "categorical", "object", "varchar"), "text"),
    **dict.fromkeys(("timestamp", "datetime", "moment", "zoned"), "datetime"),
    **dict.fromkeys(("timedelta", "interval", "span"), "duration"),
}
"""From names of types in other libraries to our names of the types."""

SAID = {
    "number": "numbers",
    "boolean": "true or false (yes or no, 1 or 0)",
    "truth": "numbers, or as true or false (yes or no)",
    "date": "dates of ISO 8601 in UTC",
    "datetime": "datetimes of ISO 8601 in UTC",
    "zoned": "datetimes of ISO 8601 in UTC",
    "time": "times of day",
    "duration": "durations",
}


@dataclass(frozen=True, slots=True)
class CellTypes:
    """The types of the columns of a text file, and the decimal mark of its numbers. Public."""

    declared: Mapping[str, CellType] = field(default_factory=dict)
    decimal: str = "."
    truths: frozenset[str] = frozenset()
    """The columns that the question reads as true or false. Words such as "yes" and "no" are read in these columns."""
    implied: Mapping[str, CellType] = field(default_factory=dict)
    """The types that keys or categories imply, for columns without a declared type."""

    @classmethod
    def of(cls, types: object, decimal: object, names: Names) -> "CellTypes":
        """Return the types that a user declares. Refuse unknown types and columns."""
        if decimal not in (".", ","):
            raise ParameterError("decimal", 'must be "." or ","', got=describe(decimal)) from None
        if types is None:
            return cls(decimal=str(decimal))
        if not isinstance(types, Mapping):
            raise ParameterTypeError(
                "types", 'must be a dictionary such as {"age": "number"}', got=describe(types)
            ) from None
        for name in types:
            if not is_column(name, names):
                raise unknown_column("types", name, names) from None
        return cls({name: _cell_type(given) for name, given in types.items()}, str(decimal))

    @property
    def spelling(self) -> Spelling:
        return Spelling(self.decimal, self.truths)

    def with_truths(self, names: tuple[str, ...]) -> "CellTypes":
        """Return the same types for a question that reads the columns ``names`` as true or false."""
        return replace(self, truths=frozenset(name for name in names if name not in self.declared))

    def compared_with(self, name: str, values: Sequence[object]) -> "CellTypes":
        """Return the types for a question that compares a column with ``values``, which are keys or categories. If all
        values have the same type, they imply the type of the column."""
        kind = None if name in self.declared else implied_type(values)
        return self if kind is None else replace(self, implied={**self.implied, name: kind})

    def type_of(self, name: str) -> CellType | None:
        """Return the declared type of a column. If no type is declared, return the implied type, or None."""
        return self.declared.get(name, self.implied.get(name))

    def holds(self, name: str) -> Held:
        """Return "date", "datetime", "time" or "duration" if this is the type of a column. Return "text" if the column
        has no type, and None if it has another type."""
        match self.type_of(name):
            case None:
                return "text"
            case "date" | "datetime" | "time" | "duration" as kind:
                return kind
        return None

    def column_kind(self, name: str) -> ColumnKind:
        """Return what a column holds for conditions, such as "number" or "text"; "cell" if no type is declared."""
        declared = self.declared.get(name)
        if declared is None:
            return "cell"
        return "number" if declared == "boolean" else declared

    def check_numbers(self, names: tuple[str, ...]) -> None:
        """Refuse columns that are declared as text, if a question reads them as numbers."""
        for name in names:
            if self._is_text(name):
                raise SchemaError(
                    "data",
                    "must be numbers",
                    got=("column ", ColumnName(name), ", declared as text"),
                    fix="declare it otherwise, or ask for categories as text",
                ) from None

    def check_times(self, name: str, kind: str) -> None:
        """Refuse a column that is declared as text, if a question reads it as dates, times or durations."""
        if self._is_text(name):
            raise SchemaError(
                "data",
                "must have a type of dates, times or durations",
                got=("column ", ColumnName(name), ", declared as text"),
                fix=f"declare it as {'datetime' if kind == 'zoned' else kind}",
            ) from None

    def _is_text(self, name: str) -> bool:
        return self.declared.get(name) == "text"

    def typed(self, dialect: DuckDBDialect, frame: Frame) -> Frame:
        """Return ``frame``, in which all columns are text, with each column converted to its type, such as numbers.

        Times of day, durations, and columns without a type stay text.
        """
        for name in frame.columns:
            kind = self.type_of(name)
            if kind == "number":
                frame = numbers(dialect, frame, [name], self.spelling)
            elif kind == "boolean":
                frame = booleans(dialect, frame, name, self.spelling)
            elif kind == "date" or kind == "datetime":
                frame = dialect.moments(frame, name, kind)
        return frame

    def types(self, names: tuple[str, ...]) -> "dict[str, nw.dtypes.DType]":
        """Return the type that each column has after `typed`, as a type of narwhals."""
        import narwhals.stable.v2 as nw

        of_frames: dict[CellType | None, Any] = {
            "number": nw.Float64(),
            "boolean": nw.Boolean(),
            "date": nw.Date(),
            "datetime": nw.Datetime(),
        }
        return {name: of_frames.get(self.type_of(name), nw.String()) for name in names}

    def note(self, name: str, reading: Reading | None) -> str:
        """Return a text for the receipt: how a column was read. Empty if it was counted or compared as text."""
        implied = "truth" if name in self.truths else "number" if reading is None else "text"
        kind = reading.kind if isinstance(reading, Clock) else self.type_of(name) or implied
        if kind == "text":
            return ""
        mark = " (decimal comma)" if self.decimal == "," else " (decimal point)"
        return f"{name} read as {SAID[kind]}{mark * (kind == 'number')}; other cells count as missing"


def implied_type(values: Sequence[object]) -> CellType | None:
    """Return the type that keys or categories imply. Return None if they are text, or have several types."""
    kinds = {next((kind for of, kind in IMPLIED.items() if isinstance(value, of)), None) for value in values}
    return kinds.pop() if len(kinds) == 1 else None


def _cell_type(given: object) -> CellType:
    """Return the name of a declared type, which the user gives by this name or as a type of Python, such as float."""
    known = get_args(CellType)
    if given in known:
        return given  # type: ignore[return-value]
    if isinstance(given, type) and given in IN_PYTHON:
        return IN_PYTHON[given]
    word = NUMBERED.sub(
        "", (given if isinstance(given, str) else str(getattr(given, "__name__", given))).lower()
    )
    meant = OTHER_WORDS.get(word) or next(iter(get_close_matches(word, known, 1)), None)
    raise ParameterError(
        "types",
        f"must be {any_of(list(known))}",
        got=describe(given),
        fix=f"did you mean {meant!r}?" if meant else "",
    ) from None
