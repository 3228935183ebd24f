"""Numbers as text, with as many digits as a public scale, such as the scale of the noise, makes meaningful."""

import math
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal, localcontext
from fractions import Fraction
from typing import Any, Literal, TypeAlias

Toward: TypeAlias = Literal[-1, 0, 1]
ROUNDINGS = {-1: ROUND_FLOOR, 0: ROUND_HALF_EVEN, 1: ROUND_CEILING}
MOST_DIGITS = 400
"""More digits than the largest float64 has."""

MOST_DECIMALS = 12
"""The most digits after the point that are printed."""


def decimals_for(scale: float) -> int:
    """How many digits after the point tell numbers apart that differ by ``scale``; none for whole numbers."""
    if not scale > 0 or math.isinf(scale):
        return MOST_DECIMALS
    return min(max(0, math.ceil(-math.log10(scale) - 1e-9)), MOST_DECIMALS)


def rounded(
    number: Any,
    scale: float | None = None,
    toward: Toward = 0,
    most: int | None = None,
    *,
    whole: bool = False,
) -> str:
    """A number, or several, as text: with the digits above the scale. Without a scale all digits are written.

    ``toward`` is -1 to round down and 1 to round up, as for the ends of an interval. Of several numbers the first
    ``most`` are written. A float gets at least three digits, and no zeros at its end; but with ``whole`` exactly the
    decimals of the scale, so that a column has one number of decimals.
    """
    if isinstance(number, tuple):
        texts = ((one, rounded(one, scale, toward, most, whole=whole)) for one in number[:most])
        text = "; ".join(f"({text})" if isinstance(one, tuple) else text for one, text in texts)
        return text if most is None or len(number) <= most else f"{text}; ... ({len(number):,} in all)"
    if isinstance(number, bool) or not isinstance(number, (int, float, Fraction, Decimal)):
        return str(number)
    if scale is None:
        return str(number) if isinstance(number, Fraction) else f"{number:,}"
    if isinstance(number, int):
        return f"{number:,}"
    if isinstance(number, float) and not math.isfinite(number):
        return str(number)
    exactly, decimals = Decimal(float(number)), decimals_for(scale)
    if exactly and not whole:
        decimals = max(decimals, min(2 - exactly.adjusted(), MOST_DECIMALS))
    with localcontext(prec=MOST_DIGITS):
        text = f"{exactly.quantize(Decimal(1).scaleb(-decimals), ROUNDINGS[toward]):,f}"
    if not whole and "." in text:
        text = text.rstrip("0").rstrip(".")
    return text.removeprefix("-") if not text.strip("-0.") else text


def to_three(number: float) -> str:
    """A number rounded to three digits."""
    return _three(number, ROUND_HALF_EVEN)


def up_to_three(number: float) -> str:
    """A number rounded up to three digits, for upper bounds."""
    return _three(number, ROUND_CEILING)


def _three(number: float, rounding: str) -> str:
    """A number in three digits; a whole number up to 999 in full."""
    if number == 0 or not math.isfinite(number):
        return f"{number:g}"
    short = Context(prec=3, rounding=rounding).create_decimal_from_float(float(number)).normalize()
    if Decimal("1e-6") <= abs(short) < Decimal("1e15"):
        return f"{short:,f}"
    return f"{short:.3g}".replace("E", "e")
