"""Ball law: a probability on lattice points in d dimensions, given by radii around a centre and one exact rate.

    cost(y) = inf { s >= 0 : R(s) >= |y - centre| }        P(y) proportional to exp(-rate * cost(y))

R(s) is the sum of the first s radii. Between whole s it is interpolated in a graded law; other laws use the next whole
s. The norm is L1 or L-infinity. If the radii of neighbours keep the two laws in `radii`, the cost moves by at most one
[Durfee25, Def. 5.1]. The law covers all of Z^d, and the coordinates of a draw are clamped to a public box. Proofs:
docs/proofs/radii.md and docs/proofs/radial_draw.md.
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from noisewise.kernel.errors import ParameterError
from noisewise.kernel.laws.radii import RadiusBounds
from noisewise.kernel.numbers.answers import UTMOST
from noisewise.kernel.numbers.arrays import Integers
from noisewise.kernel.numbers.exact import describe, whole
from noisewise.kernel.numbers.lattice import values_at
from noisewise.kernel.sampling import Bits, SystemBits, audit_choice
from noisewise.kernel.sampling.points import Norm
from noisewise.kernel.sampling.radial_draw import Rings, draw_points
from noisewise.kernel.secret import Secret


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class BallLaw(Secret):
    """One law, which is secret. ``box`` holds the lowest and highest index of each coordinate, None if open."""

    centre: Integers
    radii: RadiusBounds
    norm: Norm
    rate: Fraction
    graded: bool = True
    granularity: Fraction = Fraction(1)
    box: tuple[ArrayLike | None, ArrayLike | None] | None = None

    def __post_init__(self) -> None:
        if self.norm not in ("l1", "linf"):
            raise ParameterError("norm", 'must be "l1" or "linf"', got=describe(self.norm)) from None

    @property
    def dimension(self) -> int:
        return int(np.size(self.centre))

    def draw(self, size: int, *, bits: Bits | None = None) -> NDArray[Any]:
        """``size`` independent exact draws as values, one per row."""
        return values_at(self._indices(whole("size", size, least=0), bits or SystemBits()), self.granularity)

    def draw_one(self, *, bits: Bits | None = None) -> Integers:
        """One exact draw, as lattice indices."""
        if (choice := audit_choice(self, bits)) is not None:
            return choice
        one: Integers = self._indices(1, bits or SystemBits())[0]
        return one

    def _indices(self, count: int, bits: Bits) -> Integers:
        drawn = np.asarray(self.centre, np.int64) + draw_points(self._rings(), count, bits)
        low, high = self.box or (None, None)
        lowest = np.asarray(-UTMOST if low is None else low, np.int64)
        highest = np.asarray(UTMOST if high is None else high, np.int64)
        inside: Integers = np.minimum(np.maximum(drawn, lowest), highest)
        return inside

    def _rings(self) -> Rings:
        sums = list(accumulate(self.radii.steps.tolist(), initial=0))
        return Rings(sums, self.radii.stride, self.rate, self.graded, self.dimension, self.norm)
