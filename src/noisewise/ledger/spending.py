"""Losses in any form: losses, releases, entries of a ledger, a ledger, or several of these.

Losses add up only if they protect the same people: a release that hides one record does not hide the three records of a
person. Releases, entries and ledgers state whom they protect and are compared. A bare loss does not.
"""

from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Any, Protocol, TypeAlias, TypeVar, runtime_checkable

from noisewise.errors import ParameterError, ParameterTypeError
from noisewise.kernel.losses import ZCDP, ApproxDP, BoundedRange, Loss, PureDP
from noisewise.kernel.numbers.exact import describe
from noisewise.ledger.entries import Entry
from noisewise.ledger.ledger import Ledger

UNITS = ("record", "edge", "node")
"""The units that are protected if no column names people."""


@runtime_checkable
class Released(Protocol):
    """A release, or the releases of groups, with their privacy loss."""

    @property
    def privacy(self) -> Loss: ...


Spent: TypeAlias = PureDP | BoundedRange | ZCDP | ApproxDP | Released | Entry | Ledger
Other = TypeVar("Other")


def several(given: Any) -> list[Any]:
    """Make a list of several things or of one thing. A set counts as one thing, since it drops equal losses."""
    if not isinstance(given, Iterable) or isinstance(given, (str, bytes, Mapping, Set, Released)):
        return [given]
    return list(given)


def losses_of(parts: Sequence[Any], other: type[Other]) -> "list[Loss | Other]":
    """The losses of all parts, in order. Parts of the type ``other`` stay as they are."""
    losses = [part for each in parts for part in _losses(each, other)]
    protected = sorted({whom for whom in map(_protected, parts) if whom is not None})
    if len(protected) > 1:
        raise ParameterError(
            "releases", "must protect the same people to be added up", got=" and ".join(protected)
        ) from None
    return losses


def _losses(spent: Any, other: type[Other]) -> "list[Loss | Other]":
    if isinstance(spent, (PureDP, BoundedRange, ZCDP, ApproxDP, other)):
        return [spent]
    if isinstance(spent, Entry):
        return [spent.loss]
    if isinstance(spent, Ledger):
        return [entry.loss for entry in spent.entries()]
    if isinstance(spent, Released) and not isinstance(spent, type):
        return [spent.privacy]
    raise ParameterTypeError(
        "losses", "must be losses, releases, entries, a ledger or a list of these", got=describe(spent)
    ) from None


def _protected(spent: Any) -> str | None:
    """Whom a release or an entry protects, in words. If a column names people, all their records are protected."""
    release = getattr(spent, "about", spent)  # the release of all groups together
    if (neighbors := getattr(release, "neighbors", None)) is None:
        return None
    unit = getattr(release, "people", None) or release.unit or "record"
    return (
        f"{neighbors} of {release.contributions} {unit}"
        if unit in UNITS
        else f"{neighbors} of everything by {unit}"
    )
