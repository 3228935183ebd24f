"""Pearson's correlation of two columns, each clamped to its bounds.

Let S be a centred sum of products of two columns, or of one column with itself. If a row is added, S moves by w*a*b
with w < 1. Here a and b are the distances of the row from the means of the other rows. The distance of a record from a
mean is at most the distance of the mean from the far bound, and means move slowly. Let s be the larger of the sum of
x - low and the sum of high - x. Then the distance of a record from the mean of the others is at most

    add/remove    s / (n - l)                                at the l-th edit
    swap          (s + (l - 1)*(high - low)) / (n - 1)

and at most high - low. So if rows are added and removed, the l-th edit moves S by at most the product of two such
distances. A swap moves the S of two columns by at most one such distance times the width of the other column's bounds.
Proof: docs/proofs/pearson.md.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import ceil, isqrt
from typing import ClassVar, NamedTuple

from noisewise.kernel.laws.envelope import Envelope
from noisewise.kernel.numbers.answers import Answers
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.statistics.correlation import CoMoments, PairSums, correlated, running_reach
from noisewise.statistics.records import Rows
from noisewise.statistics.row_formulas import steps_of
from noisewise.statistics.statistic import BOTH, Frame, Statistic
from noisewise.statistics.summands import Box, Summands
from noisewise.statistics.two_lattices import TwoLattices


class ColumnExtent(NamedTuple):
    """The width of a column's bounds, and the sum of distances from the bound that is farther from the mean."""

    width: int
    total: int

    @classmethod
    def of(cls, lattice: Lattice, count: int, low: int) -> "ColumnExtent":
        """From the number of records and the sum of their steps above the low end."""
        width = lattice.high - lattice.low
        return cls(width, max(low, count * width - low))


@dataclass(frozen=True, slots=True)
class Pearson(Statistic):
    """Pearson's correlation of the rows (x, y), from -1 to 1; 0 where a column does not vary.

    The bounds are a pair for both columns, or a pair of pairs, ``((x_low, x_high), (y_low, y_high))``.
    """

    relations = BOTH

    columns: ClassVar[int] = 2

    def frame(self, bounds: object, granularity: object) -> Frame:
        return Frame(TwoLattices.of(bounds), Answers.between(Fraction(-1), Fraction(1), granularity))

    def summands(self, frame: Frame) -> Summands:
        """A record adds 1 to the first four sums together, and at most a quarter to each of the last two."""
        assert isinstance(frame.records, TwoLattices)
        x, y = (lattice.high - lattice.low for lattice in (frame.records, frame.records.y))
        return Summands((*(x * y,) * 4, x * x, y * y), together=Fraction(3, 2))

    def sums(self, rows: Rows) -> tuple[int, ...]:
        """The sums of a*b, a*(1-b), (1-a)*b, (1-a)*(1-b), a*(1-a) and b*(1-b). The row (a, b) is scaled to [0, 1]."""
        assert isinstance(rows.lattice, TwoLattices)
        wide, high = (each.high - each.low for each in (rows.lattice, rows.lattice.y))
        count, x, y, xx, both, yy = _sums(rows)
        neither = count * wide * high - x * high - y * wide + both
        four = both, x * high - both, y * wide - both, neither
        return *four, wide * x - xx, high * y - yy

    def image(self, box: Box, frame: Frame) -> tuple[int, int]:
        """The correlation is both*neither - one*other, divided by the root of the product of two spreads.

        Bounds of these numbers give bounds of the correlation.
        """
        both, one, other, neither, own_x, own_y = box
        least = both[0] * neither[0] - one[1] * other[1]
        most = both[1] * neither[1] - one[0] * other[0]
        spreads = _spread(one, both, other, neither, own_x), _spread(other, both, one, neither, own_y)
        narrow, broad = (max(x, 0) * max(y, 0) for x, y in zip(*spreads, strict=True))
        step = frame.answers.granularity
        low = floor_of_root(least, narrow if least < 0 else broad, step)
        return low, -floor_of_root(-most, narrow if most > 0 else broad, step)

    def records_moved_by(self, edits: int) -> int:
        """A record can be half the range away from any mean. So half of the rows can outweigh the other rows."""
        return 2 * edits

    def envelope(self, rows: Rows, answers: Answers, levels: int) -> Envelope:
        """A nested bound, close to what rows at the ends of the bounds can do."""
        assert isinstance(rows.lattice, TwoLattices)
        sums = _sums(rows)
        count, x, y = sums.rows, rows.lattice, rows.lattice.y
        extents = ColumnExtent.of(x, count, sums.x), ColumnExtent.of(y, count, sums.y)
        distances = _swapped if rows.neighbors == "swap" else _added_or_removed
        reach = running_reach(distances(*extents, count, min(levels, count)), times=count)
        return correlated(sums.moments, reach, answers)


def _sums(rows: Rows) -> PairSums:
    """The sums over rows. Both columns are counted in steps from the low ends of their lattices."""
    assert isinstance(rows.lattice, TwoLattices)
    return PairSums.of(rows, steps_of(0, rows.lattice), steps_of(1, rows.lattice.y))


def _spread(
    one: tuple[int, int],
    both: tuple[int, int],
    other: tuple[int, int],
    neither: tuple[int, int],
    own: tuple[int, int],
) -> tuple[int, int]:
    """Bounds for n^2 times a variance: A*B - (A + B)*own, with A = both + one and B = other + neither.

    It is linear in A, in B and in ``own``, so its least and its largest value are at corners.
    """
    up, down = ([x[k] + y[k] for k in (0, 1)] for x, y in ((both, one), (other, neither)))
    corners = [a * b - (a + b) * c for a, b, c in product(up, down, own)]
    return min(corners), max(corners)


def floor_of_root(top: int, squared: int, step: Fraction) -> int:
    """The index at or below top/sqrt(squared). If ``squared`` is 0, the correlation is the sign of ``top``: -1, 0 or
    1."""
    over, under = step.as_integer_ratio()
    if squared == 0:
        return (top > 0) * ceil(1 / step) - (top < 0) * ceil(1 / step)
    square, bottom = (top * under) ** 2, over * over * squared
    root = isqrt(square // bottom)
    return root if top >= 0 else -root - (root * root * bottom != square)


def _added_or_removed(x: ColumnExtent, y: ColumnExtent, count: int, edits: int) -> Iterator[CoMoments]:
    for l in range(1, edits + 1):
        a, b = (_distance(column, column.total, count - l) for column in (x, y))
        yield CoMoments(a * b, a * a, b * b)


def _swapped(x: ColumnExtent, y: ColumnExtent, count: int, edits: int) -> Iterator[CoMoments]:
    for l in range(1, edits + 1):
        a, b = (_distance(column, column.total + (l - 1) * column.width, count - 1) for column in (x, y))
        yield CoMoments(max(a * y.width, b * x.width), a * a, b * b)


def _distance(column: ColumnExtent, total: int, others: int) -> int:
    """The largest distance of a record from the mean of the others, rounded up."""
    return min(column.width, -(-total // others)) if others > 0 else column.width
