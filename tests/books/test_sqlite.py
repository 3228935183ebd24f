"""A book in a SQLite file: the laws, and what else may stand in its place."""

import sqlite3
from contextlib import closing

import pytest

from noisewise.books import Row, open_book
from noisewise.errors import LedgerError, ParameterError, ParameterTypeError
from noisewise.privacy import PureDP
from noisewise.privacy.ledger import Ledger
from tests.laws.book_laws import ASKED, BookLaws, LedgerLaws, LedgerRaces, next_number


class InAFile:
    @pytest.fixture
    def place(self, tmp_path):
        return tmp_path / "staff.ledger"


class TestBook(InAFile, BookLaws):
    pass


class TestLedger(InAFile, LedgerLaws):
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
    ask = book._connection.execute
    assert [ask(f"PRAGMA {name}").fetchone()[0] for name in ("journal_mode", "synchronous", "fullfsync")] == [
        "wal",
        2,
        1,
    ]


def test_a_folder_change_does_not_move_the_book(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    book = open_book("staff.ledger")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    book.append(next_number)
    assert open_book(tmp_path / "staff.ledger").last() == Row(0, "0", "hash of 0")
    assert (book.place, book.address) == ("staff.ledger", (str(tmp_path / "staff.ledger"), None))
    assert repr(book) == f"SqliteBook({str(tmp_path / 'staff.ledger')!r})"


def test_looking_creates_no_file(place):
    assert (open_book(place).last(), list(open_book(place).rows())) == (None, [])
    assert not place.exists()


# Files that are no ledgers


@pytest.mark.parametrize(
    ("path", "error", "says"),
    [
        ("", ParameterError, "path must name a file, got '': a ledger that forgets is no ledger"),
        (":memory:", ParameterError, "a ledger that forgets is no ledger"),
        ("file:x?mode=memory", ParameterError, "path must be a file's path or a postgresql:// URL"),
        ("mysql://host/base", ParameterError, "path must be a file's path or a postgresql:// URL"),
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


def test_another_database_is_no_ledger_and_is_left_alone(place):
    with sqlite3.connect(place) as other:
        other.execute("CREATE TABLE people (name TEXT)")
    other.close()
    before = place.read_bytes()
    with pytest.raises(LedgerError, match="is not a ledger but another SQLite database"):
        Ledger.open(place, PureDP(1))
    assert place.read_bytes() == before


def test_an_empty_file_is_an_empty_book(place):
    place.touch()
    assert Ledger.open(place, PureDP(1)).debit(PureDP(1), **ASKED).number == 1


def test_a_newer_layout_is_refused(place):
    open_book(place).append(next_number)
    with sqlite3.connect(place) as raw:
        raw.execute("PRAGMA user_version = 2")
    raw.close()
    with pytest.raises(LedgerError, match="written by a newer noisewise: upgrade"):
        open_book(place).last()


def test_a_broken_file_is_an_error_in_words(place):
    Ledger.open(place, PureDP(1)).debit(PureDP(0.1), **ASKED)
    pages = place.read_bytes()
    place.write_bytes(pages[:4096] + b"\x55" * (len(pages) - 4096))
    with pytest.raises(LedgerError, match="malformed"):
        Ledger.open(place)
