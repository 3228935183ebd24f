"""The data of a command: a file, several files of a pattern, or standard input.

Standard input has to be read more than once, so up to `MOST_BYTES` of it are kept in a file while the command runs. On
Linux the file has no name and disappears with the process, also after SIGKILL. On other systems the file is in a folder
that only its owner may enter. It is removed at the end of the command, but not after SIGKILL.
"""

import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from glob import glob, has_magic
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple, TypeVar

from rich.filesize import decimal

from noisewise.cli.error_text import naming
from noisewise.cli.screen import hush
from noisewise.errors import FileName, ParameterError, SchemaError
from noisewise.kernel.numbers.exact import describe
from noisewise.tables.files.scan import ENDINGS, format_of, names_in, scan
from noisewise.tables.groups.keys import kind_of
from noisewise.tables.names import unknown_column

if TYPE_CHECKING:
    from noisewise.questions.typed import Given, Types

R = TypeVar("R")

STDIN = "-"
MOST_BYTES = 16 * 10**9
"""The most bytes of standard input; the help of the command names this number."""
OPEN_FILES = "/proc/self/fd"
"""The folder of Linux with the open files of a process, also those without a name."""
FORMATS = ", ".join(dict.fromkeys(ENDINGS.values()))


@contextmanager
def path_of(file: str, format: str | None) -> Iterator[str]:
    """Give the path to scan. Standard input is copied to a file, which exists while this block runs."""
    if file != STDIN:
        yield file
        return
    if format is None:
        raise ParameterError("format", "must be said for standard input, as in --format csv") from None
    if sys.stdin is None:
        raise SchemaError(
            "FILE", "must be a file that can be read", got="standard input, which is closed"
        ) from None
    with ExitStack() as stack:
        try:
            kept, path = stack.enter_context(_spooled())
            size = _copied(kept)
        except OSError:
            folder = tempfile.tempdir or "a temporary folder"
            raise SchemaError(f"standard input could not be kept in {folder}") from None
        if size > MOST_BYTES:
            raise SchemaError(
                "standard input",
                f"must have at most {decimal(MOST_BYTES)}",
                got="more",
                fix="save it as a file, which may be larger",
            ) from None
        with naming({repr(path): "standard input"}):
            yield path


@contextmanager
def _spooled() -> Iterator[tuple[IO[bytes], str]]:
    """Make a new file, and give the file and the path by which this process can read it."""
    if os.path.isdir(OPEN_FILES):
        with tempfile.TemporaryFile() as kept:
            yield kept, f"{OPEN_FILES}/{kept.fileno()}"
        return
    with tempfile.TemporaryDirectory(prefix="noisewise-") as folder:
        path = os.path.join(folder, "stdin")
        with open(path, "xb") as kept:
            yield kept, path


def _copied(file: IO[bytes]) -> int:
    """Copy standard input up to the limit, and return how many bytes were read."""
    size = 0
    while size <= MOST_BYTES and (some := sys.stdin.buffer.read(1 << 20)):
        size += len(some)
        file.write(some)
    file.flush()
    return size


def described(file: str) -> str:
    """Return the name of a file and its size, for the progress bar."""
    if file == STDIN:
        return "standard input"
    try:
        return f"{file}, {decimal(os.path.getsize(file))}"
    except OSError:  # the path is a pattern, or there is no such file
        return file


def files_of(file: str) -> list[str]:
    """Return all files of a pattern, or the file itself if it is no pattern."""
    return glob(file, recursive=True) if has_magic(file) and not os.path.exists(file) else [file]


def size_of(file: str) -> int:
    """Return the number of bytes of a file, or of all files of a pattern. Return 0 if it is not known yet."""
    try:
        return 0 if file == STDIN else sum(map(os.path.getsize, files_of(file)))
    except OSError:
        return 0


class Columns(NamedTuple):
    """The columns of a file. ``types`` has the kind of each column that can hold keys or labels."""

    names: tuple[str, ...] | None
    """None for JSON lines, which declare no columns."""
    types: "Types"

    @classmethod
    def of(cls, path: str, format: str | None, read: Mapping[str, Any]) -> "Columns":
        """Return the columns that a file declares. Only the first line of a text file is read, as ``read`` says."""
        _check_file(path, format)
        typed = {name: OPTION_TYPES.get(kind, "text") for name, kind in read.get("types", {}).items()}
        kind, _ = format_of(path if format is None else format)
        if kind == "jsonl":
            return cls(None, typed)
        how = {name: read[name] for name in ("separator", "encoding") if name in read}
        if (names := names_in(path, format=format, **how)) is not None:
            return cls(names, dict.fromkeys(names, "text") | typed)
        declared = scan(path, format=format, unpack=False, **read).types or {}
        return cls(tuple(declared), _kinds(declared) | typed)

    def checked(self, named: Mapping[str, list[str]]) -> "Types":
        """Return the kinds of the columns, after checking that the file has every column in ``named``.

        ``named`` has column names by the options that name them. An error names the option. If the file declares no
        columns, all columns are text.
        """
        if self.names is None:
            return dict.fromkeys((name for names in named.values() for name in names), "text") | dict(
                self.types
            )
        for flag, names in named.items():
            _known(flag, names, self.names)
        return self.types


OPTION_TYPES = {"number": "number", "boolean": "boolean", "text": "words", "date": "date", "datetime": "time"}
"""The kind of a column for each type of the option --type."""


def schema(path: str, format: str | None, read: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the declared type of each column, as narwhals names it, or None for JSON lines, which declare no columns.

    All columns of a text file are text, except those with a type in ``read``. No type is inferred from the data.
    """
    _check_file(path, format)
    return scan(path, format=format, unpack=False, **read).types


@contextmanager
def opened(
    given: "Given", check: Callable[[Columns], R], held: Callable[[], Mapping[str, Any]]
) -> Iterator[tuple[Any, R]]:
    """Call ``check`` with the columns of the file, open the dataset, and give the dataset and the result of ``check``.

    ``held`` returns the other keywords of the dataset: the people that it protects, and the ledger that pays.
    """
    file, format = given["file"], given["format"]
    with (
        hush(described(file), size_of(file), lines=given.get("progress", False)) as progress,
        path_of(file, format) as path,
    ):
        read = reading(given)
        checked = check(Columns.of(path, format, read))
        from noisewise.dataset.dataset import (
            Dataset,
        )  # imported late, as it is slow and a misspelt column is refused before

        dataset = Dataset.scan(path, format=format, progress=progress, **read, **held())
        yield (dataset if given["where"] is None else dataset.where(given["where"])), checked


def reading(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options for reading a text file, as keywords of a scan."""
    read = {name: given[name] for name in ("separator", "decimal", "encoding") if given.get(name) is not None}
    if "separator" in read:
        read["separator"] = {"tab": "\t", "\\t": "\t"}.get(read["separator"], read["separator"])
    types = dict[str, str]()
    for text in given.get("type") or []:
        name, equals, kind = text.rpartition("=")
        if not equals or not name or name in types:
            raise ParameterError(
                "--type", "must be said once for each column, as in --type age=number", got=describe(text)
            ) from None
        types[name] = kind
    return read | ({"types": types} if types else {})


def _known(flag: str, given: list[str], names: tuple[str, ...]) -> None:
    """Refuse a name that is no column. The error names the option ``flag``. The columns of a file are public."""
    for name in given:
        if name in names:
            continue
        several = name.split(",")
        if flag == "--by" and set(several) <= set(names):
            raise SchemaError(
                "--by",
                "must be said for each column",
                why=f"{' '.join(f'--by {each}' for each in several)}",
            ) from None
        raise unknown_column(flag, name, names) from None


def _check_file(path: str, format: str | None) -> None:
    """Refuse a path without a file, an unknown format, and an empty file, except that JSON lines may be empty."""
    file = Path(path)
    if file.is_dir():
        raise SchemaError(
            "FILE", "must be a file", got=f"the folder {path!r}", fix=f"its files are '{file / '*.csv'}'"
        ) from None
    if not file.exists() and not (has_magic(path) and glob(path, recursive=True)):
        none = "no file has such a name" if has_magic(path) else "there is no such file"
        raise SchemaError("FILE", "must be a file that can be read", got=FileName(path), why=none) from None
    kind, _ = format_of(path if format is None else format)
    if format is None and kind is None:
        raise ParameterError(
            "--format",
            ("must say what ", FileName(path), f" is, one of {FORMATS}"),
            why="its ending does not",
            fix="save it as one of these",
        ) from None
    if kind is None:
        raise ParameterError("--format", f"must be one of {FORMATS}", got=describe(format)) from None
    if kind != "jsonl" and file.is_file() and not file.stat().st_size:
        raise SchemaError("FILE", "must not be empty", got=FileName(path)) from None


def _kinds(types: dict[str, Any]) -> dict[str, str]:
    """Return the kind of each column that can hold keys or labels, by its name."""
    by_name: dict[str, str] = {}
    for name, dtype in types.items():
        try:
            by_name[name] = kind_of(dtype, name)
        except SchemaError:
            continue
    return by_name
