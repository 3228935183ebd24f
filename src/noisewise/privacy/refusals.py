"""Why a ledger says no, in words: what was asked, what the ledger holds, and what would fit."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, cast

from noisewise.errors import BudgetExceeded, NoisewiseError, ParameterError, ParameterTypeError
from noisewise.exact import Number, describe, exact, spell
from noisewise.privacy.budget import Amount, Terms, label, largest, named, price, rest
from noisewise.privacy.losses import ZCDP, ApproxDP, BoundedRange, Loss, PureDP


def a_loss(loss: object, what: str = "loss") -> Loss:
    """A loss, or the error that says it is none."""
    if type(loss) not in (PureDP, BoundedRange, ZCDP, ApproxDP):  # a subclass could not be read back
        raise ParameterTypeError(
            f"{what} must be PureDP, BoundedRange, ZCDP or ApproxDP, got {describe(loss)}"
        ) from None
    return cast(Loss, loss)


def protects(
    terms: Terms, place: str, neighbors: object, unit: object, contributions: int, name: object
) -> None:
    """Refuse a release that protects others than the ledger does, or fewer records of theirs."""
    if not isinstance(neighbors, str) or neighbors != terms.neighbors:
        raise ParameterError(
            f"neighbors must be {terms.neighbors!r}, as in {place}, got {describe(neighbors)}"
        ) from None
    if label("unit", unit) != terms.unit:
        raise ParameterError(
            f"unit must be {terms.unit!r}, as in {place}, got {describe(unit)}: {_way(terms.unit)}"
        ) from None
    if contributions < terms.least:
        raise ParameterError(
            f"contributions must be at least {terms.least}, as in {place}, got {contributions}: a person "
            "with more records would lose more than is booked"
        ) from None
    if (said := named(name)) is not None and terms.name not in (None, said):
        raise ParameterError(f"name must be {terms.name!r}, as in {place}, got {describe(name)}") from None


def _way(unit: str | None) -> str:
    if unit is None:
        return "it counts what one record loses; open another ledger with that unit"
    if unit in ("edge", "node"):
        return f"it counts what one {unit} of a graph loses; ask a graph statistic with that unit"
    return f"it counts what one {unit} loses; release through Dataset(..., unit={unit!r})"


def refusal(terms: Terms, place: str, loss: Loss, before: Amount) -> NoisewiseError:
    """The error for a loss that the filter does not allow after ``before``."""
    budget, cost = terms.budget, Amount.of(loss)
    fits, what = _largest(terms, loss, before)
    if isinstance(budget, PureDP) and cost.epsilon is None:
        return ParameterError(
            f"loss must bound epsilon, got {loss!r}: {place} has a pure budget, and zCDP lets rare answers tell any "
            f"amount; {_hint('a BoundedRange or PureDP release', fits, what)}"
        )
    if not isinstance(budget, ApproxDP) and cost.delta:
        return ParameterError(
            f"loss must have delta 0, got {loss!r}: {place} has a budget without delta; declare keys, which cost "
            "nothing, or open a ledger with an ApproxDP budget; "
            f"{_hint('without delta, a BoundedRange release', fits, what)}"
        )
    return BudgetExceeded(
        f"loss must fit what remains, got {price(cost, budget)}: of {place} remains "
        f"{rest(terms.left(before), budget)}; {_hint('such a release', fits, what)}",
        asked=loss,
        remaining=terms.remaining(before),
        fits=fits,
    )


def _hint(release: str, fits: float, what: str) -> str:
    """What would fit, as the loss of all its groups and parts, which may be several times the epsilon asked with."""
    if not fits:
        return "nothing of the kind fits any more"
    return f"{release} would fit with a loss of {what} up to {fits:g} in all"


def _largest(terms: Terms, loss: Loss, before: Amount) -> tuple[float, str]:
    """The largest loss of the kind that was asked for, or of one that the budget takes, and its parameter's name."""
    make, what = _alike(terms, loss)
    return largest(lambda number: terms.allow(before + Amount.of(make(number)))), what


def _alike(terms: Terms, loss: Loss) -> tuple[Callable[[Fraction], Loss], str]:
    if isinstance(loss, ZCDP) and not isinstance(terms.budget, PureDP):
        return ZCDP, "rho"
    if isinstance(loss, ApproxDP) and (isinstance(terms.budget, ApproxDP) or not loss.delta):
        return lambda epsilon: ApproxDP(epsilon, loss.delta), "epsilon"
    if isinstance(loss, PureDP) and loss.rho is not None and loss.epsilon:
        slope = (
            loss.rho / loss.epsilon
        )  # a mechanism's rho is convex in epsilon: below, it is under this line
        return lambda epsilon: PureDP(epsilon, slope * epsilon), "epsilon"
    return PureDP if isinstance(loss, PureDP) else BoundedRange, "epsilon"


def same(
    terms: Terms, place: str, budget: object, conversion_delta: Number | None, said: Mapping[str, object]
) -> None:
    """Refuse to open a ledger by other terms than it was created with."""
    if budget is not None and a_loss(budget, "budget") != terms.budget:
        raise _other("budget", repr(terms.budget), place, repr(budget)) from None
    kept = terms.conversion
    if conversion_delta is not None and exact("conversion_delta", conversion_delta) != kept:
        fixed = "left out" if kept is None else spell(kept)
        raise _other("conversion_delta", fixed, place, describe(conversion_delta)) from None
    given: dict[str, Any] = {
        key: getattr(terms, key) for key in ("neighbors", "unit", "contributions", "name")
    }
    asked = Terms.of(PureDP(1), **(given | dict(said)))  # judged as for a new ledger
    for key in said:
        if getattr(asked, key) != given[key]:
            raise _other(key, repr(given[key]), place, repr(getattr(asked, key))) from None


def _other(what: str, fixed: str, place: str, given: str) -> ParameterError:
    return ParameterError(f"{what} must be {fixed}, with which {place} was created, or left out, got {given}")
