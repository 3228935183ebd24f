"""Losses as events of Google's dp_accounting, for its accountants.

The package has no event for pure differential privacy or for bounded range. Two other events represent them:

    pure epsilon   DiscreteLaplaceDpEvent(epsilon, 1), for the PLD accountant. Its log ratio is epsilon or -epsilon, as
                   in randomised response. No pure loss is worse in any composition
    zCDP rho       ZCDpEvent(rho), for the RDP accountant

A loss of bounded range becomes one of these two events. A LaplaceDpEvent would count too little. The log ratio of
Laplace noise is often between epsilon and -epsilon, but the log ratio of a loss of bounded range, or of noise on a
lattice with few steps, may always be at one end. A RandomizedResponseDpEvent is not used, because the PLD accountant of
version 0.6 counts it only once in a composition.
"""

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from typing import Any, Literal, TypeAlias, get_args

from noisewise.bridges.outside import borrow, float_up
from noisewise.errors import ParameterError
from noisewise.kernel.losses import ZCDP, ApproxDP, BoundedRange, Loss, PureDP
from noisewise.kernel.numbers.exact import describe
from noisewise.ledger.composition import Composed
from noisewise.ledger.spending import Spent, losses_of, several

DpEvent: TypeAlias = Any
"""A ``dp_accounting.DpEvent``, of a package that may not be installed."""

Currency = Literal["auto", "pure", "zcdp"]


def to_event(spent: Spent | Composed | Iterable[Spent | Composed], *, as_: Currency = "auto") -> DpEvent:
    """Losses as one event for an accountant of dp_accounting. Numbers are rounded up to floats.

    Args:
        spent: A loss, a release, an entry of a ledger, a ledger with all its entries, a result of `compose`, or several
            of these in a list.
        as_: ``"pure"`` for a ``PLDAccountant``, which is better for a few releases, or ``"zcdp"`` for an
            ``RdpAccountant``, which is better for many releases of bounded range. ``"auto"`` is ``"pure"`` if only the
            epsilon of each loss is known, otherwise ``"zcdp"``.

    Examples:
        >>> nws.bridges.dp_accounting.to_event(nws.BoundedRange(0.5))
    """
    if as_ not in get_args(Currency):
        raise ParameterError("as_", 'must be "auto", "pure" or "zcdp"', got=describe(as_)) from None
    losses = [_together(part) for part in losses_of(several(spent), Composed)]
    pure = as_ == "pure" or (as_ == "auto" and all(map(_is_worst_of_its_epsilon, losses)))
    events = borrow("dp_accounting", extra="accounting").dp_event
    amounts = Counter(float_up(_epsilon(loss) if pure else _rho(loss)) for loss in losses)
    parts = [
        _repeated(
            events, events.DiscreteLaplaceDpEvent(amount, 1) if pure else events.ZCDpEvent(amount), count
        )
        for amount, count in amounts.items()
        if amount > 0  # the accountants read an epsilon of 0 as an answer without noise
    ]
    if not parts:
        return events.NoOpDpEvent()
    return parts[0] if len(parts) == 1 else events.ComposedDpEvent(parts)


def _repeated(events: Any, event: DpEvent, count: int) -> DpEvent:
    return event if count == 1 else events.SelfComposedDpEvent(event, count)


def _epsilon(loss: Loss) -> Fraction:
    return _without_delta(loss).as_pure().epsilon


def _rho(loss: Loss) -> Fraction:
    return _without_delta(loss).as_zcdp().rho


def _without_delta(loss: Loss) -> Loss:
    if isinstance(loss, ApproxDP) and loss.delta > 0:
        raise ParameterError(
            "loss",
            "must have delta 0",
            got=str(loss),
            why="dp_accounting has no event for it",
            fix="compose dp_accounting.pld.privacy_loss_distribution.from_privacy_parameters instead",
        ) from None
    return loss


def _is_worst_of_its_epsilon(loss: Loss) -> bool:
    """Whether the rho of a loss is the rho that follows from its epsilon alone."""
    if isinstance(loss, (BoundedRange, ZCDP)):
        return False
    return _rho(loss) == PureDP(loss.epsilon).as_zcdp().rho


def _together(spent: "Loss | Composed") -> Loss:
    """Return a composition as one loss, and any other loss unchanged."""
    if not isinstance(spent, Composed):
        return spent
    if spent.delta or spent.epsilon is None:
        return spent.as_zcdp()  # an error if there is a delta
    return spent.as_pure()
