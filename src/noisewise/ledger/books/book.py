"""A book: rows of text in order, each with a hash that includes the hash before it. It knows nothing of privacy.

Row 0 is the opening and holds the terms; every later row is one debit. A book guarantees that appending is one durable
transaction, that nobody else writes meanwhile, and that rows never change. ``ledger/`` defines what the rows mean.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple, Protocol, TypeAlias

from noisewise.errors import LedgerError


class BookRow(NamedTuple):
    """One line of a book, as stored."""

    number: int
    body: str
    hash: str


Write: TypeAlias = Callable[[list[BookRow]], tuple[str, str] | None]
"""Makes the next body and hash of the last rows (none where the book is empty), or None to write nothing."""


class Book(Protocol):
    """Where a ledger keeps its rows."""

    def append(self, write: Write, since: int | None = None) -> BookRow | None:
        """Store what ``write`` makes of the last rows, durably, while nobody else can write; return the new row.

        ``write`` gets the rows from number ``since`` on, or the last one alone; it is an error if there are none from
        ``since`` on. It may raise (nothing is stored, and the error is passed on) or return None (nothing is stored).
        It is called again if somebody else has written first. A LedgerError says that nothing was stored, or that this
        cannot be known.
        """

    def last(self) -> BookRow | None:
        """The last row, for readers; None where the book is empty or not there yet."""

    def rows(self, since: int = 0) -> Iterator[BookRow]:
        """All rows from a number on, in order, one after the other, as they were when the first was read."""

    def close(self) -> None:
        """Close the file or the connection; using the book again opens it again."""

    @property
    def place(self) -> str:
        """What to call it in messages and receipts: a path, or a URL without its password."""

    @property
    def full_place(self) -> str:
        """The place in full, which no two files share: an absolute path, or the same URL."""

    @property
    def address(self) -> tuple[str, str | None]:
        """What ``open_book`` takes to open the same book elsewhere; an error where that would spell a password."""


def lost(place: str, number: int) -> LedgerError:
    """The error for a row that was in a book and is gone."""
    return LedgerError(
        f"the ledger {place} has lost row {number}, which was there: an older copy was put in its place, or rows were "
        "removed from its end"
    )
