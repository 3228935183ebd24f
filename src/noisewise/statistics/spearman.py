"""Spearman's rank correlation: the correlation of mid-ranks.

Let a[i] be the number of records below the i-th record less the number above it. This is twice its mid-rank plus a
constant. Let b be the same for the other column, and T the sum of products. The answer is
T(a, b) / sqrt(T(a, a) * T(b, b)). A row that is added to n others moves each T by at most n*(n + 1). If rows are
swapped, only ties change T(a, a). Let t be how often the most frequent record occurs. Then the l-th edit moves the sums
by at most

    add/remove    (n + l - 1)*(n + l)       each
    swap          2*n*(n - 1)               T(a, b)
                  (t + l - 1)*(t + l)       T(a, a), and T(b, b) with its own t; n*(n - 1) if that is less

whatever the numbers are. So no bounds are needed. Proof: docs/proofs/spearman.md.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, NamedTuple

import numpy as np

from noisewise.kernel.laws.envelope import Envelope
from noisewise.kernel.numbers.answers import Answers
from noisewise.kernel.numbers.arrays import Floats, Integers
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.statistics.correlation import CoMoments, correlated, running_reach
from noisewise.statistics.products import dot
from noisewise.statistics.records import RowsInMemory
from noisewise.statistics.statistic import BOTH, Frame, Statistic, no_bounds


@dataclass(frozen=True, slots=True)
class Spearman(Statistic):
    """Spearman's correlation of the rows (x, y), from -1 to 1; 0 where a column does not vary."""

    relations = BOTH
    ends_by_levels = True

    columns: ClassVar[int] = 2

    def frame(self, bounds: object, granularity: object) -> Frame:
        """Records are only compared, never rounded."""
        no_bounds(self, bounds)
        lattice = Lattice.between((Fraction(-1), Fraction(1)), granularity)
        return Frame(lattice, Answers.on(lattice))

    def envelope(self, rows: RowsInMemory, answers: Answers, levels: int) -> Envelope:
        """A nested bound. It is attained if the edited rows lie at the ends of both columns."""
        a, b = (Ranked.of(values) for values in rows.values)
        moments = CoMoments(dot(a.scores, b.scores), dot(a.scores, a.scores), dot(b.scores, b.scores))
        edits = min(levels, rows.count)
        if rows.neighbors == "swap":
            reaches = _swapped(rows.count, edits, a.most, b.most)
        else:
            reaches = _added_or_removed(rows.count, edits)
        return correlated(moments, running_reach(reaches), answers)


class Ranked(NamedTuple):
    """The score of each record: how many are below it less how many are above it. ``most`` counts the commonest."""

    scores: Integers
    most: int

    @classmethod
    def of(cls, values: Floats) -> "Ranked":
        order = np.argsort(values)
        ordered = values[order]
        starts = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1])[: values.size])
        ends = np.append(starts[1:], values.size)[: starts.size]
        scores = np.empty(values.size, np.int64)
        scores[order] = np.repeat(starts + ends - values.size, ends - starts)
        return cls(scores, int(np.max(ends - starts, initial=0)))


def _added_or_removed(count: int, edits: int) -> Iterator[CoMoments]:
    for l in range(edits):
        reach = (count + l) * (count + l + 1)
        yield CoMoments(reach, reach, reach)


def _swapped(count: int, edits: int, most_x: int, most_y: int) -> Iterator[CoMoments]:
    reach = count * (count - 1)
    for l in range(edits):
        first, second = (min(reach, (most + l) * (most + l + 1)) for most in (most_x, most_y))
        yield CoMoments(2 * reach, first, second)
