"""JSON lines: whatever columns a question names, as text; nothing of the file is looked at before.

Such a file declares no columns: the keys of its first line are those of a record. So the names are those of the
question, and a line that lacks one has nothing there; one that is no object has nothing at all. DuckDB reads each line
by itself, in expressions that are total. Proof: docs/proofs/engines.md.
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
"""How an object begins."""
BYTE_ORDER_MARK = (0xEF, 0xBB, 0xBF)
"""Some programs begin a file with these bytes. They are left out before any line, as any may come to stand first."""


def objects_of(paths: tuple[str, ...], opened: Opened = uncompressed) -> Relation:
    """A function that makes a relation of the keys that a question names, with a row for each line but empty ones."""

    def relation(reader: Reader, names: list[str]) -> "duckdb.DuckDBPyRelation":
        lines = reader.connection.from_arrow(
            LineStream(reader, paths, False, 1, whole_lines, opened)
        ).project("TRY(decode(c0)) AS line")
        objects = lines.project(f"CASE WHEN regexp_matches(line, '{OPENS}') THEN line END AS line")
        return objects.project(", ".join(map(_value, names))) if names else objects

    return relation


def whole_lines(lines: LineEnds) -> "list[pa.Array]":
    """Lines that are not empty, in bytes; of one that is too long nothing."""
    starts, stops = lines.starts, lines.stops
    rows = stops > starts
    marked = [lines.letters[np.minimum(starts + i, stops)] == byte for i, byte in enumerate(BYTE_ORDER_MARK)]
    starts = np.where(lines.long, stops, starts + len(BYTE_ORDER_MARK) * np.all(marked, axis=0))
    return [lines.cut(starts[rows], stops[rows])]


def _value(name: str) -> str:
    """What an object has under a key, by a JSON pointer: the first where the key stands twice. No JSON has nothing."""
    pointer = "/" + name.replace("~", "~0").replace("/", "~1")
    value = pointer.replace("'", "''")
    return f"TRY(json_extract_string(line, '{value}')) AS {sql_name(name)}"
