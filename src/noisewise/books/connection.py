"""A connection to the file of a ledger: what must stand there, how commits are made durable, and errors in words."""

import os
import sqlite3
import time
from collections.abc import Callable
from typing import TypeVar

from noisewise.books.hold import log_of
from noisewise.errors import LedgerError

Result = TypeVar("Result")

PATIENCE = 60.0
"""Seconds to wait for other writers."""

APPLICATION = 0x4E57_4C44
"""Marks the file as a ledger of noisewise (application_id)."""

LAYOUT = 1
"""The version of the tables below (user_version)."""

LEAST = 512
"""Bytes of the smallest database; SQLite would write over what is shorter."""

AUTOCHECKPOINT = 16
"""So many pages of the log, a few rows, are copied into the file at once."""

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

BUSY = f"others have held it for more than {PATIENCE:.0f} seconds"
READ_ONLY = "the file or its folder is read-only"
REASONS = {
    sqlite3.SQLITE_BUSY: BUSY,
    sqlite3.SQLITE_CANTOPEN: "the file or its folder does not exist or may not be opened",
    sqlite3.SQLITE_FULL: "the disk is full",
    sqlite3.SQLITE_IOERR: "the disk is full or failing",
    sqlite3.SQLITE_NOTADB: "the file is not a ledger",
    sqlite3.SQLITE_PERM: "permission denied",
    sqlite3.SQLITE_READONLY: READ_ONLY,
}


def connect(path: str) -> tuple[sqlite3.Connection, bool, bool]:
    """A connection, whether nothing is written there yet, and whether it had a log; now it has, if not empty."""
    # in this order, as one who creates a ledger meanwhile writes: first the file, then its log
    log = log_of(os.path.realpath(path))
    if log is not None and not (os.path.exists(path) and os.path.getsize(path)):
        raise LedgerError(
            f"the ledger {path} is gone, but its log {path}-wal is not: put the file back beside it, or delete the "
            "log if the ledger is given up"
        ) from None
    if os.path.exists(path) and 0 < os.path.getsize(path) < LEAST:
        raise LedgerError(f"{path} is not a ledger but another file") from None
    connection = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None, check_same_thread=False)
    try:
        logged = connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)  # likewise
        empty = is_empty(connection, path)  # what is not ours is not touched
        if empty and logged:
            raise LedgerError(
                f"the ledger {path} has lost its rows: they were in its log, which is gone"
            ) from None
        connection.execute("PRAGMA synchronous = EXTRA")  # the folder, too, before there is a log
        connection.execute("PRAGMA fullfsync = ON")  # where fsync alone does not reach the disk
        connection.execute(f"PRAGMA wal_autocheckpoint = {AUTOCHECKPOINT}")
        if not empty and not logged:
            connection.execute("PRAGMA journal_mode = WAL")
    except BaseException:
        connection.close()
        raise
    return connection, empty, logged


def is_empty(connection: sqlite3.Connection, path: str) -> bool:
    """Whether the file holds nothing yet; an error where it holds something else than a ledger."""
    mark, layout, tables = connection.execute(  # in one statement: a rival may be creating it
        "SELECT application_id, user_version, (SELECT count(*) FROM sqlite_master)"
        " FROM pragma_application_id, pragma_user_version"
    ).fetchone()
    if mark == APPLICATION and layout > LAYOUT:
        raise LedgerError(f"the ledger {path} was written by a newer noisewise: upgrade to use it") from None
    if mark != APPLICATION and (mark, layout, tables) != (0, 0, 0):
        raise LedgerError(f"{path} is not a ledger but another SQLite database") from None
    return bool(mark == 0)


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
