"""Composition: the loss of several releases together.

    sum of epsilons     of pure losses, and of bounded ranges, which count as pure
    sum of rhos         of all losses: an (epsilon, delta) loss counts rho = epsilon * tanh(epsilon/2) beside its delta
    sum of deltas       the chance that one of the (epsilon, delta) releases fails

These sums hold even if each release and its loss are chosen after seeing the answers before it. So a ledger uses them.
The limit on a sum must be fixed before the first release, and no answer may change it: the sums are a filter, not an
odometer. If releases went on until an answer looked good, a sum of rhos that is added up afterwards is not a promise.
A sum of epsilons without delta is still one.

A sum is never a bounded range. If two releases have a range of 1, and the first answer chooses the second release,
their range can be 3. curves.py has better bounds for plans that are fixed in advance. Proofs:
docs/proofs/composition.md.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from noisewise.calls import checked_call, checked_class
from noisewise.errors import ParameterError
from noisewise.kernel.losses import ZCDP, ApproxDP, Loss, PureDP, parameter, read
from noisewise.kernel.numbers.exact import Number, describe
from noisewise.kernel.settle import sum_of_losses
from noisewise.ledger.amounts import NOTHING, Amount
from noisewise.ledger.spending import Spent, losses_of, several


@checked_class("it is what compose(PureDP(1), ZCDP(0.1)) returns")
@dataclass(frozen=True, slots=True)
class Composed:
    """The exact sums of several losses. ``epsilon`` is None if one of the losses does not bound the log ratio."""

    epsilon: Fraction | None
    rho: Fraction
    delta: Fraction

    def as_pure(self) -> PureDP:
        """The sums of epsilons and of rhos as a pure loss. An error is raised unless every loss is pure."""
        if self.delta > 0 or self.epsilon is None:
            raise ParameterError(
                "losses", "must all be pure", got=str(self), fix="use as_approx(delta)"
            ) from None
        return PureDP(self.epsilon, self.rho)

    def as_zcdp(self) -> ZCDP:
        """The sum of rhos as a loss in zCDP. An error is raised if a loss has a delta."""
        if self.delta > 0:
            raise ParameterError(
                "losses", "must all have delta 0", got=str(self), fix="use as_approx(delta)"
            ) from None
        return ZCDP(self.rho)

    def as_approx(self, delta: Number) -> ApproxDP:
        """The sum of epsilons at this delta, or the epsilon that zCDP gives if it is smaller, rounded up.

        The sum of the losses' own deltas is taken from delta first. zCDP gets the rest.
        """
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
    """The loss of several releases together, even if each was chosen after seeing the answers before it.

    The total must be fixed in advance, by a plan or by the budget of a ledger. If answers decide how many releases
    there are or how large their losses are, and the total is added up later, then only ``as_pure()`` is a promise.

    Args:
        losses: Losses, releases, entries of a ledger, or results of `compose`; one by one, or in a list.

    Examples:
        >>> total = nws.compose(nws.BoundedRange(0.5), nws.PureDP(1), nws.ZCDP(0.1))
        >>> total.as_zcdp(), total.as_approx(1e-6)
    """
    given = several(losses[0]) if len(losses) == 1 else losses
    amounts = (
        Amount(loss.epsilon, loss.rho, loss.delta) if isinstance(loss, Composed) else Amount.of(loss)
        for loss in losses_of(given, Composed)
    )
    total = sum(amounts, NOTHING)
    assert total.rho is not None  # every loss has a price in zCDP
    return Composed(total.epsilon, total.rho, total.delta)


def sum_with_delta(*losses: Loss) -> Loss:
    """The sum of losses, some of which may have a delta, such as the loss of a search for groups.

    A loss in zCDP is converted at a delta of its own, as large as that of the others; so the sum has it twice.
    """
    if not any(isinstance(loss, ApproxDP) and loss.delta for loss in losses):
        return sum_of_losses(*losses)
    together = compose(*losses)
    own = 0 if together.epsilon is not None else min(together.delta, (1 - together.delta) / 2)
    return together.as_approx(together.delta + own)
