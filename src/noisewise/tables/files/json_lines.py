"""JSON lines: the columns that a question names, as text. Nothing of the file is read before the debit.

Such a file declares no columns, because the keys of its first line belong to a record. So any name is a column. If a
line does not have the key, the cell is missing. If a line is no object, all its cells are missing. DuckDB reads each
line by itself, by expressions that cannot fail. Proof: docs/proofs/engines.md.
"""

from typing import TYPE_CHECKING

import numpy as np

from noisewise.tables.engines.dialect import sql_name
from noisewise.tables.engines.duckdb_thread import Reader
from noisewise.tables.files.encoded import Opened, uncompressed
from noisewise.tables.files.lines import LineEnds, LineStream, Relation

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

OPENS = "^[ \t\r]*[{]"
"""A pattern for the beginning of an object."""
BYTE_ORDER_MARK = (0xEF, 0xBB, 0xBF)
"""Some programs begin a file with these bytes. They are left out before every line: any line may be the first."""


def objects_of(paths: tuple[str, ...], opened: Opened = uncompressed) -> Relation:
    """A function that makes a relation of the values under some keys. Each line that is not empty is a row."""

    def relation(reader: Reader, names: list[str]) -> "duckdb.DuckDBPyRelation":
        lines = reader.connection.from_arrow(
            LineStream(reader, paths, False, 1, whole_lines, opened)
        ).project("TRY(decode(c0)) AS line")
        objects = lines.project(f"CASE WHEN regexp_matches(line, '{OPENS}') THEN line END AS line")
        return objects.project(", ".join(map(_value, names))) if names else objects

    return relation


def whole_lines(lines: LineEnds) -> "list[pa.Array]":
    """The lines that are not empty, as bytes. A line that is too long becomes an empty cell."""
    starts, stops = lines.starts, lines.stops
    rows = stops > starts
    marked = [lines.letters[np.minimum(starts + i, stops)] == byte for i, byte in enumerate(BYTE_ORDER_MARK)]
    starts = np.where(lines.long, stops, starts + len(BYTE_ORDER_MARK) * np.all(marked, axis=0))
    return [lines.cut(starts[rows], stops[rows])]


def _value(name: str) -> str:
    """The value under a key of an object, found by a JSON pointer. If the key stands twice, it is the first value. Text
    that is not JSON has no value."""
    pointer = "/" + name.replace("~", "~0").replace("/", "~1")
    value = pointer.replace("'", "''")
    return f"TRY(json_extract_string(line, '{value}')) AS {sql_name(name)}"
