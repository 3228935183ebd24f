"""Files as tables: Parquet, Arrow, CSV, TSV and JSON lines, read in parts and never as a whole.

Parquet and Arrow files declare their columns. In a text file everything is text, and nothing is inferred from it. The
first line of CSV and TSV names the columns and is public. JSON lines declare no columns (json_lines.py). The user
declares the types of cells, or the question implies them (cell_types.py): a number is what Python's `float` reads, in
ASCII and without underscores. Each line of a text file is a record (lines.py, cells.py), in all packings and encodings
(encoded.py). No line makes a release fail. Names of folders are no data, in any format.
"""

import csv
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Mapping
from glob import escape, glob, has_magic
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from noisewise.errors import Call, FileName, ParameterError, ParameterTypeError, SchemaError, Value, install
from noisewise.floors import check_library
from noisewise.kernel.numbers.exact import describe
from noisewise.tables.engines.dialect import FirstPass, Frame, as_frame
from noisewise.tables.engines.duckdb_thread import Reader, ThreadedDuckDB
from noisewise.tables.engines.engine_table import EngineTable
from noisewise.tables.files.arrow import FileTable, by_arrow, dictionaries_of, texts_of
from noisewise.tables.files.cell_types import CellTypes
from noisewise.tables.files.cells import cells_of
from noisewise.tables.files.encoded import PACKED, Encoded
from noisewise.tables.files.file_state import FileState
from noisewise.tables.files.json_lines import objects_of
from noisewise.tables.files.lines import LONGEST_LINE
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
"""The endings of compressed files, and their first bytes."""
PLAIN = {"glob": False, "hive_partitioning": False}
"""A path is only the name of a file. (Polars may take it for a pattern, and a folder ``x=9`` for data.)"""
TOTAL = (
    *("BOOLEAN", "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT"),
    *("FLOAT", "DOUBLE", "DATE"),
)
"""Types that DuckDB always reads from a Parquet file. It refuses text that is no UTF-8, and far times."""


def scan(
    source: str | PathLike[str],
    *,
    format: str | None = None,
    types: Mapping[str, Any] | None = None,
    separator: str | None = None,
    decimal: str = ".",
    encoding: str = "utf-8",
    progress: FirstPass | None = None,
    unpack: bool = True,
) -> EngineTable | TextTable:
    """The table of a file, or of all files that match a pattern such as ``"*.csv"``, in the order of their names.

    ``types``, ``separator``, ``decimal`` and ``encoding`` say how to read text files. ``unpack`` checks that packed
    files are whole, which must be done before any question about them.
    """
    path, paths, kind, packed = _files(source, format)
    files = FileState.of(paths)
    if kind in DELIMITERS or kind == "jsonl":
        reader = Reader(_duckdb(paths, packed).connect())
        encoded, names = Encoded.of(packed, encoding), None
        if kind == "jsonl" and encoded.encoding == "utf-16":
            raise ParameterError(
                "encoding",
                "must be utf-16-le or utf-16-be for JSON lines",
                got=describe(encoding),
                why="the first bytes that would tell which are somebody's record",
            ) from None
        if kind in DELIMITERS:
            delimiter = _separator(kind, separator)
            names = _names(paths, delimiter, encoded)
            relation = cells_of(paths, names, delimiter, encoded.open)
        else:
            _check_left_out("JSON lines have no separators", separator=separator)
            _check_left_out("JSON writes numbers with a point", decimal=None if decimal == "." else decimal)
            relation = objects_of(paths, encoded.open)
        cells = CellTypes.of(types, decimal, names)
        if unpack:
            encoded.check_whole(paths)
        return TextTable(reader, relation, names, cells, files=files, progress=progress)
    if packed:
        raise SchemaError(
            f"a file of format {kind}", "must not be packed", got=FileName(path), fix="unpack it first"
        ) from None
    _check_left_out(
        f"a file of format {kind} says itself what it holds",
        types=types,
        separator=separator,
        decimal=None if decimal == "." else decimal,
        encoding=None if encoding == "utf-8" else encoding,
    )
    frame, own = None, None
    try:
        frame, own = {"parquet": _parquet, "arrow": _arrow}[kind](paths)
    except SchemaError:
        raise
    except Exception:
        pass
    if frame is None:
        raise SchemaError(
            "source",
            ("must be a file of format ", Value(repr(kind), kind)),
            got=FileName(path),
            kind="another format",
        ) from None
    if not texts_of(frame):
        dialect = None if own is None else ThreadedDuckDB(own, progress, files.fail_if_changed)
        return EngineTable(frame, files=files, progress=progress, dialect=dialect)
    _installed("pyarrow", "columns of text in such files", extra="polars")
    always = tuple(dictionaries_of(frame)) if kind == "arrow" else ()
    return FileTable(frame, by_arrow(frame, paths, kind), always, files=files, progress=progress)


def names_in(
    source: str | PathLike[str],
    *,
    format: str | None = None,
    separator: str | None = None,
    encoding: str = "utf-8",
) -> tuple[str, ...] | None:
    """The columns that the first line of a CSV or TSV file names; None for any other file. Nothing else is read."""
    _, paths, kind, packed = _files(source, format)
    if kind not in DELIMITERS:
        return None
    return _names(paths, _separator(kind, separator), Encoded.of(packed, encoding))


def _files(source: object, format: str | None) -> tuple[str, tuple[str, ...], str, str]:
    """Find files. Return the given path as text, the paths of the files, their format, and how they are packed."""
    if not isinstance(source, (str, PathLike)):
        raise ParameterTypeError("source", "must be a path or a pattern", got=describe(source)) from None
    path = str(fspath(source))
    paths = (
        tuple(sorted(glob(path, recursive=True))) if has_magic(path) and not Path(path).exists() else (path,)
    )
    paths = tuple(file for file in paths if Path(file).is_file())
    if not paths:
        raise SchemaError("source", "must be a file that can be read", got=FileName(path)) from None
    kind, packed = _kind(path, format)
    if packed not in ("", *PACKED):
        raise _compressed(path) from None
    return path, paths, kind, packed


def _check_left_out(why: str, **of_text: object) -> None:
    """Refuse arguments that only other files need."""
    for name, given in of_text.items():
        if given is not None:
            raise ParameterError(name, "must be left out", got=describe(given), why=why) from None


def format_of(name: str) -> tuple[str | None, str]:
    """The format of a file and how it is packed, by its name or by text such as ``"csv.gz"``. The format may be
    None."""
    ending = Path(f"x.{name}").suffix[1:].lower()
    packed = ending if ending in COMPRESSED else ""
    inner = name[: -len(packed) - 1] if packed else name
    return ENDINGS.get(Path(f"x.{inner}").suffix[1:].lower()), packed


def _kind(path: str, format: str | None) -> tuple[str, str]:
    """The format of a file, and how it is packed. If the user does not say it, the name of the file decides."""
    kind, packed = format_of(path if format is None else str(format))
    if kind is None:
        names = ", ".join(repr(name) for name in dict.fromkeys(ENDINGS.values()))
        given, fix = describe(path if format is None else format), ""
        if format is None:
            fix = 'say what it is, as in format="csv"'
        raise ParameterError("format", f"must be one of {names}", got=given, fix=fix) from None
    return kind, packed or (format_of(path)[1] if format is not None else "")


def _separator(kind: str, given: object) -> str:
    """The separator of cells: a character of ASCII that has no other meaning."""
    if given is None:
        return DELIMITERS[kind]
    if not isinstance(given, str) or len(given) != 1 or not given.isascii() or given in '"\r\n':
        raise ParameterError(
            "separator", 'must be one sign, such as ";" or "\\t"', got=describe(given)
        ) from None
    return given


def _parquet(paths: tuple[str, ...]) -> tuple[Frame, Reader | None]:
    """The files as a frame of Polars, or else of DuckDB on a connection that nothing else uses."""
    if (polars := _installed("polars")) is not None:
        frames = [polars.scan_parquet(path, **PLAIN) for path in paths]
        _alike([types_of(frame) for frame in frames])
        # statistics of a column may be wrong, or not UTF-8
        return as_frame(polars.scan_parquet(list(paths), **PLAIN, use_statistics=False)), None
    if (duckdb := _installed("duckdb")) is None:
        _installed("polars", "Parquet files")
    reader, escaped = Reader(duckdb.connect(), scans=True), [escape(path) for path in paths]
    connection = reader.connection
    relations = [connection.read_parquet(path, hive_partitioning=False) for path in escaped]
    types = [dict(zip(each.columns, map(str, each.types), strict=True)) for each in relations]
    _alike(types)
    if not all(declared.startswith(TOTAL) for declared in types[0].values()):
        _installed("polars", "columns of Parquet files that are no plain numbers or dates")
    return as_frame(connection.read_parquet(escaped, hive_partitioning=False)), reader


def _arrow(paths: tuple[str, ...]) -> tuple[Frame, None]:
    polars = _installed("polars", "Arrow files")
    _alike([types_of(polars.scan_ipc(path, **PLAIN)) for path in paths])
    return as_frame(polars.scan_ipc(list(paths), **PLAIN)), None


def _names(paths: tuple[str, ...], separator: str, encoded: Encoded) -> tuple[str, ...]:
    """The names of the columns in the first line. Files with different names are refused."""
    headers = [_header(path, separator, encoded) for path in paths]
    _alike([dict.fromkeys(header) for header in headers])
    names = headers[0]
    if len({name.lower() for name in names}) < len(names):
        raise SchemaError(
            "columns", "must have different names, capitals aside", kind="names twice"
        ) from None
    return names


def _duckdb(paths: tuple[str, ...], packed: str) -> Any:
    """The module of DuckDB, which reads text files. Refuse files whose names say that they are packed differently."""
    for path in paths:
        if (ending := Path(path).suffix[1:].lower()) in COMPRESSED and ending != packed:
            raise _compressed(path) from None
    _installed("pyarrow", "text files", extra="duckdb")
    return _installed("duckdb", "text files")


def _compressed(path: str) -> SchemaError:
    return SchemaError(
        "text files",
        "must be packed by gzip or zstd, all alike, or not at all",
        got=FileName(path),
        fix="unpack it first",
    )


def _header(path: str, separator: str, encoded: Encoded) -> tuple[str, ...]:
    """The names of the columns, from the first line of a file. A column without a name, such as an index that pandas
    writes, is named by its position: column1."""
    try:
        with encoded.open(path) as file:
            line: bytes | None = file.readline(LONGEST_LINE)
    except Exception:  # also if the file is not packed as its name says
        line = None
    if line is None:
        raise SchemaError("source", "must be a file that can be read", got=FileName(path)) from None
    try:
        text = line.decode("utf-8-sig").rstrip("\r\n")
        (names,) = map(tuple, csv.reader([text], delimiter=separator, strict=True))
    except Exception:
        names = ()
    if not names and line.startswith(tuple(COMPRESSED.values())):
        packed = next(name for name, start in COMPRESSED.items() if line.startswith(start))
        hint = Call(f'say that it is packed, as in format="csv.{packed}"', "format", f"csv.{packed}")
        raise _compressed(path).with_fields(fix=hint if packed in PACKED else "unpack it first") from None
    if not names or len(line) == LONGEST_LINE:
        known = "utf-16" if line.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else "cp1252"
        raise SchemaError(
            ("the first line of ", FileName(path)),
            f"must be the names of the columns, as {encoded.encoding.upper()}",
            fix=""
            if _is_utf8(line)
            else Call(f'say how it is encoded, as in encoding="{known}"', "encoding", known),
        ) from None
    return tuple(name or _by_place(place, names) for place, name in enumerate(names, 1))


def _by_place(place: int, names: tuple[str, ...]) -> str:
    """A name for a column that has none. No other column has this name."""
    name, taken = f"column{place}", {each.casefold() for each in names}
    while name in taken:
        name += "_"
    return name


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True


def _alike(schemas: list[dict[str, Any]]) -> None:
    if any(schema != schemas[0] for schema in schemas):
        raise SchemaError("the files of a scan", "must have the same columns of the same types") from None


def _installed(package: str, needed_for: str = "", extra: str = "") -> Any:
    """Import an optional package. If it is not installed, return None, or raise if it is ``needed_for`` something."""
    from importlib import import_module

    check_library(package)
    try:
        return import_module(package)
    except ImportError:
        pass
    if needed_for:
        named = extra or package
        raise SchemaError(needed_for, f"are read by {package}", extra=install(named)) from None
    return None
