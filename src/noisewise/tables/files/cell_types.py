"""Types of cells: how a column of a text file is read. The user declares the type, or the question implies it.

    number      a cell that spells one, with the decimal mark of the file
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
"""The types that keys and categories imply. The first that fits is taken, since a bool is an int and a datetime a
date."""

NUMBERED = re.compile(r"\d.*")
"""The width in the names of types in other libraries: int64, Float32."""

OTHER_WORDS: dict[str, CellType] = {
    **dict.fromkeys(("int", "uint", "integer", "float", "double", "numeric", "decimal"), "number"),
    **dict.fromkeys(("bool", "logical"), "boolean"),
    **dict.fromkeys(("str", "string", "utf", "category", "categorical", "object", "varchar"), "text"),
    **dict.fromkeys(("timestamp", "datetime", "moment", "zoned"), "datetime"),
    **dict.fromkeys(("timedelta", "interval", "span"), "duration"),
}
"""The names of these types in other libraries."""

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
    """Columns of true and false by the question. In these, words for true and false are read."""
    implied: Mapping[str, CellType] = field(default_factory=dict)
    """The types that keys or categories imply, for columns without a declared type."""

    @classmethod
    def of(cls, types: object, decimal: object, names: Names) -> "CellTypes":
        """The types that a user declares. Unknown types and columns are refused."""
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
        """The same types for a question about whether some columns are true."""
        return replace(self, truths=frozenset(name for name in names if name not in self.declared))

    def compared_with(self, name: str, values: Sequence[object]) -> "CellTypes":
        """The same types for a question that compares a column with keys or categories. They imply the type of the
        column if all have the same type."""
        kind = None if name in self.declared else implied_type(values)
        return self if kind is None else replace(self, implied={**self.implied, name: kind})

    def type_of(self, name: str) -> CellType | None:
        """The declared type of a column. If none is declared, the implied type."""
        return self.declared.get(name, self.implied.get(name))

    def holds(self, name: str) -> Held:
        """The kind of time that a column holds. "text" if no type is declared, and None if it is not a type of time."""
        match self.type_of(name):
            case None:
                return "text"
            case "date" | "datetime" | "time" | "duration" as kind:
                return kind
        return None

    def column_kind(self, name: str) -> ColumnKind:
        """The kind of a column in conditions."""
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
        """The frame of text with its columns in their types. Times of day and durations stay text."""
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
        """The type of each column, a type of narwhals."""
        import narwhals.stable.v2 as nw

        of_frames: dict[CellType | None, Any] = {
            "number": nw.Float64(),
            "boolean": nw.Boolean(),
            "date": nw.Date(),
            "datetime": nw.Datetime(),
        }
        return {name: of_frames.get(self.type_of(name), nw.String()) for name in names}

    def note(self, name: str, reading: Reading | None) -> str:
        """How a column was read, for the receipt of an answer. Empty if it was counted or compared as text."""
        implied = "truth" if name in self.truths else "number" if reading is None else "text"
        kind = reading.kind if isinstance(reading, Clock) else self.type_of(name) or implied
        if kind == "text":
            return ""
        mark = " (decimal comma)" if self.decimal == "," else " (decimal point)"
        return f"{name} read as {SAID[kind]}{mark * (kind == 'number')}; other cells count as missing"


def implied_type(values: Sequence[object]) -> CellType | None:
    """The type that keys or categories imply. None for text, and for several types."""
    kinds = {next((kind for of, kind in IMPLIED.items() if isinstance(value, of)), None) for value in values}
    return kinds.pop() if len(kinds) == 1 else None


def _cell_type(given: object) -> CellType:
    """A declared type: one of our names, or a type of Python."""
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
