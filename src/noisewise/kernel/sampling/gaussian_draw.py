"""Exact draws of the discrete Gaussian: whole numbers x with weight exp(-x^2 / (2*variance)) [Canonne et al. 2020].

The numbers are cut into blocks of w neighbours, on both sides of zero:

    block 2t    t*w, t*w + 1, ..., t*w + w-1            block 2t+1    -1 - t*w, -2 - t*w, ..., -w - t*w

A trial picks a block by the weight of its point nearest to zero, then any of its points, and keeps a point x with
probability exp(-(x^2 - nearest^2) / (2*variance)). So it keeps x with a chance proportional to the weight of x. If a
point is not kept, the whole trial is repeated. The width w is at most 1/64 of the standard deviation, so that fewer
than one trial in 80 is repeated. If w is 1, every point is kept and no coin is thrown. How long a draw takes is not
hidden.

Weights of blocks become integers of 61 bits, as in `draw`, and a coin compares 64 bits with a chance in float64. Both
allow for 16 times the error that follows from the assumption of `draw`. If that does not decide, balls decide with the
same bits and more. Blocks beyond the table are reached in this way: nothing is cut off but what 64 bits cannot hold.
Proof: docs/proofs/discrete_gaussian.md.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from noisewise.kernel.numbers.arrays import Booleans, Integers, Unsigned
from noisewise.kernel.numbers.balls import Ball, ball
from noisewise.kernel.sampling.bits import Bits, Uniform
from noisewise.kernel.sampling.certified import certain, certain_coin, share_of
from noisewise.kernel.sampling.draw import BLOCK, FARTHEST, ULP, high_product, uniform

WIDEST_VARIANCE = 2**116
"""The largest variance. 62 bits hold all points of the table, which ends within 11 standard deviations."""
PARTS = 64
"""A block is at most this part of the standard deviation wide, unless it is a single point."""
NEGLIGIBLE = 52
"""The blocks beyond the table together weigh less than 2^-70 of the heaviest block."""
EXPONENT_SLACK, WEIGHT_SLACK, COIN_SLACK = 16 * 3, 16 * 5, 16 * 6
HIGHEST_RATE = Fraction(2**200)
"""Above this rate, float64 weighs all points but zero as nothing, whatever the rate is."""
WORDS = 2.0**-64


def draw_gaussian(variance: Fraction, count: int, bits: Bits, words: Unsigned | None = None) -> Integers:
    """``count`` independent draws, cut at +-FARTHEST. ``words`` are their first bits, if they were drawn before."""
    blocks, drawn = Blocks.of(variance), np.empty(count, np.int64)
    for start in range(0, count, BLOCK):
        waiting = np.arange(start, min(start + BLOCK, count))
        first = bits.words(waiting.size) if words is None else words[waiting]
        while waiting.size:
            drawn[waiting], kept = blocks.trial(first, bits)
            if kept.all():
                break
            waiting = waiting[~kept]
            first = bits.words(waiting.size)
    return drawn


@dataclass(frozen=True, slots=True)
class Blocks:
    """The blocks of one variance.

    ``edges`` are 0 and the sums of integer weights. ``slack`` is twice the largest error of a sum, and 2.
    """

    rate: Fraction
    width: int
    edges: Unsigned
    slack: np.uint64

    @classmethod
    def of(cls, variance: Fraction) -> "Blocks":
        width = max(1, math.isqrt(variance // PARTS**2))
        rate = 1 / (2 * variance)
        size = 2 * turns(rate, width, NEGLIGIBLE)
        exponents = nearest(np.arange(size), width).astype(np.float64) ** 2 * float(min(rate, HIGHEST_RATE))
        weights = np.exp(-exponents)
        scale = 2.0 ** (61 - math.frexp(weights.sum())[1])  # a power of two: no product is rounded
        edges = np.zeros(size + 1, np.uint64)
        np.cumsum((weights * scale).astype(np.uint64), out=edges[1:])
        units = float(np.sum(weights * (EXPONENT_SLACK * exponents + WEIGHT_SLACK)))
        error = (
            math.ceil(units * scale * ULP) + size + 1
        )  # a weight loses less than 1, the rest weighs less than 1
        return cls(rate, width, edges, np.uint64(2 * error + 2))

    def trial(self, words: Unsigned, bits: Bits) -> tuple[Integers, Booleans]:
        """A point for each word, and whether it is kept."""
        target = high_product(words, self.edges[-1])
        block = self.edges[1:].searchsorted(target, side="right")
        picked = (target - self.edges[block] >= self.slack) & (self.edges[block + 1] - target >= self.slack)
        points, kept, sure, coins = nearest(block, self.width), picked, picked, words
        if self.width > 1:
            offset, coins = uniform(np.full(words.size, self.width), bits), bits.words(words.size)
            ends = 2.0 * points + offset
            points = points + offset
            chance, share = np.exp(-(offset * ends * float(self.rate))), coins * WORDS
            slack = COIN_SLACK * ULP
            kept = share <= chance - slack
            sure = picked & (kept | (share > chance + slack))
        points = np.where(block & 1, -points, points)
        if not sure.all():
            kept, certain_blocks = kept.copy(), CertainBlocks(self.rate, self.width)
            for i in np.flatnonzero(~sure):
                number = Uniform(int(words[i]), bits)
                chosen = int(block[i]) if picked[i] else certain_blocks.pick(number)
                start = nearest(chosen, self.width)
                size = start + (int(offset[i]) if self.width > 1 else 0)
                exponent = (size**2 - start**2) * self.rate
                kept[i] = not exponent or certain_coin(Uniform(int(coins[i]), bits), exponent)
                size = min(size, FARTHEST)
                points[i] = -size if chosen & 1 else size
        return points, kept


class CertainBlocks:
    """Picks a block by certain comparisons. It keeps the sums of weights of every precision it used."""

    def __init__(self, rate: Fraction, width: int) -> None:
        self.rate, self.width = rate, width
        self._sums: dict[int, tuple[list[Ball], Ball]] = {}

    def pick(self, number: Uniform) -> int:
        """The block whose share of [0, 1) holds the uniform number, of all blocks without end."""

        def decide(bits: int) -> int | None:
            sums, total = self._cumulative(bits)
            picked = share_of(sums, *(total * ball(end) for end in number.ends))
            return None if picked == len(sums) else picked

        return certain(decide, number)

    def _cumulative(self, bits: int) -> tuple[list[Ball], Ball]:
        """Sums of the first weights, and a ball that holds the sum of all weights."""
        if bits not in self._sums:
            total, sums, last = ball(0), [], turns(self.rate, self.width, bits + NEGLIGIBLE)
            for block in range(2 * last):
                total = total + (-ball(self.rate * nearest(block, self.width) ** 2)).exp()
                sums.append(total)
            first = (-ball(self.rate * (last * self.width) ** 2)).exp()
            side = (first / -ball(-2 * self.rate * last * self.width**2).expm1()).upper()
            self._sums[bits] = sums, total + side + ball(0, side)  # the rest is from 0 to 2*side
        return self._sums[bits]


def turns(rate: Fraction, width: int, exponent: int) -> int:
    """The least t such that a block at the distance t*width has a weight below e^-exponent."""
    return math.isqrt(exponent // (rate * width**2)) + 1


def nearest(block: Any, width: int) -> Any:
    """The distance from zero of the nearest point of a block, or of each block."""
    return (block >> 1) * width + (block & 1)
