"""Books, which keep a ledger's entries: rows of text in a SQLite file or a PostgreSQL database.

Read `book` (the protocol) and `sqlite_book` first. The modules that a debit needs are imported with the library. A fork
waits while psycopg, an optional package, is imported: `noisewise.kernel.forks` says why.
"""

import os
import re

from noisewise.errors import ParameterError, ParameterTypeError
from noisewise.kernel.forks import IMPORTING
from noisewise.kernel.numbers.exact import describe
from noisewise.ledger.books.book import Book, BookRow, Write, lost
from noisewise.ledger.books.sqlite_book import SqliteBook

__all__ = ["Book", "BookRow", "Write", "from_home", "is_address", "ledgers_in", "lost", "open_book"]

ADDRESS = re.compile(
    r"://|passw(or)?d\s*=|^\s*(postgres(ql)?(\+\w+)?:|(host|hostaddr|port|dbname|user|service)\s*=)"
    r"|^\s*(//)?(?![a-z]:[\\/])[^/\\]*:.*@",  # user:password@host, but not a drive of Windows
    re.IGNORECASE | re.DOTALL,
)
"""Finds text that looks like the address of a database. A path that looks like one can begin with ``./``."""


def is_address(place: str) -> bool:
    """Whether a place looks like the address of a database. It may hold a password, so it is never shown."""
    return ADDRESS.search(place) is not None


def from_home(place: str) -> str:
    """A path with the home folder in place of ``~``; an address as it is."""
    return place if is_address(place) else os.path.expanduser(place)


def open_book(place: str | os.PathLike[str], name: str | None = None) -> Book:
    """The book at a path (SQLite) or at a ``postgresql://`` URL. If it does not exist, its first row creates it.

    A file holds one book. A database holds many books with different names.
    """
    given: object = place
    if not isinstance(given, (str, os.PathLike)) or isinstance(os.fspath(given), bytes):
        raise ParameterTypeError(
            "path", "must be a file's path or a postgresql:// URL", got=describe(place)
        ) from None
    if isinstance(place, str) and place.startswith(("postgresql://", "postgres://")):
        with IMPORTING:
            from noisewise.ledger.books.postgres_book import PostgresBook

        return PostgresBook(place, name)
    if is_address(os.fspath(place)):
        raise ParameterError(
            "path",
            "must be a file's path or a URL like postgresql://user@host:5432/database",
            got="another address",
            fix="it is not shown, as it may hold a password",
        ) from None
    return SqliteBook(place, name)


def ledgers_in(address: str) -> list[str]:
    """The names of all ledgers in a database."""
    book = open_book(address)
    with IMPORTING:
        from noisewise.ledger.books.postgres_book import PostgresBook

    assert isinstance(book, PostgresBook), "a file holds one ledger"
    return book.names()
