"""A book: rows of text, one after the other, each hashed over the one before. It knows bytes, not privacy.

Row 0 is the opening and holds the terms; every later row is one debit. A book promises that appending is one durable
transaction, alone in the world, and that rows are never changed. What the rows mean is for ``privacy/`` to say.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple, Protocol, TypeAlias

from noisewise.errors import LedgerError


class Row(NamedTuple):
    """One line of a book, as stored."""

    number: int
    body: str
    hash: str


Write: TypeAlias = Callable[[list[Row]], tuple[str, str] | None]
"""From the rows that stand last (none: the book is empty) to the next body and hash, or to None: write nothing."""


class Book(Protocol):
    """Where a ledger keeps its rows."""

    def append(self, write: Write, since: int | None = None) -> Row | None:
        """Store what ``write`` makes of the last rows, durably, while nobody else can write; return the new row.

        It sees the rows from number ``since`` on, or the last alone; not to find any there is an error.
        ``write`` may raise (nothing is stored, the error passes on) or return None (nothing is stored). It is called
        again if a rival was first. A LedgerError says that nothing was stored, or that it cannot be known.
        """

    def last(self) -> Row | None:
        """The last row, for readers; None where the book is empty or not there yet."""

    def rows(self, since: int = 0) -> Iterator[Row]:
        """All rows from a number on, in order, streaming, as they stood when the first was read."""

    def close(self) -> None:
        """Let go of the file or the database; whoever uses the book again opens it again."""

    @property
    def place(self) -> str:
        """What to call it in messages and receipts: a path, or a URL without its password."""

    @property
    def where(self) -> str:
        """The place in full, so that two of the same name are told apart: an absolute path, or the same URL."""

    @property
    def address(self) -> tuple[str, str | None]:
        """What ``open_book`` takes to open the same book elsewhere; an error where that would spell a password."""


def lost(place: str, number: int) -> LedgerError:
    """The error for a row that stood in a book and does no more."""
    return LedgerError(
        f"the ledger {place} has lost row {number}, which was there: an older copy was put in its place, or rows were "
        "removed from its end"
    )
