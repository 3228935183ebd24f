"""Connections to PostgreSQL: one snapshot for a release, a connection left as it was, and errors without records."""

import struct

import numpy as np
import psycopg
import pytest
from psycopg.pq import TransactionStatus

import noisewise as nws
from noisewise.errors import ReleaseFailed, SchemaError
from noisewise.tables.engines import postgres_database
from noisewise.tables.engines.postgres_database import Database, read_copy
from tests.postgres import as_admin, fresh_database, running, with_parts
from tests.tables.postgres import connection, made

ASKED = {"bounds": (0, 10), "granularity": 1, "epsilon": 64}


@pytest.fixture
def other():
    with psycopg.connect(running()) as each:
        yield each


def test_a_release_sees_one_snapshot_whoever_writes_meanwhile():
    name = made({"x": "float8"}, [(1.0,)] * 5)
    database = Database(running())
    with database.snapshot(), database.snapshot():
        before = database.fetch(f"SELECT count(*) FROM {name}", ["int8"])
        connection().execute(f"DELETE FROM {name}")
        assert database.fetch(f"SELECT count(*) FROM {name}", ["int8"]) == before == [5]
    assert database.fetch(f"SELECT count(*) FROM {name}", ["int8"]) == [0]


def test_all_passes_of_a_question_run_in_one(monkeypatch):
    """Between any two queries of it, everybody is deleted."""
    name = made({"x": "float8"}, [(float(x),) for x in range(11)])
    fetch, queries = Database.fetch, []

    def then_deleted(database, *words):
        queries.append(words)
        found = fetch(database, *words)
        connection().execute(f"DELETE FROM {name}")
        return found

    data = nws.Dataset(running(), table=name)
    monkeypatch.setattr(Database, "fetch", then_deleted)
    asked = data.agg(a=nws.ask.median("x", **ASKED), b=nws.ask.max("x", **ASKED))
    assert (asked["a"].value, asked["b"].value) == (5, 10)
    assert len(queries) > 1


def test_nothing_can_be_written_and_a_connection_is_as_it_was(other):
    database = Database(other)
    with database.snapshot() as open_one, pytest.raises(psycopg.errors.ReadOnlySqlTransaction):
        open_one.execute("CREATE TABLE written ()")
    assert other.info.transaction_status == TransactionStatus.IDLE
    assert (other.isolation_level, other.read_only, other.autocommit) == (None, None, False)
    other.autocommit = True
    with database.snapshot():
        pass
    assert other.autocommit and other.info.transaction_status == TransactionStatus.IDLE


def test_no_limit_of_the_servers_fails_a_query_that_is_paid_for(other):
    """How long a query takes depends on records. The limits of the session are as found afterwards."""
    limits = {"statement_timeout": "7h", "idle_in_transaction_session_timeout": "8h"}
    if other.info.server_version >= 170_000:
        limits["transaction_timeout"] = "9h"
    other.autocommit = True
    for name, limit in limits.items():
        other.execute(f"SET {name} = '{limit}'")
    with Database(other).snapshot() as open_one:
        for name in limits:
            assert open_one.execute(f"SHOW {name}").fetchone() == ("0",)
    for name, limit in limits.items():
        assert other.execute(f"SHOW {name}").fetchone() == (limit,)


def test_an_open_transaction_stays_open_and_sees_what_it_wrote(other):
    other.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
    other.execute("CREATE TEMP TABLE mine AS SELECT 7.0::float8 AS x; SET LOCAL extra_float_digits = 0")
    assert nws.Dataset(other, table="mine").max("x", **ASKED).value == 7
    assert other.info.transaction_status == TransactionStatus.INTRANS
    assert other.execute("SHOW extra_float_digits").fetchone() == ("0",)


def test_what_has_no_snapshot_is_refused_before_anything_is_paid(other, tmp_path):
    other.execute("SELECT 1")
    with pytest.raises(
        SchemaError, match=r"in one of REPEATABLE READ, got a transaction of READ COMMITTED: each"
    ):
        nws.Dataset(other, query="SELECT 1 AS x")
    other.rollback()
    with nws.Ledger.open(tmp_path / "ledger", budget=nws.PureDP(100)) as ledger:
        data = nws.Dataset(other, query="SELECT 1 AS x", ledger=ledger)
        with pytest.raises(psycopg.Error):
            other.execute("SELECT 1/0")
        with pytest.raises(
            SchemaError, match=r"^the connection must be open and idle, got one that is in the middle"
        ):
            data.max("x", **ASKED)
        other.close()
        with pytest.raises(
            SchemaError, match=r"^the connection must be open and idle, got one that is closed$"
        ):
            data.max("x", **ASKED)
        assert len(ledger) == 0


def test_a_server_that_is_gone_costs_nothing_and_one_that_fails_says_nothing(tmp_path):
    with pytest.raises(SchemaError, match=r"^the database must be one that can be reached: "):
        nws.Dataset("postgresql:///none?host=/nowhere", table="visits")
    name = made({"x": "float8"}, [(1.0,)])
    with nws.Ledger.open(tmp_path / "ledger", budget=nws.PureDP(100)) as ledger:
        data = nws.Dataset(running(), query=f"SELECT 1 / (x - 1) AS y FROM {name}", ledger=ledger)
        with pytest.raises(ReleaseFailed) as failed:
            data.max("y", **ASKED)
        assert failed.value.__cause__ is None and "division" not in str(failed.value)
        assert len(ledger) == 1


def test_a_connection_that_was_lost_costs_nothing_and_a_wrong_url_shows_no_password(other, tmp_path):
    with nws.Ledger.open(tmp_path / "ledger", budget=nws.PureDP(100)) as ledger:
        data = nws.Dataset(other, query="SELECT 1 AS x", ledger=ledger)
        connection().execute("SELECT pg_terminate_backend(%s, 5000)", [other.info.backend_pid])
        with pytest.raises(SchemaError, match=r"^the database must be one that can be reached: "):
            data.max("x", **ASKED)
        assert len(ledger) == 0
    for wrong in ("u:secret@[h/d", "u:sec@ret@h/d", "u:sec/ret@h/d"):
        with pytest.raises(SchemaError, match=r"can be reached: the URL, or what it says, is wrong$"):
            nws.Dataset(f"postgresql://{wrong}", table="visits")


def test_columns_that_change_are_noticed_before_anything_is_paid(tmp_path):
    name = made({"x": "float8"}, [(1.0,)])
    data = nws.Dataset(connection(), table=name)
    connection().execute(f"ALTER TABLE {name} ALTER x TYPE text")
    with pytest.raises(
        SchemaError, match=r"^the table must have the columns that it had when it was opened$"
    ):
        data.max("x", **ASKED)


def test_a_role_that_may_only_read_is_enough():
    name = made({"x": "float8", "g": "text"}, [(4.0, "a"), (5.0, "b")])
    with as_admin(running()) as admin:
        admin.execute(f"CREATE ROLE reader_{name} LOGIN; GRANT SELECT ON {name} TO reader_{name}")
    data = nws.Dataset(with_parts(running(), user=f"reader_{name}"), table=name)
    assert data.group_by("g", keys=["a", "b"]).max("x", **ASKED).value == (4, 5)
    with pytest.raises(
        SchemaError, match=r"^the table must be one that can be read: permission denied for table pg_authid$"
    ):
        nws.Dataset(with_parts(running(), user=f"reader_{name}"), table="pg_authid")


def test_other_encodings_and_old_servers_are_refused(monkeypatch):
    with (
        fresh_database(running(), "ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0") as latin,
        pytest.raises(
            SchemaError, match=r"^the database must keep text in UTF8, got one that keeps it in LATIN1$"
        ),
    ):
        nws.Dataset(latin, query="SELECT 1 AS x")
    monkeypatch.setattr(postgres_database, "OLDEST", 990_000)
    with pytest.raises(SchemaError, match=r"^PostgreSQL must be of version 99 or newer$"):
        nws.Dataset(running(), query="SELECT 1 AS x")


def test_binary_copies_are_read_with_and_without_missing_values():
    def row(*cells):
        parts = [struct.pack(">h", len(cells))]
        for cell in cells:
            raw = (
                b""
                if cell is None
                else struct.pack(">d", cell)
                if isinstance(cell, float)
                else struct.pack(">q", cell)
            )
            parts += [struct.pack(">i", -1 if cell is None else 8), raw]
        return b"".join(parts)

    def copied(*rows):
        return b"PGCOPY\n\xff\r\n\0" + bytes(8) + b"".join(rows) + b"\xff\xff"

    full = read_copy(copied(row(1.5, 2), row(-0.0, -3)), ["float8", "int8"])
    assert [each.tolist() for each in full] == [[1.5, -0.0], [2, -3]]
    assert [each.dtype for each in full] == [np.float64, np.int64]
    some = read_copy(copied(row(1.5, None), row(None, -3)), ["float8", "int8"])
    assert [each.tolist() for each in some] == [[1.5, None], [None, -3]]
    assert [each.size for each in read_copy(copied(), ["float8", "text"])] == [0, 0]


def test_nothing_prints_a_password():
    assert repr(Database("postgresql://u:secret@h/d")) == "<Database: withheld>"
