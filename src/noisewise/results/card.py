"""Cards: a card describes a release, with fields for programs and one paragraph for people, to file or to publish.

The format of cards is this library's own and has a number. It is no registry's schema. If you file a release
elsewhere, fill in that form from the fields.
"""

import math
from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction
from typing import Any

from noisewise.errors import ParameterError
from noisewise.kernel.losses import ZCDP, ApproxDP, Loss

FORMAT = 2
"""The number of the format. It changes when a field changes its meaning; in format 1 ``owns`` was called ``unit``."""

NEXT = 1 + Fraction(1, 10**12)
"""A factor that certainly makes up for the rounding of a float's exponential."""

LOG10_E = Fraction(434_294_481_904, 10**12)
"""The decimal logarithm of e, rounded up."""


def card_of(fields: dict[str, Any], loss: Loss) -> dict[str, Any]:
    """Return the card of a release, made from the fields of its `to_dict` and from its loss.

    In the card, ``owns`` says what a person has, such as a record. ``unit`` is the column that names people. If there
    is no such column, ``unit`` is the same as ``owns``.
    """
    rest = dict(fields)
    value, privacy, receipt = rest.pop("value"), rest.pop("privacy"), rest.pop("receipt")
    delta = _delta_of(receipt)
    card = {
        "card": FORMAT,
        "what": fields["statistic"],
        "when": rest.pop("time"),
        "value": value,
        **rest,
        "unit": fields["people"] or fields["unit"],
        "owns": fields["unit"],
        "losses": {"stated": privacy, **_losses(loss, delta)},
        "ledger": receipt,
        "statement": _statement(fields, loss, delta),
    }
    return {name: _listed(value) for name, value in card.items()}


def _listed(value: object) -> object:
    """Return a value with lists in place of tuples, as JSON would give them back."""
    if isinstance(value, dict):
        return {key: _listed(each) for key, each in value.items()}
    return [_listed(each) for each in value] if isinstance(value, (list, tuple)) else value


def _delta_of(receipt: object) -> Fraction | None:
    """Return the delta of the budget that paid, from the dictionary of a ledger's entry. None if it has none."""
    budget = receipt.get("budget") if isinstance(receipt, dict) else None
    delta = budget.get("delta") if isinstance(budget, dict) else None
    return None if delta is None else Fraction(delta)


def _losses(loss: Loss, delta: Fraction | None) -> dict[str, dict[str, str | float] | None]:
    """Return the loss converted to each kind of loss, with None for kinds to which it cannot be converted.

    A loss in zCDP is also converted at the ``delta`` of the budget that paid, if it has one.
    """
    losses: dict[str, dict[str, str | float] | None] = {}
    for name, convert in (("pure", loss.as_pure), ("zcdp", loss.as_zcdp)):
        try:
            losses[name] = convert().to_dict()
        except ParameterError:  # there is no such conversion
            losses[name] = None
    if isinstance(loss, ZCDP) and delta:
        losses["approx"] = loss.as_approx(delta).to_dict()
    return losses


def _statement(fields: dict[str, Any], loss: Loss, delta: Fraction | None) -> str:
    """Return sentences about the protection, for people who have never heard of differential privacy."""
    if not fields["private"]:
        return "This was drawn from a seed, for tests. It is not private: anybody who has the seed can undo the noise."
    return f"{_protects(fields)} {how_much_it_tells(loss, fields['neighbors'] == 'swap', delta)} {_limits(fields)}"


def _protects(fields: dict[str, Any]) -> str:
    unit, owned = fields["unit"], fields["contributions"]
    records = f"one {unit}" if owned == 1 else f"{owned} {unit}s"
    if fields["neighbors"] == "swap":
        whom = f"what any one {unit} says (how many {unit}s there are is public)"
    elif fields["people"] is not None:
        whom = f"whether any one person, of whom at most {records} took part, is in the data at all"
    else:
        whom = f"whether any one person, who has at most {records}, is in the data at all"
    return f"This answer was blurred on purpose, by differential privacy, so that it hides {whom}."


def how_much_it_tells(loss: Loss, swap: bool, delta: Fraction | None) -> str:
    """Return in words how much answers of this loss can tell about a person, for zCDP also at ``delta``."""
    if isinstance(loss, ZCDP):
        also = how_much_it_tells(loss.as_approx(delta), swap, None) if delta else ""
        at = f" In epsilon and delta: {also[:1].lower()}{also[1:]}" if also else ""
        return (
            f"How much it can tell is measured as rho = {_up(loss.rho)} of zero-concentrated differential privacy: "
            f"the smaller, the less anybody can learn about a person.{at}"
        )
    instead = "with other data in the place of that person's" if swap else "without that person's data"
    odds = (
        "Whatever else somebody knows, seeing this answer can make any guess about a person at most "
        f"{_odds(loss.epsilon)} times as likely as it would be {instead} (epsilon = {_up(loss.epsilon)})"
    )
    return (
        f"{odds}, except with a probability of {_up(loss.delta)} (delta)."
        if isinstance(loss, ApproxDP)
        else f"{odds}."
    )


def _limits(fields: dict[str, Any]) -> str:
    """Return sentences about the conditions under which the protection holds."""
    promise = (
        ""
        if fields["people"] or fields["neighbors"] == "swap"
        else f" This holds if nobody has more {fields['unit']}s than that. Whoever asked guarantees this."
    )
    return f"Each further answer from the same data adds to what can be learnt.{promise}"


def afterwards(before: Fraction, epsilon: Fraction) -> Fraction:
    """Return how likely a guess can become at most, if it was believed with the chance ``before``, rounded up."""
    if epsilon > 700:
        return Fraction(1)
    odds = Fraction(math.exp(epsilon)) * NEXT * before / (1 - before)
    return Fraction(math.ceil(1000 * odds / (1 + odds)), 1000)


def _odds(epsilon: Fraction) -> str:
    """Return e^epsilon as text, rounded up. If it has hundreds of digits, return a power of ten."""
    if epsilon <= 700:
        return _up(Fraction(math.exp(epsilon)) * NEXT)
    return f"10^{math.ceil(epsilon * LOG10_E)}"


def _up(number: Fraction) -> str:
    """Return a number as text, rounded up to three digits, so that a statement never promises too much."""
    above = Context(prec=3, rounding=ROUND_CEILING).divide(number.numerator, number.denominator)
    return f"{above:f}" if Decimal("1e-4") <= above < 10**6 else f"{above:.2e}"
