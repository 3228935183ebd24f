"""What breaks around a commit: an error, nothing booked twice, and the next call works."""

import os
import signal
import threading
import time

import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from noisewise.errors import LedgerError
from noisewise.ledger.books import postgres_book as postgres
from noisewise.ledger.books.postgres_book import PostgresBook
from tests.postgres import as_admin, with_parts


def write(text):
    return lambda last: (text, "hash")


@pytest.fixture
def book(url):
    opened = PostgresBook(url, "staff")
    opened.append(write("opening"))
    return opened


def bodies(book):
    return [row.body for row in book.rows()]


def hang_up(url):
    """End every other connection to the database."""
    with as_admin(url) as admin:
        query = (
            "select pg_terminate_backend(pid, 5000) from pg_stat_activity"
            " where datname = current_database() and pid <> pg_backend_pid()"
        )
        assert (True,) in admin.execute(query).fetchall()


def on_insert(url, body, timing="before insert"):
    """Let the server do something of its own at each insert, or at the commit of it."""
    constraint = "constraint " if "deferred" in timing else ""
    with as_admin(url) as admin:
        admin.execute("create sequence inserts")
        admin.execute(
            f"create function act() returns trigger language plpgsql as $$ begin {body} return new; end $$"
        )
        admin.execute(
            f"create {constraint}trigger act {timing.replace('insert', 'insert on noisewise.entries')}"
            " for each row execute function act()"
        )


ONCE = "if nextval('inserts') = 1 then {} end if;"


def test_a_connection_lost_while_idle_is_replaced(book, url):
    for call in (lambda: book.append(write("a")), book.last, lambda: book.append(write("b"))):
        hang_up(url)
        assert call().body
    assert bodies(book) == ["opening", "a", "b"]


def test_while_the_server_is_away_nothing_is_written(book, url, server):
    with as_admin(server) as admin:
        name = book.place.rpartition("/")[2]
        admin.execute(f'alter database "{name}" allow_connections false')
        admin.execute(
            "select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = %s", [name]
        )
        for call in (lambda: book.append(write("a")), book.last, lambda: bodies(book)):
            with pytest.raises(
                LedgerError, match=f'database "{name}" is not currently accepting connections'
            ):
                call()
        admin.execute(f'alter database "{name}" allow_connections true')
    assert book.append(write("b")).number == 1
    assert bodies(book) == ["opening", "b"]


def test_a_connection_lost_before_the_commit_writes_nothing(book, url):
    def lose(last):
        hang_up(url)
        return "a", "hash"

    with pytest.raises(
        LedgerError, match="nothing was written to the ledger staff at postgresql://"
    ) as caught:
        book.append(lose)
    assert caught.value.__suppress_context__
    assert bodies(book) == ["opening"]
    assert book.append(write("b")).number == 1


def test_a_connection_lost_during_the_commit_leaves_it_open_what_stands(book, url):
    on_insert(
        url,
        ONCE.format("perform pg_terminate_backend(pg_backend_pid());"),
        "after insert deferrable initially deferred",
    )
    calls = []
    with pytest.raises(LedgerError, match="an entry was sent, and perhaps it was written"):
        book.append(lambda last: calls.append(last) or ("a", "hash"))
    assert len(calls) == 1
    assert bodies(book) == ["opening"]
    assert book.append(write("b")).number == 1


def test_a_commit_whose_answer_is_lost_stands_and_is_not_repeated(book, url, monkeypatch):
    calls = []

    def lose(connection):
        monkeypatch.undo()
        connection.commit()
        hang_up(url)
        connection.execute("select 1")

    monkeypatch.setattr(psycopg.Connection, "commit", lose)
    with pytest.raises(LedgerError, match="an entry was sent, and perhaps it was written"):
        book.append(lambda last: calls.append(last) or ("a", "hash"))
    assert len(calls) == 1
    assert bodies(book) == ["opening", "a"]
    assert book.append(write("b")).number == 2


def test_ctrl_c_during_the_commit_passes_and_the_next_call_works(book, url, monkeypatch):
    def interrupt(connection):
        raise KeyboardInterrupt

    monkeypatch.setattr(psycopg.Connection, "commit", interrupt)
    with pytest.raises(KeyboardInterrupt):
        book.append(write("a"))
    monkeypatch.undo()
    assert book.append(write("b")).number == 1
    assert bodies(book) == ["opening", "b"]


@pytest.mark.parametrize("interrupted", ["execute", "rollback"])
def test_ctrl_c_amid_a_command_leaves_no_connection_that_still_runs_it(book, monkeypatch, interrupted):
    """Whoever rolls back on it would be told that another command is in progress."""
    kept = book._sessions[os.getpid()].connection

    def interrupt(*args):
        raise KeyboardInterrupt

    for call in (lambda: book.append(lambda rows: None), book.last):
        monkeypatch.setattr(psycopg.Connection, "rollback", lambda self: pytest.fail("used again"))
        monkeypatch.setattr(psycopg.Connection, interrupted, interrupt)
        with pytest.raises(KeyboardInterrupt):
            call()
        monkeypatch.undo()
        assert book._sessions[os.getpid()].connection is None
        assert kept.closed
        assert book.last().body == "opening"
        kept = book._sessions[os.getpid()].connection


def refuse(rows):
    raise LedgerError("no")


def test_ctrl_c_while_a_refusal_is_rolled_back_leaves_no_connection(book, monkeypatch):
    def interrupt(*args):
        raise KeyboardInterrupt

    monkeypatch.setattr(psycopg.Connection, "rollback", interrupt)
    with pytest.raises(KeyboardInterrupt):
        book.append(refuse)
    assert book._sessions[os.getpid()].connection is None
    monkeypatch.undo()
    assert book.append(write("a")).number == 1


def test_what_a_writer_refuses_costs_no_connection(book):
    kept = book._sessions[os.getpid()].connection
    with pytest.raises(LedgerError, match=r"^no$"):
        book.append(refuse)
    assert book._sessions[os.getpid()].connection is kept and not kept.closed


def test_a_rival_that_ignores_the_lock_is_noticed_by_the_key(book, url):
    seen = []

    def write_after_rival(rows):
        seen.append(rows[-1].number)
        if len(seen) == 1:
            with as_admin(url) as admin:
                admin.execute(postgres.INSERT, ["staff", 1, "rival", "hash"])
        return f"after {rows[-1].body}", "hash"

    assert book.append(write_after_rival).number == 2
    assert seen == [0, 1]
    assert bodies(book) == ["opening", "rival", "after rival"]


@pytest.mark.parametrize("code", ["40001", "40P01"])
def test_what_the_server_calls_a_conflict_is_tried_again(book, url, code):
    on_insert(url, ONCE.format(f"raise exception 'conflict' using errcode = '{code}';"))
    assert book.append(write("a")).number == 1
    assert bodies(book) == ["opening", "a"]


def test_a_conflict_without_end_is_given_up(book, url):
    on_insert(url, "raise exception 'conflict' using errcode = '40001';")
    with pytest.raises(LedgerError, match=r"nothing was written .* other writers were always first"):
        book.append(write("a"))
    assert bodies(book) == ["opening"]


def test_other_errors_of_the_server_are_told_and_nothing_is_written(book, url):
    on_insert(url, ONCE.format("raise exception 'no room' using errcode = 'disk_full';"))
    with pytest.raises(LedgerError, match=r"nothing was written to the ledger staff at .*: no room$"):
        book.append(write("a"))
    assert book.append(write("b")).number == 1


@pytest.mark.parametrize("body", ["return null;", "new.hash = 'other';"])
def test_a_row_that_the_server_does_not_store_as_it_is_is_no_debit(book, url, body):
    on_insert(url, body)
    with pytest.raises(LedgerError, match="the database did not store the row as it is"):
        book.append(write("a"))
    assert bodies(book) == ["opening"]
    with as_admin(url) as admin:
        admin.execute("drop trigger act on noisewise.entries")
    assert book.append(write("b")).number == 1


REMOVE = """
alter table noisewise.entries disable trigger append_only;
create or replace function act() returns trigger security definer language plpgsql as $$ begin
    delete from noisewise.entries where number = new.number; return null; end $$;
"""


@pytest.mark.parametrize("timing", ["after insert", "after insert deferrable initially deferred"])
def test_a_row_that_the_server_stores_and_removes_is_no_debit(book, url, timing):
    on_insert(url, "", timing)
    with as_admin(url) as admin:
        admin.execute(REMOVE)
    for text in "ab":
        with pytest.raises(LedgerError, match="did not keep the entry that was written"):
            book.append(write(text))
    assert bodies(book) == ["opening"]
    with as_admin(url) as admin:
        admin.execute("drop trigger act on noisewise.entries")
    assert book.append(write("c")).number == 1


def test_a_row_that_a_rule_removes_is_no_debit(book, url):
    with as_admin(url) as admin:
        admin.execute("alter table noisewise.entries disable trigger append_only")
        admin.execute(
            "create rule forget as on insert to noisewise.entries where new.number > 0"
            " do also delete from noisewise.entries where number = new.number"
        )
    with pytest.raises(
        LedgerError, match=r"did not keep the entry|did not store the row|nothing was written"
    ):
        book.append(write("a"))
    assert bodies(book) == ["opening"]


def test_a_policy_that_hides_the_rows_of_others_lets_nobody_write(book, url):
    """Every session would see what it wrote itself, and count that alone."""
    with as_admin(url) as admin:
        role = f"hidden_from_{admin.info.dbname}"
        for statement in (
            "alter table noisewise.entries add column writer int default pg_backend_pid()",
            "alter table noisewise.entries enable row level security",
            "create policy own on noisewise.entries using (number = 0 or writer = pg_backend_pid())",
            f"create role {role} login",
            f"grant usage on schema noisewise to {role}",
            f"grant select, insert on noisewise.entries to {role}",
        ):
            admin.execute(statement)
        if password := os.environ.get("PGPASSWORD"):
            admin.execute(SQL("alter role {} password {}").format(Identifier(role), password))
    try:
        for _ in range(2):
            with pytest.raises(LedgerError, match=r"nothing was written .* row-level security"):
                PostgresBook(with_parts(url, user=role), "staff").append(write("a"))
        with pytest.raises(LedgerError, match=r"cannot read .* row-level security"):
            PostgresBook(with_parts(url, user=role)).names()
        assert bodies(book) == ["opening"] and book.names() == ["staff"]
    finally:
        with as_admin(url) as admin:
            admin.execute(f"drop owned by {role}")
            admin.execute(f"drop role {role}")


def test_a_connection_lost_after_the_commit_leaves_it_open_what_stands(book, monkeypatch):
    monkeypatch.setattr(postgres, "FROM", "select pg_terminate_backend(pg_backend_pid())::text, %s, %s::text")
    with pytest.raises(LedgerError, match="an entry was sent, and perhaps it was written"):
        book.append(write("a"))
    monkeypatch.undo()
    assert bodies(book) == ["opening", "a"]


def test_a_lock_that_is_not_given_back_is_not_waited_for_for_ever(book, url, monkeypatch):
    monkeypatch.setattr(postgres, "START", postgres.START.replace("60s", "50ms"))
    with psycopg.connect(url) as rival:
        rival.execute(postgres.START, ["staff"])
        with pytest.raises(LedgerError, match=r"nothing was written .* lock timeout"):
            book.append(write("a"))
        assert PostgresBook(url, "guests").append(write("other ledgers go on")).number == 0
    assert book.append(write("b")).number == 1


@pytest.mark.parametrize(
    "setting", ["statement_timeout", "idle_in_transaction_session_timeout", "transaction_timeout"]
)
def test_timeouts_of_the_server_are_a_clear_error_and_nothing_is_written(book, url, setting):
    book.close()
    with as_admin(url) as admin:
        if not admin.execute("select 1 from pg_settings where name = %s", [setting]).fetchone():
            pytest.skip(f"a server that has no {setting}")
        admin.execute(f"alter database {admin.info.dbname} set {setting} = '60ms'")
    with psycopg.connect(url) as rival:
        if setting == "statement_timeout":
            rival.execute("set local statement_timeout = 0")
            rival.execute(postgres.START, ["staff"])
        with pytest.raises(LedgerError, match=r"nothing was written to the ledger staff .*timeout"):
            book.append(lambda rows: time.sleep(0.3) or ("a", "hash"))
        rival.rollback()
    with as_admin(url) as admin:  # a busy machine may take longer than 60 ms for what follows
        admin.execute(f"alter database {admin.info.dbname} reset {setting}")
    book.close()
    assert book.append(write("b")).number == 1
    assert bodies(book) == ["opening", "b"]


def test_a_reader_sees_one_moment_and_holds_nobody_up(book):
    for _ in range(300):
        book.append(write("x"))
    reading = book.rows()
    first = next(reading)
    assert book.append(write("late")).number == 301
    assert [row.number for row in (first, *reading)] == list(range(301))


def test_a_reader_that_loses_its_connection_says_so(book, url):
    for _ in range(300):
        book.append(write("x"))
    reading = book.rows()
    next(reading)
    hang_up(url)
    with pytest.raises(LedgerError, match="cannot read the ledger staff at"):
        list(reading)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_a_forked_child_speaks_on_a_connection_of_its_own(book, url):
    with book._here():  # as if another thread were writing at that moment
        child = os.fork()
        if not child:
            signal.alarm(10)
            try:
                os._exit(book.append(write("child")).number)
            finally:
                os._exit(99)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 1
    assert book.append(write("parent")).number == 2
    assert bodies(book) == ["opening", "child", "parent"]


def test_threads_take_turns_on_one_connection(book, url):
    threads = [threading.Thread(target=book.append, args=[write("x")]) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [row.number for row in book.rows()] == list(range(21))
    with as_admin(url) as admin:
        query = "select count(*) from pg_stat_activity where application_name = 'noisewise' and datname = %s"
        assert admin.execute(query, [admin.info.dbname]).fetchone() == (1,)
