"""Amounts: a loss in each currency, as exact rationals, and in words.

Totals are written down exactly, so their denominators must not grow without end. The denominators of decimals, and of
the rhos that are computed here, divide one fixed number, and so does every sum of such numbers. Any other factor, such
as a large odd number, stays in the total for ever. The length of these factors is limited, so that decimals always fit.
"""

from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context
from fractions import Fraction
from math import gcd
from typing import TypeAlias

from noisewise.kernel.losses import ZCDP, ApproxDP, Loss, PureDP, read
from noisewise.kernel.numbers.exact import MAX_BITS, spell

Budget: TypeAlias = PureDP | ZCDP | ApproxDP

DECIMALS = 2**4200 * 5**1100
"""The denominators of all decimals, and of all numbers that were rounded up to 64 bits, divide this number."""

ODD_BITS = 2000
"""A denominator may have at most this many bits besides its common factors with `DECIMALS`."""


@dataclass(frozen=True, slots=True)
class Amount:
    """A loss in each currency. A number is None if the loss has no price in that currency.

    In what remains of a budget, None means that the budget does not count this currency.
    """

    epsilon: Fraction | None
    rho: Fraction | None
    delta: Fraction

    @classmethod
    def of(cls, loss: Loss) -> "Amount":
        """The charge for a release of this loss."""
        if isinstance(loss, ApproxDP):
            return cls(loss.epsilon, PureDP(loss.epsilon).as_zcdp().rho, loss.delta)
        rho = loss.as_zcdp().rho
        if isinstance(loss, ZCDP):
            return cls(None if rho else rho, rho, Fraction(0))
        return cls(loss.epsilon, rho, Fraction(0))

    def __add__(self, other: "Amount") -> "Amount":
        return Amount(_add(self.epsilon, other.epsilon), _add(self.rho, other.rho), self.delta + other.delta)

    def outgrows(self, before: "Amount") -> bool:
        """Whether this total has too many digits for later decimals to fit, and the total before had fewer."""
        return any(
            new is not None and (_is_long(new) or _odd(new) > max(ODD_BITS, _odd(old)))
            for new, old in zip(self._numbers, before._numbers, strict=True)
        )

    @property
    def _numbers(self) -> tuple[Fraction | None, ...]:
        return self.epsilon, self.rho, self.delta


NOTHING = Amount(Fraction(0), Fraction(0), Fraction(0))


def price(cost: Amount, budget: Budget) -> str:
    """A charge in the currency of the budget, and then in the other one: ``ρ 0.1234 (ε 1)``. A pure budget has one."""
    if isinstance(budget, PureDP) and cost.epsilon is not None and not cost.delta:
        return f"ε {above(cost.epsilon)}"
    epsilon = None if cost.epsilon is None else f"ε {above(cost.epsilon)}"
    rho = None if cost.rho is None else f"ρ {above(cost.rho)}"
    first, other = (rho, epsilon) if isinstance(budget, ZCDP) or epsilon is None else (epsilon, rho)
    delta = f", δ {above(cost.delta)}" if cost.delta else ""
    return f"{first}{delta}" + (f" ({other})" if other else "")


def worth(rho: Fraction, delta: Fraction) -> str:
    """What a loss of ``rho`` in zCDP is worth at this delta: ``ε ≤ 4.8 at δ = 1e-06``."""
    return f"ε {read(ZCDP(rho).as_approx(delta).epsilon)} at δ {read(delta)}"


def rest(left: Amount, budget: Budget) -> str:
    """What remains of the budget in each currency that is not used up."""
    if isinstance(budget, ZCDP):
        return f"ρ {below(left.rho)} of {above(budget.rho)}"
    epsilon = f"ε {below(left.epsilon)} of {above(budget.epsilon)}"
    if isinstance(budget, PureDP):
        return epsilon
    routes = [text for n, text in ((left.epsilon, epsilon), (left.rho, f"ρ {below(left.rho)}")) if n]
    return f"{' or '.join(routes) or epsilon}, and δ {below(left.delta)}"


def above(value: Fraction) -> str:
    """All digits if they are few, otherwise four digits, rounded up."""
    return _short(value, ROUND_CEILING)


def below(value: Fraction | None) -> str:
    """All digits if they are few, otherwise four digits, rounded down. None and negative numbers become 0."""
    return _short(max(value or Fraction(0), Fraction(0)), ROUND_FLOOR)


def _short(value: Fraction, rounding: str) -> str:
    if len(exactly := spell(value)) <= 8 and "/" not in exactly:
        return exactly
    digits = Context(prec=4, rounding=rounding).divide(value.numerator, value.denominator)
    return spelled if len(spelled := spell(Fraction(digits))) <= 12 else str(digits)


def _is_long(number: Fraction) -> bool:
    """Whether the number has more digits than can be written down."""
    return max(number.numerator.bit_length(), number.denominator.bit_length()) > MAX_BITS


def _odd(number: Fraction | None) -> int:
    """The number of bits in the factors of the denominator that do not divide `DECIMALS`; 0 if it is short."""
    if number is None or (parts := number.denominator).bit_length() <= ODD_BITS:
        return 0
    return (parts // gcd(parts, DECIMALS)).bit_length()


def _add(one: Fraction | None, other: Fraction | None) -> Fraction | None:
    return None if one is None or other is None else one + other
