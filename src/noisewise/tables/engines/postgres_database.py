"""A database of PostgreSQL: one snapshot for all queries of a release, and results as arrays.

**Snapshots.** All queries of a release run in one transaction, REPEATABLE READ and READ ONLY. It sees the rows as they
are at its first query, whatever others write meanwhile. It begins before the debit, so an unreachable server costs
nothing. For a URL, a connection is opened for the transaction and closed after it. On a connection of the user's, the
transaction is rolled back at its end, or a savepoint if a transaction is open. So the connection stays as it was.

**Settings** that decide what a query means are set for the transaction alone.

**Results** are read as PostgreSQL's binary copies, in which a number is eight bytes: nothing is parsed, and no adapter
that the user may have registered sees a record.
"""

import struct
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from noisewise.errors import SchemaError, install
from noisewise.kernel.secret import Secret

try:
    import psycopg
    from psycopg import IsolationLevel
    from psycopg.conninfo import make_conninfo
    from psycopg.pq import PipelineStatus, TransactionStatus
except ImportError:  # psycopg is missing, or the client library that it needs
    raise SchemaError(
        "a table in PostgreSQL", "needs the package psycopg", extra=install("postgres-tables")
    ) from None

Cell: TypeAlias = Literal["float8", "int8", "bool", "text"]
"""The type of the values in a column of a result."""
SENT_AS = {"float8": "::float8", "int8": "::int8", "bool": "::int4::int8", "text": "::text"}

OLDEST = 150_000
"""The oldest version of PostgreSQL that was tested. Before 14, ``extract`` returns float64, which rounds times."""

SETTINGS = {
    "client_encoding": "UTF8",
    "extra_float_digits": "1",  # text that is read back as the same number; shorter text would confuse people
    "standard_conforming_strings": "on",  # no character of a text is an escape
    "statement_timeout": "0",  # the time of a query depends on records, and so would a failure
    "idle_in_transaction_session_timeout": "0",
}
SINCE_17 = {"transaction_timeout": "0"}
TYPES = """
SELECT oid, CASE WHEN typtype = 'e' THEN 'enum' WHEN typnamespace = 'pg_catalog'::regnamespace THEN typname END
FROM pg_catalog.pg_type WHERE oid IN ({})
"""
DEFAULTS: dict[str, str | int] = {
    "connect_timeout": 10,
    "tcp_user_timeout": 30000,
    "fallback_application_name": "noisewise",
}

HEADER, TRAILER = 19, 2
"""The number of bytes before the first row of a binary copy, and after the last."""


class Database(Secret):
    """A database: its URL, or a connection of the user's."""

    def __init__(self, given: "str | psycopg.Connection[Any]") -> None:
        self._given, self._lock = given, threading.RLock()
        self._open: psycopg.Connection[Any] | None = None

    @contextmanager
    def snapshot(self) -> "Iterator[psycopg.Connection[Any]]":
        """While this lasts, all queries see the same rows. A snapshot inside another one is the same snapshot. If
        another thread asks for one, it waits for the end."""
        with self._lock:
            if self._open is not None:
                yield self._open
                return
            with self._connected() as connection, _transaction(connection):
                self._open = connection
                try:
                    yield connection
                finally:
                    self._open = None

    @contextmanager
    def _connected(self) -> "Iterator[psycopg.Connection[Any]]":
        if not isinstance(self._given, str):
            yield self._given
            return
        with _refused():
            connection = psycopg.connect(_with_defaults(self._given))
        try:
            yield connection
        finally:
            with suppress(psycopg.Error):
                connection.close()

    def columns(self, select: str) -> list[tuple[str, str]]:
        """The names of a query's columns and of their types: "enum" for any enumeration, the base type of a domain, and
        nothing for types that are not PostgreSQL's own. No row is computed."""
        message = ""
        with self.snapshot() as connection, psycopg.Cursor(connection) as cursor:
            try:
                cursor.execute(f"SELECT * FROM ({select}) AS source LIMIT 0", prepare=False)
                described = [(each.name, each.type_code) for each in cursor.description or ()]
                numbers = ", ".join(str(number) for _, number in described) or "0"
                kinds = dict(self._types(cursor, numbers))
                return [(name, kinds.get(number, "")) for name, number in described]
            except psycopg.Error as error:
                if (error.sqlstate or "").startswith("42"):  # the words of the query or the rights are wrong
                    message = str(error.diag.message_primary)
        raise SchemaError("the table", "must be one that can be read", why=message) from None

    def _types(self, cursor: "psycopg.Cursor[Any]", numbers: str) -> Iterator[tuple[int, str]]:
        cursor.execute(TYPES.format(numbers), prepare=False)
        result = cursor.pgresult
        assert result is not None
        for row in range(result.ntuples):
            number, name = (bytes(result.get_value(row, column) or b"") for column in (0, 1))
            yield int(number), name.decode()

    def fetch(self, query: str, cells: Sequence[Cell]) -> list[NDArray[Any]]:
        """The columns of a result, each sent as its cell says. A column with missing values is an array of objects."""
        sent = ", ".join(f"c{index}{SENT_AS[cell]}" for index, cell in enumerate(cells))
        names = ", ".join(f"c{index}" for index in range(len(cells)))
        statement = f"COPY (SELECT {sent} FROM ({query}) AS result ({names})) TO STDOUT (FORMAT BINARY)"
        with (
            self.snapshot() as connection,
            psycopg.Cursor(connection) as cursor,
            cursor.copy(statement) as copy,
        ):
            copied = b"".join(copy)
        return read_copy(copied, cells)


def read_copy(copied: bytes, cells: Sequence[Cell]) -> list[NDArray[Any]]:
    """The columns of a binary copy. If all cells are numbers and none is missing, all rows are equally long, and are
    read together."""
    fields = [
        (name, kind)
        for index, cell in enumerate(cells)
        for name, kind in ((f"size{index}", ">i4"), (f"value{index}", ">f8" if cell == "float8" else ">i8"))
    ]
    row = np.dtype([("cells", ">i2"), *fields])
    body = memoryview(copied)[HEADER:-TRAILER]
    if "text" not in cells and len(body) % row.itemsize == 0:
        rows = np.frombuffer(body, row)
        if all((rows[f"size{index}"] == 8).all() for index in range(len(cells))):
            return [rows[f"value{index}"].astype(kind[1:]) for index, (_, kind) in enumerate(fields[1::2])]
    return _read_cells(body, cells)


def _read_cells(body: memoryview, cells: Sequence[Cell]) -> list[NDArray[Any]]:
    """Read a binary copy cell by cell, because some cells are missing or are text."""
    columns: list[list[Any]] = [[] for _ in cells]
    place = 0
    while place < len(body):
        place += 2
        for column, cell in zip(columns, cells, strict=True):
            (size,) = struct.unpack_from(">i", body, place)
            place += 4
            if size < 0:
                column.append(None)
            elif cell == "text":
                column.append(str(body[place : place + size], "utf-8"))
            else:
                column.append(struct.unpack_from(">d" if cell == "float8" else ">q", body, place)[0])
            place += max(size, 0)
    return [_as_array(column, cell) for column, cell in zip(columns, cells, strict=True)]


def _as_array(values: list[Any], cell: Cell) -> NDArray[Any]:
    if cell == "text" or None in values:
        return np.array([*values, None], object)[:-1]
    return np.array(values, np.float64 if cell == "float8" else np.int64)


@contextmanager
def _refused() -> Iterator[None]:
    """Refuse, before the debit, a server that cannot be reached. Its message shows no record, but a message about the
    URL may show the password in it."""
    failure = ""
    try:
        yield
    except psycopg.ProgrammingError:
        failure = "the URL, or what it says, is wrong"
    except psycopg.Error as error:
        failure = " ".join(str(error).split())
    if failure:
        raise SchemaError("the database", "must be one that can be reached", why=failure) from None


@contextmanager
def _transaction(connection: "psycopg.Connection[Any]") -> Iterator[None]:
    """A transaction of one snapshot, after which the connection is as it was. Other connections are refused."""
    _check_connection(connection)
    before = connection.isolation_level, connection.read_only
    idle = connection.info.transaction_status == TransactionStatus.IDLE
    if idle:
        connection.isolation_level, connection.read_only = IsolationLevel.REPEATABLE_READ, True
    try:
        transaction = connection.transaction(force_rollback=True)
        with _refused():
            transaction.__enter__()
        try:
            with _refused():
                _prepare(connection)
            yield
        finally:
            # the answer is drawn, and is not lost if the connection is
            with suppress(psycopg.Error):
                transaction.__exit__(None, None, None)
    finally:
        if idle and not connection.closed:
            with suppress(psycopg.Error):
                connection.isolation_level, connection.read_only = before


def _check_connection(connection: "psycopg.Connection[Any]") -> None:
    """Refuse, before the debit, a connection on which no transaction can begin."""
    status = None if connection.closed else connection.info.transaction_status
    if status not in (TransactionStatus.IDLE, TransactionStatus.INTRANS):
        state = "closed" if status is None else "in the middle of something, or in a transaction that failed"
        raise SchemaError("the connection", "must be open and idle", got=f"one that is {state}") from None
    if connection.pgconn.pipeline_status != PipelineStatus.OFF:
        raise SchemaError("the connection", "must not be in pipeline mode") from None
    if connection.info.server_version < OLDEST:
        raise SchemaError("PostgreSQL", f"must be of version {OLDEST // 10_000} or newer") from None


def _prepare(connection: "psycopg.Connection[Any]") -> None:
    """Set what decides the meaning of queries. Refuse a database that does not store UTF8, and an open transaction in
    which every query sees other rows."""
    wanted = SETTINGS | (SINCE_17 if connection.info.server_version >= 170_000 else {})
    settings = ", ".join(f"set_config('{name}', '{value}', true)" for name, value in wanted.items())
    ask = f"current_setting('server_encoding'), current_setting('transaction_isolation'), {settings}"
    with psycopg.Cursor(connection) as cursor:
        cursor.execute(f"SELECT {ask}", prepare=False)
        result = cursor.pgresult
        assert result is not None
        encoding, isolation = (bytes(result.get_value(0, index) or b"") for index in (0, 1))
    if encoding != b"UTF8":
        raise SchemaError(
            "the database", "must keep text in UTF8", got=f"one that keeps it in {encoding.decode()}"
        ) from None
    if isolation not in (b"repeatable read", b"serializable"):
        raise SchemaError(
            "the connection",
            "must be outside of a transaction, or in one of REPEATABLE READ",
            got=f"a transaction of {isolation.decode().upper()}",
            why="each of several queries would see other rows while somebody writes",
        ) from None


def _with_defaults(url: str) -> str:
    """The URL as libpq reads it, with time limits for connecting if it has none."""
    given = psycopg.conninfo.conninfo_to_dict(url)
    host, port, database = (str(given.get(part, "")) for part in ("host", "port", "dbname"))
    # a password with a raw @ or / is read as a part of another
    if "@" in host + database or not f"0{port}".replace(",", "").isdecimal():
        raise psycopg.ProgrammingError("the URL is not shown")
    return make_conninfo(url, **{key: value for key, value in DEFAULTS.items() if key not in given})
