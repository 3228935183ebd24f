"""Patterns: how often a small figure occurs in a graph, when one edge more or less can change that.

Each has local sensitivities R_l: one edge moves the count by at most R_l in any graph at most l-1 edges away. Levels
are count ± (R_1 + ... + R_l), clipped to what the public number of nodes allows, and every level is floored by the same
floor. Proof: docs/proofs/patterns.md.
"""

from abc import abstractmethod
from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import islice

from noisewise.errors import ParameterError
from noisewise.kernel.laws.envelope import Envelope
from noisewise.kernel.losses import Neighbors
from noisewise.kernel.numbers.answers import Answers
from noisewise.kernel.numbers.exact import describe, exact
from noisewise.kernel.numbers.lattice import FINEST, Lattice
from noisewise.statistics.records import Graph
from noisewise.statistics.statistic import Frame, Statistic, no_bounds

UNWEIGHTED = Lattice(0, 1, Fraction(1))
"""Edges are only counted: what they weigh does not matter."""


class Pattern(Statistic):
    """A count of one figure in a graph on public nodes."""

    __slots__ = ()

    reads = "graph"
    unit = "edge"
    ends_by_levels = True

    @abstractmethod
    def most(self, nodes: int) -> int:
        """How often it occurs in the complete graph."""

    @abstractmethod
    def reach(self, nodes: int) -> int:
        """How far one edge can move the count, over all graphs."""

    @abstractmethod
    def local(self, graph: Graph, levels: int) -> tuple[int, Iterable[int]]:
        """The count, and R_1, R_2, ...: rising, and for neighbours x, x' never R_l(x) > R_{l+1}(x'). Secret."""

    def frame_on(self, size: Callable[[], int], bounds: object, granularity: object) -> Frame:
        nodes = size()
        no_bounds(self, bounds)
        most = self.most(nodes)
        if most == 0:
            raise ParameterError(
                "nodes", f"must be more for {self}", got=str(nodes), why="there could be none"
            ) from None
        if most > FINEST**2:
            raise ParameterError(
                "nodes", f"must be fewer for {self}", got=str(nodes), why="there could be more than 2^102"
            ) from None
        finest = -(-most // FINEST)
        step = Fraction(1 << (finest - 1).bit_length())
        if granularity is not None:
            step = exact("granularity", granularity)
            if step.denominator > 1 or not finest <= step <= most:
                raise ParameterError(
                    "granularity",
                    f"must be a whole number from {finest} to {most} for {self} of {nodes} nodes",
                    got=describe(granularity),
                ) from None
        return Frame(UNWEIGHTED, Answers(0, int(most // step), step))

    def sensitivity(self, frame: Frame, neighbors: Neighbors, size: Callable[[], int]) -> int:
        return frame.answers.steps(Fraction(self.reach(size())))

    def attained(self, levels: int) -> bool:
        return levels == 0

    def floored(self, frame: Frame) -> bool:
        return frame.answers.granularity > 1

    def envelope(self, column: Graph, answers: Answers, levels: int) -> Envelope:
        """As many levels as asked for, but no more than there are pairs of nodes, and none after both ends are met."""
        nodes = column.nodes
        most, needed = self.most(nodes), min(levels, nodes * (nodes - 1) // 2)
        count, radii = self.local(column, needed)
        distance, lower, upper = 0, [count], [count]
        for radius in islice(radii, needed):
            distance += radius
            lower.append(max(count - distance, 0))
            upper.append(min(count + distance, most))
            if lower[-1] == 0 and upper[-1] == most:
                break
        unit = Fraction(1)
        return Envelope.of(
            answers.floors([(end, 1) for end in lower], unit),
            answers.floors([(end, 1) for end in upper], unit),
            answers.support,
        )
