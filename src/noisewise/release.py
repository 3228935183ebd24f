"""Pay, look, draw: the spine.

Parameters are judged first, and everything that can be refused is refused then, by public facts. The ledger is debited
before the first record is read and never refunded: a refund that depends on the data would be a second, unpaid release.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol, runtime_checkable

import numpy as np

from noisewise.columns import Neighbors, declare
from noisewise.columns.arrays import Declared
from noisewise.errors import ParameterError, ParameterTypeError, ReleaseFailed
from noisewise.exact import describe, exact, exact_epsilon, whole
from noisewise.lattice import Lattice
from noisewise.law import Law
from noisewise.mechanisms import Mechanism, choose
from noisewise.privacy import BoundedRange, PureDP
from noisewise.receipt import Release
from noisewise.sampling import Bits
from noisewise.statistics import Statistic


@runtime_checkable
class Payer(Protocol):
    """What a release asks of a ledger: take the loss now, or refuse by raising. The answer is its receipt."""

    def debit(self, loss: BoundedRange | PureDP, *, neighbors: str, contributions: int, memo: str) -> Any: ...


@dataclass(frozen=True, slots=True, repr=False)
class Request:
    """A release that every public check has passed and that nobody has paid yet."""

    statistic: Statistic
    data: Declared
    bounds: tuple[Any, Any]
    lattice: Lattice
    neighbors: Neighbors
    contributions: int
    mechanism: Mechanism
    loss: BoundedRange | PureDP

    @classmethod
    def of(
        cls,
        statistic: Statistic,
        data: object,
        *,
        bounds: Any,
        epsilon: object,
        granularity: object,
        neighbors: str,
        contributions: object,
        mechanism: object,
    ) -> "Request":
        """Judge every parameter and the data's declared type; raise what is wrong, the same whatever the records."""
        if isinstance(statistic, type) or not hasattr(statistic, "envelope"):
            raise ParameterTypeError(
                f'statistic must be a statistic such as Quantile("1/2"), got {describe(statistic)}'
            ) from None
        spend = exact_epsilon(epsilon)
        lattice = statistic.lattice(bounds, granularity)
        relation = _neighbors(neighbors)
        owned = whole("contributions", contributions, least=1)
        if relation == "swap" and owned > 1:
            raise ParameterError(
                f"contributions must be 1 when records are swapped, got {owned}: a person with up to {owned} records "
                'would make the number of records secret; use neighbors="add_remove"'
            ) from None
        reach = statistic.sensitivity(lattice, relation) * owned
        chosen = choose(mechanism, epsilon=spend, sensitivity=min(reach, lattice.high - lattice.low))
        low, high = (_plain(bound) for bound in bounds)
        return cls(statistic, declare(data), (low, high), lattice, relation, owned, chosen, chosen.loss)

    def __repr__(self) -> str:
        return "<Request: withheld>"

    def pay(self, ledger: Payer | None) -> Any:
        if ledger is None:
            return None
        memo = f"{self.statistic} by {self.mechanism.version}"
        return ledger.debit(self.loss, neighbors=self.neighbors, contributions=self.contributions, memo=memo)

    def look(self, levels: int | None = None) -> Law:
        """The secret law. ``levels`` replaces the level rule by another public number."""
        people = self.mechanism.levels(self.lattice) if levels is None else levels
        with np.errstate(all="ignore"):  # whatever the caller's settings are, records make no noise
            column = self.data.read(self.lattice, self.neighbors)
            envelope = self.statistic.envelope(column, people * self.contributions).every(self.contributions)
            return self.mechanism.law(envelope, self.lattice)

    def draw(self, law: Law, receipt: Any = None, *, bits: Bits | None = None) -> Release:
        with np.errstate(all="ignore"):
            value: Fraction = int(law.draw_each(bits=bits)[0]) * self.lattice.granularity
        return Release(
            value=int(value) if self.lattice.granularity.denominator == 1 else float(value),
            privacy=self.loss,
            statistic=str(self.statistic),
            mechanism=self.mechanism.name,
            neighbors=self.neighbors,
            contributions=self.contributions,
            granularity=self.lattice.granularity,
            bounds=self.bounds,
            law=self.mechanism.version,
            receipt=receipt,
            private=bits is None,
        )


def release(statistic: Statistic, data: object, *, ledger: Payer | None = None, **asked: Any) -> Release:
    """One paid, exact draw. What fails after the debit leaves no value, and no trace of the data in its error."""
    if ledger is not None and (isinstance(ledger, type) or not isinstance(ledger, Payer)):
        raise ParameterTypeError(
            f"ledger must have a debit method or be None, got {describe(ledger)}"
        ) from None
    request = Request.of(statistic, data, **asked)
    receipt = request.pay(ledger)
    failure: BaseException = ReleaseFailed(
        "the release failed after it was paid for: no value was drawn and the debit stands"
    )
    try:
        return request.draw(request.look(), receipt)
    except KeyboardInterrupt:
        failure = KeyboardInterrupt()
    except SystemExit:
        failure = SystemExit(1)
    except BaseException:  # a panic of a data frame engine is no Exception
        pass
    raise failure from None  # what was caught may speak of the data: it is dropped, not chained


def _plain(bound: Any) -> Any:
    """A bound as the receipt keeps it: as it was typed, but no NumPy number."""
    if isinstance(bound, np.integer):
        return int(bound)
    return float(exact("bounds", bound)) if isinstance(bound, np.floating) else bound


def _neighbors(neighbors: object) -> Neighbors:
    if isinstance(neighbors, str) and neighbors == "add_remove":
        return "add_remove"
    if isinstance(neighbors, str) and neighbors == "swap":
        return "swap"
    raise ParameterError(f'neighbors must be "add_remove" or "swap", got {describe(neighbors)}') from None
