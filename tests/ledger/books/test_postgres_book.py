"""A book in a real PostgreSQL: who may do what, and under which settings."""

import os
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from noisewise.errors import BudgetExceeded, LedgerError, ParameterError
from noisewise.kernel.losses import PureDP
from noisewise.ledger.books import BookRow, open_book
from noisewise.ledger.books.postgres_book import INSERT, PostgresBook
from noisewise.ledger.ledger import Ledger
from tests.kernel.laws.book_laws import BookLaws, LedgerLaws, LedgerRaces
from tests.kernel.laws.forgery_laws import ForgeryLaws
from tests.postgres import as_admin, fresh_database, with_parts


class InADatabase:
    @pytest.fixture
    def place(self, url):
        return url


class Named(InADatabase):
    @pytest.fixture
    def name(self):
        return "payroll"


class TestBook(InADatabase, BookLaws):
    pass


class TestLedger(InADatabase, LedgerLaws):
    pass


class TestNamedLedger(Named, LedgerLaws):
    pass


class TestForgeries(Named, ForgeryLaws):
    pass


class TestRaces(Named, LedgerRaces):
    pass


GUIDE = Path(__file__).parents[3] / "docs" / "tutorial" / "budgets.md"


def write(text):
    return lambda last: (text, "hash")


def alter(url, setting):
    """A default of the database, as its next connections will find it."""
    with as_admin(url) as admin:
        name = admin.info.dbname
        admin.execute(f'alter database "{name}" set {setting}')


def test_a_url_opens_a_book_in_its_database(url):
    book = open_book(url, "staff")
    assert book.append(write("a")) == BookRow(0, "a", "hash")
    assert list(open_book(url, "staff").rows()) == [book.last()] == [BookRow(0, "a", "hash")]


def test_ledgers_in_one_database_are_distinguished_by_name(url):
    staff, guests, unnamed = (open_book(url, name) for name in ("staff", "guests", None))
    for book in (staff, guests, staff, unnamed):
        book.append(write(repr(book)))
    assert [[row.number for row in book.rows()] for book in (staff, guests, unnamed)] == [[0, 1], [0], [0]]
    assert list(open_book(url, "").rows()) == list(unnamed.rows())


@pytest.mark.parametrize("name", ["a\0b", "two\nlines", "\ud800"])
def test_a_name_that_cannot_be_printed_is_refused(name):
    with pytest.raises(ParameterError, match="name must be printable text"):
        PostgresBook("postgresql:///x", name)


def test_nothing_is_made_where_nothing_is_written(url):
    book = PostgresBook(url)
    assert (book.append(lambda last: None), book.last(), list(book.rows())) == (None, None, [])
    with pytest.raises(ZeroDivisionError):
        book.append(lambda last: 1 / 0)
    with as_admin(url) as admin:
        assert admin.execute("select to_regnamespace('noisewise')").fetchone() == (None,)


def test_many_may_be_the_first_to_open_a_database(url):
    books = [PostgresBook(url, f"{i % 2}") for i in range(12)]
    with ThreadPoolExecutor(12) as threads:
        found = list(threads.map(lambda book: book.append(write("x")), books))
    assert sorted(row.number for row in found) == sorted([*range(6)] * 2)


@pytest.mark.parametrize(
    "change",
    ["update noisewise.entries set body = ''", "delete from noisewise.entries", "truncate noisewise.entries"],
)
def test_rows_stay_even_for_the_owner(url, change):
    book = PostgresBook(url)
    book.append(write("a"))
    with as_admin(url) as admin:
        admin.execute("set session_replication_role = replica")  # which switches ordinary triggers off
        with pytest.raises(psycopg.errors.RaiseException, match="append-only"):
            admin.execute(change)
    assert list(book.rows()) == [BookRow(0, "a", "hash")]


ASKED = {"neighbors": "add_remove", "contributions": 1, "memo": "median"}


def test_entries_cut_off_the_end_are_noticed_by_who_had_seen_them(url):
    ledger = Ledger.open(url, PureDP(1), name="staff")
    for _ in range(2):
        ledger.debit(PureDP(0.5), **ASKED)
    with as_admin(url) as admin:
        admin.execute("alter table noisewise.entries disable trigger append_only")
        admin.execute("delete from noisewise.entries where number = 2")
    for ask in (lambda: ledger.debit(PureDP(0.5), **ASKED), ledger.verify, lambda: ledger.spent):
        with pytest.raises(
            LedgerError, match=r"the ledger staff at postgresql://\S+ has lost row 2, which was"
        ):
            ask()
    assert Ledger.open(url, name="staff").verify() == 1


def test_a_row_far_ahead_stops_a_ledger_and_says_where(url):
    ledger = Ledger.open(url, PureDP(1), name="staff")
    with as_admin(url) as admin:
        admin.execute(INSERT, ["staff", 10_000_000, "x", "y"])
    for opened in (ledger, Ledger.open(url, name="staff")):
        with pytest.raises(LedgerError, match=r"^entry 1 of staff at postgresql://\S+ was removed$"):
            opened.debit(PureDP(0.5), **ASKED)


def test_messages_and_receipts_name_the_ledger(url):
    ledger = Ledger.open(url, PureDP(1), name="staff")
    receipt = ledger.debit(PureDP(0.5), **ASKED)
    assert str(receipt).startswith("entry 1 of staff at postgresql://")
    with pytest.raises(BudgetExceeded, match="of staff at postgresql://"):
        ledger.debit(PureDP(0.6), **ASKED)
    with pytest.raises(ParameterError, match="there is none at Staff at postgresql://"):
        Ledger.open(url, name="Staff")


@pytest.fixture
def analyst(url):
    """The URL of a role that was set up by the lines of the guide."""
    PostgresBook(url).append(write("opening"))
    (lines,) = re.findall(r"```sql\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.S)
    with as_admin(url) as admin:
        role = f"analyst_of_{admin.info.dbname}"
        for line in re.sub(r"\banalyst\b", role, lines).split(";")[:-1]:
            admin.execute(line)
        if password := os.environ.get("PGPASSWORD"):
            admin.execute(SQL("alter role {} password {}").format(Identifier(role), password))
        yield with_parts(url, user=role)
        admin.execute(f"drop owned by {role}")
        admin.execute(f"drop role {role}")


def test_the_role_of_the_guide_can_append_and_nothing_else(analyst):
    book = PostgresBook(analyst)
    assert [book.append(write(text)).number for text in "ab"] == [1, 2]
    assert [row.body for row in book.rows()] == ["opening", "a", "b"]
    for change in ("update noisewise.entries set body = ''", "delete from noisewise.entries",
                   "truncate noisewise.entries", "drop table noisewise.entries",
                   "alter table noisewise.entries disable trigger append_only"):  # fmt: skip
        with as_admin(analyst) as connection, pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute(change)


def test_a_role_without_rights_is_told_which_it_needs(server, url, analyst):
    role = urlsplit(analyst).username
    with as_admin(url) as admin:
        admin.execute(f"revoke insert on noisewise.entries from {role}")
    assert PostgresBook(analyst).last().body == "opening"
    with fresh_database(server) as bare:
        for place in (analyst, with_parts(bare, user=role)):
            with pytest.raises(
                LedgerError, match=r"nothing was written .* SELECT and INSERT .* needs CREATE"
            ):
                PostgresBook(place).append(write("a"))


@pytest.mark.parametrize(
    ("given", "used"),
    [("off", "on"), ("local", "on"), ("remote_write", "on"), ("on", "on"), ("remote_apply", "remote_apply")],
)
def test_a_commit_is_durable_whatever_the_server_is_set_to(url, given, used):
    PostgresBook(url).append(write("opening"))
    with as_admin(url) as admin:
        admin.execute("create table seen (setting text)")
        admin.execute(
            "create function look() returns trigger language plpgsql as $$ begin "
            "insert into public.seen values (current_setting('synchronous_commit')); return new; end $$"
        )
        admin.execute(
            "create trigger look before insert on noisewise.entries for each row execute function look()"
        )
    alter(url, f"synchronous_commit = {given}")
    PostgresBook(url).append(write("a"))
    with as_admin(url) as admin:
        assert admin.execute("show synchronous_commit").fetchone() == (given,)
        assert admin.execute("select setting from seen").fetchall() == [(used,)]


@pytest.mark.parametrize(
    "setting",
    [
        "default_transaction_isolation = 'serializable'",
        "default_transaction_isolation = 'repeatable read'",
        "default_transaction_read_only = on",
        "search_path = ''",
    ],
)
def test_rivals_take_turns_whatever_the_databases_defaults_are(url, setting):
    alter(url, setting)
    books, calls = [PostgresBook(url) for _ in range(4)], []

    def work(book):
        for _ in range(10):
            book.append(lambda last: calls.append(last) or ("x", "hash"))

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(work, books))
    assert [row.number for row in books[0].rows()] == list(range(40))
    assert len(calls) == 40  # nobody had to try twice: the last row is read after the lock is got


def test_text_survives_a_database_that_knows_no_encoding(server):
    with fresh_database(server, "encoding 'SQL_ASCII' lc_collate 'C' lc_ctype 'C' template template0") as url:
        book = PostgresBook(url, "é")
        book.append(write("ρ ≤ 0.5"))
        assert [row.body for row in book.rows()] == ["ρ ≤ 0.5"]


def test_parameters_of_the_url_reach_the_server(url):
    book = PostgresBook(f"{url}{'&' if '?' in url else '?'}application_name=here&options=-cwork_mem%3D77kB")

    def look(last):
        with as_admin(url) as admin:
            query = "select count(*) from pg_stat_activity where application_name = 'here'"
            return str(admin.execute(query).fetchone()[0]), "hash"

    book.append(write("opening"))
    assert book.append(look).body == "1"
    assert "application_name" not in book.place


def test_without_psycopg_the_error_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    monkeypatch.delitem(sys.modules, "noisewise.ledger.books.postgres_book")
    with pytest.raises(LedgerError, match=r'pip install "psycopg\[binary\]>=3.1.4"'):
        open_book("postgresql:///staff")
