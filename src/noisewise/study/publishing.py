"""Write the files of a release. They never replace an existing file or an input of the run.

If a name is taken, the run is refused before its debit. A file gets its name when it is complete, and only if the name
is still free. Before that, the hash of the file is written to the journal. So a run that continues recognizes its own
files, and does not change them.
"""

import os
from collections.abc import Iterable
from contextlib import suppress
from fnmatch import fnmatchcase
from glob import glob, has_magic
from hashlib import file_digest, sha256
from pathlib import Path
from stat import S_ISREG

from noisewise.errors import ParameterError
from noisewise.kernel.numbers.exact import describe
from noisewise.ledger.books import is_address
from noisewise.study.journal import JOURNAL, SAFELY, Journal, sync_folder

NOTHING = sha256().hexdigest()
"""The hash of an empty file. It reserves a name for a moment, on a disk without hard links."""


def check_inputs(folder: Path, names: Iterable[str], inputs: Iterable[tuple[str, str]]) -> None:
    """Refuse a folder in which a file to write, or the journal, is an input of the run.

    ``names`` has the files to write. ``inputs`` has pairs: what an input is, and its path or pattern.
    """
    given = [each for each in inputs if not is_address(each[1])]
    for name in (*names, JOURNAL):
        for what, path in given:
            if any(_is_at(folder, name, file) for file in _files(path)):
                raise ParameterError(
                    "out",
                    "must be a folder in which no file of the release is one that the study reads or pays by",
                    got=describe(str(folder)),
                    why=f"{folder / name} is {what}",
                    fix="say another folder",
                ) from None


def _files(path: str) -> list[str]:
    """Return all files that a path can mean: the path itself and, if it is a pattern, the files that match."""
    return [path, *(glob(path, recursive=True) if has_magic(path) else ())]


def _is_at(folder: Path, name: str, path: str) -> bool:
    """Whether a path or a pattern can mean the file ``name`` in a folder. This file may not exist yet."""
    place = Path(os.path.realpath(folder)) / name
    with suppress(OSError, ValueError):
        if os.path.samefile(folder / name, path):
            return True
    head, tail = os.path.split(path)
    if os.path.realpath(path) == str(place) or Path(os.path.realpath(head)) / tail == place:
        return True
    if not has_magic(path):
        return False
    with suppress(OSError, ValueError):
        if fnmatchcase(name, tail) and any(
            os.path.samefile(folder, each) for each in glob(head or os.curdir, recursive=True)
        ):
            return True
    parts = Path(os.path.abspath(path)).parts
    fixed = next((index for index, part in enumerate(parts) if has_magic(part)), len(parts))
    return _matches(place.parts, (*Path(os.path.realpath(Path(*parts[:fixed]))).parts, *parts[fixed:]))


def _matches(parts: tuple[str, ...], pattern: tuple[str, ...]) -> bool:
    """Whether a path matches a pattern, part by part. ``**`` matches any number of parts."""
    if not (parts and pattern):
        return not parts and all(part == "**" for part in pattern)
    if pattern[0] == "**":
        return _matches(parts, pattern[1:]) or _matches(parts[1:], pattern)
    return fnmatchcase(parts[0], pattern[0]) and _matches(parts[1:], pattern[1:])


def check_names(folder: Path, names: Iterable[str], journal: Journal) -> None:
    """Refuse a folder with a file that has one of these names and was not written by this run."""
    for name in names:
        if os.path.lexists(folder / name) and _hash(folder / name) not in journal.files.get(name, ()):
            raise ParameterError(
                "out",
                f"must be a folder without {name}, which this run would write",
                got=describe(str(folder)),
                why="nothing is written over",
                fix="move it away, or say another folder",
            ) from None


def is_own(folder: Path, name: str, journal: Journal) -> bool:
    """Whether this run has written a file, and the file is unchanged."""
    return _hash(folder / name) in journal.files.get(name, set()) - {NOTHING}


def _hash(path: Path) -> str | None:
    """Return the hash of a file, or None if there is no such file."""
    try:
        if not S_ISREG(path.lstat().st_mode):
            return None
        with open(os.open(path, os.O_RDONLY | SAFELY), "rb") as file:
            return file_digest(file, "sha256").hexdigest()
    except OSError:
        return None


def write_new(folder: Path, name: str, text: str, journal: Journal) -> None:
    """Write a file completely or not at all, under a name that is free."""
    data = text.encode("utf-8", "backslashreplace")  # a key may hold text that is no Unicode
    path, part = folder / name, folder / _part(name, journal)
    part.unlink(missing_ok=True)
    try:
        with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | SAFELY, 0o666), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        journal.writes(name, sha256(data).hexdigest())
        if NOTHING in journal.files[name] and _hash(path) == NOTHING:
            path.unlink()  # this run stopped after it had reserved the name
        _name(part, path, journal)
    finally:
        part.unlink(missing_ok=True)
    sync_folder(folder)


def _part(name: str, journal: Journal) -> str:
    """Return the name that a file has until it is complete. The number of the run makes this name unique."""
    assert journal.head is not None, "files are written after the debit"
    return f".{name}.{journal.head['run']}.part"


def remove_parts(folder: Path, names: Iterable[str], journal: Journal) -> None:
    """Remove the incomplete files of a process that was killed."""
    for name in names:
        (folder / _part(name, journal)).unlink(missing_ok=True)


def _name(part: Path, path: Path, journal: Journal) -> None:
    """Give a file its name, unless the name is taken."""
    try:
        os.link(part, path)
        return
    except FileExistsError:
        raise
    except OSError:  # a disk without hard links
        if os.path.lexists(path):
            raise
        journal.writes(path.name, NOTHING)
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | SAFELY, 0o666))
    os.replace(part, path)
