"""Radii: how far an answer of any dimension could move, when only local sensitivities are known [Durfee25, Def. 5.1].

``steps[l-1]`` is R_l, l = 1..K: integers, in lattice steps of the answer and in its norm. Two laws make mechanisms
private:

    first     R_1(x) >= |f(x) - f(x')|           for neighbours x, x'
    nested    R_l(x) <= R_{l+1}(x')              for neighbours and every l, what lies beyond K included

Then the ball of radius R_1 + ... + R_l around f(x) lies inside the ball of l + 1 radii around f(x'). Beyond the last
one, radii are ``stride``, the global sensitivity, for ever. In one dimension the balls are an envelope. Proof:
docs/proofs/radii.md.
"""

from dataclasses import dataclass, replace
from itertools import accumulate

import numpy as np
from numpy.typing import ArrayLike

from noisewise.kernel.errors import ParameterTypeError
from noisewise.kernel.laws.envelope import Envelope
from noisewise.kernel.numbers.arrays import Integers
from noisewise.kernel.secret import Secret

FARTHEST = 2**61
"""Sums stop here, far beyond every bounded range: 64 bits hold them on both sides of any centre."""


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Radii(Secret):
    """R_1..R_K of one dataset, secret, and the public global sensitivity that goes on beyond them."""

    steps: Integers
    stride: int

    @classmethod
    def of(cls, steps: ArrayLike, stride: int) -> "Radii":
        """Radii that keep both laws, none above the global sensitivity: cutting them there keeps the laws."""
        given = np.asarray(steps)
        if given.dtype.kind not in "iub" and given.size:
            raise ParameterTypeError(
                "radii", "must be whole numbers of lattice steps", why="round them up first"
            ) from None
        return cls(np.minimum(np.maximum(given, 0), stride).astype(np.int64), stride)

    @classmethod
    def growing(cls, sensitivity: int, growth: int, levels: int, stride: int) -> "Radii":
        """R_l = sensitivity + (l-1)*growth: one edit changes the local sensitivity by at most ``growth``."""
        first, more, edits = min(sensitivity, stride), min(growth, stride), np.arange(levels)
        reached = (stride - first) // more if more else levels
        return cls.of(np.where(edits > reached, stride, first + np.minimum(edits, reached) * more), stride)

    @property
    def sums(self) -> Integers:
        """0, R_1, R_1 + R_2, ...: the radius that each level reaches, or `FARTHEST` if it reaches beyond."""
        reached = accumulate(self.steps.tolist(), lambda sum, step: min(sum + step, FARTHEST), initial=0)
        return np.fromiter(reached, np.int64, self.steps.size + 1)

    def radius(self, l: int) -> int:
        """R_l at any level, beyond the last one included."""
        return int(self.steps[l - 1]) if l <= self.steps.size else self.stride

    def truncate(self, levels: int) -> "Radii":
        """R_1..R_levels only; the global sensitivity beyond."""
        return replace(self, steps=self.steps[:levels])

    def every(self, records: int) -> "Radii":
        """One radius per person with up to ``records`` records: the sum of that many radii of single records."""
        if records == 1:
            return self
        people = -(-self.steps.size // records)
        filled = np.full(people * records, self.stride)
        filled[: self.steps.size] = np.maximum.accumulate(self.steps)  # a person may own fewer
        return Radii(filled.reshape(people, records).sum(axis=1), self.stride * records)

    def envelope(self, centre: int, support: tuple[int | None, int | None]) -> Envelope:
        """The balls of one dimension, clipped to a public range; on an open side they go on by the stride."""
        low, high = support
        open_side = low is None or high is None
        sums = self.sums[: FARTHEST // 2 // max(self.stride, 1) + 1] if open_side else self.sums
        lower, upper = centre - sums, centre + sums
        return Envelope.of(
            lower if low is None else np.maximum(lower, low),
            upper if high is None else np.minimum(upper, high),
            support,
            self.stride if open_side else None,
        )
