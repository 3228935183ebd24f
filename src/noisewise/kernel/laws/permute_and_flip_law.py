"""The law of permute-and-flip on the cost of an envelope [McKenna & Sheldon 2020].

Visit the points of the support in random order, and answer with the first that a coin accepts:

    p(y) = exp(-rate * cost(y))        P(y) = p(y) * integral over t from 0 to 1 of  prod over z != y of (1 - p(z)*t)

The same draw without an order: throw the coins of all points, and take a uniform one of those accepted. The plateau
costs nothing, so there always is one. With a rate of epsilon/2 it is epsilon-DP, not bounded-range. Proof:
docs/proofs/permute_and_flip.md.
"""

from dataclasses import dataclass, replace

import numpy as np

from noisewise.kernel.laws.law import Law
from noisewise.kernel.numbers.arrays import Integers, Unsigned
from noisewise.kernel.sampling import Bits, SystemBits, audit_choice
from noisewise.kernel.sampling.coins import CELLS, Coins


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class PermuteAndFlipLaw(Law):
    """A law on a bounded support of a public number of points, each of which a draw throws a coin for."""

    def draw_each(self, *, bits: Bits | None = None) -> Integers:
        """One exact draw from the law of each group, as lattice indices."""
        if (choice := audit_choice(self, bits)) is not None:
            return choice
        source, together = bits or SystemBits(), max(1, CELLS // self._points())
        starts = range(0, len(self), together)
        places = [np.arange(s, min(s + together, len(self))) for s in starts]
        parts = [replace(self, envelope=self.envelope.rows(some)) for some in places]
        drawn = [part._indices(np.arange(len(part)), source) for part in parts]
        return np.concatenate([np.zeros(0, np.int64), *drawn])

    def _indices(self, groups: Integers, bits: Bits, words: Unsigned | None = None) -> Integers:
        """Coins stand in the order of the steps: from the plateau's low end up to the top, then down from there."""
        picked = self._coins().pick(groups, bits)
        lowest = self.envelope.lower[self.envelope.offsets[groups]]
        rise = self._ends()[1] - lowest
        return np.where(picked <= rise, lowest + picked, lowest - (picked - rise))

    def _coins(self) -> Coins:
        """The points of all steps behind each other: point j of a step of w points costs level - 1 + j/w."""
        steps = self._steps()
        widths = steps.widths.ravel()
        width, level = np.repeat(widths, widths), np.repeat(np.tile(steps.levels, len(steps)), widths)
        j = np.arange(1, width.size + 1) - np.repeat(np.cumsum(widths) - widths, widths)
        top = np.where(level == 0, 0, j if self.graded else width)
        shape = len(self), self._points()
        return Coins.of(
            np.maximum(level - 1, 0).reshape(shape), top.reshape(shape), width.reshape(shape), self.rate
        )

    def _points(self) -> int:
        low, high = self._ends()
        return high - low + 1
