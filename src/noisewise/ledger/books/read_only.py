"""Reading the file of a ledger without the right to write it, and without creating any file.

All entries are in the one file, so it is enough to read that one, on a read-only disk too; it is locked meanwhile so
that nobody writes it. Only where a row was not completely written, the owner must undo that first. Where an earlier
version has the file open or was not closed, entries are also in its log. To read a log SQLite creates an index; one
that belongs to somebody who may not write the file would lock the file's owner out. So a log is read only where there
is an index already.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from noisewise.errors import LedgerError
from noisewise.ledger.books.connection import BUSY, PATIENCE
from noisewise.ledger.books.file_checks import is_unfinished
from noisewise.ledger.books.hold import Hold


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
