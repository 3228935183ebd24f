"""Locks on a ledger's file that only their owner can release.

The locks that SQLite takes belong to the whole process, and closing *any* descriptor of the file drops them: a copy or
a checksum made in the same process is enough. Linux has locks that belong to one open descriptor. A hold is such a lock
on all bytes that SQLite locks, so SQLite respects it in whatever program it runs, and by whatever name the file is
opened. While a process holds a file, its own connection locks nothing. On a file system without such locks a hold does
nothing and SQLite's own locks are used; other systems than Linux have no ledgers in files.
"""

import os
import struct
import sys
import time
from contextlib import suppress

try:
    import fcntl
except ImportError:  # not POSIX: locks belong to descriptors anyway
    fcntl = None  # type: ignore[assignment]

OWNED = getattr(fcntl, "F_OFD_SETLK", None) if sys.maxsize > 2**32 else None
"""The command that locks for a descriptor; None where there is none."""

ALL = (0x4000_0000, 512)
"""The bytes that SQLite locks to read a file or to write it (first, count)."""

SHARED = (0x4000_0002, 510)
"""Those of them that readers share."""


class Hold:
    """Keeps others from using a file during one's turns; a reader's hold only keeps others from writing it."""

    _file: int | None = None
    _proven = False

    def __init__(self, path: str, *, write: bool = True) -> None:
        if OWNED is None:
            return
        self._process = os.getpid()
        self._kind = (fcntl.F_WRLCK, ALL) if write else (fcntl.F_RDLCK, SHARED)
        with suppress(OSError):  # SQLite will say why
            self._file = os.open(path, (os.O_RDWR if write else os.O_RDONLY) | os.O_CLOEXEC)

    def __enter__(self) -> "Hold":
        return self

    def __exit__(self, *error: object) -> None:
        self.release()

    def __del__(self) -> None:
        self.release()

    @property
    def real(self) -> bool:
        """Whether it locks anything; if not, SQLite's own locks are needed."""
        return self._file is not None

    def take_turn(self, patience: float) -> bool:
        """Lock the file, waiting for others at most ``patience`` seconds; whether that succeeded."""
        deadline = time.monotonic() + patience
        try:
            while self._file is not None and not self._lock(*self._kind):
                if time.monotonic() >= deadline:
                    return False
                time.sleep(0.0005)
        except OSError:
            if self._proven:
                raise  # whoever has this hold locks nothing by itself
            self.release()  # a file system without such locks
        self._proven = self.real
        return True

    def end_turn(self) -> None:
        if self._file is not None:
            self._lock(fcntl.F_UNLCK, ALL)

    def read(self, count: int, start: int = 0) -> bytes:
        """Bytes of the file that is held."""
        return b"" if self._file is None else os.pread(self._file, count, start)

    def identity(self) -> tuple[int, int] | None:
        """Which file is held; None where none is."""
        if self._file is None:
            return None
        status = os.fstat(self._file)
        return status.st_dev, status.st_ino

    def real_path(self) -> str | None:
        """The path of the held file without links; None where the system does not say it, and it has to be resolved.

        What it says may be no path, or that of another file: of one that was unlinked and linked again, say.
        """
        with suppress(OSError):
            path = os.readlink(f"/proc/self/fd/{self._file}")
            status = os.stat(path)
            return path if (status.st_dev, status.st_ino) == self.identity() else None
        return None

    def release(self) -> None:
        """Unlock and close; closing alone is not enough, as a child that was forked has a copy of the descriptor."""
        if self._file is not None and os.getpid() == self._process:  # a child must not undo its parent's lock
            with suppress(OSError):
                self._lock(fcntl.F_UNLCK, ALL)
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
