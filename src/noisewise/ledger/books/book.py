"""A book: rows of text in order, each with a hash. It knows nothing of privacy.

Row 0 is the opening and holds the terms; every later row is one debit. A book guarantees that appending is one durable
transaction, that nobody else writes during it, and that rows never change. ``ledger/`` defines the meaning of rows.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple, Protocol, TypeAlias

from noisewise.errors import LedgerError


class BookRow(NamedTuple):
    """One row of a book, as it is stored."""

    number: int
    body: str
    hash: str


Write: TypeAlias = Callable[[list[BookRow]], tuple[str, str] | None]
"""Makes the body and the hash of the next row from the last rows, or returns None to add no row.

An empty book gives no rows to it.
"""


class Book(Protocol):
    """The place where a ledger keeps its rows."""

    def append(self, write: Write, since: int | None = None) -> BookRow | None:
        """Store the row that ``write`` makes, durably, while nobody else can write. Return the new row.

        ``write`` gets the rows from number ``since`` on, or only the last row if ``since`` is None. Row ``since`` must
        exist. If ``write`` raises an error or returns None, nothing is stored. ``write`` is called again if somebody
        else has written first. A LedgerError says that nothing was stored, or that nobody knows whether it was.
        """

    def last(self) -> BookRow | None:
        """The last row, for readers; None if the book is empty or does not exist yet."""

    def rows(self, since: int = 0) -> Iterator[BookRow]:
        """All rows from number ``since`` on, in order. Rows that are added during the reading are left out."""

    def close(self) -> None:
        """Close the file or the connection. The next use of the book opens it again."""

    @property
    def place(self) -> str:
        """The book's name in messages and receipts: a file name, or a URL without its password."""

    @property
    def full_place(self) -> str:
        """The full name, which no other file has: an absolute path. For a database it is ``place``."""

    @property
    def address(self) -> tuple[str, str | None]:
        """The arguments of ``open_book`` for the same book. An error is raised if they would contain a password."""


def next_row(rows: list[BookRow], write: Write) -> BookRow | None:
    """The row that ``write`` makes after the last rows, or None."""
    made = write(rows)
    return None if made is None else BookRow(rows[-1].number + 1 if rows else 0, *made)


def lost(place: str, number: int) -> LedgerError:
    """The error for a row that was in a book and is missing now."""
    return LedgerError(
        f"the ledger {place} has lost row {number}, which was there: an older copy was put in its place, or rows were "
        "removed from its end"
    )
