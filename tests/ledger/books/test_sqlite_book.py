"""A book in a SQLite file: the laws, and how it is addressed."""

import pickle
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest

from noisewise.errors import LedgerError, ParameterError, ParameterTypeError
from noisewise.kernel.losses import PureDP
from noisewise.ledger.books import BookRow, open_book, sqlite_file
from noisewise.ledger.books.sqlite_book import SqliteBook
from noisewise.ledger.ledger import Ledger
from tests.kernel.laws.book_laws import ASKED, BookLaws, LedgerLaws, LedgerRaces, next_number
from tests.kernel.laws.forgery_laws import ForgeryLaws


class InAFile:
    @pytest.fixture
    def place(self, tmp_path):
        return tmp_path / "staff.ledger"


class TestBook(InAFile, BookLaws):
    pass


class TestLedger(InAFile, LedgerLaws):
    pass


class TestForgeries(InAFile, ForgeryLaws):
    pass


class TestRaces(InAFile, LedgerRaces):
    pass


@pytest.fixture
def place(tmp_path):
    return tmp_path / "staff.ledger"


# What is written stays


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE rows SET body = 'x'",
        "UPDATE rows SET number = 7 WHERE number = 0",
        "DELETE FROM rows",
        "DELETE FROM rows WHERE number = 1",
        "INSERT OR REPLACE INTO rows VALUES (1, 'x', 'x')",
        "INSERT INTO rows VALUES (7, 'x', 'x')",
        "INSERT INTO rows VALUES (-1, 'x', 'x')",
    ],
)
def test_rows_cannot_be_changed_by_accident(place, statement):
    book = open_book(place)
    book.append(next_number)
    book.append(next_number)
    with (
        closing(sqlite3.connect(place)) as raw,
        pytest.raises(sqlite3.IntegrityError, match="a ledger is append-only"),
    ):
        raw.execute(statement)
    assert [row.body for row in book.rows()] == ["0", "1"]


def test_commits_are_synced_in_full(place):
    book = open_book(place)
    book.append(next_number)
    book.append(next_number)
    ask = book._connection.execute
    assert [ask(f"PRAGMA {name}").fetchone()[0] for name in ("journal_mode", "synchronous", "fullfsync")] == [
        "persist",
        3,
        1,
    ]


def test_a_folder_change_does_not_move_the_book(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    book = open_book("staff.ledger")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    book.append(next_number)
    assert open_book(tmp_path / "staff.ledger").last() == BookRow(0, "0", "hash of 0")
    assert (book.place, book.address) == ("staff.ledger", (str(tmp_path / "staff.ledger"), None))
    assert book.full_place == str(tmp_path / "staff.ledger")
    assert repr(book) == f"SqliteBook({str(tmp_path / 'staff.ledger')!r})"


def test_writers_take_turns_by_the_locks_of_sqlite_alone(place, monkeypatch):
    """As on a system without locks of descriptors."""
    monkeypatch.setattr(sqlite_file, "OWNED", None)
    book, rival, order = open_book(place), open_book(place), []
    book.append(next_number)

    def write(rows):
        racer.start()
        racer.join(0.3)
        order.append(rows[-1].number + 1)
        return next_number(rows)

    racer = threading.Thread(target=lambda: order.append(rival.append(next_number).number))
    assert book.append(write).number == 1
    racer.join(30)
    assert order == [1, 2]


def test_looking_creates_no_file(place):
    assert (open_book(place).last(), list(open_book(place).rows())) == (None, [])
    assert not place.exists()


# Addresses


@pytest.mark.parametrize(
    ("path", "error", "says"),
    [
        (
            "",
            ParameterError,
            "path must name a file, got '': a ledger in memory would be lost with the program",
        ),
        (":memory:", ParameterError, "a ledger in memory would be lost with the program"),
        ("file:x?mode=memory", ParameterError, "path must be a file's path or a postgresql:// URL"),
        ("a\0b", ParameterError, "path must be a file's path"),
        (
            b"staff.ledger",
            ParameterTypeError,
            "path must be a file's path or a postgresql:// URL, got a bytes",
        ),
        (None, ParameterTypeError, "got None"),
        (7, ParameterTypeError, "got 7"),
    ],
)
def test_paths_that_name_no_file_are_refused(path, error, says):
    with pytest.raises(error) as caught:
        open_book(path)
    assert says in str(caught.value)


SECRET = "hunter2"


@pytest.mark.parametrize(
    "address",
    [
        f"postgresql+psycopg2://u:{SECRET}@host/base",
        f"POSTGRESQL://u:{SECRET}@host/base",
        f" postgresql://u:{SECRET}@host/base",
        f"postgresql:/u:{SECRET}@host/base",
        f"host=db user=u password={SECRET} dbname=base",
        f"dbname = base password = {SECRET}",
        f"mysql://u:{SECRET}@host/base",
        f"u:{SECRET}@host/base",
        f"u:{SECRET}/@host",
        f"//u:{SECRET}@host/base",
        f"PGPASSWORD={SECRET}",
        Path(f"postgresql://u:{SECRET}@host/base"),
    ],
)
def test_an_address_that_is_no_path_is_refused_and_not_shown(address, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ParameterError) as caught:
        Ledger.open(address, PureDP(1))
    assert str(caught.value).startswith("path must be a file's path or a URL like postgresql://user@host")
    assert SECRET not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "path", ["user.ledger", "a=b.ledger", "./host=web.ledger", "postgres.ledger", "a@b.ledger", "./a:b@c"]
)
def test_a_path_that_only_looks_like_an_address_is_a_path(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    open_book(path).append(next_number)
    assert (tmp_path / path).exists()


def test_a_tilde_is_the_home_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    open_book("~/staff.ledger").append(next_number)
    assert (tmp_path / "staff.ledger").exists()


EXIT = """
import builtins, sys, threading
import noisewise as nws

ledger = nws.Ledger.open(sys.argv[1], budget=nws.PureDP(3))
nws.median([1, 2, 3], bounds=(0, 4), epsilon=1, ledger=ledger)
builtins.kept_to_the_end = ledger
if sys.argv[2] == "busy":  # a thread has it and never gives it back
    thread = threading.Thread(target=ledger._book._lock.acquire)
    thread.start()
    thread.join()
"""


@pytest.mark.parametrize("how", ["idle", "busy"])
def test_a_book_that_lives_to_the_end_of_the_program_is_closed_in_silence(place, how):
    """The last objects are deleted when built-in names are gone already."""
    program = [sys.executable, "-c", EXIT, str(place), how]
    ran = subprocess.run(program, capture_output=True, text=True, check=True)
    assert ran.stderr == ""
    if how == "idle":
        assert [file.name for file in place.parent.iterdir()] == [place.name]  # no journal is left
    assert len(list(Ledger.open(place).entries())) == 1


# Rows that do not stay

SPENDER = """
import sys
from noisewise.errors import NoisewiseError
from noisewise.kernel.losses import PureDP
from noisewise.ledger.ledger import Ledger

try:
    Ledger.open(sys.argv[1]).debit(PureDP(1), neighbors="add_remove", contributions=1, memo="all of it")
    print("spent")
except NoisewiseError as error:
    print(type(error).__name__)
"""


def spenders(place, count=5):
    """What becomes of processes that each want the whole budget."""
    command = [sys.executable, "-c", SPENDER, str(place)]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(count)]
    return sorted(process.communicate(timeout=120)[0].strip() for process in running)


def test_a_planted_trigger_lets_nobody_spend_what_five_would_spend_each(place):
    Ledger.open(place, PureDP(1)).close()
    with closing(sqlite3.connect(place)) as raw:
        raw.execute("DROP TRIGGER rows_last")
        raw.execute("CREATE TRIGGER forget AFTER INSERT ON rows BEGIN DELETE FROM rows WHERE number > 0; END")
    assert spenders(place) == ["LedgerError"] * 5


@pytest.mark.parametrize("owned", [True, False])
def test_a_row_that_is_left_out_behind_our_back_is_no_debit(place, monkeypatch, owned):
    """A trigger of the connection itself stands in no file."""
    if not owned:
        monkeypatch.setattr(sqlite_file, "OWNED", None)
    ledger = Ledger.open(place, PureDP(1))
    assert len(ledger) == 0
    ledger._book._connection.execute(
        "CREATE TEMP TRIGGER quiet BEFORE INSERT ON main.rows BEGIN SELECT RAISE(IGNORE); END"
    )
    with pytest.raises(LedgerError, match="did not keep the entry that was written"):
        ledger.debit(PureDP(1), **ASKED)
    assert len(Ledger.open(place)) == 0


def test_by_the_locks_of_sqlite_alone_a_rival_may_write_before_a_row_is_read_again(place, monkeypatch):
    monkeypatch.setattr(sqlite_file, "OWNED", None)
    book, rival, rows, written = open_book(place), open_book(place), SqliteBook._rows, []
    book.append(next_number)

    def late(self, connection, since):
        if not connection.in_transaction and not written:
            written.append(None)
            written.append(rival.append(next_number))
        return rows(self, connection, since)

    monkeypatch.setattr(SqliteBook, "_rows", late)
    assert book.append(next_number) == BookRow(1, "1", "hash of 1")
    assert written[1].number == 2 and book.append(next_number).number == 3


def test_a_row_that_the_next_writer_would_not_find_is_no_debit(place):
    """The page above all rows is changed to say that new ones belong before its last part, where nobody looks."""
    book = open_book(place)
    for _ in range(12):
        last = book.append(lambda rows: ("x" * 1500, "hash"))
    book.close()
    data = bytearray(place.read_bytes())
    size = int.from_bytes(data[16:18], "big")
    assert data[size] == 5, "the second page is the inner page of the table"
    cells = int.from_bytes(data[size + 3 : size + 5], "big")
    pointer = size + 12 + 2 * (cells - 1)
    cell = size + int.from_bytes(data[pointer : pointer + 2], "big")
    assert data[cell + 4] < last.number < 100, "after the page's number, the last number of that part"
    data[cell + 4] = 100
    place.write_bytes(data)
    assert book.last() == last
    with pytest.raises(LedgerError, match="did not keep the entry that was written"):
        book.append(lambda rows: ("y", "hash"))
    assert book.last() == last


# Other systems than Linux


@pytest.mark.parametrize("system", ["darwin", "win32", "freebsd14"])
def test_a_ledger_in_a_file_is_refused_where_its_locks_were_not_tried(place, monkeypatch, system):
    with Ledger.open(place, PureDP(1)) as ledger:
        kept = pickle.dumps(ledger)
    before = place.read_bytes()
    monkeypatch.setattr(sys, "platform", system)
    new = place.with_name("new.ledger")
    for ask in (
        lambda: Ledger.open(place),
        lambda: Ledger.open(new, PureDP(1)),
        lambda: pickle.loads(kept),
    ):
        with pytest.raises(LedgerError, match=r"^a ledger in a file needs 64-bit Linux: only its locks"):
            ask()
    assert place.read_bytes() == before and [*place.parent.iterdir()] == [place]


def test_a_ledger_in_postgresql_is_not_refused_there(monkeypatch):
    monkeypatch.setattr(sys, "platform", "darwin")
    assert (
        open_book("postgresql://officer@db.example/privacy").place
        == "postgresql://officer@db.example/privacy"
    )


ELSEWHERE = """
import asyncio, ctypes, multiprocessing, os, pkgutil, signal, subprocess, sys, sysconfig, tempfile, urllib.request
import duckdb, flint, narwhals, numpy, polars, psycopg, pyarrow, rich.console, typer, uvicorn
import uvicorn.protocols.http.h11_impl, starlette.applications, starlette.responses

for name in ("fcntl", "grp", "pwd", "resource", "termios"):
    sys.modules[name] = None
for name in ("O_CLOEXEC", "O_NOFOLLOW", "fork", "geteuid", "getuid", "pread", "register_at_fork",
             "sched_getaffinity", "setsid"):
    delattr(os, name)
del signal.SIGHUP
sys.platform = sys.argv[1]
import noisewise

for module in pkgutil.walk_packages(noisewise.__path__, "noisewise."):
    if not module.name.endswith(("__main__", "spark", "spark_jobs", "spark_kept", "dp_accounting", "opendp")):
        __import__(module.name)
assert noisewise.median([1, 2, 3], bounds=(0, 9), epsilon=1).value is not None
with noisewise.cli.run.stoppable():
    noisewise.cli.run.switch_core_dumps_off()
"""


@pytest.mark.parametrize("system", ["darwin", "win32"])
def test_the_library_is_imported_and_answers_without_what_linux_has(system):
    done = subprocess.run(
        [sys.executable, "-c", ELSEWHERE, system], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
