"""What was spent, however it is handed over: losses, releases, entries of a ledger, a ledger, or several of these.

Losses add up for the same people alone: what hides one record does not hide somebody's three. Releases, entries and
ledgers know whom they protect and are compared; of a bare loss nobody can tell.
"""

from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Any, Protocol, TypeAlias, TypeVar, runtime_checkable

from noisewise.errors import ParameterError, ParameterTypeError
from noisewise.kernel.losses import ZCDP, ApproxDP, BoundedRange, Loss, PureDP
from noisewise.kernel.numbers.exact import describe
from noisewise.ledger.entries import Entry
from noisewise.ledger.ledger import Ledger

PIECES = ("record", "edge", "node")
"""What people own, where no column names them."""


@runtime_checkable
class Released(Protocol):
    """A release, or one for each group, which says what it may tell."""

    @property
    def privacy(self) -> Loss: ...


Spent: TypeAlias = PureDP | BoundedRange | ZCDP | ApproxDP | Released | Entry | Ledger
Other = TypeVar("Other")


def several(given: Any) -> list[Any]:
    """What is handed over, one by one. A set would count equal losses once."""
    if not isinstance(given, Iterable) or isinstance(given, (str, bytes, Mapping, Set, Released)):
        return [given]
    return list(given)


def losses_of(parts: Sequence[Any], other: type[Other]) -> "list[Loss | Other]":
    """The losses of what was spent, in order; ``other`` are kept as they are."""
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
    """Whom it protects, in words; a column that names people protects them with all their records."""
    release = getattr(spent, "about", spent)  # of all groups together
    if (neighbors := getattr(release, "neighbors", None)) is None:
        return None
    unit = getattr(release, "people", None) or release.unit or "record"
    return (
        f"{neighbors} of {release.contributions} {unit}"
        if unit in PIECES
        else f"{neighbors} of everything by {unit}"
    )
