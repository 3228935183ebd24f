"""Files as other programs and crashes leave them: with a log, as earlier versions kept one, or with a journal."""

import sqlite3
import struct
import subprocess
import sys
from contextlib import closing
from pathlib import Path

MOVE_TO_LOG = """
import os, sqlite3, sys
path, user = sys.argv[1], int(sys.argv[2])
if user:
    os.setgid(user), os.setuid(user)
raw = sqlite3.connect(path, isolation_level=None)
rows = raw.execute("SELECT * FROM rows WHERE number > 0 ORDER BY number").fetchall()
(trigger,), = raw.execute("SELECT sql FROM sqlite_master WHERE name = 'rows_last'").fetchall()
raw.execute("DROP TRIGGER rows_last")
raw.execute("DELETE FROM rows WHERE number > 0")
raw.execute(trigger)
raw.execute("PRAGMA journal_mode = WAL")
raw.execute("PRAGMA wal_autocheckpoint = 0")
raw.executemany("INSERT INTO rows VALUES (?, ?, ?)", rows)
os._exit(0)
"""


def move_to_log(place, user=0):
    """Leave only the opening in the file and all entries in its log, as an earlier version did that was killed."""
    subprocess.run([sys.executable, "-c", MOVE_TO_LOG, str(place), str(user)], check=True, timeout=60)
    assert Path(f"{place}-wal").stat().st_size > 0


def give_log(place):
    """A ledger that an earlier version has closed."""
    with closing(sqlite3.connect(place)) as raw:
        assert raw.execute("PRAGMA journal_mode = WAL").fetchone() == ("wal",)


def unfinish(place, pages):
    """Make the journal of the last commit one that was cut short before its end, in a file of so many pages before.

    A commit ends by writing zeros over the header; all else is still there.
    """
    journal = Path(f"{place}-journal")
    data = bytearray(journal.read_bytes())
    assert data[:28] == bytes(28)
    size, sector = struct.unpack(">H", place.read_bytes()[16:18])[0], 512
    page, checksum = data[sector + 4 :][:size], data[sector + 4 + size :][:4]
    nonce = (int.from_bytes(checksum, "big") - sum(page[n] for n in range(size - 200, 0, -200))) % 2**32
    data[:28] = struct.pack(">8s5I", bytes.fromhex("d9d505f920a163d7"), 2**32 - 1, nonce, pages, sector, size)
    journal.write_bytes(data)
