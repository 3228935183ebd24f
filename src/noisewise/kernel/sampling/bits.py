"""Where randomness comes from: the operating system, and nothing else.

A source hands out words of 64 random bits. The protocol is the one seam for tests: a replay gives its own words.
"""

import os
from fractions import Fraction
from typing import Protocol

import numpy as np

from noisewise.kernel.numbers.arrays import Integers, Unsigned


class Bits(Protocol):
    """A source of independent uniform 64-bit words."""

    def words(self, count: int) -> Unsigned: ...


class SystemBits:
    """The operating system's cryptographic generator. It has no state and no seed here."""

    __slots__ = ()

    def words(self, count: int) -> Unsigned:
        return np.frombuffer(os.urandom(8 * count), np.uint64)


def from_system(bits: Bits | None) -> bool:
    """Whether these are the system's own random bits: then a draw is private, and threads may share them."""
    return bits is None or isinstance(bits, SystemBits)


def audit_choice(law: object, bits: Bits | None) -> Integers | None:
    """What an audit chooses instead of a draw, as it walks through all that could be drawn; None where bits decide."""
    choose = getattr(bits, "choose", None)
    choice: Integers | None = None if choose is None else choose(law)
    return choice


class Uniform:
    """One uniform real number of [0, 1), known so far to lie in [numerator, numerator + 1) / 2**bits."""

    __slots__ = ("_source", "bits", "numerator")

    def __init__(self, word: int, source: Bits) -> None:
        self.numerator, self.bits, self._source = word, 64, source

    @property
    def ends(self) -> tuple[Fraction, Fraction]:
        return Fraction(self.numerator, 1 << self.bits), Fraction(self.numerator + 1, 1 << self.bits)

    def refine(self) -> None:
        """Read as many bits again as were read so far."""
        words = self.bits // 64
        for word in self._source.words(words):
            self.numerator = self.numerator << 64 | int(word)
        self.bits += 64 * words
