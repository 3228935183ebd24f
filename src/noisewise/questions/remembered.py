"""What is public about a question is worked out once for the same parameters, however often it is asked.

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
"""So many calls are remembered, and then none."""

LONGEST = 32
"""Longer lists, such as categories, are not remembered."""

PLAIN = {bool, int, str, Fraction, NoneType, Auto}


class _NotRemembered(Exception):
    """A parameter that may change, or equals another that means something else."""


def remembered(
    known: dict[Hashable, Value], parameters: object, make: Callable[..., Value], *arguments: Any
) -> Value:
    """What ``make`` makes of the arguments, or made of the same parameters before."""
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
    """A parameter with the type of each part: 1, 1.0 and True are equal, and may mean different things."""
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
