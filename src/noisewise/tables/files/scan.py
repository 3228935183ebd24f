"""Files as tables: Parquet, Arrow, CSV, TSV and JSON lines, read in passes and never as a whole.

Parquet and Arrow files say what their columns are. In a text file everything is text, and nothing is inferred from it:
the first line of CSV and TSV names the columns and is public, JSON lines declare none (json_lines.py), and a cell is a
number where Python's `float` would say so, in ASCII and without underscores, else it is missing; where bounds are dates
or times, time/text.py says what is one. A record of a text file is a line (lines.py, cells.py), and no line
makes it fail. What folders are called is no data, in any format.
"""

import csv
from glob import escape, glob, has_magic
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from noisewise.errors import FileName, ParameterError, ParameterTypeError, SchemaError, Value
from noisewise.floors import judge_library
from noisewise.numbers.exact import describe
from noisewise.tables.engines.dialect import Frame, Progress, as_frame
from noisewise.tables.engines.duckdb_thread import Reader
from noisewise.tables.engines.table import EngineTable
from noisewise.tables.files.arrow import FileTable, by_arrow, dictionaries_of, texts_of
from noisewise.tables.files.cells import cells_of
from noisewise.tables.files.file_state import FileState
from noisewise.tables.files.json_lines import objects_of
from noisewise.tables.files.lines import LONGEST_LINE, Relation
from noisewise.tables.files.text_table import TextTable
from noisewise.tables.frames import types_of

ENDINGS = {
    "parquet": "parquet",
    "pq": "parquet",
    "csv": "csv",
    "tsv": "tsv",
    "tab": "tsv",
    "arrow": "arrow",
    "feather": "arrow",
    "ipc": "arrow",
    "jsonl": "jsonl",
    "ndjson": "jsonl",
}
DELIMITERS = {"csv": ",", "tsv": "\t"}
COMPRESSED = {
    "gz": b"\x1f\x8b",
    "zst": b"\x28\xb5\x2f\xfd",
    "bz2": b"BZh",
    "xz": b"\xfd7zXZ",
    "zip": b"PK\x03\x04",
    "lz4": b"\x04\x22\x4d\x18",
}
"""How compressed files are called, and how they begin."""
PLAIN = {"glob": False, "hive_partitioning": False}
"""A path is the name of a file and nothing more: Polars would take one for a pattern, and a folder ``x=9`` for data."""
TOTAL = (
    *("BOOLEAN", "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT"),
    *("FLOAT", "DOUBLE", "DATE"),
)
"""Types of which DuckDB reads every value from a Parquet file: it refuses text that is no UTF-8, and times too far."""


def scan(
    source: str | PathLike[str], *, format: str | None = None, progress: Progress | None = None
) -> EngineTable | TextTable:
    """The table of a file, or of all files that match a pattern such as ``"*.csv"``, in the order of their names."""
    if not isinstance(source, (str, PathLike)):
        raise ParameterTypeError("source", "must be a path or a pattern", got=describe(source)) from None
    path = str(fspath(source))
    paths = (
        tuple(sorted(glob(path, recursive=True))) if has_magic(path) and not Path(path).exists() else (path,)
    )
    paths = tuple(file for file in paths if Path(file).is_file())
    if not paths:
        raise SchemaError("source", "must be a file that can be read", got=FileName(path)) from None
    kind = _kind(path, format)
    files = FileState.of(paths)
    if kind in DELIMITERS or kind == "jsonl":
        reader = Reader(_duckdb(paths).connect())
        relation, names = _cells(paths, kind) if kind in DELIMITERS else (objects_of(paths), None)
        return TextTable(reader, relation, names, files=files, progress=progress)
    try:
        frame = {"parquet": _parquet, "arrow": _arrow}[kind](paths)
    except SchemaError:
        raise
    except Exception:
        frame = None
    if frame is None:
        raise SchemaError(
            "source",
            ("must be a file of format ", Value(repr(kind), kind)),
            got=FileName(path),
            kind="another format",
        ) from None
    if not texts_of(frame):
        return EngineTable(frame, files=files, progress=progress)
    _installed("pyarrow", "columns of text in such files", extra="polars")
    always = tuple(dictionaries_of(frame)) if kind == "arrow" else ()
    return FileTable(frame, by_arrow(frame, paths, kind), always, files=files, progress=progress)


def _kind(path: str, format: str | None) -> str:
    ending = Path(path).suffix[1:].lower() if format is None else format
    kind = ENDINGS.get(str(ending).lower())
    if kind is None:
        names = ", ".join(repr(name) for name in dict.fromkeys(ENDINGS.values()))
        given = describe(path if format is None else format)
        raise ParameterError("format", f"must be one of {names}", got=given) from None
    return kind


def _parquet(paths: tuple[str, ...]) -> Frame:
    if (polars := _installed("polars")) is not None:
        frames = [polars.scan_parquet(path, **PLAIN) for path in paths]
        _alike([types_of(frame) for frame in frames])
        # statistics of a column may be no UTF-8 either, or not be true
        return as_frame(polars.scan_parquet(list(paths), **PLAIN, use_statistics=False))
    if (duckdb := _installed("duckdb")) is None:
        _installed("polars", "Parquet files")
    connection, escaped = duckdb.connect(), [escape(path) for path in paths]
    relations = [connection.read_parquet(path, hive_partitioning=False) for path in escaped]
    types = [dict(zip(each.columns, map(str, each.types), strict=True)) for each in relations]
    _alike(types)
    if not all(declared.startswith(TOTAL) for declared in types[0].values()):
        _installed("polars", "columns of Parquet files that are no plain numbers or dates")
    return as_frame(connection.read_parquet(escaped, hive_partitioning=False))


def _arrow(paths: tuple[str, ...]) -> Frame:
    polars = _installed("polars", "Arrow files")
    _alike([types_of(polars.scan_ipc(path, **PLAIN)) for path in paths])
    return as_frame(polars.scan_ipc(list(paths), **PLAIN))


def _cells(paths: tuple[str, ...], kind: str) -> tuple[Relation, tuple[str, ...]]:
    """All columns as text, by their names in the first line."""
    headers = [_header(path, kind) for path in paths]
    _alike([dict.fromkeys(header) for header in headers])
    names = headers[0]
    if len({name.lower() for name in names}) < len(names):
        raise SchemaError(
            "columns", "must have different names, capitals aside", kind="names twice"
        ) from None
    return cells_of(paths, names, DELIMITERS[kind]), names


def _duckdb(paths: tuple[str, ...]) -> Any:
    """What reads text files, where they are text by their names: what is in JSON lines is not looked at."""
    for path in paths:
        if Path(path).suffix[1:].lower() in COMPRESSED:
            raise _compressed(path) from None
    _installed("pyarrow", "text files", extra="duckdb")
    return _installed("duckdb", "text files")


def _compressed(path: str) -> SchemaError:
    return SchemaError("a text file", "must not be compressed", got=FileName(path), fix="unpack it first")


def _header(path: str, kind: str) -> tuple[str, ...]:
    """The names of the columns, from the first line of a file."""
    try:
        with open(path, "rb") as file:
            line: bytes | None = file.readline(LONGEST_LINE)
    except OSError:
        line = None
    if line is None:
        raise SchemaError("source", "must be a file that can be read", got=FileName(path)) from None
    try:
        text = line.decode("utf-8-sig").rstrip("\r\n")
        (names,) = map(tuple, csv.reader([text], delimiter=DELIMITERS[kind], strict=True))
    except Exception:
        names = ()
    if not names and line.startswith(tuple(COMPRESSED.values())):
        raise _compressed(path) from None
    if not names or len(line) == LONGEST_LINE:
        raise SchemaError(
            ("the first line of ", FileName(path)), "must be the names of the columns, as UTF-8"
        ) from None
    return names


def _alike(schemas: list[dict[str, Any]]) -> None:
    if any(schema != schemas[0] for schema in schemas):
        raise SchemaError("the files of a scan", "must have the same columns of the same types") from None


def _installed(package: str, needed_for: str = "", extra: str = "") -> Any:
    """An optional package, an extra of the same name or another's; None where it is not installed and not needed."""
    from importlib import import_module

    judge_library(package)
    try:
        return import_module(package)
    except ImportError:
        pass
    if needed_for:
        named = extra or package
        raise SchemaError(needed_for, f"are read by {package}", extra=named) from None
    return None
