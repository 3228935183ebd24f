"""The content of the page: the exact law of every mechanism on public records, and numbers computed from the laws.

Nothing here is private. A release would be drawn from the same laws. Only the dots of the picture are random: each dot
is an answer drawn from a law. The seed of the dots is part of the page's URL. So the dots stay at the same places if
the page is loaded again.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from noisewise.errors import NoisewiseError, ParameterError
from noisewise.explorer.state import MANY, Inputs, error_beside, has_many_answers
from noisewise.hazmat import SeededBits
from noisewise.kernel.laws import AnyLaw
from noisewise.kernel.laws.balance_law import BalanceLaw
from noisewise.kernel.losses import Loss
from noisewise.kernel.numbers.arrays import Floats
from noisewise.kernel.prices import Rho
from noisewise.planning.goal import epsilon_for, rho_for
from noisewise.planning.plan import Assumed, Plan, planned
from noisewise.planning.readings.read_law import read_law
from noisewise.planning.shapes import Shaped
from noisewise.questions.choice import NAMES, PRICED_IN_RHO
from noisewise.questions.request import Request

MECHANISMS = NAMES[1:]
DOTS = 40
"""How many answers are drawn by each mechanism."""

EPSILONS = tuple(Fraction(each) for each in ("0.05", "0.1", "0.3", "1", "3", "10"))
RHOS = tuple(Fraction(each) for each in ("0.005", "0.02", "0.1", "0.5", "2"))
CONTRIBUTIONS = (1, 2, 5, 10, 20)


@dataclass(frozen=True, slots=True)
class Seen:
    """One mechanism: the exact law of its answer, or the reason why the page cannot show a law."""

    name: str
    law: AnyLaw | None = None
    loss: "Loss | None" = None
    centre: float = 0.0
    error: float = 0.0
    """The distance from the true answer that an answer keeps with the probability that the form asks for."""
    mean_error: float = 0.0
    dots: tuple[float, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Clamped:
    """How the bounds change the records before any noise: the number of records below the bounds and above them."""

    below: int
    above: int
    bias: float | None
    """How far the bounds move the true answer; None if the answer cannot be computed with wider bounds."""


@dataclass(frozen=True, slots=True)
class PageAnswer:
    """Everything that the page shows about one state of the form."""

    inputs: Inputs
    plan: Plan
    seen: tuple[Seen, ...]
    clamped: Clamped | None
    by_price: tuple[tuple[float, float], ...]
    """The error at several epsilons, or at several rhos."""
    by_contributions: tuple[tuple[int, float], ...]
    """The error for several numbers of records per person."""
    not_by_contributions: str
    """Why there is no sweep over contributions; empty if there is one."""
    needed: float | None
    """The epsilon, or the rho, for the wanted error."""
    errors: dict[str, str]

    @property
    def chosen(self) -> Seen:
        """Return what the page shows about the mechanism that a release would use."""
        return next(each for each in self.seen if each.name == self.plan.mechanism)

    @classmethod
    def of(cls, inputs: Inputs) -> "PageAnswer":
        plan = _plan(inputs)
        seen = tuple(_seen(inputs, name, plan.mechanism) for name in MECHANISMS if _has_a_price(name, inputs))
        chosen = next(each for each in seen if each.name == plan.mechanism)
        needed, errors = _needed(inputs)
        contributions, reason = _contributions(inputs)
        return cls(
            inputs=inputs,
            plan=plan,
            seen=seen,
            clamped=_clamped(inputs, chosen),
            by_price=_by_price(inputs),
            by_contributions=contributions,
            not_by_contributions=reason,
            needed=needed,
            errors=errors,
        )


def _has_a_price(name: str, inputs: Inputs) -> bool:
    """Whether a mechanism can be priced as the form says: Gaussian noise has no epsilon."""
    return name not in PRICED_IN_RHO or isinstance(inputs.price, Rho)


def _plan(inputs: Inputs) -> Plan:
    return planned(inputs.asked(), Assumed(inputs.confidence, inputs.size, Shaped.of(inputs.records)))


def _by_price(inputs: Inputs) -> tuple[tuple[float, float], ...]:
    """Return pairs (price, error of the answer), in the currency of the form."""
    if isinstance(inputs.price, Rho):
        name, prices = "rho", {*RHOS, inputs.price.rho}
    else:
        name, prices = "epsilon", {*EPSILONS, inputs.price}
    return tuple((float(price), _error(inputs, **{name: price})) for price in sorted(prices))


def _error(inputs: Inputs, **changed: Any) -> float:
    """Return the distance that an answer keeps from the true answer on the lattice, with the probability that the form
    asks for. ``changed`` has other values for some keywords of the question.
    """
    request = inputs.asked(**changed).bind(inputs.records).alone
    assert isinstance(request, Request), "what is offered has a law"
    law = request.look()
    return read_law(law).within(float(inputs.confidence))


def _seen(inputs: Inputs, name: str, chosen: str) -> Seen:
    try:
        request = inputs.asked(mechanism=name).bind(inputs.records).alone
        assert isinstance(request, Request), "what is offered has a law"
        if name == "permute_and_flip" and has_many_answers(request) and name != chosen:
            return Seen(name, reason=MANY)
        law = request.look()
    except NoisewiseError as error:
        return Seen(name, reason=f"not for this question: {error}")
    centre = float(read_law(law).centre * law.granularity)
    return Seen(
        name,
        law,
        request.loss,
        centre,
        read_law(law).within(float(inputs.confidence)),
        read_law(law).expected_error(),
        tuple(float(each) for each in law.draw(DOTS, bits=SeededBits(inputs.seed))),
    )


def _clamped(inputs: Inputs, chosen: Seen) -> Clamped | None:
    if inputs.bounds is None:
        return None
    low, high = (float(end) for end in inputs.bounds)
    below, above = inputs.records < low, inputs.records > high
    bias: float | None = 0.0
    if below.any() or above.any():
        free = (min(low, float(inputs.records.min())), max(high, float(inputs.records.max())))
        bias = _bias(inputs, chosen, free)
    return Clamped(int(below.sum()), int(above.sum()), bias)


def _bias(inputs: Inputs, chosen: Seen, free: tuple[float, float]) -> float | None:
    """Return the true answer minus the true answer with the bounds ``free``, which contain every record.

    Return None if the question cannot be asked with these bounds.
    """
    mechanism = "balance" if isinstance(chosen.law, BalanceLaw) else "piecewise_laplace"
    try:
        request = inputs.asked(bounds=free, mechanism=mechanism).bind(inputs.records).alone
    except ParameterError:
        return None
    assert isinstance(request, Request), "what is offered has a law"
    law = request.look(0)
    return chosen.centre - float(read_law(law).centre * law.granularity)


def _needed(inputs: Inputs) -> tuple[float | None, dict[str, str]]:
    """Return the epsilon or rho for the wanted error, and the texts of errors by the names of fields of the form."""
    if inputs.goal is None:
        return None, {}
    priced = {"epsilon", "rho"}
    given: dict[str, Any] = {
        **inputs.own,
        **{name: value for name, value in inputs.keywords.items() if name not in priced},
    }
    find = rho_for if isinstance(inputs.price, Rho) else epsilon_for
    try:
        found = find(
            inputs.kind.name,
            error=inputs.goal,
            confidence=inputs.confidence,
            shape=inputs.records,
            **given,
        )
    except NoisewiseError as error:
        return None, dict([error_beside(error, "goal")])
    return found, {}


def _contributions(inputs: Inputs) -> tuple[tuple[tuple[int, float], ...], str]:
    """Return pairs (records per person, error of the answer). If the question allows none, return the reason."""
    wanted = sorted({*CONTRIBUTIONS, int(inputs.keywords.get("contributions", 1))})
    try:
        return tuple((each, _error(inputs, contributions=each)) for each in wanted), ""
    except ParameterError as error:
        return (), str(error)


def density(law: AnyLaw, at: Floats) -> Floats:
    """Return the probability that the answer lies between ``at[i]`` and ``at[i+1]``, for each i."""
    return np.diff(np.asarray(read_law(law).cdf(at), np.float64))
