"""Random bits: they come from the operating system and nowhere else.

A source returns words of 64 random bits. Tests and replays give draws another source of this protocol.
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
    """The operating system's cryptographic generator. It keeps no state here and has no seed."""

    __slots__ = ()

    def words(self, count: int) -> Unsigned:
        return np.frombuffer(os.urandom(8 * count), np.uint64)


def from_system(bits: Bits | None) -> bool:
    """Whether the bits come from the system. Then a draw is private, and threads may share the source."""
    return bits is None or isinstance(bits, SystemBits)


def audit_choice(law: object, bits: Bits | None) -> Integers | None:
    """The answer that an audit chooses instead of a draw, as it visits all possible answers; None without an audit."""
    choose = getattr(bits, "choose", None)
    choice: Integers | None = None if choose is None else choose(law)
    return choice


class Uniform:
    """A uniform real number. The bits read so far say that it lies in [numerator, numerator + 1) / 2**bits."""

    __slots__ = ("_source", "bits", "numerator")

    def __init__(self, word: int, source: Bits) -> None:
        self.numerator, self.bits, self._source = word, 64, source

    @property
    def ends(self) -> tuple[Fraction, Fraction]:
        return Fraction(self.numerator, 1 << self.bits), Fraction(self.numerator + 1, 1 << self.bits)

    def refine(self) -> None:
        """Read as many further bits as were read so far."""
        words = self.bits // 64
        for word in self._source.words(words):
            self.numerator = self.numerator << 64 | int(word)
        self.bits += 64 * words
