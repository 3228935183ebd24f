"""How unequal data within l edits can be at most, right up to terms of second order.

With the kernel k(u, v) = |u - v| - c*(u + v), f = M - c*n*S is half the sum of k over all ordered pairs of records. So
an edit at v moves f by phi(v), the sum of k(x, v) over the records x, and l edits by the sum of l such terms, give or
take kappa*l^2/2 where |k| <= kappa. Both parts nest for every c, and so do the greatest and the least c they allow:

    upper    f + (the l largest gains) + kappa*l^2/2 >= 0        lower    f - (the l largest losses) - kappa*l^2/2 <= 0

Gains and losses are phi where a record is added, -phi where one is removed. phi is convex: it is greatest at a bound
and least at a record. What raises f is bounded by the best edit at any value; what lowers it removes records that are
there, from the top, as they are often far below the bound. All of it is linear in c, and the last c is found by
Newton's method in integers. A swap is two edits. Proof: docs/proofs/gini.md.
"""

from bisect import bisect_left
from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from noisewise.statistics.gini.gini_search import Incomes, Ratio

Line = tuple[int, int]
"""The function p - c*r of c, as (p, r)."""

LEAST, MOST = (0, 1), (1, 1)


def rising(incomes: Incomes, reached: Ratio, start: int, stop: int) -> list[Ratio]:
    """An upper bound of the Gini coefficient within start, ..., stop - 1 edits; ``reached`` is within start - 1."""
    edge, levels, found = _Edge.of(incomes, 0), range(start, stop), []
    full = bisect_left(levels, True, key=lambda l: _at(edge.most(l, MOST), MOST) >= 0)
    for l in levels[:full]:
        line = edge.most(l, reached)
        while _at(line, reached) > 0:
            reached = line
            line = edge.most(l, reached)
        found.append(reached)
    return found + [MOST] * (len(levels) - full)


def falling(incomes: Incomes, reached: Ratio, start: int, stop: int) -> list[Ratio]:
    """A lower bound of the Gini coefficient within start, ..., stop - 1 edits; ``reached`` is within start - 1."""
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
    """The lines that bound f after l edits: each method gives the one that is outermost at c."""

    incomes: Incomes
    at_low: Line
    at_high: Line
    """phi at the two bounds."""
    tops: list[Line]
    """phi at the largest record, the second largest, ..."""
    tops_taken: list[Line]
    """The sums of the first 0, 1, ... of them."""

    @classmethod
    def of(cls, incomes: Incomes, tops: int) -> "_Edge":
        ranks = np.arange(incomes.count, max(incomes.count - tops, 0), -1)
        lines = list(zip(incomes.distance(ranks), map(incomes.weight, incomes.record(ranks)), strict=True))
        taken = list(accumulate(lines, _plus, initial=(0, 0)))
        count, total, width = incomes.count, incomes.total, incomes.width
        low, high = (total, incomes.weight(0)), (count * width - total, incomes.weight(width))
        return cls(incomes, low, high, lines, taken)

    def most(self, l: int, c: Ratio) -> Line:
        """The greatest that f can be after l edits, at c."""
        added = max(self.at_low, self.at_high, key=lambda line: _at(line, c))
        removed = _times(-1, self._valley(c))
        if self.incomes.neighbors == "swap":
            gain = _plus(added, removed)
        else:
            gain = max(added, removed, key=lambda line: _at(line, c))
        return _plus(self._centre(), _plus(_times(2 * l, gain), self._slack(l, c)))

    def least(self, l: int, c: Ratio) -> Line:
        """The least that f can be after l edits, at c."""
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
        """phi where it is least: at the record of rank ceil(n*(1 + c)/2)."""
        incomes = self.incomes
        rank = -(-incomes.count * (c[0] + c[1]) // (2 * c[1]))
        record, before = int(incomes.records[rank - 1]), int(incomes.sums[rank])
        return (2 * rank - incomes.count) * record - 2 * before + incomes.total, incomes.weight(record)

    def _slack(self, l: int, c: Ratio) -> Line:
        """Twice the terms of second order, with kappa = max(b - a, 2*c*b)."""
        edits = 2 * l if self.incomes.neighbors == "swap" else l
        width, high = self.incomes.width, self.incomes.low + self.incomes.width
        kappa = (width, 0) if width * c[1] >= 2 * high * c[0] else (0, -2 * high)
        return _times(edits * edits, kappa)


def _at(line: Line, c: Ratio) -> int:
    """The sign, and the order, of p - c*r."""
    return line[0] * c[1] - line[1] * c[0]


def _plus(one: Line, other: Line) -> Line:
    return one[0] + other[0], one[1] + other[1]


def _times(factor: int, line: Line) -> Line:
    return factor * line[0], factor * line[1]
