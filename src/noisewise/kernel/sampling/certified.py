"""The slow path of every draw: comparisons that ball arithmetic makes certain.

A ball of python-flint holds a real number between two known ones. A comparison of two balls is answered only if the
answer is the same for all numbers in them, so no rounding error decides. If two balls overlap, the precision and the
number of random bits double. With probability one they stop overlapping. Proof: docs/proofs/sampling.md.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import TypeVar

from noisewise.kernel.numbers.balls import Ball, ball, precision
from noisewise.kernel.sampling.bits import Uniform

Answer = TypeVar("Answer")

FIRST_PRECISION = 128


def certain(decide: Callable[[int], Answer | None], uniform: Uniform, spare: int = 0) -> Answer:
    """Call ``decide`` with 128, 256, ... bits of precision until it returns an answer.

    ``decide(bits)`` returns None if its balls overlap. Balls are computed with ``bits + spare`` bits. Each further call
    also reads more bits of the uniform number.
    """
    bits = FIRST_PRECISION
    while True:
        with precision(bits + spare):
            answer = decide(bits)
        if answer is not None:
            return answer
        bits *= 2
        if bits > uniform.bits:
            uniform.refine()


def share_of(sums: list[Ball], below: Ball, above: Ball) -> int | None:
    """The index of the share that certainly holds ``below`` and ``above``, or None. Share i ends at sums[i]."""
    first, last = 0, len(sums)
    while first < last:
        middle = (first + last) // 2
        if above <= sums[middle]:
            last = middle
        elif below >= sums[middle]:
            first = middle + 1
        else:
            return None
    return first


def certain_index(uniform: Uniform, points: int) -> int:
    """floor(U * points) for the uniform number U, computed in integers."""
    while True:
        first = uniform.numerator * points >> uniform.bits
        last = ((uniform.numerator + 1) * points - 1) >> uniform.bits
        if first == last:
            return first
        uniform.refine()


def certain_geometric(uniform: Uniform, rate: Fraction, width: int, *, endless: bool) -> int:
    """Draw a whole number j >= 0 with weight exp(-rate*j/width). If the step is not endless, j is below ``width``.

    For the uniform number U, j is floor(-(width/rate) * log(1 - U*q)). q is 1 - exp(-rate), or 1 if endless.
    """

    def decide(bits: int) -> int | None:
        share = ball(1) if endless else -(-ball(rate)).expm1()
        below, above = (-(-share * ball(end)).log1p() * width / ball(rate) for end in uniform.ends)
        first, last = _floor(below.lower()), _floor(above.upper())
        if not endless:
            last = width - 1 if last is None else min(last, width - 1)
        return first if first == last else None

    return certain(decide, uniform, spare=width.bit_length())


def certainly_below(uniform: Uniform, chance_at: Callable[[int], Ball], spare: int = 0) -> bool:
    """Whether the uniform number is below a chance. ``chance_at(bits)`` returns the chance to about that many bits."""

    def decide(bits: int) -> bool | None:
        chance = chance_at(bits)
        below, above = (ball(end) for end in uniform.ends)
        return True if above <= chance else False if below >= chance else None

    return certain(decide, uniform, spare)


def certain_coin(uniform: Uniform, exponent: Fraction) -> bool:
    """Whether the uniform number is below exp(-exponent)."""
    return certainly_below(uniform, lambda bits: (-ball(exponent)).exp())


def _floor(end: Ball) -> int | None:
    """The floor of one end of a ball; None if the end is infinite or too long for the precision."""
    floor = end.floor().unique_fmpz() if end.is_finite() else None
    return None if floor is None else int(floor)
