"""Breaks of where a ledger keeps its rows: a SQLite file."""

from tests.mutants.mutant import Mutant

SQLITE = "tests/books/test_sqlite.py"
DISKS = "tests/books/test_disks.py"
HOLD = "tests/books/test_hold.py"
CONNECTION = "tests/books/test_connection.py"

MUTANTS = [
    Mutant(
        "two writers see the same last row",
        "books/sqlite.py",
        'connection.execute("BEGIN IMMEDIATE")',
        'connection.execute("BEGIN DEFERRED")',
        SQLITE + "::test_writers_take_turns_by_the_locks_of_sqlite_alone",
    ),
    Mutant(
        "commits are not synced",
        "books/connection.py",
        "PRAGMA synchronous = EXTRA",
        "PRAGMA synchronous = NORMAL",
        SQLITE,
    ),
    Mutant(
        "nothing is committed",
        "books/sqlite.py",
        'connection.execute("COMMIT")',
        'connection.execute("ROLLBACK")',
        SQLITE,
    ),
    Mutant(
        "what a writer raised is committed later",
        "books/sqlite.py",
        "self._forget()  # closing rolls back what was not committed",
        "pass",
        SQLITE,
    ),
    Mutant(
        "rows can be replaced",
        "books/connection.py",
        "WHEN NEW.number <> (SELECT coalesce(max(number), -1) + 1 FROM rows)",
        "WHEN NEW.number < 0",
        SQLITE,
    ),
    Mutant(
        "another database is written into",
        "books/connection.py",
        "if mark != APPLICATION and (mark, layout, tables) != (0, 0, 0):",
        "if False:",
        CONNECTION,
    ),
    Mutant(
        "connections live through a fork",
        "books/sqlite.py",
        "        book._forget()\n\n\ndef _after_fork",
        "\n\ndef _after_fork",
        DISKS,
    ),
    Mutant(
        "a fork does not wait for a writer",
        "books/sqlite.py",
        "        book._lock.acquire()\n",
        "        book._lock = RLock()\n        book._lock.acquire()\n",
        SQLITE + "::TestBook",
    ),
    Mutant(
        "a fork behind our back shares a connection",
        "books/sqlite.py",
        "if any(book._connection and book._process != os.getpid() for book in suspects):",
        "if False:",
        DISKS,
    ),
    Mutant(
        "a replaced file is debited",
        "books/sqlite.py",
        "if found is None or self._file not in (None, (found.st_dev, found.st_ino)):",
        "if found is None:",
        DISKS,
    ),
    Mutant(
        "a file of two names is debited",
        "books/sqlite.py",
        "if found.st_nlink > 1:",
        "if False:",
        DISKS,
    ),
    Mutant(
        "a log is not held against others",
        "books/hold.py",
        "self.settled = logged and self._lock(fcntl.F_RDLCK, SHARED)",
        "self.settled = logged",
        HOLD,
    ),
    Mutant(
        "writers do not take turns where their locks were dropped",
        "books/hold.py",
        "while self._file is not None and not self._lock(fcntl.F_WRLCK, TURN):",
        "while False:",
        HOLD,
    ),
    Mutant(
        "a log that was deleted or replaced is written to",
        "books/sqlite.py",
        "lost = self._hold is not None and log_of(self._real) != self._log\n",
        "lost = False\n",
        HOLD,
    ),
    Mutant(
        "an entry in a log that was deleted meanwhile is a debit",
        "books/sqlite.py",
        '        self._same_log("an entry was written, and may stand or may not")\n',
        "",
        HOLD,
    ),
    Mutant(
        "a log deleted before the transaction is written to",
        "books/sqlite.py",
        '        last = None if new else self._last(connection)\n        self._same_log("nothing was written")\n',
        "        last = None if new else self._last(connection)\n",
        HOLD,
    ),
    Mutant(
        "a connection without its log is closed",
        "books/sqlite.py",
        "if self._file is not None and (lost or",
        "if self._file is not None and (False or",
        HOLD,
    ),
    Mutant(
        "a new connection is tied to a lost log",
        "books/sqlite.py",
        "if lost or self._file in _LOST:",
        "if lost:",
        HOLD,
    ),
    Mutant(
        "a child lets go what its parent holds",
        "books/sqlite.py",
        "or self._process != os.getpid()):",
        "or False):",
        DISKS,
    ),
    Mutant(
        "rows that were seen may go",
        "books/sqlite.py",
        "if kept != (seen.hash,):",
        "if False:",
        CONNECTION,
    ),
    Mutant(
        "an emptied ledger starts anew",
        "books/sqlite.py",
        "        ).fetchone()\n        if found is None:\n",
        "        ).fetchone()\n        if found is None:\n            return None\n",
        CONNECTION,
    ),
    Mutant(
        "a file that lost its log starts anew",
        "books/connection.py",
        "if empty and logged:",
        "if False:",
        CONNECTION,
    ),
    Mutant(
        "the first row is written to a log",
        "books/connection.py",
        "if not empty and not logged:",
        "if not logged:",
        CONNECTION,
    ),
    Mutant(
        "a log without its file is swept away",
        "books/connection.py",
        'is not None:\n        raise LedgerError(\n            f"the ledger {path} is gone',
        'is False:\n        raise LedgerError(\n            f"the ledger {path} is gone',
        CONNECTION,
    ),
    Mutant(
        "rows stay in the log when it is closed",
        "books/sqlite.py",
        'connection.execute("PRAGMA wal_checkpoint(PASSIVE)")',
        'connection.execute("SELECT 1")',
        CONNECTION,
    ),
    Mutant(
        "a new book in a child of a hidden fork",
        "books/sqlite.py",
        "suspects = [self] if self._connection else list(_BOOKS)",
        "suspects = [self]",
        DISKS,
    ),
    Mutant(
        "who opens a file rebuilds the index that others write to",
        "books/sqlite.py",
        """                    if not hold.take_turn(PATIENCE):
                        raise LedgerError(f"the ledger {self._path} cannot be opened: {BUSY}") from None
""",
        "",
        HOLD + "::test_a_turn_that_others_keep_too_long_is_a_clear_error",
    ),
]
