"""Pay, look, draw: every question is answered in this order.

The ledger is debited before the first record is read. A debit is never refunded, because a refund that depends on the
data would be a second, unpaid release.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar, runtime_checkable

from noisewise.kernel.errors import ReleaseFailed
from noisewise.kernel.losses import ZCDP, Loss, Neighbors, PureDP
from noisewise.kernel.sampling import Bits
from noisewise.kernel.secret import Secret

Answer = TypeVar("Answer")
Result = TypeVar("Result")


@runtime_checkable
class Payer(Protocol):
    """What a release needs of a ledger: ``debit`` takes the loss and returns a receipt, or raises to refuse it.

    ``unit`` says what is protected: "edge" or "node" in a graph, or the column of a table that names people. It is left
    out if a person with records is protected.
    """

    def debit(
        self, loss: Loss, *, neighbors: str, contributions: int, memo: str, unit: str | None = None
    ) -> Any: ...


class AnyPayable(Secret, ABC, Generic[Answer]):
    """A question bound to its data. It has passed all public checks, is not paid for, and no record was read.

    A subclass that is made of another question has that question as ``inner``. It has the same loss, neighbors,
    contributions and memo as ``inner``, unless the subclass defines its own.
    """

    __slots__ = ()

    if TYPE_CHECKING:

        @property
        def inner(self) -> object:
            """The question that this one is made of."""

        @property
        def loss(self) -> Loss:
            """The privacy loss of the answer."""

        @property
        def neighbors(self) -> Neighbors: ...

        @property
        def contributions(self) -> int: ...

        @property
        def memo(self) -> str:
            """The description that the ledger writes down."""

    else:  # a dataclass would take properties for the defaults of its fields of the same names

        def __getattr__(self, name: str) -> Any:
            if name in ("loss", "neighbors", "contributions", "memo"):
                return getattr(self.inner, name)
            raise AttributeError(f"{type(self).__name__} has no {name}")

    @property
    def unit(self) -> str | None:
        """What the ledger protects: None for a person with records, otherwise "edge" or "node"."""
        return None

    @abstractmethod
    def answer(self, receipt: object = None, *, bits: Bits | None = None) -> Answer:
        """Read the records and draw the answer. Call this only after the debit."""


def settle(payable: AnyPayable[Answer], ledger: Payer | None) -> Answer:
    """Pay, then answer. If that fails after the debit, there is no value, and the error says nothing of the data."""
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
    """Do work that was paid for. If it fails, the error has this message and nothing of the data."""
    failure: BaseException | None = None
    try:
        return work()
    except KeyboardInterrupt:
        failure = KeyboardInterrupt()
    except SystemExit:
        failure = SystemExit(1)
    except BaseException:  # a panic of a data frame engine is not an Exception
        pass
    raise failure or ReleaseFailed(
        message
    ) from None  # the error that was caught may hold data, so it is dropped


def sum_of_losses(*losses: Loss) -> PureDP | ZCDP:
    """The loss of several draws, each of which may depend on the answers before it. It is never a bounded range.

    If one of the losses does not bound epsilon, the sum is in zCDP. Otherwise it is pure.
    """
    if any(isinstance(loss, ZCDP) for loss in losses):
        return ZCDP(sum(loss.as_zcdp().rho for loss in losses))
    epsilon = sum(loss.as_pure().epsilon for loss in losses)
    return PureDP(epsilon, rho=sum(loss.as_zcdp().rho for loss in losses))
