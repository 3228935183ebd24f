"""How many digits of a number mean something: as many as a public scale, such as that of noise, lets them."""

import math
from decimal import ROUND_CEILING, ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from typing import Any

MOST_DECIMALS = 12
"""The most digits after the point that are printed."""


def decimals_for(scale: float) -> int:
    """How many digits after the point tell numbers apart that are this far from each other; none for whole numbers."""
    if not scale > 0 or math.isinf(scale):
        return MOST_DECIMALS
    return min(max(0, math.ceil(-math.log10(scale) - 1e-9)), MOST_DECIMALS)


def rounded(number: Any, scale: float) -> str:
    """A number, or several, without digits that are finer than the scale; whole numbers as they are."""
    if isinstance(number, tuple):
        each = [
            f"({rounded(one, scale)})" if isinstance(one, tuple) else rounded(one, scale) for one in number
        ]
        return "; ".join(each)
    if isinstance(number, bool) or not isinstance(number, (int, float, Fraction, Decimal)):
        return str(number)
    if isinstance(number, int):
        return f"{number:,}"
    if isinstance(number, float) and not math.isfinite(number):
        return str(number)
    text = f"{float(number):,.{decimals_for(scale)}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text


def to_three(number: float) -> str:
    """About this number: three digits, and no more."""
    return _three(number, ROUND_HALF_EVEN)


def up_to_three(number: float) -> str:
    """A number rounded up to three digits, so that nothing closer is promised than is kept."""
    return _three(number, ROUND_CEILING)


def _three(number: float, rounding: str) -> str:
    """Three digits, or all digits of a whole number up to 999."""
    if number == 0 or not math.isfinite(number):
        return f"{number:g}"
    short = Context(prec=3, rounding=rounding).create_decimal_from_float(float(number)).normalize()
    if Decimal("1e-6") <= abs(short) < Decimal("1e15"):
        return f"{short:,f}"
    return f"{short:.3g}".replace("E", "e")
