"""Who may read a ledger's file and not write it reads it, and leaves nothing behind that locks its owner out."""

import os
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path

import pytest

from noisewise.errors import LedgerError
from noisewise.kernel.losses import PureDP
from noisewise.ledger.books import open_book, sqlite_file
from noisewise.ledger.books import sqlite_book as module
from noisewise.ledger.ledger import Ledger
from tests.kernel.laws.book_laws import ASKED
from tests.ledger.books.left_by_others import give_log, move_to_log, unfinish

READER, OWNER = 65534, 65533
AS = """
import os, sys
import sqlite3, noisewise.ledger.books.sqlite_book, noisewise.ledger.books.sqlite_file
from noisewise.kernel.losses import PureDP
from noisewise.ledger.ledger import Ledger
PureDP(0.1).as_zcdp()  # whatever this imports, before it may not be read any more
os.setgroups([])
os.setgid({user})
os.setuid({user})
path = sys.argv[1]
try:
    {act}
except Exception as error:
    print(type(error).__name__, error)
"""
DEBIT = 'Ledger.open(path, PureDP(1)).debit(PureDP(0.1), neighbors="add_remove", contributions=1, memo="x").number'
READ = "ledger = Ledger.open(path); print(ledger.spent.epsilon, ledger.verify(), len(ledger.report()) > 0)"

nonces_alone = pytest.mark.fails_by_chance(2**-100)
"""What another person's process draws is not seeded: random numbers of 128 bits that say whose ledger a file is."""
as_others = pytest.mark.skipif(
    sys.platform == "win32" or os.getuid() != 0, reason="only root can act as several people"
)

owned = pytest.mark.skipif(sqlite_file.OWNED is None, reason="no locks of descriptors here")


def run(place, user, act):
    """What another person is told."""
    done = subprocess.run(
        [sys.executable, "-c", AS.format(user=user, act=act), str(place)],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.strip()


@pytest.fixture
def place():
    """In a folder where everybody may write."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o777)
        yield Path(folder) / "staff.ledger"


@pytest.fixture
def kept(tmp_path):
    """A ledger that was closed."""
    path = tmp_path / "staff.ledger"
    with Ledger.open(path, PureDP(1)) as ledger:
        ledger.debit(PureDP(0.1), **ASKED)
    return path


@pytest.fixture
def read_only(monkeypatch):
    """As if no file could be written here, which root would do all the same."""
    monkeypatch.setattr(sqlite_file, "_may_write", lambda path: False)


def files(path):
    return sorted(file.name for file in path.parent.iterdir())


@nonces_alone
@as_others
def test_a_reader_leaves_nothing_behind_and_the_owner_goes_on(place):
    assert run(place, OWNER, f"print({DEBIT})") == "1"
    assert run(place, READER, READ) == "1/10 1 True"
    assert files(place) == ["staff.ledger"]
    assert run(place, OWNER, f"print({DEBIT})") == "2"


@nonces_alone
@as_others
def test_a_reader_is_refused_the_debit(place):
    assert run(place, OWNER, f"print({DEBIT})") == "1"
    said = f"LedgerError the ledger {place} cannot be written: the file or its folder is read-only"
    assert run(place, READER, DEBIT) == said
    assert files(place) == ["staff.ledger"]


@as_others
def test_a_reader_sees_every_entry_of_a_ledger_in_use(place):
    ledger = Ledger.open(place, PureDP(1))
    for _ in range(3):
        ledger.debit(PureDP(0.1), **ASKED)
    before = files(place)
    assert before == ["staff.ledger", "staff.ledger-journal"]
    assert run(place, READER, READ) == "3/10 3 True"
    assert files(place) == before
    assert {Path(place.parent / file).stat().st_uid for file in before} == {0}
    assert ledger.debit(PureDP(0.1), **ASKED).number == 4


@nonces_alone
@as_others
def test_a_reader_of_a_ledger_that_was_killed_sees_every_entry(place):
    killed = f"ledger = Ledger.open(path, PureDP(1)); print({DEBIT}, flush=True); os.kill(os.getpid(), 9)"
    command = [sys.executable, "-c", AS.format(user=OWNER, act=killed), str(place)]
    subprocess.run(command, check=False, timeout=120, capture_output=True)
    assert run(place, READER, READ) == "1/10 1 True"


@nonces_alone
@as_others
def test_a_reader_of_an_earlier_ledger_that_was_not_closed_makes_no_index_for_its_log(place):
    assert run(place, OWNER, f"print({DEBIT})") == "1"
    move_to_log(place, OWNER)
    assert run(place, READER, READ) == "1/10 1 True"  # with the index that is there
    Path(f"{place}-shm").unlink()
    assert "it was not closed, its log" in run(place, READER, READ)
    assert files(place) == ["staff.ledger", "staff.ledger-wal"]
    assert run(place, OWNER, f"print({DEBIT})") == "2"
    assert run(place, READER, READ) == "1/5 2 True"


def test_a_reader_of_an_earlier_ledger_that_was_closed_makes_no_log(kept, read_only):
    give_log(kept)
    assert (Ledger.open(kept).verify(), files(kept)) == (1, ["staff.ledger"])


def test_a_row_that_was_not_written_to_its_end_is_not_read(kept, monkeypatch):
    ledger, pages = Ledger.open(kept), kept.stat().st_size // 4096
    ledger.debit(PureDP(0.1), **ASKED)
    unfinish(kept, pages)
    before = kept.read_bytes(), files(kept)
    monkeypatch.setattr(sqlite_file, "_may_write", lambda path: False)
    with pytest.raises(LedgerError, match="a row was not written to its end, its journal"):
        Ledger.open(kept)
    assert (kept.read_bytes(), files(kept)) == before


@owned
def test_a_reader_waits_for_a_writer_but_not_for_ever(kept, read_only, monkeypatch):
    monkeypatch.setattr(sqlite_file, "PATIENCE", 0.05)
    with sqlite_file.Hold(str(kept)) as writer:
        assert writer.take_turn(0)
        with pytest.raises(LedgerError, match="cannot be read: others have held it for more than"):
            Ledger.open(kept)
    assert Ledger.open(kept).verify() == 1


@owned
def test_nobody_writes_what_is_being_read(kept):
    with sqlite_file.reading(str(kept)), sqlite_file.Hold(str(kept)) as writer:
        assert not writer.take_turn(0.01)


def test_a_file_on_a_disk_that_cannot_be_written_is_read(kept, read_only):
    ledger = Ledger.open(kept)
    assert (ledger.spent, ledger.verify(), len(ledger)) == (PureDP(0.1), 1, 1)
    assert "\nentries    1\n" in ledger.report()
    assert files(kept) == ["staff.ledger"]
    for _ in range(2):
        with pytest.raises(LedgerError, match="cannot be written: the file or its folder is read-only"):
            ledger.debit(PureDP(0.1), **ASKED)


def test_a_folder_that_cannot_be_written_is_no_place_for_a_journal(kept, monkeypatch):
    monkeypatch.setattr(sqlite_file, "_may_write", lambda path: path == str(kept))
    ledger = Ledger.open(kept)
    assert (ledger.verify(), files(kept)) == (1, ["staff.ledger"])
    with pytest.raises(LedgerError, match="cannot be written: the file or its folder is read-only"):
        ledger.debit(PureDP(0.1), **ASKED)
    monkeypatch.undo()
    assert ledger.debit(PureDP(0.1), **ASKED).number == 2
    assert sqlite_file.only_to_read(str(kept)) is False


def test_who_has_the_file_open_goes_on_writing(kept, monkeypatch):
    ledger = Ledger.open(kept)
    monkeypatch.setattr(sqlite_file, "_may_write", lambda path: False)
    assert ledger.debit(PureDP(0.1), **ASKED).number == 2


def test_there_is_nothing_to_read_where_there_is_no_file(tmp_path, read_only):
    assert (
        sqlite_file.only_to_read(str(tmp_path)) is sqlite_file.only_to_read(str(tmp_path / "none")) is False
    )


def test_what_is_written_while_it_is_read_by_itself_is_read_again(kept, read_only, monkeypatch):
    """As on a system without locks of descriptors."""
    monkeypatch.setattr(sqlite_file, "OWNED", None)
    ledger = Ledger.open(kept)
    rows = ledger._book.rows()
    with pytest.raises(LedgerError, match="was written to while it was read: read it again"):  # noqa: SIM117
        with module.reading(str(kept)) as connection:
            assert connection.execute("SELECT count(*) FROM rows").fetchone() == (2,)
            with closing(sqlite3.connect(kept, isolation_level=None)) as other:
                other.execute("PRAGMA user_version = 0")
    assert [row.number for row in rows] == [0, 1]


def test_a_log_that_must_be_read_is_not_left_out(kept, read_only):
    move_to_log(kept)
    assert [row.number for row in open_book(kept).rows()] == [0, 1]


@owned
def test_a_log_is_held_from_the_moment_it_is_found(kept, monkeypatch):
    """Or SQLite would make another one where its last user has just deleted it."""
    move_to_log(kept)
    user, connect = sqlite3.connect(kept), sqlite3.connect
    assert user.execute("SELECT count(*) FROM rows").fetchone() == (2,)

    def after_the_last_user_has_gone(*args, **kwargs):
        user.close()
        return connect(*args, **kwargs)

    monkeypatch.setattr(sqlite3, "connect", after_the_last_user_has_gone)
    with sqlite_file.reading(str(kept)) as connection:
        assert connection.execute("SELECT count(*) FROM rows").fetchone() == (2,)
        assert Path(f"{kept}-wal").stat().st_size > 0  # not another, which would be empty
