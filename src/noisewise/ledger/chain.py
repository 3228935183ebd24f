"""The chain of a ledger's rows: which row may follow which, and whether a receipt agrees with them.

Anybody who may add rows can add a forged row with a valid seal that says that nothing was spent. So a process believes
the last row only after it has followed all rows before it. Each time, it follows the rows that others have added since
it last looked. Proof: docs/proofs/ledger.md.
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

MAY_DIFFER = {"place"}
"""Fields in which a receipt may differ from its entry: a ledger may be moved."""


@dataclass(frozen=True, slots=True)
class Point:
    """A row, and the total that was spent up to this row. All rows up to it were followed."""

    row: BookRow
    total: Amount


@dataclass(frozen=True, slots=True)
class Chain:
    """The rules for the rows of one ledger, which its opening and its terms identify."""

    opening: BookRow
    terms: Terms
    place: str

    @property
    def start(self) -> Point:
        """The opening, when nothing is spent yet."""
        return Point(self.opening, NOTHING)

    def walk(self, rows: Iterable[BookRow], point: Point) -> Iterator[tuple[Point, Entry]]:
        """Follow rows, which begin with the row of ``point``. Raise an error at the first row that may not follow."""
        following = iter(rows)
        if (first := next(following, None)) != point.row:
            raise self._another(first, point.row.number) from None
        for row in following:
            entry = self._follow(row, point)
            point = Point(row, entry.spent)
            yield point, entry

    def reach(self, rows: Iterable[BookRow], point: Point) -> Point:
        """The point after the last row. Raise an error if a row may not follow the one before."""
        for reached, _ in self.walk(rows, point):
            point = reached
        return point

    def write(self, point: Point, **fields: Any) -> tuple[BookRow, Entry]:
        """Make the row after a point, and read it back as an entry. So every row that is written can be verified."""
        body = write_entry(point.row, ledger=self.opening.hash, time=now(), **fields)
        row = BookRow(point.row.number + 1, body, seal(body))
        return row, self._follow(row, point)

    def verify(self, rows: Iterable[BookRow], seen: Point, receipts: Iterable[object]) -> int:
        """Check that each row may follow the one before, and that the receipts and ``seen`` are among the rows.

        Return the number of entries.
        """
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
        """The error for rows that do not begin with the row of this number."""
        if number:
            return lost(self.place, number)
        if first is None:
            return LedgerError(f"the ledger {self.place} is gone: nothing is written there")
        return LedgerError(
            f"the opening of {self.place} was replaced: it is no longer the ledger that was opened"
        )

    def _promised(self, receipt: object) -> tuple[int, Mapping[str, Any]]:
        """Return the number of the entry that a receipt names, and the receipt's fields."""
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
    """Whether every field of a receipt has the value of the entry."""
    kept = entry.to_dict()
    return all(_exact(record[key]) == _exact(kept[key]) for key in record.keys() & kept.keys() - MAY_DIFFER)


def _exact(value: Any) -> Any:
    """A field of a receipt without its floats, which are only there for people to read."""
    if not isinstance(value, Mapping):
        return value
    return {key: part for key, part in value.items() if not str(key).endswith("_float")}
