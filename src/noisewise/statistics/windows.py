"""Many groups side by side: order statistics around a rank of each, and which groups are worked out alike.

What an envelope reads of a group, and in which order, often depends on the number of its records alone. Such groups
become the columns of one matrix, and a step of the algorithm is one operation for all of them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from noisewise.kernel.numbers.answers import UTMOST, Answers
from noisewise.kernel.numbers.arrays import Integers, LargeIntegers
from noisewise.kernel.secret import Secret
from noisewise.statistics.records import Groups

MOST_LEVELS = 2**62
"""More levels than there can be records; NumPy holds this number."""


@dataclass(frozen=True, slots=True, repr=False)
class Windows(Secret):
    """Ranks starts[g] and so on of each group g, as far as there are records; beyond them stand the bounds."""

    records: Integers
    """The lower bound, the records of all groups behind each other, and the upper bound."""
    shifts: Integers
    """A rank of group g is at this place plus the rank."""
    counts: Integers

    @classmethod
    def of(cls, groups: Groups, counts: Integers, starts: Integers, stops: Integers) -> "Windows":
        """The ranks from ``starts`` on, before ``stops``, those below 1 or above a group's count included."""
        starts = np.clip(starts, 1, counts + 1)
        stops = np.clip(stops, starts, counts + 1)
        sizes = stops - starts
        ends = [groups.lattice.low], [groups.lattice.high]
        records = np.concatenate([ends[0], groups.ranks(starts, stops), ends[1]])
        return cls(records, np.cumsum(sizes) - sizes - starts + 1, counts)

    def at(self, alike: Integers, first: Integers, width: int) -> Integers:
        """The ranks first[k], first[k] + 1, ... of the group alike[k]: so many rows, and a column per group."""
        return self.of_rank(alike, first + np.arange(width)[:, np.newaxis])

    def of_rank(self, groups: Integers, ranks: Integers) -> Integers:
        """The record of ranks[k] in the group groups[k]. Each rank is in the window, or no record has it."""
        places = np.where(ranks < 1, 0, ranks + self.shifts[groups])
        found: Integers = self.records[np.where(ranks > self.counts[groups], self.records.size - 1, places)]
        return found


def alike(keys: Integers, most: int) -> Iterator[Integers]:
    """The groups of each key, at most so many at a time."""
    order = np.argsort(keys, kind="stable")
    breaks = np.flatnonzero(np.diff(keys[order])) + 1
    for same in np.split(order, breaks):
        for start in range(0, same.size, most):
            yield same[start : start + most]


def backwards(sizes: Integers) -> Integers:
    """The places of runs of these sizes, one run after the other, each from its last place to its first."""
    ends = np.cumsum(sizes)
    return np.repeat(2 * ends - sizes - 1, sizes) - np.arange(sizes.sum())


def floors(answers: Answers, tops: LargeIntegers, bottoms: LargeIntegers, unit: Fraction) -> Integers:
    """`Answers.floors` of arrays. Where they have 64 bits, so must have the products with the unit."""
    if tops.dtype == object or type(answers) is not Answers:
        ratios = zip(tops.tolist(), bottoms.tolist(), strict=True)
        return np.array(answers.floors(ratios, unit), np.int64)
    ratio = unit / answers.granularity
    found: Integers = tops * ratio.numerator // (bottoms * ratio.denominator)
    low, high = answers.support
    return np.clip(found, -UTMOST if low is None else low, UTMOST if high is None else high)
