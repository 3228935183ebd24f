"""Ledger: a budget on disk, debited before any data is read, and never refunded.

A ledger is a privacy filter. A debit is one durable transaction. If the terms do not allow the total with the new
loss, nothing is written and nothing is released. This depends only on public facts: the loss, the terms, and what was
spent before. Proof: docs/proofs/ledger.md.

A filter promises that the budget holds in the end, whatever is asked. It is not an odometer: the amount spent so far is
what the filter counts. It is not a promise about the answers so far, if these answers decided when to stop.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Protocol

from noisewise.calls import checked_call
from noisewise.errors import LedgerError, ParameterError, ParameterTypeError
from noisewise.kernel.losses import BoundedRange, Loss, PureDP
from noisewise.kernel.numbers.exact import Number, describe, whole
from noisewise.ledger.amounts import Amount, Budget, price
from noisewise.ledger.books import Book, BookRow, open_book
from noisewise.ledger.budget import Default, Terms, checked_name, default
from noisewise.ledger.chain import Chain, Point
from noisewise.ledger.entries import Entry, now, read_entry, read_terms, seal, write_terms
from noisewise.ledger.ledger_report import Report, budget_picture, ledger_html
from noisewise.ledger.refusals import check_protection, check_terms, checked_loss, refusal
from noisewise.ledger.registry import registry_text
from noisewise.results.pictures.svg import Picture


class Paid(Protocol):
    """A release with the entry that paid for it."""

    @property
    def receipt(self) -> Any: ...


class Ledger:
    """A budget that releases are paid from. Open one with `Ledger.open`, and give it to a release as ``ledger=``.

    Threads, processes and forks can share it. A copy or a pickle is the same ledger, opened again. ``len(ledger)`` is
    the number of its entries. It need not be closed, but ``with`` closes it.
    """

    __slots__ = ("__weakref__", "_book", "_chain", "_id", "_opened", "_seen", "_terms")

    def __init__(self, book: Book | None = None, opening: BookRow | None = None, **others: object) -> None:
        if book is None or not isinstance(opening, BookRow) or others:
            raise ParameterTypeError(
                "Ledger", "must be opened", why="use Ledger.open(path, budget=...)"
            ) from None
        self._book, self._id = book, opening.hash
        self._terms, self._opened = read_terms(opening, book.place)
        self._chain = Chain(opening, self._terms, book.place)
        self._seen = self._chain.start

    @classmethod
    @checked_call("Ledger.open")
    def open(
        cls,
        path_or_url: str | os.PathLike[str],
        budget: Budget | None = None,
        neighbors: str = default("add_remove"),
        unit: str | None = default(None),
        contributions: int = default(1),
        name: str | None = default(None),
        *,
        conversion_delta: Number | None = None,
    ) -> "Ledger":
        """Create a ledger, or open one that exists.

        Args:
            path_or_url: A file's path, or a ``postgresql://`` URL.
            budget: The most that may be spent: ``PureDP``, ``ZCDP`` or ``ApproxDP``. It is needed to create a ledger.
                Later it may be left out, and a different one is an error. The same holds for everything below.
            neighbors: ``"add_remove"`` or ``"swap"``.
            unit: What is protected: None for records, the name of a column of people, ``"edge"`` or ``"node"``.
            contributions: The most records that a person can have. A release that covers fewer is refused.
            name: The name of the data. A database holds one ledger for each name.
            conversion_delta: The public part of an ``ApproxDP`` budget's delta that is kept for adding up in zCDP, by
                default half. Releases share the rest.

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
        stated = {key: value for key, value in given.items() if not isinstance(value, Default)}
        book = open_book(path_or_url, checked_name(stated.get("name")))
        opening = next(book.rows(), None)
        if opening is None:
            opening = _create(book, budget, conversion_delta, stated)
        ledger = cls(book, opening)
        check_terms(ledger._terms, book.place, budget, conversion_delta, stated)
        return ledger

    def __repr__(self) -> str:
        terms = self._terms
        return (
            f"<Ledger {self._book.full_place}: {terms.budget!r}, neighbors={terms.neighbors!r}, unit={terms.unit!r}, "
            f"contributions={terms.contributions}, name={terms.name!r}>"
        )

    def __len__(self) -> int:
        return self._now().row.number

    def __bool__(self) -> bool:
        return True  # a ledger without entries must not be left out by "if ledger"

    def __enter__(self) -> "Ledger":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __copy__(self) -> "Ledger":
        return self

    def __deepcopy__(self, memo: object) -> "Ledger":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _reopen, (*self._book.address, self._id)

    @property
    def terms(self) -> Terms:
        """The facts that were fixed when the ledger was created."""
        return self._terms

    @property
    def budget(self) -> Budget:
        """The most that may be spent."""
        return self._terms.budget

    @property
    def neighbors(self) -> str:
        """``"add_remove"`` or ``"swap"``."""
        return self._terms.neighbors

    @property
    def unit(self) -> str | None:
        """What is protected: None for records, the name of a column of people, ``"edge"`` or ``"node"``."""
        return self._terms.unit

    @property
    def contributions(self) -> int:
        """The most records, edges or nodes that a person can have."""
        return self._terms.contributions

    @property
    def name(self) -> str | None:
        """The name of the data, or None."""
        return self._terms.name

    @property
    def spent(self) -> Budget:
        """What has been spent so far, as a loss of the budget's kind. The promise is the budget itself."""
        return self._terms.spent(self._now().total)

    @property
    def remaining(self) -> Budget:
        """What remains, as a loss of the budget's kind. For ``ApproxDP`` it is the largest release that would fit."""
        return self._terms.remaining(self._now().total)

    def debit(
        self,
        loss: Loss,
        *,
        neighbors: str,
        contributions: int,
        unit: str | None = None,
        name: str | None = None,
        per_group: int | None = None,
        memo: str,
        check_entry: Callable[[Entry], None] | None = None,
    ) -> Entry:
        """Write down a loss durably, or raise an error to refuse it. A debit is never refunded.

        Args:
            loss: The privacy loss of the release.
            neighbors: The relation that the release protects. It must be the ledger's.
            contributions: The number of records of a person that the release covers, at least the ledger's.
            unit: What the release protects. It must be the ledger's.
            name: The name of the data. It must be the ledger's if both have one.
            per_group: The most records of a person in one group that the loss covers, if there is such a limit.
            memo: A description of the release.
            check_entry: Called with every entry before this one; it raises to refuse the debit. Nobody writes between
                its last call and the debit.
        """
        if not isinstance(memo, str):
            raise ParameterTypeError("memo", "must be text", got=describe(memo)) from None
        cost, owned = Amount.of(checked_loss(loss)), whole("contributions", contributions, least=1)
        check_protection(self._terms, self._book.place, neighbors, unit, owned, name)
        limit = None if per_group is None else whole("per_group", per_group, least=1)

        refused, booked = list[Amount](), list[Entry]()
        seen = (
            self._seen if self._seen.row.number else self._now()
        )  # reads a long history before the transaction
        if check_entry is not None:
            for each in self.entries():
                check_entry(each)

        def write(rows: list[BookRow]) -> tuple[str, str] | None:
            self._seen = last = self._chain.reach(rows, seen)
            before = last.total
            if check_entry is not None:
                for row in rows:
                    if row.number > seen.row.number:
                        check_entry(read_entry(row, self._terms, self._book.place))
            if not self._terms.allow(spent := before + cost):
                refused[:] = [before]  # the error is made below, so that nobody waits for its text
                return None
            if spent.outgrows(before):
                raise ParameterError(
                    "loss",
                    "must have fewer digits",
                    got=price(cost, self._terms.budget),
                    why="the exact total would be too long to write down",
                    fix="round it to a decimal",
                ) from None
            row, entry = self._chain.write(
                last,
                memo=memo,
                loss=loss,
                cost=cost,
                spent=spent,
                neighbors=neighbors,
                unit=unit,
                contributions=owned,
                per_group=limit,
                name=self._terms.name if name is None else checked_name(name),
            )
            booked[:] = [entry]
            return row.body, row.hash

        row = self._book.append(write, since=seen.row.number)
        if row is None:
            raise refusal(self._terms, self._book.place, loss, refused[0]) from None
        self._seen = Point(row, booked[0].spent)
        return booked[0]

    def fits(self, loss: Loss) -> bool:
        """Whether the ledger would accept a debit of this loss now."""
        return self._terms.allow(self._now().total + Amount.of(checked_loss(loss)))

    def check(self, *losses: Loss) -> None:
        """Raise the error of `debit` if it would refuse one of these losses, debited in this order. Write nothing."""
        before = self._now().total
        for loss in losses:
            if not self._terms.allow(spent := before + Amount.of(checked_loss(loss))):
                raise refusal(self._terms, self._book.place, loss, before) from None
            before = spent

    def largest_epsilon(self, kind: type[PureDP] | type[BoundedRange] = BoundedRange) -> float:
        """The largest epsilon of a release that the ledger would accept now; 0 if it would accept none.

        The number is rounded down to four digits, unless a float can use up exactly what remains. It is at most 64.
        """
        if kind not in (PureDP, BoundedRange):
            raise ParameterTypeError("kind", "must be PureDP or BoundedRange", got=describe(kind)) from None
        return self._terms.largest(self._now().total, kind)

    def entries(self) -> Iterator[Entry]:
        """Return every debit so far, in order, as it is written. `verify` checks that no entry was changed."""
        for row in self._book.rows():
            if row.number:
                yield read_entry(row, self._terms, self._book.place)

    def verify(self, *receipts: Entry | Paid | Mapping[str, Any]) -> int:
        """Check every entry, and that every given receipt has its entry. Return the number of entries.

        A receipt is an `Entry`, its ``to_dict()``, a paid release, or its card. An error names the first entry that was
        edited, removed or reordered. An older copy of a ledger has no error in itself. Only a receipt that is younger
        than the copy, or a process that had the ledger open, can show that entries are missing.
        """
        return self._chain.verify(self._book.rows(), self._seen, receipts)

    def report(self, delta: Number | None = None) -> Report:
        """What was spent, what remains, and the history, as a text with ``to_dict()``.

        Args:
            delta: With a budget in zCDP: a small probability, at which it also says the epsilon that rho is worth.
        """
        entries = (entry for _, entry in self._chain.walk(self._book.rows(), self._chain.start))
        return Report.of(self._terms, self._id, self._opened, self._book.full_place, entries, delta)

    def registry(self, delta: Number | None = None) -> str:
        """A record for the OpenDP registry of deployments, in YAML, with marks where a person must fill in a fact.

        Args:
            delta: As for `report`.
        """
        return registry_text(self._terms, self.report(delta), self.entries())

    def plot(self) -> Picture:
        """A picture of the spending over time."""
        spent = [(entry.time, entry.spent) for entry in self.entries()]
        return budget_picture(self._terms, self._opened, spent)

    def _repr_html_(self) -> str:
        return ledger_html(self.report(), self.plot())

    def close(self) -> None:
        """Close the file or the connection. The next use of the ledger opens it again."""
        self._book.close()

    def _now(self) -> Point:
        """Follow the rows that others have added since this process last looked, and return the last row."""
        seen = self._seen
        if self._book.last() != seen.row:
            self._seen = seen = self._chain.reach(self._book.rows(seen.row.number), seen)
        return seen


def _create(
    book: Book, budget: Budget | None, conversion_delta: Number | None, stated: dict[str, Any]
) -> BookRow:
    """Write the opening, unless another process has just written one."""
    if budget is None:
        raise ParameterError(
            "budget",
            f"must be given to create a ledger, and there is none at {book.full_place}",
            kind="no ledger",
        ) from None
    body = write_terms(Terms.of(budget, conversion_delta=conversion_delta, **stated), now("microseconds"))
    book.append(lambda rows: None if rows else (body, seal(body)))
    opening = next(book.rows(), None)
    if opening is None:
        raise LedgerError(f"the ledger {book.place} is gone: nothing is written there") from None
    return opening


def _reopen(path: str, name: str | None, ledger: str) -> Ledger:
    """Open a ledger that was pickled. Raise an error if another ledger is at its place now."""
    book = open_book(path, name)
    opening = next(book.rows(), None)
    if opening is None or opening.hash != ledger:
        raise LedgerError(f"{book.place} is not the ledger that was pickled") from None
    return Ledger(book, opening)
