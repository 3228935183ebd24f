"""How equal and how unequal data can become within l edits: exact answers, and bounds from a public level on.

The Gini coefficient is M / (n*S): n is the number of records, S their sum, and M the sum of differences of all pairs.
For a fixed number c, f = M - c*n*S is a sum of the sorted records with weights that rise with the rank. So f is
greatest if a run of neighbouring records is removed and all added records are at the two bounds. It is least if records
are removed from the two ends and all added records equal one that is kept. There are few such choices. They are
compared in integers, for a c that can be reached. If f is beyond 0 for one of them, its own coefficient is further out
and becomes the next c [Dinkelbach 1967].

With the kernel k(u, v) = |u - v| - c*(u + v), f is also half the sum of k over all ordered pairs of records. So an edit
at v moves f by phi(v), the sum of k(x, v) over the records x. And l edits move f by the sum of l such terms, with an
error of at most kappa*l^2/2 if |k| <= kappa. Both parts nest for every c, and so do the greatest and the least c:

    upper    f + (the l largest gains) + kappa*l^2/2 >= 0        lower    f - (the l largest losses) - kappa*l^2/2 <= 0

The gain of an edit is phi if it adds a record and -phi if it removes one. phi is convex: it is greatest at a bound and
least at a record. For the upper bound, all l edits count as the best edit at any value. For the lower bound, the
largest records are removed one after the other, because they are often far below the upper bound. Everything is linear
in c, and Newton's method in integers finds the last c. A swap is two edits. Proof: docs/proofs/gini.md.
"""

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from noisewise.kernel.losses import Neighbors
from noisewise.kernel.numbers.arrays import Integers, LargeIntegers
from noisewise.statistics.records import Column

Ratio = tuple[int, int]
"""A Gini coefficient as a numerator and a positive denominator, not reduced."""

LEAST, MOST = (0, 1), (1, 1)

Line = tuple[int, int]
"""The function p - c*r of c, as (p, r)."""

ROOM = 1 << 62
"""Products below this fit into int64."""

BLOCK = 1 << 14
"""This many records below 2^33, each times its place, add up to less than 2^62."""


@dataclass(frozen=True, slots=True, repr=False)
class Incomes:
    """Sorted records counted from the low end, and their sums."""

    records: NDArray[Any]
    sums: NDArray[Any]
    """The sums of the first 0, 1, ..., n records."""
    total: int
    spread: int
    """M, the sum of all differences."""
    low: int
    width: int
    neighbors: Neighbors

    @classmethod
    def of(cls, column: Column) -> "Incomes":
        low, width = column.lattice.low, column.lattice.high - column.lattice.low
        records: NDArray[Any] = column.ordered() - low
        spread = _spread(records)
        if records.size * width >= ROOM:
            records = records.astype(object)
        sums = np.concatenate([records[:1] * 0, records.cumsum()])
        return cls(records, sums, int(sums[-1]), spread, low, width, column.neighbors)

    @property
    def count(self) -> int:
        return self.records.size

    @property
    def size(self) -> int:
        """n*S, the number of records times their sum. Here records are not counted from the low end."""
        return self.count * (self.total + self.count * self.low)

    @property
    def gini(self) -> Ratio:
        return self.spread, max(self.size, 1)

    def weight(self, record: int) -> int:
        """By how much n*S grows to first order if a record x is added: S + n*x. ``record`` is x less the low end."""
        return self.total + self.count * (2 * self.low + record)

    def record(self, ranks: LargeIntegers) -> LargeIntegers:
        found: LargeIntegers = self.records[ranks.astype(np.int64) - 1].astype(object)
        return found

    def distance(self, ranks: LargeIntegers) -> LargeIntegers:
        """For each rank, the sum of the distances of all records from the record of this rank."""
        ahead: LargeIntegers = 2 * ranks.astype(object) - self.count
        before: LargeIntegers = self.sums[ranks.astype(np.int64)].astype(object)
        found: LargeIntegers = ahead * self.record(ranks) - 2 * before + self.total
        return found


class _Run(NamedTuple):
    """Running sums from rank ``first`` on: of the records, of their distances, and of rank times record."""

    first: int
    total: LargeIntegers
    distance: LargeIntegers
    placed: LargeIntegers

    @classmethod
    def of(cls, incomes: Incomes, first: int, last: int) -> "_Run":
        ranks = np.arange(first, last + 1).astype(object)
        records = incomes.record(ranks)
        return cls(first, _running(records), _running(incomes.distance(ranks)), _running(ranks * records))

    def removed(self, before: LargeIntegers, number: LargeIntegers) -> tuple[LargeIntegers, LargeIntegers]:
        """The sum of the ``number`` records after rank ``before``, and how much M shrinks if they are removed."""
        start = (before - self.first + 1).astype(np.int64)
        stop = start + number.astype(np.int64)
        total = self.total[stop] - self.total[start]
        among = 2 * (self.placed[stop] - self.placed[start] - before * total) - (number + 1) * total
        return total, self.distance[stop] - self.distance[start] - among


@dataclass(frozen=True, slots=True, repr=False)
class _Edits:
    """All ways to make l edits: how many records are removed, how many are added, and how many are at the low end.

    ``low`` counts removed or added records, whichever are split between the two ends.
    """

    removed: LargeIntegers
    added: LargeIntegers
    low: LargeIntegers

    @classmethod
    def of(cls, incomes: Incomes, l: int, parted: str) -> "_Edits":
        """All ways to make l edits. ``parted`` says which records are split between the ends: "removed" or "added"."""
        splits = [(d, l - d) for d in range(min(l, incomes.count - 1) + 1)]
        if incomes.neighbors == "swap":
            splits = [(l, l)]
        ways = [(d, m, j) for d, m in splits for j in range((d if parted == "removed" else m) + 1)]
        return cls(*np.array(ways, object).T)

    def kept(self, incomes: Incomes) -> LargeIntegers:
        return incomes.count - self.removed

    def size(self, incomes: Incomes) -> LargeIntegers:
        return incomes.count - self.removed + self.added


Outcomes = tuple[LargeIntegers, LargeIntegers]
"""The new M and the new n*S for each way to edit."""


def most_unequal(incomes: Incomes, levels: int) -> list[Ratio]:
    """The greatest Gini coefficient within 1, 2, ..., levels - 1 edits."""
    reached, found = incomes.gini, []
    for l in range(1, levels):
        edits = _Edits.of(incomes, l, "added")
        reached = _furthest(reached, partial(_stretched, incomes, edits), 1)
        found.append(reached)
    return found


def most_equal(incomes: Incomes, levels: int) -> list[Ratio]:
    """The least Gini coefficient within 1, 2, ..., levels - 1 edits."""
    count, reached, found = incomes.count, incomes.gini, []
    bottom, top = _Run.of(incomes, 1, levels - 1), _Run.of(incomes, count - levels + 2, count)
    for l in range(1, levels):
        edits = _Edits.of(incomes, l, "removed")
        reached = _furthest(reached, partial(_pulled_in, incomes, edits, bottom, top), -1)
        if incomes.low == 0 and (l == count or incomes.records[count - l - 1] == 0):
            reached = (0, 1)  # all records above 0 can be removed
        found.append(reached)
    return found


def _furthest(reached: Ratio, outcomes: Callable[[Ratio], Outcomes], sign: int) -> Ratio:
    """The furthest c that can be reached, starting from ``reached``: the greatest if ``sign`` is 1, the least if -1.

    ``outcomes(c)`` returns the M and n*S of every choice of edits among which f is extreme at c.
    """
    while True:
        spread, size = outcomes(reached)
        gain = sign * (spread * reached[1] - size * reached[0])
        best = int(gain.argmax())
        if gain[best] <= 0:
            return reached
        reached = (int(spread[best]), int(size[best]))


def _stretched(incomes: Incomes, edits: _Edits, c: Ratio) -> Outcomes:
    """Remove a run of records where weights change sign, and add records at the two bounds."""
    kept, size, high = edits.kept(incomes), edits.size(incomes), edits.added - edits.low
    turn = -((c[1] - size * (c[0] + c[1])) // (2 * c[1]))
    before = np.clip(turn - edits.low, 0, kept)
    run = _Run.of(incomes, before.min() + 1, (before + edits.removed).max())
    gone, lost = run.removed(before, edits.removed)
    left, width = incomes.total - gone, incomes.width
    spread = (
        incomes.spread - lost + edits.low * left + high * (kept * width - left) + edits.low * high * width
    )
    return spread, size * (left + high * width + size * incomes.low)


def _pulled_in(incomes: Incomes, edits: _Edits, bottom: _Run, top: _Run, c: Ratio) -> Outcomes:
    """Remove records at both ends, and add copies of a kept record where weights change sign."""
    kept, size, high = edits.kept(incomes), edits.size(incomes), edits.removed - edits.low
    gone_low, lost_low = bottom.removed(0 * high, edits.low)
    gone_high, lost_high = top.removed(incomes.count - high, high)
    spread = incomes.spread - lost_low - lost_high + edits.low * gone_high - high * gone_low
    place = np.minimum(-(-(kept * c[1] + size * c[0]) // (2 * c[1])), kept)
    rank = np.maximum(edits.low + place, 1)
    at = incomes.record(rank)
    apart = incomes.distance(rank) - (edits.low * at - gone_low) - (gone_high - high * at)
    left = incomes.total - gone_low - gone_high + edits.added * at
    return spread + edits.added * apart, size * (left + size * incomes.low)


def _running(numbers: LargeIntegers) -> LargeIntegers:
    """The sums of the first 0, 1, ... numbers, as Python integers."""
    return np.array([0, *accumulate(numbers.tolist())], object)


def _spread(records: Integers) -> int:
    """The sum of x[j] - x[i] over all i < j: each record times (rank - 1) - (n - rank)."""
    placed, total = 0, 0
    for start in range(0, records.size, BLOCK):
        block = records[start : start + BLOCK]
        inside = int(block.sum())
        placed += int(block @ np.arange(1, block.size + 1)) + start * inside
        total += inside
    return 2 * placed - (records.size + 1) * total


def upper_bounds(incomes: Incomes, reached: Ratio, start: int, stop: int) -> list[Ratio]:
    """Upper bounds of the Gini coefficient after start, ..., stop - 1 edits. The bound before these is ``reached``."""
    edge, levels, found = _Edge.of(incomes, 0), range(start, stop), []
    full = bisect_left(levels, True, key=lambda l: _at(edge.most(l, MOST), MOST) >= 0)
    for l in levels[:full]:
        line = edge.most(l, reached)
        while _at(line, reached) > 0:
            reached = line
            line = edge.most(l, reached)
        found.append(reached)
    return found + [MOST] * (len(levels) - full)


def lower_bounds(incomes: Incomes, reached: Ratio, start: int, stop: int) -> list[Ratio]:
    """Lower bounds of the Gini coefficient after start, ..., stop - 1 edits. The bound before these is ``reached``."""
    edge, levels, found = _Edge.of(incomes, stop), range(start, stop), []
    nil = bisect_left(levels, True, key=lambda l: _at(edge.least(l, LEAST), LEAST) <= 0)
    for l in levels[:nil]:
        line = edge.least(l, reached)
        while _at(line, reached) < 0:
            reached = line
            line = edge.least(l, reached)
        found.append(reached)
    return found + [LEAST] * (len(levels) - nil)


@dataclass(frozen=True, slots=True, repr=False)
class _Edge:
    """Bounds of f after l edits, as linear functions of c. ``most`` and ``least`` return the line to use at c."""

    incomes: Incomes
    at_low: Line
    at_high: Line
    """phi at the two bounds."""
    tops: list[Line]
    """phi at the largest record, the second largest, ..."""
    tops_taken: list[Line]
    """The sums of the first 0, 1, ... lines of ``tops``."""

    @classmethod
    def of(cls, incomes: Incomes, tops: int) -> "_Edge":
        ranks = np.arange(incomes.count, max(incomes.count - tops, 0), -1)
        lines = list(zip(incomes.distance(ranks), map(incomes.weight, incomes.record(ranks)), strict=True))
        taken = list(accumulate(lines, _plus, initial=(0, 0)))
        count, total, width = incomes.count, incomes.total, incomes.width
        low, high = (total, incomes.weight(0)), (count * width - total, incomes.weight(width))
        return cls(incomes, low, high, lines, taken)

    def most(self, l: int, c: Ratio) -> Line:
        """Twice an upper bound of f after l edits, as the line that is right at c."""
        added = max(self.at_low, self.at_high, key=lambda line: _at(line, c))
        removed = _times(-1, self._valley(c))
        if self.incomes.neighbors == "swap":
            gain = _plus(added, removed)
        else:
            gain = max(added, removed, key=lambda line: _at(line, c))
        return _plus(self._centre(), _plus(_times(2 * l, gain), self._slack(l, c)))

    def least(self, l: int, c: Ratio) -> Line:
        """Twice a lower bound of f after l edits, as the line that is right at c."""
        added, removed = _times(-1, self._valley(c)), self.at_low
        swap = self.incomes.neighbors == "swap"
        other = removed if swap else max(added, removed, key=lambda line: _at(line, c))
        worth = _at(other, c)
        first = range(min(l, len(self.tops)))
        taken = bisect_left(first, True, key=lambda i: _at(self.tops[i], c) <= worth)
        loss = _plus(self.tops_taken[taken], _times(l - taken, other))
        if swap:
            loss = _plus(loss, _times(l, added))
        return _plus(self._centre(), _times(-1, _plus(_times(2, loss), self._slack(l, c))))

    def _centre(self) -> Line:
        """Twice f."""
        return 2 * self.incomes.spread, 2 * self.incomes.size

    def _valley(self, c: Ratio) -> Line:
        """The least phi, as a line. It is at the record of rank ceil(n*(1 + c)/2)."""
        incomes = self.incomes
        rank = -(-incomes.count * (c[0] + c[1]) // (2 * c[1]))
        record, before = int(incomes.records[rank - 1]), int(incomes.sums[rank])
        return (2 * rank - incomes.count) * record - 2 * before + incomes.total, incomes.weight(record)

    def _slack(self, l: int, c: Ratio) -> Line:
        """Twice the terms of second order, with kappa = max(b - a, 2*c*b) for the bounds a and b."""
        edits = 2 * l if self.incomes.neighbors == "swap" else l
        width, high = self.incomes.width, self.incomes.low + self.incomes.width
        kappa = (width, 0) if width * c[1] >= 2 * high * c[0] else (0, -2 * high)
        return _times(edits * edits, kappa)


def _at(line: Line, c: Ratio) -> int:
    """The line's value p - c*r, times the denominator of c. So its sign and order are right."""
    return line[0] * c[1] - line[1] * c[0]


def _plus(one: Line, other: Line) -> Line:
    return one[0] + other[0], one[1] + other[1]


def _times(factor: int, line: Line) -> Line:
    return factor * line[0], factor * line[1]
