"""Composition: what several releases cost together, whoever chose them and whenever.

    sum of epsilons     pure losses, and bounded range read as pure
    sum of rhos         everything: an (epsilon, delta) loss counts rho = epsilon * tanh(epsilon/2) beside its delta
    sum of deltas       the chance that one of the (epsilon, delta) releases fails

These sums hold even if every release, and its loss, is chosen after seeing the answers before it, so they are what a
ledger goes by: as long as the sum itself was fixed before, as a limit that no answer can move. A sum of rhos that is
added up afterwards, of releases that went on until an answer looked good, is no promise (a filter, not an odometer);
only a sum of epsilons without delta is. A sum is never a bounded range: the second of two releases of range 1, chosen
by the answer of the first, can make it 3. What more is known of a plan fixed in advance is in curves.py. Proofs:
docs/proofs/composition.md.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from noisewise.calls import checked_call, checked_class
from noisewise.errors import ParameterError
from noisewise.kernel.losses import ZCDP, ApproxDP, BoundedRange, Loss, PureDP, parameter, read
from noisewise.kernel.numbers.exact import Number, describe
from noisewise.kernel.settle import sum_of_losses
from noisewise.ledger.spending import Spent, losses_of, several


@checked_class("it is what compose(PureDP(1), ZCDP(0.1)) returns")
@dataclass(frozen=True, slots=True)
class Composed:
    """The exact sums of several losses; ``epsilon`` is None if one of them bounds no log ratio."""

    epsilon: Fraction | None
    rho: Fraction
    delta: Fraction

    def as_pure(self) -> PureDP:
        """The sum of epsilons, with the sum of rhos beside it; only if every loss is pure."""
        if self.delta > 0 or self.epsilon is None:
            raise ParameterError(
                "losses", "must all be pure", got=str(self), fix="use as_approx(delta)"
            ) from None
        return PureDP(self.epsilon, self.rho)

    def as_zcdp(self) -> ZCDP:
        """The sum of rhos; only if no delta was spent."""
        if self.delta > 0:
            raise ParameterError(
                "losses", "must all have delta 0", got=str(self), fix="use as_approx(delta)"
            ) from None
        return ZCDP(self.rho)

    def as_approx(self, delta: Number) -> ApproxDP:
        """The smaller of the sum of epsilons and what zCDP gives with the delta that is left, rounded up."""
        chance = parameter("delta", delta)
        if chance < self.delta or (chance == self.delta and self.epsilon is None):
            rule = "must not be below" if self.epsilon is not None else "must be above"
            raise ParameterError(
                "delta", f"{rule} what is already spent, δ {read(self.delta)}", got=describe(delta)
            ) from None
        left, ways = chance - self.delta, [] if self.epsilon is None else [self.epsilon]
        if left > 0:
            ways.append(ZCDP(self.rho).as_approx(left).epsilon)
        return ApproxDP(min(ways), chance)

    def __str__(self) -> str:
        epsilon = "" if self.epsilon is None else f"ε {read(self.epsilon)}, "
        delta = f", δ {read(self.delta)}" if self.delta else ""
        return f"{epsilon}ρ {read(self.rho)}{delta}, composed"


@checked_call("compose")
def compose(*losses: "Spent | Composed | Iterable[Spent | Composed]") -> Composed:
    """What releases of these losses cost together, even if each was chosen after seeing the answers before it.

    The total must have been fixed beforehand, by a plan or by the budget of a ledger. If answers decided how many
    releases there are, or how large, and the total is added up afterwards, then only ``as_pure()`` is a promise.

    Args:
        losses: Losses, releases, entries of a ledger, or what others were composed to; one by one, or in a list.

    Examples:
        >>> total = nws.compose(nws.BoundedRange(0.5), nws.PureDP(1), nws.ZCDP(0.1))
        >>> total.as_zcdp(), total.as_approx(1e-6)
    """
    given = several(losses[0]) if len(losses) == 1 else losses
    parts = [_amounts(loss) for loss in losses_of(given, Composed)]
    epsilons = [part.epsilon for part in parts if part.epsilon is not None]
    return Composed(
        epsilon=sum(epsilons, Fraction(0)) if len(epsilons) == len(parts) else None,
        rho=sum((part.rho for part in parts), Fraction(0)),
        delta=sum((part.delta for part in parts), Fraction(0)),
    )


def sum_with_delta(*losses: Loss) -> Loss:
    """The sum of losses, some of which may have a delta, as the search for groups has."""
    if not any(isinstance(loss, ApproxDP) for loss in losses):
        return sum_of_losses(*losses)
    together = compose(*losses)
    return together.as_approx(together.delta)


def _amounts(loss: "Loss | Composed") -> Composed:
    match loss:
        case Composed():
            return loss
        case PureDP() | BoundedRange():
            return Composed(loss.epsilon, loss.as_zcdp().rho, Fraction(0))
        case ZCDP():
            return Composed(None if loss.rho else loss.rho, loss.rho, Fraction(0))
        case ApproxDP():  # all but its delta is as good as a pure loss
            return Composed(loss.epsilon, PureDP(loss.epsilon).as_zcdp().rho, loss.delta)
