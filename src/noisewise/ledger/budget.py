"""The filter's arithmetic: what has been spent, and whether one more loss fits. Exact rationals, no files.

Users choose the next release after seeing the last, so only sums that hold for fully adaptive choices decide:

    PureDP(epsilon)            sum of epsilons <= epsilon
    ZCDP(rho)                  sum of rhos <= rho
    ApproxDP(epsilon, delta)   sum of deltas <= delta - conversion  and
                               (sum of epsilons <= epsilon  or  sum of rhos <= limit)

where ``conversion`` is the public part of delta that turns zCDP into (epsilon, delta), and ``limit`` the largest rho
that it turns into epsilon. Proof: docs/proofs/ledger.md.
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
"""Suggestions have four significant digits: 1000 .. 9999 times a power of ten."""

FINEST = -300
"""The smallest power of ten that is suggested; below it, floats lose digits."""


@dataclass(frozen=True, slots=True)
class Default:
    """What holds if nothing is said: a new ledger takes it, an old one is not compared with it."""

    value: object

    def __repr__(self) -> str:
        return repr(self.value)


def default(value: Value) -> Value:
    """A default, different from the same value typed by a user."""
    return cast(Value, Default(value))


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What a ledger fixes for ever when it is created.

    Attributes:
        budget: What may be spent in all.
        neighbors: Whom it protects: ``"add_remove"`` or ``"swap"``.
        unit: What a person owns: None for records, a unit column's name, or ``"edge"`` or ``"node"``.
        contributions: How many of them a person may own; a release that covers fewer is refused, but where a column
            names people: then each release chooses as many records of everybody as it covers.
        name: The name of the data; None where it has none.
        conversion: The part of delta kept for the conversion; None where the budget has no delta.
        limit: The largest sum of rhos that the conversion turns into the budget's epsilon; likewise.
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
        """Judge the terms of a new ledger."""
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
            unit=label("unit", unit),
            contributions=owned,
            name=named(name),
            conversion=conversion,
            limit=limit,
        )

    @property
    def least(self) -> int:
        """How many records of a person a release must cover: all they may own, unless a column names people."""
        return self.contributions if self.unit in (None, "edge", "node") else 1

    @property
    def sound(self) -> bool:
        """Whether the limit on rho is one that the conversion allows."""
        if not isinstance(self.budget, ApproxDP) or not self.limit:
            return True
        kept = self.conversion or Fraction(0)
        return (
            0 < kept <= self.budget.delta and ZCDP(self.limit).as_approx(kept).epsilon <= self.budget.epsilon
        )

    def allow(self, spent: Amount) -> bool:
        """Whether so much may have been spent in all: the privacy filter."""
        left = self.left(spent)
        return left.delta >= 0 and any(route is not None for route in (left.epsilon, left.rho))

    def left(self, spent: Amount) -> Amount:
        """What remains on each route; None where it is closed or overdrawn. An overdrawn delta is below 0."""
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
        """What has been spent, as a loss of the budget's own kind."""
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
        """What remains, as a loss of the budget's own kind: for ApproxDP the largest that would fit."""
        left = self.left(spent)
        if isinstance(self.budget, PureDP):
            return PureDP(left.epsilon or 0)
        if isinstance(self.budget, ZCDP):
            return ZCDP(left.rho or 0)
        fits = exact("epsilon", self.largest(spent, PureDP))
        return ApproxDP(max(left.epsilon or fits, fits), max(left.delta, Fraction(0)))

    def largest(self, spent: Amount, cost: Callable[[Fraction], Loss], like: Fraction = Fraction(1)) -> float:
        """The largest number whose loss would fit, at most 64; 0 if none would.

        It has four digits, rounded down, but where it uses up what remains to the last digit: of losses that add up in
        proportion to the number, as that of ``like`` tells.
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
    """The largest number that fits, rounded down to four significant digits, at most 64; 0 if none fits."""
    power, over = FINEST, 3  # 10^power fits, 10^over is out of the question
    if not fits(Fraction(10) ** power):
        return 0.0
    while over - power > 1:
        middle = (power + over) // 2
        power, over = (middle, over) if fits(Fraction(10) ** middle) else (power, middle)
    step = Fraction(10) ** power / DIGITS
    count, beyond = DIGITS, 10 * DIGITS
    while beyond - count > 1:
        middle = (count + beyond) // 2
        count, beyond = (middle, beyond) if fits(middle * step) else (count, middle)
    return min(float(count * step), float(MAX_EPSILON))


def label(name: str, value: object) -> str | None:
    """A name, or None."""
    if value is not None and (not isinstance(value, str) or not value):
        raise ParameterTypeError(name, "must be a name or None", got=describe(value)) from None
    return value


def named(value: object) -> str | None:
    """The name of the data, or None: however its accents are typed (Unicode NFC), it is the same name."""
    if (name := label("name", value)) is None:
        return None
    if not name.isprintable() or name != name.strip():
        raise ParameterError("name", "must be printable, without outer spaces", got=describe(name)) from None
    return unicodedata.normalize("NFC", name)


def _conversion(budget: Budget, given: Number | None) -> tuple[Fraction | None, Fraction | None]:
    """The part of delta kept for the conversion, by default half, and the largest rho it turns into epsilon."""
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
    """The largest rho of 53 bits whose conversion at this delta is at most epsilon."""

    def fits(rho: Fraction) -> bool:
        return ZCDP(rho).as_approx(delta).epsilon <= epsilon

    power, over = -1000, 996  # 2^power fits, 2^over is more than any loss may be
    if not delta or not fits(Fraction(2) ** power):
        return Fraction(0)
    while over - power > 1:
        middle = (power + over) // 2
        power, over = (middle, over) if fits(Fraction(2) ** middle) else (power, middle)
    low, step = Fraction(2) ** power, Fraction(2) ** power
    for _ in range(52):
        step /= 2
        if fits(low + step):
            low += step
    return low


def _take(whole: Fraction | None, part: Fraction | None) -> Fraction | None:
    return None if whole is None or part is None or part > whole else whole - part
