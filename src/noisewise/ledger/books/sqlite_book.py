"""A book in a SQLite file: a table to which rows can only be added.

Commits are durable: SQLite uses a rollback journal and syncs it in full at every commit. A process that reads or writes
has the file to itself, whatever name of the file others use. Every row that `append` returned is in this one file. The
journal next to it only says how to undo a row that was not completely written. docs/decisions/one-file.md gives the
reasons.

No connection survives a fork, because the child would share the parent's lock and undo what the parent has begun. A
fork waits for writers, and every book closes its connection. No connection survives an error or an interrupt either,
because an unfinished statement would keep an old state of the file while others write.
"""

import atexit
import os
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext, suppress
from threading import RLock
from weakref import WeakSet

from noisewise.errors import LedgerError, ParameterError
from noisewise.kernel.forks import around_forks
from noisewise.kernel.numbers.exact import describe
from noisewise.ledger.books.book import BookRow, Write, lost, next_row
from noisewise.ledger.books.sqlite_file import (
    ABSENT,
    BUSY,
    LEAST,
    LOGGED,
    PATIENCE,
    READ_ONLY,
    SCHEMA,
    Hold,
    connect,
    identity,
    is_empty,
    is_marked,
    is_unfinished,
    keep_log,
    only_to_read,
    patiently,
    reading,
    reason,
    refuse_changed,
    refuse_mount,
    refuse_network,
    refuse_stale_journal,
)

PAGE = 1000
LAST = "SELECT number, body, hash FROM rows ORDER BY number DESC LIMIT 1"
FROM = "SELECT number, body, hash FROM rows WHERE number >= ? ORDER BY number"


class SqliteBook:
    """The book in one file. Threads share a connection and take turns. The ledger checks ``name``."""

    _connection: sqlite3.Connection | None = None
    _real: str | None = None
    """The path without links at which the file was opened."""
    _hold: Hold | None = None
    _process = 0
    _near = False  # whether the file is known to be on this machine's own disk

    def __init__(self, path: str | os.PathLike[str], name: str | None = None) -> None:
        if sys.platform != "linux" or sys.maxsize < 2**32:
            raise LedgerError(
                "a ledger in a file",
                "needs 64-bit Linux",
                why="only its locks keep two programs from spending the same budget",
                fix="keep the ledger in PostgreSQL, or run this on Linux",
            ) from None
        text = os.fspath(path)
        if text in ("", ":memory:"):
            raise ParameterError(
                "path",
                "must name a file",
                got=describe(text),
                why="a ledger in memory would be lost with the program",
            ) from None
        if "\0" in text or text.startswith("file:"):
            raise ParameterError(
                "path", "must be a file's path or a postgresql:// URL", got=describe(text)
            ) from None
        self._path, self._name = os.path.abspath(os.path.expanduser(text)), name
        self._lock = RLock()
        self._file: tuple[int, int] | None = None
        with _FORKING:
            _BOOKS.add(self)

    def __del__(self) -> None:
        if not sys.is_finalizing():  # then `_at_exit` has closed it, and modules may be gone
            self._forget()

    def __repr__(self) -> str:
        return f"SqliteBook({self._path!r})"

    @property
    def place(self) -> str:
        return os.path.basename(self._path)

    @property
    def full_place(self) -> str:
        return self._path

    @property
    def address(self) -> tuple[str, str | None]:
        return self._path, self._name

    def append(self, write: Write, since: int | None = None) -> BookRow | None:
        with self._turn("written") as connection:
            patiently(lambda: connection.execute("BEGIN IMMEDIATE"))
            new = not is_marked(self._hold) and is_empty(connection, self._path)
            if new:
                for statement in SCHEMA:
                    connection.execute(statement)
            refuse_changed(connection, self._path)
            rows = [] if new else self._rows(connection, since)
            if (row := next_row(rows, write)) is None:
                connection.execute("ROLLBACK")
                return None
            connection.execute("INSERT INTO rows VALUES (?, ?, ?)", row)
            connection.execute("COMMIT")
            last = self._rows(connection, None)[-1]  # as the next writer will read it
            if last.number > row.number and not (
                self._hold and self._hold.real
            ):  # another process wrote next
                last = self._rows(connection, row.number)[0]
            if last != row:
                raise LedgerError(
                    f"the ledger {self._path} did not keep the entry that was written"
                ) from None
            self._recognise("; an entry was written, and perhaps it was lost")
            return row

    def last(self) -> BookRow | None:
        if not os.path.exists(self._path):
            return None
        with self._turn("read") as connection:
            return None if is_empty(connection, self._path) else self._rows(connection, None)[-1]

    def _rows(self, connection: sqlite3.Connection, since: int | None) -> list[BookRow]:
        """Return the rows from number ``since`` on, or only the last row if it is None. No such row is an error."""
        cursor = connection.execute(LAST) if since is None else connection.execute(FROM, (since,))
        rows = [BookRow(*each) for each in cursor]
        if not rows:
            raise lost(self._path, since or 0) from None
        return rows

    def rows(self, since: int = 0) -> Iterator[BookRow]:
        """The rows are read in pages. They never change, so all rows up to the last one are a snapshot."""
        end, page = self.last(), [BookRow(since - 1, "", "")]
        while end is not None and page and page[-1].number < end.number:
            with self._turn("read") as connection:
                cursor = connection.execute(
                    "SELECT number, body, hash FROM rows WHERE number > ? AND number <= ? ORDER BY number LIMIT ?",
                    (page[-1].number, end.number, PAGE),
                )
                page = [BookRow(*each) for each in cursor]
            yield from page

    def close(self) -> None:
        with self._lock:
            self._forget()

    @contextmanager
    def _turn(self, done: str) -> Iterator[sqlite3.Connection]:
        """Lend the connection to one thread of one process at a time. SQLite's errors become LedgerErrors."""
        with self._lock:
            try:
                if self._connection is None and only_to_read(self._path):
                    self._recognise()
                    refuse_mount(self._path)
                    if done == "written":
                        raise LedgerError(f"the ledger {self._path} cannot be written: {READ_ONLY}") from None
                    with reading(self._path) as connection:
                        yield connection
                    return
                self._prepare(done)
                hold = self._hold = self._hold or Hold(self._path)
                within = self._connection is not None and self._connection.in_transaction
                try:
                    self._hold_alone(hold, done)
                    yield self._connect(hold)
                except BaseException:
                    self._forget()  # closing rolls back what was not committed, before others may look
                    raise
                finally:
                    if not within:
                        hold.end_turn()
            except sqlite3.Error as error:
                raise LedgerError(f"the ledger {self._path} cannot be {done}: {reason(error)}") from None

    def _hold_alone(self, hold: Hold, done: str) -> None:
        try:
            if hold.take_turn(PATIENCE):
                return
        except OSError as error:
            raise LedgerError(f"the ledger {self._path} cannot be {done}: {error.strerror}") from None
        raise LedgerError(f"the ledger {self._path} cannot be {done}: {BUSY}") from None

    def _prepare(self, done: str) -> None:
        """Make sure that the file exists and that this process may use it."""
        suspects = [self] if self._connection else list(_BOOKS)
        if any(book._connection and book._process != os.getpid() for book in suspects):
            raise self._forked() from None
        if os.path.isdir(self._path):
            raise LedgerError(f"the ledger {self._path}", "must be a file, not a folder") from None
        if self._connection is None:
            keep_log(self._path)
            refuse_mount(self._path)
        if done == "written" and not self._near:
            refuse_network(self._path)
            self._near = True
        if self._file is None and done == "written":
            try:
                os.close(os.open(self._path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o644))
            except FileExistsError:
                pass
            except OSError as error:
                raise LedgerError(
                    f"the ledger {self._path} cannot be written: {ABSENT} ({error.strerror})"
                ) from None

    def _connect(self, hold: Hold) -> sqlite3.Connection:
        """Connect to the file that is at the path now. Refuse a journal that could undo rows."""
        self._recognise()
        header = hold.read(LEAST)
        real = hold.real_path() or os.path.realpath(self._path)
        if self._connection is not None and real != self._real:  # SQLite's journal stays at the old path
            raise self._replaced() from None
        refuse_stale_journal(self._path, header, real)
        if self._connection is not None and header[18:20] == LOGGED:  # an earlier version has used it
            connection, self._connection = self._connection, None
            connection.close()
        if self._connection is None:
            self._connection, self._process = patiently(lambda: connect(self._path, hold)), os.getpid()
            self._real = real
        return self._connection

    def _recognise(self, but: str = "") -> None:
        """Refuse a file that was moved, replaced or linked. It may have two histories, and neither can be trusted."""
        try:
            now = os.stat(self._path)
        except OSError:
            now = None
        held = self._hold and self._hold.identity()
        if now is None or not {self._file, held} <= {None, (now.st_dev, now.st_ino)}:
            raise self._replaced(but) from None
        if now.st_nlink > 1:
            raise LedgerError(
                f"the ledger {self._path}",
                "must have one name only",
                why=f"by another hard link it could be spent twice{but}",
            ) from None
        self._file = now.st_dev, now.st_ino
        if self._file in _PARENTS:
            raise self._forked() from None

    def _replaced(self, but: str = "") -> LedgerError:
        return LedgerError(f"the ledger {self._path} was removed or replaced while it was open{but}")

    def _forked(self) -> LedgerError:
        return LedgerError(
            f"the ledger {self._path} cannot be used here: this process was forked without Python's knowledge"
        )

    def _forget(self) -> None:
        """Close the connection and remove the journal. Never close a parent's connection: that would undo rows."""
        connection, self._connection = self._connection, None
        hold, self._hold = self._hold, None
        if connection is not None and self._process != os.getpid():
            _PARENTS.setdefault(self._file, []).append((connection, hold))
            return
        with hold or nullcontext(), closing(connection) if connection else nullcontext():
            if connection and hold and identity(self._path) == self._file and not is_unfinished(self._path):
                with suppress(sqlite3.Error, OSError):
                    if hold.take_turn(0):
                        connection.execute("PRAGMA journal_mode = DELETE").fetchall()


_FORKING = RLock()
_BOOKS: "WeakSet[SqliteBook]" = WeakSet()
_WAITING: list[SqliteBook] = []
_PARENTS: dict[tuple[int, int] | None, list[tuple[sqlite3.Connection, Hold | None]]] = {}
"""Connections of a parent process for each file. This process must never close them."""


def _before_fork() -> None:
    _FORKING.acquire()
    for book in list(_BOOKS):
        _WAITING.append(book)
        book._lock.acquire()
        book._forget()


def _after_fork() -> None:
    try:
        _release()
    finally:
        _release()  # releases the locks that the first call did not, if it was interrupted


def _release() -> None:
    with suppress(RuntimeError):  # an interrupt came before the lock was taken
        while _WAITING:
            with suppress(RuntimeError):
                _WAITING[-1]._lock.release()
            _WAITING.pop()
        _FORKING.release()


def _at_exit() -> None:
    """Close all connections before modules are removed. A book that a thread is using keeps its connection."""
    for book in list(_BOOKS):
        if book._lock.acquire(blocking=False):
            with suppress(sqlite3.Error, OSError):
                book._forget()
            book._lock.release()


around_forks(_before_fork, _after_fork)
atexit.register(_at_exit)
