"""Exact coins: coin i falls on its accepting side with probability exp(-rate * cost[i]), the cost an exact fraction.

A coin is a uniform number U of which 64 bits are known, accepted if U < p. The float64 chance p stands between two
words that hold its error, by the assumption of `draw` on exp and 16 times what it implies; only a word between them is
undecided, and balls decide it with the same bits and more. A cost of 0 needs no coin. Proof: docs/proofs/sampling.md
for the assumption, docs/proofs/permute_and_flip.md for what is drawn.
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
"""So many coins are thrown at a time."""


@dataclass(frozen=True, slots=True, repr=False)
class Coins(Secret):
    """One row of coins per group. The cost of a coin is ``whole + top/bottom``, in integers below 2^53.

    A word below ``accepted`` certainly accepts, and one above ``open`` certainly does not.
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
        """One throw of every coin of each listed group: a row of accepted coins for each."""
        words = bits.words(groups.size * self.whole.shape[1]).reshape(groups.size, -1)
        accepted = words < self.accepted[groups]
        undecided = ~accepted & (words <= self.open[groups])
        for row, coin in np.argwhere(undecided):
            cost = self._cost(int(groups[row]), int(coin))
            sure = Uniform(int(words[row, coin]), bits)
            accepted[row, coin] = not cost or certain_coin(sure, self.rate * cost)
        return accepted

    def pick(self, groups: Integers, bits: Bits) -> Integers:
        """For each listed group a new throw, and a uniform one of its accepted coins; one of cost 0 always is."""
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
