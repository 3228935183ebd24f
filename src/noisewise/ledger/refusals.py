"""Refusals of a ledger: errors that state what was asked, what remains, and what would fit."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol, cast

from noisewise.errors import (
    BudgetExceeded,
    Call,
    NoisewiseError,
    Parameter,
    ParameterError,
    ParameterTypeError,
    Value,
)
from noisewise.kernel.losses import ZCDP, ApproxDP, BoundedRange, Loss, PureDP
from noisewise.kernel.numbers.exact import Number, describe, exact, spell
from noisewise.kernel.prices import Price, Rho, exact_price
from noisewise.ledger.amounts import Amount, below, price, rest
from noisewise.ledger.budget import Terms, checked_label, checked_name


def checked_loss(loss: object, what: str = "loss") -> Loss:
    """Return the loss, or raise an error if it is something else."""
    if type(loss) not in (PureDP, BoundedRange, ZCDP, ApproxDP):  # a subclass could not be read back
        raise ParameterTypeError(
            what, "must be PureDP, BoundedRange, ZCDP or ApproxDP", got=describe(loss)
        ) from None
    return cast(Loss, loss)


def check_protection(
    terms: Terms, place: str, neighbors: object, unit: object, contributions: int, name: object
) -> None:
    """Refuse a release that does not protect what the ledger protects, or covers fewer records of a person."""
    if not isinstance(neighbors, str) or neighbors != terms.neighbors:
        raise ParameterError(
            "neighbors", f"must be {terms.neighbors!r}, as in {place}", got=describe(neighbors)
        ) from None
    if checked_label("unit", unit) != terms.unit:
        raise ParameterError(
            "unit",
            (
                "must be ",
                Value(repr(terms.unit), "left out" if terms.unit is None else repr(terms.unit)),
                f", as in {place}",
            ),
            got=describe(unit),
            **_way(terms.unit),
        ) from None
    if contributions < terms.least:
        raise ParameterError(
            "contributions",
            f"must be at least {terms.least}, as in {place}",
            got=str(contributions),
            why="a person with more records would lose more than is booked",
        ) from None
    if (stated := checked_name(name)) is not None and terms.name not in (None, stated):
        raise ParameterError("name", f"must be {terms.name!r}, as in {place}", got=describe(name)) from None


def _way(unit: str | None) -> dict[str, str]:
    """The fields of an error about another unit: what the ledger counts, and what to do."""
    if unit is None:
        advice = "open another ledger with that unit"
        return {"why": "it counts what one record loses", "fix": advice, "kind": "unit of no ledger"}
    if unit in ("edge", "node"):
        advice = "ask a graph statistic with that unit"
        return {"why": f"it counts what one {unit} of a graph loses", "fix": advice}
    call = Call(f"release through Dataset(..., unit={unit!r})", "unit", unit)
    return {"why": f"it counts what one {unit} loses", "fix": call}


@dataclass(frozen=True, slots=True)
class Refused:
    """A loss that the filter does not allow when ``before`` is already spent."""

    terms: Terms
    place: str
    loss: Loss
    before: Amount

    def error(self, fits: float, hint: str) -> BudgetExceeded:
        """The error. It states ``fits``, the largest number that would fit, and the advice ``hint``."""
        budget, left = self.terms.budget, self.terms.left(self.before)
        error = BudgetExceeded(
            "loss",
            rule="must fit what remains",
            got=price(Amount.of(self.loss), budget),
            why=f"of {self.place} remains {rest(left, budget)}",
            fix=hint,
            asked=self.loss,
            remaining=self.terms.remaining(self.before),
            fits=fits,
        )
        vars(error)["refused"] = self
        return error

    def as_typed(self, cost: Callable[[Fraction], Loss], price: Price) -> BudgetExceeded:
        """The error for a question at this ``price``. ``cost`` returns the question's loss at another price."""
        if self.delta < _delta(self.loss):
            return self.error(*self.hint())
        number, name = (price.rho, "rho") if isinstance(price, Rho) else (price, "epsilon")
        fits = self.terms.largest(self.before, cost, number)
        return self.error(fits, _hint("such a release", fits, name))

    def hint(self, release: str = "such a release") -> tuple[float, str]:
        """The largest loss that would fit, as a number and as advice.

        The loss has the kind that was asked for, if the budget accepts that kind, or else a kind that it accepts. It
        covers all questions together, so it may be several times the epsilon of one question.
        """
        make, what = self._alike()
        fits = self.terms.largest(self.before, make)
        text = _hint(release, fits, f"a loss of {what}", " in all")
        if isinstance(self.terms.budget, ApproxDP) and self.delta < _delta(self.loss):
            text = f"its delta is more than that; with a delta up to {below(self.delta)}, {text}"
        return fits, text

    @property
    def delta(self) -> Fraction:
        """The delta that remains."""
        return max(self.terms.left(self.before).delta, Fraction(0))

    def _alike(self) -> tuple[Callable[[Fraction], Loss], str]:
        loss, budget = self.loss, self.terms.budget
        if isinstance(loss, ZCDP) and not isinstance(budget, PureDP):
            return ZCDP, "rho"
        if isinstance(loss, ApproxDP) and (isinstance(budget, ApproxDP) or not loss.delta):
            return lambda epsilon: ApproxDP(epsilon, min(loss.delta, self.delta)), "epsilon"
        if isinstance(loss, PureDP) and loss.rho is not None and loss.epsilon:
            slope = (
                loss.rho / loss.epsilon
            )  # the ratio grows with epsilon, so a smaller loss has a smaller rho than this
            return lambda epsilon: PureDP(epsilon, slope * epsilon), "epsilon"
        return PureDP if isinstance(loss, PureDP) else BoundedRange, "epsilon"


class Costly(Protocol):
    """A question with the loss of its answer."""

    @property
    def loss(self) -> Loss: ...


@dataclass(frozen=True, slots=True)
class Suggesting:
    """Adds to a ledger's refusal the largest epsilon or rho that would fit, as it is typed in the question.

    A ledger knows only the loss of all parts together. Only the question knows how this loss follows from its price. So
    ``ask`` makes the question again at other prices, without paying or answering. If no price was typed for the whole
    question, the refusal stays as it is.
    """

    price: object
    ask: Callable[[Price], Costly]

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if not isinstance(error, BudgetExceeded):
            return
        try:
            raise self._with_price(error) from None
        finally:
            del error, trace  # an error that holds its own frame would keep the ledger open

    def _with_price(self, error: BudgetExceeded) -> BudgetExceeded:
        """Add the largest price of the whole question to a refusal, if the question has one price."""
        refused = getattr(error, "refused", None)
        if not isinstance(refused, Refused) or self.price is None:  # or it is from another class of ledgers
            return error
        typed = exact_price(self.price)
        most = typed.rho if isinstance(typed, Rho) else typed

        def cost(number: Fraction) -> Loss:
            try:
                at = Rho(number) if isinstance(typed, Rho) else number
                return refused.loss if number > most else self.ask(at).loss
            except NoisewiseError:  # such a small price cannot be asked with
                return PureDP(0)

        again = refused.as_typed(cost, typed)
        if not again.fits or cost(exact("epsilon", again.fits)) != PureDP(0):
            return again
        return error


def refusal(terms: Terms, place: str, loss: Loss, before: Amount) -> NoisewiseError:
    """The error for a loss that the filter does not allow when ``before`` is already spent."""
    refused, budget, cost = Refused(terms, place, loss, before), terms.budget, Amount.of(loss)
    if isinstance(budget, PureDP) and cost.epsilon is None:
        return ParameterError(
            "loss",
            "must bound epsilon",
            got=repr(loss),
            why=f"{place} counts epsilon, and rho bounds no epsilon: rare answers may reveal any amount",
            fix=(
                "ask with ",
                Parameter("epsilon"),
                f": {refused.hint('a BoundedRange or PureDP release')[1]}",
            ),
        )
    if not isinstance(budget, ApproxDP) and cost.delta:
        return ParameterError(
            "loss",
            "must have delta 0",
            got=repr(loss),
            why=f"{place} has a budget without delta",
            fix="declare keys, which cost nothing, or open a ledger with an ApproxDP budget; "
            f"{refused.hint('without delta, a BoundedRange release')[1]}",
            kind="no delta",
        )
    return refused.error(*refused.hint())


def _hint(release: str, fits: float, what: str, of: str = "") -> str:
    if not fits:
        return "no such loss fits any more"
    return f"{release} would fit with {what} up to {fits:.15g}{of}"


def _delta(loss: Loss) -> Fraction:
    return loss.delta if isinstance(loss, ApproxDP) else Fraction(0)


def check_terms(
    terms: Terms, place: str, budget: object, conversion_delta: Number | None, stated: Mapping[str, object]
) -> None:
    """Refuse to open a ledger with other terms than those it was created with."""
    if budget is not None and checked_loss(budget, "budget") != terms.budget:
        raise _other("budget", repr(terms.budget), place, repr(budget)) from None
    kept = terms.conversion
    if conversion_delta is not None and exact("conversion_delta", conversion_delta) != kept:
        if kept is None:
            raise ParameterError(
                "conversion_delta",
                f"must be left out, as {place} has a budget without delta",
                got=describe(conversion_delta),
            ) from None
        raise _other("conversion_delta", spell(kept), place, describe(conversion_delta)) from None
    given: dict[str, Any] = {
        key: getattr(terms, key) for key in ("neighbors", "unit", "contributions", "name")
    }
    wanted = Terms.of(PureDP(1), **(given | dict(stated)))  # with the checks for a new ledger
    for key in stated:
        if getattr(wanted, key) != given[key]:
            raise _other(key, repr(given[key]), place, repr(getattr(wanted, key))) from None


def _other(what: str, fixed: str, place: str, given: str) -> ParameterError:
    return ParameterError(what, f"must be {fixed}, with which {place} was created, or left out", got=given)
