"""Breaks of where a ledger keeps its rows: a SQLite file."""

from tests.mutants.mutant import Mutant

SQLITE = "tests/books/test_sqlite.py"
DISKS = "tests/books/test_disks.py"

MUTANTS = [
    Mutant(
        "two writers see the same last row",
        "books/sqlite.py",
        'connection.execute("BEGIN IMMEDIATE")',
        'connection.execute("BEGIN DEFERRED")',
        SQLITE,
    ),
    Mutant(
        "commits are not synced",
        "books/sqlite.py",
        "PRAGMA synchronous = FULL",
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
        "books/sqlite.py",
        "WHEN NEW.number <> (SELECT coalesce(max(number), -1) + 1 FROM rows)",
        "WHEN NEW.number < 0",
        SQLITE,
    ),
    Mutant(
        "another database is written into",
        "books/sqlite.py",
        "if mark != APPLICATION and (mark, layout, tables) != (0, 0, 0):",
        "if False:",
        SQLITE,
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
        "        book._lock.acquire()\n        _WAITING.append(book)\n",
        "        _WAITING.append(book)\n        book._lock = Lock()\n        book._lock.acquire()\n",
        SQLITE + "::TestBook",
    ),
    Mutant(
        "a fork behind our back shares a connection",
        "books/sqlite.py",
        "if self._process != os.getpid():",
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
]
