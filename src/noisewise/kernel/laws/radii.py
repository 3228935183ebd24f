"""Radius bounds: how far an answer of any dimension could move, known from local sensitivities [Durfee25, Def. 5.1].

Level l = 1..K has a radius R_l, ``steps[l-1]``. It is a whole number of lattice steps in the norm of the answer. Below,
f(x) is the answer on a dataset x. Two laws make mechanisms private:

    first     R_1(x) >= |f(x) - f(x')|           for neighbours x, x'
    nested    R_l(x) <= R_{l+1}(x')              for neighbours and every l, also beyond K

Then the ball of radius R_1 + ... + R_l around f(x) lies inside the ball of l + 1 radii around f(x'). Beyond level K,
every radius is ``stride``, the global sensitivity. In one dimension the balls are an envelope.
Proof: docs/proofs/radii.md.
"""

from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from noisewise.kernel.errors import ParameterError, ParameterTypeError
from noisewise.kernel.laws.envelope import Envelope
from noisewise.kernel.numbers.arrays import Integers, cut_to
from noisewise.kernel.numbers.exact import whole
from noisewise.kernel.sampling.points import Norm
from noisewise.kernel.secret import Secret

FARTHEST = 2**61
"""Sums of radii stop here, far beyond every bounded range. So 64 bits hold them on both sides of any centre."""

Box = tuple[ArrayLike, ArrayLike]

MOST_LEVELS = 2**22
"""The most levels that a caller may give or count."""

MOST_STRIDES = 2**16
"""In one dimension an envelope follows the global sensitivity for this many levels and then jumps to the bounds."""


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class RadiusBounds(Secret):
    """The radii R_1..R_K of one dataset, which are secret, and ``stride``, the public radius beyond K [Def. 5.1].

    ``nws.release(radii.around(answer), epsilon=1)`` releases an answer of several numbers.

    Examples:
        >>> nws.RadiusBounds.from_growth(2, 1, levels=8, stride=7).global_after(3).sums.tolist()
        [0, 2, 5, 9]
    """

    steps: Integers
    stride: int

    @classmethod
    def of(cls, steps: ArrayLike, stride: int) -> "RadiusBounds":
        """Make bounds of radii that keep both laws. They are cut at the global sensitivity, which keeps the laws."""
        stride = whole("stride", stride, least=0)
        given = cut_to(steps, 0, stride)
        if given.ndim != 1:
            raise ParameterTypeError("radii", "must be a flat sequence of whole numbers") from None
        if given.dtype.kind not in "iub" and given.size:
            raise ParameterTypeError(
                "radii", "must be whole numbers of lattice steps", why="round them up first"
            ) from None
        return cls(np.minimum(np.maximum(given, 0), stride).astype(np.int64), stride)

    @classmethod
    def from_local_sensitivity(cls, sensitivities: ArrayLike, stride: int) -> "RadiusBounds":
        """Return R_l, given bounds on the local sensitivity of datasets that are 0, 1, 2, ... edits away [Cor. 5.1]."""
        given = cut_to(sensitivities, 0, whole("stride", stride, least=0))
        return cls.of(np.maximum.accumulate(given) if given.ndim == 1 else given, stride)

    @classmethod
    def from_growth(cls, sensitivity: int, growth: int, levels: int, stride: int) -> "RadiusBounds":
        """Return R_l = sensitivity + (l-1)*growth, if an edit changes the sensitivity by at most growth [Cor. 5.2]."""
        stride = whole("stride", stride, least=0)
        both = cut_to([sensitivity, growth], 0, stride)
        if both.dtype.kind != "i":
            raise ParameterTypeError("sensitivity and growth", "must be whole numbers") from None
        first, more = both.tolist()
        edits = np.arange(whole("levels", levels, least=0, most=MOST_LEVELS))
        reached = (stride - first) // more if more else levels
        return cls.of(np.where(edits > reached, stride, first + np.minimum(edits, reached) * more), stride)

    @property
    def sums(self) -> Integers:
        """The sums 0, R_1, R_1 + R_2, ... of the first radii, in lattice steps. Each is at most `FARTHEST`."""
        reached = accumulate(self.steps.tolist(), lambda sum, step: min(sum + step, FARTHEST), initial=0)
        return np.fromiter(reached, np.int64, self.steps.size + 1)

    @property
    def jumps(self) -> bool:
        """Whether the level after the last radius reaches the public ends of the answers, as after `jump_after`."""
        return self.stride >= FARTHEST

    def radius(self, l: int) -> int:
        """Return R_l, the radius of level ``l``, in lattice steps. Beyond the last level it is ``stride``."""
        level = whole("l", l, least=1)
        return int(self.steps[level - 1]) if level <= self.steps.size else self.stride

    def global_after(self, levels: int) -> "RadiusBounds":
        """Keep R_1..R_levels. All later radii are the global sensitivity: the paper's first variant of Section 5.2."""
        return replace(self, steps=self.steps[: whole("levels", levels, least=0)])

    def jump_after(self, levels: int) -> "RadiusBounds":
        """Keep R_1..R_levels, and then go to the public ends of the answers, in one dimension: the other variant."""
        more = whole("levels", levels, least=0, most=MOST_LEVELS) - self.steps.size
        missing = np.full(max(more, 0), self.stride)
        return RadiusBounds(np.append(self.steps[:levels], missing), FARTHEST)

    def truncate(self, levels: int) -> "RadiusBounds":
        """Raise an error, since this name does not say what follows the last radius."""
        raise ParameterError(
            "truncate",
            "must be global_after(k), which goes on by the global sensitivity, or jump_after(k), which goes on to the "
            "ends of the answers",
        ) from None

    def per_person(self, records: int) -> "RadiusBounds":
        """Return the radii of people with up to ``records`` records. Each is a sum of ``records`` successive radii."""
        if records == 1:
            return self
        if self.jumps:
            return self.global_after(self.steps.size // records * records)._grouped(records, FARTHEST)
        return self._grouped(records, self.stride * records)

    def _grouped(self, records: int, stride: int) -> "RadiusBounds":
        people = -(-self.steps.size // records)
        filled = np.full(people * records, self.stride)
        filled[: self.steps.size] = np.maximum.accumulate(self.steps)  # a person may have fewer records
        return RadiusBounds(filled.reshape(people, records).sum(axis=1), stride)

    def around(self, centre: ArrayLike, norm: Norm = "l1", box: Box | None = None) -> "Balls":
        """The balls around an answer of several numbers that you computed. ``nws.release`` can release them.

        Args:
            centre: The answer, whole numbers of lattice steps.
            norm: Radii are of the sum of absolute values, ``"l1"``, or of the largest one, ``"linf"``.
            box: The lowest and the highest index of each coordinate, public; without one there is no end.
        """
        return Balls(cut_to(centre, -FARTHEST, FARTHEST), self, norm, box)

    def envelope(self, centre: int, support: tuple[int | None, int | None]) -> Envelope:
        """Return the balls in one dimension as an envelope within ``support``. An open side goes on in strides."""
        low, high = support
        centre = max(centre, -FARTHEST if low is None else low)  # of any size: it is clipped like the levels
        centre = min(centre, FARTHEST if high is None else high)
        if low is None or high is None:
            if self.jumps:
                raise ParameterError(
                    "support", "must have two ends where radii end by jump_after", got=str(support)
                ) from None
            sums, stride = self.sums[: FARTHEST // 2 // max(self.stride, 1) + 1], self.stride
        else:
            across = 0 if self.jumps or not self.stride else -(-(high - low) // self.stride)
            further = np.full(min(across, MOST_STRIDES), self.stride)
            sums, stride = replace(self, steps=np.append(self.steps, further)).sums, None
            sums = sums[: 1 + int(np.count_nonzero(sums < max(centre - low, high - centre)))]
        lower, upper = centre - sums, centre + sums
        return Envelope.of(
            lower if low is None else np.maximum(lower, low),
            upper if high is None else np.minimum(upper, high),
            support,
            stride,
        )


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Balls(Secret):
    """The balls of `RadiusBounds` around an answer of several numbers. Only its dimension, norm and box are public."""

    centre: NDArray[Any]
    radii: RadiusBounds
    norm: Norm
    box: Box | None = None
