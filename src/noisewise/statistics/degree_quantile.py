"""Degree quantiles that protect a whole node: an edit adds or removes a node with all its edges.

Edges are visited in the order of their nodes. An edge is kept if both its ends have fewer than ``max_degree`` kept
edges so far. Then an added or removed node changes the degrees of all others by at most ``max_degree`` in total,
whatever the graph is. So l edits can raise degrees by l*max_degree steps in total. The degrees nearest to t are raised
to t first. The quantile can be t or more after l edits if fewer than q*n + l*stride nodes then stay below t. The stride
is that of a quantile, max(q, 1-q), because each edit adds or removes one degree. The lower side is the mirror image.
Proof: docs/proofs/degree_quantile.md.
"""

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Literal

import numpy as np

from noisewise.errors import ParameterError
from noisewise.kernel.laws.envelope import Envelope
from noisewise.kernel.numbers.answers import Answers
from noisewise.kernel.numbers.arrays import Integers
from noisewise.kernel.numbers.exact import Number, describe, spell, whole
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.statistics.quantile import exact_share
from noisewise.statistics.records import Graph
from noisewise.statistics.statistic import Frame, Statistic, no_bounds

MOST_DEGREE = 2**16
"""The largest ``max_degree``."""


@dataclass(frozen=True, slots=True, init=False)
class DegreeQuantile(Statistic):
    """The q-quantile of the nodes' degrees, none above ``max_degree``. An edit is a node with all its edges."""

    reads: ClassVar[Literal["records", "graph"]] = "graph"
    unit: ClassVar[str] = "node"
    ends_by_levels: ClassVar[bool] = True

    q: Fraction
    max_degree: int

    def __init__(self, q: Number | str, max_degree: int | np.integer[Any]) -> None:
        share = exact_share(q)
        if share == 0:
            raise ParameterError("q", "must be above 0", got=describe(q)) from None
        object.__setattr__(self, "q", share)
        object.__setattr__(self, "max_degree", whole("max_degree", max_degree, least=2, most=MOST_DEGREE))

    @property
    def notes(self) -> tuple[str, ...]:
        return (f"a record is a node with all its edges, of which it keeps at most {self.max_degree}",)

    def __str__(self) -> str:
        return f"degree_quantile({spell(self.q)}, max_degree={self.max_degree})"

    def frame_on(self, nodes: Callable[[], int], bounds: object, granularity: object) -> Frame:
        """The frame does not depend on the number of nodes, which is secret here."""
        no_bounds(self, bounds)
        lattice = Lattice.between((0, self.max_degree), granularity)
        return Frame(lattice, Answers.on(lattice))

    def attained(self, levels: int) -> bool:
        return levels == 0

    def envelope(self, graph: Graph, answers: Answers, levels: int) -> Envelope:
        """A nested bound. Level 0 is the answer itself."""
        compact = graph.compact()
        having = np.bincount(kept_degrees(compact, self.max_degree), minlength=self.max_degree + 1)
        having[0] += graph.nodes - compact.nodes
        share, parts = self.q.as_integer_ratio()
        upper = self._ascent(having, share * graph.nodes, levels)
        mirrored = self._ascent(having[::-1], (parts - share) * graph.nodes + 1, levels)
        lower = [self.max_degree - degree for degree in mirrored]
        return Envelope.of(
            [answers.floor(t) for t in lower], [answers.floor(t) for t in upper], answers.support
        )

    def _ascent(self, having: Integers, room: int, levels: int) -> list[int]:
        """The highest t at each level l for which fewer than (room + l*stride)/parts nodes must stay below t."""
        share, parts = self.q.as_integer_ratio()
        stride, degrees = max(share, parts - share), Degrees(having)
        reached, t = [], 0
        for l in range(levels + 1):
            budget, enough = l * self.max_degree, room + l * stride
            while t < self.max_degree and degrees.left_below(t + 1, budget) * parts < enough:
                t += 1
            reached.append(t)
        return reached


class Degrees:
    """Counts how many nodes stay below a degree if other nodes are lifted to it."""

    def __init__(self, having: Integers) -> None:
        self._nodes: list[int] = [0, *np.cumsum(having).tolist()]
        self._sums: list[int] = [0, *np.cumsum(having * np.arange(having.size)).tolist()]

    def left_below(self, t: int, budget: int) -> int:
        """How many nodes stay below t if degrees are lifted to t, the highest first, by ``budget`` steps in total."""

        def cost(least: int) -> int:
            """The number of steps that lift all degrees from ``least`` to t - 1 up to t."""
            return t * (self._nodes[t] - self._nodes[least]) - (self._sums[t] - self._sums[least])

        least = bisect_left(range(t), True, key=lambda v: cost(v) <= budget)
        if least == 0:
            return 0
        return self._nodes[least] - (budget - cost(least)) // (t - least + 1)


def kept_degrees(graph: Graph, most: int) -> Integers:
    """The degree of each node. Edges are kept in their order if both ends have fewer than ``most`` edges so far."""
    if graph.degrees.max(initial=0) <= most:
        return graph.degrees
    degrees = [0] * graph.nodes
    for i, j in graph.edges.tolist():
        if degrees[i] < most and degrees[j] < most:
            degrees[i] += 1
            degrees[j] += 1
    return np.array(degrees, np.int64)
