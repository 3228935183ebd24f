"""The slow path: comparisons made certain by ball arithmetic.

A ball of python-flint holds a real number between two known ones. A comparison of balls is answered only when it is
true of every number inside, so nothing is ever decided by a rounding error: where the balls overlap, the precision and
the number of random bits double. With probability one they do not overlap for ever: only a stream of bits that spells
a boundary out for ever would never be decided (docs/proofs/sampling.md).
"""

from fractions import Fraction

from flint import arb

from noisewise.kernel.numbers.balls import ball, precision
from noisewise.kernel.sampling.bits import Uniform
from noisewise.kernel.sampling.steps import Steps

FIRST_PRECISION = 128


class CertifiedSteps:
    """One group's step, picked by certain comparisons. Cumulative weights are kept for each precision used."""

    def __init__(self, steps: Steps, group: int) -> None:
        self._widths: list[int] = steps.widths[group].tolist()
        self._wide = [i for i, width in enumerate(self._widths) if width]
        self._steps = steps
        self._sums: dict[int, list[arb]] = {}

    def pick(self, uniform: Uniform) -> int:
        """The step whose share of [0, 1) holds the uniform number, counted from the group's plateau."""
        bits = FIRST_PRECISION
        while True:
            with precision(bits):
                sums = self._cumulative(bits)
                below, above = (sums[-1] * ball(end) for end in uniform.ends)
                outcome = self._enclosing(sums, below, above)
            if outcome is not None:
                return outcome
            bits *= 2
            if bits > uniform.bits:
                uniform.refine()

    def _enclosing(self, sums: list[arb], below: arb, above: arb) -> int | None:
        """The one step that certainly holds both ends, or None where balls overlap. The last step ends at 1."""
        first, last = 0, len(sums) - 1
        while first < last:
            middle = (first + last) // 2
            if above <= sums[middle]:
                last = middle
            elif below >= sums[middle]:
                first = middle + 1
            else:
                return None
        return self._wide[first]

    def _cumulative(self, bits: int) -> list[arb]:
        if bits not in self._sums:
            total, sums = None, []
            for i in self._wide:
                weight = self._weight(i)
                total = weight if total is None else total + weight
                sums.append(total)
            self._sums[bits] = sums
        return self._sums[bits]

    def _weight(self, i: int) -> arb:
        width, level = self._widths[i], int(self._steps.levels[i])
        if level == 0:
            return arb(width)
        rate = ball(self._steps.rate)
        decay = -(-rate).expm1()
        if self._steps.graded:
            run = (-rate * (level - 1)).exp() / (rate / width).expm1()
            return run if self._steps.endless[i] else run * decay
        block = (-rate * level).exp() * width
        return block / decay if self._steps.endless[i] else block


def certain_index(uniform: Uniform, points: int) -> int:
    """floor(U * points), in integers."""
    while True:
        first = uniform.numerator * points >> uniform.bits
        last = ((uniform.numerator + 1) * points - 1) >> uniform.bits
        if first == last:
            return first
        uniform.refine()


def certain_geometric(uniform: Uniform, rate: Fraction, width: int, *, endless: bool) -> int:
    """The j >= 0 with weight exp(-rate*j/width), of those below the width, or of all if endless.

    Inversion: the floor of -(width/rate) * log(1 - U*q), with q = 1 - exp(-rate), or 1 if endless.
    """
    bits = FIRST_PRECISION + width.bit_length()
    while True:
        with precision(bits):
            share = arb(1) if endless else -(-ball(rate)).expm1()
            below, above = (-(-share * ball(end)).log1p() * width / ball(rate) for end in uniform.ends)
            first, last = _floor(below.lower()), _floor(above.upper())
        if not endless:
            last = width - 1 if last is None else min(last, width - 1)
        if first is not None and first == last:
            return first
        bits *= 2
        uniform.refine()


def _floor(end: arb) -> int | None:
    """The floor of one end of a ball; None where it is infinite or too long for the precision."""
    floor = end.floor().unique_fmpz() if end.is_finite() else None
    return None if floor is None else int(floor)
