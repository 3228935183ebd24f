"""Envelope: how far the answer could move if l people changed their data.

``lower[l]`` and ``upper[l]`` are lattice indices, l = 0..K. Three laws make mechanisms private [Durfee25, Cor. 3.1]:

    monotone   lower falls and upper rises with l, and lower[0] <= upper[0]
    nested     upper(x)[l] <= upper(x')[l+1] and lower(x)[l] >= lower(x')[l+1] for neighbours x, x'
    public     every outcome of a support that no record can change is reached at some level

Beyond the last level a bounded side jumps to its public bound, and an unbounded one goes on for ever in steps of
``stride``, the global sensitivity. Each operation below keeps the three laws; docs/proofs/envelope.md says why.

Many envelopes lie behind each other in flat arrays: group g owns the places offsets[g]..offsets[g+1].
"""

import math
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from noisewise.kernel.errors import ParameterTypeError
from noisewise.kernel.numbers.arrays import Integers
from noisewise.kernel.secret import Secret

JUMP_EXPONENT = 30
"""The level rule keeps the mass of the jump to the bound below e^-30, whatever the data."""


def level_rule(points: int, rate: Fraction, exponent: int = JUMP_EXPONENT) -> int:
    """K: how many levels a law of this rate needs on a lattice of this many points. Public by construction."""
    return math.ceil(Fraction(math.log(points) + exponent) / rate)


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Envelope(Secret):
    """Levels of one or many groups. ``support`` holds the public bounds, None for an unbounded side."""

    lower: Integers
    upper: Integers
    offsets: Integers
    support: tuple[int | None, int | None]
    stride: int | None = None

    @classmethod
    def of(
        cls,
        lower: ArrayLike,
        upper: ArrayLike,
        support: tuple[int | None, int | None],
        stride: int | None = None,
    ) -> "Envelope":
        """The envelope of a single group."""
        below, above = _whole(lower), _whole(upper)
        return cls(below, above, np.array([0, below.size]), support, stride)

    @classmethod
    def around(cls, centre: int, sensitivities: ArrayLike, support: tuple[int, int]) -> "Envelope":
        """From local sensitivities: the l-th, l = 1, 2, ..., bounds how many steps one edit can move the answer of any
        dataset at most l-1 edits away. They rise with l; beyond the last one the envelope jumps to the public bound.
        """
        reach = np.concatenate([[0], np.cumsum(np.asarray(sensitivities, np.int64))])
        return cls.of(np.maximum(centre - reach, support[0]), np.minimum(centre + reach, support[1]), support)

    @classmethod
    def stack(cls, envelopes: "list[Envelope]") -> "Envelope":
        """Several envelopes over one support as one batch."""
        sizes = np.concatenate([e.sizes for e in envelopes])
        return cls(
            np.concatenate([e.lower for e in envelopes]),
            np.concatenate([e.upper for e in envelopes]),
            np.concatenate([[0], np.cumsum(sizes)]),
            envelopes[0].support,
            envelopes[0].stride,
        )

    def __len__(self) -> int:
        return self.offsets.size - 1

    @property
    def sizes(self) -> Integers:
        """How many levels each group has."""
        return self.offsets[1:] - self.offsets[:-1]

    def __getitem__(self, group: int) -> "Envelope":
        place = range(len(self))[group]
        return self.part(place, place + 1)

    def part(self, start: int, stop: int) -> "Envelope":
        """The groups from ``start`` up to ``stop``, without copying their levels."""
        offsets = self.offsets[start : stop + 1]
        levels = slice(offsets[0], offsets[-1])
        return replace(self, lower=self.lower[levels], upper=self.upper[levels], offsets=offsets - offsets[0])

    def rows(self, groups: Integers) -> "Envelope":
        """Some groups, each with as many levels as the longest of them, those beyond its last included."""
        sizes = self.sizes[groups]
        most, start = int(sizes.max()), int(groups[0])
        if sizes.min() == most and np.array_equal(groups, np.arange(start, start + groups.size)):
            return self.part(start, start + groups.size)
        level, last = np.arange(most), sizes[:, None] - 1
        place = self.offsets[groups][:, None] + np.minimum(level, last)
        lower, upper = self.lower.take(place), self.upper.take(place)
        if sizes.min() < most:
            (low, high), stride = self.support, self.stride or 0
            beyond = np.maximum(level - last, 0)
            tread = np.minimum(beyond, 2**61 // max(stride, 1)) * stride  # farther than any law answers
            lower = lower - tread if low is None else np.where(beyond, low, lower)
            upper = upper + tread if high is None else np.where(beyond, high, upper)
        offsets = most * np.arange(groups.size + 1)
        return replace(self, lower=lower.ravel(), upper=upper.ravel(), offsets=offsets)

    def level(self, l: int) -> tuple[int, int]:
        """(lower, upper) of a single envelope at any level, beyond the last one included."""
        last = self.lower.size - 1
        if l <= last:
            return int(self.lower[l]), int(self.upper[l])
        low, high = self.support
        beyond = (l - last) * (self.stride or 0)
        return (
            low if low is not None else int(self.lower[last]) - beyond,
            high if high is not None else int(self.upper[last]) + beyond,
        )

    def widen(self, rho: int) -> "Envelope":
        """Every edge moved outwards by the same public number of steps: the rho-smooth variant."""
        low, high = self.support
        return replace(
            self, lower=_clip(self.lower - rho, low, None), upper=_clip(self.upper + rho, None, high)
        )

    def per_person(self, records: int) -> "Envelope":
        """One level per person with up to ``records`` records: level l is level records*l of single records."""
        if records == 1:
            return self
        sizes = -(-(self.sizes - 1) // records) + 1
        return replace(self._levels(sizes, apart=records), stride=self.stride and self.stride * records)

    def truncate(self, levels: int) -> "Envelope":
        """Levels 0..levels only: what lies beyond is left to the jump, or to the strides of an unbounded side."""
        if (self.sizes <= levels + 1).all():
            return self
        return self._levels(np.minimum(self.sizes, levels + 1))

    def _levels(self, sizes: Integers, apart: int = 1) -> "Envelope":
        """The levels 0, apart, 2*apart, ... of each group, ``sizes`` of them, those beyond the last included."""
        offsets = np.concatenate([[0], np.cumsum(sizes)])
        level = (np.arange(offsets[-1]) - np.repeat(offsets[:-1], sizes)) * apart
        last = np.repeat(self.sizes - 1, sizes)
        place = np.repeat(self.offsets[:-1], sizes) + np.minimum(level, last)
        beyond, (low, high) = np.maximum(level - last, 0), self.support
        tread = beyond * (self.stride or 0)
        lower = self.lower[place] - tread if low is None else np.where(beyond, low, self.lower[place])
        upper = self.upper[place] + tread if high is None else np.where(beyond, high, self.upper[place])
        return replace(self, lower=lower, upper=upper, offsets=offsets)

    def extend(
        self, step: Fraction, levels: int, edges: tuple[Fraction, Fraction] | None = None
    ) -> "Envelope":
        """Go on to ``levels`` by steps of the global sensitivity, in rationals, each floored like every other level.

        ``edges`` are the unrounded values of the last level; without them the last level must be exact as it stands.
        """
        last = self.lower.size - 1
        low, high = edges or (Fraction(int(self.lower[last])), Fraction(int(self.upper[last])))
        further = range(1, levels - last + 1)
        bottom, top = self.support
        falling = [math.floor(low - k * step) for k in further]
        rising = [math.floor(high + k * step) for k in further]
        return Envelope.of(
            np.append(self.lower, _clip(np.array(falling, np.int64), bottom, None)),
            np.append(self.upper, _clip(np.array(rising, np.int64), None, top)),
            self.support,
            self.stride,
        )

    def splice(self, looser: "Envelope", at: int) -> "Envelope":
        """Exact levels below ``at``, and from there on a looser envelope that nests itself."""
        near = self._levels(np.array([at]))
        return Envelope.of(
            np.append(near.lower, looser.lower[at:]),
            np.append(near.upper, looser.upper[at:]),
            self.support,
            looser.stride,
        )

    def fault(self, support: tuple[int | None, int | None]) -> str | None:
        """What is wrong with envelopes of answers of this support, whatever the data; None if nothing is."""
        lower, upper, (low, high) = self.lower, self.upper, support
        if not lower.size == upper.size == self.offsets[-1] or (self.sizes < 1).any():
            return "have as many lower levels as upper ones, and at least one"
        widens = (lower[1:] <= lower[:-1]) & (upper[1:] >= upper[:-1])
        widens[self.offsets[1:-1] - 1] = True  # the next group begins
        if not widens.all() or (lower > upper).any():
            return "only widen from level to level, lower[0] <= upper[0]"
        if tuple(self.support) != support:
            return "have answers.support for its support"
        if (low is not None and lower.min() < low) or (high is not None and upper.max() > high):
            return "stay within the public support"
        if (low is None or high is None) and not self.stride:
            return "have a stride, the global sensitivity in steps, where a side is open"
        return None


def _whole(levels: ArrayLike) -> Integers:
    """Levels as integers; a float would be cut off without a word."""
    given = np.asarray(levels)
    if given.dtype.kind not in "iub" and given.size:
        raise ParameterTypeError(
            "levels", "must be whole numbers, lattice indices", why="floor them first"
        ) from None
    return given.astype(np.int64, copy=False)


def _clip(levels: Integers, low: int | None, high: int | None) -> Integers:
    """np.clip that leaves an unbounded side alone."""
    return levels if low is None and high is None else np.clip(levels, low, high)
