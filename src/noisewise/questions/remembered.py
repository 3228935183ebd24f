"""Remember what is public about a question, so that it is worked out once for the same parameters.

Only parameters are remembered, never data.
"""

from collections.abc import Callable, Hashable
from decimal import Decimal
from fractions import Fraction
from types import NoneType
from typing import Any, TypeVar

from noisewise.kernel.prices import Rho
from noisewise.questions.choice import Auto

Value = TypeVar("Value")

MOST = 128
"""The most calls that are remembered. The next call clears them all."""

LONGEST = 32
"""The longest tuple that is remembered."""

PLAIN = {bool, int, str, Fraction, NoneType, Auto, Rho}


class _NotRemembered(Exception):
    """A parameter cannot be remembered: it may change, or equal another one that means something else."""


def remembered(
    known: dict[Hashable, Value],
    arguments: tuple[Any, ...],
    keywords: dict[str, Any],
    make: Callable[..., Value],
    *given: Any,
) -> Value:
    """Return ``make(*given)``, or what it returned before for the same arguments and keywords.

    Lists and dictionaries are not remembered: their owner may change them after the call.
    """
    try:
        key = (_key(arguments), *keywords, *[_key(each) for each in keywords.values()])
    except _NotRemembered:
        return make(*given)
    made = known.get(key)
    if made is None:
        made = make(*given)
        if len(known) >= MOST:
            known.clear()
        known[key] = made
    return made


def _key(value: Any) -> Hashable:
    """A key for a parameter. It holds the type of each part: 1, 1.0 and True are equal, but differ in meaning."""
    kind = type(value)
    if kind in PLAIN:
        return kind, value
    if kind is Decimal:
        return kind, str(value)  # tells 0.10 from 0.1, which a receipt prints as typed
    if kind is float:
        return kind, value.hex()  # which tells -0.0 from 0.0
    if kind is tuple and len(value) <= LONGEST:
        return kind, *[(type(each), each) if type(each) in PLAIN else _key(each) for each in value]
    raise _NotRemembered
