"""Reading the file of a ledger without the right to write it: nothing is left behind.

SQLite makes a log and its index beside a file even to read it. Made by somebody who may not write the file, they would
belong to that reader and lock the file's owner out. So a file without a log, which nobody has open, is read by itself,
on a read-only disk, too. A file with a log is read only together with the log and the index that are there already,
and these are held meanwhile so that nobody deletes them.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from noisewise.books.connection import PATIENCE
from noisewise.books.hold import Hold
from noisewise.errors import LedgerError


def only_to_read(path: str) -> bool:
    """Whether there is a file that this process may not write, or not without a log, which it may not make."""
    if not os.path.isfile(path):
        return False
    if not _may_write(path):
        return True
    real = os.path.realpath(path)
    return _log(real) is None and not _may_write(os.path.dirname(real))


@contextmanager
def reading(path: str) -> Iterator[sqlite3.Connection]:
    """A connection that makes no file and writes none."""
    real = os.path.realpath(path)
    with Hold(path, turns=False):
        before = _state(real)
        logged = bool(_log(real))
        if logged and not os.path.exists(real + "-shm"):
            raise LedgerError(
                f"the ledger {path} cannot be read by who may not write it: it was not closed, its log {path}-wal is "
                "still there; its owner must open it once"
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
    found = os.stat(real)
    return found.st_mtime_ns, found.st_size, _log(real) or 0
