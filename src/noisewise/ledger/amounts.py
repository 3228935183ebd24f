"""Amounts: a loss in each currency, as exact rationals, and in words.

Totals are written down exactly, so their denominators must not grow without end. Those of decimals, and of the rhos
that are computed here, divide one fixed number, whatever is added. Any other denominator, such as a large odd number,
stays in the total for ever. What all of them together may take is limited, so that no loss takes the room of decimals.
"""

from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context
from fractions import Fraction
from math import gcd
from typing import TypeAlias

from noisewise.kernel.losses import ZCDP, ApproxDP, Loss, PureDP
from noisewise.kernel.numbers.exact import MAX_BITS, spell

Budget: TypeAlias = PureDP | ZCDP | ApproxDP

PLAIN = 2**4200 * 5**1100
"""What the denominators of decimals divide, and of numbers that were rounded up to 64 bits."""

ODD_BITS = 2000
"""How long the part of a denominator may be that does not divide it."""


@dataclass(frozen=True, slots=True)
class Amount:
    """A loss in each currency; None where it has no such price, or where no such payment is taken."""

    epsilon: Fraction | None
    rho: Fraction | None
    delta: Fraction

    @classmethod
    def of(cls, loss: Loss) -> "Amount":
        """What a release of this loss is charged."""
        if isinstance(loss, ApproxDP):
            return cls(loss.epsilon, PureDP(loss.epsilon).as_zcdp().rho, loss.delta)
        rho = loss.as_zcdp().rho
        if isinstance(loss, ZCDP):
            return cls(None if rho else rho, rho, Fraction(0))
        return cls(loss.epsilon, rho, Fraction(0))

    def __add__(self, other: "Amount") -> "Amount":
        return Amount(_add(self.epsilon, other.epsilon), _add(self.rho, other.rho), self.delta + other.delta)

    def outgrows(self, before: "Amount") -> bool:
        """Whether this total, unlike the one before, leaves too little room for the decimals to come."""
        return any(
            new is not None
            and (_is_long(new) or (_has_room_for_odd(new) and _odd(new) > max(ODD_BITS, _odd(old))))
            for new, old in zip(self._numbers, before._numbers, strict=True)
        )

    @property
    def _numbers(self) -> tuple[Fraction | None, ...]:
        return self.epsilon, self.rho, self.delta


NOTHING = Amount(Fraction(0), Fraction(0), Fraction(0))


def price(cost: Amount, budget: Budget) -> str:
    """A charge in the currency that counts, with the other behind it: ``ρ 0.1234 (ε 1)``."""
    epsilon = None if cost.epsilon is None else f"ε {above(cost.epsilon)}"
    rho = None if cost.rho is None else f"ρ {above(cost.rho)}"
    first, other = (rho, epsilon) if isinstance(budget, ZCDP) or epsilon is None else (epsilon, rho)
    delta = f", δ {above(cost.delta)}" if cost.delta else ""
    return f"{first}{delta}" + (f" ({other})" if other else "")


def rest(left: Amount, budget: Budget) -> str:
    """What remains on the routes that are open, of how much."""
    if isinstance(budget, ZCDP):
        return f"ρ {below(left.rho)} of {above(budget.rho)}"
    epsilon = f"ε {below(left.epsilon)} of {above(budget.epsilon)}"
    if isinstance(budget, PureDP):
        return epsilon
    routes = [text for n, text in ((left.epsilon, epsilon), (left.rho, f"ρ {below(left.rho)}")) if n]
    return f"{' or '.join(routes) or epsilon}, and δ {below(left.delta)}"


def above(value: Fraction) -> str:
    """Four digits, rounded up; all of them where they are few."""
    return _short(value, ROUND_CEILING)


def below(value: Fraction | None) -> str:
    """Four digits, rounded down; 0 where a route is overdrawn or closed."""
    return _short(max(value or Fraction(0), Fraction(0)), ROUND_FLOOR)


def _short(value: Fraction, rounding: str) -> str:
    if len(exactly := spell(value)) <= 8 and "/" not in exactly:
        return exactly
    digits = Context(prec=4, rounding=rounding).divide(value.numerator, value.denominator)
    return spelled if len(spelled := spell(Fraction(digits))) <= 12 else str(digits)


def _is_long(number: Fraction) -> bool:
    """Whether it has more digits than can be written down."""
    return max(number.numerator.bit_length(), number.denominator.bit_length()) > MAX_BITS


def _has_room_for_odd(number: Fraction) -> bool:
    """Whether a denominator is long enough for its odd part to be too long; few are, and this is seen at once."""
    return number.denominator.bit_length() > ODD_BITS


def _odd(number: Fraction | None) -> int:
    """How many bits of a denominator are not those of a decimal."""
    parts = 1 if number is None else number.denominator
    return (parts // gcd(parts, PLAIN)).bit_length()


def _add(one: Fraction | None, other: Fraction | None) -> Fraction | None:
    return None if one is None or other is None else one + other
