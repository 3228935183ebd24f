"""Pearson's correlation of two columns, each clamped to its bounds.

Let S be a centred sum of products, of two columns or of one with itself. A row added to others moves it by w*a*b,
w < 1, with a and b how far the row is from the others' means. No record is further from a mean than the mean is from
the far bound, and means move slowly: with s the larger of the sum of x - low and the sum of high - x, no record is
further from the others' mean than

    add/remove    s / (n - l)                                at the l-th edit
    swap          (s + (l - 1)*(high - low)) / (n - 1)

and never further than high - low. So the l-th edit moves S by at most the product of two such distances; a swap moves
S of two columns by at most the one distance times the width of the other bounds. Proof: docs/proofs/pearson.md.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, NamedTuple

from noisewise.columns.column import Rows
from noisewise.laws.envelope import Envelope
from noisewise.numbers.answers import Answers
from noisewise.numbers.arrays import Integers
from noisewise.numbers.lattice import Lattice
from noisewise.statistics.correlation import CoMoments, correlated, moments, running_reach, total
from noisewise.statistics.statistic import BOTH, Frame, Statistic
from noisewise.statistics.two_lattices import TwoLattices, indices


class ColumnExtent(NamedTuple):
    """A column as far as distances go: the width of its bounds, and the larger sum of distances from one of them."""

    width: int
    total: int

    @classmethod
    def of(cls, lattice: Lattice, steps: Integers) -> "ColumnExtent":
        """From the records as steps above the low end."""
        width, low = lattice.high - lattice.low, total(steps)
        return cls(width, max(low, steps.size * width - low))


@dataclass(frozen=True, slots=True)
class Pearson(Statistic):
    """Pearson's correlation of the rows (x, y), from -1 to 1; 0 where a column does not vary.

    The bounds are a pair for both columns, or a pair of pairs, ``((x_low, x_high), (y_low, y_high))``.
    """

    relations = BOTH
    ends_by_levels = True

    columns: ClassVar[int] = 2

    def frame(self, bounds: object, granularity: object) -> Frame:
        return Frame(TwoLattices.of(bounds), Answers.between(Fraction(-1), Fraction(1), granularity))

    def swayed_by(self, edits: int) -> int:
        """No record is surely nearer to a mean than half the bounds, so that half of all rows outweigh the rest."""
        return 2 * edits

    def envelope(self, rows: Rows, answers: Answers, levels: int) -> Envelope:
        """A nested bound; about what rows at the ends of the bounds can do."""
        assert isinstance(rows.lattice, TwoLattices)
        x, y, count = *indices(rows), rows.count
        x, y = x - rows.lattice.low, y - rows.lattice.y.low
        extents = ColumnExtent.of(rows.lattice, x), ColumnExtent.of(rows.lattice.y, y)
        distances = _swapped if rows.neighbors == "swap" else _added_or_removed
        reach = running_reach(distances(*extents, count, min(levels, count)), times=count)
        return correlated(moments(x, y), reach, answers)


def _added_or_removed(x: ColumnExtent, y: ColumnExtent, count: int, edits: int) -> Iterator[CoMoments]:
    for l in range(1, edits + 1):
        a, b = (_distance(column, column.total, count - l) for column in (x, y))
        yield CoMoments(a * b, a * a, b * b)


def _swapped(x: ColumnExtent, y: ColumnExtent, count: int, edits: int) -> Iterator[CoMoments]:
    for l in range(1, edits + 1):
        a, b = (_distance(column, column.total + (l - 1) * column.width, count - 1) for column in (x, y))
        yield CoMoments(max(a * y.width, b * x.width), a * a, b * b)


def _distance(column: ColumnExtent, total: int, others: int) -> int:
    """How far a record can be from the mean of others, rounded up."""
    return min(column.width, -(-total // others)) if others > 0 else column.width
