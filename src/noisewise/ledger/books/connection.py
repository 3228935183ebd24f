"""A connection to the file of a ledger: what the file must hold, how commits are made durable, and what errors mean."""

import os
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import TypeVar

from noisewise.errors import LedgerError
from noisewise.ledger.books.file_checks import LOGGED
from noisewise.ledger.books.hold import Hold

Result = TypeVar("Result")

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
        _judge(connection, path)
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
        _judge(connection, path)
        connection.execute("PRAGMA journal_mode = DELETE").fetchall()
    with suppress(OSError):
        os.unlink(os.path.realpath(path) + "-shm")


def _judge(connection: sqlite3.Connection, path: str) -> None:
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
