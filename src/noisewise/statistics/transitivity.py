"""Transitivity: the share of wedges, pairs of edges that meet, whose ends are joined too; 0 where there is no wedge.

With T triangles and W wedges it is 3T/W. An edge whose ends have c neighbours in common, and y neighbours together,
belongs to c triangles and c + y >= 2c wedges. So what raises the ratio most is to add edges of large c, which turns
(3T, W) into (3T + 3c, W + 2c), or to remove edges of large y that close no triangle, (3T, W - y); what lowers it most
is the reverse. After s edits c is at most c[s], that of `Triangles`, and y at most y[s] = y[0] + s. Of l edits let i be
of the first kind:

    upper[l] = max over i of (3T + 3X) / (W + 2X - Y),   X = c[l-i] + ... + c[l-1],   Y = y[i] + ... + y[l-1]

and lower[l] the same with X and Y taken the other way. Proof: docs/proofs/transitivity.md.
"""

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import ClassVar, Literal

from noisewise.columns.column import Graph
from noisewise.errors import ParameterError
from noisewise.laws.envelope import Envelope
from noisewise.numbers.answers import Answers
from noisewise.numbers.lattice import Lattice
from noisewise.statistics.statistic import Frame, Statistic, no_bounds
from noisewise.statistics.triangles import Triangles, farthest

NO_WEIGHTS = Lattice(0, 1, Fraction(1))
"""Edges are there or not: what they weigh does not matter."""

Ratio = tuple[int, int]

NONE: Ratio = (0, 1)
ALL: Ratio = (1, 1)


@dataclass(frozen=True, slots=True)
class Transitivity(Statistic):
    """Three times the number of triangles over the number of wedges, from 0 to 1; 0 where there is no wedge."""

    reads: ClassVar[Literal["records", "graph"]] = "graph"
    unit: ClassVar[str] = "edge"
    ends_by_levels: ClassVar[bool] = True

    def frame_on(self, size: Callable[[], int], bounds: object, granularity: object) -> Frame:
        nodes = size()
        no_bounds(self, bounds)
        if nodes < 3:
            raise ParameterError("nodes", f"must be at least 3 for {self}", got=str(nodes)) from None
        return Frame(NO_WEIGHTS, Answers.between(Fraction(0), Fraction(1), granularity))

    def attained(self, levels: int) -> bool:
        return levels == 0

    def envelope(self, graph: Graph, answers: Answers, levels: int) -> Envelope:
        """A bound that nests; level 0 is the answer itself."""
        triangles, shared = Triangles().local(graph, levels)
        compact = graph.compact()
        degrees, far, most = compact.degrees, farthest(compact), graph.nodes - 2
        wedges = int((degrees * (degrees - 1) // 2).sum())
        edits = Edits(3 * triangles, wedges, list(shared), [min(most, far + s) for s in range(levels)])
        answer = (3 * triangles, wedges) if wedges else NONE
        lower, upper = [answer], [answer]
        for l in range(1, levels + 1):
            if (lower[-1], upper[-1]) == (NONE, ALL):
                break
            lower.append(edits.best(l, -1))
            upper.append(edits.best(l, 1))
        return Envelope.of(
            answers.floors(lower, Fraction(1)), answers.floors(upper, Fraction(1)), answers.support
        )


class Edits:
    """What l edits can make of the two counts: ``shared[s]`` bounds c, and ``around[s]`` bounds y, after s edits."""

    def __init__(self, closed: int, wedges: int, shared: list[int], around: list[int]) -> None:
        self.closed, self.wedges, self.shared, self.around = closed, wedges, shared, around
        self._shared = list(accumulate(shared, initial=0))
        self._around = list(accumulate(around, initial=0))

    def best(self, l: int, way: Literal[1, -1]) -> Ratio:
        """The highest (1) or lowest (-1) ratio: the best i for one ratio gives the next, until none is better."""
        top, bottom = self._ratio(l, 0, way)
        while top < bottom if way == 1 else top > 0:
            further, over = self._ratio(l, self._split(l, top, bottom), way)
            if way * (further * bottom - top * over) <= 0:
                return top, bottom
            top, bottom = further, over
        return ALL if way == 1 else NONE

    def _ratio(self, l: int, i: int, way: int) -> Ratio:
        """Both counts after l edits, i of them of the first kind."""
        x = self._shared[l] - self._shared[l - i]
        y = self._around[l] - self._around[i]
        return self.closed + way * 3 * x, self.wedges + way * (2 * x - y)

    def _split(self, l: int, top: int, bottom: int) -> int:
        """The i of the largest (3 - 2r)*X + r*Y, for the ratio r: concave in i, so up to where it stops to rise."""
        factor = 3 * bottom - 2 * top
        return bisect_left(
            range(l), True, key=lambda i: factor * self.shared[l - 1 - i] <= top * self.around[i]
        )
