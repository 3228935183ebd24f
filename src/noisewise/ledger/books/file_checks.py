"""Checks of a ledger's file and of the files that SQLite keeps next to it, which it finds by the file's name alone.

While a row is written there is a journal next to the file, which says what to undo if that is cut short. So a file of
two names, or one that was moved away from its journal and back, could lose entries that were paid for. Earlier versions
wrote entries to a log (``-wal``) first: one that is left over is never deleted.
"""

import os
import re
import struct

from noisewise.errors import LedgerError

MOUNTS = "/proc/self/mountinfo"
NETWORK = {"afs", "cifs", "fuse.sshfs", "ncpfs", "nfs", "nfs4", "smb3", "smbfs"}
"""File systems of other machines, as Linux names them; what they say of a lock need not hold there."""

HOT = bytes.fromhex("d9d505f920a163d7")
"""The first bytes of a journal whose row was not completely written."""

HEADER = 28
"""Bytes of a journal's header."""

LOGGED = b"\2\2"
"""Bytes 18 and 19 of a database that has a log."""

COUNTER = slice(24, 28)
"""The bytes of a database's first page that count how often it was written to."""


def identity(path: str) -> tuple[int, int] | None:
    """Which file is at a path now; None where there is none."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino


def keep_log(path: str) -> None:
    """Refuse to start anew where the log of a ledger is left and its file is not."""
    # in this order, as earlier versions create a ledger: first the file, then its log
    log = identity(os.path.realpath(path) + "-wal")
    if log is not None and not (os.path.exists(path) and os.path.getsize(path)):
        raise LedgerError(
            f"the ledger {path} is gone, but its log {path}-wal is not: put the file back beside it, or delete the "
            "log if the ledger is given up"
        ) from None


def refuse_mount(path: str) -> None:
    """Refuse a file that is mounted by itself: it has another name, with another folder, for others."""
    if is_mount(os.path.realpath(path), _mounts()):
        raise LedgerError(
            f"the ledger {path} is mounted as a single file (as by docker -v), so it has another name elsewhere and a "
            "crash under one name cannot be repaired under the other: mount its folder instead"
        ) from None


def is_mount(real: str, mounts: str) -> bool:
    """Whether a path without links is a mount point, given the text of Linux's ``mountinfo``."""
    return any(_spelled(line.split(" ")[4]) == real for line in mounts.splitlines() if line.count(" ") > 4)


def refuse_network(path: str) -> None:
    """Refuse to write a file on another machine's disk: its locks cannot be trusted, and it could be spent twice."""
    if (kind := file_system(os.path.realpath(path), _mounts())) in NETWORK:
        raise LedgerError(
            f"the ledger {path} cannot be written: it lies on a network drive ({kind}), whose locks cannot be trusted, "
            "so that two machines might spend the same budget: keep it on a local disk or in PostgreSQL"
        ) from None


def file_system(real: str, mounts: str) -> str | None:
    """The kind of file system that a path without links lies on, by the text of ``mountinfo``; None if unknown."""
    longest, kind = -1, None
    for line in mounts.splitlines():
        before, _, after = line.partition(" - ")
        if before.count(" ") < 5:
            continue
        point = _spelled(before.split(" ")[4]).rstrip("/")
        if real.startswith(point + "/") and len(point) >= longest:  # of two at one place the later is on top
            longest, kind = len(point), after.split(" ")[0]
    return kind


def refuse_stale_journal(path: str, header: bytes, real: str | None = None) -> None:
    """Refuse a journal from before the latest entries, which it would undo; given how the file begins, and its path
    without links where that is known."""
    before = _counter_before((real or os.path.realpath(path)) + "-journal") if header else None
    if before is not None and _number(header[COUNTER]) - before not in (0, 1):
        raise LedgerError(
            f"the ledger {path} has entries that are younger than the unfinished journal {path}-journal beside it, "
            "which would undo them: it was used without its journal after a crash; move the journal away, and verify "
            "the ledger with the latest receipt"
        ) from None


def is_unfinished(path: str) -> bool:
    """Whether there is a journal of a row that was not completely written."""
    return _journal(os.path.realpath(path) + "-journal", len(HOT)) == HOT


def _counter_before(journal: str) -> int | None:
    """How often the file had been written to when an unfinished journal was begun; None where there is none."""
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
    """The first bytes of a journal; none where there is no journal."""
    try:
        with open(path, "rb", buffering=0) as file:
            return file.read(count)
    except OSError:
        return b""


def _number(data: bytes) -> int:
    return int.from_bytes(data, "big")


def _mounts() -> str:
    """The text of ``mountinfo``; empty where the system has none."""
    try:
        with open(MOUNTS, encoding="utf-8", errors="surrogateescape") as file:
            return file.read()
    except OSError:
        return ""


def _spelled(point: str) -> str:
    """A mount point as a path: ``mountinfo`` writes blanks and the like as octal numbers."""
    return re.sub(r"\\([0-7]{3})", lambda code: chr(int(code[1], 8)), point)
