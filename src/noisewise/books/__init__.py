"""Where entries are kept: rows of text in a SQLite file or a PostgreSQL database."""

import os
import re

from noisewise.books.book import Book, Row, Write, lost
from noisewise.errors import ParameterError, ParameterTypeError
from noisewise.numbers.exact import describe

__all__ = ["Book", "Row", "Write", "lost", "open_book"]

ADDRESS = re.compile(
    r"://|\bpassword\s*=|^\s*(postgres(ql)?(\+\w+)?:|(host|hostaddr|port|dbname|user|service)\s*=)",
    re.IGNORECASE,
)
"""What looks like the address of a database, rather than a path; ``./`` before a path makes clear that it is one."""


def open_book(place: str | os.PathLike[str], name: str | None = None) -> Book:
    """The book at a path (SQLite) or at a ``postgresql://`` URL, created when nothing is there.

    A file holds one book. A database holds many, told apart by their ``name``.
    """
    given: object = place
    if not isinstance(given, (str, os.PathLike)) or isinstance(os.fspath(given), bytes):
        raise ParameterTypeError(
            f"path must be a file's path or a postgresql:// URL, got {describe(place)}"
        ) from None
    if isinstance(place, str) and place.startswith(("postgresql://", "postgres://")):
        from noisewise.books.postgres import PostgresBook  # psycopg is an extra

        return PostgresBook(place, name)
    if ADDRESS.search(os.fspath(place)):
        raise ParameterError(
            "path must be a file's path or a URL like postgresql://user@host:5432/database, got another address; it is "
            "not shown, as it may hold a password"
        ) from None
    from noisewise.books.sqlite import SqliteBook  # listens for forks from then on

    return SqliteBook(place, name)
