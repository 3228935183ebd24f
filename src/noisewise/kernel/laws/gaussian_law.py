"""Gaussian law: exact discrete Gaussian noise around the answer of each group, then a public clamp.

    P(centre + z) is proportional to exp(-z^2 / (2*variance)) for all whole numbers z

Two laws whose centres are a vector d apart have a Rényi divergence of at most a*|d|^2/(2*variance) at every order a > 1
[Canonne, Kamath & Steinke 2020]. Here |d| is the L2 norm in lattice steps. Proof: docs/proofs/discrete_gaussian.md.
"""

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from noisewise.kernel.laws.law import only_one
from noisewise.kernel.numbers.answers import UTMOST
from noisewise.kernel.numbers.arrays import Integers, Unsigned
from noisewise.kernel.numbers.exact import whole
from noisewise.kernel.numbers.lattice import values_at
from noisewise.kernel.sampling import Bits, SystemBits, audit_choice
from noisewise.kernel.sampling.gaussian_draw import draw_gaussian
from noisewise.kernel.secret import Secret

End: TypeAlias = int | Integers | None
"""A public index for all groups, or one for each; None if the side is open."""


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class GaussianLaw(Secret):
    """The laws of one or many groups, or of the coordinates of one vector. They are secret, and draws are exact.

    ``variance`` counts squared lattice steps. ``clamp`` is a pair of public indices, or of arrays with one for each
    group. A draw beyond one of them becomes that index; the density is never truncated, and no draw is repeated because
    of it. A draw on an open side is clamped at `UTMOST`.
    """

    centres: Integers
    variance: Fraction
    granularity: Fraction = Fraction(1)
    clamp: tuple[End, End] = (None, None)

    def __len__(self) -> int:
        return self.centres.size

    def __getitem__(self, group: int) -> "GaussianLaw":
        index, (low, high) = range(len(self))[group], self.clamp
        clamp = _of_group(low, index), _of_group(high, index)
        return replace(self, centres=self.centres[index : index + 1], clamp=clamp)

    def draw(self, size: int, *, bits: Bits | None = None) -> NDArray[Any]:
        """``size`` independent exact draws from a single law, as values."""
        self._only()
        return values_at(self._around(whole("size", size, least=0), bits or SystemBits()), self.granularity)

    def draw_each(self, *, bits: Bits | None = None) -> Integers:
        """One exact draw from the law of each group, as lattice indices."""
        return self.draw_from(None, bits or SystemBits())

    def draw_from(self, words: Unsigned | None, bits: Bits) -> Integers:
        """One draw for each group. ``words`` are the first random bits of each draw, if they were drawn before."""
        if (choice := audit_choice(self, bits)) is not None:
            return choice
        return self._around(len(self), bits, words)

    def _around(self, count: int, bits: Bits, words: Unsigned | None = None) -> Integers:
        """Noise around the centre of each group, or ``count`` times around the only one, after the clamp."""
        drawn = self.centres + draw_gaussian(self.variance, count, bits, words)
        low, high = self._ends()
        clamped: Integers = np.minimum(np.maximum(drawn, low), high)
        return clamped

    @property
    def ends(self) -> tuple[Any, Any]:
        """The lowest and the highest index that can be drawn, None for an open side. Public."""
        return self.clamp

    def _ends(self) -> tuple[Any, Any]:
        """The lowest and the highest index that can be drawn, with `UTMOST` for an open side."""
        low, high = self.clamp
        return (-UTMOST if low is None else low), (UTMOST if high is None else high)

    _only = only_one


def _of_group(end: End, group: int) -> int | None:
    """The end of one group."""
    return int(end[group]) if isinstance(end, np.ndarray) else end
