"""Pay, look, draw: the spine.

Parameters are judged first, and everything that can be refused is refused then, by public facts. The ledger is debited
before the first record is read and never refunded: a refund that depends on the data would be a second, unpaid release.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Protocol, runtime_checkable

import numpy as np

from noisewise.columns import Neighbors, declare, declare_rows
from noisewise.errors import NoisewiseError, ParameterError, ParameterTypeError, ReleaseFailed
from noisewise.exact import describe, exact, exact_epsilon, whole
from noisewise.law import Law
from noisewise.mechanisms import Mechanism, choose
from noisewise.privacy import BoundedRange, PureDP
from noisewise.receipt import Release
from noisewise.sampling import Bits
from noisewise.search import Found, Search, fitting, split
from noisewise.statistics import Frame, Statistic


@runtime_checkable
class Payer(Protocol):
    """What a release asks of a ledger: take the loss now, or refuse by raising. The answer is its receipt."""

    def debit(self, loss: BoundedRange | PureDP, *, neighbors: str, contributions: int, memo: str) -> Any: ...


class Payable(Protocol):
    """A question that every public check has passed and that nobody has paid yet."""

    @property
    def loss(self) -> BoundedRange | PureDP: ...

    @property
    def neighbors(self) -> Neighbors: ...

    @property
    def contributions(self) -> int: ...

    @property
    def memo(self) -> str:
        """What the ledger writes down."""

    def answer(self, receipt: Any = None, *, bits: Bits | None = None) -> Release:
        """Look and draw. Only ever after the debit."""


@dataclass(frozen=True, slots=True, repr=False)
class Request:
    """One statistic of one column, or of rows, by one mechanism."""

    statistic: Statistic
    data: Any
    bounds: tuple[Any, Any] | None
    frame: Frame
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
        epsilon: object,
        bounds: Any = None,
        granularity: object = None,
        neighbors: str = "add_remove",
        contributions: object = 1,
        mechanism: object = "auto",
    ) -> "Request":
        """Judge every parameter and the data's declared type; raise what is wrong, the same whatever the records."""
        if not isinstance(statistic, Statistic):
            raise ParameterTypeError(
                f'statistic must be a statistic such as Quantile("1/2"), got {describe(statistic)}'
            ) from None
        spend = exact_epsilon(epsilon)
        frame = statistic.frame(bounds, granularity)
        relation, owned = unit_of_privacy(neighbors, contributions)
        many = statistic.columns > 1
        declared = declare_rows(data, statistic.columns, statistic.fill) if many else declare(data)

        def sensitivity() -> int:
            reach = statistic.sensitivity(frame, relation, declared.size) * owned
            low, high = frame.answers.support
            return reach if low is None or high is None else min(reach, high - low)

        chosen = choose(
            mechanism,
            epsilon=spend,
            steady=statistic.steady(relation),
            sensitivity=sensitivity,
            answers=frame.answers,
        )
        typed = None if bounds is None else (plain(bounds[0]), plain(bounds[1]))
        return cls(statistic, declared, typed, frame, relation, owned, chosen, chosen.loss)

    def __repr__(self) -> str:
        return "<Request: withheld>"

    @property
    def memo(self) -> str:
        return f"{self.statistic} by {self.mechanism.version}"

    def look(self, levels: int | None = None) -> Law:
        """The secret law. ``levels`` replaces the level rule by another public number."""
        records, answers = self.frame
        people = self.mechanism.levels(answers) if levels is None else levels
        with np.errstate(all="ignore"):  # whatever the caller's settings are, records make no noise
            column = self.data.read(records, self.neighbors)
            envelope = self.statistic.envelope(column, answers, people * self.contributions)
            return self.mechanism.law(envelope.every(self.contributions), answers)

    def draw(self, law: Law, receipt: Any = None, *, bits: Bits | None = None) -> Release:
        granularity = self.frame.answers.granularity
        with np.errstate(all="ignore"):
            value: Fraction = int(law.draw_each(bits=bits)[0]) * granularity
        return self.told(int(value) if granularity.denominator == 1 else float(value), receipt, bits is None)

    def told(self, value: Any, receipt: Any, private: bool) -> Release:
        """A value with all that its reader must know."""
        return Release(
            value=value,
            privacy=self.loss,
            statistic=str(self.statistic),
            mechanism=self.mechanism.name,
            neighbors=self.neighbors,
            contributions=self.contributions,
            granularity=self.frame.answers.granularity,
            bounds=self.bounds,
            law=self.mechanism.version,
            receipt=receipt,
            private=private,
        )

    def answer(self, receipt: Any = None, *, bits: Bits | None = None) -> Release:
        return self.draw(self.look(), receipt, bits=bits)


@dataclass(frozen=True, slots=True, repr=False)
class Searched:
    """One statistic between bounds that are searched for first: two draws, one debit, one receipt.

    A share of epsilon finds the bounds, the rest asks the statistic. Whatever can be refused is refused beforehand: the
    search is limited to bounds that the question can be asked with. Too little data to find any answers it with None.
    """

    ask: Callable[[tuple[float, float]], Request]
    widest: Request
    search: Search

    @classmethod
    def of(
        cls, statistic: Statistic, data: object, *, epsilon: object, bounds_share: object, **asked: Any
    ) -> "Searched":
        spend, rest = split(exact_epsilon(epsilon), bounds_share)
        if not isinstance(named := asked.get("mechanism", "auto"), str):
            raise ParameterTypeError(
                f'mechanism must be a name where bounds are "private", got {describe(named)}'
            ) from None

        def ask(bounds: tuple[float, float]) -> Request:
            return Request.of(statistic, data, epsilon=rest, bounds=bounds, **asked)

        def can_be_asked(bounds: tuple[float, float]) -> bool:
            try:
                return ask(bounds).statistic.columns == 1
            except NoisewiseError:
                return False

        ladder = fitting(can_be_asked)
        widest = ask((0.0, ladder.rungs[-1]))
        if widest.statistic.columns > 1:
            raise ParameterError(
                f'bounds must be a pair for a question about several columns, got "private" for {statistic}'
            ) from None
        return cls(ask, widest, Search(ladder, spend, widest.neighbors, widest.contributions))

    def __repr__(self) -> str:
        return "<Searched: withheld>"

    @property
    def loss(self) -> PureDP:
        """The sum of both, for any bounds: what Laplace noise costs in zCDP depends on them, so its worst case."""
        search, rest = self.search.loss, self.widest.loss
        known = rest if isinstance(rest, BoundedRange) else PureDP(rest.epsilon)
        return PureDP(search.epsilon + rest.epsilon, rho=search.as_zcdp().rho + known.as_zcdp().rho)

    @property
    def neighbors(self) -> Neighbors:
        return self.widest.neighbors

    @property
    def contributions(self) -> int:
        return self.widest.contributions

    @property
    def memo(self) -> str:
        return f"{self.widest.memo}, bounds by {self.search.version}"

    def answer(self, receipt: Any = None, *, bits: Bits | None = None) -> Release:
        with np.errstate(all="ignore"):
            found = self.search.find(self.widest.data, bits=bits)
        return self.between(found, receipt, bits=bits)

    def between(self, found: Found, receipt: Any = None, *, bits: Bits | None = None) -> Release:
        """The answer once the search is over."""
        if found is None:
            told = replace(self.widest.told(None, receipt, bits is None), bounds=None)
        else:
            told = self.ask(found).answer(receipt, bits=bits)
        notes = self.search.told(found, rest=self.widest.loss.epsilon)
        law = f"{told.law}, bounds by {self.search.version}"
        return replace(told, privacy=self.loss, law=law, notes=notes)


def ask(
    statistic: Statistic, data: object, *, bounds: Any = None, bounds_share: object = None, **asked: Any
) -> Request | Searched:
    """Judge a question: with bounds, without, or with bounds to be searched for."""
    if isinstance(bounds, str) and bounds == "private":
        return Searched.of(statistic, data, bounds_share=bounds_share, **asked)
    if bounds_share is not None:
        raise ParameterError(
            f'bounds_share must be left out unless bounds are "private", got {describe(bounds_share)}'
        ) from None
    return Request.of(statistic, data, bounds=bounds, **asked)


def release(statistic: Statistic, data: object, *, ledger: Payer | None = None, **asked: Any) -> Release:
    """One paid, exact draw of any statistic: what `median` and the other functions call."""
    return settle(lambda: ask(statistic, data, **asked), ledger)


def settle(ask: Callable[[], Payable], ledger: Payer | None) -> Release:
    """Judge, pay, answer. What fails after the debit leaves no value, and no trace of the data in its error."""
    if ledger is not None and (isinstance(ledger, type) or not isinstance(ledger, Payer)):
        raise ParameterTypeError(
            f"ledger must have a debit method or be None, got {describe(ledger)}"
        ) from None
    request, receipt = ask(), None
    if ledger is not None:
        receipt = ledger.debit(
            request.loss,
            neighbors=request.neighbors,
            contributions=request.contributions,
            memo=request.memo,
        )
    failure: BaseException = ReleaseFailed(
        "the release failed after it was paid for: no value was drawn and the debit stands"
    )
    try:
        return request.answer(receipt)
    except KeyboardInterrupt:
        failure = KeyboardInterrupt()
    except SystemExit:
        failure = SystemExit(1)
    except BaseException:  # a panic of a data frame engine is no Exception
        pass
    raise failure from None  # what was caught may speak of the data: it is dropped, not chained


def unit_of_privacy(neighbors: object, contributions: object) -> tuple[Neighbors, int]:
    """Whom a release protects, or the error that says what is wrong with it."""
    if not isinstance(neighbors, str) or neighbors not in ("add_remove", "swap"):
        raise ParameterError(f'neighbors must be "add_remove" or "swap", got {describe(neighbors)}') from None
    owned = whole("contributions", contributions, least=1)
    if neighbors == "add_remove":
        return "add_remove", owned
    if owned > 1:
        raise ParameterError(
            f"contributions must be 1 when records are swapped, got {owned}: a person with up to {owned} records "
            'would make the number of records secret; use neighbors="add_remove"'
        ) from None
    return "swap", owned


def plain(bound: Any) -> Any:
    """A bound as the receipt keeps it: as it was typed, but no NumPy number; of several columns, a pair for each."""
    if isinstance(bound, (tuple, list, np.ndarray)):
        return tuple(map(plain, bound))
    if isinstance(bound, np.integer):
        return int(bound)
    return float(exact("bounds", bound)) if isinstance(bound, np.floating) else bound
