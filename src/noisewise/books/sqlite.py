"""A book in a SQLite file: a table to which rows can only be added.

Commits are durable (write-ahead log, synced in full at every commit) and writers take turns (BEGIN IMMEDIATE), whatever
process they live in. The first row is written before there is a log, so the file alone always says whose it is.

SQLite keeps what it knows of a file's locks in memory, per process and not per connection. After a fork even a new
connection in the child would trust locks that only the parent holds. Hence no connection lives through a fork: before
one, whoever writes finishes, and every book closes its connection. And a process whose log was deleted or replaced
(``hold`` keeps others from it) can never use that file again: SQLite would tie any new connection to the lost log.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext, suppress
from threading import Lock, RLock
from weakref import WeakSet

from noisewise.books.book import Row, Write, lost
from noisewise.books.connection import BUSY, PATIENCE, READ_ONLY, SCHEMA, connect, is_empty, patiently, reason
from noisewise.books.hold import Hold, identity, log_of
from noisewise.books.reading import only_to_read, reading
from noisewise.errors import LedgerError, ParameterError
from noisewise.numbers.exact import describe

PAGE = 1000
LAST = "SELECT number, body, hash FROM rows ORDER BY number DESC LIMIT 1"
FROM = "SELECT number, body, hash FROM rows WHERE number >= ? ORDER BY number"


class SqliteBook:
    """One file, one book. Threads share a connection and take turns; ``name`` is for the terms to check."""

    _connection: sqlite3.Connection | None = None
    _hold: Hold | None = None
    _log: tuple[int, int] | None = None
    _real = ""
    _process = 0

    def __init__(self, path: str | os.PathLike[str], name: str | None = None) -> None:
        text = os.fspath(path)
        if text in ("", ":memory:"):
            raise ParameterError(
                f"path must name a file, got {describe(text)}: a ledger that forgets is no ledger"
            ) from None
        if "\0" in text or text.startswith("file:"):
            raise ParameterError(
                f"path must be a file's path or a postgresql:// URL, got {describe(text)}"
            ) from None
        self._path, self._name = os.path.abspath(os.path.expanduser(text)), name
        self._lock = RLock()
        self._file: tuple[int, int] | None = None
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
    def where(self) -> str:
        return self._path

    @property
    def address(self) -> tuple[str, str | None]:
        return self._path, self._name

    def append(self, write: Write, since: int | None = None) -> Row | None:
        while True:
            with self._turn("written") as connection:
                try:
                    patiently(lambda: connection.execute("BEGIN IMMEDIATE"))
                    new = is_empty(connection, self._path)
                    if not new and self._hold is None:
                        continue  # somebody has just created it
                    return self._append(connection, write, new, since)
                except BaseException:
                    self._forget()  # closing rolls back what was not committed
                    raise

    def _append(
        self, connection: sqlite3.Connection, write: Write, new: bool, since: int | None
    ) -> Row | None:
        if new:
            for statement in SCHEMA:
                connection.execute(statement)
        rows = [] if new else self._rows(connection, since)
        self._same_log("nothing was written")
        if (made := write(rows)) is None:
            connection.execute("ROLLBACK")
            return None
        row = Row(rows[-1].number + 1 if rows else 0, *made)
        connection.execute("INSERT INTO rows VALUES (?, ?, ?)", row)
        connection.execute("COMMIT")
        self._same_log("an entry was written, and may stand or may not")
        return row

    def last(self) -> Row | None:
        if not os.path.exists(self._path):
            return None
        with self._turn("read") as connection:
            return None if is_empty(connection, self._path) else self._rows(connection, None)[-1]

    def _rows(self, connection: sqlite3.Connection, since: int | None) -> list[Row]:
        """The rows from a number on, or the last alone; what was written once has at least one."""
        found = connection.execute(LAST) if since is None else connection.execute(FROM, (since,))
        rows = [Row(*each) for each in found]
        if not rows:
            raise lost(self._path, since or 0) from None
        return rows

    def rows(self, since: int = 0) -> Iterator[Row]:
        """Page by page: rows are never changed, so all up to the last one are a snapshot."""
        end, page = self.last(), [Row(since - 1, "", "")]
        while end is not None and page and page[-1].number < end.number:
            with self._turn("read") as connection:
                found = connection.execute(
                    "SELECT number, body, hash FROM rows WHERE number > ? AND number <= ? ORDER BY number LIMIT ?",
                    (page[-1].number, end.number, PAGE),
                )
                page = [Row(*each) for each in found]
            yield from page

    def close(self) -> None:
        with self._lock:
            self._forget()

    @contextmanager
    def _turn(self, done: str) -> Iterator[sqlite3.Connection]:
        """This process's connection, for one thread of one process at a time; SQLite's errors in words.

        Readers take turns, too: who opens a file rebuilds the index of its log if the locks on that were dropped.
        """
        with self._lock:
            try:
                if self._connection is None and only_to_read(self._path):
                    self._recognise()
                    if done == "written":
                        raise LedgerError(f"the ledger {self._path} cannot be written: {READ_ONLY}") from None
                    with reading(self._path) as connection:
                        yield connection
                    return
                connection = self._open()
                if (hold := self._hold) is None:
                    try:
                        with _CREATING:
                            yield connection
                    finally:
                        self._forget()  # the next connection has a log
                    return
                try:
                    if not hold.take_turn(PATIENCE):
                        raise LedgerError(f"the ledger {self._path} cannot be {done}: {BUSY}") from None
                    yield connection
                finally:
                    hold.end_turn()
            except sqlite3.Error as error:
                self._forget()
                raise LedgerError(f"the ledger {self._path} cannot be {done}: {reason(error)}") from None

    def _open(self) -> sqlite3.Connection:
        suspects = [self] if self._connection else list(_BOOKS)
        if any(book._connection and book._process != os.getpid() for book in suspects):
            raise LedgerError(
                f"the ledger {self._path} cannot be used here: this process was forked without Python's knowledge"
            ) from None
        if os.path.isdir(self._path):
            raise LedgerError(f"the ledger {self._path} must be a file, not a folder") from None
        if self._file is None and not os.path.exists(self._path):
            self._connect()  # creates it
        self._recognise()
        self._same_log("nothing was written")
        return self._connect()

    def _connect(self) -> sqlite3.Connection:
        """A connection with a log and a hold; with neither where nothing is written yet."""
        self._real = os.path.realpath(self._path)
        while self._connection is None:
            with _CREATING:  # letting a hold go drops the locks of a creation
                hold = Hold(self._path)
                try:
                    if not hold.take_turn(PATIENCE):
                        raise LedgerError(f"the ledger {self._path} cannot be opened: {BUSY}") from None
                    connection, empty, logged = patiently(lambda: connect(self._path))
                    hold.end_turn()
                except BaseException:
                    hold.release()
                    raise
                if not empty and not (logged and hold.settled):  # created just now, maybe by others
                    connection.close()
                    hold.release()
                    continue
                self._connection, self._process = connection, os.getpid()
                self._hold, self._log = (None, None) if empty else (hold, log_of(self._real))
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

    def _same_log(self, but: str) -> None:
        """Refuse to go on where the log was deleted or replaced: what is written to it is lost."""
        lost = self._hold is not None and log_of(self._real) != self._log
        if lost:
            self._forget()
        if lost or self._file in _LOST:
            raise LedgerError(
                f"the log {self._path}-wal was deleted or replaced while this process used it; {but}; start the "
                "process again, and verify the ledger with the latest receipt"
            ) from None

    def _forget(self) -> None:
        """Close the connection; but not a parent's, or one whose file has another log: that would be deleted, too."""
        connection, self._connection = self._connection, None
        hold, self._hold = self._hold, None
        if connection is None:
            return
        lost = hold is not None and log_of(self._real) != self._log and identity(self._real) == self._file
        if self._file is not None and (lost or self._file in _LOST or self._process != os.getpid()):
            _LOST.setdefault(self._file, []).append((connection, hold))
            if self._process == os.getpid():
                with suppress(sqlite3.Error):
                    connection.rollback()  # nobody shall wait for it
            return
        with hold or nullcontext(), closing(connection):
            if hold is not None and hold.take_turn(0):
                with suppress(sqlite3.Error):
                    connection.execute("PRAGMA wal_checkpoint(PASSIVE)")  # also where the file was moved
                hold.loosen()


_FORKING = RLock()
_BOOKS: "WeakSet[SqliteBook]" = WeakSet()
_WAITING: list[SqliteBook] = []
_CREATING = Lock()
_LOST: dict[tuple[int, int], list[tuple[sqlite3.Connection, Hold | None]]] = {}
"""By file: what must never be closed."""


def _before_fork() -> None:
    _FORKING.acquire()
    for book in list(_BOOKS):
        _WAITING.append(book)
        book._lock.acquire()
        book._forget()


def _after_fork() -> None:
    try:
        _let_go()
    finally:
        _let_go()  # what is left where an interrupt stopped the first


def _let_go() -> None:
    with suppress(RuntimeError):  # not ours: an interrupt came before it could be taken
        while _WAITING:
            with suppress(RuntimeError):
                _WAITING[-1]._lock.release()
            _WAITING.pop()
        _FORKING.release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork, after_in_parent=_after_fork, after_in_child=_after_fork)
