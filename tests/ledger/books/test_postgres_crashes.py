"""A server that is killed, that others take the place of, and that is reached through a pooler."""

import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from noisewise.errors import LedgerError
from noisewise.kernel.losses import PureDP
from noisewise.ledger.books.postgres_book import PostgresBook
from noisewise.ledger.ledger import Ledger
from tests.cluster import cluster, standby
from tests.kernel.laws.book_laws import ASKED, next_number
from tests.postgres import as_admin
from tests.programs import PGBOUNCER

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes of Linux")


@pytest.fixture(scope="module")
def primary():
    with cluster() as made:
        yield made


def settings(server, **values):
    with as_admin(server.url) as admin:
        for name, value in values.items():
            admin.execute(f"alter system set {name} = '{value}'")
        admin.execute("select pg_reload_conf()")
    until(lambda: all(shown(server, name) == value for name, value in values.items()))


def shown(server, name):
    with as_admin(server.url) as admin:
        return admin.execute(f"show {name}").fetchone()[0]


def cancelled(server):
    """Whether a commit that waited for a standby was cancelled."""
    with as_admin(server.url) as admin:
        query = "select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'"
        return admin.execute(query).fetchall() == [(True,)]


def until(true, patience=20):
    deadline = time.monotonic() + patience
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_a_postmaster_killed_amid_a_debit_leaves_nothing_half(primary):
    book = PostgresBook(primary.url, "killed")
    book.append(next_number)

    def kill(rows):
        backend = book._sessions[os.getpid()].connection.info.backend_pid
        primary.stop("kill")
        until(lambda: not os.path.exists(f"/proc/{backend}"))
        return next_number(rows)

    with pytest.raises(LedgerError, match="nothing was written to the ledger killed at postgresql://"):
        book.append(kill)
    with pytest.raises(LedgerError, match="nothing was written"):
        book.append(next_number)
    primary.start()
    assert book.append(next_number).number == 1
    assert [row.body for row in book.rows()] == ["0", "1"]


def test_a_failover_keeps_what_the_standby_has_and_is_noticed_where_it_lacks_entries(primary):
    """First a standby that commits wait for, then one that is away: who has seen what it lacks spends no more."""
    with standby(primary) as other:
        hosts = f"{primary.data},{other.data}"
        url = f"postgresql://postgres@/postgres?host={hosts}&target_session_attrs=read-write"
        ledger = Ledger.open(url, PureDP(1), name="failover")
        settings(primary, synchronous_standby_names="*")
        kept = ledger.debit(PureDP(0.1), **ASKED)
        reader = PostgresBook(other.url, "failover")
        until(lambda: [row.hash for row in reader.rows()][-1:] == [kept.hash])
        there = Ledger.open(other.url, name="failover")
        assert (there.spent, len(there), there.verify(kept)) == (PureDP(0.1), 1, 1)
        with pytest.raises(LedgerError, match=r"nothing was written .* during recovery"):
            reader.append(next_number)

        other.stop()  # commits still wait for it, until somebody has them give up
        with ThreadPoolExecutor(1) as thread:
            waiting = thread.submit(ledger.debit, PureDP(0.2), **ASKED)
            until(lambda: cancelled(primary))
            with pytest.raises(
                LedgerError,
                match=r"an entry was sent, and perhaps it was written, .*: canceling wait for sync",
            ):
                waiting.result()
        settings(primary, synchronous_standby_names="")
        lacking = ledger.debit(PureDP(0.3), **ASKED)
        assert (lacking.number, ledger.verify(kept, lacking)) == (3, 3)

        primary.stop("kill")
        try:
            other.start()
            other.promote()
            for _ in range(2):
                with pytest.raises(LedgerError, match="has lost row 3, which was there"):
                    ledger.debit(PureDP(0.1), **ASKED)
            fresh = Ledger.open(url, name="failover")
            assert fresh.verify(kept) == 1
            with pytest.raises(LedgerError, match=r"entry 3 of .* is missing, though there is a receipt"):
                fresh.verify(kept, lacking)
            for _ in range(3):
                fresh.debit(PureDP(0.1), **ASKED)  # it cannot know; the first handle still does
            with pytest.raises(LedgerError, match=r"row 3|entry 3"):
                ledger.debit(PureDP(0.1), **ASKED)
        finally:
            primary.start()


POOLER = """
[databases]
* = host={host} user=postgres
[pgbouncer]
pool_mode = transaction
default_pool_size = 2
unix_socket_dir = {folder}
listen_port = 6432
auth_type = any
logfile = {folder}/log
"""


@contextmanager
def pooler(server):
    """A PgBouncer that gives each transaction whatever connection is free."""
    with tempfile.TemporaryDirectory(prefix="nws-") as name:
        folder = Path(name)
        folder.chmod(0o777)  # root's runs as the user of the server, whose socket only that one reaches
        (folder / "ini").write_text(POOLER.format(host=server.data, folder=folder))
        user = ["-u", server.user] if server.user else []
        with subprocess.Popen([PGBOUNCER.path_or_skip(), "-q", *user, folder / "ini"]) as process:
            try:
                until((folder / ".s.PGSQL.6432").exists)
                yield f"postgresql://postgres@/postgres?host={folder}&port=6432"
            finally:
                process.terminate()


def test_a_pooler_that_mixes_connections_changes_nothing(primary):
    """More books than connections; each transaction may meet another connection, with what others have left on it."""
    with pooler(primary) as pooled:
        books = [PostgresBook(pooled, "pooled") for _ in range(4)]
        books[0].append(next_number)
        with psycopg.connect(pooled, autocommit=True) as rude:
            rude.execute("set lock_timeout = '1ms'")
            rude.execute("set default_transaction_isolation = 'serializable'")
        with ThreadPoolExecutor(4) as threads:
            list(threads.map(lambda k: books[k % 4].append(next_number), range(40)))
        assert [row.body for row in books[0].rows()] == [str(k) for k in range(41)]
        for book in books:
            book.close()
