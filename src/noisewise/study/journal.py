"""The journal of a run of a study: a file that holds each answer before anybody sees the answer.

A run writes the first line of the journal (the head), then pays, and then appends each answer as soon as it is drawn.
Every line is on disk before the next step. If a run is interrupted, the next run reads the journal and continues there.
It never draws an answer again if the draw was begun. It erases an incomplete last line, which nobody has seen.
Only one process at a time can hold the journal. docs/proofs/study.md proves that this is sound.

Each line is a JSON object of one of these kinds:
- The head has ``study``, ``run``, ``title``, ``begun`` and ``again``.
- A line with ``drawn`` names an answer. It is written before that answer is drawn.
- A line with ``name`` holds an answer.
- A line with ``file`` and ``sha256`` is written before a file of the release gets its name.
Zeros may follow the last line. They reserve space for later lines.
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
"""The first bytes of every journal. A file with other first bytes is never erased."""
CHUNK = bytes(2**20)


class Journal:
    """The journal in a folder. This process locks it. ``head`` is None if no run has begun.

    Attributes:
        answers: The answers in the journal, by their names.
        drawn: The names of the answers whose draw was begun. An answer in ``drawn`` but not in ``answers`` is lost.
        files: For the name of each file that this run has begun to write, the hashes of what it wrote there.
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
            os.close(self._file)  # this also releases the lock
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
        """Reserve ``size`` bytes for later lines, so that a full disk is noticed before the debit."""
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
        """Write the head. Call this before the debit."""
        self._append(_line(head))
        self.head = head

    def mark(self, name: str) -> None:
        """Write that an answer is about to be drawn. It is never drawn again, even if writing it fails.

        Such a failure may depend on the answer, for example on its length. If failed answers were drawn again, only
        answers that can be written would come out, and that would change their probabilities.
        """
        if name not in self.drawn:
            self._append(_line({"drawn": name}))
            self.drawn.add(name)

    def add(self, name: str, make: Callable[[], dict[str, Any]]) -> None:
        """Draw an answer with ``make`` and write it to disk. Nobody may see the answer before this returns."""
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
        """Write that a file is about to get its name. A later run then knows that the file belongs to this study."""
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
        """Remove the journal. Remove its folder too, if this run has made the folder and it is empty."""
        if _stands_at(self.path, os.fstat(self._file)):  # else another journal was begun here
            self.path.unlink(missing_ok=True)
        sync_folder(self.path.parent)
        if self._made:
            with suppress(OSError):  # the folder is not empty
                self.path.parent.rmdir()


def _line(content: dict[str, Any]) -> bytes:
    return json.dumps(content, default=str).encode() + b"\n"


def _opened(path: Path) -> int:
    """Open the file of a journal, lock it, and return its descriptor.

    Before the lock is held, another process may replace the file. Then the new file is opened instead.
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
    """Whether the file at a path is the open file with the status ``opened``."""
    try:
        return os.path.samestat(opened, os.lstat(path))
    except OSError:
        return False


def _locked(file: int) -> bool:
    """Try to lock a file, and return whether that succeeded."""
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
    """Write the list of files in a folder to disk, if the system can, so that new names survive a power cut."""
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
