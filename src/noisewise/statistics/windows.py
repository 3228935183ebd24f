"""Many groups side by side: the sorted records around a rank of each group.

What an envelope reads of a group often depends only on the number of its records. Groups with the same number become
the columns of one matrix, and each step of the algorithm is one operation for all of them.
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
    """Sorted records of each group, from rank starts[g] on. Ranks that no record has stand for the bounds."""

    records: Integers
    """The lower bound, the records of one group after the other, and the upper bound."""
    shifts: Integers
    """The record of rank r of group g is at the place shifts[g] + r."""
    counts: Integers

    @classmethod
    def of(cls, groups: Groups, counts: Integers, starts: Integers, stops: Integers) -> "Windows":
        """The ranks starts[g] to stops[g] - 1 of each group. They may be below 1 or above the number of records."""
        starts = np.clip(starts, 1, counts + 1)
        stops = np.clip(stops, starts, counts + 1)
        sizes = stops - starts
        ends = [groups.lattice.low], [groups.lattice.high]
        records = np.concatenate([ends[0], groups.ranks(starts, stops), ends[1]])
        return cls(records, np.cumsum(sizes) - sizes - starts + 1, counts)

    def at(self, alike: Integers, first: Integers, width: int) -> Integers:
        """A matrix with ``width`` rows: column k holds the ranks first[k], first[k] + 1, ... of the group alike[k]."""
        return self.of_rank(alike, first + np.arange(width)[:, np.newaxis])

    def of_rank(self, groups: Integers, ranks: Integers) -> Integers:
        """The record of ranks[k] in the group groups[k]. Each rank is in the window, or no record has it."""
        places = np.where(ranks < 1, 0, ranks + self.shifts[groups])
        found: Integers = self.records[np.where(ranks > self.counts[groups], self.records.size - 1, places)]
        return found


def alike(keys: Integers, most: int) -> Iterator[Integers]:
    """The groups with the same key, at most ``most`` of them at a time."""
    order = np.argsort(keys, kind="stable")
    breaks = np.flatnonzero(np.diff(keys[order])) + 1
    for same in np.split(order, breaks):
        for start in range(0, same.size, most):
            yield same[start : start + most]


def backwards(sizes: Integers) -> Integers:
    """Indices that turn each run around, for runs of these sizes that stand one after the other."""
    ends = np.cumsum(sizes)
    return np.repeat(2 * ends - sizes - 1, sizes) - np.arange(sizes.sum())


def floors(answers: Answers, tops: LargeIntegers, bottoms: LargeIntegers, unit: Fraction) -> Integers:
    """`Answers.floors` of arrays. If these hold 64-bit integers, the products with the unit must fit as well."""
    if tops.dtype == object or type(answers) is not Answers:
        ratios = zip(tops.tolist(), bottoms.tolist(), strict=True)
        return np.array(answers.floors(ratios, unit), np.int64)
    ratio = unit / answers.granularity
    found: Integers = tops * ratio.numerator // (bottoms * ratio.denominator)
    low, high = answers.support
    return np.clip(found, -UTMOST if low is None else low, UTMOST if high is None else high)
