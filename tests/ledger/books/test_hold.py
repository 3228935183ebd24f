"""A hold is kept whatever else the process does with the file: nobody else reads or writes it meanwhile."""

import gc
import hashlib
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path

import pytest

from noisewise.errors import BudgetExceeded, LedgerError
from noisewise.kernel.losses import PureDP
from noisewise.ledger.books import open_book, sqlite_file
from noisewise.ledger.books import sqlite_book as sqlite
from noisewise.ledger.books.sqlite_file import OWNED, Hold
from noisewise.ledger.ledger import Ledger
from tests.kernel.laws.book_laws import ASKED, next_number

SPEND = """
import sys
from noisewise.errors import BudgetExceeded
from noisewise.kernel.losses import PureDP
from noisewise.ledger.ledger import Ledger

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
from noisewise.kernel.losses import PureDP
from noisewise.ledger.ledger import Ledger

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

owned = pytest.mark.skipif(sqlite_file.OWNED is None, reason="no locks of descriptors here")


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


@owned
def test_a_hold_knows_the_path_without_links(place, tmp_path):
    place.write_bytes(b"")
    (tmp_path / "link").symlink_to(place)
    held = sqlite_file.Hold(str(tmp_path / "link"))
    assert held.real_path() in (os.path.realpath(place), None)
    held.release()
    assert held.real_path() is None


@owned
def test_a_hold_knows_no_path_that_leads_to_another_file(place, tmp_path):
    """Of a file that was unlinked and linked again Linux says a path that has not been there."""
    place.write_bytes(b"")
    held = sqlite_file.Hold(str(place))
    os.link(place, tmp_path / "kept")
    os.unlink(place)
    os.link(tmp_path / "kept", place)
    assert held.real_path() is None
    Path(f"{place} (deleted)").write_bytes(b"")
    assert held.real_path() is None


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
def test_a_foreign_reader_undoes_nothing_that_is_being_written(place, book):
    """SQLite's own locks would be gone once the file was read; it would take the journal for one of a crash."""
    seen = []

    def write(rows):
        place.read_bytes()
        with closing(sqlite3.connect(place, timeout=0)) as other:
            try:
                seen.append(other.execute("SELECT max(number) FROM rows").fetchone())
            except sqlite3.OperationalError as error:
                seen.append(str(error))
        return next_number(rows)

    assert book.append(write).number == 2
    assert seen == ["database is locked"]
    assert run(LOOK, place) == 2


@owned
def test_a_turn_is_kept_while_the_file_is_read(place, book):
    """SQLite's own lock of the writer would be gone once another thread has read the file."""
    inside, rival = [], open_book(place)
    rival.last()

    def write(last):
        place.read_bytes()
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
def test_a_hold_keeps_everybody_from_the_file(place, book):
    book.close()
    with Hold(str(place)) as hold, closing(sqlite3.connect(place, timeout=0)) as other:
        assert hold.real and hold.take_turn(0)
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            other.execute("SELECT * FROM rows")
        hold.end_turn()
        assert other.execute("SELECT count(*) FROM rows").fetchone() == (2,)
        other.execute("BEGIN IMMEDIATE")
        assert not hold.take_turn(0.01)
    hold.release()


@owned
def test_readers_hold_a_file_together_and_keep_writers_out(place, book):
    with Hold(str(place), write=False) as one, Hold(str(place), write=False) as other:
        assert one.take_turn(0) and other.take_turn(0)
        with Hold(str(place)) as writer:
            assert not writer.take_turn(0.01)


@owned
def test_a_writer_that_looks_again_keeps_its_turn(place, book):
    def write(rows):
        assert book.last().number == 1
        with Hold(str(place)) as other:
            assert not other.take_turn(0.01)
        return next_number(rows)

    assert book.append(write).number == 2


@owned
def test_what_an_interrupted_reader_leaves_open_is_not_believed_later(place, book):
    """A statement that was cut short would keep the rows it knows, while others add to them."""
    kept = []

    def interrupted(connection, since):
        kept.append(connection.execute("SELECT number, body, hash FROM rows"))
        kept[0].fetchone()
        raise KeyboardInterrupt

    book._rows = interrupted
    with pytest.raises(KeyboardInterrupt):
        book.last()
    del book._rows
    assert open_book(place).append(next_number).number == 2
    assert book.append(next_number).number == 3


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
    with pytest.raises(LedgerError, match="cannot be read: others have held it"):
        open_book(place).last()
    hold.release()
    assert book.append(next_number).number == 2


def test_there_is_nothing_to_hold_where_there_is_no_file(place):
    hold = Hold(str(place))
    assert (hold.real, hold.identity(), hold.read(2), hold.take_turn(0)) == (False, None, b"", True)
    hold.end_turn()


@owned
def test_a_hold_that_fails_later_is_no_leave_to_go_on(place, book, monkeypatch):
    """The connection locks nothing by itself."""

    def refuse(self, kind, span):
        raise OSError(37, "No locks available")

    monkeypatch.setattr(Hold, "_lock", refuse)
    with pytest.raises(LedgerError, match="cannot be written: No locks available"):
        book.append(lambda rows: pytest.fail("written"))
    monkeypatch.undo()
    assert book.append(next_number).number == 2


def test_a_system_without_such_locks_gets_along(place, monkeypatch):
    monkeypatch.setattr(sqlite_file, "OWNED", None)
    books = [open_book(place) for _ in range(2)]
    assert [books[n % 2].append(next_number).number for n in range(6)] == list(range(6))
    hold = Hold(str(place))
    assert hold.take_turn(0) and not hold.real
    hold.end_turn()
    hold.release()


def test_a_file_system_without_such_locks_gets_along(place, book, monkeypatch):
    gc.collect()  # no other hold is to be let go meanwhile

    def refuse(self, kind, span):
        raise OSError(22, "Invalid argument")

    monkeypatch.setattr(Hold, "_lock", refuse)
    assert open_book(place).append(next_number).number == 2


@pytest.mark.skipif(not hasattr(os, "fork") or OWNED is None, reason="this system has no such locks")
def test_a_hold_that_is_release_is_release_in_a_child_that_was_forked_meanwhile(tmp_path):
    """The child has a copy of the descriptor; its parent's lock must not live on in it."""
    path = tmp_path / "ledger"
    path.write_bytes(b"")
    held = Hold(str(path))
    assert held.take_turn(1)
    child = os.fork()
    if child == 0:
        time.sleep(30)
        os._exit(0)
    try:
        held.release()
        with Hold(str(path)) as other:
            assert other.take_turn(1)
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


@pytest.mark.skipif(not hasattr(os, "fork") or OWNED is None, reason="this system has no such locks")
def test_a_child_does_not_release_what_its_parent_holds(tmp_path):
    path = tmp_path / "ledger"
    path.write_bytes(b"")
    held = Hold(str(path))
    assert held.take_turn(1)
    child = os.fork()
    if child == 0:
        held.release()
        os._exit(0)
    os.waitpid(child, 0)
    with Hold(str(path)) as other:
        assert not other.take_turn(0.05)
    held.release()
