"""Where a command's data comes from: a file, several by a pattern, or standard input.

What comes by standard input has to be read more than once, so it is kept in a folder that only its owner may enter, and
removed when the command ends, however it ends.
"""

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory
from typing import Any

from rich.filesize import decimal

from noisewise.cli.words import Types
from noisewise.errors import ParameterError, SchemaError
from noisewise.tables.keys import kind_of
from noisewise.tables.scan import scan

STDIN = "-"


@contextmanager
def path_of(file: str, format: str | None) -> Iterator[str]:
    """The path to scan, while the command runs."""
    if file != STDIN:
        yield file
        return
    if format is None:
        raise ParameterError("format must be said for standard input, as in --format csv") from None
    with TemporaryDirectory(prefix="noisewise-") as folder:
        path = os.path.join(folder, "stdin")
        try:
            with open(path, "xb") as spooled:
                shutil.copyfileobj(sys.stdin.buffer, spooled, 1 << 20)
        except OSError:
            raise SchemaError(f"standard input could not be kept in {os.path.dirname(folder)}") from None
        yield path


def described(file: str) -> str:
    """What is read, for whoever waits: the name of a file and its size."""
    if file == STDIN:
        return "standard input"
    try:
        return f"{file}, {decimal(os.path.getsize(file))}"
    except OSError:  # a pattern, or nothing
        return file


def schema(path: str, format: str | None) -> dict[str, Any]:
    """The declared type of each column, as narwhals names it. A text file is all text: nothing is inferred."""
    return scan(path, format=format).types


def kinds(types: dict[str, Any]) -> Types:
    """What the words for a key or a label of each column become; columns that hold neither are left out."""
    found: Types = {}
    for name, dtype in types.items():
        try:
            found[name] = kind_of(dtype, name)
        except SchemaError:
            continue
    return found
