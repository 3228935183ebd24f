"""Ties: the random bits of equal records, drawn only where they are read.

Each of ``count`` equal records has a number u of ``width`` fair bits. Only order statistics of u are read, never u of a
single record. The number of records with a first bit of 0 is the number of tails among ``count`` fair coins. The other
bits of all records are again fair and independent. So all numbers u form a binary tree of counts. A count is drawn when
it is first read, and then it stays. Everything that is read has exactly the law that it would have if u were drawn for
all records at first. A billion ties take a few numbers. Proof: docs/proofs/quantiles.md.
"""

import numpy as np

from noisewise.kernel.numbers.arrays import Integers
from noisewise.kernel.sampling.bits import Bits
from noisewise.kernel.secret import Secret

WORD = 16
"""The largest number of bits of u."""

FEW = 1024
"""The bits of at most this many records are drawn together."""

COINS = 1 << 23
"""At most this many coins are tossed at once: a megabyte of random bits."""


def heads(count: int, bits: Bits) -> int:
    """The number of heads among ``count`` fair coins."""
    total = 0
    for tossed in range(0, count, COINS):
        coins = min(COINS, count - tossed)
        words = bits.words(-(-coins // 64)).astype("<u8", copy=False)
        total += (int.from_bytes(words.tobytes(), "little") >> -coins % 64).bit_count()
    return total


def short_words(count: int, width: int, bits: Bits) -> Integers:
    """``count`` numbers of ``width`` fair bits each; the width is at most ``WORD``."""
    words = bits.words(-(-count * WORD // 64))
    return words.astype("<u8", copy=False).view("<u2")[:count] >> (WORD - width)


class TiedBits(Secret):
    """The numbers u of equal records. Ranks count from 0."""

    __slots__ = ("_below", "_bits", "_sorted", "count", "width")

    def __init__(self, count: int, width: int, bits: Bits) -> None:
        self.count, self.width, self._bits = count, width, bits
        self._sorted: Integers | None = None
        self._below: tuple[TiedBits, TiedBits] | None = None

    @classmethod
    def of_each(cls, counts: Integers, width: int, bits: Bits) -> "list[TiedBits]":
        """The numbers u of several blocks of equal records. All small blocks are drawn together."""
        each = [cls(count, width, bits) for count in counts.tolist()]
        small = np.where(counts <= FEW, counts, 0)
        block = np.repeat(np.arange(counts.size), small)
        drawn = np.sort((block << width) + short_words(block.size, width, bits)) - (block << width)
        ends = np.cumsum(small).tolist()
        for tied, end in zip(each, ends, strict=True):
            if tied.count <= FEW:
                tied._sorted = drawn[end - tied.count : end]
        return each

    def ordered(self, start: int, stop: int) -> Integers:
        """u of the ranks start..stop-1 in order. Ranks beyond the last record have the largest possible u."""
        if start >= stop:
            return np.empty(0, np.int64)
        if self.width == 0:
            return np.zeros(stop - start, np.int64)
        if self.count <= FEW:
            drawn = self._drawn()[start:stop]
            missing = stop - start - drawn.size
            return np.append(drawn, np.full(missing, (1 << self.width) - 1)) if missing else drawn
        zeros, ones = self._halves()
        low = zeros.ordered(start, min(stop, zeros.count))
        high = ones.ordered(max(start - zeros.count, 0), stop - zeros.count)
        return np.append(low, high + (1 << ones.width))

    def upto(self, u: int) -> int:
        """The number of records with a number of at most ``u``."""
        if u < 0:
            return 0
        if u >= (1 << self.width) - 1:
            return self.count
        if self.count <= FEW:
            return int(np.searchsorted(self._drawn(), u, side="right"))
        zeros, ones = self._halves()
        half = 1 << ones.width
        return zeros.upto(u) if u < half else zeros.count + ones.upto(u - half)

    def _drawn(self) -> Integers:
        """u of all records in order, for few records."""
        if self._sorted is None:
            self._sorted = np.sort(short_words(self.count, self.width, self._bits)).astype(np.int64)
        return self._sorted

    def _halves(self) -> "tuple[TiedBits, TiedBits]":
        """The records with a first bit of 0, and the others."""
        if self._below is None:
            zeros, width = self.count - heads(self.count, self._bits), self.width - 1
            self._below = TiedBits(zeros, width, self._bits), TiedBits(self.count - zeros, width, self._bits)
        return self._below
