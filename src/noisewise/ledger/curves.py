"""Curves: the delta of one or many releases at an epsilon, and the epsilon at a delta.

The bound depends on what was fixed before the first answer was seen, so the caller states it:

    fixed="nothing"     each release and its loss may depend on the answers before it, as in a ledger. Only the sums of
                        the losses given here are fixed, as a limit
    fixed="losses"      the losses and their order are fixed. The questions may depend on the answers
    fixed="releases"    everything is fixed: the number, losses, questions and parameters of all releases

With "nothing", the bound is the better one of the sum of epsilons and the sum of rhos. The other two are for planning.
They also use the optimal compositions of equal pure losses and of equal bounded ranges (the latter only with
"releases"), and a recursion for any mix of the two. optimal.py and recursion.py name the authors. A single release is
always fixed. If no better bound is known, as for a mix with zCDP, the sums remain. Every number is rounded up. Proofs:
docs/proofs/composition.md.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias, get_args

from noisewise.calls import checked_call
from noisewise.errors import ParameterError, Words
from noisewise.kernel.losses import ZCDP, ApproxDP, BoundedRange, Loss, PureDP, parameter, read, round_up
from noisewise.kernel.numbers.balls import Ball, ball
from noisewise.kernel.numbers.exact import Number, describe
from noisewise.ledger import optimal
from noisewise.ledger.composition import Composed, compose
from noisewise.ledger.recursion import Recursion
from noisewise.ledger.spending import Spent, losses_of, several

Fixed: TypeAlias = Literal["nothing", "losses", "releases"]
Curve: TypeAlias = Callable[[Fraction], Fraction]
Several: TypeAlias = "Spent | Composed | Iterable[Spent | Composed]"

FINEST = 2**1000
"""A product of many chances is rounded to a fraction with this denominator."""

FINENESS = 2.0**-36
"""The relative precision of an epsilon, which is rounded up."""


@checked_call("delta_at")
def delta_at(losses: Several, epsilon: Number, *, fixed: Fixed = "nothing") -> Fraction:
    """The least delta that is known to hold at this epsilon; 1 if none is known.

    Args:
        losses: A loss or a release, several in the order of their releases, or a result of `compose`.
        epsilon: Any number of at least 0.
        fixed: What was fixed before the first answer was seen: ``"nothing"``, the ``"losses"``, or the ``"releases"``
            themselves. The last two are for planning, since a ledger cannot know it. Even with ``"nothing"``, the sum
            of the losses must have been fixed as a limit, such as the budget of a ledger. If releases went on until an
            answer looked good, and were added up afterwards, the delta is not a promise.

    Examples:
        >>> nws.delta_at([nws.BoundedRange(0.1)] * 50, 1, fixed="releases")
    """
    plan = _Plan.of(losses, fixed)
    return min(plan.failing + plan.lasting * plan.curve(parameter("epsilon", epsilon)), Fraction(1))


@checked_call("epsilon_at")
def epsilon_at(losses: Several, delta: Number, *, fixed: Fixed = "nothing") -> Fraction:
    """The least epsilon that is known to hold at this delta.

    Args:
        losses: A loss or a release, several in the order of their releases, or a result of `compose`.
        delta: A chance below 1, and not below the sum of the losses' own deltas.
        fixed: What was fixed before the first answer was seen, as in `delta_at`, with the same condition on a limit.

    Examples:
        >>> nws.epsilon_at([nws.BoundedRange(0.1)] * 50, 1e-6, fixed="releases")
    """
    plan, chance = _Plan.of(losses, fixed), parameter("delta", delta)
    left = (chance - plan.failing) / plan.lasting
    if left < 0 or (left == 0 and plan.total.epsilon is None):
        rule = "must not be below" if plan.total.epsilon is not None else "must be above"
        raise ParameterError(
            "delta", f"{rule} what is already spent, δ {read(plan.failing)}", got=describe(delta)
        ) from None
    known = Composed(plan.total.epsilon, plan.total.rho, Fraction(0)).as_approx(left).epsilon
    return _least(plan.curve, left, known) if left else known


@dataclass(frozen=True, slots=True)
class _Plan:
    """The chance ``failing`` that a release fails, and curves that bound delta if none fails."""

    total: Composed
    failing: Fraction
    lasting: Fraction
    curves: tuple[Curve, ...]

    @classmethod
    def of(cls, losses: Several, fixed: Fixed) -> "_Plan":
        if fixed not in get_args(Fixed):
            raise ParameterError(
                "fixed", ("must be ", Words("nothing", "losses", "releases")), got=describe(fixed)
            ) from None
        parts = losses_of(several(losses), Composed)
        total = compose(parts)
        parameter("rho", total.rho)  # a sum may exceed what a float can show
        parameter("epsilon", total.epsilon or 0)
        curves = [lambda at: zcdp_delta(total.rho, at)]
        if (most := total.epsilon) is not None:
            curves.append(lambda at: optimal.pure_delta(most, 1, at))
        if (fixed == "nothing" and len(parts) > 1) or any(isinstance(part, Composed) for part in parts):
            return cls(total, total.delta, Fraction(1), tuple(curves))
        single = [part for part in parts if not isinstance(part, Composed)]
        lasting = _product([1 - part.delta for part in single if isinstance(part, ApproxDP)])
        curves += _planned(single, all_fixed=fixed == "releases" or len(parts) == 1)
        return cls(total, 1 - lasting, lasting, tuple(curves))

    def curve(self, at: Fraction) -> Fraction:
        return min(each(at) for each in self.curves)


def _product(chances: Sequence[Fraction]) -> Fraction:
    """Multiply chances. A long product is rounded down, so that a delta is rounded up."""
    product = Fraction(1)
    for chance in chances:
        product *= chance
        if product.denominator > FINEST:
            product = Fraction(math.floor(product * FINEST), FINEST)
    return product


def _planned(parts: Sequence[Loss], *, all_fixed: bool) -> list[Curve]:
    """Return the curves that are better than sums. There are none if one of the losses is in zCDP.

    An ``ApproxDP`` loss counts as a pure loss here, because the caller counts its delta.
    """
    known: list[PureDP | BoundedRange] = []
    for part in parts:
        if isinstance(part, ZCDP):
            return []
        if part.epsilon > 0:
            known.append(part if isinstance(part, BoundedRange) else PureDP(part.epsilon))
    kinds, count = {(type(part), part.epsilon) for part in known}, len(known)
    if len(kinds) == 1 and count <= optimal.MOST_RELEASES:
        ((kind, epsilon),) = kinds
        if kind is PureDP:
            return [lambda at: optimal.pure_delta(epsilon, count, at)]
        if all_fixed and optimal.is_quick(epsilon, count):
            return [lambda at: optimal.bounded_range_delta(epsilon, count, at)]
    return [Recursion(known).delta] if Recursion.is_for(known) else []


def zcdp_delta(rho: Fraction, at: Fraction) -> Fraction:
    """The delta of zCDP at the epsilon ``at``, rounded up.

    Every order 1 + s gives a valid delta. The best s solves rho*(1 + 2s) - ln(1 + 1/s) = at.
    """
    if rho == 0:
        return rho
    low, high = -690.0, 690.0
    while high - low > 1e-9:
        middle = (low + high) / 2
        s = math.exp(middle)
        if float(rho) * (1 + 2 * s) - math.log1p(1 / s) > float(at):
            high = middle
        else:
            low = middle
    order = Fraction(math.exp(high))

    def delta() -> Ball:
        s = ball(order)
        return (s * ((1 + s) * ball(rho) - ball(at)) - s * (1 / s).log1p() - s.log1p()).exp()

    return round_up(delta, Fraction(1))


def _least(curve: Curve, delta: Fraction, known: Fraction) -> Fraction:
    """The least epsilon with curve(epsilon) <= delta, rounded up, found by secants and bisection.

    ``known`` is an epsilon that has this property.
    """

    def height(reached: Fraction) -> float:
        return max(_log(reached) - _log(delta), -9.0) if reached else -9.0

    low, high, here = 0.0, math.nextafter(float(known), math.inf), curve(Fraction(0))
    if here <= delta:
        return Fraction(0)
    left, right = height(here), height(curve(Fraction(high)))
    for turn in range(1, 121):
        if high - low <= (nudge := FINENESS * high):
            break
        share = left / (left - right) if turn % 3 and right < left else 0.5
        at = low + share * (high - low) + (nudge if turn % 2 else -nudge) / 4
        at = min(max(at, low + nudge / 4), high - nudge / 4)
        if (here := curve(Fraction(at))) <= delta:  # floats choose where to look; this decides
            high, right = at, height(here)
        else:
            low, left = at, height(here)
    return min(Fraction(high), known)


def _log(chance: Fraction) -> float:
    return math.log(chance.numerator) - math.log(chance.denominator)
