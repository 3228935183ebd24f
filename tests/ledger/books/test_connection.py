"""What stands in the place of a ledger: another file, an emptied one, or one that has lost its log."""

import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from noisewise.errors import LedgerError
from noisewise.kernel.losses import PureDP
from noisewise.ledger.books import open_book, sqlite_file
from noisewise.ledger.ledger import Ledger
from tests.kernel.laws.book_laws import ASKED, next_number
from tests.ledger.books.tampering import tamper

KILLED = """
import os, sys
from noisewise.kernel.losses import PureDP
from noisewise.ledger.ledger import Ledger

ledger = Ledger.open(sys.argv[1], PureDP(3))
for _ in range(3):
    ledger.debit(PureDP(1), neighbors="add_remove", contributions=1, memo="x")
if sys.argv[2] == "moved":
    os.rename(sys.argv[1], sys.argv[1] + ".moved")
else:
    os.kill(os.getpid(), 9)
"""


@pytest.fixture
def place(tmp_path):
    return tmp_path / "staff.ledger"


# Files that are no ledgers


def test_a_folder_is_no_ledger(tmp_path):
    with pytest.raises(LedgerError, match="must be a file, not a folder"):
        Ledger.open(tmp_path, PureDP(1))


def test_a_missing_folder_is_said(tmp_path):
    with pytest.raises(LedgerError, match="the file or its folder does not exist"):
        Ledger.open(tmp_path / "none" / "staff.ledger", PureDP(1))


def test_a_text_file_is_no_ledger_and_is_left_alone(place):
    place.write_text("salary\n" * 500)
    with pytest.raises(LedgerError, match="cannot be read: the file is not a ledger"):
        Ledger.open(place, PureDP(1))
    assert place.read_text() == "salary\n" * 500


@pytest.mark.skipif(sqlite_file.OWNED is None, reason="no locks of descriptors here")
@pytest.mark.parametrize(
    ("mark", "layout", "known"), [(None, 0, True), (None, 1, True), (None, 2, False), (0, 0, False)]
)
def test_a_quick_look_knows_a_ledger_of_this_layout_and_nothing_else(place, mark, layout, known):
    Ledger.open(place, PureDP(1)).close()
    with closing(sqlite3.connect(place)) as other:
        other.execute(f"PRAGMA application_id = {sqlite_file.APPLICATION if mark is None else mark}")
        other.execute(f"PRAGMA user_version = {layout}")
    with sqlite_file.Hold(str(place)) as held:
        assert sqlite_file.is_marked(held) is known


def test_an_open_ledger_of_which_a_newer_version_made_another_takes_no_entry(place):
    ledger = Ledger.open(place, PureDP(1))
    ledger.debit(PureDP(0.1), **ASKED)
    with closing(sqlite3.connect(place)) as newer:
        newer.execute("PRAGMA user_version = 2")
    with pytest.raises(LedgerError, match="written by a newer noisewise"):
        ledger.debit(PureDP(0.1), **ASKED)


def test_nothing_is_marked_where_nothing_is_held(place):
    assert not sqlite_file.is_marked(None)
    place.write_bytes(b"")
    with sqlite_file.Hold(str(place)) as held:
        assert not sqlite_file.is_marked(held)


def test_another_database_is_no_ledger_and_is_left_alone(place):
    with closing(sqlite3.connect(place)) as other:
        other.execute("CREATE TABLE people (name TEXT)")
    before = place.read_bytes()
    with pytest.raises(LedgerError, match="is not a ledger but another SQLite database"):
        Ledger.open(place, PureDP(1))
    assert place.read_bytes() == before


def test_a_short_file_is_no_ledger_and_is_left_alone(place):
    place.write_text("x")
    with pytest.raises(LedgerError, match="is not a ledger but another file"):
        Ledger.open(place, PureDP(1))
    assert place.read_text() == "x"


def test_an_empty_file_is_an_empty_book(place):
    place.touch()
    assert Ledger.open(place, PureDP(1)).debit(PureDP(1), **ASKED).number == 1


def test_a_newer_layout_is_refused(place):
    open_book(place).append(next_number)
    with closing(sqlite3.connect(place)) as raw:
        raw.execute("PRAGMA user_version = 2")
    with pytest.raises(LedgerError, match="written by a newer noisewise: upgrade"):
        open_book(place).last()


def test_a_broken_file_is_an_error_in_words(place):
    Ledger.open(place, PureDP(1)).debit(PureDP(0.1), **ASKED)
    pages = place.read_bytes()
    place.write_bytes(pages[:4096] + b"\x55" * (len(pages) - 4096))
    with pytest.raises(LedgerError, match="malformed"):
        Ledger.open(place)


# Ledgers in which something was planted

SWALLOW = "BEFORE INSERT ON rows WHEN NEW.number > 0 BEGIN SELECT RAISE(IGNORE); END"
PLANTED = {
    "a trigger that leaves new rows out": [f"CREATE TRIGGER quiet {SWALLOW}"],
    "a trigger that deletes new rows": [
        "DROP TRIGGER rows_last",
        "CREATE TRIGGER rows_last AFTER INSERT ON rows WHEN NEW.number > 0"
        " BEGIN DELETE FROM rows WHERE number = NEW.number; END",
    ],
    "a view": ["CREATE VIEW more AS SELECT * FROM rows"],
    "a view in the place of the table": [
        "DROP TRIGGER rows_follow",
        "DROP TRIGGER rows_stay",
        "DROP TRIGGER rows_last",
        "ALTER TABLE rows RENAME TO kept",
        "CREATE VIEW rows AS SELECT * FROM kept WHERE number = 0",
    ],
    "a table": ["CREATE TABLE more (x)"],
    "a unique index": ["CREATE UNIQUE INDEX only ON rows (hash)"],
    "a partial index": ["CREATE INDEX few ON rows (number) WHERE number > 0"],
    "a column": ["ALTER TABLE rows ADD COLUMN more"],
    "a generated column": ["ALTER TABLE rows ADD COLUMN more AS (number)"],
    "a constraint": [
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_master SET sql = replace(sql, 'hash TEXT NOT NULL', 'hash TEXT NOT NULL"
        " CHECK (number < 1) ON CONFLICT IGNORE') WHERE name = 'rows'",
    ],
    "another name": [
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_master SET name = 'rows_stays' WHERE name = 'rows_stay'",
    ],
    "a trigger twice": [
        "PRAGMA writable_schema = ON",
        "INSERT INTO sqlite_master SELECT * FROM sqlite_master WHERE name = 'rows_last'",
    ],
    "a table of SQLite's name": [
        "PRAGMA writable_schema = ON",
        "INSERT INTO sqlite_master SELECT type, 'sqlite_master', 'sqlite_master', rootpage,"
        " replace(sql, 'TABLE rows', 'TABLE sqlite_master') FROM sqlite_master WHERE type = 'table'",
    ],
    "a trigger less": ["DROP TRIGGER rows_follow"],
    "nothing but the table": ["DROP TRIGGER rows_follow", "DROP TRIGGER rows_stay", "DROP TRIGGER rows_last"],
    "a trigger of a name that only SQLite gives": [
        f"CREATE TRIGGER quiet {SWALLOW}",
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_master SET name = 'sqlite_stat1' WHERE name = 'quiet'",
    ],
    "statistics": ["ANALYZE", "CREATE INDEX few ON rows (hash)", "ANALYZE"],
}
FOREIGN = r"must hold the table and the triggers that noisewise writes, and nothing else|malformed"


def plant(place, statements, version=None):
    """Change a ledger by SQLite; with a version, leave the number by which a connection notices as it was."""
    with closing(sqlite3.connect(place, isolation_level=None)) as raw:
        ((before,),) = raw.execute("PRAGMA schema_version").fetchall()
        for statement in statements:
            raw.execute(statement)
        if version == "kept":
            raw.execute(f"PRAGMA schema_version = {before}")


@pytest.mark.parametrize("planted", PLANTED)
def test_a_ledger_that_holds_more_or_less_than_its_own_is_refused(place, planted):
    with Ledger.open(place, PureDP(1)) as ledger:
        ledger.debit(PureDP(0.5), **ASKED)
    plant(place, PLANTED[planted])
    before = place.read_bytes()
    for _ in range(2):
        with pytest.raises(LedgerError, match=FOREIGN):
            Ledger.open(place)
    assert place.read_bytes() == before


@pytest.mark.parametrize("version", ["counted", "kept"])
@pytest.mark.parametrize("planted", PLANTED)
def test_what_is_planted_in_an_open_ledger_stops_its_next_debit(place, planted, version):
    ledger = Ledger.open(place, PureDP(1))
    ledger.debit(PureDP(0.5), **ASKED)
    plant(place, PLANTED[planted], version)
    for _ in range(2):
        with pytest.raises(LedgerError, match=FOREIGN):
            ledger.debit(PureDP(0.5), **ASKED)


@pytest.mark.parametrize(
    "statement", ["ANALYZE", "VACUUM", "REINDEX", "PRAGMA auto_vacuum = FULL", "PRAGMA page_size = 8192"]
)
def test_what_changes_no_table_is_no_reason_to_refuse(place, statement):
    with Ledger.open(place, PureDP(1)) as ledger:
        ledger.debit(PureDP(0.5), **ASKED)
    plant(place, [statement, "VACUUM"])
    assert Ledger.open(place).debit(PureDP(0.5), **ASKED).number == 2


def test_a_copy_by_statements_is_a_ledger(place, tmp_path):
    with Ledger.open(place, PureDP(1)) as ledger:
        ledger.debit(PureDP(0.5), **ASKED)
    with closing(sqlite3.connect(place)) as raw, closing(sqlite3.connect(tmp_path / "copy")) as copy:
        copy.executescript("\n".join(raw.iterdump()))
        copy.execute(f"PRAGMA application_id = {sqlite_file.APPLICATION}")
        copy.execute(f"PRAGMA user_version = {sqlite_file.LAYOUT}")
    assert Ledger.open(tmp_path / "copy").debit(PureDP(0.5), **ASKED).number == 2


# Files that have lost something


def test_the_file_alone_says_whose_it_is(place, tmp_path):
    book = open_book(place)
    first = book.append(next_number)
    shutil.copy(place, tmp_path / "copy")
    assert open_book(tmp_path / "copy").last() == first
    with closing(sqlite3.connect(tmp_path / "copy")) as raw:
        assert raw.execute("PRAGMA journal_mode").fetchone() == ("delete",)


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("how", ["moved", "killed"])
def test_a_file_that_was_moved_by_itself_has_every_entry(place, how):
    subprocess.run([sys.executable, "-c", KILLED, str(place), how], check=False, timeout=120)
    moved = Path(f"{place}.moved")
    if how == "killed":
        place.rename(moved)
    ledger = Ledger.open(moved)
    assert ledger.terms.budget == PureDP(3)
    assert ledger.verify() == 3


def test_a_file_that_is_marked_and_empty_is_refused(place):
    with closing(sqlite3.connect(place)) as raw:
        raw.execute("PRAGMA journal_mode = WAL")
    assert place.stat().st_size > 0
    with pytest.raises(LedgerError, match="has lost its rows: they were in its log, which is gone"):
        Ledger.open(place, PureDP(1))


def test_an_emptied_table_is_refused(place):
    Ledger.open(place, PureDP(1)).debit(PureDP(1), **ASKED)
    tamper(place, "DELETE FROM rows")
    with pytest.raises(LedgerError, match="has lost row 0, which was there"):
        Ledger.open(place, PureDP(1))
    with pytest.raises(LedgerError, match="has lost row 0, which was there"):
        open_book(place).append(next_number)


@pytest.mark.parametrize("left", [None, b""])
def test_a_log_without_its_file_is_not_swept_away(place, left):
    Path(f"{place}-wal").write_bytes(b"entries")
    if left is not None:
        place.write_bytes(left)
    with pytest.raises(LedgerError, match=r"is gone, but its log .*-wal is not: put the file back"):
        Ledger.open(place, PureDP(1))
    assert Path(f"{place}-wal").read_bytes() == b"entries"


# Errors


def test_waiting_ends(monkeypatch):
    monkeypatch.setattr(sqlite_file, "PATIENCE", 0.02)
    tries = []

    def busy():
        tries.append(1)
        error = sqlite3.OperationalError("database is locked")
        error.sqlite_errorcode = sqlite3.SQLITE_BUSY
        raise error

    with pytest.raises(sqlite3.OperationalError) as caught:
        sqlite_file.patiently(busy)
    assert len(tries) > 1
    assert sqlite_file.reason(caught.value) == f"{sqlite_file.BUSY} (database is locked)"
    assert sqlite_file.reason(sqlite3.Error("of Python's own")) == "of Python's own"
