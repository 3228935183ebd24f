"""Locks on a ledger's file that only their owner can let go.

The locks that SQLite takes belong to the whole process, and closing *any* descriptor of the file drops them: a copy or
a checksum made in the same process is enough. Another process may then believe that nobody is left, and delete the log
that is still being written to. Linux has locks that belong to one open descriptor. A hold is such a lock on the bytes
that SQLite must lock before it deletes a log, so SQLite itself respects it, whichever program it runs in; and a lock
on one more byte by which processes take turns. Where a system has no such locks a hold is empty.
"""

import os
import struct
import sys
import time

try:
    import fcntl
except ImportError:  # not POSIX: locks belong to descriptors anyway
    fcntl = None  # type: ignore[assignment]

OWNED = getattr(fcntl, "F_OFD_SETLK", None) if sys.maxsize > 2**32 else None
"""The command that locks for a descriptor; None where there is none."""

SHARED = (0x4000_0002, 510)
"""The bytes that SQLite locks to share a file, or to have it alone (first, count)."""

TURN = (0x4000_0400, 1)
"""A byte that SQLite never locks."""


LOGGED = b"\2\2"
"""Says, in bytes 18 and 19 of a database, that it has a log."""


class Hold:
    """Holds a file that is in use. Leave or `release` it after the connection is closed."""

    _file: int | None = None
    settled = True
    """Whether it holds what can be held; not where the file has no log yet, or where somebody is deleting it."""

    def __init__(self, path: str, *, turns: bool = True) -> None:
        """Hold a file; ``turns`` may be taken only by who may write it."""
        if OWNED is None:
            return
        try:
            self._file = os.open(path, (os.O_RDWR if turns else os.O_RDONLY) | os.O_CLOEXEC)
            logged = os.pread(self._file, 2, 18) == LOGGED
            self.settled = logged and self._lock(fcntl.F_RDLCK, SHARED)
        except FileNotFoundError:
            self.settled = False
        except OSError:  # read-only, or on a file system without such locks: what SQLite has must do
            self.release()
        if not self.settled:
            self.release()

    def __enter__(self) -> "Hold":
        return self

    def __exit__(self, *error: object) -> None:
        self.end_turn()
        self.release()

    def take_turn(self, patience: float) -> bool:
        """Keep all others out, or wait so many seconds for it in vain."""
        deadline = time.monotonic() + patience
        while self._file is not None and not self._lock(fcntl.F_WRLCK, TURN):
            if time.monotonic() >= deadline:
                return False
            time.sleep(0.0005)
        return True

    def end_turn(self) -> None:
        if self._file is not None:
            self._lock(fcntl.F_UNLCK, TURN)

    def loosen(self) -> None:
        """From now on the log may be deleted, if nobody else holds the file."""
        if self._file is not None:
            self._lock(fcntl.F_UNLCK, SHARED)

    def release(self) -> None:
        file, self._file = self._file, None
        if file is not None:
            os.close(file)

    def _lock(self, kind: int, span: tuple[int, int]) -> bool:
        """Whether the lock is ours now."""
        assert self._file is not None
        try:
            fcntl.fcntl(self._file, fcntl.F_OFD_SETLK, struct.pack("hhqqi4x", kind, os.SEEK_SET, *span, 0))
        except (BlockingIOError, PermissionError):
            return False
        return True


def log_of(real: str) -> tuple[int, int] | None:
    """Which file is now the log of a database, given its path without links."""
    return identity(real + "-wal")


def identity(path: str) -> tuple[int, int] | None:
    """Which file is at a path now; None where there is none."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino
