"""The law of permute-and-flip on the cost of an envelope [McKenna & Sheldon 2020].

Visit the points of the support in random order, and answer with the first point that a coin accepts:

    p(y) = exp(-rate * cost(y))        P(y) = p(y) * integral over t from 0 to 1 of  prod over z != y of (1 - p(z)*t)

The draw needs no order: it throws the coins of all points and takes one of the accepted points uniformly at random.
Points of the plateau cost nothing, so at least one point is accepted. With a rate of epsilon/2 the law is epsilon-DP,
but its range is not bounded by epsilon. So it is at larger rates, if costs are whole and the plateau is one point.
Proof: docs/proofs/permute_and_flip.md.
"""

from dataclasses import dataclass, replace

import numpy as np

from noisewise.kernel.laws.law import Law
from noisewise.kernel.numbers.arrays import Integers, Unsigned
from noisewise.kernel.sampling import Bits, SystemBits, audit_choice
from noisewise.kernel.sampling.coins import CELLS, Coins


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class PermuteAndFlipLaw(Law):
    """A law on a bounded support. A draw throws a coin for every point, and the number of points is public."""

    def draw_each(self, *, bits: Bits | None = None) -> Integers:
        """One exact draw from the law of each group, as lattice indices."""
        if (choice := audit_choice(self, bits)) is not None:
            return choice
        source, together = bits or SystemBits(), max(1, CELLS // self._points())
        starts = range(0, len(self), together)
        groups = [np.arange(s, min(s + together, len(self))) for s in starts]
        parts = [replace(self, envelope=self.envelope.rows(some)) for some in groups]
        drawn = [part._indices(np.arange(len(part)), source) for part in parts]
        return np.concatenate([np.zeros(0, np.int64), *drawn])

    def _indices(self, groups: Integers, bits: Bits, words: Unsigned | None = None) -> Integers:
        """A draw for each listed group. Coins stand in this order: up from the plateau's low end, then down from it."""
        picked = self._coins().pick(groups, bits)
        lowest = self.envelope.lower[self.envelope.offsets[groups]]
        rise = self._ends()[1] - lowest
        return np.where(picked <= rise, lowest + picked, lowest - (picked - rise))

    def _coins(self) -> Coins:
        """The coins of all points. Point j of a step with w points costs level - 1 + j/w."""
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
