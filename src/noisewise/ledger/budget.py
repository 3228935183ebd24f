"""The arithmetic of the privacy filter: whether one more loss fits into a budget, in exact rationals and without files.

Users choose the next release after seeing the last answer. So the filter uses only sums that hold for such choices:

    PureDP(epsilon)            sum of epsilons <= epsilon
    ZCDP(rho)                  sum of rhos <= rho
    ApproxDP(epsilon, delta)   sum of deltas <= delta - conversion  and
                               (sum of epsilons <= epsilon  or  sum of rhos <= limit)

``conversion`` is the public part of delta that is used to convert zCDP to (epsilon, delta). ``limit`` is the largest
rho that is converted to at most epsilon by this delta. Proof: docs/proofs/ledger.md.
"""

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar, cast

from noisewise.errors import ParameterError, ParameterTypeError, Words
from noisewise.kernel.losses import ZCDP, ApproxDP, BoundedRange, Loss, PureDP
from noisewise.kernel.numbers.exact import MAX_EPSILON, Number, describe, exact, whole
from noisewise.ledger.amounts import Amount, Budget

Value = TypeVar("Value")

DIGITS = 1000
"""Suggested numbers have four significant digits: 1000 to 9999, times a power of ten."""

FINEST = -300
"""The smallest power of ten that is suggested. Smaller floats lose digits."""


@dataclass(frozen=True, slots=True)
class Default:
    """A default value. A new ledger takes this value. A ledger that exists may have another value."""

    value: object

    def __repr__(self) -> str:
        return repr(self.value)


def default(value: Value) -> Value:
    """Mark a default value, so that it can be told apart from the same value typed by a user."""
    return cast(Value, Default(value))


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """The facts that are fixed when a ledger is created and never change.

    Attributes:
        budget: The most that may be spent.
        neighbors: ``"add_remove"`` or ``"swap"``.
        unit: What the ledger protects: None for records, the name of a column of people, ``"edge"`` or ``"node"``.
        contributions: The most records, edges or nodes of a person. A release that covers fewer is refused, except
            if a column names people: then the release chooses that many records of each person.
        name: The name of the data, or None.
        conversion: The part of delta that is kept for the conversion; None if the budget has no delta.
        limit: The largest sum of rhos that the conversion turns into the budget's epsilon; None if there is no delta.
    """

    budget: Budget
    neighbors: str = "add_remove"
    unit: str | None = None
    contributions: int = 1
    name: str | None = None
    conversion: Fraction | None = None
    limit: Fraction | None = None

    @classmethod
    def of(
        cls,
        budget: object,
        *,
        neighbors: object = "add_remove",
        unit: object = None,
        contributions: object = 1,
        name: object = None,
        conversion_delta: Number | None = None,
    ) -> "Terms":
        """Check the terms of a new ledger and return them."""
        if isinstance(budget, BoundedRange):
            raise ParameterError(
                "budget",
                "must be PureDP, ZCDP or ApproxDP",
                got=repr(budget),
                why="adaptive composites are never BoundedRange",
                fix="use PureDP or ZCDP",
            ) from None
        if type(budget) not in (PureDP, ZCDP, ApproxDP):
            raise ParameterTypeError(
                "budget", "must be PureDP, ZCDP or ApproxDP", got=describe(budget)
            ) from None
        assert isinstance(budget, (PureDP, ZCDP, ApproxDP))
        if not (budget.rho if isinstance(budget, ZCDP) else budget.epsilon):
            raise ParameterError("budget", "must be above 0", got=repr(budget)) from None
        if unit == "record":
            raise ParameterError("unit", "must be left out where it is a record", got="'record'") from None
        if not isinstance(neighbors, str) or neighbors not in ("add_remove", "swap"):
            raise ParameterError(
                "neighbors", ("must be ", Words("add_remove", "swap")), got=describe(neighbors)
            ) from None
        owned = whole("contributions", contributions, least=1)
        if neighbors == "swap" and owned > 1:
            raise ParameterError(
                "contributions", "must be 1 when records are swapped", got=str(owned)
            ) from None
        conversion, limit = _conversion(budget, conversion_delta)
        return cls(
            budget=PureDP(budget.epsilon) if isinstance(budget, PureDP) else budget,
            neighbors=neighbors,
            unit=checked_label("unit", unit),
            contributions=owned,
            name=checked_name(name),
            conversion=conversion,
            limit=limit,
        )

    @property
    def least(self) -> int:
        """The least number of records of a person that a release must cover: 1 if a column names people."""
        return self.contributions if self.unit in (None, "edge", "node") else 1

    @property
    def sound(self) -> bool:
        """Whether the conversion allows the limit on rho."""
        if not isinstance(self.budget, ApproxDP) or not self.limit:
            return True
        kept = self.conversion or Fraction(0)
        return (
            0 < kept <= self.budget.delta and ZCDP(self.limit).as_approx(kept).epsilon <= self.budget.epsilon
        )

    def allow(self, spent: Amount) -> bool:
        """Whether the total ``spent`` is within the budget. This is the privacy filter."""
        left = self.left(spent)
        return left.delta >= 0 and any(route is not None for route in (left.epsilon, left.rho))

    def left(self, spent: Amount) -> Amount:
        """Return what remains of epsilon, rho and delta after the total ``spent``.

        Epsilon or rho is None if the budget does not count it, or if too much of it was spent. If too much delta was
        spent, the delta that remains is below 0.
        """
        if isinstance(self.budget, PureDP):
            return Amount(_take(self.budget.epsilon, spent.epsilon), None, -spent.delta)
        if isinstance(self.budget, ZCDP):
            return Amount(None, _take(self.budget.rho, spent.rho), -spent.delta)
        assert self.conversion is not None
        return Amount(
            _take(self.budget.epsilon, spent.epsilon),
            _take(self.limit, spent.rho),
            self.budget.delta - self.conversion - spent.delta,
        )

    def spent(self, spent: Amount) -> Budget:
        """Return the total as a loss of the same type as the budget, such as ZCDP."""
        if isinstance(self.budget, PureDP):
            return PureDP(spent.epsilon or 0)
        rho = ZCDP(spent.rho or 0)
        if isinstance(self.budget, ZCDP):
            return rho
        assert self.conversion is not None
        pure = [] if spent.epsilon is None else [ApproxDP(spent.epsilon, spent.delta)]
        if self.conversion or not rho.rho:
            pure.append(ApproxDP(rho.as_approx(self.conversion).epsilon, spent.delta + self.conversion))
        return min(pure, key=lambda loss: (loss.epsilon, loss.delta))

    def remaining(self, spent: Amount) -> Budget:
        """Return what remains, as a loss of the same type as the budget. For ApproxDP, the largest that would fit."""
        left = self.left(spent)
        if isinstance(self.budget, PureDP):
            return PureDP(left.epsilon or 0)
        if isinstance(self.budget, ZCDP):
            return ZCDP(left.rho or 0)
        fits = exact("epsilon", self.largest(spent, PureDP))
        return ApproxDP(max(left.epsilon or fits, fits), max(left.delta, Fraction(0)))

    def largest(self, spent: Amount, cost: Callable[[Fraction], Loss], like: Fraction = Fraction(1)) -> float:
        """Return the largest number, at most 64, whose loss ``cost(number)`` would fit after the total ``spent``.

        Return 0 if no such loss would fit. The number is rounded down to four significant digits, unless there is a
        float whose loss uses up exactly what remains. To find this float, losses are assumed to be proportional to the
        number, with ``cost(like)`` as the known loss. Then the method tries whether the loss of the float fits.
        """

        def fits(number: Fraction) -> bool:
            return self.allow(spent + Amount.of(cost(number)))

        best, left, part = largest(fits), self.left(spent), Amount.of(cost(like))
        for rest, share in ((left.epsilon, part.epsilon), (left.rho, part.rho)):
            if rest and share:
                exactly = min(like * rest / share, Fraction(MAX_EPSILON))
                if Fraction(repr(float(exactly))) == exactly and fits(exactly):
                    best = max(best, float(exactly))
        return best


def largest(fits: Callable[[Fraction], bool]) -> float:
    """Return the largest number for which ``fits(number)`` is true, at most 64, rounded down to four digits.

    Return 0 if 10^-300 does not fit. If a number fits, every smaller number must fit too.
    """
    if not fits(Fraction(10) ** FINEST):
        return 0.0
    power = _last(lambda power: fits(Fraction(10) ** power), FINEST, 3)
    step = Fraction(10) ** power / DIGITS
    count = _last(lambda count: fits(count * step), DIGITS, 10 * DIGITS)
    return min(float(count * step), float(MAX_EPSILON))


def _last(fits: Callable[[int], bool], low: int, high: int) -> int:
    """Return by bisection the last whole number that fits. The caller knows that ``low`` fits and ``high`` does not."""
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low


def checked_label(name: str, value: object) -> str | None:
    """Check that the value of the parameter ``name`` is a text that is not empty, or None. Return the value."""
    if value is not None and (not isinstance(value, str) or not value):
        raise ParameterTypeError(name, "must be a name or None", got=describe(value)) from None
    return value


def checked_name(value: object) -> str | None:
    """Check the name of the data, which may be None. Return the name in Unicode NFC, however accents were typed."""
    if (name := checked_label("name", value)) is None:
        return None
    if not name.isprintable() or name != name.strip():
        raise ParameterError("name", "must be printable, without outer spaces", got=describe(name)) from None
    return unicodedata.normalize("NFC", name)


def _conversion(budget: Budget, given: Number | None) -> tuple[Fraction | None, Fraction | None]:
    """Return the part of delta that is kept for the conversion, by default half of delta, and the limit on rho."""
    if not isinstance(budget, ApproxDP):
        if given is not None:
            raise ParameterError(
                "conversion_delta", "must be left out unless the budget is ApproxDP", got=describe(given)
            ) from None
        return None, None
    kept = budget.delta / 2 if given is None else exact("conversion_delta", given)
    if not 0 <= kept <= budget.delta:
        raise ParameterError(
            "conversion_delta", "must be between 0 and the budget's delta", got=describe(given)
        ) from None
    return kept, _limit(budget.epsilon, kept)


def _limit(epsilon: Fraction, delta: Fraction) -> Fraction:
    """Return the largest rho of 53 bits that is converted to at most ``epsilon`` with this ``delta``."""

    def fits(rho: Fraction) -> bool:
        return ZCDP(rho).as_approx(delta).epsilon <= epsilon

    if not delta or not fits(Fraction(2) ** -1000):
        return Fraction(0)
    power = _last(lambda power: fits(Fraction(2) ** power), -1000, 996)  # no loss may be as large as 2^996
    step = Fraction(2) ** (power - 52)
    return step * _last(lambda count: fits(count * step), 2**52, 2**53)


def _take(whole: Fraction | None, part: Fraction | None) -> Fraction | None:
    return None if whole is None or part is None or part > whole else whole - part
