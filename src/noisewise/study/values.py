"""Values of a study file: what a key says as Python is given it, and back.

TOML has numbers, text, booleans, dates and lists. Text stands for what it lacks: a fraction, "1/3", and a duration,
"7d". What holds values of a column, such as keys, is no parameter: there a decimal is the float of a column.
"""

import re
from datetime import timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any

from noisewise.kernel.numbers.exact import exact
from noisewise.tables.time.clock import UNITS, duration_of

FRACTION = re.compile(r"\d{1,400}/\d{1,400}")

LABELS = ("category", "categories", "nodes", "keys")
"""What holds values of a column rather than parameters."""
IN_TIME = ("bounds", "granularity")
"""What may be a duration."""


def as_number(given: Any) -> Any:
    """A number as it stands, or the fraction that a text such as "1/3" spells; anything else as it is."""
    if isinstance(given, str) and FRACTION.fullmatch(given) and int(given.partition("/")[2]):
        return Fraction(given)
    return given


def argument(key: str, given: Any) -> Any:
    """The value of an argument as Python would be given it."""
    if key in LABELS:
        return labels(given)
    if key in IN_TIME and isinstance(given, str) and (duration := duration_of(given)) is not None:
        return duration
    if isinstance(given, list):
        parts = [argument(key, each) for each in given]
        return tuple(parts) if key.endswith("bounds") else parts
    return as_number(given)


def labels(given: Any) -> Any:
    """Values of a column: a decimal is the float that a column would hold."""
    if isinstance(given, list):
        return [labels(each) for each in given]
    if isinstance(given, dict):
        return {key: labels(each) for key, each in given.items()}
    return float(given) if isinstance(given, Decimal) else given


def spelled(given: Any) -> Any:
    """A value of Python as a document holds it, so that `argument` gives it back."""
    if isinstance(given, timedelta):
        count, unit = given // UNITS["us"], "us"
        for name, each in UNITS.items():
            if not given % each:
                count, unit = given // each, name
                break
        return f"{count}{unit}"
    if isinstance(given, (list, tuple)):
        return [spelled(each) for each in given]
    if isinstance(given, dict):
        return {str(key): spelled(each) for key, each in given.items()}
    if isinstance(given, (float, Fraction)) and not isinstance(given, bool):
        return _decimal(exact("a number", given))
    return given.item() if callable(getattr(given, "item", None)) else given


def _decimal(number: Fraction) -> Decimal | str:
    """A fraction as a decimal where one is equal to it, else as text."""
    rest = number.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    decimal = Decimal(number.numerator) / Decimal(number.denominator)
    if rest > 1 or Fraction(decimal) != number:  # no decimal, or too long a one
        return str(number)
    return decimal if "." in str(decimal) or "E" in str(decimal) else Decimal(f"{decimal}.0")
