"""Cards: the record of a release, to be filed or published, for programs and, in one paragraph, for people.

The fields are those of this library, in a format with a number. They are no registry's schema: who files releases
elsewhere takes from a card what is wanted there.
"""

import math
from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction
from typing import Any

from noisewise.errors import ParameterError
from noisewise.privacy import ZCDP, ApproxDP, Loss

FORMAT = 2
"""The meaning of a card's fields; a changed meaning is a new number. In format 1 ``unit`` was what is now ``owns``."""

NEXT = 1 + Fraction(1, 10**12)
"""A float's exponential may be a little low; so much more is surely above it."""


LOG10_E = Fraction(434_294_481_904, 10**12)
"""The decimal logarithm of e, rounded up."""


def card_of(told: dict[str, Any], loss: Loss) -> dict[str, Any]:
    """The card of a release, from its record and its loss.

    ``unit`` is what a person is known by, a column's name where one names people; ``owns`` is what they own of it.
    """
    told = dict(told)
    value, privacy, receipt = told.pop("value"), told.pop("privacy"), told.pop("receipt")
    card: dict[str, Any] = _listed(
        {
            "card": FORMAT,
            "what": told["statistic"],
            "when": told.pop("time"),
            "value": value,
            **told,
            "unit": told["people"] or told["unit"],
            "owns": told["unit"],
            "losses": {"stated": privacy, **_losses(loss)},
            "ledger": receipt,
            "statement": _statement(told, loss),
        }
    )
    return card


def _listed(part: Any) -> Any:
    """The same with lists for tuples, as JSON gives them back."""
    if isinstance(part, dict):
        return {key: _listed(value) for key, value in part.items()}
    return [_listed(each) for each in part] if isinstance(part, (list, tuple)) else part


def _losses(loss: Loss) -> dict[str, Any]:
    """The loss in each currency that it has."""
    found: dict[str, Any] = {}
    for name, convert in (("pure", loss.as_pure), ("zcdp", loss.as_zcdp)):
        try:
            found[name] = convert().to_dict()
        except ParameterError:  # such a loss has no reading in that currency
            found[name] = None
    return found


def _statement(told: dict[str, Any], loss: Loss) -> str:
    """What the release protects, for people who have never heard of differential privacy."""
    if not told["private"]:
        return "This was drawn from a seed, for tests. It is not private: anybody who has the seed can undo the noise."
    return f"{_protects(told)} {_how_well(loss, told['neighbors'] == 'swap')} {_limits(told)}"


def _protects(told: dict[str, Any]) -> str:
    unit, owned = told["unit"], told["contributions"]
    records = f"one {unit}" if owned == 1 else f"{owned} {unit}s"
    if told["neighbors"] == "swap":
        whom = f"what any one {unit} says (how many {unit}s there are is public)"
    elif told["people"] is not None:
        whom = f"whether any one person, of whom at most {records} took part, is in the data at all"
    else:
        whom = f"whether any one person, who owns at most {records}, is in the data at all"
    return f"This answer was blurred on purpose, by differential privacy, so that it hides {whom}."


def _how_well(loss: Loss, swap: bool) -> str:
    if isinstance(loss, ZCDP):
        return (
            f"How much it can tell is measured as rho = {_up(loss.rho)} of zero-concentrated differential privacy: "
            "the smaller, the less anybody can learn about a person."
        )
    instead = "with other data in its place" if swap else "without that person's data"
    odds = (
        "Whoever sees it, whatever else they know, finds no conclusion about a person more than "
        f"{_odds(loss.epsilon)} times as likely as it would be {instead} (epsilon = {_up(loss.epsilon)})"
    )
    return (
        f"{odds}, but for a chance of {_up(loss.delta)} (delta)."
        if isinstance(loss, ApproxDP)
        else f"{odds}."
    )


def _limits(told: dict[str, Any]) -> str:
    """What the promise rests on."""
    promise = (
        ""
        if told["people"] or told["neighbors"] == "swap"
        else f" It rests on the promise that nobody owns more {told['unit']}s than that."
    )
    return f"Each further answer from the same data adds to what can be learnt.{promise}"


def _odds(epsilon: Fraction) -> str:
    """e^epsilon, rounded up; a power of ten where it has hundreds of digits."""
    if epsilon <= 700:
        return _up(Fraction(math.exp(epsilon)) * NEXT)
    return f"10^{math.ceil(epsilon * LOG10_E)}"


def _up(number: Fraction) -> str:
    """Three digits, rounded up: a statement never promises too much."""
    above = Context(prec=3, rounding=ROUND_CEILING).divide(number.numerator, number.denominator)
    return f"{above:f}" if Decimal("1e-4") <= above < 10**6 else f"{above:.2e}"
