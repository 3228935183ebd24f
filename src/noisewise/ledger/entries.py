"""The rows of a ledger, written and read: canonical JSON, where each row includes the hash of the row before it.

Row 0 is the opening and holds the terms. Every later row is one debit: the loss, its charge, and the totals so far.
Numbers are exact text like ``"1/10"``. The body holds the hash of the row before it and is itself hashed, so editing,
removing or moving a row breaks the chain.

What is written keeps its meaning for ever. The charge in a row is what was charged, even if a later version would
charge less. If the meaning changes, or a loss must be charged more, the format number rises, and this file reads both
formats. A ledger keeps the format of its opening.

    format 1    without ``per_group``
    format 2    an entry says ``per_group``, the most records of a person in one group that its charge covers, or null
"""

import json
import re
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from fractions import Fraction
from hashlib import sha256
from typing import Any

from noisewise.errors import LedgerError, NoisewiseError
from noisewise.kernel.losses import ZCDP, ApproxDP, BoundedRange, Loss, PureDP
from noisewise.kernel.sampling import Bits, SystemBits
from noisewise.ledger.amounts import Amount, Budget, price, rest
from noisewise.ledger.books import BookRow
from noisewise.ledger.budget import Terms

FORMATS = (1, 2)
"""The formats that can be read. A new ledger has the last one."""
LAST_DIGIT = 1 + Fraction(1, 2**56)
"""The most by which versions may differ when they round a converted rho to 64 bits. A lower charge is refused."""

CANONICAL = json.JSONEncoder(sort_keys=True, separators=(",", ":"))
KINDS = {kind.__name__: kind for kind in (PureDP, BoundedRange, ZCDP, ApproxDP)}
NUMBERS = {kind: [each.name for each in fields(kind)] for kind in KINDS.values()}
"""The names of the numbers of each kind of loss."""

WRITTEN = re.compile(r"-?[0-9]+(?:/[0-9]+)?")
UNREADABLE = (
    *(ArithmeticError, AttributeError, KeyError, RecursionError, TypeError, ValueError),
    NoisewiseError,
)
"""The errors that reading may raise if somebody has put something else into a row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One debit, and the receipt of the release it paid for.

    Attributes:
        ledger: The hash of the ledger's opening, which identifies the ledger.
        place: The ledger's file name, or its URL without a password.
        name: The name of the data, or None.
        number: 1 for the first debit, and so on.
        hash: The hash of this entry, which includes all entries before it.
        time: The time of writing, in UTC.
        memo: The description of the release.
        loss: The privacy loss of the release.
        cost: The charge in each currency.
        spent: The totals after this entry.
        remaining: What remained after it in each currency, None if the budget does not count the currency.
        budget: The most that the ledger may spend.
        neighbors: ``"add_remove"`` or ``"swap"``.
        unit: What the ledger protects.
        contributions: The most of these units that a person has.
        per_group: The most records of a person in one group that the charge covers; None if there is no such limit.
    """

    ledger: str
    place: str
    name: str | None
    number: int
    hash: str
    time: str
    memo: str
    loss: Loss
    cost: Amount
    spent: Amount
    remaining: Amount
    budget: Budget
    neighbors: str
    unit: str | None
    contributions: int
    per_group: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """All fields, ready for JSON. ``Ledger.verify`` takes it as a receipt."""
        record: dict[str, Any] = {each.name: getattr(self, each.name) for each in fields(self)}
        record |= {name: record[name].to_dict() for name in ("loss", "budget")}
        if self.per_group is None:
            del record["per_group"]  # receipts of format 1 do not have it
        return record | {name: amount_to_dict(record[name]) for name in ("cost", "spent", "remaining")}

    def __str__(self) -> str:
        return (
            f"entry {self.number} of {self.place}: {price(self.cost, self.budget)}; "
            f"remains {rest(self.remaining, self.budget)}"
        )


def question_in(memo: str) -> str:
    """The question in a memo, without the law that follows it."""
    return re.split("(?<!guaranteed) by ", memo, maxsplit=1)[0]


def now(timespec: str = "seconds") -> str:
    """The time in UTC, in ISO 8601."""
    return datetime.now(UTC).replace(tzinfo=None).isoformat(timespec=timespec) + "Z"


def seal(body: str) -> str:
    """The hash of a row with this body, which holds the hash of the row before."""
    return sha256(body.encode()).hexdigest()


def write_terms(terms: Terms, time: str, bits: Bits | None = None, version: int = FORMATS[-1]) -> str:
    """The body of row 0. It has a random number, so that no two ledgers have the same opening."""
    return _canonical(
        {
            "format": version,
            "number": 0,
            "nonce": (bits or SystemBits()).words(2).tobytes().hex(),
            "time": time,
            "budget": _loss_to_text(terms.budget),
            "neighbors": terms.neighbors,
            "unit": terms.unit,
            "contributions": terms.contributions,
            "name": terms.name,
            "conversion": _text(terms.conversion),
            "limit": _text(terms.limit),
        }
    )


def read_terms(row: BookRow, place: str) -> tuple[Terms, str]:
    """The terms and the time of the opening."""
    written = _parse(row, place)
    try:
        budget = _loss_from_text(written["budget"])
        if not isinstance(budget, (PureDP, ZCDP, ApproxDP)):
            raise TypeError
        terms = Terms(
            budget=budget,
            neighbors=written["neighbors"],
            unit=written["unit"],
            contributions=written["contributions"],
            name=written["name"],
            conversion=_number(written["conversion"]),
            limit=_number(written["limit"]),
        )
        time, _ = str(written["time"]), written["nonce"]
    except UNREADABLE:
        raise LedgerError(f"the opening of {place} was edited: it cannot be read") from None
    return terms, time


def write_entry(
    last: BookRow, *, loss: Loss, cost: Amount, spent: Amount, per_group: int | None = None, **others: Any
) -> str:
    """The body of the row after ``last``, in its format. The ``others`` are fields of an `Entry`, taken as they are."""
    version = _format_of(last)
    if version > 1:
        others["per_group"] = per_group
    numbers = {"loss": _loss_to_text(loss), "cost": amount_to_dict(cost), "spent": amount_to_dict(spent)}
    return _canonical(
        {"format": version, "number": last.number + 1, "previous": last.hash, **numbers, **others}
    )


def read_entry(row: BookRow, terms: Terms, place: str) -> Entry:
    """Read the entry in a row. Raise an error if the row was changed after it was hashed."""
    written = _parse(row, place)
    try:
        spent = _amount(written["spent"])
        return Entry(
            ledger=str(written["ledger"]),
            place=place,
            name=written["name"],
            number=int(written["number"]),
            hash=row.hash,
            time=str(written["time"]),
            memo=str(written["memo"]),
            loss=_loss_from_text(written["loss"]),
            cost=_amount(written["cost"]),
            spent=spent,
            remaining=terms.left(spent),
            budget=terms.budget,
            neighbors=str(written["neighbors"]),
            unit=written["unit"],
            contributions=int(written["contributions"]),
            per_group=_per_group(written),
        )
    except UNREADABLE:
        raise LedgerError(f"entry {row.number} of {place} was edited: it cannot be read") from None


def follow(row: BookRow, last: BookRow, total: Amount, terms: Terms, ledger: str, place: str) -> Entry:
    """The entry in ``row``, if it may follow ``last``. Otherwise an error says what is wrong."""
    number = last.number + 1
    if row.number != number:
        raise LedgerError(f"entry {number} of {place} was removed") from None
    entry = read_entry(row, terms, place)
    spent = total + entry.cost
    written = write_entry(
        last,
        ledger=ledger,
        time=entry.time,
        memo=entry.memo,
        loss=entry.loss,
        cost=entry.cost,
        spent=spent,
        neighbors=terms.neighbors,
        unit=terms.unit,
        contributions=entry.contributions,
        per_group=entry.per_group,
        name=entry.name,
    )
    if written != row.body:
        fault = "does not add up" if f'"{last.hash}"' in row.body else f"does not follow entry {last.number}"
        raise LedgerError(
            f"entry {number} of {place} {fault}: entries were edited, removed or reordered"
        ) from None
    if entry.contributions < terms.least or not _charged(entry) or not terms.allow(spent):
        raise LedgerError(f"entry {number} of {place} is more than the terms allow: it was edited") from None
    return entry


def _charged(entry: Entry) -> bool:
    """Whether the entry charges what its loss costs. Versions may round a converted rho differently."""
    due, cost = Amount.of(entry.loss), entry.cost
    if isinstance(entry.loss, ZCDP):
        return cost == due
    assert due.rho is not None
    same = (cost.epsilon, cost.delta) == (due.epsilon, due.delta)
    return same and cost.rho is not None and cost.rho * LAST_DIGIT >= due.rho


def amount_to_dict(amount: Amount) -> dict[str, str | None]:
    """An amount as exact text for each currency."""
    return {"epsilon": _text(amount.epsilon), "rho": _text(amount.rho), "delta": _text(amount.delta)}


def _parse(row: BookRow, place: str) -> dict[str, Any]:
    what = f"entry {row.number} of {place}" if row.number else f"the opening of {place}"
    try:
        written = dict(json.loads(row.body))
        version, sealed = written["format"], seal(row.body) == row.hash
    except UNREADABLE:
        raise LedgerError(f"{what} was edited: it cannot be read") from None
    if version not in FORMATS:
        raise LedgerError(
            f"{what} was written by a newer noisewise, in format {version}: upgrade to use it"
        ) from None
    if not sealed:
        raise LedgerError(f"{what} was edited: its seal is broken") from None
    return written


def _format_of(row: BookRow) -> int:
    """The format of a row that was read before, and so the format of the row after it."""
    return int(json.loads(row.body)["format"])


def _per_group(written: dict[str, Any]) -> int | None:
    """The limit on a person's records in one group; None in format 1, which has no such field."""
    if written["format"] == 1 or (limit := written["per_group"]) is None:
        return None
    if int(limit) < 1:
        raise ValueError
    return int(limit)


def _canonical(record: dict[str, Any]) -> str:
    return CANONICAL.encode(record)


def _text(value: Fraction | None) -> str | None:
    return None if value is None else str(value)


def _number(text: str | None) -> Fraction | None:
    return None if text is None else _fraction(text)


def _fraction(text: str) -> Fraction:
    """Read a number that is written in digits. Refuse any other text: 1e999999999 would take all memory."""
    if not WRITTEN.fullmatch(text):
        raise ValueError
    numerator, _, denominator = text.partition("/")
    return Fraction(int(numerator), int(denominator or 1))


def _amount(written: dict[str, str | None]) -> Amount:
    delta = _number(written["delta"])
    if delta is None:
        raise TypeError
    return Amount(_number(written["epsilon"]), _number(written["rho"]), delta)


def _loss_to_text(loss: Loss) -> dict[str, str]:
    numbers = ((name, getattr(loss, name)) for name in NUMBERS[type(loss)])
    return {"loss": type(loss).__name__} | {name: str(n) for name, n in numbers if n is not None}


def _loss_from_text(written: dict[str, str]) -> Loss:
    numbers = {name: _fraction(text) for name, text in written.items() if name != "loss"}
    loss: Loss = KINDS[written["loss"]](**numbers)
    return loss
