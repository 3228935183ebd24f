"""Pay, look, draw: the spine.

Parameters are judged first, and everything that can be refused is refused then, by public facts. The ledger is debited
before the first record is read and never refunded: a refund that depends on the data would be a second, unpaid release.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol, runtime_checkable

import numpy as np

from noisewise.columns import Neighbors, declare, declare_graph, declare_rows
from noisewise.columns.arrays import Declared
from noisewise.columns.rows import DeclaredRows
from noisewise.errors import ParameterError, ParameterTypeError, ReleaseFailed
from noisewise.laws.envelope import Envelope
from noisewise.laws.law import Law
from noisewise.mechanisms import Mechanism, choose
from noisewise.mechanisms.laplace import WIDEST
from noisewise.numbers.exact import describe, exact, exact_epsilon, whole
from noisewise.privacy import BoundedRange, Loss, PureDP
from noisewise.results.release import Release
from noisewise.sampling import Bits
from noisewise.statistics import Frame, Statistic

MOST_LEVELS = 2**22
"""An open side or a graph, where levels do not end with the records, may have so many."""


@runtime_checkable
class Payer(Protocol):
    """What a release asks of a ledger: take the loss now, or refuse by raising. The answer is its receipt.

    ``unit`` says what a person is where that is not the owner of records: "edge" or "node" in a graph, or the column
    of a table that names people. It is not said otherwise.
    """

    def debit(
        self, loss: Loss, *, neighbors: str, contributions: int, memo: str, unit: str | None = None
    ) -> Any: ...


class Quote:
    """In the place of a ledger: the question is judged and handed back, neither paid nor answered."""


QUOTE = Quote()


class Payable(Protocol):
    """A question that every public check has passed and that nobody has paid yet."""

    @property
    def loss(self) -> Loss: ...

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
                f'statistic must be a statistic such as Quantile("1/2"), got {_no_statistic(statistic)}'
            ) from None
        spend = exact_epsilon(epsilon)
        graph = declare_graph(data) if statistic.reads == "graph" else None
        frame = (
            statistic.frame_on(graph.size, bounds, granularity)
            if graph
            else statistic.frame(bounds, granularity)
        )
        relation, owned = unit_of_privacy(neighbors, contributions)
        if relation not in statistic.relations:
            raise ParameterError(
                f"neighbors must be {' or '.join(map(repr, statistic.relations))} for {statistic}, "
                f"which has no envelope for {relation!r}"
            ) from None
        declared = graph or _declare(statistic, data)

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
        if graph or None in frame.answers.support:
            _endless(statistic, chosen.levels(frame.answers) * owned, sensitivity())
        typed = None if bounds is None else (plain(bounds[0]), plain(bounds[1]))
        return cls(statistic, declared, typed, frame, relation, owned, chosen, chosen.loss)

    def __repr__(self) -> str:
        return "<Request: withheld>"

    @property
    def memo(self) -> str:
        per = f", per {self.unit}" if self.unit else ""
        return f"{self.statistic} by {self.mechanism.version}{per}"

    @property
    def unit(self) -> str | None:
        """What a ledger takes for a person: None for the records of a column, else an edge or a node."""
        return None if self.statistic.unit == "record" else self.statistic.unit

    def look(self, levels: int | None = None) -> Law:
        """The secret law. ``levels`` replaces the level rule by another public number."""
        records, answers = self.frame
        people = self.mechanism.levels(answers) if levels is None else levels
        with np.errstate(all="ignore"):  # whatever the caller's settings are, records make no noise
            column = self.data.read(records, self.neighbors)
            envelope = self.statistic.envelope(column, answers, people * self.contributions)
            if not isinstance(envelope, Envelope):
                raise ParameterTypeError(f"envelope() of {self.statistic} must return an Envelope") from None
            if fault := envelope.fault():
                raise ParameterError(f"the envelope of {self.statistic} must {fault}") from None
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
            notes=self.statistic.notes,
            unit=self.statistic.unit,
            private=private,
        )

    def answer(self, receipt: Any = None, *, bits: Bits | None = None) -> Release:
        return self.draw(self.look(), receipt, bits=bits)


def judge_payer(ledger: object) -> None:
    """Refuse what cannot be paid from."""
    if ledger is not None and (isinstance(ledger, type) or not callable(getattr(ledger, "debit", None))):
        raise ParameterTypeError(
            'ledger must be a Ledger, as Ledger.open("staff.ledger") gives, or anything with a debit method, or None, '
            f"got {describe(ledger)}"
        ) from None


def settle(ask: Callable[[], Payable], ledger: Payer | None) -> Release:
    """Judge, pay, answer. What fails after the debit leaves no value, and no trace of the data in its error."""
    if isinstance(ledger, Quote):
        return ask()
    judge_payer(ledger)
    request, receipt = ask(), None
    if ledger is not None:
        receipt = ledger.debit(
            request.loss,
            neighbors=request.neighbors,
            contributions=request.contributions,
            memo=request.memo,
            **({"unit": unit} if (unit := getattr(request, "unit", None)) else {}),
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


def _declare(statistic: Statistic, data: object) -> Declared | DeclaredRows:
    if statistic.columns > 1:
        return declare_rows(data, statistic.columns, statistic.fill)
    return declare(data)


def _no_statistic(given: object) -> str:
    """What stands in the place of a statistic, and what was probably meant."""
    if isinstance(given, type) and issubclass(given, Statistic):
        return f"the class {given.__name__}: write {given.__name__}()"
    name = getattr(given, "__name__", None)
    return f"the function {name}" if callable(given) and isinstance(name, str) else describe(given)


def _endless(statistic: Statistic, levels: int, reach: int) -> None:
    """Refuse what only an open side or a graph can need too much of; elsewhere levels end with the records."""
    if levels > MOST_LEVELS:
        raise ParameterError(
            f"epsilon must be larger, or contributions smaller, for {statistic} by this mechanism: it would take "
            f'{levels:,} levels, above {MOST_LEVELS:,}; mechanism="laplace" takes none'
        ) from None
    if reach > WIDEST:
        raise ParameterError(
            f"contributions must be smaller, or granularity coarser, for {statistic}: one person could move it by "
            f"{reach:,} steps, above 2^59"
        ) from None


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
