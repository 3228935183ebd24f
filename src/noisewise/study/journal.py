"""The journal of a run: it keeps the answers that were drawn, on disk before anybody sees them.

A run writes a head, pays, and appends each answer as soon as it is drawn. Every write is on disk before the next step.
A run that finds a journal continues where it ends. It never draws an answer again that is in the journal, or whose draw
was begun. An incomplete last line was never shown to anybody, and is erased. One process at a time holds the journal.
Why that is sound: docs/proofs/study.md.

Each line is a JSON object. The head has ``study``, ``run``, ``title``, ``begun`` and ``again``. Before an answer is
drawn, a line has its name as ``drawn``; the answer itself has a ``name``. Before a file of the release gets its name, a
line has ``file`` and ``sha256``. Zeros may follow the last line: space that was reserved before the first draw.
"""

import json
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from stat import S_ISREG
from typing import Any

from noisewise.errors import ParameterError, SchemaError

JOURNAL = "release.partial.jsonl"
SAFELY = sum(getattr(os, name, 0) for name in ("O_CLOEXEC", "O_NOFOLLOW", "O_BINARY"))
FLAGS = os.O_RDWR | os.O_CREAT | SAFELY
START = b'{"study": "'
"""How a journal begins. A file that begins otherwise is never erased."""
CHUNK = bytes(2**20)


class Journal:
    """The journal in a folder, locked. ``head`` is None if no run has begun.

    Attributes:
        answers: The answers in the journal, by their names.
        drawn: The names of answers whose draw was begun. No draw is repeated: one that is not in ``answers`` is lost.
        files: The hashes of the files that this run has begun to write, by their names.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / JOURNAL
        self._made = not folder.exists()
        self._file = _opened(self.path)
        sync_folder(folder)
        self.head: dict[str, Any] | None = None
        self.answers: dict[str, dict[str, Any]] = {}
        self.drawn: set[str] = set()
        self.files: dict[str, set[str]] = {}
        self._end = self._reserved = 0
        self._read()

    def __enter__(self) -> "Journal":
        return self

    def __exit__(self, *error: object) -> None:
        if self._file >= 0:
            os.close(self._file)  # and with it goes the lock
            self._file = -1

    def _read(self) -> None:
        """Read all complete lines, and erase the rest."""
        os.lseek(self._file, 0, os.SEEK_SET)
        with open(self._file, "rb", closefd=False) as file:
            written = file.read().partition(b"\0")[0]
        whole, end, rest = written.rpartition(b"\n")
        try:
            lines = [dict(json.loads(line)) for line in whole.split(b"\n")] if end else []
            if lines and not {"study", "run"} <= lines[0].keys():
                raise KeyError
            if not (lines or rest.startswith(START) or START.startswith(rest)):
                raise ValueError
            for line in lines[1:]:
                self._take(line)
        except (KeyError, TypeError, ValueError):
            self.__exit__()
            raise SchemaError(
                f"the journal {self.path} was edited: what it released cannot be read"
            ) from None
        self.head = lines[0] if lines else None
        self._end = len(whole) + len(end)
        self._cut()

    def _take(self, line: dict[str, Any]) -> None:
        if "drawn" in line:
            self.drawn.add(str(line["drawn"]))
        elif "file" in line:
            self.files.setdefault(str(line["file"]), set()).add(str(line["sha256"]))
        else:
            self.answers[str(line["name"])] = line
            self.drawn.add(str(line["name"]))

    def _cut(self) -> None:
        os.ftruncate(self._file, self._end)
        os.fsync(self._file)
        self._reserved = 0

    def reserve(self, size: int) -> None:
        """Reserve space for later lines before the debit, so that no answer fails for its length."""
        reason = ""
        try:
            os.lseek(self._file, self._end, os.SEEK_SET)
            for taken in range(0, size, len(CHUNK)):
                self._write(CHUNK[: size - taken])
            os.fsync(self._file)
        except OSError as error:
            reason = error.strerror or "it is full"
            with suppress(OSError):
                self._cut()
        if reason:
            raise SchemaError(
                "out",
                f"must be a folder with room for {size:,} bytes",
                got=repr(str(self.path.parent)),
                why=reason,
            ) from None
        self._reserved = size

    def begin(self, head: dict[str, Any]) -> None:
        """Write the head. It must be on disk before the debit."""
        self._append(_line(head))
        self.head = head

    def mark(self, name: str) -> None:
        """Note that an answer is about to be drawn.

        A later failure may depend on the answer: on its length, or on the groups that a search has found. So the answer
        is never drawn again, or only answers that fit would come out.
        """
        if name not in self.drawn:
            self._append(_line({"drawn": name}))
            self.drawn.add(name)

    def add(self, name: str, make: Callable[[], dict[str, Any]]) -> None:
        """Draw an answer and write it to disk. Only then may anybody see it."""
        self.mark(name)
        line = _line(answer := make())
        try:
            self._append(line)
        except OSError:
            with suppress(OSError):
                os.fsync(self._file)
            raise
        self.answers[name] = answer

    def writes(self, name: str, digest: str) -> None:
        """Note that a file is about to get its name, so that a run that continues knows the file as its own."""
        self._append(_line({"file": name, "sha256": digest}))
        self.files.setdefault(name, set()).add(digest)

    def _append(self, line: bytes) -> None:
        os.lseek(self._file, self._end, os.SEEK_SET)
        self._write(line)
        os.fsync(self._file)
        self._end, self._reserved = self._end + len(line), self._reserved - len(line)

    def _write(self, line: bytes) -> None:
        data = memoryview(line)
        while data:
            data = data[os.write(self._file, data) :]

    def remove(self) -> None:
        """Remove the journal, and its folder if this run has made it for nothing."""
        if _stands_at(self.path, os.fstat(self._file)):  # else another journal was begun here
            self.path.unlink(missing_ok=True)
        sync_folder(self.path.parent)
        if self._made:
            with suppress(OSError):  # it is not empty
                self.path.parent.rmdir()


def _line(content: dict[str, Any]) -> bytes:
    return json.dumps(content, default=str).encode() + b"\n"


def _opened(path: Path) -> int:
    """Open the file of a journal, and lock it.

    Until we hold the lock, another process may remove the file, and a third may begin a new one.
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
    """Try to lock a file, and say whether we hold the lock."""
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


def sync_folder(folder: Path) -> None:
    """Make the names of files in a folder survive a power cut, if the system can."""
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
