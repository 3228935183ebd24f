"""The file of a ledger: locks on it, checks of it, connections to it, and reading it without the right to write it.

**Locks** that SQLite takes belong to the whole process, and closing *any* descriptor of the file drops them: a copy or
a checksum made in the same process is enough. Linux has locks that belong to one open descriptor. A hold is such a lock
on all bytes that SQLite locks, so SQLite respects it in whatever program it runs, and by whatever name the file is
opened. While a process holds a file, its own connection locks nothing. On a file system without such locks a hold does
nothing and SQLite's own locks are used; other systems than Linux have no ledgers in files.

**Checks.** SQLite finds the files that it keeps next to this one by the file's name alone. While a row is written there
is a journal, which says what to undo if that is cut short. So a file of two names, or one that was moved away from its
journal and back, could lose entries that were paid for. Earlier versions wrote entries to a log (``-wal``) first: one
that is left over is never deleted.

**Reading** creates no file. All entries are in the one file, so it is enough to read that one, on a read-only disk too;
it is locked meanwhile so that nobody writes it. Only where a row was not completely written, the owner must undo that
first. Where an earlier version has the file open or was not closed, entries are also in its log. To read a log SQLite
creates an index; one that belongs to somebody who may not write the file would lock the file's owner out. So a log is
read only where there is an index already.
"""

import os
import re
import sqlite3
import struct
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TypeVar

from noisewise.errors import LedgerError

try:
    import fcntl
except ImportError:  # not POSIX: locks belong to descriptors anyway
    fcntl = None  # type: ignore[assignment]

# Locks

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


# Checks

MOUNTS = "/proc/self/mountinfo"
NETWORK = {"afs", "cifs", "fuse.sshfs", "ncpfs", "nfs", "nfs4", "smb3", "smbfs"}
"""File systems of other machines, as Linux names them; what they say of a lock need not hold there."""

HOT = bytes.fromhex("d9d505f920a163d7")
"""The first bytes of a journal whose row was not completely written."""

HEADER = 28
"""Bytes of a journal's header."""

LOGGED = b"\2\2"
"""Bytes 18 and 19 of a database that has a log."""

COUNTER = slice(24, 28)
"""The bytes of a database's first page that count how often it was written to."""


def identity(path: str) -> tuple[int, int] | None:
    """Which file is at a path now; None where there is none."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino


def keep_log(path: str) -> None:
    """Refuse to start anew where the log of a ledger is left and its file is not."""
    # in this order, as earlier versions create a ledger: first the file, then its log
    log = identity(os.path.realpath(path) + "-wal")
    if log is not None and not (os.path.exists(path) and os.path.getsize(path)):
        raise LedgerError(
            f"the ledger {path} is gone, but its log {path}-wal is not: put the file back beside it, or delete the "
            "log if the ledger is given up"
        ) from None


def refuse_mount(path: str) -> None:
    """Refuse a file that is mounted by itself: it has another name, with another folder, for others."""
    if is_mount(os.path.realpath(path), _mounts()):
        raise LedgerError(
            f"the ledger {path} is mounted as a single file (as by docker -v), so it has another name elsewhere and a "
            "crash under one name cannot be repaired under the other: mount its folder instead"
        ) from None


def is_mount(real: str, mounts: str) -> bool:
    """Whether a path without links is a mount point, given the text of Linux's ``mountinfo``."""
    return any(_spelled(line.split(" ")[4]) == real for line in mounts.splitlines() if line.count(" ") > 4)


def refuse_network(path: str) -> None:
    """Refuse to write a file on another machine's disk: its locks cannot be trusted, and it could be spent twice."""
    if (kind := file_system(os.path.realpath(path), _mounts())) in NETWORK:
        raise LedgerError(
            f"the ledger {path} cannot be written: it lies on a network drive ({kind}), whose locks cannot be trusted, "
            "so that two machines might spend the same budget: keep it on a local disk or in PostgreSQL"
        ) from None


def file_system(real: str, mounts: str) -> str | None:
    """The kind of file system that a path without links lies on, by the text of ``mountinfo``; None if unknown."""
    longest, kind = -1, None
    for line in mounts.splitlines():
        before, _, after = line.partition(" - ")
        if before.count(" ") < 5:
            continue
        point = _spelled(before.split(" ")[4]).rstrip("/")
        if real.startswith(point + "/") and len(point) >= longest:  # of two at one place the later is on top
            longest, kind = len(point), after.split(" ")[0]
    return kind


def refuse_stale_journal(path: str, header: bytes, real: str | None = None) -> None:
    """Refuse a journal from before the latest entries, which it would undo; given how the file begins, and its path
    without links where that is known."""
    before = _counter_before((real or os.path.realpath(path)) + "-journal") if header else None
    if before is not None and _number(header[COUNTER]) - before not in (0, 1):
        raise LedgerError(
            f"the ledger {path} has entries that are younger than the unfinished journal {path}-journal beside it, "
            "which would undo them: it was used without its journal after a crash; move the journal away, and verify "
            "the ledger with the latest receipt"
        ) from None


def is_unfinished(path: str) -> bool:
    """Whether there is a journal of a row that was not completely written."""
    return _journal(os.path.realpath(path) + "-journal", len(HOT)) == HOT


def _counter_before(journal: str) -> int | None:
    """How often the file had been written to when an unfinished journal was begun; None where there is none."""
    header = _journal(journal, HEADER)
    if len(header) < HEADER or not header.startswith(HOT):
        return None
    *_, start, size = struct.unpack(">8s5I", header)
    with open(journal, "rb") as file:
        file.seek(start)
        while len(record := file.read(4 + size + 4)) == 4 + size + 4:  # number, page as it was, checksum
            if _number(record[:4]) == 1:
                return _number(record[4:][COUNTER])
    return None


def _journal(path: str, count: int) -> bytes:
    """The first bytes of a journal; none where there is no journal."""
    try:
        with open(path, "rb", buffering=0) as file:
            return file.read(count)
    except OSError:
        return b""


def _number(data: bytes) -> int:
    return int.from_bytes(data, "big")


def _mounts() -> str:
    """The text of ``mountinfo``; empty where the system has none."""
    try:
        with open(MOUNTS, encoding="utf-8", errors="surrogateescape") as file:
            return file.read()
    except OSError:
        return ""


def _spelled(point: str) -> str:
    """A mount point as a path: ``mountinfo`` writes blanks and the like as octal numbers."""
    return re.sub(r"\\([0-7]{3})", lambda code: chr(int(code[1], 8)), point)


Result = TypeVar("Result")

# Connections: what the file must hold, how commits are made durable, and what errors mean

PATIENCE = 60.0
"""Seconds to wait for other writers."""

APPLICATION = 0x4E57_4C44
"""Marks the file as a ledger of noisewise (application_id)."""

MARK = APPLICATION.to_bytes(4, "big")
LAYOUT = 1
"""The version of the tables below (user_version)."""

LEAST = 512
"""Bytes of the smallest database; SQLite would write over what is shorter."""

SCHEMA = (
    "CREATE TABLE rows (number INTEGER PRIMARY KEY, body TEXT NOT NULL, hash TEXT NOT NULL)",
    "CREATE TRIGGER rows_follow BEFORE INSERT ON rows"
    " WHEN NEW.number <> (SELECT coalesce(max(number), -1) + 1 FROM rows)"
    " BEGIN SELECT RAISE(ABORT, 'a ledger is append-only'); END",
    "CREATE TRIGGER rows_stay BEFORE UPDATE ON rows BEGIN SELECT RAISE(ABORT, 'a ledger is append-only'); END",
    "CREATE TRIGGER rows_last BEFORE DELETE ON rows BEGIN SELECT RAISE(ABORT, 'a ledger is append-only'); END",
    f"PRAGMA application_id = {APPLICATION}",
    f"PRAGMA user_version = {LAYOUT}",
)

STATISTICS = "sqlite_stat"
"""How the names of the tables begin that ANALYZE makes: they only say how SQLite searches."""
OBJECTS = "SELECT type, name, tbl_name, sql FROM sqlite_master"
"""What SQLite says that a file holds, as nothing else may stand there: a trigger could delete every new row."""

OWN = {
    (text.split()[1].lower(), text.split()[2], "rows", text) for text in SCHEMA if text.startswith("CREATE")
}
"""What it says of a ledger, whatever version wrote it: all wrote the same text."""

BUSY = f"others have held it for more than {PATIENCE:.0f} seconds"
ABSENT = "the file or its folder does not exist or may not be opened"
READ_ONLY = "the file or its folder is read-only"
REASONS = {
    sqlite3.SQLITE_BUSY: BUSY,
    sqlite3.SQLITE_CANTOPEN: ABSENT,
    sqlite3.SQLITE_FULL: "the disk is full",
    sqlite3.SQLITE_IOERR: "the disk is full or failing",
    sqlite3.SQLITE_NOTADB: "the file is not a ledger",
    sqlite3.SQLITE_PERM: "permission denied",
    sqlite3.SQLITE_READONLY: READ_ONLY,
}


def connect(path: str, hold: Hold) -> sqlite3.Connection:
    """A connection to a ledger or to an empty file, during one's turn; any other file is left untouched."""
    if 0 < os.path.getsize(path) < LEAST:
        raise LedgerError(f"{path} is not a ledger but another file") from None
    if hold.read(2, 18) == LOGGED:
        _fold(path)
    connection = _link(path, alone=hold.real)
    try:
        _check(connection, path)
        connection.execute("PRAGMA synchronous = EXTRA")
        connection.execute("PRAGMA fullfsync = ON")  # where fsync alone does not reach the disk
        connection.execute("PRAGMA journal_mode = PERSIST").fetchall()
    except BaseException:
        connection.close()
        raise
    return connection


def _link(path: str, *, alone: bool) -> sqlite3.Connection:
    """A connection; where the file is held ``alone`` it locks nothing, as our own lock would keep SQLite out."""
    address = f"{Path(os.path.realpath(path)).as_uri()}?mode=rw&vfs=unix-none" if alone else path
    return sqlite3.connect(
        address, uri=alone, timeout=PATIENCE, isolation_level=None, check_same_thread=False
    )


def _fold(path: str) -> None:
    """Move into the file what is in its log, as earlier versions kept one, and delete the log."""
    with closing(_link(path, alone=True)) as connection:
        connection.execute("PRAGMA locking_mode = EXCLUSIVE").fetchall()  # needs no index of the log
        _check(connection, path)
        connection.execute("PRAGMA journal_mode = DELETE").fetchall()
    with suppress(OSError):
        os.unlink(os.path.realpath(path) + "-shm")


def _check(connection: sqlite3.Connection, path: str) -> None:
    """Refuse a file that is no ledger, or that has lost its rows."""
    logged = connection.execute("PRAGMA journal_mode").fetchall() == [("wal",)]
    if is_empty(connection, path) and logged:
        raise LedgerError(
            f"the ledger {path} has lost its rows: they were in its log, which is gone"
        ) from None


def is_empty(connection: sqlite3.Connection, path: str) -> bool:
    """Whether the file holds nothing yet; an error where it holds something else than a ledger."""
    rows = connection.execute(  # in one statement: a rival may be creating it
        "SELECT application_id, user_version, type, name, tbl_name, sql"
        " FROM pragma_application_id, pragma_user_version LEFT JOIN sqlite_master"
    ).fetchall()  # to its end: a statement that is not finished would keep what it has read
    mark, layout, *_ = rows[0]
    if mark == APPLICATION and layout > LAYOUT:
        raise LedgerError(f"the ledger {path} was written by a newer noisewise: upgrade to use it") from None
    if mark == APPLICATION:
        _compare([row[2:] for row in rows], path)
    elif rows != [(0, 0, None, None, None, None)]:
        raise LedgerError(f"{path} is not a ledger but another SQLite database") from None
    return bool(mark == 0)


def refuse_changed(connection: sqlite3.Connection, path: str) -> None:
    """Refuse a ledger in which somebody has planted, changed or removed a table, a trigger or the like.

    Asked in every transaction that writes: a number of its own says whether this has changed, but anybody can set it.
    """
    _compare(connection.execute(OBJECTS).fetchall(), path)


def _compare(objects: list[tuple[object, ...]], path: str) -> None:
    ours = [each for each in objects if each[0] != "table" or not str(each[1]).startswith(STATISTICS)]
    if len(ours) != len(OWN) or set(ours) != OWN:
        raise LedgerError(
            f"the ledger {path}",
            "must hold the table and the triggers that noisewise writes, and nothing else",
            why="others could undo its entries: the file was forged, or another program has changed it",
            fix="restore an older copy and verify it with the latest receipt",
        ) from None


def is_marked(hold: Hold | None) -> bool:
    """Whether a held file begins as a ledger that this version reads, with nothing left to undo: a quick look."""
    header = hold.read(72) if hold else b""
    return header[68:] == MARK and int.from_bytes(header[60:64], "big") <= LAYOUT


def is_ledger(path: str) -> bool:
    """Whether a file is marked as a ledger, by its first bytes alone: it is neither locked nor changed."""
    try:
        with open(path, "rb") as file:
            header = file.read(100)
    except OSError:
        return False
    return header[:16] == b"SQLite format 3\0" and header[68:72] == MARK


def patiently(step: Callable[[], Result]) -> Result:
    """Try again while others are busy: SQLite itself waits for most locks, but not for all."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            return step()
        except sqlite3.OperationalError as error:
            if _code(error) != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
        time.sleep(0.005)


def reason(error: sqlite3.Error) -> str:
    known = REASONS.get(_code(error))
    return f"{known} ({error})" if known else str(error)


def _code(error: sqlite3.Error) -> int:
    """SQLite's primary result code; 0 where the error is of Python's own making."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


# Reading without the right to write


def only_to_read(path: str) -> bool:
    """Whether there is a file that this process may not write, or not without a journal, which it may not make."""
    if not os.path.isfile(path):
        return False
    return not (_may_write(path) and _may_write(os.path.dirname(os.path.realpath(path))))


@contextmanager
def reading(path: str) -> Iterator[sqlite3.Connection]:
    """A connection that makes no file and writes none."""
    real = os.path.realpath(path)
    with Hold(path, write=False) as hold:
        if not hold.take_turn(PATIENCE):
            raise LedgerError(f"the ledger {path} cannot be read: {BUSY}") from None
        before = _state(real)
        logged = bool(_log(real))
        if is_unfinished(path):
            raise LedgerError(
                f"the ledger {path}",
                "cannot be read by who may not write it",
                why=f"a row was not written to its end, its journal {path}-journal is still there",
                fix="its owner must open it once",
            ) from None
        if logged and not os.path.exists(real + "-shm"):
            raise LedgerError(
                f"the ledger {path}",
                "cannot be read by who may not write it",
                why=f"it was not closed, its log {path}-wal is still there",
                fix="its owner must open it once",
            ) from None
        address = f"{Path(real).as_uri()}?mode=ro{'' if logged else '&immutable=1'}"
        with closing(
            sqlite3.connect(
                address, uri=True, timeout=PATIENCE, isolation_level=None, check_same_thread=False
            )
        ) as connection:
            yield connection
        if not logged and _state(real) != before:
            raise LedgerError(f"the ledger {path} was written to while it was read: read it again") from None


def _may_write(path: str) -> bool:
    return os.access(path, os.W_OK, effective_ids=os.access in os.supports_effective_ids)


def _log(real: str) -> int | None:
    """How many bytes the log has; None where there is none."""
    try:
        return os.stat(real + "-wal").st_size
    except OSError:
        return None


def _state(real: str) -> tuple[int, int, int]:
    """What changes when a file is written to, by way of its log or not."""
    status = os.stat(real)
    return status.st_mtime_ns, status.st_size, _log(real) or 0
