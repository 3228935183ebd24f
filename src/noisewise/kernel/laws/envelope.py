"""Envelope: how far the answer could move if l people changed their data.

``lower[l]`` and ``upper[l]`` are lattice indices, l = 0..K. Three laws make mechanisms private [Durfee25, Cor. 3.1]:

    monotone   lower falls and upper rises with l, and lower[0] <= upper[0]
    nested     upper(x)[l] <= upper(x')[l+1] and lower(x)[l] >= lower(x')[l+1] for neighbours x, x'
    public     every outcome of a support that no record can change is reached at some level

Beyond the last level, a bounded side jumps to its public bound. An open side goes on for ever in steps of ``stride``,
the global sensitivity. Each operation below keeps the three laws. Proof: docs/proofs/envelope.md.

The envelopes of many groups lie in the same flat arrays: group g has the indices offsets[g] up to offsets[g+1].
"""

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from noisewise.kernel.errors import ParameterTypeError
from noisewise.kernel.numbers.arrays import Integers, cut_to
from noisewise.kernel.secret import Secret

FARTHEST = 2**62
"""The largest distance of a level from 0. So 64 bits hold every sum of a level and a public bound."""

Side = Literal["lower", "upper"]

JUMP_EXPONENT = 30
"""By the level rule, the jump to the bound has a probability below e^-30, whatever the data is."""


def level_rule(points: int, rate: Fraction, exponent: int = JUMP_EXPONENT) -> int:
    """K, the number of levels that a law of this rate needs on a lattice of this many points. Public."""
    return math.ceil(Fraction(math.log(points) + exponent) / rate)


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Envelope(Secret):
    """The levels of one or many groups. ``support`` holds the public bounds, None for an open side."""

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
        stride: int | np.integer[Any] | None = None,
    ) -> "Envelope":
        """The envelope of a single group.

        ``nws.release`` can release it, if you computed ``lower``, ``upper`` and ``support`` and they nest.
        """
        below, above = _whole(lower), _whole(upper)
        if isinstance(stride, np.integer):  # of few bits, its products would run over
            stride = int(stride)
        return cls(below, above, np.array([0, below.size]), support, stride)

    @classmethod
    def around(cls, centre: int, sensitivities: ArrayLike, support: tuple[int, int]) -> "Envelope":
        """The envelope from local sensitivities, which rise with l = 1, 2, ....

        One edit can move the answer of a dataset that is at most l-1 edits away by at most the l-th sensitivity, in
        steps. Beyond the last sensitivity the envelope jumps to the public bounds.
        """
        reach = np.concatenate([[0], np.cumsum(np.asarray(sensitivities, np.int64))])
        centre = min(max(centre, support[0]), support[1])
        return cls.of(np.maximum(centre - reach, support[0]), np.minimum(centre + reach, support[1]), support)

    @classmethod
    def stack(cls, envelopes: "list[Envelope]") -> "Envelope":
        """Several envelopes with the same support as one batch."""
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
        index = range(len(self))[group]
        return self.part(index, index + 1)

    def part(self, start: int, stop: int) -> "Envelope":
        """The groups from ``start`` up to ``stop``, without copying their levels."""
        offsets = self.offsets[start : stop + 1]
        levels = slice(offsets[0], offsets[-1])
        return replace(self, lower=self.lower[levels], upper=self.upper[levels], offsets=offsets - offsets[0])

    def rows(self, groups: Integers) -> "Envelope":
        """Some groups, all with the same number of levels. Groups with fewer levels get levels beyond their last."""
        sizes = self.sizes[groups]
        most, start = int(sizes.max()), int(groups[0])
        if sizes.min() == most and np.array_equal(groups, np.arange(start, start + groups.size)):
            return self.part(start, start + groups.size)
        lower, upper = self._sides(self.offsets[groups][:, None], sizes[:, None] - 1, np.arange(most))
        offsets = most * np.arange(groups.size + 1)
        return replace(self, lower=lower.ravel(), upper=upper.ravel(), offsets=offsets)

    def _sides(self, start: Integers, last: Integers, level: Integers) -> tuple[Integers, Integers]:
        """Both sides at levels of groups that begin at index ``start`` and have the levels 0 to ``last``."""
        index = start + np.minimum(level, last)
        lower, upper = self.lower.take(index), self.upper.take(index)
        beyond = np.maximum(level - last, 0)
        if beyond.any():
            (low, high), stride = self.support, self.stride or 0
            further = np.minimum(beyond, 2**61 // max(stride, 1)) * stride  # farther than any law answers
            lower = lower - further if low is None else np.where(beyond, low, lower)
            upper = upper + further if high is None else np.where(beyond, high, upper)
        return lower, upper

    def level(self, l: int) -> tuple[int, int]:
        """(lower, upper) of a single envelope at any level, which may be beyond the last one."""
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
        """The envelope with every edge moved outwards by ``rho`` steps, a public number: the rho-smooth variant."""
        low, high = self.support
        return replace(
            self, lower=_clip(self.lower - rho, low, None), upper=_clip(self.upper + rho, None, high)
        )

    def centred(self) -> "Envelope":
        """The envelope with the middle of level 0 alone in level 0. All other levels stay as they are."""
        lower, upper, first = self.lower.copy(), self.upper.copy(), self.offsets[:-1]
        lower[first] = upper[first] = (lower[first] + upper[first]) // 2
        return replace(self, lower=lower, upper=upper)

    def per_person(self, records: int) -> "Envelope":
        """The envelope of people with up to ``records`` records: level l of people is level records*l of records."""
        if records == 1:
            return self
        sizes = -(-(self.sizes - 1) // records) + 1
        return replace(self._levels(sizes, apart=records), stride=self.stride and self.stride * records)

    def shifted(self, edits: int, side: Side) -> "Envelope":
        """The envelope around one side at level ``edits``. Level k reaches from level edits - k to level edits + k.

        Below level 0 of that side, the end of the support follows, or strides on an open side.
        """
        sizes = np.maximum(self.sizes - 1 - edits, edits) + 1
        longer, offsets = self._levels(sizes + edits), np.concatenate([[0], np.cumsum(sizes)])
        level = np.arange(offsets[-1]) - np.repeat(offsets[:-1], sizes)
        start = np.repeat(longer.offsets[:-1], sizes) + edits
        given, end = (longer.lower, self.support[1]) if side == "lower" else (longer.upper, self.support[0])
        away, back = given[start + level], given[start - np.minimum(level, edits)]
        beyond = np.maximum(level - edits, 0)
        if end is None:
            further = np.minimum(beyond, 2**61 // max(self.stride or 0, 1)) * (self.stride or 0)
            back = back + further if side == "lower" else back - further
        else:
            back = np.where(beyond, end, back)
        lower, upper = (away, back) if side == "lower" else (back, away)
        return replace(self, lower=lower, upper=upper, offsets=offsets)

    def truncate(self, levels: int) -> "Envelope":
        """Keep the levels 0 to ``levels``. Beyond them, a bounded side jumps and an open side goes on in strides."""
        if (self.sizes <= levels + 1).all():
            return self
        return self._levels(np.minimum(self.sizes, levels + 1))

    def _levels(self, sizes: Integers, apart: int = 1) -> "Envelope":
        """The first ``sizes`` of the levels 0, apart, 2*apart, ... of each group. Some may be beyond the last level."""
        offsets = np.concatenate([[0], np.cumsum(sizes)])
        level = (np.arange(offsets[-1]) - np.repeat(offsets[:-1], sizes)) * apart
        starts, last = np.repeat(self.offsets[:-1], sizes), np.repeat(self.sizes - 1, sizes)
        lower, upper = self._sides(starts, last, level)
        return replace(self, lower=lower, upper=upper, offsets=offsets)

    def extend(
        self, step: Fraction, levels: int, edges: tuple[Fraction, Fraction] | None = None
    ) -> "Envelope":
        """The envelope continued to ``levels`` in steps of the global sensitivity.

        The new levels are computed as fractions and then floored like all others. ``edges`` are the values of the last
        level before it was floored. If they are left out, the last level must be exact.
        """
        last = self.lower.size - 1
        low, high = edges or (Fraction(int(self.lower[last])), Fraction(int(self.upper[last])))
        further = range(1, levels - last + 1)
        bottom, top = self.support
        lower = [math.floor(low - k * step) for k in further]
        upper = [math.floor(high + k * step) for k in further]
        return Envelope.of(
            np.append(self.lower, _clip(np.array(lower, np.int64), bottom, None)),
            np.append(self.upper, _clip(np.array(upper, np.int64), None, top)),
            self.support,
            self.stride,
        )

    def splice(self, looser: "Envelope", at: int) -> "Envelope":
        """These levels below ``at``, and the levels of ``looser`` from there on. Both envelopes must nest."""
        sizes = np.where(looser.sizes > at, looser.sizes, np.minimum(self.sizes, at))
        near, offsets = self._levels(np.minimum(sizes, at)), np.concatenate([[0], np.cumsum(sizes)])
        level = np.arange(offsets[-1]) - np.repeat(offsets[:-1], sizes)
        is_near = level < at
        beyond = (np.repeat(looser.offsets[:-1], sizes) + level)[~is_near]
        lower, upper = np.empty((2, level.size), np.int64)
        lower[is_near], upper[is_near] = near.lower, near.upper
        lower[~is_near], upper[~is_near] = looser.lower[beyond], looser.upper[beyond]
        return Envelope(lower, upper, offsets, self.support, looser.stride)

    def fault(self, support: tuple[int | None, int | None]) -> str | None:
        """The rule that these envelopes break, given the support of the answers; None if they break none."""
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
    """Levels as integers. Floats are refused: NumPy would cut them off silently. What 64 bits cannot hold is cut."""
    given = cut_to(levels, -FARTHEST, FARTHEST)
    if given.dtype.kind not in "iub" and given.size:
        raise ParameterTypeError(
            "levels", "must be whole numbers, lattice indices", why="floor them first"
        ) from None
    return given.astype(np.int64, copy=False)


def _clip(levels: Integers, low: int | None, high: int | None) -> Integers:
    """np.clip, where None means no bound."""
    return levels if low is None and high is None else np.clip(levels, low, high)
