"""A book in PostgreSQL: many ledgers in one database, each with its own name, for several machines.

All rows are in the table ``noisewise.entries``. An append is one transaction: it waits for the lock of its ledger,
reads the last row and inserts the next. The primary key (ledger, number) prevents two writers from writing the same
row, and the lock saves the slower one a second try. A role needs USAGE of the schema, SELECT and INSERT.

An append that fails before the commit is sent has written nothing. An append that fails later may have written: it is
never repeated, and its error says that the entry may exist. A commit with a warning is treated in the same way: if a
server stops waiting for its synchronous standbys, it has the row and they may not. After the commit the row is read
again, because a trigger or a rule may have removed it. An error is raised if a policy would hide rows from the writer.
"""

import os
import threading
import weakref
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import LiteralString
from urllib.parse import quote

from noisewise.errors import LedgerError, NoisewiseError, ParameterError, install
from noisewise.ledger.books.book import BookRow, Write, lost, next_row

try:
    import psycopg
    from psycopg import IsolationLevel
    from psycopg.conninfo import conninfo_to_dict, make_conninfo
except ImportError:  # also if psycopg is installed but its client library is not
    raise LedgerError(
        "a ledger in PostgreSQL", "needs the package psycopg", extra=install("postgres")
    ) from None

CREATE = """
create schema if not exists noisewise;
create table noisewise.entries (
    ledger text collate "C" not null,
    number bigint not null check (number >= 0),
    body text not null,
    hash text not null,
    primary key (ledger, number)
);
create function noisewise.refuse() returns trigger language plpgsql as $$
begin
    raise exception 'noisewise.entries is append-only: % is refused', tg_op;
end $$;
create trigger append_only before update or delete or truncate on noisewise.entries
    for each statement execute function noisewise.refuse();
alter table noisewise.entries enable always trigger append_only;
"""
START = """
select set_config('lock_timeout', '60s', true), set_config('synchronous_commit',
    case current_setting('synchronous_commit') when 'remote_apply' then 'remote_apply' else 'on' end, true),
    set_config('row_security', 'off', true),
    pg_advisory_xact_lock(hashtextextended('noisewise ' || %s, 0))
"""
LAST = "select number, body, hash from noisewise.entries where ledger = %s order by number desc limit 1"
FROM = "select number, body, hash from noisewise.entries where ledger = %s and number >= %s order by number"
INSERT = """
insert into noisewise.entries (ledger, number, body, hash) values (%s, %s, %s, %s) returning number, body, hash
"""

HIDES_NOTHING = "select set_config('row_security', 'off', true)"
NAMES = "select distinct ledger from noisewise.entries"

DEFAULTS = {"connect_timeout": "10", "tcp_user_timeout": "30000", "fallback_application_name": "noisewise"}
SECRETS = ("password", "sslpassword", "oauth_client_secret", "scram_client_key", "scram_server_key")
TRIES = 100
"""An append gives up after this number of tries. The lock makes a second try hardly ever necessary."""

RIVALS = (
    psycopg.errors.UniqueViolation,
    psycopg.errors.SerializationFailure,
    psycopg.errors.DeadlockDetected,
)
_FORGOTTEN: list["_Session"] = []  # sessions of a parent process, which only the parent may close


class _Session:
    """The one connection of one process, used by one thread at a time."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.connection: psycopg.Connection | None = None

    def undo(self) -> None:
        """Roll the transaction back. If that fails, drop the connection."""
        try:
            if self.connection is not None:
                self.connection.rollback()
        except psycopg.Error:
            self.drop()
        except BaseException:
            self.drop()
            raise

    @contextmanager
    def ending(self) -> Iterator[None]:
        """End the transaction if an error is raised. After an interrupt, drop the connection as well."""
        try:
            yield
        except (psycopg.Error, NoisewiseError):
            self.undo()
            raise
        except BaseException:
            self.drop()
            raise

    def drop(self) -> None:
        connection, self.connection = self.connection, None
        if connection is not None:
            connection.close()


class PostgresBook:
    """The rows of one ledger in a PostgreSQL database."""

    def __init__(self, url: str, name: str | None = None) -> None:
        self._given = _parameters(url)
        self._url, self._given_name, self._name = url, name, name or ""
        if not self._name.isprintable():
            raise ParameterError("name", "must be printable text", got=repr(name)) from None
        self._sessions: dict[int, _Session] = {}
        weakref.finalize(self, _close, self._sessions)

    def __repr__(self) -> str:
        return f"<PostgresBook {self.place}>"

    @property
    def place(self) -> str:
        user, host, port, database = (
            quote(self._given.get(part, "").strip(","), safe=",")
            for part in ("user", "host", "port", "dbname")
        )
        url = f"postgresql://{user and user + '@'}{host}{port and ':' + port}/{database}"
        return f"{self._name} at {url}" if self._name else url

    @property
    def full_place(self) -> str:
        return self.place

    @property
    def address(self) -> tuple[str, str | None]:
        if any(self._given.get(secret) for secret in SECRETS):
            raise LedgerError(
                f"the ledger {self.place}",
                "was opened with a password in its URL, which must not be copied along",
                why="keep the password in the environment variable PGPASSWORD or in the file ~/.pgpass instead",
            ) from None
        return self._url, self._given_name

    def append(self, write: Write, since: int | None = None) -> BookRow | None:
        with self._here() as session:
            make = False
            for _ in range(TRIES):
                try:
                    return self._append(session, write, make, since)
                except RIVALS:
                    continue
                except psycopg.errors.UndefinedTable:
                    make = True
                except psycopg.Error as error:
                    raise self._failure("nothing was written to", error) from None
        raise LedgerError(
            f"nothing was written to the ledger {self.place}: other writers were always first"
        ) from None

    def _append(self, session: _Session, write: Write, make: bool, since: int | None) -> BookRow | None:
        with session.ending():
            connection = self._begin(session, START).connection
            if make:
                _make_table(connection)
            query = (LAST, [self._name]) if since is None else (FROM, [self._name, since])
            rows = [BookRow(*each) for each in connection.execute(*query)]
            if since is not None and not rows:
                raise lost(self.place, since) from None
            row = next_row(rows, write)
            if row is None:
                session.undo()
                return None
            if connection.execute(INSERT, [self._name, *row]).fetchone() != row:
                raise LedgerError(
                    f"nothing was written to the ledger {self.place}",
                    why="the database did not store the row as it is",
                    fix="noisewise.entries must have no triggers or rules but its own",
                ) from None
        if self._commit(session, connection, row) != row:
            raise LedgerError(
                f"the ledger {self.place} did not keep the entry that was written",
                fix="noisewise.entries must have no triggers or rules but its own",
            ) from None
        return row

    def _commit(self, session: _Session, connection: psycopg.Connection, row: BookRow) -> object:
        """Commit, and read the row again.

        A server that stops waiting for its standbys only sends a warning, and they may not have the row.
        """
        warnings: list[str] = []

        def note(notice: psycopg.errors.Diagnostic) -> None:  # the notice cannot be read later
            if notice.severity_nonlocalized == "WARNING":
                warnings.append(notice.message_primary or "warning")

        connection.add_notice_handler(note)
        try:
            connection.commit()
            connection.remove_notice_handler(note)
            if warnings:
                raise psycopg.OperationalError(warnings[0])
            connection.autocommit = True  # without a transaction: one message to the server, not three
            kept = connection.execute(FROM, [self._name, row.number]).fetchone()
            connection.autocommit = False
            return kept
        except psycopg.Error as error:
            session.drop()
            raise self._failure("an entry was sent, and perhaps it was written, to", error) from None
        except BaseException:
            session.drop()
            raise

    @contextmanager
    def _here(self) -> Iterator[_Session]:
        """Lend the session of this process to one thread at a time. A forked child makes a new session."""
        session = self._sessions.setdefault(os.getpid(), _Session())
        with session.lock:
            yield session

    def _begin(self, session: _Session, statement: LiteralString) -> psycopg.Cursor:
        """Execute the first statement of a transaction. A connection that was lost while idle is replaced."""
        if session.connection is not None:
            try:
                return session.connection.execute(statement, [self._name])
            except psycopg.OperationalError:
                if not session.connection.closed:
                    raise
                session.drop()
        session.connection = self._connect(read_only=False)
        return session.connection.execute(statement, [self._name])

    def _connect(self, *, read_only: bool) -> psycopg.Connection:
        connection = psycopg.connect(make_conninfo(**(DEFAULTS | self._given | {"client_encoding": "utf8"})))
        connection.isolation_level = IsolationLevel.READ_COMMITTED  # whatever the database's default is
        connection.read_only = read_only
        connection.prepare_threshold = None  # a connection pool may not know a prepared statement
        return connection

    def last(self) -> BookRow | None:
        with self._here() as session:
            try:
                try:
                    with session.ending():
                        row = self._begin(session, LAST).fetchone()
                        session.undo()
                except psycopg.errors.FeatureNotSupported:  # a standby allows no transactions that write
                    with closing(self._connect(read_only=True)) as connection:
                        row = connection.execute(LAST, [self._name]).fetchone()
                return BookRow(*row) if row else None
            except psycopg.errors.UndefinedTable:
                return None
            except psycopg.Error as error:
                raise self._failure("cannot read", error) from None

    def rows(self, since: int = 0) -> Iterator[BookRow]:
        try:
            with closing(self._connect(read_only=True)) as connection, connection.cursor("rows") as cursor:
                for row in cursor.execute(FROM, [self._name, since]):
                    yield BookRow(*row)
        except psycopg.errors.UndefinedTable:
            return
        except psycopg.Error as error:
            raise self._failure("cannot read", error) from None

    def names(self) -> list[str]:
        """The names of all ledgers in the database. An error is raised if a policy would hide some of them."""
        try:
            with closing(self._connect(read_only=True)) as connection:
                connection.execute(HIDES_NOTHING)
                return [str(name) for (name,) in connection.execute(NAMES)]
        except psycopg.errors.UndefinedTable:
            return []
        except psycopg.Error as error:
            raise self._failure("cannot read", error) from None

    def close(self) -> None:
        with self._here() as session:
            session.drop()

    def _failure(self, what: str, error: psycopg.Error) -> LedgerError:
        reason = error.diag.message_primary or " ".join(str(error).split()) or type(error).__name__
        if isinstance(error, psycopg.errors.InsufficientPrivilege):
            reason += (
                "; a role needs USAGE on the schema noisewise, and SELECT and INSERT on noisewise.entries; "
                "the first ledger in a database makes them and needs CREATE on the database"
            )
        if any(self._given.get(secret) and self._given[secret] in reason for secret in SECRETS):
            reason = type(error).__name__
        return LedgerError(f"{what} the ledger {self.place}: {reason}")


def _parameters(url: str) -> dict[str, str]:
    """Split a URL into its parts. Refuse it if a password with @ or / would be read as another part."""
    try:
        given = {name: str(value) for name, value in conninfo_to_dict(url).items()}
    except psycopg.Error:
        given = {"port": "?"}
    host, port, database = (given.get(part, "") for part in ("host", "port", "dbname"))
    if "@" in host + database or not f"0{port}".replace(",", "").isdecimal():
        raise ParameterError(
            "path",
            "must be a URL like postgresql://user:password@host:5432/database",
            got="another one",
            fix="it is not shown, as it may hold a password; write special characters of the password like "
            "%40 for @",
        ) from None
    return given


def _make_table(connection: psycopg.Connection) -> None:
    """Create the table, unless another process has just created it."""
    connection.execute(START, [""])
    if connection.execute("select to_regclass('noisewise.entries')").fetchone() == (None,):
        connection.execute(CREATE)


def _close(sessions: dict[int, _Session]) -> None:
    for process, session in sessions.items():
        if process == os.getpid():
            session.drop()
        else:
            _FORGOTTEN.append(session)
