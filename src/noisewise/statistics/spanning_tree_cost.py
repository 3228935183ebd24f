"""Minimum spanning tree: what it costs to join all nodes, where an absent edge costs the public maximum.

Costs lie in [a, b]. At best, l edits replace the l heaviest edges of the tree by edges of cost a: lower[l] is exact.
How expensive the tree can become is bounded by forests. Let F1 be the tree, F2 a minimum spanning tree of the edges
left over, and so on. An edit pushes one edge on from forest to forest, so for any cost t at most one forest gains or
loses an edge below t. For the tree to have k edges of t or more, the k heaviest edges of every forest must be moved
from below t; hence

    upper[l] = sum over k of the (l+1)-th smallest among the k heaviest edges of each forest

with b in place of edges that are missing. Proof: docs/proofs/spanning_tree_cost.md.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from noisewise.columns.column import Graph, Neighbors
from noisewise.errors import ParameterError
from noisewise.laws.envelope import Envelope
from noisewise.numbers.answers import Answers
from noisewise.numbers.arrays import Integers
from noisewise.numbers.lattice import Lattice, default_granularity, exact_bounds
from noisewise.statistics.statistic import Frame, Statistic

MOST_FORESTS = 128
"""How many forests are computed, fewer on very many nodes; levels above this number are bounded without them."""

MOST_PLACES = 2**23
"""Nodes times forests: what is held in memory."""


@dataclass(frozen=True, slots=True)
class SpanningTreeCost(Statistic):
    """The cost of a minimum spanning tree of all nodes; an edge that is absent costs the upper bound."""

    reads: ClassVar[Literal["records", "graph"]] = "graph"
    unit: ClassVar[str] = "edge"
    ends_by_levels: ClassVar[bool] = True

    @property
    def notes(self) -> tuple[str, ...]:
        return ("an edge whose weight is not a number counts as no edge",)

    def __str__(self) -> str:
        return "spanning_tree_cost"

    def frame_on(self, size: Callable[[], int], bounds: object, granularity: object) -> Frame:
        nodes = size()
        low, high = exact_bounds(bounds)
        if nodes < 2:
            raise ParameterError("nodes", f"must be at least 2 for {self}", got=str(nodes)) from None
        if granularity is None:
            granularity = default_granularity(bounds, (nodes - 1) * low, (nodes - 1) * high)
        answers = Answers.between((nodes - 1) * low, (nodes - 1) * high, granularity)
        return Frame(Lattice.fine((low, high)), answers)

    def sensitivity(self, frame: Frame, neighbors: Neighbors, size: Callable[[], int]) -> int:
        return frame.answers.steps((frame.records.high - frame.records.low) * frame.records.granularity)

    def attained(self, levels: int) -> bool:
        return levels == 0

    def envelope(self, graph: Graph, answers: Answers, levels: int) -> Envelope:
        """Exact below, a bound that nests above; level 0 is the answer itself."""
        lattice, joins = graph.lattice, graph.nodes - 1
        reach, last = lattice.high - lattice.low, min(levels, joins)
        compact = graph.compact()
        heaviest = _heaviest(compact, reach, min(max(last, 1), MOST_FORESTS, -(-MOST_PLACES // joins)))
        absent = joins - heaviest.shape[1]  # of nodes without an edge: the upper bound in every forest
        tree, outside = heaviest[0], absent * reach
        cost = outside + int(tree.sum())
        rising = cost + _sums(reach - tree[::-1], last)
        heaviest_first = np.concatenate([np.full(min(absent, last), reach), tree])
        falling = cost - _sums(heaviest_first, last)
        by_forests = outside + _highest_costs(heaviest, reach, min(last, MOST_FORESTS))
        rising[: by_forests.size] = by_forests
        base, unit = joins * lattice.low, lattice.granularity
        lower = answers.floors(((base + cost, 1) for cost in falling.tolist()), unit)
        upper = answers.floors(((base + cost, 1) for cost in rising.tolist()), unit)
        return Envelope.of(lower, upper, answers.support)


def _sums(gains: Integers, last: int) -> Integers:
    """0 and the sums of the first 1, 2, ..., last; where there are fewer gains, no more is gained."""
    sums = np.zeros(last + 1, np.int64)
    sums[1 : gains.size + 1] = np.cumsum(gains[:last])
    sums[gains.size + 1 :] = sums[min(gains.size, last)]
    return sums


def _highest_costs(heaviest: Integers, reach: int, last: int) -> Integers:
    """upper[0..last]: what is the (l+1)-th smallest of the first k columns, summed over k."""
    smallest, total = np.full(last + 1, reach), np.zeros(last + 1, np.int64)
    for column in heaviest.T:
        smallest = np.sort(np.concatenate([smallest, column]))[: last + 1]
        total += smallest
    return total


def _heaviest(graph: Graph, reach: int, forests: int) -> Integers:
    """One row of nodes-1 costs per forest, counted from the lower bound, the heaviest first."""
    found = np.full((forests, graph.nodes - 1), reach)
    for row, forest in zip(found, _forests(graph, reach, forests), strict=False):
        row[row.size - len(forest) :] = forest[::-1]
    return found


def _forests(graph: Graph, reach: int, most: int) -> list[list[int]]:
    """The costs of each forest's edges, rising. An edge goes to the first forest in which it closes no circle."""
    costs = _costs(graph, reach)
    cheap = np.flatnonzero(costs < reach)
    order = cheap[np.lexsort((*graph.edges[cheap].T[::-1], costs[cheap]))]
    heads, tails = graph.edges[order].T.tolist()
    roots: list[list[int]] = []
    grown: list[list[int]] = []
    for u, v, cost in zip(heads, tails, costs[order].tolist(), strict=True):
        low, high = 0, len(roots)
        while low < high:  # what is joined in one forest is joined in those before it
            middle = (low + high) // 2
            if _root(roots[middle], u) == _root(roots[middle], v):
                low = middle + 1
            else:
                high = middle
        if low == most:
            continue
        if low == len(roots):
            roots.append(list(range(graph.nodes)))
            grown.append([])
        roots[low][_root(roots[low], u)] = _root(roots[low], v)
        grown[low].append(cost)
        if low == most - 1 and len(grown[low]) == graph.nodes - 1:
            break
    return grown


def _costs(graph: Graph, reach: int) -> Integers:
    """What each edge costs, counted from the lower bound; the maximum where it has no weight."""
    if graph.weights is None:
        return np.full(len(graph.edges), reach)
    missing = np.isnan(graph.weights)
    known = graph.lattice.index(np.where(missing, 0, graph.weights)) - graph.lattice.low
    return np.where(missing, reach, known)


def _root(roots: list[int], node: int) -> int:
    """Whose tree a node is in; the way there is halved for the next time."""
    while (above := roots[node]) != node:
        roots[node] = roots[above]
        node = above
    return node
