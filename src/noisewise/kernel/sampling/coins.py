"""Exact coins: coin i accepts with probability exp(-rate * cost[i]), where the cost is an exact fraction.

A coin accepts with probability p if a uniform number U is below p. It reads 64 bits of U, a word. p is computed in
float64. Two words below and above p allow for 16 times its error, by the assumption of `draw`. If the word of U lies
between these two, it is undecided. Then balls decide with the same bits and more. A cost of 0 needs no coin. Proofs:
docs/proofs/sampling.md for the assumption, docs/proofs/permute_and_flip.md for the draw.
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from noisewise.kernel.numbers.arrays import Booleans, Integers, Unsigned
from noisewise.kernel.sampling.bits import Bits, Uniform
from noisewise.kernel.sampling.certified import certain_coin
from noisewise.kernel.sampling.draw import ULP, uniform
from noisewise.kernel.secret import Secret

CHANCE_SLACK = 16 * 6
EXPONENT_SLACK = 16 * 2
WORDS = 2.0**64
CELLS = 1 << 20
"""At most this many coins are thrown at a time."""


@dataclass(frozen=True, slots=True, repr=False)
class Coins(Secret):
    """A row of coins for each group. The cost of a coin is ``whole + top/bottom``, in integers below 2^53.

    A coin certainly accepts if its word is below ``accepted``, and certainly rejects if its word is above ``open``.
    """

    whole: Integers
    top: Integers
    bottom: Integers
    rate: Fraction
    accepted: Unsigned
    open: Unsigned

    @classmethod
    def of(cls, whole: Integers, top: Integers, bottom: Integers, rate: Fraction) -> "Coins":
        exponent = float(rate) * (whole + top / bottom)
        chance = np.exp(-exponent)
        slack = chance * (EXPONENT_SLACK * exponent + CHANCE_SLACK) * ULP
        least = np.maximum((chance - slack) * WORDS - 2, 0)
        most = np.ceil((chance + slack) * WORDS + 2)
        top_word = np.uint64(2**64 - 1)
        above = np.where(most < WORDS, np.where(most < WORDS, most, 0).astype(np.uint64), top_word)
        return cls(whole, top, bottom, rate, least.astype(np.uint64), above)

    def throw(self, groups: Integers, bits: Bits) -> Booleans:
        """Throw every coin of the listed groups. Return a row of booleans per group: True if the coin accepted."""
        words = bits.words(groups.size * self.whole.shape[1]).reshape(groups.size, -1)
        accepted = words < self.accepted[groups]
        undecided = ~accepted & (words <= self.open[groups])
        for row, coin in np.argwhere(undecided):
            cost = self._cost(int(groups[row]), int(coin))
            sure = Uniform(int(words[row, coin]), bits)
            accepted[row, coin] = not cost or certain_coin(sure, self.rate * cost)
        return accepted

    def pick(self, groups: Integers, bits: Bits) -> Integers:
        """Throw the coins of each listed group and pick an accepted one at random. A coin of cost 0 always accepts."""
        picked, rows = np.empty(groups.size, np.int64), max(1, CELLS // self.whole.shape[1])
        for start in range(0, groups.size, rows):
            accepted = self.throw(groups[start : start + rows], bits)
            counts = np.count_nonzero(accepted, axis=1)
            before = np.cumsum(counts) - counts
            flat = np.flatnonzero(accepted)[before + uniform(counts, bits)]
            picked[start : start + rows] = flat % self.whole.shape[1]
        return picked

    def _cost(self, group: int, coin: int) -> Fraction:
        part = Fraction(int(self.top[group, coin]), int(self.bottom[group, coin]))
        return int(self.whole[group, coin]) + part
