"""The chain of a ledger's rows: which may follow which, from the opening on, and what a receipt says of them.

Anybody who may add rows can add a forged one, well sealed, that says that nothing was spent. So what the last row says
is believed by nobody who has not followed all rows before it: a process follows those that others have added since it
last looked, and only then goes on from there. Proof: docs/proofs/ledger.md.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from noisewise.errors import LedgerError, ParameterTypeError
from noisewise.kernel.numbers.exact import describe, whole
from noisewise.ledger.amounts import NOTHING, Amount
from noisewise.ledger.books import BookRow, lost
from noisewise.ledger.budget import Terms
from noisewise.ledger.entries import Entry, follow, now, seal, write_entry

MOVES = {"place"}
"""What a receipt says and the entry need not: a ledger may be moved."""


@dataclass(frozen=True, slots=True)
class Point:
    """A row up to which all were followed, and what had been spent by then."""

    row: BookRow
    total: Amount


@dataclass(frozen=True, slots=True)
class Chain:
    """The rows of one ledger, which its opening and its terms tell from all others."""

    opening: BookRow
    terms: Terms
    place: str

    @property
    def start(self) -> Point:
        """Where nothing is spent yet."""
        return Point(self.opening, NOTHING)

    def walk(self, rows: Iterable[BookRow], point: Point) -> Iterator[tuple[Point, Entry]]:
        """Follow rows, of which the first is that of ``point``; an error at the first that may not stand there."""
        following = iter(rows)
        if (first := next(following, None)) != point.row:
            raise self._another(first, point.row.number) from None
        for row in following:
            entry = self._follow(row, point)
            point = Point(row, entry.spent)
            yield point, entry

    def reach(self, rows: Iterable[BookRow], point: Point) -> Point:
        """The point at the end of rows that follow each other."""
        for reached, _ in self.walk(rows, point):
            point = reached
        return point

    def write(self, point: Point, **said: Any) -> tuple[BookRow, Entry]:
        """The row to come after a point, and its entry as it will be read: what cannot be verified is not written."""
        body = write_entry(point.row, ledger=self.opening.hash, time=now(), **said)
        row = BookRow(point.row.number + 1, body, seal(body))
        return row, self._follow(row, point)

    def verify(self, rows: Iterable[BookRow], seen: Point, receipts: Iterable[object]) -> int:
        """How many entries there are, if each may stand where it stands, and if receipts and what was seen agree."""
        wanted = dict[int, list[Mapping[str, Any]]]()
        for number, record in map(self._promised, receipts):
            wanted.setdefault(number, []).append(record)
        last = start = self.start
        for last, entry in self.walk(rows, start):
            if not all(_agree(record, entry) for record in wanted.pop(entry.number, [])):
                raise LedgerError(
                    f"entry {entry.number} of {self.place} is not the one of the receipt"
                ) from None
            if last.row.number == seen.row.number and last.row != seen.row:
                raise lost(self.place, seen.row.number) from None
        if not self.terms.sound:
            raise LedgerError(f"the opening of {self.place} was replaced") from None
        if wanted:
            raise LedgerError(
                f"entry {min(wanted)} of {self.place} is missing, though there is a receipt for it: this is an older "
                "copy, or entries were removed from its end"
            ) from None
        if last.row.number < seen.row.number:
            raise lost(self.place, seen.row.number) from None
        return last.row.number

    def _follow(self, row: BookRow, point: Point) -> Entry:
        return follow(row, point.row, point.total, self.terms, self.opening.hash, self.place)

    def _another(self, first: BookRow | None, number: int) -> LedgerError:
        """Why rows do not begin where they should."""
        if number:
            return lost(self.place, number)
        if first is None:
            return LedgerError(f"the ledger {self.place} is gone: nothing is written there")
        return LedgerError(
            f"the opening of {self.place} was replaced: it is no longer the ledger that was opened"
        )

    def _promised(self, receipt: object) -> tuple[int, Mapping[str, Any]]:
        """What a receipt of this ledger says, and of which entry."""
        entry = getattr(receipt, "receipt", receipt)
        record = entry.to_dict() if isinstance(entry, Entry) else entry
        if isinstance(record, Mapping) and isinstance(record.get("ledger"), Mapping):
            record = record["ledger"]  # a card
        if not isinstance(record, Mapping) or not {"ledger", "number", "hash"} <= record.keys():
            raise ParameterTypeError(
                "receipt",
                "must be an Entry, its to_dict(), a paid release or its card",
                got=describe(receipt),
            ) from None
        number = whole("number of a receipt", record["number"], least=1)
        if record["ledger"] != self.opening.hash:
            raise LedgerError(f"the receipt of entry {number} is of another ledger") from None
        return number, record


def _agree(record: Mapping[str, Any], entry: Entry) -> bool:
    """Whether all that a receipt says is what stands in the entry."""
    kept = entry.to_dict()
    return all(_exact(record[key]) == _exact(kept[key]) for key in record.keys() & kept.keys() - MOVES)


def _exact(value: Any) -> Any:
    """A part of a receipt without its floats, which are there to look at."""
    if not isinstance(value, Mapping):
        return value
    return {key: part for key, part in value.items() if not str(key).endswith("_float")}
