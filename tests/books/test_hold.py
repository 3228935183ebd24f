"""A hold is kept whatever else the process does with the file; and where a log was lost, nobody spends."""

import gc
import hashlib
import os
import shutil
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest

from noisewise.books import hold as module
from noisewise.books import open_book, sqlite
from noisewise.books.hold import Hold, log_of
from noisewise.errors import BudgetExceeded, LedgerError
from noisewise.privacy import PureDP
from noisewise.privacy.ledger import Ledger
from tests.laws.book_laws import ASKED, next_number

SPEND = """
import sys
from noisewise.errors import BudgetExceeded
from noisewise.privacy import PureDP
from noisewise.privacy.ledger import Ledger

try:
    print(Ledger.open(sys.argv[1]).debit(PureDP(1), neighbors="add_remove", contributions=1, memo="x").number)
except BudgetExceeded:
    print(0)
"""
LOOK = """
import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as c:
    print(*c.execute("select max(number) from rows").fetchone())
c.close()
"""

NOISY = """
import os, sys, threading, time
from noisewise.errors import BudgetExceeded
from noisewise.privacy import PureDP
from noisewise.privacy.ledger import Ledger

folder, won, done = os.path.dirname(sys.argv[1]), 0, threading.Event()

def read_everything():
    while not done.wait(0.001):
        for name in os.listdir(folder):
            try:
                open(os.path.join(folder, name), "rb").close()
            except OSError:
                pass

threading.Thread(target=read_everything).start()
try:
    while True:
        ledger = Ledger.open(sys.argv[1])
        for _ in range(5):
            ledger.debit(PureDP(1), neighbors="add_remove", contributions=1, memo="x")
            won += 1
except BudgetExceeded:
    print(won)
finally:
    done.set()
"""

owned = pytest.mark.skipif(module.OWNED is None, reason="no locks of descriptors here")


@pytest.fixture
def place(tmp_path):
    return tmp_path / "staff.ledger"


@pytest.fixture
def book(place):
    book = open_book(place)
    book.append(next_number)
    book.append(next_number)
    return book


def run(script, place):
    done = subprocess.run(
        [sys.executable, "-c", script, str(place)], capture_output=True, text=True, timeout=120, check=True
    )
    return int(done.stdout)


def backup(place):
    with closing(sqlite3.connect(place)) as one, closing(sqlite3.connect(f"{place}.copy")) as other:
        one.backup(other)


DISTURBANCES = {
    "copied": lambda place: shutil.copy(place, f"{place}.copy"),
    "read": lambda place: place.read_bytes(),
    "digested": lambda place: hashlib.sha256(place.read_bytes()),
    "its folder copied": lambda place: shutil.copytree(place.parent, f"{place.parent}.copy"),
    "backed up": backup,
}


# What others do in the same process


@owned
@pytest.mark.parametrize("how", DISTURBANCES)
def test_a_file_that_is_read_by_its_own_process_is_not_spent_twice(place, how):
    ledger = Ledger.open(place, PureDP(3))
    booked = [ledger.debit(PureDP(1), **ASKED).number]
    DISTURBANCES[how](place)
    booked.append(run(SPEND, place))  # and closes as if it were the last
    booked.append(ledger.debit(PureDP(1), **ASKED).number)
    booked.append(run(SPEND, place))
    assert booked == [1, 2, 3, 0]
    with pytest.raises(BudgetExceeded):
        ledger.debit(PureDP(1), **ASKED)
    assert Ledger.open(place).verify() == 3


@owned
def test_a_foreign_reader_that_closes_last_leaves_the_log_alone(place, book):
    place.read_bytes()
    before = log_of(str(place))
    assert run(LOOK, place) == 1
    assert log_of(str(place)) == before is not None
    assert book.append(next_number).number == 2
    assert run(LOOK, place) == 2


@owned
def test_a_turn_is_kept_while_the_file_is_read(place, book):
    """SQLite's own lock of the writer is gone once another thread has read the files beside it."""
    inside, rival = [], open_book(place)
    rival.last()

    def write(last):
        for suffix in ("", "-wal", "-shm"):
            Path(f"{place}{suffix}").read_bytes()
        racer = threading.Thread(target=lambda: inside.append(rival.append(next_number).number))
        racer.start()
        racer.join(0.3)
        inside.append("written")
        write.racer = racer
        return next_number(last)

    assert book.append(write).number == 2
    write.racer.join(30)
    assert inside == ["written", 3]


@owned
def test_processes_that_read_all_the_files_they_spend_from_spend_what_there_is(place):
    Ledger.open(place, PureDP(60))
    command = [sys.executable, "-c", NOISY, str(place)]
    racers = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    won = [racer.communicate(timeout=120)[0] for racer in racers]
    assert [racer.returncode for racer in racers] == [0, 0, 0]
    assert sum(map(int, won)) == Ledger.open(place).verify() == 60


# The lock itself


@owned
def test_a_hold_keeps_everybody_from_having_the_file_alone(place, book):
    book._forget()
    assert log_of(str(place)) is None  # the last to close has deleted it
    hold = Hold(str(place))
    assert hold.settled
    with closing(sqlite3.connect(place, timeout=0)) as other:
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            other.execute("PRAGMA journal_mode = DELETE")
        hold.loosen()
        assert other.execute("PRAGMA journal_mode = DELETE").fetchone() == ("delete",)
    assert not Hold(str(place)).settled  # it has no log any more
    hold.release()
    hold.release()


@owned
def test_writers_take_turns_even_in_one_process(place, book):
    one, other = Hold(str(place)), Hold(str(place))
    assert one.take_turn(0) and one.take_turn(0)
    assert not other.take_turn(0.01)
    one.end_turn()
    assert other.take_turn(0)
    other.release()
    assert one.take_turn(0)
    one.release()


@owned
def test_a_turn_that_others_keep_too_long_is_a_clear_error(place, book, monkeypatch):
    monkeypatch.setattr(sqlite, "PATIENCE", 0.05)
    hold = Hold(str(place))
    assert hold.take_turn(0)
    with pytest.raises(LedgerError, match="cannot be written: others have held it for more than"):
        book.append(next_number)
    with pytest.raises(LedgerError, match="cannot be opened: others have held it"):
        open_book(place).last()
    hold.release()
    assert book.append(next_number).number == 2


def test_there_is_nothing_to_hold_where_there_is_no_file(place):
    assert Hold(str(place)).settled is (module.OWNED is None)
    assert log_of(str(place)) is None


def test_a_system_without_such_locks_gets_along(place, monkeypatch):
    monkeypatch.setattr(module, "OWNED", None)
    books = [open_book(place) for _ in range(2)]
    assert [books[n % 2].append(next_number).number for n in range(6)] == list(range(6))
    hold = Hold(str(place))
    assert hold.settled and hold.take_turn(0)
    hold.end_turn()
    hold.loosen()
    hold.release()


def test_a_file_system_without_such_locks_gets_along(place, book, monkeypatch):
    gc.collect()  # no other hold is to be let go meanwhile

    def refuse(self, kind, span):
        raise OSError(22, "Invalid argument")

    monkeypatch.setattr(Hold, "_lock", refuse)
    assert open_book(place).append(next_number).number == 2


# Where the log was lost after all


def test_a_log_lost_to_another_process_stops_the_first(place, monkeypatch):
    """As on a system without such locks: what SQLite would write to is not what the next process reads."""
    monkeypatch.setattr(module, "OWNED", None)
    ledger = Ledger.open(place, PureDP(3))
    ledger.debit(PureDP(1), **ASKED)
    place.read_bytes()
    assert run(SPEND, place) == 2
    for attempt in (ledger, ledger):
        with pytest.raises(LedgerError, match=r"-wal was deleted or replaced .*; nothing was written; start"):
            attempt.debit(PureDP(1), **ASKED)
    with pytest.raises(LedgerError, match="was deleted or replaced"):
        Ledger.open(place)  # SQLite would tie it to the lost log
    assert run(SPEND, place) == 3
    assert run(SPEND, place) == 0


def test_a_log_deleted_while_it_is_written_to_leaves_an_entry_in_doubt(place, book):
    def write(last):
        Path(f"{place}-wal").unlink()
        return next_number(last)

    with pytest.raises(LedgerError, match="an entry was written, and may stand or may not"):
        book.append(write)
    with pytest.raises(LedgerError, match="nothing was written"):
        book.append(next_number)


def test_a_log_deleted_before_the_last_row_is_read_stops_the_writer(place, book, monkeypatch):
    rows = type(book)._rows
    monkeypatch.setattr(
        type(book), "_rows", lambda self, c, n: (rows(self, c, n), Path(f"{place}-wal").unlink())[0]
    )
    with pytest.raises(LedgerError, match="nothing was written"):
        book.append(lambda last: pytest.fail("written"))


def test_a_connection_without_its_log_is_never_closed(place, book):
    connection = book._connection
    Path(f"{place}-wal").rename(f"{place}-away")
    Path(f"{place}-wal").touch()
    book._forget()
    assert connection.execute("SELECT 1").fetchone() == (1,)
    assert Path(f"{place}-wal").exists()
    assert book._file in sqlite._LOST


@pytest.mark.skipif(os.name == "nt", reason="links of POSIX")
def test_the_log_of_a_link_lies_beside_the_file(tmp_path, place, book):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "link").symlink_to(place)
    linked = open_book(tmp_path / "elsewhere" / "link")
    assert linked.append(next_number).number == 2
    assert linked._log == log_of(str(place)) is not None
    assert book.append(next_number).number == 3
