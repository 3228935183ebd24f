"""Ledger: a budget on disk, debited before any data is read, and never refunded.

It is a privacy filter. A debit is one durable transaction: the totals in the last row plus the new loss must be allowed
by the terms, or nothing is written and nothing released. What can be refused is refused from public facts: the loss,
the terms, and what was spent before. Proof: docs/proofs/ledger.md.
"""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar, cast

from noisewise.books import Book, Row, open_book
from noisewise.errors import LedgerError, ParameterError, ParameterTypeError
from noisewise.exact import Number, describe, whole
from noisewise.privacy.budget import NOTHING, Amount, Budget, Terms, largest, named, price
from noisewise.privacy.entries import (
    Entry,
    follow,
    now,
    read_entry,
    read_terms,
    seal,
    total_after,
    write_entry,
    write_terms,
)
from noisewise.privacy.losses import BoundedRange, Loss, PureDP
from noisewise.privacy.refusals import a_loss, protects, refusal, same
from noisewise.privacy.report import Report

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class _Default:
    """What holds if nothing is said: a new ledger takes it, an old one is not compared with it."""

    value: object

    def __repr__(self) -> str:
        return repr(self.value)


def default(value: Value) -> Value:
    """A default that can be told from the same value typed by hand."""
    return cast(Value, _Default(value))


class Paid(Protocol):
    """A release, which carries the entry that paid for it."""

    @property
    def receipt(self) -> Any: ...


class Ledger:
    """Where releases are paid from. Open one with `Ledger.open`, and give it to a release as ``ledger=``.

    Threads, processes and forks share it; a copy or a pickle is the same ledger, opened again.
    """

    __slots__ = ("__weakref__", "_book", "_id", "_opened", "_terms")

    def __init__(self, book: Book, opening: Row | None = None, **others: object) -> None:
        if not isinstance(opening, Row) or others:
            raise ParameterTypeError("Ledger must be opened: use Ledger.open(path, budget=...)") from None
        self._book, self._id = book, opening.hash
        self._terms, self._opened = read_terms(opening, book.place)

    @classmethod
    def open(
        cls,
        path: str | os.PathLike[str],
        budget: Budget | None = None,
        neighbors: str = default("add_remove"),
        unit: str | None = default(None),
        contributions: int = default(1),
        name: str | None = default(None),
        *,
        conversion_delta: Number | None = None,
    ) -> "Ledger":
        """Create a ledger, or open the one that is there.

        Args:
            path: A file's path, or a ``postgresql://`` URL.
            budget: What may be spent in all: ``PureDP``, ``ZCDP`` or ``ApproxDP``. Needed to create a ledger; later
                it may be left out, and another one is an error, as for everything below.
            neighbors: Whom it protects: ``"add_remove"`` or ``"swap"``.
            unit: What a person owns: None for records, a unit column's name, or ``"edge"`` or ``"node"`` of a graph.
            contributions: How many records a person may own. A release that covers fewer is refused.
            name: The name of the data. A database holds one ledger for each name.
            conversion_delta: The public part of an ``ApproxDP`` budget's delta that is kept for adding up in zCDP, by
                default half; releases share the rest.

        Examples:
            >>> ledger = nws.Ledger.open("staff.ledger", budget=nws.ZCDP(0.5))
            >>> nws.median(incomes, bounds=(0, 1_000_000), epsilon=1.0, ledger=ledger)
        """
        given: dict[str, Any] = {
            "neighbors": neighbors,
            "unit": unit,
            "contributions": contributions,
            "name": name,
        }
        said = {key: value for key, value in given.items() if not isinstance(value, _Default)}
        book = open_book(path, named(said.get("name")))
        opening = next(book.rows(), None)
        if opening is None:
            opening = _create(book, budget, conversion_delta, said)
        ledger = cls(book, opening)
        same(ledger._terms, book.place, budget, conversion_delta, said)
        return ledger

    def __repr__(self) -> str:
        terms = self._terms
        return (
            f"<Ledger {self._book.where}: {terms.budget!r}, neighbors={terms.neighbors!r}, unit={terms.unit!r}, "
            f"contributions={terms.contributions}, name={terms.name!r}>"
        )

    def __copy__(self) -> "Ledger":
        return self

    def __deepcopy__(self, memo: object) -> "Ledger":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _reopen, (*self._book.address, self._id)

    @property
    def terms(self) -> Terms:
        """What was fixed when the ledger was created."""
        return self._terms

    @property
    def spent(self) -> Budget:
        """What has been spent, as a loss of the budget's own kind."""
        return self._terms.spent(self._total())

    @property
    def remaining(self) -> Budget:
        """What remains, as a loss of the budget's own kind; of ``ApproxDP``, the largest release that would fit."""
        return self._terms.remaining(self._total())

    def debit(
        self,
        loss: Loss,
        *,
        neighbors: str,
        contributions: int,
        unit: str | None = None,
        name: str | None = None,
        memo: str,
    ) -> Entry:
        """Take a loss, durably, or refuse it by raising; what is taken is never given back.

        Args:
            loss: What the release may tell about anybody.
            neighbors: Whom it protects; must be the ledger's.
            contributions: How many records of a person it covers; at least the ledger's.
            unit: What a person owns; must be the ledger's.
            name: The name of the data; must be the ledger's where both have one.
            memo: What is released, in words.
        """
        if not isinstance(memo, str):
            raise ParameterTypeError(f"memo must be text, got {describe(memo)}") from None
        cost, owned = Amount.of(a_loss(loss)), whole("contributions", contributions, least=1)
        protects(self._terms, self._book.place, neighbors, unit, owned, name)

        refused, booked = list[Amount](), list[Entry]()

        def write(last: Row | None) -> tuple[str, str] | None:
            last = self._there(last)
            before = total_after(last, self._terms, self._id, self._book.place)
            if not self._terms.allow(spent := before + cost):
                refused[:] = [before]  # said below: nobody has to wait for the words
                return None
            if spent.is_long:
                raise ParameterError(
                    f"loss must have fewer digits, got {price(cost, self._terms.budget)}: the exact total would be "
                    "too long to write down; round it to a decimal"
                ) from None
            body = write_entry(
                last,
                ledger=self._id,
                time=now(),
                memo=memo,
                loss=loss,
                cost=cost,
                spent=spent,
                neighbors=neighbors,
                unit=unit,
                contributions=owned,
                name=self._terms.name if name is None else named(name),
            )
            row = Row(last.number + 1, body, seal(body))  # what could not be verified is not written
            booked[:] = [follow(row, last, before, self._terms, self._id, self._book.place)]
            return body, row.hash

        if self._book.append(write) is None:
            raise refusal(self._terms, self._book.place, loss, refused[0]) from None
        return booked[0]

    def fits(self, loss: Loss) -> bool:
        """Whether a release of this loss could be paid now."""
        return self._terms.allow(self._total() + Amount.of(a_loss(loss)))

    def largest_epsilon(self, kind: type[PureDP] | type[BoundedRange] = BoundedRange) -> float:
        """The largest epsilon of a release that could be paid now, rounded down to four digits; 0 if none could."""
        if kind not in (PureDP, BoundedRange):
            raise ParameterTypeError(f"kind must be PureDP or BoundedRange, got {describe(kind)}") from None
        spent = self._total()
        return largest(lambda epsilon: self._terms.allow(spent + Amount.of(kind(epsilon))))

    def entries(self) -> Iterator[Entry]:
        """Every debit so far, in order, as it is written; `verify` says whether to believe it."""
        for row in self._book.rows():
            if row.number:
                yield read_entry(row, self._terms, self._book.place)

    def verify(self, *receipts: Entry | Paid | Mapping[str, Any]) -> int:
        """Check every entry, and that every receipt given stands among them; return how many entries there are.

        A receipt is an `Entry` or its ``to_dict()``; a release that was paid, and its card, carry one.
        An error names the first entry that was edited, removed or reordered. A copy that was rolled back is whole in
        itself: only a receipt from later than the copy can tell.
        """
        place, wanted = self._book.place, dict[int, set[str]]()
        for number, hash in map(self._promised, receipts):
            wanted.setdefault(number, set()).add(hash)
        rows = self._book.rows()
        last, total = self._there(next(rows, None)), NOTHING
        terms, _ = read_terms(last, place)
        if last.hash != self._id or not terms.sound:
            raise LedgerError(f"the opening of {place} was replaced") from None
        for row in rows:
            entry = follow(row, last, total, terms, self._id, place)
            if wanted.pop(entry.number, {entry.hash}) != {entry.hash}:
                raise LedgerError(f"entry {entry.number} of {place} is not the one of the receipt") from None
            last, total = row, entry.spent
        if wanted:
            raise LedgerError(
                f"entry {min(wanted)} of {place} is missing, though there is a receipt for it: this is an older copy, "
                "or entries were removed from its end"
            ) from None
        return last.number

    def report(self) -> Report:
        """What was spent, what remains, and the history; prints as text, and has ``to_dict()``."""
        return Report.of(self._terms, self._id, self._opened, self._book.where, self.entries())

    def _promised(self, receipt: object) -> tuple[int, str]:
        """The number and the hash of a receipt of this ledger."""
        entry = getattr(receipt, "receipt", receipt)
        record = entry.to_dict() if isinstance(entry, Entry) else entry
        if isinstance(record, Mapping) and isinstance(record.get("ledger"), Mapping):
            record = record["ledger"]  # a card
        if not isinstance(record, Mapping) or not {"ledger", "number", "hash"} <= record.keys():
            raise ParameterTypeError(
                f"receipt must be an Entry, its to_dict(), a paid release or its card, got {describe(receipt)}"
            ) from None
        number = whole("number of a receipt", record["number"], least=1)
        if record["ledger"] != self._id:
            raise LedgerError(f"the receipt of entry {number} is of another ledger") from None
        return number, str(record["hash"])

    def _total(self) -> Amount:
        return total_after(self._there(self._book.last()), self._terms, self._id, self._book.place)

    def _there(self, row: Row | None) -> Row:
        if row is None:
            raise LedgerError(f"the ledger {self._book.place} is gone: nothing is written there") from None
        return row


def _create(book: Book, budget: Budget | None, conversion_delta: Number | None, said: dict[str, Any]) -> Row:
    """Write the opening, unless a rival has just written one."""
    if budget is None:
        raise ParameterError(
            f"budget must be given to create a ledger, and there is none at {book.where}"
        ) from None
    body = write_terms(Terms.of(budget, conversion_delta=conversion_delta, **said), now("microseconds"))
    book.append(lambda last: (body, seal(body)) if last is None else None)
    opening = next(book.rows(), None)
    if opening is None:
        raise LedgerError(f"the ledger {book.place} is gone: nothing is written there") from None
    return opening


def _reopen(path: str, name: str | None, ledger: str) -> Ledger:
    """What a pickle calls: the same ledger, or an error where another stands in its place."""
    book = open_book(path, name)
    opening = next(book.rows(), None)
    if opening is None or opening.hash != ledger:
        raise LedgerError(f"{book.place} is not the ledger that was pickled") from None
    return Ledger(book, opening)
