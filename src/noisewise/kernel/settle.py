"""Pay, look, draw: what everything that can be paid for has in common, and the only order in which it is answered.

The ledger is debited before the first record is read, and never refunded: a refund that depends on the data would be a
second, unpaid release.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar, runtime_checkable

from noisewise.kernel.errors import ReleaseFailed
from noisewise.kernel.losses import Loss, Neighbors, PureDP
from noisewise.kernel.sampling import Bits
from noisewise.kernel.secret import Secret

Answer = TypeVar("Answer")
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


class AnyPayable(Secret, ABC, Generic[Answer]):
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

    @abstractmethod
    def answer(self, receipt: object = None, *, bits: Bits | None = None) -> Answer:
        """Look and draw. Call it only after the debit."""


def settle(payable: AnyPayable[Answer], ledger: Payer | None) -> Answer:
    """Pay, then answer. A failure after the debit leaves no value, and nothing of the data in its error."""
    receipt = None
    if ledger is not None:
        receipt = ledger.debit(
            payable.loss,
            neighbors=payable.neighbors,
            contributions=payable.contributions,
            memo=payable.memo,
            **({"unit": payable.unit} if payable.unit else {}),
        )

    return after_debit(
        lambda: payable.answer(receipt),
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


def sum_of_losses(*losses: Loss) -> PureDP:
    """What several draws cost together, where each may depend on those before: pure, no longer of bounded range."""
    epsilon = sum(loss.as_pure().epsilon for loss in losses)
    return PureDP(epsilon, rho=sum(loss.as_zcdp().rho for loss in losses))
