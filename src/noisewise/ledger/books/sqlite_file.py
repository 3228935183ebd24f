"""The file of a ledger: locks, checks, connections, and reading without the right to write.

**Locks.** The locks that SQLite takes belong to the whole process, and closing *any* descriptor of the file drops them.
A copy or a checksum made in the same process is enough. Linux also has locks that belong to one open descriptor. A
`Hold` is such a lock on all bytes that SQLite locks. So SQLite respects it in every program, and by every name of the
file. While a process holds a file, its own connection takes no locks. If a file system has no such locks, a hold does
nothing and SQLite uses its own locks. Ledgers in files exist only on Linux.

**Checks.** SQLite finds the files that it keeps next to this one by name alone. While a row is written, a journal says
what to undo if writing is interrupted. So a file with two names, or a file that was moved away from its journal and
back, could lose entries that were paid for. Earlier versions wrote entries to a log (``-wal``) first. A log that is
left is never deleted.

**Reading** creates no file. All entries are in the one file, so reading it is enough, also on a read-only disk. It is
locked during that time so that nobody writes it. If a row was not completely written, the owner must undo it first. If
an earlier version has the file open or was not closed, some entries are in its log. SQLite creates an index to read a
log, and an index of another user would lock the owner out. So a log is read only if it has an index already.
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
"""The command that takes a lock for one descriptor; None if the system has no such command."""

ALL = (0x4000_0000, 512)
"""The first byte, and the number of bytes, that SQLite locks to read or write a file."""

SHARED = (0x4000_0002, 510)
"""The first byte, and the number of bytes, that SQLite's readers share."""


class Hold:
    """Keeps others from using a file during a turn. A hold for reading only keeps others from writing."""

    _file: int | None = None
    _proven = False  # whether this hold has locked the file before

    def __init__(self, path: str, *, write: bool = True) -> None:
        if OWNED is None:
            return
        self._process = os.getpid()
        self._kind = (fcntl.F_WRLCK, ALL) if write else (fcntl.F_RDLCK, SHARED)
        with suppress(OSError):  # SQLite will raise an error
            self._file = os.open(path, (os.O_RDWR if write else os.O_RDONLY) | os.O_CLOEXEC)

    def __enter__(self) -> "Hold":
        return self

    def __exit__(self, *error: object) -> None:
        self.release()

    def __del__(self) -> None:
        self.release()

    @property
    def real(self) -> bool:
        """Whether this hold can lock the file. If not, SQLite's own locks are needed."""
        return self._file is not None

    def take_turn(self, patience: float) -> bool:
        """Lock the file, waiting at most ``patience`` seconds for others. Returns whether it is locked."""
        deadline = time.monotonic() + patience
        try:
            while self._file is not None and not self._lock(*self._kind):
                if time.monotonic() >= deadline:
                    return False
                time.sleep(0.0005)
        except OSError:
            if self._proven:
                raise  # the connection relies on this hold
            self.release()  # a file system without such locks
        self._proven = self.real
        return True

    def end_turn(self) -> None:
        if self._file is not None:
            self._lock(fcntl.F_UNLCK, ALL)

    def read(self, count: int, start: int = 0) -> bytes:
        """Read ``count`` bytes of the held file from byte ``start`` on."""
        return b"" if self._file is None else os.pread(self._file, count, start)

    def identity(self) -> tuple[int, int] | None:
        """The device and inode of the file that is held, or None."""
        if self._file is None:
            return None
        status = os.fstat(self._file)
        return status.st_dev, status.st_ino

    def real_path(self) -> str | None:
        """The path of the held file without links, or None if the system does not know it.

        The system may name another file, for example if the file was unlinked and linked again.
        """
        with suppress(OSError):
            path = os.readlink(f"/proc/self/fd/{self._file}")
            status = os.stat(path)
            return path if (status.st_dev, status.st_ino) == self.identity() else None
        return None

    def release(self) -> None:
        """Unlock and close. Closing alone is not enough, because a forked child has a copy of the descriptor."""
        if self._file is not None and os.getpid() == self._process:  # a child must not undo its parent's lock
            with suppress(OSError):
                self._lock(fcntl.F_UNLCK, ALL)
        file, self._file = self._file, None
        if file is not None:
            os.close(file)

    def _lock(self, kind: int, span: tuple[int, int]) -> bool:
        """Try to lock or unlock bytes. Returns whether it succeeded."""
        assert self._file is not None
        try:
            fcntl.fcntl(self._file, fcntl.F_OFD_SETLK, struct.pack("hhqqi4x", kind, os.SEEK_SET, *span, 0))
        except (BlockingIOError, PermissionError):
            return False
        return True


# Checks

MOUNTS = "/proc/self/mountinfo"
NETWORK = {"afs", "cifs", "fuse.sshfs", "ncpfs", "nfs", "nfs4", "smb3", "smbfs"}
"""Linux's names for file systems of other machines. A lock on them may not hold on those machines."""

HOT = bytes.fromhex("d9d505f920a163d7")
"""The first bytes of a journal for a row that was not completely written."""

HEADER = 28
"""The number of bytes in the header of a journal."""

LOGGED = b"\2\2"
"""Bytes 18 and 19 of a database with a log."""

COUNTER = slice(24, 28)
"""The bytes of a database's first page that count its transactions."""


def identity(path: str) -> tuple[int, int] | None:
    """The device and inode of the file at a path, or None."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino


def keep_log(path: str) -> None:
    """Refuse to create a ledger if the log of an old one is left without its file."""
    # the log is looked for first, because earlier versions create the file before its log
    log = identity(os.path.realpath(path) + "-wal")
    if log is not None and not (os.path.exists(path) and os.path.getsize(path)):
        raise LedgerError(
            f"the ledger {path} is gone, but its log {path}-wal is not: put the file back beside it, or delete the "
            "log if the ledger is given up"
        ) from None


def refuse_mount(path: str) -> None:
    """Refuse a file that is mounted without its folder: outside, it has another name in another folder."""
    if is_mount(os.path.realpath(path), _mounts()):
        raise LedgerError(
            f"the ledger {path} is mounted as a single file (as by docker -v), so it has another name elsewhere and a "
            "crash under one name cannot be repaired under the other: mount its folder instead"
        ) from None


def is_mount(real: str, mounts: str) -> bool:
    """Whether a path without links is a mount point, according to the text of Linux's ``mountinfo``."""
    return any(_spelled(line.split(" ")[4]) == real for line in mounts.splitlines() if line.count(" ") > 4)


def refuse_network(path: str) -> None:
    """Refuse to write a file on another machine: its locks cannot be trusted, so a budget could be spent twice."""
    if (kind := file_system(os.path.realpath(path), _mounts())) in NETWORK:
        raise LedgerError(
            f"the ledger {path} cannot be written: it lies on a network drive ({kind}), whose locks cannot be trusted, "
            "so that two machines might spend the same budget: keep it on a local disk or in PostgreSQL"
        ) from None


def file_system(real: str, mounts: str) -> str | None:
    """The kind of the file system with this path, according to the text of ``mountinfo``; None if unknown."""
    longest, kind = -1, None
    for line in mounts.splitlines():
        before, _, after = line.partition(" - ")
        if before.count(" ") < 5:
            continue
        point = _spelled(before.split(" ")[4]).rstrip("/")
        if (
            real.startswith(point + "/") and len(point) >= longest
        ):  # of two mounts at one place, the later one hides the other
            longest, kind = len(point), after.split(" ")[0]
    return kind


def refuse_stale_journal(path: str, header: bytes, real: str | None = None) -> None:
    """Refuse a journal that is older than the latest entries and would undo them.

    ``header`` is the beginning of the ledger's file. ``real`` is the file's path without links, if it is known.
    """
    before = _counter_before((real or os.path.realpath(path)) + "-journal") if header else None
    if before is not None and _number(header[COUNTER]) - before not in (0, 1):
        raise LedgerError(
            f"the ledger {path} has entries that are younger than the unfinished journal {path}-journal beside it, "
            "which would undo them: it was used without its journal after a crash; move the journal away, and verify "
            "the ledger with the latest receipt"
        ) from None


def is_unfinished(path: str) -> bool:
    """Whether a journal says that a row was not completely written."""
    return _journal(os.path.realpath(path) + "-journal", len(HOT)) == HOT


def _counter_before(journal: str) -> int | None:
    """The count of transactions before an unfinished journal; None if there is no such journal."""
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
    """The first bytes of a journal; empty if there is none."""
    try:
        with open(path, "rb", buffering=0) as file:
            return file.read(count)
    except OSError:
        return b""


def _number(data: bytes) -> int:
    return int.from_bytes(data, "big")


def _mounts() -> str:
    """The text of ``mountinfo``; empty if the system has none."""
    try:
        with open(MOUNTS, encoding="utf-8", errors="surrogateescape") as file:
            return file.read()
    except OSError:
        return ""


def _spelled(point: str) -> str:
    """The path of a mount point. ``mountinfo`` writes spaces and some other characters as octal numbers."""
    return re.sub(r"\\([0-7]{3})", lambda code: chr(int(code[1], 8)), point)


Result = TypeVar("Result")

# Connections: what the file must hold, how commits are made durable, and what errors mean

PATIENCE = 60.0
"""The number of seconds to wait for other writers."""

APPLICATION = 0x4E57_4C44
"""Marks the file as a ledger of noisewise (application_id)."""

MARK = APPLICATION.to_bytes(4, "big")
LAYOUT = 1
"""The version of the tables below (user_version)."""

LEAST = 512
"""The number of bytes of the smallest database. SQLite would overwrite a shorter file."""

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
"""The prefix of tables that ANALYZE makes. They only affect how SQLite searches."""
OBJECTS = "SELECT type, name, tbl_name, sql FROM sqlite_master"
"""The query for all objects in a file. No others than `OWN` may be there: a trigger could delete every new row."""

OWN = {
    (text.split()[1].lower(), text.split()[2], "rows", text) for text in SCHEMA if text.startswith("CREATE")
}
"""The objects of a ledger. All versions of the library wrote the same text."""

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
    """Connect to a ledger or to an empty file, while ``hold`` has its turn. Leave any other file as it is."""
    if 0 < os.path.getsize(path) < LEAST:
        raise LedgerError(f"{path} is not a ledger but another file") from None
    if hold.read(2, 18) == LOGGED:
        _fold(path)
    connection = _link(path, alone=hold.real)
    try:
        _check(connection, path)
        connection.execute("PRAGMA synchronous = EXTRA")
        connection.execute(
            "PRAGMA fullfsync = ON"
        )  # for systems on which fsync alone does not reach the disk
        connection.execute("PRAGMA journal_mode = PERSIST").fetchall()
    except BaseException:
        connection.close()
        raise
    return connection


def _link(path: str, *, alone: bool) -> sqlite3.Connection:
    """Open a connection. If ``alone``, our own lock is on the file and would stop SQLite, so SQLite takes none."""
    address = f"{Path(os.path.realpath(path)).as_uri()}?mode=rw&vfs=unix-none" if alone else path
    return sqlite3.connect(
        address, uri=alone, timeout=PATIENCE, isolation_level=None, check_same_thread=False
    )


def _fold(path: str) -> None:
    """Move the entries in the log of an earlier version into the file, and delete the log."""
    with closing(_link(path, alone=True)) as connection:
        connection.execute("PRAGMA locking_mode = EXCLUSIVE").fetchall()  # needs no index of the log
        _check(connection, path)
        connection.execute("PRAGMA journal_mode = DELETE").fetchall()
    with suppress(OSError):
        os.unlink(os.path.realpath(path) + "-shm")


def _check(connection: sqlite3.Connection, path: str) -> None:
    """Refuse a file that is not a ledger or has lost its rows."""
    logged = connection.execute("PRAGMA journal_mode").fetchall() == [("wal",)]
    if is_empty(connection, path) and logged:
        raise LedgerError(
            f"the ledger {path} has lost its rows: they were in its log, which is gone"
        ) from None


def is_empty(connection: sqlite3.Connection, path: str) -> bool:
    """Whether the file is still empty. An error is raised if it holds anything but a ledger."""
    rows = connection.execute(  # in one statement, since another process may be creating it
        "SELECT application_id, user_version, type, name, tbl_name, sql"
        " FROM pragma_application_id, pragma_user_version LEFT JOIN sqlite_master"
    ).fetchall()  # an unfinished statement would keep an old state of the file
    mark, layout, *_ = rows[0]
    if mark == APPLICATION and layout > LAYOUT:
        raise LedgerError(f"the ledger {path} was written by a newer noisewise: upgrade to use it") from None
    if mark == APPLICATION:
        _compare([row[2:] for row in rows], path)
    elif rows != [(0, 0, None, None, None, None)]:
        raise LedgerError(f"{path} is not a ledger but another SQLite database") from None
    return bool(mark == 0)


def refuse_changed(connection: sqlite3.Connection, path: str) -> None:
    """Refuse a ledger in which somebody has added, changed or removed a table, a trigger or a similar object.

    Every transaction that writes checks this. SQLite counts such changes, but anybody can set the count.
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
    """Whether a held file begins like a ledger of this version or an earlier one. This is a quick check."""
    header = hold.read(72) if hold else b""
    return header[68:] == MARK and int.from_bytes(header[60:64], "big") <= LAYOUT


def is_ledger(path: str) -> bool:
    """Whether the first bytes of a file mark it as a ledger. The file is neither locked nor changed."""
    try:
        with open(path, "rb") as file:
            header = file.read(100)
    except OSError:
        return False
    return header[:16] == b"SQLite format 3\0" and header[68:72] == MARK


def patiently(step: Callable[[], Result]) -> Result:
    """Repeat a step while others are busy. SQLite itself waits for most locks, but not for all."""
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
    """SQLite's primary result code; 0 for an error of Python's module."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


# Reading without the right to write


def only_to_read(path: str) -> bool:
    """Whether the file exists but this process can only read it, because it cannot write the file or its folder."""
    if not os.path.isfile(path):
        return False
    return not (_may_write(path) and _may_write(os.path.dirname(os.path.realpath(path))))


@contextmanager
def reading(path: str) -> Iterator[sqlite3.Connection]:
    """Open a connection that creates no file and writes to none."""
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
    """The number of bytes in the log; None if there is no log."""
    try:
        return os.stat(real + "-wal").st_size
    except OSError:
        return None


def _state(real: str) -> tuple[int, int, int]:
    """Facts that change when the file or its log is written to."""
    status = os.stat(real)
    return status.st_mtime_ns, status.st_size, _log(real) or 0
