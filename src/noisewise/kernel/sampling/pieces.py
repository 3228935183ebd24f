"""Pieces: scores over answers as draws of balance read them, a straight line in a public coordinate on each."""

from dataclasses import dataclass
from fractions import Fraction

from noisewise.kernel.numbers.arrays import Booleans, LargeIntegers
from noisewise.kernel.sampling.coordinates import Even, Odds
from noisewise.kernel.secret import Secret


@dataclass(frozen=True, slots=True, repr=False)
class Pieces(Secret):
    """A table of scores, a row per group. Piece i of a row spans positions ``edges[i]`` to ``edges[i+1]``.

    The score is ``first/bottom`` at its left end and ``last/bottom`` at its right end, a line in z between; these are
    whole numbers, or Fractions where there is no common denominator. An answer k has position unit*k: ``unit`` is 1
    where answers are places, and even where they are rounded. Where ``more`` says so, (below, above), the outermost
    piece holds further levels that are not known: phi is at most so high, or so low.
    """

    edges: LargeIntegers
    first: LargeIntegers
    last: LargeIntegers
    more: Booleans
    bottom: int
    unit: int
    coordinate: Odds | Even
    support: tuple[int, int]
    kappa: Fraction

    @property
    def places(self) -> bool:
        return self.unit == 1
