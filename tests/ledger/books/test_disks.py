"""What files, disks and forks do to a ledger in a SQLite file: a clear error, never a release that is not booked."""

import ctypes
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import pytest

from noisewise.errors import LedgerError
from noisewise.kernel.losses import PureDP
from noisewise.ledger.books import open_book, sqlite_file
from noisewise.ledger.books import sqlite_book as module
from noisewise.ledger.ledger import Ledger
from tests.kernel.laws.book_laws import ASKED, in_child, next_number

REFUSED = """
import os, sys
from noisewise.errors import LedgerError
from noisewise.kernel.losses import PureDP
from noisewise.ledger.ledger import Ledger
{before}
try:
    {act}
except LedgerError as error:
    print(error)
"""
DEBIT = 'ledger.debit(PureDP(0.1), neighbors="add_remove", contributions=1, memo="x" * 100_000)'


@pytest.fixture
def place(tmp_path):
    return tmp_path / "staff.ledger"


def refused(before, act=DEBIT):
    """What a process is told that prepares itself by ``before`` and then acts."""
    script = REFUSED.format(before=before, act=act)
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.strip()


# Files that change their identity


@pytest.mark.parametrize("how", ["removed", "replaced", "replaced while closed"])
def test_a_file_that_was_removed_or_replaced_is_never_debited_again(place, tmp_path, how):
    ledger = Ledger.open(place, PureDP(1))
    copy = tmp_path / "copy"
    shutil.copy(place, copy)
    ledger.debit(PureDP(1), **ASKED)
    if how == "replaced while closed":
        ledger._book._forget()
    for suffix in ("", "-journal"):
        Path(f"{place}{suffix}").unlink(missing_ok=True)
    if how != "removed":
        copy.rename(place)
    for _ in range(2):
        with pytest.raises(LedgerError, match="was removed or replaced while it was open"):
            ledger.debit(PureDP(1), **ASKED)
    assert place.exists() is (how != "removed")


def test_a_file_of_two_names_is_refused(place, tmp_path):
    ledger = Ledger.open(place, PureDP(1))
    os.link(place, tmp_path / "other")
    for handle in (lambda: ledger.debit(PureDP(1), **ASKED), lambda: Ledger.open(tmp_path / "other")):
        with pytest.raises(LedgerError, match="must have one name only"):
            handle()
    (tmp_path / "other").unlink()
    assert ledger.debit(PureDP(1), **ASKED).number == 1


@pytest.mark.parametrize("how", ["replaced", "linked"])
def test_an_entry_in_a_file_that_changes_meanwhile_is_in_doubt(place, tmp_path, how):
    book = open_book(place)
    book.append(next_number)
    shutil.copy(place, tmp_path / "copy")

    def write(rows):
        if how == "linked":
            os.link(place, tmp_path / "other")
        else:
            (tmp_path / "copy").rename(place)
        return next_number(rows)

    noticed_by_sqlite = sqlite_file.OWNED is None and how == "replaced"
    says = "cannot be written" if noticed_by_sqlite else "; an entry was written, and perhaps it was lost"
    with pytest.raises(LedgerError, match=says):
        book.append(write)


# Disks that fail


@pytest.mark.skipif(sys.platform == "win32", reason="limits of POSIX")
def test_a_full_disk_is_a_clear_error_and_no_debit(place):
    """A file may not grow: the system call fails as on a full disk."""
    before = f"""
import resource, signal
ledger = Ledger.open({str(place)!r}, PureDP(1))
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, 40_000))
"""
    said = refused(before)
    assert said.startswith(f"the ledger {place} cannot be written: the disk is full or failing")
    ledger = Ledger.open(place)
    assert (ledger.verify(), ledger.remaining) == (0, PureDP(1))
    assert ledger.debit(PureDP(1), **ASKED).number == 1


@pytest.mark.skipif(not hasattr(os, "setuid"), reason="users of POSIX")
def test_a_read_only_ledger_is_a_clear_error_and_no_debit():
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "staff.ledger"
        Ledger.open(place, PureDP(1))
        before = f"""
PureDP(0.1).as_zcdp()  # whatever this imports, before it may not be read any more
ledger = Ledger.open({str(place)!r})
ledger._book._forget()
os.chmod({str(place)!r}, 0o444)
os.chmod({folder!r}, 0o555)
if os.getuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
"""
        said = refused(before)
        Path(folder).chmod(0o755)
        place.chmod(0o644)
        assert said == f"the ledger {place} cannot be written: the file or its folder is read-only"
        assert Ledger.open(place).verify() == 0


def test_a_ledger_that_others_hold_too_long_is_a_clear_error(place, monkeypatch):
    monkeypatch.setattr(module, "PATIENCE", 0.1)
    ledger = Ledger.open(place, PureDP(2))
    ledger.debit(PureDP(1), **ASKED)
    hog = sqlite3.connect(place, isolation_level=None)
    hog.execute("BEGIN IMMEDIATE")
    with pytest.raises(LedgerError, match="cannot be written: others have held it for more than"):
        ledger.debit(PureDP(1), **ASKED)
    hog.execute("ROLLBACK")
    hog.close()
    assert ledger.debit(PureDP(1), **ASKED).number == 2


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_process_that_is_killed_at_any_moment_leaves_every_entry_that_it_was_given(place):
    rounds, booked = 12, 0
    Ledger.open(place, PureDP(10**6)).close()
    for n in range(rounds):
        told, tell = os.pipe()
        child = os.fork()
        if child == 0:
            ledger = Ledger.open(place)
            while True:
                os.write(tell, b"%d\n" % ledger.debit(PureDP(1), **ASKED).number)
        os.close(tell)
        with open(told) as numbers:
            numbers.readline()
            time.sleep(0.01 + 0.0037 * n)
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            given = [int(number) for number in numbers]
        stands = Ledger.open(place).verify()
        assert max(given, default=booked) <= stands
        booked = stands
    assert booked >= rounds


# Forks


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_no_connection_lives_through_a_fork(place):
    book = open_book(place)
    book.append(next_number)
    book.append(next_number)
    assert book._connection is not None
    assert in_child(lambda: exec("assert book._connection is None", {"book": book})) == 0
    assert book._connection is None


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_child_outlives_its_parents_connections_and_loses_nothing(place):
    """Neither lets go what the other holds."""
    book = open_book(place)
    book.append(next_number)
    ready, go_on = os.pipe()

    def child():
        book.append(next_number)
        os.read(ready, 1)
        book.append(next_number)

    def parent_closes():
        book.append(next_number)
        book._forget()
        os.write(go_on, b"x")

    timer = threading.Timer(0.5, parent_closes)
    timer.start()
    assert in_child(child) == 0
    timer.join()
    assert [row.body for row in module.SqliteBook(place).rows()] == ["0", "1", "2", "3"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_fork_behind_pythons_back_is_refused(place):
    book = open_book(place)
    book.append(next_number)
    book.append(next_number)
    child = ctypes.CDLL(None).fork()
    if child == 0:
        os._exit(7 if all(map(is_refused, (book, open_book(place)))) else 8)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    assert [row.body for row in book.rows()] == ["0", "1"]


def is_refused(book):
    try:
        book.append(next_number)
    except LedgerError as error:
        return "forked without Python's knowledge" in str(error)
    return False


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_an_interrupt_while_forking_leaves_a_child_that_refuses(place, monkeypatch):
    """The hook fails and Python forks all the same: the child has the parent's connection."""
    monkeypatch.setattr(module, "PATIENCE", 2)  # so long waits whoever finds the file held, by mistake
    book = open_book(place)
    book.append(next_number)
    book.append(next_number)
    forget = module.SqliteBook._forget

    def interrupted(self):
        if self is book:
            raise KeyboardInterrupt
        forget(self)

    def child():
        monkeypatch.setattr(module.SqliteBook, "_forget", forget)
        assert is_refused(book) and is_refused(open_book(place))
        book._forget()  # as at exit: it must not close what the parent has open
        book._forget()
        assert is_refused(book) and is_refused(open_book(place))

    monkeypatch.setattr(module.SqliteBook, "_forget", interrupted)
    code = in_child(child)
    monkeypatch.setattr(module.SqliteBook, "_forget", forget)
    assert code == 0
    place.read_bytes()
    other = [
        sys.executable,
        "-c",
        f"import sqlite3; sqlite3.connect({str(place)!r}).execute('select * from rows')",
    ]
    subprocess.run(other, check=True, timeout=20)
    assert book.append(next_number).number == 2


def test_a_connection_is_taken_out_before_it_is_closed(place):
    """An interrupt in between leaves no closed connection behind."""
    book = open_book(place)
    book.append(next_number)
    book.append(next_number)
    seen = []

    class Spy:
        def execute(self, *args):
            seen.append(book._connection)

        def close(self):
            seen.append(book._connection)
            raise KeyboardInterrupt

    real, book._connection = book._connection, Spy()
    with pytest.raises(KeyboardInterrupt):
        book._forget()
    assert seen == [None, None]
    real.close()
    assert book.append(next_number).number == 2
