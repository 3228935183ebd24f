"""A book in a SQLite file: a table to which rows can only be added.

Commits are durable (write-ahead log, synced in full at every commit) and writers take turns (BEGIN IMMEDIATE), whatever
process they live in. SQLite keeps what it knows of a file's locks in memory, per process and not per connection, so
after a fork even a new connection in the child would trust locks that only the parent holds, and could write to a log
that the parent then deletes. Hence no connection lives through a fork: before one, whoever writes finishes, and
every book closes its connection; parent and child open their own when they next need one.
"""

import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import TypeVar
from weakref import WeakSet

from noisewise.books.book import Row, Write
from noisewise.errors import LedgerError, ParameterError
from noisewise.exact import describe

Result = TypeVar("Result")

PATIENCE = 60.0
"""Seconds to wait for other writers."""

APPLICATION = 0x4E57_4C44
"""Marks the file as a ledger of noisewise (application_id)."""

LAYOUT = 1
"""The version of the tables below (user_version)."""

PAGE = 1000

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


class SqliteBook:
    """One file, one book. Threads share a connection and take turns; ``name`` is for the terms to check."""

    _connection: sqlite3.Connection | None = None

    def __init__(self, path: str | os.PathLike[str], name: str | None = None) -> None:
        text = os.fspath(path)
        if text in ("", ":memory:"):
            raise ParameterError(
                f"path must name a file, got {describe(text)}: a ledger that forgets is no ledger"
            ) from None
        if "\0" in text or "://" in text or text.startswith("file:"):
            raise ParameterError(
                f"path must be a file's path or a postgresql:// URL, got {describe(text)}"
            ) from None
        self._path, self._name = os.path.abspath(text), name
        self._lock = Lock()
        self._file: tuple[int, int] | None = None
        self._process = os.getpid()
        with _FORKING:
            _BOOKS.add(self)

    def __del__(self) -> None:
        self._forget()

    def __repr__(self) -> str:
        return f"SqliteBook({self._path!r})"

    @property
    def place(self) -> str:
        return os.path.basename(self._path)

    @property
    def address(self) -> tuple[str, str | None]:
        return self._path, self._name

    def append(self, write: Write) -> Row | None:
        with self._turn("written") as connection:
            try:
                _patiently(lambda: connection.execute("BEGIN IMMEDIATE"))
                if _is_empty(connection, self._path):
                    for statement in SCHEMA:
                        connection.execute(statement)
                last = _last(connection)
                if (made := write(last)) is None:
                    connection.execute("ROLLBACK")
                    return None
                row = Row(last.number + 1 if last else 0, *made)
                connection.execute("INSERT INTO rows VALUES (?, ?, ?)", row)
                connection.execute("COMMIT")
            except BaseException:
                self._forget()  # closing rolls back what was not committed
                raise
            return row

    def last(self) -> Row | None:
        if not os.path.exists(self._path):
            return None
        with self._turn("read") as connection:
            return None if _is_empty(connection, self._path) else _last(connection)

    def rows(self) -> Iterator[Row]:
        """Page by page: rows are never changed, so all up to the last one are a snapshot."""
        end, page = self.last(), [Row(-1, "", "")]
        while end is not None and page and page[-1].number < end.number:
            with self._turn("read") as connection:
                found = connection.execute(
                    "SELECT number, body, hash FROM rows WHERE number > ? AND number <= ? ORDER BY number LIMIT ?",
                    (page[-1].number, end.number, PAGE),
                )
                page = [Row(*each) for each in found]
            yield from page

    @contextmanager
    def _turn(self, done: str) -> Iterator[sqlite3.Connection]:
        """This process's connection, for one thread at a time; SQLite's errors in words."""
        with self._lock:
            try:
                yield self._open()
            except sqlite3.Error as error:
                self._forget()
                raise LedgerError(f"the ledger {self._path} cannot be {done}: {_reason(error)}") from None

    def _open(self) -> sqlite3.Connection:
        if self._process != os.getpid():
            raise LedgerError(
                f"the ledger {self._path} cannot be used here: this process was forked without Python's knowledge"
            ) from None
        if os.path.isdir(self._path):
            raise LedgerError(f"the ledger {self._path} must be a file, not a folder") from None
        if self._file is None and self._connection is None:
            self._connection = _patiently(lambda: _connect(self._path))
        self._recognise()
        if self._connection is None:
            self._connection = _patiently(lambda: _connect(self._path))
        return self._connection

    def _recognise(self) -> None:
        """A file that was moved, replaced or linked has two histories: neither may be trusted."""
        try:
            found = os.stat(self._path)
        except OSError:
            found = None
        if found is None or self._file not in (None, (found.st_dev, found.st_ino)):
            self._forget()
            raise LedgerError(f"the ledger {self._path} was removed or replaced while it was open") from None
        if found.st_nlink > 1:
            self._forget()
            raise LedgerError(
                f"the ledger {self._path} must have one name only: by another hard link it could be spent twice"
            ) from None
        self._file = found.st_dev, found.st_ino

    def _forget(self) -> None:
        if self._connection is not None:
            self._connection.close()
        self._connection = None


def _connect(path: str) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None, check_same_thread=False)
    try:
        _is_empty(connection, path)  # what is not ours is not touched
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA fullfsync = ON")  # where fsync alone does not reach the disk
    except BaseException:
        connection.close()
        raise
    return connection


def _is_empty(connection: sqlite3.Connection, path: str) -> bool:
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


def _last(connection: sqlite3.Connection) -> Row | None:
    found = connection.execute("SELECT number, body, hash FROM rows ORDER BY number DESC LIMIT 1").fetchone()
    return None if found is None else Row(*found)


def _patiently(step: Callable[[], Result]) -> Result:
    """Try again while others are busy: SQLite itself waits for most locks, but not for all."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            return step()
        except sqlite3.OperationalError as error:
            if _code(error) != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
        time.sleep(0.005)


REASONS = {
    sqlite3.SQLITE_BUSY: f"others have held it for more than {PATIENCE:.0f} seconds",
    sqlite3.SQLITE_CANTOPEN: "the file or its folder does not exist or may not be opened",
    sqlite3.SQLITE_FULL: "the disk is full",
    sqlite3.SQLITE_IOERR: "the disk is full or failing",
    sqlite3.SQLITE_NOTADB: "the file is not a ledger",
    sqlite3.SQLITE_PERM: "permission denied",
    sqlite3.SQLITE_READONLY: "the file or its folder is read-only",
}


def _reason(error: sqlite3.Error) -> str:
    known = REASONS.get(_code(error))
    return f"{known} ({error})" if known else str(error)


def _code(error: sqlite3.Error) -> int:
    """SQLite's primary result code; 0 where the error is of Python's own making."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


_FORKING = Lock()
_BOOKS: "WeakSet[SqliteBook]" = WeakSet()
_WAITING: list[SqliteBook] = []


def _before_fork() -> None:
    _FORKING.acquire()
    for book in list(_BOOKS):
        book._lock.acquire()
        _WAITING.append(book)
        book._forget()


def _after_fork() -> None:
    while _WAITING:
        book = _WAITING.pop()
        book._process = os.getpid()
        book._lock.release()
    _FORKING.release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork, after_in_parent=_after_fork, after_in_child=_after_fork)
