"""The journal of a run: what was drawn so far, on disk before anybody sees it.

A run writes a head, pays, and then appends each answer as soon as it is drawn; every write is on disk before the next
step. Whoever finds a journal goes on where it ends: an answer that stands in it was released and is never drawn again.
A last line without its end was never shown to anybody; it is erased. One process at a time has the journal. Why that
is sound: docs/proofs/study.md.
"""

import json
import os
import sys
from contextlib import suppress
from pathlib import Path
from stat import S_ISREG
from typing import Any

from noisewise.errors import ParameterError, SchemaError

JOURNAL = "release.partial.jsonl"
FLAGS = os.O_RDWR | os.O_CREAT | sum(getattr(os, name, 0) for name in ("O_CLOEXEC", "O_NOFOLLOW", "O_BINARY"))


class Journal:
    """The journal in a folder, locked. ``head`` is None where no run has begun."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / JOURNAL
        self._made = not folder.exists()
        self._file = _opened(self.path)
        sync_folder(folder)
        self.head: dict[str, Any] | None = None
        self.answers: dict[str, dict[str, Any]] = {}
        self._read()

    def __enter__(self) -> "Journal":
        return self

    def __exit__(self, *error: object) -> None:
        if self._file >= 0:
            os.close(self._file)  # and with it goes the lock
            self._file = -1

    def _read(self) -> None:
        """Take over what was written to its end, and erase the rest."""
        os.lseek(self._file, 0, os.SEEK_SET)
        with open(self._file, "rb", closefd=False) as file:
            whole, end, _ = file.read().rpartition(b"\n")
        try:
            lines = [dict(json.loads(line)) for line in whole.split(b"\n")] if end else []
            self.answers = {str(line["name"]): line for line in lines[1:]}
        except (KeyError, TypeError, ValueError):
            self.__exit__()
            raise SchemaError(
                f"the journal {self.path} was edited: what it released cannot be read"
            ) from None
        self.head = lines[0] if lines else None
        self._cut(len(whole) + len(end))

    def _cut(self, size: int) -> None:
        os.ftruncate(self._file, size)
        os.lseek(self._file, 0, os.SEEK_END)
        os.fsync(self._file)

    def begin(self, head: dict[str, Any]) -> None:
        """Write down which run this is; it must be on disk before the debit."""
        self._append(head)
        self.head = head

    def add(self, answer: dict[str, Any]) -> None:
        """Write an answer down; only then may anybody see it."""
        self._append(answer)
        self.answers[answer["name"]] = answer

    def _append(self, line: dict[str, Any]) -> None:
        data = memoryview(json.dumps(line, default=str).encode() + b"\n")
        while data:
            data = data[os.write(self._file, data) :]
        os.fsync(self._file)

    def remove(self) -> None:
        """Remove the journal, and the folder where it was made for nothing."""
        self.path.unlink(missing_ok=True)
        sync_folder(self.path.parent)
        if self._made:
            with suppress(OSError):  # it is not empty
                self.path.parent.rmdir()


def _opened(path: Path) -> int:
    """The file of a journal, locked.

    Before the lock is ours, whoever had it may have removed the file, and somebody else may have begun another one.
    """
    while True:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            file = os.open(path, FLAGS, 0o600)
        except OSError:
            file = -1
        if file < 0:
            raise SchemaError(
                "out", "must be a folder that can be written to", got=repr(str(path.parent))
            ) from None
        locked, opened = _locked(file), os.fstat(file)
        if locked and _stands_at(path, opened):
            break
        os.close(file)
        if not locked:
            raise ParameterError(
                "study", "must not be run twice at once", why=f"another process writes {path}"
            ) from None
    if not S_ISREG(opened.st_mode) or opened.st_nlink > 1:
        os.close(file)
        raise SchemaError(f"the journal {path}", "must be a file with one name") from None
    return file


def _stands_at(path: Path, opened: os.stat_result) -> bool:
    """Whether an open file is the one at a path."""
    try:
        return os.path.samestat(opened, os.lstat(path))
    except OSError:
        return False


def _locked(file: int) -> bool:
    """Whether the lock on a file is ours now."""
    try:
        if sys.platform == "win32":
            import msvcrt

            os.lseek(file, 2**30, os.SEEK_SET)
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def write_whole(path: Path, text: str) -> None:
    """Write a file such that it is there as a whole or not at all."""
    part = path.with_name(f".{path.name}.part")
    with part.open("w", encoding="utf-8", newline="") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Make the names of files in a folder outlast a power cut, where the system can."""
    try:
        file = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(file)
    except OSError:
        pass
    finally:
        os.close(file)
