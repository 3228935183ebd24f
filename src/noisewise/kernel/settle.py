"""Pay, look, draw: what everything that can be paid for has in common, and the only order in which it is answered.

The ledger is debited before the first record is read, and never refunded: a refund that depends on the data would be a
second, unpaid release.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar, runtime_checkable

import numpy as np

from noisewise.kernel.errors import Keyword, ParameterError, ParameterTypeError, ReleaseFailed, Text, Words
from noisewise.kernel.losses import ZCDP, ApproxDP, Loss, Neighbors, PureDP, of_records
from noisewise.kernel.mechanisms import Auto
from noisewise.kernel.numbers.exact import describe, exact, exact_epsilon, whole
from noisewise.kernel.sampling import Bits, from_system
from noisewise.kernel.secret import Secret
from noisewise.ledger.composition import compose
from noisewise.results.release import Form, Release

Result = TypeVar("Result")


@runtime_checkable
class Payer(Protocol):
    """What a release needs of a ledger: take the loss now, or refuse by raising. What it returns is the receipt.

    ``unit`` says what is protected where that is not a person with records: "edge" or "node" in a graph, or the column
    of a table that names people. It is left out otherwise.
    """

    def debit(
        self, loss: Loss, *, neighbors: str, contributions: int, memo: str, unit: str | None = None
    ) -> Any: ...


class Payable(Secret, ABC):
    """A question bound to its data: every public check has passed, nobody has paid, and nothing was read.

    A subclass that is made of another question names it as ``inner``; loss, neighbours, contributions and memo are
    those of ``inner`` unless the subclass says otherwise.
    """

    __slots__ = ()

    if TYPE_CHECKING:

        @property
        def inner(self) -> object:
            """What this question is made of."""

        @property
        def loss(self) -> Loss:
            """What the answer costs."""

        @property
        def neighbors(self) -> Neighbors: ...

        @property
        def contributions(self) -> int: ...

        @property
        def memo(self) -> str:
            """What the ledger writes down."""

    else:  # properties here would be taken for the defaults of the fields of the same names

        def __getattr__(self, name: str) -> Any:
            if name in ("loss", "neighbors", "contributions", "memo"):
                return getattr(self.inner, name)
            raise AttributeError(f"{type(self).__name__} has no {name}")

    @property
    def unit(self) -> str | None:
        """What the ledger protects: None for a person with records, else an edge or a node."""
        return None

    def with_interval(self, confidence: Fraction, at: "Callable[[Fraction], Payable]") -> "Payable":
        """The same question with an interval that comes with its answer, at the same price; or why there is none.

        ``at`` is the question at another epsilon, for an interval that takes a share of it.
        """
        raise no_interval(self.memo.partition(" by ")[0], "none is known for such an answer") from None

    def loss_of(self, records: int) -> Loss:
        """What a person with so many records loses, in one group or in several, where this question is asked of each
        group and covers one record, added or removed. Proof: docs/proofs/groups.md.
        """
        return of_records(self.loss, records)

    @abstractmethod
    def answer(self, receipt: object = None, *, bits: Bits | None = None) -> Release:
        """Look and draw. Call it only after the debit."""

    def released(
        self,
        value: object,
        receipt: object,
        bits: Bits | None,
        *,
        statistic: str,
        mechanism: str,
        law: str,
        granularity: Fraction | None = None,
        bounds: tuple[object, object] | None = None,
        notes: tuple[str, ...] = (),
        names: tuple[str, ...] = (),
        form: Form = "numbers",
    ) -> Release:
        """A value with everything that its reader must know."""
        return Release(
            value=value,
            privacy=self.loss,
            statistic=statistic,
            mechanism=mechanism,
            neighbors=self.neighbors,
            contributions=self.contributions,
            granularity=granularity,
            bounds=bounds,
            law=law,
            receipt=receipt,
            notes=notes,
            unit=self.unit or "record",
            private=from_system(bits),
            names=names,
            form=form,
        )


def no_interval(what: str, why: str, fix: Text = "") -> ParameterError:
    """The refusal of an interval where none can be given."""
    return ParameterError("interval", f"must be left out for {what}", why=why, fix=fix)


def judge_payer(ledger: object) -> None:
    """Refuse what cannot be paid from."""
    if ledger is not None and (isinstance(ledger, type) or not callable(getattr(ledger, "debit", None))):
        raise ParameterTypeError(
            "ledger",
            'must be a Ledger, as Ledger.open("staff.ledger") gives, or anything with a debit method, or '
            "None",
            got=describe(ledger),
        ) from None


def mechanism_for(chosen: Any, ledger: object) -> Any:
    """``"auto"`` for what the ledger's budget counts, where that is not pure epsilon; any other choice as it is."""
    leaves_it_to_us = isinstance(chosen, str) and chosen == "auto"
    counts_more = isinstance(getattr(ledger, "budget", None), (ZCDP, ApproxDP))
    return Auto(pure=False) if leaves_it_to_us and counts_more else chosen


def settle(payable: Payable, ledger: Payer | None, notes: tuple[str, ...] = ()) -> Release:
    """Pay, then answer. A failure after the debit leaves no value, and nothing of the data in its error.

    ``notes`` is what else the receipt says, by the type of the data.
    """
    receipt = None
    if ledger is not None:
        receipt = ledger.debit(
            payable.loss,
            neighbors=payable.neighbors,
            contributions=payable.contributions,
            memo=payable.memo,
            **({"unit": payable.unit} if payable.unit else {}),
        )

    def answer() -> Release:
        release = payable.answer(receipt)
        return replace(release, notes=(*release.notes, *notes)) if notes else release

    return after_debit(
        answer,
        "the release failed after it was paid for: no value was drawn and the debit stands",
    )


def after_debit(work: Callable[[], Result], message: str) -> Result:
    """Do what is paid for. A failure says this message, and nothing of the data."""
    failure: BaseException | None = None
    try:
        return work()
    except KeyboardInterrupt:
        failure = KeyboardInterrupt()
    except SystemExit:
        failure = SystemExit(1)
    except BaseException:  # a panic of a data frame engine is no Exception
        pass
    raise failure or ReleaseFailed(
        message
    ) from None  # what was caught may speak of the data: it is dropped, not chained


def sum_of(*losses: Loss) -> PureDP:
    """What several draws cost together, where each may depend on those before: pure, no longer of bounded range."""
    epsilon = sum(loss.as_pure().epsilon for loss in losses)
    return PureDP(epsilon, rho=sum(loss.as_zcdp().rho for loss in losses))


def sum_with_delta(*losses: Loss) -> Loss:
    """The same where some have a delta, as the search for groups has."""
    if not any(isinstance(loss, ApproxDP) for loss in losses):
        return sum_of(*losses)
    together = compose(*losses)
    return together.as_approx(together.delta)


class PrivacyTerms(NamedTuple):
    """What a release costs and whom it protects, judged."""

    epsilon: Fraction
    neighbors: Neighbors
    contributions: int

    @classmethod
    def of(
        cls, *, epsilon: object, neighbors: object = "add_remove", contributions: object = 1
    ) -> "PrivacyTerms":
        """Judge what the user asked for; raise what is wrong with it."""
        return cls(exact_epsilon(epsilon), *unit_of_privacy(neighbors, contributions))


def unit_of_privacy(neighbors: object, contributions: object) -> tuple[Neighbors, int]:
    """Whom a release protects, or the error that says what is wrong with it."""
    if not isinstance(neighbors, str) or neighbors not in ("add_remove", "swap"):
        raise ParameterError(
            "neighbors", ("must be ", Words("add_remove", "swap")), got=describe(neighbors)
        ) from None
    owned = whole("contributions", contributions, least=1)
    if neighbors == "add_remove":
        return "add_remove", owned
    if owned > 1:
        raise ParameterError(
            "contributions",
            "must be 1 when records are swapped",
            got=str(owned),
            why=f"a person with up to {owned} records would make the number of records secret",
            fix=("use ", Keyword("neighbors", "add_remove")),
        ) from None
    return "swap", owned


def plain(bound: Any) -> Any:
    """Bounds as the receipt keeps them: as typed, but without NumPy types; of several columns, a pair for each."""
    if isinstance(bound, (tuple, list, np.ndarray)):
        return tuple(map(plain, bound))
    if isinstance(bound, np.integer):
        return int(bound)
    return float(exact("bounds", bound)) if isinstance(bound, np.floating) else bound
