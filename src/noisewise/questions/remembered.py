"""Remember what is public about a question, so that it is worked out once for the same parameters.

Only parameters are remembered, never data.
"""

from collections.abc import Callable, Hashable
from decimal import Decimal
from fractions import Fraction
from types import NoneType
from typing import Any, TypeVar

from noisewise.questions.choice import Auto

Value = TypeVar("Value")

MOST = 128
"""The most calls that are remembered. The next call clears them all."""

LONGEST = 32
"""The longest list that is remembered. Lists of categories may be longer."""

PLAIN = {bool, int, str, Fraction, NoneType, Auto}


class _NotRemembered(Exception):
    """A parameter cannot be remembered: it may change, or equal another one that means something else."""


def remembered(
    known: dict[Hashable, Value], parameters: object, make: Callable[..., Value], *arguments: Any
) -> Value:
    """Return ``make(*arguments)``, or what it returned before for the same parameters."""
    try:
        key = _key(parameters)
    except _NotRemembered:
        return make(*arguments)
    if key not in known:
        made = make(*arguments)
        if len(known) >= MOST:
            known.clear()
        known[key] = made
    return known[key]


def _key(value: Any) -> Hashable:
    """A key for a parameter. It holds the type of each part: 1, 1.0 and True are equal, but differ in meaning."""
    kind = type(value)
    if kind in PLAIN:
        return kind, value
    if kind is Decimal:
        return kind, str(value)  # tells 0.10 from 0.1, which a receipt prints as typed
    if kind is float:
        return kind, value.hex()  # which tells -0.0 from 0.0
    if kind is dict:
        return kind, *value, *[_key(each) for each in value.values()]
    if (kind is tuple or kind is list) and len(value) <= LONGEST:
        return kind, *[(type(each), each) if type(each) in PLAIN else _key(each) for each in value]
    raise _NotRemembered
