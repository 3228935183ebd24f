"""JSON lines: whatever columns a question names, as text; nothing of the file is looked at before.

Such a file declares no columns: the keys of its first line are those of a record. So the names are those of the
question, and a line that lacks one has nothing there; one that is no object has nothing at all. DuckDB takes each line
apart by itself, in expressions that are total. Proof: docs/proofs/engines.md.
"""

from typing import Any

import numpy as np

from noisewise.tables.engines.duckdb_thread import Reader
from noisewise.tables.files.lines import Ends, Lines

OPENS = "^[ \t\r]*[{]"
"""How an object begins."""
MARK = (0xEF, 0xBB, 0xBF)
"""Some programs begin a file with these bytes. They are left out before any line, as any may come to stand first."""


def objects_of(paths: tuple[str, ...]) -> Any:
    """How a question gets a relation of the keys that it names, with a row for each line that is not empty."""

    def relation(reader: Reader, names: list[str]) -> Any:
        found = reader.connection.from_arrow(Lines(reader, paths, False, 1, wholes)).project(
            "TRY(decode(c0)) AS line"
        )
        objects = found.project(f"CASE WHEN regexp_matches(line, '{OPENS}') THEN line END AS line")
        return objects.project(", ".join(map(_taken, names))) if names else objects

    return relation


def wholes(ends: Ends) -> list[Any]:
    """Lines that are not empty, in bytes; of one that is too long nothing."""
    starts, stops = ends.starts, ends.stops
    rows = stops > starts
    marked = [ends.letters[np.minimum(starts + place, stops)] == byte for place, byte in enumerate(MARK)]
    starts = np.where(ends.long, stops, starts + len(MARK) * np.all(marked, axis=0))
    return [ends.cut(starts[rows], stops[rows])]


def _taken(name: str) -> str:
    """What an object has under a key, by a JSON pointer: the first where the key stands twice. No JSON has nothing."""
    pointer = "/" + name.replace("~", "~0").replace("/", "~1")
    value, called = pointer.replace("'", "''"), name.replace('"', '""')
    return f"TRY(json_extract_string(line, '{value}')) AS \"{called}\""
