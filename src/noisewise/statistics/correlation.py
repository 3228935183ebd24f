"""Correlations: p / sqrt(q*r) of three exact integers, within intervals that widen with every edit.

p is a co-moment of two columns, q and r are their own moments. If l edits move p by at most ``both[l]``, q by at most
``first[l]`` and r by at most ``second[l]``, the correlation stays below

    (p + both) / sqrt((q - first) * (r - second))     where p + both > 0, and 1 where that is above 1 or has no root
    (p + both) / sqrt((q + first) * (r + second))     elsewhere

and the lower side is the mirror image. A column that does not vary has correlation 0. Each level is floored once, by
an integer root. Proof: docs/proofs/correlation.md.
"""

from collections.abc import Iterable, Iterator
from itertools import accumulate
from math import isqrt
from typing import NamedTuple

from noisewise.kernel.laws.envelope import Envelope
from noisewise.kernel.numbers.answers import Answers
from noisewise.statistics.records import Rows
from noisewise.statistics.row_formulas import RowWhole


class CoMoments(NamedTuple):
    """Centred sums: of products of two columns, of squares of the first, and of squares of the second column.

    Also used for the distances by which edits move these sums.
    """

    both: int
    first: int
    second: int


class PairSums(NamedTuple):
    """The number of rows, and the sums over rows of x, y, x*x, x*y and y*y. Each row has two whole numbers x and y."""

    rows: int
    x: int
    y: int
    xx: int
    xy: int
    yy: int

    @classmethod
    def of(cls, rows: Rows, x: RowWhole, y: RowWhole) -> "PairSums":
        return cls(*rows.sums([x, y], [(), (0,), (1,), (0, 0), (0, 1), (1, 1)]))

    @property
    def moments(self) -> CoMoments:
        """n times the centred sums. For x*y this is n * sum(x*y) - sum(x) * sum(y); for x*x and y*y likewise."""
        n, x, y = self.rows, self.x, self.y
        return CoMoments(n * self.xy - x * y, n * self.xx - x * x, n * self.yy - y * y)


def correlated(moments: CoMoments, reach: Iterable[CoMoments], answers: Answers) -> Envelope:
    """The envelope of a correlation. l edits move its moments by at most ``reach[l]``, and ``reach[0]`` is zero."""
    mirrored = moments._replace(both=-moments.both)
    levels = [(_highest(mirrored, each), _highest(moments, each)) for each in reach]
    lower = [_floor(-top, squared, answers) for (top, squared), _ in levels]
    upper = [_floor(top, squared, answers) for _, (top, squared) in levels]
    return Envelope.of(lower, upper, answers.support)


def _highest(moments: CoMoments, reach: CoMoments) -> tuple[int, int]:
    """The highest correlation in reach. It is a fraction: the first result, divided by the root of the second one."""
    top = moments.both + reach.both
    if top <= 0:
        spread = (moments.first + reach.first) * (moments.second + reach.second)
        return top, max(spread, 1)
    first, second = moments.first - reach.first, moments.second - reach.second
    return (top, first * second) if min(first, second) > 0 and top * top < first * second else (1, 1)


def _floor(top: int, squared: int, answers: Answers) -> int:
    """The index at or below top / sqrt(squared), clipped to the range; squared is at least 1."""
    step, whole = answers.granularity.as_integer_ratio()
    square, bottom = (top * whole) ** 2, step * step * squared
    root = isqrt(square // bottom)
    if top < 0:
        root = -root - (root * root * bottom != square)
    return answers.floor(root * step, whole)


def running_reach(reaches: Iterable[CoMoments], times: int = 1) -> Iterator[CoMoments]:
    """How far 0, 1, 2, ... edits together move the moments, in units of 1/times. ``reaches`` says it for each edit."""
    return accumulate(
        reaches,
        lambda so_far, edit: CoMoments(*(a + b * times for a, b in zip(so_far, edit, strict=True))),
        initial=CoMoments(0, 0, 0),
    )
