"""Ties: the random bits of equal records, drawn only as far as they are read.

Each of ``count`` equal records has ``width`` fair bits u of its own. Whoever reads order statistics of u needs no
single record: how many records have the first bit 0 is the number of tails of as many fair coins, and on either side
the other bits are fair and independent again. So u is a binary tree of counts that grows where it is read, and what was
drawn once stays as it is. The law of everything that is read is that of u drawn for all records beforehand, exactly,
and a billion ties take a few numbers. Proof: docs/proofs/quantiles.md.
"""

import numpy as np

from noisewise.kernel.numbers.arrays import Integers
from noisewise.kernel.sampling.bits import Bits
from noisewise.kernel.secret import Secret

WORD = 16
"""The most bits of u."""

FEW = 1024
"""The bits of so many records, or fewer, are drawn together."""

COINS = 1 << 23
"""So many coins are tossed at once: a megabyte of random bits."""


def heads(count: int, bits: Bits) -> int:
    """How many of so many fair coins show heads."""
    found = 0
    for tossed in range(0, count, COINS):
        coins = min(COINS, count - tossed)
        words = bits.words(-(-coins // 64)).astype("<u8", copy=False)
        found += (int.from_bytes(words.tobytes(), "little") >> -coins % 64).bit_count()
    return found


def short_words(count: int, width: int, bits: Bits) -> Integers:
    """So many numbers of ``width`` fair bits each, at most ``WORD``."""
    words = bits.words(-(-count * WORD // 64))
    return words.astype("<u8", copy=False).view("<u2")[:count] >> (WORD - width)


class TiedBits(Secret):
    """The bits u of equal records. Ranks count from 0 here."""

    __slots__ = ("_below", "_bits", "_sorted", "count", "width")

    def __init__(self, count: int, width: int, bits: Bits) -> None:
        self.count, self.width, self._bits = count, width, bits
        self._sorted: Integers | None = None
        self._below: tuple[TiedBits, TiedBits] | None = None

    @classmethod
    def of_each(cls, counts: Integers, width: int, bits: Bits) -> "list[TiedBits]":
        """The bits of several blocks of equal records; those of small blocks are drawn together."""
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
        """The bits of ranks start..stop-1 as numbers, rising; the largest there are for ranks that no record has."""
        if start >= stop:
            return np.empty(0, np.int64)
        if self.width == 0:
            return np.zeros(stop - start, np.int64)
        if self.count <= FEW:
            found = self._drawn()[start:stop]
            lacking = stop - start - found.size
            return np.append(found, np.full(lacking, (1 << self.width) - 1)) if lacking else found
        zeros, ones = self._halves()
        low = zeros.ordered(start, min(stop, zeros.count))
        high = ones.ordered(max(start - zeros.count, 0), stop - zeros.count)
        return np.append(low, high + (1 << ones.width))

    def upto(self, u: int) -> int:
        """How many records have bits of at most u, as numbers."""
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
        """The bits of few records, rising."""
        if self._sorted is None:
            self._sorted = np.sort(short_words(self.count, self.width, self._bits)).astype(np.int64)
        return self._sorted

    def _halves(self) -> "tuple[TiedBits, TiedBits]":
        """The records whose first bit is 0, and the others."""
        if self._below is None:
            zeros, width = self.count - heads(self.count, self._bits), self.width - 1
            self._below = TiedBits(zeros, width, self._bits), TiedBits(self.count - zeros, width, self._bits)
        return self._below
