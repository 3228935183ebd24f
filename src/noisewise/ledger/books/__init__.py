"""Where entries are kept: rows of text in a SQLite file or a PostgreSQL database.

Read `book` (the protocol) and `sqlite_book` first. What a debit needs is imported with the library, and nobody forks
while psycopg, which is an extra, is imported: `noisewise.kernel.forks` says why.
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
    r"|^\s*(//)?(?![a-z]:[\\/])[^/\\]*:.*@",  # user:password@host; a drive of Windows is none
    re.IGNORECASE | re.DOTALL,
)
"""What looks like the address of a database, rather than a path; ``./`` before a path makes clear that it is one."""


def is_address(place: str) -> bool:
    """Whether a place looks like the address of a database, which may hold a password and is never shown."""
    return ADDRESS.search(place) is not None


def from_home(place: str) -> str:
    """A place with the folder that ``~`` stands for, as a book in a file is opened; an address as it is."""
    return place if is_address(place) else os.path.expanduser(place)


def open_book(place: str | os.PathLike[str], name: str | None = None) -> Book:
    """The book at a path (SQLite) or at a ``postgresql://`` URL; where there is none, it is created by the first row.

    A file holds one book. A database holds many, told apart by their ``name``.
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
