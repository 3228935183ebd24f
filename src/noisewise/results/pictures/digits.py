"""How many digits of a number mean something: as many as a public scale, such as that of noise, lets them."""

import math
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal, localcontext
from fractions import Fraction
from typing import Any, Literal, TypeAlias

Toward: TypeAlias = Literal[-1, 0, 1]
ROUNDINGS = {-1: ROUND_FLOOR, 0: ROUND_HALF_EVEN, 1: ROUND_CEILING}
MOST_DIGITS = 400
"""More than the largest float64 has."""

MOST_DECIMALS = 12
"""The most digits after the point that are printed."""


def decimals_for(scale: float) -> int:
    """How many digits after the point tell numbers apart that are this far from each other; none for whole numbers."""
    if not scale > 0 or math.isinf(scale):
        return MOST_DECIMALS
    return min(max(0, math.ceil(-math.log10(scale) - 1e-9)), MOST_DECIMALS)


def rounded(number: Any, scale: float, toward: Toward = 0) -> str:
    """A number, or several, without digits finer than the scale but for its first three; whole ones as they are.

    ``toward`` is -1 to round down, and 1 to round up, as the ends of an interval are.
    """
    if isinstance(number, tuple):
        each = [rounded(one, scale, toward) for one in number]
        return "; ".join(
            f"({text})" if isinstance(one, tuple) else text for one, text in zip(number, each, strict=True)
        )
    if isinstance(number, bool) or not isinstance(number, (int, float, Fraction, Decimal)):
        return str(number)
    if isinstance(number, int):
        return f"{number:,}"
    if isinstance(number, float) and not math.isfinite(number):
        return str(number)
    exactly = Decimal(float(number))
    decimals = max(decimals_for(scale), min(2 - exactly.adjusted(), MOST_DECIMALS) if exactly else 0)
    with localcontext(prec=MOST_DIGITS):
        text = f"{exactly.quantize(Decimal(1).scaleb(-decimals), ROUNDINGS[toward]):,f}"
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
